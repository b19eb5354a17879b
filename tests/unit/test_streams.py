"""Traffic as a stream, through the binding."""

from __future__ import annotations

import numpy as np
import pytest

import netloom
from netloom import _core


def test_a_stream_says_what_the_list_holds() -> None:
    for text in ("stencil(4,4)", "spread(seed=3)", "many-to-many(2,4,2)", "uniform(messages=500,bytes=3)"):
        sends, table = _core.stream(text, 16), netloom.workload(text, 16).table()
        assert (sends.ranks, sends.label) == (16, netloom.workload(text, 16).label)
        for rank in range(16):
            rows = sends.from_rank(rank)
            assert sends.counts_from(rank) == (rows[:, 1].sum(), len(set(rows[:, 0])))
            mine = table["src"] == rank
            wanted = np.stack([table[key][mine] for key in ("dst", "messages", "bytes")], axis=1)
            assert rows.dtype == np.uint64 and rows.shape == (mine.sum(), 3)
            assert np.array_equal(rows[np.argsort(rows[:, 0])], wanted)


def test_schedules_and_lists_become_streams() -> None:
    schedule = _core.Schedule.build("allreduce:ring", 8, 0, 64)
    sends = _core.Sends.of_schedule(schedule)
    assert sends.from_rank(3).tolist() == [[4, 1, 8]] * 14
    merged = _core.Sends.of_traffic(_core.Traffic.of_schedule(schedule))
    assert merged.from_rank(3).tolist() == [[4, 14, 112]]


def test_the_full_machine_needs_no_list() -> None:
    # Jain 2016, table 3.3: 180 x 128 x 384 ranks, 127 messages of 100 KB each.
    sends = _core.stream('many-to-many(180,128,384,bytes="100 KiB")')
    rows = sends.from_rank(8_847_359)
    assert (sends.ranks, len(rows), int(rows[:, 2].sum())) == (8_847_360, 127, 127 * 102_400)
    assert set(np.diff(rows[:, 0])) == {384}
    with pytest.raises(netloom.NetloomError, match="NL-P002"):
        netloom.workload("many-to-many(180,128,384)", 8_847_360)


@pytest.mark.parametrize("rank", [-1, 16, 1 << 40])
def test_ranks_are_checked(rank: int) -> None:
    with pytest.raises(netloom.NetloomError, match="NL-A007 rank must be a rank in 0"):
        _core.stream("shift", 16).from_rank(rank)
    with pytest.raises(netloom.NetloomError, match="NL-"):
        _core.stream("shift", 16).counts_from(rank)
