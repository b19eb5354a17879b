"""Profiles of Nsight Systems: databases made by its schema, as programs."""

from __future__ import annotations

import re
import sqlite3
import struct
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import netloom
from netloom.base.errors import NetloomError
from netloom.workload.traces import read_record, recognised

from .nsys_files import MS, P2P, Made, thread

simulate = partial(netloom.simulate, calibration="pure")

PLAIN = 'star(4,bandwidth="8 Gbps",latency="0 s")'
COMM = 0xABCD


def step(made: Made, pid: int, compute: int) -> None:
    """Computation, then an allgather of 1 MB whose kernel ends at 4 ms."""
    made.kernel(pid, "gemm", 0, compute, 7, 2)
    made.collective(pid, "AllGather", COMM, 1_000_000, 100, compute, 4 * MS)


def simulated(trace: Path) -> float:
    with pytest.warns(UserWarning):
        found = netloom.simulate(
            PLAIN, calibration="pure", workload=str(trace), algorithms={"allgather": "allgather:ring"}
        )
    return float(found.time_s)


def test_kernels_with_their_ranges(tmp_path: Path) -> None:
    """Both processes of a node: 3 ms of the slower one, 1 ms for 1 MB each way."""
    made = Made(tmp_path / "node.sqlite")
    for rank, compute in ((0, 1 * MS), (1, 3 * MS)):
        made.init(500 + rank, COMM, rank, 2)
        step(made, 500 + rank, compute)
    path = made.done()
    assert recognised(path) == "nsys"
    found = read_record(path)
    assert found.survey["calls"] == {"allgather": (2, 2_000_000, pytest.approx(2e-3))}
    assert simulated(path) == pytest.approx(4e-3, rel=1e-3)


def test_databases_of_two_nodes(tmp_path: Path) -> None:
    """Each node has its file, whose session began 2 ms apart; either names both."""
    for rank in range(2):
        made = Made(tmp_path / f"n{rank}.sqlite", began_ns=10**18 + 2 * MS * rank)
        made.init(500, COMM, rank, 2)
        made.kernel(500, "gemm", 0, (3 - 2 * rank) * MS, 7, 2)
        made.collective(500, "AllGather", COMM, 1_000_000, 100, (3 - 2 * rank) * MS, (4 - 2 * rank) * MS)
        made.done()
    for trace in (tmp_path, tmp_path / "n1.sqlite"):
        assert simulated(trace) == pytest.approx(4e-3, rel=1e-3)


def test_grouped_messages(tmp_path: Path) -> None:
    """A send and a receive of one group share a kernel, launched after both ranges."""
    made = Made(tmp_path / "node.sqlite")
    for rank in range(2):
        pid = 500 + rank
        made.init(pid, COMM, rank, 2)
        for at, name in enumerate(("ncclSend", "ncclRecv")):
            body = struct.pack("<QQi", COMM, 1_000_000, 1 - rank)
            made.range(pid, name, 100 + 20 * at, 110 + 20 * at, P2P, body)
        made.kernel(pid, "ncclDevKernel_SendRecv", 1 * MS, 2 * MS, 20, 200)
        made.collective(pid, "Broadcast", COMM, 500, 300, 2 * MS, 3 * MS, 1)
    path = made.done()
    calls = {name: one[:2] for name, one in read_record(path).survey["calls"].items()}
    assert calls == {"send": (2, 2_000_000), "recv": (2, 2_000_000), "broadcast": (2, 1000)}
    # 1 ms each way at the same time, then the rest of the millisecond is gone: 0.5 µs of the broadcast.
    assert simulated(path) == pytest.approx(1e-3 + 0.5e-6, rel=1e-2)


