"""Your own classes next to the built-in ones: subclass, `register`, use by name like any other.

    >>> import netloom
    >>> from netloom import plugin
    >>> class Prism(plugin.Topology):
    ...     "Two rings of n switches, spoke by spoke connected."
    ...     name = "prism"
    ...     example = "prism(5)"
    ...     def build(self, n):
    ...         rings = [(r * n + i, r * n + (i + 1) % n) for r in (0, 1) for i in range(n)]
    ...         return plugin.NetworkSpec(switches=2 * n, edges=rings + [(i, n + i) for i in range(n)])
    >>> _ = plugin.register(Prism)
    >>> netloom.describe("prism(5)")["diameter"]
    3

`netloom.contract.check(Prism)` runs the checks that the registered topologies pass. On the command line, `--plugin
file.py` loads the file's classes; a study names its files under `plugins`, and they run only if the user allows it:
`--allow-plugins`, `--plugin`, or `plugin.trust(folder)`.
"""

from __future__ import annotations

from .classes import (
    KINDS,
    Collective,
    Evaluator,
    NetworkSpec,
    Optimiser,
    Order,
    Pattern,
    Placement,
    Plugin,
    Problem,
    Routing,
    Topology,
    Transfer,
)
from .codes import CODES
from .consent import trust
from .registry import find, fingerprint, is_known, known, load, names, register, rows, suggesting
from .routing import in_core, routed
from .rung import Rung
from .use import build_network, build_schedule, decide, optimise, order, place, takes_available

__all__ = [
    "CODES",
    "KINDS",
    "Collective",
    "Evaluator",
    "NetworkSpec",
    "Optimiser",
    "Order",
    "Pattern",
    "Placement",
    "Plugin",
    "Problem",
    "Routing",
    "Rung",
    "Topology",
    "Transfer",
    "build_network",
    "build_schedule",
    "decide",
    "find",
    "fingerprint",
    "in_core",
    "is_known",
    "known",
    "load",
    "names",
    "optimise",
    "order",
    "place",
    "register",
    "routed",
    "rows",
    "suggesting",
    "takes_available",
    "trust",
]
