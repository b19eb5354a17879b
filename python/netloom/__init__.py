"""Predict and improve communication on a network.

Four questions, one model of the machine: which network, where do my ranks go, which collective algorithm, why is it
slow. Start with a network and ask:

    >>> import netloom
    >>> network = netloom.torus(8, 8, 8)
    >>> netloom.describe(network)["diameter"]
    12
    >>> netloom.hops(network, ranks=512, workload="allreduce:recursive-doubling")["max_hops"]
    4

Every registered topology is a function here with the name and the arguments of its call text: `netloom.dragonfly(a=16,
p=1, h=4, g=64)` is `dragonfly(a=16,p=1,h=4,g=64)` on the command line and in a study. `netloom.catalogue("topologies")`
lists them. Nothing heavy is imported before it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import contract as contract
    from . import plugin as plugin
    from ._core import Network, Programs, Routing, Schedule, Traffic
    from ._topologies import *  # noqa: F403 (generated: one function per registered topology)
    from .api import describe, hops, link_loads, map_ranks, network, place, verify, workload
    from .calibration import Calibration
    from .errors import Fault, NetloomError
    from .flow import Job, application, programs, simulate
    from .flow_sets import simulate_flows
    from .jobs import JobSpec, read_jobs
    from .link_load import LoadJob, loads
    from .matrices import read_traffic, write_traffic
    from .plugin import register
    from .registries import catalogue
    from .traces import read_trace, write_trace
    from .tuning import cut_bound, time_collective

__version__ = "0.1.0"

_HOMES = {
    "Network": "._core",
    "Programs": "._core",
    "Routing": "._core",
    "Schedule": "._core",
    "Traffic": "._core",
    "Fault": ".errors",
    "NetloomError": ".errors",
    "register": ".plugin",
    "catalogue": ".registries",
    "Calibration": ".calibration",
    "cut_bound": ".tuning",
    **dict.fromkeys(("Job", "application", "programs", "simulate"), ".flow"),
    "simulate_flows": ".flow_sets",
    "time_collective": ".tuning",
    **dict.fromkeys(("LoadJob", "loads"), ".link_load"),
    **dict.fromkeys(("JobSpec", "read_jobs"), ".jobs"),
    **dict.fromkeys(("read_trace", "write_trace"), ".traces"),
    **dict.fromkeys(("read_traffic", "write_traffic"), ".matrices"),
    **dict.fromkeys(("describe", "hops", "link_loads", "map_ranks", "network", "place", "verify", "workload"), ".api"),
}

# Submodules are not attributes before they are imported: asking for one must not load the core.
_MODULES = {
    *(
        "api",
        "arguments",
        "calibration",
        "catalogue_reference",
        "cli",
        "constructors",
        "constructors_stub",
        "contract",
        "cost",
        "errors",
        "errors_reference",
    ),
    *("files", "flow", "jobs", "link_load", "matrices", "nearest", "plot", "plugin", "quantities"),
    *("registries", "report", "results", "study", "traces", "tuning"),
}

# Modules that people write out, such as `netloom.contract.check(Prism)`: asking for one loads it.
_LAZY = ("contract", "plugin")

__all__ = [
    "Calibration",
    "Fault",
    "Job",
    "JobSpec",
    "LoadJob",
    "NetloomError",
    "Network",
    "Programs",
    "Routing",
    "Schedule",
    "Traffic",
    "application",
    "catalogue",
    "cut_bound",
    "describe",
    "hops",
    "link_loads",
    "loads",
    "map_ranks",
    "network",
    "place",
    "programs",
    "read_jobs",
    "read_trace",
    "read_traffic",
    "register",
    "simulate",
    "simulate_flows",
    "time_collective",
    "verify",
    "workload",
    "write_trace",
    "write_traffic",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name], __name__), name)
    elif name in _LAZY:
        return import_module(f".{name}", __name__)
    elif name.startswith("_") or name in _MODULES:
        raise AttributeError(f"module 'netloom' has no attribute {name!r}")
    else:
        value = import_module(".constructors", __name__).constructor(name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    constructors = import_module(".constructors", __name__)
    return sorted({*globals(), *__all__, *constructors.names()})
