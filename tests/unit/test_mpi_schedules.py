"""What needs no MPI of running schedules: clocks from times, places of blocks, plans of ranks, names of types."""

from __future__ import annotations

import numpy as np
import pytest

from netloom import _core
from netloom.base.errors import NetloomError
from netloom.mpi.clock import Line, Offset, line, offset
from netloom.mpi.schedules.kinds import DATATYPES, OPERATIONS, chosen
from netloom.mpi.schedules.measure import Times
from netloom.mpi.schedules.places import RECEIVE, SEND, WORK, Job
from netloom.mpi.schedules.plan import plan


def test_an_offset_lies_between_its_bounds() -> None:
    """The other clock is 5 s ahead; messages take 1 to 3 ms one way."""
    rows = [
        (at, at + 5 + out, at + out + back) for at, out, back in ((0, 1e-3, 3e-3), (1, 2e-3, 1e-3), (2, 3e-3, 2e-3))
    ]
    found = offset(rows)
    # Not before the fastest answer's receipt, not after the fastest way out.
    assert found.ahead_s == pytest.approx((5 - 1e-3 + 5 + 1e-3) / 2) and found.error_s == pytest.approx(1e-3)


def test_a_line_has_the_drift_of_its_offsets() -> None:
    exact = [Offset(t, 3 + 2e-3 * t, 1e-6) for t in (0.0, 1.0, 2.0)]
    found = line(exact)
    assert (found.ahead_s, found.drift) == (pytest.approx(3), pytest.approx(2e-3)) and found.error_s < 2e-6
    one_off = [*exact, Offset(3.0, 3.106, 1e-6)]
    assert line(one_off).error_s > 0.02
    assert line([Offset(1.0, 4.0, 0.1)]) == Line(4.0, 0.0, 0.1)


def test_lines_join_and_turn_back() -> None:
    to_second, to_first = Line(2.0, 1e-3, 1e-6), Line(-7.0, -2e-3, 2e-6)
    joined = to_second.then(to_first)
    for time_s in (0.0, 10.0, 1e4):
        assert joined(time_s) == pytest.approx(to_first(to_second(time_s)), abs=1e-9)
        assert to_second.back(to_second(time_s)) == pytest.approx(time_s)
    assert joined.error_s == pytest.approx(3e-6)


def test_outliers_are_far_above_the_quartiles() -> None:
    assert Times([1.0, 1.1, 1.2, 1.3, 9.0], [1.0], 0).outliers() == [9.0]
    assert Times([1.0, 2.0, 3.0, 4.0], [1.0], 0).outliers() == []


def made(text: str, ranks: int, rank: int, count: int, **more: object) -> tuple[_core.Schedule, Job]:
    schedule = _core.Schedule.build(text, ranks, 0, 8 * count)
    return schedule, Job(schedule.collective, ranks, rank, 0, count, **more)  # type: ignore[arg-type]


def test_what_passes_through_a_rank_lies_in_its_own_memory() -> None:
    """Rank 4 of a binomial gather on 8 ranks sends what came from 5, 6 and 7 with its own."""
    schedule, job = made("gather:binomial", 8, 4, 3)
    found = plan(schedule, job)
    (last,) = found.steps[-1].sends
    assert {buffer for buffer, _, _ in last.pieces} == {SEND, WORK} and last.elements == 12
    assert found.layout.work == 9 and not found.layout.before


def test_an_alltoall_goes_from_buffer_to_buffer() -> None:
    found = plan(*made("alltoall:pairwise", 4, 1, 5))
    assert found.layout.work == 0 and found.messages == 3
    assert found.layout.before == [((RECEIVE, 5, 10), (SEND, 5, 10))]
    for step in found.steps:
        assert all(step.in_place(at) for at in range(len(step.receives)))
    kept = plan(*made("alltoall:pairwise", 4, 1, 5, in_place=True))
    # Blocks that leave are kept, since others arrive in their places.
    assert kept.layout.before == [((WORK, 0, 20), (RECEIVE, 0, 20))]
    assert all(buffer == WORK for step in kept.steps for one in step.sends for buffer, _, _ in one.pieces)


def test_blocks_are_cut_into_whole_elements() -> None:
    """10 elements in 4 blocks: 3, 3, 2, 2, whatever the bytes of one."""
    schedule = _core.Schedule.build("allreduce:ring", 4, 0, 80)
    plans = [plan(schedule, Job("allreduce", 4, rank, 0, 10)) for rank in range(4)]
    lengths = [one.elements for found in plans for step in found.steps for one in step.sends]
    # In each of six steps every block moves once.
    assert sum(lengths) == 6 * 10 and set(lengths) == {2, 3}
    assert all(one.combine for step in plans[0].steps[:3] for one in step.receives)


def test_the_order_of_ranks_is_kept_or_refused() -> None:
    found = plan(*made("allreduce:recursive-doubling", 4, 1, 2), ordered=True)
    assert [one.below for step in found.steps for one in step.joined or ()] == [True, False]
    with pytest.raises(NetloomError, match="NL-I051 allreduce:ring: combines ranks that are no neighbours"):
        plan(*made("allreduce:ring", 4, 1, 2), ordered=True)


def test_switches_send_no_messages_of_mpi() -> None:
    with pytest.raises(NetloomError, match="NL-E030"):
        plan(*made("broadcast:multicast", 4, 1, 2))


def test_maps_are_associative_and_not_commutative() -> None:
    rng = np.random.default_rng(1)
    a, b, c = (rng.integers(1, 1 << 15, 50) << 16 | rng.integers(0, 1 << 15, 50) for _ in range(3))
    then = OPERATIONS["maps"].combine

    def joined(left: np.ndarray, right: np.ndarray) -> np.ndarray:
        out = np.empty_like(left)
        then(left, right, out)
        return out

    assert np.array_equal(joined(joined(a, b), c), joined(a, joined(b, c)))
    assert not np.array_equal(joined(a, b), joined(b, a))


def test_names_of_types_and_operations() -> None:
    assert chosen("byte", None)[1].name == "bor" and chosen("float32", None)[1].name == "sum"
    assert [one.bytes for one in DATATYPES.values()] == [4, 8, 4, 8, 1]
    for datatype, operation, words in (
        ("float16", None, 'NL-I052 --datatype: there is no datatype "float16"'),
        ("byte", "sum", "NL-I052 --op must be an operation on byte, got sum"),
        ("int32", "summ", 'NL-I052 --op: there is no operation "summ"'),
        ("float64", "maps", "NL-I052 --op must be an operation on float64, got maps"),
    ):
        with pytest.raises(NetloomError) as caught:
            chosen(datatype, operation)
        assert str(caught.value).startswith(words)
