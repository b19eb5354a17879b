"""OTF2: traces written with its package, whose programs are stated action by action."""

from __future__ import annotations

import random
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import netloom
from netloom.workload import messages as messages_of
from netloom.workload.traces import read_record, recognised

otf2 = pytest.importorskip("otf2")

#: Ticks a second of the traces here.
TICKS = 1_000_000
Written = Callable[[list[Any], Any, Any], None]


class Trace:
    """A trace that is being written: ranks, communicators, calls of MPI of one tick each."""

    def __init__(self, archive: Any, ranks: int, threads: int = 0) -> None:
        self.archive, define = archive, archive.definitions
        enums = otf2.enums
        node = define.system_tree_node("node")
        kind, thread = enums.LocationGroupType.PROCESS, enums.LocationType.CPU_THREAD
        groups = [
            define.location_group(f"MPI Rank {rank}", system_tree_parent=node, location_group_type=kind)
            for rank in range(ranks)
        ]
        self.locations = [define.location("Master", group=group, type=thread) for group in groups]
        self.others = [define.location("Worker", group=groups[0], type=thread) for _ in range(threads)]
        self.of_mpi = (enums.Paradigm.MPI, enums.GroupFlag.NONE)
        if ranks:
            define.group("", enums.GroupType.COMM_LOCATIONS, *self.of_mpi, self.locations)
        self.world = self.communicator(range(ranks)) if ranks else None
        self.regions: dict[str, Any] = {}
        self.events = [archive.event_writer_from_location(location) for location in self.locations]
        self.now = [100] * ranks

    def communicator(self, members: Any) -> Any:
        group = otf2.enums.GroupType.COMM_GROUP
        own = self.archive.definitions.group("", group, *self.of_mpi, [self.locations[one] for one in members])
        return self.archive.definitions.comm("c", own)

    def alone(self) -> Any:
        group = self.archive.definitions.group("", otf2.enums.GroupType.COMM_SELF, *self.of_mpi, [])
        return self.archive.definitions.comm("self", group)

    def call(self, rank: int, name: str, *events: tuple[Any, ...], before: int = 0, paradigm: str = "MPI") -> None:
        """A call with its events, `before` ticks after the one before; it takes a tick for each event, and one."""
        kind = getattr(otf2.enums.Paradigm, paradigm)
        if name not in self.regions:
            self.regions[name] = self.archive.definitions.region(name, paradigm=kind)
        writer, self.now[rank] = self.events[rank], self.now[rank] + before
        writer.enter(self.now[rank], self.regions[name])
        for what, *arguments in events:
            self.now[rank] += 1
            getattr(writer, what)(self.now[rank], *arguments)
        self.now[rank] += 1
        writer.leave(self.now[rank], self.regions[name])

    def collective(
        self, rank: int, op: str, communicator: Any, root: int, sent: int, received: int, before: int = 0
    ) -> None:
        end = ("mpi_collective_end", getattr(otf2.enums.CollectiveOp, op), communicator, root, sent, received)
        self.call(rank, f"MPI_{op.title()}", ("mpi_collective_begin",), end, before=before)


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    def write(fill: Callable[[Trace], None], ranks: int = 2, threads: int = 0) -> Path:
        folder = tmp_path / "archive"
        with otf2.writer.open(str(folder), timer_resolution=TICKS) as archive:
            fill(Trace(archive, ranks, threads))
        return folder / "traces.otf2"

    yield write


def actions(path: Path) -> list[str]:
    """The programs as lines of SMPI."""
    programs = read_record(path).told()
    assert isinstance(programs, netloom._core.Programs)
    text = b"".join(data for _, data in programs.write("smpi-trace")[-programs.ranks :]).decode()
    return [line for line in text.splitlines() if line.split()[1] not in ("init", "finalize")]


def refused(path: Path) -> str:
    with pytest.raises(netloom.NetloomError) as fault:
        read_record(path).told()
    assert len(fault.value.faults) == 1
    return str(fault.value)


NONE = 0xFFFFFFFF


def two_messages(trace: Trace) -> None:
    """A blocking message, one with requests, and computation of 7 ticks between."""
    world = trace.world
    trace.call(0, "MPI_Init")
    trace.call(1, "MPI_Init")
    trace.call(0, "work", before=3, paradigm="USER")
    trace.call(0, "MPI_Send", ("mpi_send", 1, world, 3, 1000), before=3)
    trace.call(1, "MPI_Recv", ("mpi_recv", 0, world, 3, 1000))
    trace.call(0, "MPI_Isend", ("mpi_isend", 1, world, 4, 2000, 9))
    trace.call(1, "MPI_Irecv", ("mpi_irecv_request", 5), before=2)
    trace.call(0, "MPI_Wait", ("mpi_isend_complete", 9))
    trace.call(1, "MPI_Wait", ("mpi_irecv", 0, world, 4, 2000, 5))


