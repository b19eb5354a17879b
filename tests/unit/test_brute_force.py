"""An independent witness: the definition in plain Python agrees with the engine on random cases, all terms together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import count, islice

import numpy as np
import pytest

import netloom
from netloom import _core

from .brute_cases import Case, draw_case

#: 300 cases, in parts that can run side by side.
PARTS, CASES = 6, 50
#: Enough cases in which no two messages meet on a link, so that packets take the time of flows.
LONELY = 60
#: What the packet rung has not.
NOT_OF_PACKETS = {"duplex", "tcp_window_bytes"}
#: Settings of another sharing than `equal`, and switches that combine (`test_in_network.py`).
NOT_DRAWN = {"weight_s_bytes", "cross_traffic", "combining_switches"}
#: The packet rung moves packets in picoseconds.
PICOSECOND, PACKET_BYTES = 1e-12, 4096


def drawn(seed: int) -> Iterator[Case]:
    return (draw_case(np.random.default_rng([seed, at])) for at in count())


@cache
def cases(part: int) -> list[Case]:
    return list(islice(filter(Case.is_decided, drawn(part)), CASES))


def is_lonely(case: Case) -> bool:
    """Do packets take the time of flows?"""
    return not (NOT_OF_PACKETS & set(case.site.settings) or case.witness(whole_bytes=True)[1].met)


@pytest.mark.parametrize("part", range(PARTS))
def test_the_definition_ends_every_rank_at_the_same_time(part: int) -> None:
    for at, case in enumerate(cases(part)):
        ends, _ = case.witness()
        found = netloom.simulate(**case.inputs).finish_s
        np.testing.assert_allclose(found, ends, rtol=1e-9, atol=1e-18, err_msg=f"case {at}: {case.inputs}")


def test_packets_of_messages_that_do_not_meet() -> None:
    """Packets hold whole bytes, and each is rounded to a picosecond on every link."""
    # Few are lonely, and ten simulations say whether one is decided: that is asked last.
    lonely = filter(Case.is_decided, filter(is_lonely, drawn(PARTS)))
    for at, case in enumerate(islice(lonely, LONELY)):
        ends, run = case.witness(whole_bytes=True)
        rounding = PICOSECOND * (run.bytes / PACKET_BYTES + 10 * run.messages)
        found = netloom.simulate(**case.inputs, switch="output-queued").finish_s
        np.testing.assert_allclose(found, ends, rtol=1e-9, atol=rounding, err_msg=f"case {at}: {case.inputs}")


def test_every_setting_is_drawn_often() -> None:
    """A setting that is new in the engine, or rare in the cases, has no witness."""
    drawn = Counter(name for part in range(PARTS) for case in cases(part) for name in case.site.settings)
    assert sorted(drawn) == sorted({row["name"] for row in _core.machine_params()} - NOT_DRAWN)
    assert min(drawn.values()) >= 30, drawn
