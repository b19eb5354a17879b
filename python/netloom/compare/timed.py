"""A workload on a network: under the policy that is compared, and under the others, for the spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, cast

from ..base.errors import NetloomError
from ..evaluate import evaluate, evaluator
from ..evaluate.known_error import median_of
from ..network.tables import with_tables
from ..plugin import in_core
from ..scenario import Scenario
from ..scenario.effect import idle_variant
from ..scenario.parameters import input_of
from .policy import ELSEWHERE, POLICIES, SEEDS, draws, elsewhere, routing_of, variants
from .rows import Asked, Compared, Spread

if TYPE_CHECKING:
    from .. import _core

#: Inputs that are applied here, not by the evaluators.
_APPLIED = ("fail", "model", "format", "part", "routing", "variant")


def damaged(net: _core.Network, inputs: Mapping[str, object]) -> _core.Network:
    """The network without what failed."""
    said = inputs.get("fail", "none")
    lines = said.split(";") if isinstance(said, str) else [str(line) for line in cast("Sequence[object]", said)]
    kept = [line.strip() for line in lines if line.strip() not in ("", "none")]
    return net.without(kept) if kept else net


def timed(
    net: _core.Network, inputs: Mapping[str, object], policy: str, spread: bool, part: bool
) -> tuple[Asked, Compared]:
    """Times of the workload, and what the row of the network says of the policy; `part`: see `draws`."""
    ask = _Ask(net, inputs, part)
    routing, own = routing_of(ask.first, policy)
    variant = str(inputs.get("variant") or own)
    found = ask.spread(policy, routing, variant)
    asked: Asked = {
        "workload": str(inputs["workload"]),
        "max_link_s": ask.worst(routing, variant),
        "time_s": found["time_s"],
        "bytes": ask.moved(routing, variant),
    }
    why = idle_variant(with_tables(ask.first, [routing], Path()), in_core(routing), variant)
    asked["says"] = [*ask.chosen, *([f"Without effect: {why}."] if why else [])]
    about: dict[str, object] = {"policy": policy, "routing": routing, "variant": variant, "draws": ask.drawn()}
    if (asks := ask.scenario(0, routing, variant, "time")).machine is None:
        about["calibration"] = str(asks["calibration"])
    # The policy of routing is the comparison's, and no change of a machine.
    says = {} if asks.machine is None else asks.machine.inputs()
    changed = [name for name, value in inputs.items() if name not in ("routing", "variant") and value != says.get(name)]
    if (error := median_of(asks, changed)) is not None:
        about["error"] = error
    if spread:
        every, refused = [found, *ask.elsewhere(policy, routing, variant)], list[str]()
        for name in POLICIES:
            way = routing_of(ask.first, name)
            if way != (routing, variant):
                try:
                    every.append(ask.spread(name, *way))
                except NetloomError as error:
                    refused.append(f"{name}: {str(error).splitlines()[0]}")
        asked["policies"], asked["refused"] = every, refused
        asked["least_s"] = min(one["least_s"] for one in every)
        asked["most_s"] = max(one["most_s"] for one in every)
    return asked, cast("Compared", about)


class _Ask:
    """One workload on one network, over its draws."""

    def __init__(self, net: _core.Network, inputs: Mapping[str, object], part: bool) -> None:
        self.inputs = {name: value for name, value in inputs.items() if name not in _APPLIED}
        self.changes = draws(inputs, part)
        self.networks = [damaged(net, {**inputs, **change}) for change in self.changes]
        self.first = self.networks[0]
        # Draws of the spread alone come after those of the mean.
        self.others = [{**self.changes[0], **change} for change in elsewhere(inputs, part)]
        #: Seconds and bytes of each run.
        self.known: dict[tuple[int, str, str], tuple[float, float]] = {}
        #: What the library chose, a sentence each, in order.
        self.chosen: dict[str, None] = {}

    def drawn(self) -> list[str]:
        """What the draws change, if there are several."""
        several = self.changes if len(self.changes) > 1 else []
        return [", ".join(f"{name}={value}" for name, value in change.items()) for change in several]

    def each(self, variant: str) -> list[tuple[int, str]]:
        """Number of the draw and variant with its seed, for every run."""
        alone = len(self.changes) == 1
        return [
            (at, one) for at in range(len(self.changes)) for one in variants(variant, SEEDS if alone else (SEEDS[at],))
        ]

    def scenario(self, at: int, routing: str, variant: str, evaluator_name: str) -> Scenario:
        known = {axis.name for axis in evaluator(evaluator_name).axes}
        other = {axis.name for axis in evaluator("time").axes}
        said = {**self.inputs, **[*self.changes, *self.others][at]}
        # What time alone knows is no input of link loads; what neither knows is refused by name.
        said = {
            name: value
            for name, value in said.items()
            if name != "fail" and (input_of(name) in known or input_of(name) not in other)
        }
        made = {
            **said,
            "network": self.networks[at] if at < len(self.networks) else self.first,
            "routing": routing,
            "variant": variant,
        }
        return Scenario.from_dict(made)

    def ran(self, at: int, routing: str, variant: str) -> tuple[float, float]:
        """Seconds and bytes of a run."""
        key = (at, routing, variant)
        if key not in self.known:
            found = evaluate(self.scenario(*key, "time"), "time")
            self.known[key] = found["time_s"], found["total_bytes"]
            self.chosen |= dict.fromkeys(found.chosen)
        return self.known[key]

    def time_s(self, at: int, routing: str, variant: str) -> float:
        return self.ran(at, routing, variant)[0]

    def moved(self, routing: str, variant: str) -> float:
        """Bytes of all messages, mean over the draws."""
        found = [self.ran(at, routing, one)[1] for at, one in self.each(variant)]
        return fsum(found) / len(found)

    def spread(self, policy: str, routing: str, variant: str) -> Spread:
        """Mean and ends of the times under a policy."""
        return self.summed(policy, routing, variant, [self.time_s(at, routing, one) for at, one in self.each(variant)])

    def elsewhere(self, policy: str, routing: str, variant: str) -> list[Spread]:
        """The same policy with the ranks on other endpoints."""
        seeded = variants(variant, SEEDS)[0]
        times = [self.time_s(len(self.changes) + at, routing, seeded) for at in range(len(self.others))]
        return [self.summed(f"{policy}, {ELSEWHERE}", routing, variant, times)] if times else []

    def summed(self, policy: str, routing: str, variant: str, times: Sequence[float]) -> Spread:
        return {
            "policy": policy,
            "routing": routing,
            "variant": variant,
            "runs": len(times),
            "time_s": fsum(times) / len(times),
            "least_s": min(times),
            "most_s": max(times),
        }

    def worst(self, routing: str, variant: str) -> float | None:
        """Time of the worst link, mean over the draws; None for a hash, which link loads do not know."""
        if variant.startswith("hashed"):
            return None
        found = [
            evaluate(self.scenario(at, routing, one, "loads"), "loads", hottest=0)["max_s"]
            for at, one in self.each(variant)
        ]
        known = [float(value) for value in found if isinstance(value, (int, float))]
        return fsum(known) / len(known) if len(known) == len(found) else None