def test_calls_of_mpi(tmp_path: Path) -> None:
    """Waits on two requests, a communicator of the last two ranks, time between the calls."""
    made = Made(tmp_path / "node.sqlite")

    def put(table: str, *row: object) -> None:
        made.to.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(row))})", row)

    for rank in range(3):
        tid = thread(600 + rank)
        put("MPI_RANKS", tid, rank)
        put("MPI_COMMUNICATORS", rank, 0, 91, None, rank, 3, 0, 1, None)
        to, source = (rank + 1) % 3, (rank + 2) % 3
        put("MPI_P2P_EVENTS", 0, 10, tid, made.text("MPI_Irecv"), 91, 5, source, 1_000_000, 11)
        put("MPI_P2P_EVENTS", 20, 30, tid, made.text("MPI_Isend"), 91, 5, to, 1_000_000, 12)
        for handle in (11, 12):
            put("MPI_START_WAIT_EVENTS", 40, 1 * MS, tid, made.text("MPI_Waitall"), handle)
        if rank > 0:
            put("MPI_COMMUNICATORS", rank, 0, 92, 91, 2 - rank, 2, 1, 7, None)
            row = (3 * MS, 4 * MS, tid, made.text("MPI_Bcast"), 92, 0, 4000, 0, None)
            put("MPI_COLLECTIVES_EVENTS", *row)
    path = made.done()
    found = read_record(path)
    assert found.survey["communicators"] == [3, 2]
    calls = {name: one[:2] for name, one in found.survey["calls"].items()}
    assert calls == {"irecv": (3, 3_000_000), "isend": (3, 3_000_000), "wait": (6, 0), "broadcast": (2, 8000)}
    # 1 MB each way: 1 ms; then 2 ms between the calls, and 4 µs of the broadcast.
    assert simulated(path) == pytest.approx(3e-3 + 4e-6, rel=1e-3)


def without_init(made: Made) -> None:
    made.init(500, COMM, 0, 4)
    step(made, 500, 1 * MS)


def no_ranges(made: Made) -> None:
    made.kernel(500, "ncclDevKernel_AllReduce", 0, 5, 20, 0)


def backwards(made: Made) -> None:
    made.init(500, COMM, 0, 1)
    made.kernel(500, "gemm", 10, 5, 7, 0)


def two_gpus(made: Made) -> None:
    made.init(500, COMM, 0, 2)
    made.init(500, COMM, 1, 2)


def no_rank(made: Made) -> None:
    made.to.execute("INSERT INTO MPI_P2P_EVENTS VALUES (0, 1, 5, ?, 1, 1, 1, 1, 1)", (made.text("MPI_Send"),))


def exchange(made: Made) -> None:
    made.to.execute("INSERT INTO MPI_RANKS VALUES (?, 0)", (thread(6),))
    row = (thread(6), made.text("MPI_Sendrecv"))
    made.to.execute("INSERT INTO MPI_P2P_EVENTS VALUES (0, 1, ?, ?, 1, 1, 1, 1, 1)", row)


def nobody(made: Made) -> None:
    made.init(500, COMM, 0, 1)


@pytest.mark.parametrize(
    ("fill", "says"),
    [
        (without_init, "NL-F010 .*more ranks than processes"),
        (no_ranges, "NL-F010 .*no range of NVTX"),
        (backwards, "NL-F009 .*CUPTI_ACTIVITY_KIND_KERNEL"),
        (two_gpus, "NL-F013 .*several GPUs"),
        (no_rank, "NL-F010 .*MPI_RANKS"),
        (exchange, "NL-F020 .*MPI_Sendrecv"),
        (nobody, "NL-F004 .*no calls"),
    ],
)
def test_what_is_refused(fill: Callable[[Made], None], says: str, tmp_path: Path) -> None:
    made = Made(tmp_path / "t.sqlite")
    fill(made)
    with pytest.raises(NetloomError) as caught:
        read_record(made.done())
    assert re.search(says, str(caught.value), re.DOTALL), str(caught.value)


def test_a_database_that_runs_nothing(tmp_path: Path) -> None:
    """A view in the place of a table, which would count for ever, is no table; a torn file is one line."""
    path = tmp_path / "t.sqlite"
    made = Made(path)
    made.init(500, COMM, 0, 1)
    made.to.execute("DROP TABLE StringIds")
    made.to.execute(
        "CREATE VIEW StringIds AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)"
        " SELECT id, 'x' AS value FROM n"
    )
    made.done()
    with pytest.raises(NetloomError, match=r"NL-F004"):
        read_record(path, format="nsys")
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(NetloomError, match=r"NL-F00[34]"):
        read_record(path, format="nsys")
    assert sqlite3.sqlite_version_info >= (3, 31)