def test_messages_and_the_time_between(written: Callable[..., Path]) -> None:
    path = written(two_messages)
    assert recognised(path) == "otf2"
    record = read_record(path)
    assert actions(path) == [
        "0 sleep 0.000007", "0 send 1 3 1000 6", "0 isend 1 4 2000 6", "0 wait 0 1 4",
        "1 recv 0 3 1000 6", "1 sleep 0.000002", "1 irecv 0 4 2000 6", "1 wait 0 1 4",
    ]  # fmt: skip
    calls = record.survey["calls"]
    assert calls["send"] == (1, 1000, 2e-6) and calls["irecv"] == (1, 2000, 2e-6)
    assert record.survey["span_s"] == pytest.approx(14e-6) and record.survey["notes"] == []
    assert record.survey["communicators"] == [2]


def test_simulated_as_its_messages_say(written: Callable[..., Path]) -> None:
    def fill(trace: Trace) -> None:
        for rank in range(2):
            trace.call(rank, "MPI_Barrier")
        trace.call(0, "MPI_Send", ("mpi_send", 1, trace.world, 3, 100_000), before=7)
        trace.call(1, "MPI_Recv", ("mpi_recv", 0, trace.world, 3, 100_000))

    found = netloom.simulate(network="complete(2)", workload=str(written(fill)), calibration="pure")
    latency_s, bytes_per_s = 3e-7, 12.5e9
    assert found.record["time_s"] == pytest.approx(7e-6 + latency_s + 100_000 / bytes_per_s, rel=1e-12)


def test_a_trace_that_score_p_wrote(tmp_path: Path) -> None:
    """Of TraceR's examples: 32 ranks that send 16 messages of 128 KiB each to their neighbours in four dimensions."""
    with zipfile.ZipFile(Path(__file__).parents[2] / "data" / "traces" / "stencil4d-32.otf2.zip") as packed:
        packed.extractall(tmp_path)
    sent: dict[tuple[int, int], list[int]] = {}
    events: dict[str, int] = {}
    with otf2.reader.open(str(tmp_path / "traces.otf2")) as trace:
        rank_of = {location.name + location.group.name: at for at, location in enumerate(trace.definitions.locations)}
        for location, event in trace.events:
            name = type(event).__name__
            events[name] = events.get(name, 0) + 1
            if name == "MpiSend":
                sent.setdefault((rank_of[location.name + location.group.name], event.receiver), []).append(
                    event.msg_length
                )
    assert events["MpiSend"] == events["MpiIrecv"] == 512 and events["MpiCollectiveEnd"] == 96
    record = read_record(tmp_path / "traces.otf2")
    calls = record.survey["calls"]
    assert (calls["send"].calls, calls["irecv"].calls, calls["barrier"].calls) == (512, 512, 96)
    assert calls["send"].bytes == sum(map(sum, sent.values())) == 512 * 131_072
    table = messages_of(record.told()).table()
    found = {
        (src, dst): size
        for src, dst, size in zip(*(table[name].tolist() for name in ("src", "dst", "bytes")), strict=True)
        if size
    }
    assert found == {pair: sum(sizes) for pair, sizes in sent.items()}
    answer = netloom.simulate(network="torus(2,2,2,4)", workload=str(tmp_path / "traces.otf2"), calibration="pure")
    assert 0 < answer.record["time_s"] < record.survey["span_s"]


