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

# ruff: noqa: E402
# First of all, even of `__future__`: a Ctrl-C while the rest is loaded ends the program as any other does.
from .base import interrupt

interrupt.early()

import sys
from collections.abc import Iterable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .base.own_rows import OWN_CLASSES, OWN_PROGRAMS, OWN_ROWS

if TYPE_CHECKING:
    from pathlib import Path

    from . import contract as contract
    from . import plugin as plugin
    from ._core import Network, Programs, Routing, Schedule, Sends, Traffic
    from .base.errors import Fault, NetloomError
    from .base.memory import limit_memory
    from .base.progress import TimeLeft
    from .base.records import Row
    from .base.registries import catalogue
    from .calibration import Calibration
    from .design import design
    from .evaluate import Answer, evaluate
    from .evaluate.ask import hops, loads, map_ranks, place, simulate, verify
    from .evaluate.mapping import Mapping
    from .evaluate.time.flow_sets import simulate_flows
    from .formats import read, write
    from .jobs import Job, PlacedJob
    from .mapping.core_choice import choose_cores
    from .mapping.enumeration import enumerate_orders
    from .network import describe, network
    from .network._topologies import *  # noqa: F403 (generated: one function per registered topology)
    from .plugin import register
    from .scenario import Scenario
    from .tuning import cut_bound, time_collective
    from .whatif import whatif
    from .workload import application, programs, steps, workload

__version__ = "0.2.0"

_HOMES = {
    **dict.fromkeys(("Network", "Programs", "Routing", "Schedule", "Sends", "Traffic"), "._core"),
    **dict.fromkeys(("Fault", "NetloomError"), ".base.errors"),
    "limit_memory": ".base.memory",
    "TimeLeft": ".base.progress",
    **dict.fromkeys(("Answer", "evaluate"), ".evaluate"),
    **dict.fromkeys(("hops", "loads", "map_ranks", "place", "simulate", "verify"), ".evaluate.ask"),
    **dict.fromkeys(("read", "write"), ".formats"),
    **dict.fromkeys(("Job", "PlacedJob"), ".jobs"),
    **dict.fromkeys(("describe", "network"), ".network"),
    "Mapping": ".evaluate.mapping",
    "choose_cores": ".mapping.core_choice",
    "enumerate_orders": ".mapping.enumeration",
    **dict.fromkeys(("application", "programs", "steps", "workload"), ".workload"),
    **dict.fromkeys(("cut_bound", "time_collective"), ".tuning"),
    "Calibration": ".calibration",
    "Scenario": ".scenario",
    "catalogue": ".base.registries",
    "register": ".plugin",
    "simulate_flows": ".evaluate.time.flow_sets",
    "design": ".design",
    "whatif": ".whatif",
}

#: Registries with rows of the package itself: the modules whose `rows` give them.
_ROWS = {
    "formats": ".jobs.formats .workload.traces.reading .network.kubernetes",
    "evaluators": ".evaluate",
    "rungs": ".evaluate.rungs",
    "machines": ".machine.presets",
    "libraries": ".library.registry",
    "calibrations": ".machine.calibration",
}


def _rows_of(*homes: str) -> "Iterable[Row]":
    return [row for home in homes for row in import_module(home, __name__).rows()]


OWN_ROWS.update({kind: partial(_rows_of, *homes.split()) for kind, homes in _ROWS.items()})

#: Optimisers and placements that stand on rooms above the plug-ins: kind, name, module, class.
_CLASSES = (
    ("optimisers", "best", ".evaluate.best", "Best"),
    ("optimisers", "learned", ".evaluate.learned.optimiser", "Learned"),
    ("optimisers", "greedy", ".mapping.greedy", "Greedy"),
    ("optimisers", "partition", ".mapping.partition", "Partition"),
    ("placements", "hosts", ".jobs.hosts", "Hosts"),
)


def _class_of(home: str, name: str) -> type:
    made: type = getattr(import_module(home, __name__), name)
    return made


for _kind, _name, _home, _class in _CLASSES:
    OWN_CLASSES.setdefault(_kind, {})[_name] = partial(_class_of, _home, _class)


def _programs_of(home: str, text: str, ranks: int, folder: "Path") -> "Programs":
    made: Programs = import_module(home, __name__).programs_of(text, ranks, folder)
    return made


#: Programs that stand on rooms above the workloads: name and module.
OWN_PROGRAMS["step"] = partial(_programs_of, ".training.call")

# Modules that people write out, such as `netloom.contract.check(Prism)`: asking for one loads it.
_LAZY = ("contract", "plugin")

__all__ = [
    "Answer",
    "Calibration",
    "Fault",
    "Job",
    "Mapping",
    "NetloomError",
    "Network",
    "PlacedJob",
    "Programs",
    "Routing",
    "Scenario",
    "Schedule",
    "Sends",
    "TimeLeft",
    "Traffic",
    "application",
    "catalogue",
    "choose_cores",
    "cut_bound",
    "describe",
    "design",
    "enumerate_orders",
    "evaluate",
    "hops",
    "limit_memory",
    "loads",
    "map_ranks",
    "network",
    "place",
    "programs",
    "read",
    "register",
    "simulate",
    "simulate_flows",
    "steps",
    "time_collective",
    "verify",
    "whatif",
    "workload",
    "write",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name], __name__), name)
    elif name in _LAZY:
        return import_module(f".{name}", __name__)
    elif name.startswith("_") or find_spec(f".{name}", __name__) is not None:
        # A submodule is no attribute before it is imported: asking for one must not load the core.
        raise AttributeError(f"module 'netloom' has no attribute {name!r}")
    else:
        value = import_module(".network.constructors", __name__).constructor(name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    constructors = import_module(".network.constructors", __name__)
    return sorted({*globals(), *__all__, *constructors.names()})


class _Package(ModuleType):
    """`netloom.network` is the function that people call; importing the folder of that name does not hide it."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
