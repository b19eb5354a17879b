"""DUMPI: a public trace next to a decoder of its own, files made by hand, and what is wrong with them."""

from __future__ import annotations

import itertools
import random
import shutil
import struct
from pathlib import Path

import pytest

import netloom
from netloom.workload.traces import read_record, recognised

DATA = Path(__file__).parents[2] / "data" / "traces"
MAGIC = b"\xff\xaa\xddDUMPI"
END = 293
#: Name and arguments of the functions of the public trace, by number: i of 4 bytes, h of 2, b of 1, s statuses.
FUNCTIONS = {
    8: ("Isend", "count:i datatype:h dest:i tag:i comm:h request:i"),
    1: ("Recv", "count:i datatype:h source:i tag:i comm:h status:s"),
    13: ("Wait", "request:i status:s"),
    52: ("Barrier", "comm:h"),
    65: ("Allreduce", "count:i datatype:h op:b comm:h"),
    81: ("Comm_size", "comm:h size:i"),
    82: ("Comm_rank", "comm:h rank:i"),
    124: ("Init", "argv:A"),
    125: ("Finalize", ""),
}
TYPES = {"count": "int", "datatype": "MPI_Datatype", "comm": "MPI_Comm", "request": "MPI_Request", "op": "MPI_Op"}


class Decoder:
    """Calls of a file, read as `docs/traceformat.dox` of sst-dumpi describes it; nothing of netloom's."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        assert data[:8] == MAGIC == data[-64:-56]
        self.sizes_at, _, _, _, self.at, self.footer, _ = struct.unpack(">7Q", data[-56:])

    def take(self, form: str) -> int:
        (found,) = struct.unpack_from(f">{form}", self.data, self.at)
        self.at += struct.calcsize(form)
        return int(found)

    def sizes(self) -> list[int]:
        (count,) = struct.unpack_from(">I", self.data, self.sizes_at)
        return list(struct.unpack_from(f">{count}I", self.data, self.sizes_at + 4))

    def counts(self) -> dict[str, int]:
        """Calls by function as the file itself sums them up."""
        counts = struct.unpack_from(">283I", self.data, self.footer + 8)
        return {name: counts[number] for number, (name, _) in FUNCTIONS.items()}

    def calls(self) -> list[tuple[str, dict[str, int], tuple[int, int]]]:
        """Name, arguments, and begin and end of wall time in nanoseconds."""
        self.take("i")
        bias_s, made = self.take("i"), []
        while (number := self.take("H")) != END:
            name, arguments = FUNCTIONS[number]
            mask, wall = self.take("B"), (0, 0)
            if mask & 0x40:
                self.take("H")
            for bit in (4, 8):
                if mask & bit:
                    times = [(self.take("H") + bias_s) * 10**9 + self.take("I") for _ in range(2)]
                    wall = (times[0], times[1])
            found = {}
            for argument in arguments.split():
                key, kind = argument.split(":")
                if kind == "s":
                    if mask & 3:
                        statuses = self.take("I")
                        self.at += 14 * statuses
                elif kind == "A":
                    for _ in range(self.take("I")):
                        length = self.take("I")
                        self.at += length
                else:
                    found[key] = self.take({"i": "i", "h": "H", "b": "B"}[kind])
            made.append((name, found, wall))
        return made

    def text(self) -> str:
        """As dumpi2ascii prints it."""
        lines = ["version=1.0.0"]
        for name, arguments, wall in self.calls():
            for word, ns in zip(("entering", "returning"), wall, strict=True):
                times = f"walltime {ns // 10**9}.{ns % 10**9:09}, cputime 0.0 seconds in thread 0."
                if word == "returning":
                    for key, value in arguments.items():
                        shown = f"[{value}]" if key == "request" else f"{value} (MPI_X)"
                        lines.append(f"{TYPES.get(key, 'int')} {key}={shown}")
                lines.append(f"MPI_{name} {word} at {times}")
        lines += [f"Datatype {number} (MPI_X) has size {size}" for number, size in enumerate(self.sizes())]
        return "\n".join(lines) + "\n"


def files(folder: Path = DATA) -> list[Path]:
    return sorted(folder.glob("testtrace-*.bin"))


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    for file in [*files(), DATA / "testtrace.meta"]:
        shutil.copy(file, tmp_path)
    return tmp_path


def refused(path: Path, format: str | None = None) -> str:
    with pytest.raises(netloom.NetloomError) as fault:
        read_record(path, format=format).told()
    assert len(fault.value.faults) == 1
    return str(fault.value)


@pytest.mark.parametrize("name", ["testtrace.meta", "testtrace-0000.bin", "testtrace-0002.bin"])
def test_a_public_trace_is_read_from_any_of_its_files(name: str) -> None:
    assert recognised(DATA / name) == "dumpi"
    record = read_record(DATA / name)
    assert record.workload.ranks == 4 and record.survey["communicators"] == [4]
    decoders = [Decoder(file.read_bytes()) for file in files()]
    names = {"isend": "Isend", "recv": "Recv", "wait": "Wait", "barrier": "Barrier", "allreduce": "Allreduce"}
    for own, theirs in names.items():
        assert record.survey["calls"][own].calls == sum(one.counts()[theirs] for one in decoders) > 0
    all_calls = [decoder.calls() for decoder in decoders]
    spent = sum(end - begin for calls in all_calls for name, _, (begin, end) in calls if name == "Allreduce")
    assert record.survey["calls"]["allreduce"].seconds == pytest.approx(spent / 1e9)
    assert record.survey["span_s"] == max(calls[-1][2][1] - calls[0][2][0] for calls in all_calls) / 1e9


def test_its_program_is_a_ring() -> None:
    programs = read_record(DATA / "testtrace.meta").told()
    assert isinstance(programs, netloom._core.Programs)
    text = b"".join(data for _, data in programs.write("smpi-trace")[-4:]).decode()
    for rank, file in enumerate(files()):
        own = [line.split()[1:] for line in text.splitlines() if line.split()[0] == str(rank)]
        kept = [words for words in own if words[0] not in ("init", "finalize", "sleep")]
        after, before = (rank + 1) % 4, (rank - 1) % 4
        assert kept == [
            ["barrier"], ["isend", str(after), "1337", "4", "6"], ["recv", str(before), "1337", "4", "6"],
            ["wait", str(rank), str(after), "1337"], ["allreduce", "4", "0", "6"],
        ]  # fmt: skip
        times = [wall for name, _, wall in Decoder(file.read_bytes()).calls() if name not in ("Comm_rank", "Comm_size")]
        gaps = [begin - end for (_, end), (begin, _) in itertools.pairwise(times)]
        slept = sum(float(words[1]) for words in own if words[0] == "sleep")
        assert slept == pytest.approx(sum(gaps) / 1e9)


def test_its_text_says_the_same(tmp_path: Path) -> None:
    for file in files():
        (tmp_path / f"{file.stem}.txt").write_text(Decoder(file.read_bytes()).text())
    first = tmp_path / "testtrace-0000.txt"
    assert recognised(first) == "dumpi-ascii"
    one, other = read_record(first), read_record(DATA / "testtrace.meta")
    assert isinstance(one.workload, netloom._core.Programs) and isinstance(other.workload, netloom._core.Programs)
    assert one.workload.write("goal")[0][1] == other.workload.write("goal")[0][1]
    assert one.survey == other.survey


def test_it_is_simulated() -> None:
    found = netloom.simulate(network="complete(4)", workload=str(DATA / "testtrace.meta"), calibration="pure")
    gaps = []
    for file in files():
        times = [wall for name, _, wall in Decoder(file.read_bytes()).calls() if name not in ("Comm_rank", "Comm_size")]
        gaps.append(sum(begin - end for (_, end), (begin, _) in itertools.pairwise(times)) / 1e9)
    # Computation, and five messages of which each takes 300 ns and its bytes: two of the allreduce, two of the barrier.
    wires = 5 * 3e-7
    assert max(gaps) < found.record["time_s"] < max(gaps) + 3 * wires


def test_calls_of_every_kind_as_the_recorder_writes_them() -> None:
    """A program on 4 ranks, whose calls are known: requests of every kind, and communicators from each other."""
    record = read_record(DATA / "mixed.meta")
    found = {name: (one.calls, one.bytes) for name, one in record.survey["calls"].items()}
    # A ring of 1000 B; a vector of 5 x 3 doubles twice, by requests that start twice; 10 B thrice.
    ring = 1000 + 2 * (2 * 15 * 8) + 3 * 10
    expected = {
        "isend": (4 * 6, 4 * ring), "irecv": (4 * 6, 4 * ring),
        # 800 B of two ranks, 9 B in a communicator of two, 4 B of each rank to no process.
        "send": (2 + 1 + 4, 2 * 800 + 9 + 4 * 4), "recv": (2 + 1, 2 * 1200 + 9), "sendrecv": (8, 4 * (128 + 160)),
        "broadcast": (4, 4 * 400), "allreduce": (4, 4 * 80), "allgather": (2, 2 * 48), "barrier": (4, 0),
        "reduce": (4, 4 * 80), "gather": (4, 4 * 48), "scatter": (4, 4 * 48), "alltoall": (4, 4 * 8),
        # Rank r has r + 1 integers, for each or of its own.
        "alltoallv": (4, 4 * 4 * (1 + 2 + 3 + 4)), "allgatherv": (4, 4 * 40), "gatherv": (4, 4 * (2 + 3 + 4)),
        "scatterv": (4, 4 * (1 + 2 + 3)), "reduce-scatterv": (4, 4 * 40), "scan": (4, 4 * 24), "exscan": (4, 4 * 24),
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected
    assert set(found) - set(expected) <= {"wait", "waitall"}
    # All; of a split, a grid and its rows, a group, and twice of a copy of the split.
    assert sorted(record.survey["communicators"]) == [2, 2, 2, 2, 2, 2, 2, 4, 4]
    (left,) = record.survey["notes"]
    assert "MPI_Cart_create 4" in left and "MPI_Comm_create 4" in left and "MPI_Comm_dup 4" in left
    with pytest.warns(UserWarning, match="not replayed"):
        found_s = netloom.simulate(
            network="complete(4)", workload=f'dumpi("{DATA / "mixed.meta"}")', calibration="pure"
        )
    # Each rank sleeps 2 ms in the middle.
    assert found_s.record["time_s"] > 2e-3


def test_what_is_wrong_with_files_is_one_line(copied: Path) -> None:
    meta = copied / "testtrace.meta"
    (copied / "testtrace-0002.bin").unlink()
    assert "the file of rank 2 of 4 is missing: *-0002" in refused(meta)
    assert "the file of rank 2 of 4 is missing: *-0002" in refused(copied / "testtrace-0003.bin")
    shutil.copy(DATA / "testtrace-0002.bin", copied)
    data = (copied / "testtrace-0001.bin").read_bytes()
    (copied / "testtrace-0001.bin").write_bytes(data[:1000])
    assert "testtrace-0001.bin: is cut" in refused(meta).replace(str(copied) + "/", "")


def test_clocks_that_run_backwards_and_ranks_that_disagree_are_refused(copied: Path) -> None:
    file = copied / "testtrace-0001.bin"
    data, decoder = bytearray(file.read_bytes()), Decoder(file.read_bytes())
    calls = decoder.calls()
    # The first barrier's time of return, in nanoseconds of its second.
    begin, end = next(wall for name, _, wall in calls if name == "Barrier")
    old = struct.pack(">I", end % 10**9)
    at = data.index(old)
    changed = data[:at] + struct.pack(">I", begin % 10**9 - 5) + data[at + 4 :]
    file.write_bytes(changed)
    assert "the clock ran backwards" in refused(copied / "testtrace.meta")
    at = bytes(data).index(struct.pack(">iHB", 1, 9, 3))
    file.write_bytes(data[:at] + struct.pack(">i", 2) + data[at + 4 :])
    assert "NL-F021" in refused(copied / "testtrace.meta")


@pytest.mark.parametrize("seed", range(300))
def test_changed_files_are_read_or_refused(copied: Path, seed: int) -> None:
    draw = random.Random(seed)
    file = copied / f"testtrace-000{draw.randrange(4)}.bin"
    data = bytearray(file.read_bytes())
    for _ in range(draw.choice([1, 1, 4])):
        data[draw.choice([draw.randrange(700), draw.randrange(len(data))])] = draw.randrange(256)
    file.write_bytes(data)
    try:
        read_record(copied / "testtrace.meta").told()
    except netloom.NetloomError as fault:
        assert len(str(fault)) < 4000