def test_members_are_those_of_the_communicator(written: Callable[..., Path]) -> None:
    def fill(trace: Trace) -> None:
        odd = trace.communicator([3, 1])
        trace.call(3, "MPI_Send", ("mpi_send", 1, odd, 3, 8))
        trace.call(1, "MPI_Recv", ("mpi_recv", 0, odd, 3, 8))
        for rank in (1, 3):
            # Two ranks of 40 bytes each.
            trace.collective(rank, "BCAST", odd, 0, 80 if rank == 3 else 0, 40)
        own = trace.alone()
        for rank in range(4):
            trace.collective(rank, "BARRIER", own, NONE, 0, 0)
        trace.call(2, "MPI_Isend", ("mpi_isend", 0, own, 1, 5, 1))
        trace.call(2, "MPI_Recv", ("mpi_recv", 0, own, 1, 5))
        trace.call(2, "MPI_Wait", ("mpi_isend_complete", 1))

    path = written(fill, 4)
    record = read_record(path)
    assert record.survey["communicators"] == [4, 2]
    lines = actions(path)
    sent = [line for line in lines if line.startswith("3 ")]
    assert sent[0].startswith("3 send 1 ") and sent[0].endswith(" 8 6") and " 40 6" in sent[1]
    assert next(line.split()[1:3] for line in lines if line.startswith("2 ")) == ["isend", "2"]
    assert not [line for line in lines if line.startswith("0 ")]


@pytest.mark.parametrize(
    ("op", "sums", "size"),
    [
        ("ALLREDUCE", dict.fromkeys(range(4), (4 * 24, 4 * 24)), "allreduce 24"),
        ("ALLREDUCE", dict.fromkeys(range(4), (3 * 25, 3 * 25)), "allreduce 25"),
        ("ALLGATHER", dict.fromkeys(range(4), (4 * 24, 4 * 24)), "allgather 24"),
        ("ALLTOALL", dict.fromkeys(range(4), (4 * 24, 4 * 24)), "alltoall 24"),
        ("REDUCE", {rank: (24, 4 * 24 if rank == 2 else 0) for rank in range(4)}, "reduce 24"),
        ("REDUCE", {rank: (0, 3 * 24) if rank == 2 else (24, 0) for rank in range(4)}, "reduce 24"),
        ("GATHER", {rank: (24, 4 * 24 if rank == 2 else 0) for rank in range(4)}, "gather 24"),
        ("SCATTER", {rank: (4 * 24 if rank == 2 else 0, 24) for rank in range(4)}, "scatter 24"),
        ("BCAST", {rank: (4 * 24 if rank == 2 else 0, 24) for rank in range(4)}, "bcast 24"),
        ("SCAN", {rank: ((4 - rank) * 24, (rank + 1) * 24) for rank in range(4)}, "scan 24"),
        ("EXSCAN", {rank: ((3 - rank) * 24, rank * 24) for rank in range(4)}, "exscan 24"),
        ("ALLGATHERV", dict.fromkeys(range(4), (4 * 24, 4 * 24)), "allgather 24"),
        ("REDUCE_SCATTER", dict.fromkeys(range(4), (4 * 24, 4 * 24)), "reducescatter 24"),
        ("BARRIER", dict.fromkeys(range(4), (0, 0)), "barrier"),
    ],
)
def test_sizes_are_told_from_the_sums_of_score_p(
    written: Callable[..., Path], op: str, sums: dict[int, tuple[int, int]], size: str
) -> None:
    rooted = op in ("REDUCE", "GATHER", "SCATTER", "BCAST")

    def fill(trace: Trace) -> None:
        for rank, (sent, received) in sums.items():
            trace.collective(rank, op, trace.world, 2 if rooted else NONE, sent, received)

    lines = actions(written(fill, 4))
    assert len(lines) == 4 and all(line.startswith(f"{rank} {size}") for rank, line in enumerate(lines)), lines


def test_sums_of_each_member_are_spread(written: Callable[..., Path]) -> None:
    def fill(trace: Trace) -> None:
        for rank, (sent, received) in enumerate([(10, 4), (2, 8)]):
            trace.collective(rank, "ALLTOALLV", trace.world, NONE, sent, received)

    path = written(fill)
    table = messages_of(read_record(path).told()).table()
    assert dict(zip(table["src"].tolist(), table["bytes"].tolist(), strict=True)) == {0: 5, 1: 1}
    assert any("spread evenly: 2" in note for note in read_record(path).survey["notes"])


@pytest.mark.filterwarnings("ignore:.*fit calls in place:UserWarning")
def test_collectives_that_do_not_block(written: Callable[..., Path]) -> None:
    def fill(trace: Trace) -> None:
        allreduce = otf2.enums.CollectiveOp.ALLREDUCE
        done = ("non_blocking_collective_complete", allreduce, trace.world, NONE, 2 * 8, 2 * 8, 3)
        for rank in range(2):
            trace.call(rank, "MPI_Iallreduce", ("non_blocking_collective_request", 3))
            trace.call(rank, "MPI_Wait", done, before=100)

    path = written(fill)
    found = netloom.simulate(network="complete(2)", workload=str(path), calibration="pure")
    # It goes on while ranks compute for 100 ticks.
    assert found.record["time_s"] == pytest.approx(100e-6, abs=1e-9)
    assert read_record(path).survey["calls"]["allreduce"].calls == 2


