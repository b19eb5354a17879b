"""One policy of routing for all networks of a comparison, and what varies besides it: seeds, placements, failures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError
from ..network.spread import all_paths
from ..scenario import Calls, Question, Scenario, Workshop

if TYPE_CHECKING:
    from .. import _core

#: What is compared unless another policy is asked for: what fabrics of today run.
DEFAULT = "adaptive"
#: By name, what it does; in the order of the docs.
POLICIES = {
    "one-path": "one path per destination, as forwarding tables hold it",
    "hashed": "one path per pair of endpoints, chosen by a hash (ECMP)",
    "adaptive": "among the shortest paths by their load; dragonflies also over detours (UGAL)",
    "spray": "all shortest paths in equal shares: a bound of what choosing can give",
}
#: The networks' own default routings, which differ in kind.
OWN = "auto"
#: What the spread calls placements that are not those of the mean.
ELSEWHERE = "other placements"
#: Seeds of hashes, placements and failures.
SEEDS = (1, 2, 3)
_ONE_PATH = "single-minimal(tie=destination)"
_SEED = re.compile(r"(\bseed\s*=\s*)(\d+)")
#: Inputs that say where the ranks are.
_PLACES = ("placement", "order", "mapping", "seats")


def require_policy(name: str) -> str:
    """The name, if there is a policy of it; others are the routings of `netloom list routings`.

    Raises
    ------
    NetloomError
        `NL-A002`.
    """
    if name in POLICIES or name == OWN or name.partition("(")[0] in _routings():
        return name
    hint = f"{', '.join(POLICIES)}; {OWN} for each network's default routing; or a routing that all of them have"
    raise NetloomError([Fault("NL-A002", "scenario.routing", f'nothing is called "{name}"', "", hint)])


def _routings() -> set[str]:
    from .. import plugin

    return set(plugin.known("routings"))


def routing_of(net: _core.Network, policy: str) -> tuple[str, str]:
    """Routing and variant of a policy on a network, both as call texts; a routing stands for itself."""
    own = net.default_routing
    if policy == OWN:
        return own, "static-direct"
    if policy not in POLICIES:
        return policy, "static-direct"
    if policy == "one-path":
        return (own if net.routing(own).is_deterministic else _tables_of(net)), "static-direct"
    several = _several(net, own)
    if policy == "hashed":
        return several, "hashed"
    if policy == "spray":
        return several, "static-direct"
    return several, "adaptive-hybrid" if net.family == "dragonfly" else "adaptive-direct"


def _tables_of(net: _core.Network) -> str:
    return "dimension-ordered" if net.grid is not None and net.failed is None else _ONE_PATH


def _several(net: _core.Network, own: str) -> str:
    """All paths of the kind that the network's routing takes one of."""
    if own == _ONE_PATH and net.groups is not None:
        return "group-minimal"
    return all_paths(net) if net.routing(own).is_deterministic else own


def variants(variant: str, seeds: tuple[int, ...]) -> list[str]:
    """A variant, once for each seed that matters: a hash without a seed has those."""
    return [f"hashed(seed={seed})" for seed in seeds] if variant == "hashed" else [variant]


def in_part(net: _core.Network, inputs: Mapping[str, object]) -> bool:
    """Whether ranks leave seats of the network free, and nothing says which."""
    return "ranks" in inputs and not any(name in inputs for name in _PLACES) and not _fills(net, inputs)


def draws(inputs: Mapping[str, object], part: bool) -> list[dict[str, object]]:
    """What placements and failures are averaged over: changes of the inputs, one mapping for each seed.

    `part`: ranks do not fill one of the networks, so that on all of them they are placed at random. Random failures
    have more seeds.
    """
    fail = str(inputs.get("fail", ""))
    made: list[dict[str, object]] = []
    for at, seed in enumerate(SEEDS):
        change: dict[str, object] = {"placement": f"random(seed={seed})"} if part else {}
        if _SEED.search(fail):
            change["fail"] = _SEED.sub(lambda found, by=at: f"{found[1]}{int(found[2]) + by}", fail)  # type: ignore[misc]
        if change not in made:
            made.append(change)
    return made


def elsewhere(inputs: Mapping[str, object], part: bool) -> list[dict[str, object]]:
    """Other placements, for the spread alone: in order where the draws are random, at random where all are taken."""
    if any(name in inputs for name in _PLACES):
        return []
    if part:
        return [{"placement": "linear"}]
    return [{"placement": f"random(seed={seed})"} for seed in SEEDS]


def _fills(net: _core.Network, inputs: Mapping[str, object]) -> bool:
    """Whether the ranks take every seat of every endpoint in service."""
    given = {name: inputs[name] for name in ("machine", "cores", "node", "ranks") if name in inputs}
    asked, every = (_bound({"network": net, **given, **more}) for more in ({}, {"ranks": "all"}))
    return asked.ranks == every.ranks


def _bound(inputs: Mapping[str, object]) -> Question:
    return Question(Scenario.from_dict(inputs), Workshop(Calls(Path())), lambda done, total: None)
