"""Records of `netloom record`: every kind of call as what programs do, on records made by their layout."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import netloom
from netloom.base.errors import NetloomError
from netloom.workload import messages
from netloom.workload.traces import read_record, recognised
from netloom.workload.traces.netloom_record import layout

from .record_files import ODD, Rank, write

simulate = partial(netloom.simulate, calibration="pure")

PLAIN = 'star(4,bandwidth="8 Gbps",latency="0 s")'


def ranks(number: int = 4) -> list[Rank]:
    return [Rank(rank, number) for rank in range(number)]


def sent(folder: Path) -> dict[tuple[int, int], int]:
    """Bytes of each pair."""
    table = messages(read_record(folder).workload).table()
    found: dict[tuple[int, int], int] = {}
    for source, target, size in zip(*(table[name].tolist() for name in ("src", "dst", "bytes")), strict=True):
        found[source, target] = found.get((source, target), 0) + size
    return found


def test_messages_and_the_time_between(tmp_path: Path) -> None:
    """Rank 0 works 2 ms, then sends 1 MB to rank 1, which has a receive open since the start."""
    made = ranks(2)
    made[0].call("Init")
    made[0].call("Send", peer=1, tag=7, sent=1_000_000, gap=2_000_000)
    made[1].call("Init")
    made[1].call("Irecv", peer=0, tag=7, wanted=1_000_000, request=0x5000)
    made[1].wait(0x5000)
    folder = write(tmp_path / "r", made)
    assert recognised(folder) == "netloom-record" == recognised(folder / layout.ABOUT)
    for trace in (folder, folder / layout.ABOUT):
        assert simulate(PLAIN, workload=str(trace)).time_s == pytest.approx(3e-3, rel=1e-3)
    assert sent(folder) == {(0, 1): 1_000_000}
    survey = read_record(folder).survey
    assert {name: one.calls for name, one in survey["calls"].items()} == {"send": 1, "irecv": 1, "wait": 1}
    assert survey["span_s"] == pytest.approx(2.00002e-3)


def test_communicators_of_a_part(tmp_path: Path) -> None:
    """The odd ranks: a message by ranks of the world, a collective, one that goes on by itself."""
    made = ranks()
    made[1].call("Send", comm=ODD, peer=3, tag=1, sent=50)
    made[3].call("Recv", comm=ODD, peer=-2, tag=-2, wanted=64)
    for rank in (1, 3):
        made[rank].call("Iallgather", comm=ODD, wanted=1_000_000, sent=1_000_000, request=9)
        made[rank].wait(9, gap=500_000)
        made[rank].call("Allgather", comm=ODD, wanted=2_000_000, sent=2_000_000)
    folder = write(tmp_path / "r", made)
    survey = read_record(folder, {"allgather": "allgather:ring"}).survey
    assert survey["communicators"] == [4, 2] and survey["calls"]["allgather"][:2] == (4, 6_000_000)
    found = netloom.simulate(
        PLAIN, calibration="pure", workload=str(folder), algorithms={"allgather": "allgather:ring"}
    )
    # 1 ms, half of it next to the time between the calls, then 2 ms.
    assert found.time_s == pytest.approx(3e-3, rel=1e-2)


def test_an_exchange_and_persistent_requests(tmp_path: Path) -> None:
    made = ranks(2)
    for one in made:
        other = 1 - one.rank
        one.call("Sendrecv", peer=other, tag=3, sent=1_000_000)
        one.more(layout.PART, peer=other, tag=3, sent=0, wanted=1_000_000)
        # Made once without a request, started twice.
        one.call("Send_init")
        for _ in range(2):
            one.call("Recv_init", peer=other, tag=4, wanted=10, request=20, took=0)
            one.call("Send_init", peer=other, tag=4, sent=10, request=21, took=0)
            one.call("Wait")
            one.more(layout.REQUEST, request=20)
            one.more(layout.REQUEST, request=21)
        one.call("Bcast_init")
        one.call("Bcast_init", wanted=8, root=1, request=30, took=0)
        one.wait(30)
    folder = write(tmp_path / "r", made)
    assert sent(folder) == {(0, 1): 1_000_020, (1, 0): 1_000_028}
    assert simulate(PLAIN, workload=str(folder)).time_s == pytest.approx(1e-3, rel=1e-2)


def test_collectives_with_counts(tmp_path: Path) -> None:
    """What each rank receives is what the others say that they give."""
    table = np.array([[0, 10, 20], [30, 0, 40], [50, 60, 0]])
    made = ranks(3)
    for one in made:
        row = table[one.rank].tolist()
        one.call("Alltoallv", sent=sum(row), wanted=sum(row))
        one.parts(dict(enumerate(row)))
        one.call("Ialltoallv", sent=sum(row), wanted=sum(row), request=5)
        one.parts(dict(enumerate(row)))
        one.wait(5)
        one.call("Gatherv", sent=100 + one.rank, wanted=100 + one.rank, root=2)
        one.call("Allgatherv", sent=7 + one.rank, wanted=7 + one.rank)
        one.call("Scatterv", sent=33 if one.rank == 0 else 0, wanted=11 * one.rank, root=0)
        if one.rank == 0:
            one.parts({0: 0, 1: 11, 2: 22})
        one.call("Reduce_scatter", sent=90, wanted=90)
        one.parts({0: 30, 1: 30, 2: 30})
    folder = write(tmp_path / "r", made)
    survey = read_record(folder).survey
    assert survey["calls"]["alltoallv"][:2] == (6, 2 * int(table.sum()))
    found = sent(folder)
    whole = {pair: 2 * int(table[pair]) for pair in found}
    rest = {pair: found[pair] - whole[pair] for pair in found}
    # Gatherv to rank 2, allgatherv to all, scatterv from rank 0; the reduce-scatter is a collective of 30 B a rank.
    apart = {(0, 2): 100 + 7 + 22, (1, 2): 101 + 8, (0, 1): 7 + 11, (1, 0): 8, (2, 0): 9, (2, 1): 9}
    left = {pair: size - apart[pair] for pair, size in rest.items() if size > apart[pair]}
    assert left == sent(write(tmp_path / "s", [reduced(one) for one in ranks(3)]))
    assert simulate(PLAIN, workload=str(folder)).time_s > 0


def reduced(one: Rank) -> Rank:
    one.call("Reduce_scatter", sent=90, wanted=90)
    one.parts({0: 30, 1: 30, 2: 30})
    return one


def test_neighbours(tmp_path: Path) -> None:
    """Each rank of a ring sends to both sides; the left one gets more."""
    made = ranks()
    for one in made:
        one.call("Neighbor_alltoall", sent=300, wanted=100)
        one.parts({(one.rank + 3) % 4: 200, (one.rank + 1) % 4: 100})
    folder = write(tmp_path / "r", made)
    expected = {(rank, (rank + 3) % 4): 200 for rank in range(4)} | {(rank, (rank + 1) % 4): 100 for rank in range(4)}
    assert sent(folder) == expected
    assert simulate(PLAIN, workload=str(folder)).messages == 8


def one_sided(made: list[Rank]) -> None:
    made[1].call("Put", peer=0, sent=8)


def threads(made: list[Rank]) -> None:
    made[1].call("Send", peer=0, sent=8, thread=1)


def backwards(made: list[Rank]) -> None:
    made[1].call("Send", peer=0, sent=8, took=-50)


def unlike(made: list[Rank]) -> None:
    for one in made:
        one.call("Allreduce", wanted=8 + one.rank)


def alone(made: list[Rank]) -> None:
    made[0].call("Allreduce", wanted=8)


@pytest.mark.parametrize(
    ("act", "header", "says"),
    [
        (one_sided, {}, r"NL-F020 \S*rank-1.order, event 0: MPI_Put has no words"),
        (threads, {}, "NL-F020 .*several threads"),
        (backwards, {}, "NL-F009 .*clock ran backwards"),
        (unlike, {}, "NL-F021 "),
        (alone, {}, "NL-F021 .*enters 0 collectives, another rank 1"),
        (one_sided, {"lost": 3}, "NL-F010 .*not whole: 12 events were not written|NL-F010 .*events were not written"),
        (one_sided, {"ending": layout.ABORTED}, "NL-F010 .*MPI_Abort"),
    ],
)
def test_what_is_refused(act: Callable[[list[Rank]], None], header: dict[str, int], says: str, tmp_path: Path) -> None:
    made = ranks()
    act(made)
    folder = write(tmp_path / "r", made, **header)
    with pytest.raises(NetloomError) as caught:
        read_record(folder)
    assert re.search(says, str(caught.value), re.DOTALL), str(caught.value)


def test_a_missing_and_a_cut_file(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", ranks())
    order = folder / "rank-2.order"
    order.write_bytes(order.read_bytes()[:30])
    with pytest.raises(NetloomError, match=r"NL-I005 \S*rank-2.order: has no piece of events|NL-I005"):
        read_record(folder)
    (folder / "rank-2.sums").unlink()
    with pytest.raises(NetloomError, match=r"NL-F010 .*rank 2 left no file"):
        read_record(folder)


def test_sums_are_a_traffic(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", ranks(), depth=1)
    made = read_record(folder)
    assert isinstance(made.workload, netloom.Traffic) and made.workload.ranks == 4
    assert any("only sums were recorded" in note for note in made.survey["notes"])