def test_a_send_and_a_receive_of_one_call(written: Callable[..., Path]) -> None:
    def fill(trace: Trace) -> None:
        for rank in range(2):
            both = (
                ("mpi_send", 1 - rank, trace.world, rank, 60_000),
                ("mpi_recv", 1 - rank, trace.world, 1 - rank, 60_000),
            )
            trace.call(rank, "MPI_Sendrecv", *both)

    path = written(fill)
    assert read_record(path).survey["calls"] == {"sendrecv": (2, 120_000, pytest.approx(6e-6))}
    found = netloom.simulate(network="complete(2)", workload=str(path), calibration="pure")
    assert found.record["time_s"] > 0


def test_what_is_wrong_is_one_line(written: Callable[..., Path], tmp_path: Path) -> None:
    def backwards(trace: Trace) -> None:
        trace.call(0, "MPI_Send", ("mpi_send", 7, trace.world, 3, 1000))

    assert "NL-F009" in (said := refused(written(backwards))) and "rank 0, event 2" in said
    shutil.rmtree(tmp_path / "archive")
    assert "names no ranks of MPI" in refused(written(lambda trace: None, 0))
    shutil.rmtree(tmp_path / "archive")

    def thread(trace: Trace) -> None:
        two_messages(trace)
        trace.archive.event_writer_from_location(trace.others[0]).mpi_send(500, 1, trace.world, 3, 1)

    assert "no first thread of a rank" in refused(written(thread, 2, 1))
    shutil.rmtree(tmp_path / "archive")
    path = written(two_messages)
    (path.parent / "traces" / "1.evt").unlink()
    assert "NL-F010" in (said := refused(path)) and "rank 1 is missing: traces/1.evt" in said


def test_events_of_other_threads_are_counted(written: Callable[..., Path]) -> None:
    def thread(trace: Trace) -> None:
        two_messages(trace)
        writer = trace.archive.event_writer_from_location(trace.others[0])
        region = trace.archive.definitions.region("loop", paradigm=otf2.enums.Paradigm.OPENMP)
        writer.enter(200, region)
        writer.leave(201, region)

    assert read_record(written(thread, 2, 1)).survey["notes"] == ["events of other threads and devices: 2"]


def test_without_the_package_the_remedy_is_said(written: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(two_messages)
    monkeypatch.setitem(__import__("sys").modules, "otf2", None)
    assert "pip install 'netloom[traces]'" in refused(path)


@pytest.mark.parametrize(
    ("ends", "why"),
    [
        ("os.kill(os.getpid(), 11)", "ended by signal 11"),
        ("os.write(1, b'{\"groups\": [');os.kill(os.getpid(), 11)", "ended by signal 11"),
        ("os._exit(3)", "gave up"),
    ],
)
def test_a_library_that_dies_takes_nobody_with_it(
    written: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: str, why: str
) -> None:
    path = written(two_messages)
    (tmp_path / "otf2.py").write_text(f"import os\n{ends}\n")
    monkeypatch.syspath_prepend(tmp_path)
    said = refused(path)
    assert "NL-F003" in said and why in said


def test_events_come_in_more_than_one_line(written: Callable[..., Path]) -> None:
    def fill(trace: Trace) -> None:
        for at in range(3000):
            trace.call(0, "MPI_Send", ("mpi_send", 1, trace.world, at, 8))
            trace.call(1, "MPI_Recv", ("mpi_recv", 0, trace.world, at, 8))

    sent = [line for line in actions(written(fill)) if line.startswith("0 send")]
    assert sent == [f"0 send 1 {at} 8 6" for at in range(3000)]


@pytest.mark.parametrize("seed", range(60))
def test_changed_files_are_read_or_refused(written: Callable[..., Path], seed: int) -> None:
    draw, path = random.Random(seed), written(two_messages)
    file = draw.choice([path, path.with_suffix(".def")])
    data = bytearray(file.read_bytes())
    for _ in range(draw.choice([1, 3])):
        data[draw.randrange(64 if file == path else 0, len(data))] = draw.randrange(256)
    file.write_bytes(bytes(data[: draw.choice([len(data), draw.randrange(len(data))])]))
    try:
        read_record(path, format="otf2").told()
    except netloom.NetloomError as fault:
        assert len(str(fault)) < 2000
