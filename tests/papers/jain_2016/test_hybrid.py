"""Section 3.2.2 of Jain 2016: link loads under adaptive-hybrid are those of the text, and what sets packets apart."""

from __future__ import annotations

import numpy as np
import pytest

import netloom

from .hybrid_model import Ints, Paths, Rules, Solved, solve

MACHINE = "dragonfly(group=[3,2],p=1,h=2,g=8{})"
GRID = (4, 4, 3)
SIZE = 1 << 20


@pytest.fixture(scope="module")
def paths() -> Paths:
    return Paths.of(netloom.network(MACHINE.format("")))


def pairs() -> tuple[Ints, Ints]:
    """The stencil's messages, ranks in the order of the switches."""
    ranks = np.arange(int(np.prod(GRID))).reshape(GRID)
    steps = [(axis, step) for axis in range(len(GRID)) for step in (1, -1)]
    src = np.concatenate([ranks.ravel() for _ in steps])
    return src, np.concatenate([np.roll(ranks, -step, axis).ravel() for axis, step in steps])


def reference(paths: Paths, rules: Rules) -> Solved:
    src, dst = pairs()
    return solve(paths, src, dst, np.full(len(src), float(SIZE)), rules)


def mean_of(evaluator: str, variant: str, endpoints: str = "") -> float:
    """Mean bytes on a link between switches."""
    asked = {
        "network": MACHINE.format(endpoints),
        "routing": "group-minimal",
        "workload": f"stencil(4,4,3,bytes={SIZE})",
        "variant": variant,
    }
    more = {"calibration": "pure"} if evaluator == "packet" else {}
    return float(netloom.evaluate(asked | more, evaluator)["mean_bytes"])


def test_adaptive_hybrid_is_the_text(paths: Paths) -> None:
    """The mean load is that of a reference that goes message by message with other draws, within 2 %."""
    for call, rules in (
        ("adaptive-hybrid", Rules()),
        ("adaptive-hybrid(fresh_paths=8,direct_paths=1)", Rules(candidates=8, direct=1)),
        ("adaptive-indirect", Rules(direct=0)),
    ):
        assert mean_of("loads", call) == pytest.approx(reference(paths, rules).link_bytes.mean(), rel=0.02), call


def test_nics_and_the_least_contended_candidate_set_packets_apart(paths: Paths) -> None:
    """With both, and not with one of them, the model has the mean load of packets that see whole paths, within 5 %."""
    for nic, rate in ((1.0, "12.5 GB/s"), (0.5, "6.25 GB/s")):
        packets = mean_of("packet", "adaptive-global", f',endpoint_bandwidth="{rate}"')
        both, nics, least = (
            reference(paths, rules).link_bytes.mean()
            for rules in (Rules(nic=nic, least=True), Rules(nic=nic), Rules(least=True))
        )
        assert both == pytest.approx(packets, rel=0.05)
        assert min(nics, least) > 1.05 * packets
