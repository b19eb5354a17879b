"""TraceR's lists of traces and their map files, and jobs that repeat and begin late."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest

import netloom
from netloom.jobs.formats import recognise

RING = "num_ranks 4\n" + "\n".join(
    f"rank {rank} {{\nr: recv 65536b from {(rank - 1) % 4}\ns: send 65536b to {(rank + 1) % 4}\n}}" for rank in range(4)
)
NETWORK = "torus(3,3)"


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("ring.goal").write_text(RING + "\n")
    return tmp_path


def packed(numbers: list[int]) -> bytes:
    return struct.pack(f"<{len(numbers)}i", *numbers)


def jobs(text: str, **given: object) -> list[netloom.jobs.PlacedJob]:
    Path("config").write_text(text)
    return netloom.read("config", "jobs", network=NETWORK, **given)  # type: ignore[call-overload, no-any-return]


def refused(text: str) -> str:
    with pytest.raises(netloom.NetloomError) as caught:
        jobs(text)
    return str(caught.value)


def test_without_maps_jobs_follow_each_other() -> None:
    first, second = jobs("NA\n2\nring.goal NA 4 1\nring.goal NA 4 3\n")
    assert [list(job.endpoint_of_rank()) for job in (first, second)] == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert (first.name, first.workload, first.repetitions) == ("0 ring.goal", "ring.goal", 1)
    assert (second.name, second.repetitions) == ("1 ring.goal", 3)
    first, second = jobs("NA\n2\nring.goal NA 4\nring.goal NA 4\n", cores=2)
    assert [list(job.endpoint_of_rank()) for job in (first, second)] == [[0, 0, 1, 1], [2, 2, 3, 3]]


@pytest.mark.parametrize("text", [False, True])
def test_a_map_says_who_runs_where(text: bool) -> None:
    """A drawn map of two jobs, as TraceR's utils write it and as text, with the maps of the jobs beside it."""
    draw = random.Random(4)
    places = draw.sample(range(9), 8)
    entries = [(place, rank % 4, rank // 4) for rank, place in enumerate(places)]
    draw.shuffle(entries)
    flat = [number for entry in entries for number in entry]
    Path("map").write_bytes("\n".join(map(str, flat)).encode() if text else packed(flat))
    Path("job0").write_bytes(packed(places[:4]))
    found = jobs("map\n2\nring.goal job0 4 1\nring.goal NA 4 1\n")
    assert [list(job.endpoint_of_rank()) for job in found] == [places[:4], places[4:]]
    asked = [
        netloom.Job("ring.goal", job.name, mapping=list(map(int, job.endpoint_of_rank())), repetitions=1)
        for job in found
    ]
    ends = [netloom.simulate(NETWORK, jobs=given, calibration="pure").record["time_s"] for given in ("config", asked)]
    assert ends[0] == ends[1] > 0


@pytest.mark.parametrize(
    ("text", "files", "words"),
    [
        ("NA\n2\nring.goal NA 4 1\n", {}, "config:2 must be the number of jobs, in 1..1"),
        ("NA\n1\nring.goal NA 0 1\n", {}, "config:3: ranks must be an integer in 1.."),
        ("NA\n1\nring.goal NA 4 0\n", {}, "config:3: iterations must be an integer in 1.."),
        ("NA\n1\nring.goal job0 4 1\n", {}, "there is no global map"),
        ("NA\n1\nring.goal NA 4 1\nM 0 8 16\n", {}, "config:4: replaces sizes of messages"),
        ("NA\n1\nring.goal NA 4 1\nring.goal NA 4 1\n", {}, "config:4: stands after the last of 1 jobs"),
        ("NA\n1\nbig NA 4 1\n", {"big/bgTrace0": b"1"}, "of BigSim"),
        ("map\n1\nring.goal NA 4 1\n", {}, "map"),
        ("map\n1\nring.goal NA 4 1\n", {"map": b"0 0 0 1"}, "three numbers for each global rank"),
        ("map\n1\nring.goal NA 4 1\n", {"map": packed([0, 0, 1])}, "entry 0: job must be a job in 0..0, got 1"),
        ("map\n1\nring.goal NA 4 1\n", {"map": packed([0, 4, 0])}, "entry 0: rank must be a rank of job 0, in 0..3"),
        ("map\n1\nring.goal NA 4 1\n", {"map": packed([0, 0, 0, 0, 1, 0])}, "entry 1: global rank"),
        ("map\n1\nring.goal NA 4 1\n", {"map": packed([0, 0, 0, 1, 0, 0])}, "that no other entry has"),
        ("map\n1\nring.goal NA 4 1\n", {"map": packed([0, 0, 0])}, "none for rank 1"),
        ("map\n1\nring.goal NA 4 1\n", {"map": packed([0, 0, 0]) + b"\1"}, "integers of four bytes each"),
        ("map\n1\nring.goal NA 4 1\n", {"map": b"99999999999999 0 0"}, "integers below 2^31"),
        (
            "map\n1\nring.goal job0 1 1\n",
            {"map": packed([3, 0, 0]), "job0": packed([4])},
            "the same places as the global map",
        ),
        ("map\n1\nring.goal NA 1 1\n", {"map": packed([9, 0, 0])}, "endpoints in 0..9"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, files: dict[str, bytes], words: str) -> None:
    for name, data in files.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(data)
    said = refused(text)
    assert words in said and len(said.splitlines()) <= 2, said


def test_other_lists_stay_what_they_are() -> None:
    for text in ("a n[0-3]\nb n[4-5]\n", "JOBID NAME\n7 a\n", "a\n1\n", "1\n2\n3 4\n"):
        assert recognise(text, "jobs").name != "tracer", text


def test_a_job_repeats_and_begins_late() -> None:
    """The same on the command line and in Python: three times from a millisecond on."""
    from netloom.cli.options import jobs_of

    rows = jobs_of(("a=4: ring.goal", "b=4*3@1 ms: ring.goal", "c @ 2us: ring.goal"), netloom.network(NETWORK))
    assert rows[1] == {"name": "b", "workload": "ring.goal", "nodes": 4, "repetitions": 3, "start": 0.001}
    assert rows[2] == {"name": "c", "workload": "ring.goal", "nodes": 1, "start": 2e-6}
    found = netloom.simulate(NETWORK, jobs=[netloom.Job(**row) for row in rows[:2]], calibration="pure")  # type: ignore[arg-type]
    alone = netloom.simulate(NETWORK, jobs=[netloom.Job(**rows[0])], calibration="pure")  # type: ignore[arg-type]
    assert found["time_s"] == pytest.approx(1e-3 + 3 * alone["time_s"], rel=1e-3)


@pytest.mark.parametrize("text", ["a*: ring.goal", "a*0: ring.goal", "a@: ring.goal", "a@-1 s: ring.goal", "a@x: x"])
def test_bad_repetitions_and_starts_are_refused(text: str) -> None:
    from netloom.cli.options import jobs_of

    with pytest.raises(netloom.NetloomError, match="--job"):
        jobs_of((text,), netloom.network(NETWORK))
