"""Logs of NCCL: calls as programs, and how the library laid the run out."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

import netloom
from netloom.base.errors import NetloomError
from netloom.library.choice import Communicator as At
from netloom.library.nccl import NCCL
from netloom.workload import messages
from netloom.workload.traces import Source, read_record, recognised
from netloom.workload.traces.nccl_log import facts

simulate = partial(netloom.simulate, calibration="pure")

PLAIN = 'star(4,bandwidth="8 Gbps",latency="0 s")'
ADDRESSES = ["0xaa00", "0xaa01", "0xaa02", "0xaa03"]
MARKS = ["n0:10:20 [0]", "n0:11:21 [1]", "n1:12:22 [0]", "n1:13:23 [1]"]


def line(rank: int, text: str) -> str:
    return f"{rank}: {MARKS[rank]} NCCL INFO {text}\n"


def init(rank: int, ranks: int = 4, comm: str = "", identity: str = " commId 0x77", own: int | None = None) -> str:
    number = rank if own is None else own
    head = f"ncclCommInitRankConfig comm {comm or ADDRESSES[rank]} rank {number} nranks {ranks} cudaDev 0"
    return line(rank, f"{head} nvmlDev 0 busId 1b000{identity} - Init COMPLETE")


def call(rank: int, name: str, count: int, kind: int = 7, root: int = 0, comm: str = "") -> str:
    tail = f"count {count} datatype {kind} op 0 root {root} comm {comm or ADDRESSES[rank]} [nranks=4] stream 0x5"
    return line(rank, f"{name}: opCount 1e sendbuff 0x1 recvbuff (nil) {tail}")


MADE = "".join(init(rank) for rank in range(4))


def read(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "nccl.log"
    path.write_text(text)
    return path


def test_calls_become_programs(tmp_path: Path) -> None:
    """A ring of four ranks moves three times 4 MiB through each endpoint."""
    text = MADE + "".join(call(rank, "AllGather", 1 << 20) for rank in range(4))
    path = read(tmp_path, text)
    assert recognised(path) == "nccl-log"
    made = read_record(path)
    assert made.workload.ranks == 4 and made.survey["calls"] == {"allgather": (4, 4 << 22, 0.0)}
    with pytest.warns(UserWarning, match="no times"):
        found = netloom.simulate(
            PLAIN, calibration="pure", workload=str(path), algorithms={"allgather": "allgather:ring"}
        )
    assert found.time_s == pytest.approx(3 * (1 << 22) / 1e9, rel=1e-3)


def test_sizes_and_messages(tmp_path: Path) -> None:
    """Counts of an independent reading: elements by width. Sends and receives next to each other are one group."""
    text = MADE
    for rank in range(4):
        text += call(rank, "AllGather", 10, 9) + call(rank, "ReduceScatter", 10, 8) + call(rank, "Broadcast", 3, 0, 2)
        text += call(rank, "Send", 5, 2, (rank + 1) % 4) + call(rank, "Recv", 5, 2, (rank + 3) % 4)
        text += call(rank, "AllReduce", 1, 11)
    made = read_record(read(tmp_path, text))
    own: dict[str, int] = {}
    widths = [1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1]
    for name, count, kind in re.findall(r"INFO (\w+): opCount .* count (\d+) datatype (\d+)", text):
        own[name] = own.get(name, 0) + int(count) * widths[int(kind)]
    names = {"AllGather": "allgather", "ReduceScatter": "reduce-scatter", "Broadcast": "broadcast"}
    names |= {"AllReduce": "allreduce", "Send": "isend", "Recv": "irecv"}
    assert {names[name]: size for name, size in own.items()} == {
        name: one.bytes for name, one in made.survey["calls"].items() if name != "waitall"
    }
    assert simulate(PLAIN, workload=made.workload).time_s > 0


def test_communicators_and_files(tmp_path: Path) -> None:
    """A file a process; ranks are those in the communicator of all, of which a second one has two, the last first."""
    pair = {3: 0, 1: 1}
    for rank in range(4):
        text = init(rank)
        text += init(rank, 2, "0xbb", " commId 0x88", pair[rank]) if rank in pair else ""
        text += call(rank, "AllReduce", 4, comm="0xbb") if rank in pair else ""
        text += call(rank, "Broadcast", 8, 0, 0, "0xbb") if rank in pair else ""
        (tmp_path / f"log.{rank}").write_text(text)
    for trace in (tmp_path, tmp_path / "log.2"):
        made = read_record(trace)
        assert sorted(made.survey["communicators"]) == [2, 4]
        sent = messages(made.workload).table()
        assert set(sent["src"].tolist()) <= {1, 3} and set(sent["dst"].tolist()) <= {1, 3}
        # Root 0 of the broadcast is rank 3.
        assert sum(sent["bytes"].tolist()) > 16


LAID = (
    line(0, "ncclCommInitRankConfig comm 0xaa00 rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 1 commId 0x77 - Init START")
    + line(0, "comm 0xaa00 rank 0 nRanks 4 nNodes 2 localRanks 2 localRank 0 MNNVL 0")
    + line(0, "Channel 00/02 :    0   1   2   3")
    + line(0, "Channel 01/02 :    0   3   2   1")
    + line(0, "Trees [0] 1/2/-1->0->-1 [1] 1/-1/-1->0->2")
    + line(0, "Channel 00/0 : 3[1] -> 0[0] [receive] via NET/IB/0/GDRDMA")
    + line(0, "Channel 00 : 0[0] -> 1[1] via P2P/CUMEM")
    + line(0, "2 coll channels, 0 collnet channels, 0 nvls channels, 4 p2p channels, 2 p2p channels per peer")
    + MADE
    + line(0, "AllReduce: 4096 Bytes -> Algo 0 proto 0 time 30.5")
    + line(0, "AllReduce: 4194304 Bytes -> Algo RING proto LL128 channel{Lo..Hi}={0..1}")
    + line(0, "AllReduce: 4194304 Bytes -> Algo RING proto LL128 channel{Lo..Hi}={0..1}")
)


def test_an_algorithm_that_looks_like_a_number(tmp_path: Path) -> None:
    """Python converts not all that it calls a digit."""
    found = facts(
        Source(read(tmp_path, LAID + line(0, "AllReduce: 4096 Bytes -> Algo \u00b2 proto \u00b2 time 1")), b"")
    )
    assert "\u00b2" in str(found)


def test_what_the_library_laid_out(tmp_path: Path) -> None:
    found = facts(Source(read(tmp_path, LAID), b""))
    (comm,) = found["communicators"]
    assert (comm["ranks"], comm["nodes"], comm["ranks_per_node"]) == (4, 2, 2)
    assert (comm["channels"], comm["message_channels"]) == (2, 4)
    assert comm["rings"] == [[0, 1, 2, 3], [0, 3, 2, 1]]
    assert comm["trees"][0] == {"0": {"children": [1, 2], "parent": -1}}
    assert comm["trees"][1] == {"0": {"children": [1], "parent": 2}}
    assert found["paths"] == {"NET/IB": 1, "P2P/CUMEM": 1}
    small, large = found["choices"]
    assert (small["bytes"], small["algorithm"], small["protocol"], small["channels"]) == (4096, "tree", "ll", None)
    assert (large["algorithm"], large["protocol"], large["channels"], large["calls"]) == ("ring", "ll128", 2, 2)
    # netloom's model of the library is asked with the same communicator.
    for row in (small, large):
        at = At(4, local=2, nics=2)
        ours = NCCL.choose("allreduce", row["bytes"], at)
        assert row["ours"] == {"algorithm": ours.own.split()[0], "protocol": ours.protocol}
        assert row["agree"] == (row["ours"] == {"algorithm": row["algorithm"], "protocol": row["protocol"]})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (MADE + call(1, "AllReduce", 4, comm="0xdead"), "NL-F007 .*nccl.log:5"),
        ("".join(init(rank) for rank in range(3)), "NL-F010 .*no line is there: 3"),
        (MADE + call(0, "AllReduce", 4), "NL-F021 .*enters"),
        (MADE + call(0, "Send", 4, root=1), "NL-F010 .*sends that nobody receives"),
        (MADE + call(0, "Send", 4, root=9), "NL-F009 .*below 4"),
        (MADE + call(0, "AllReduce", 4, 77), "NL-F020 .*datatype 77"),
        (MADE, "NL-F004 .*no calls"),
        (MADE + init(1, comm="0xcc", own=0), "NL-F006 .*another GPU"),
        ("n0:1:1 [0] NCCL INFO Bootstrap : Using eth0\n", "NL-F004 .*no communicator"),
    ],
)
def test_what_is_refused(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(NetloomError) as caught:
        read_record(read(tmp_path, text))
    assert re.search(says, str(caught.value), re.DOTALL), str(caught.value)
