"""Files of a record: what is read back, and what is refused in one line when it is cut, foreign or mixed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from netloom.base.errors import NetloomError
from netloom.mpi import read_record
from netloom.mpi.recorder import functions, generate, told
from netloom.workload.traces.netloom_record import layout

Run = Callable[..., tuple[int, str, str]]
NAMES = ["MPI_Send", "MPI_Init", "MPI_Allreduce"]


def written(folder: Path, rank: int, ranks: int, **header: object) -> Path:
    """The file of a rank that sent 3 messages of 100 bytes in all to the next one and fetched 8 bytes from it."""
    head = np.zeros(1, dtype=layout.HEADER)
    values: dict[str, object] = {
        "magic": layout.SUMS, "form": layout.FORM, "functions": len(NAMES), "bins": layout.BINS, "comms": layout.COMMS,
        "rows": layout.ROWS, "ending": layout.FINALIZED, "rank": rank, "size": ranks, "depth": 1, "begin_ticks": 0,
        "begin_ns": 0, "end_ticks": 2_000_000, "end_ns": 1_000_000, "comms_used": 1, "rows_used": 1, "host": b"n0",
        "library": b"MPICH Version:\t4.0.2",
    }  # fmt: skip
    for name, value in (values | header).items():
        head[name] = value
    totals, rows = np.zeros(len(NAMES), dtype=layout.TOTAL), np.zeros(layout.ROWS, dtype=layout.ROW)
    pairs = [np.zeros(count, dtype=layout.PAIR) for count in (ranks, ranks, layout.BINS, layout.BINS)]
    comms = np.zeros(layout.COMMS, dtype=layout.COMM)
    totals[0] = (3, 2000, 100, 1500)
    pairs[0][(rank + 1) % ranks] = (3, 100)
    pairs[1][(rank + 1) % ranks] = (1, 8)
    pairs[2][6] = (3, 100)
    comms[0] = (77, 0, len(NAMES), 0, 0, 0, ranks, rank, 3, 100, 1, 0)
    rows[5] = (2, 0, -1, 1, 10, 8, 4, 100, 320, 0)
    data = head.tobytes().ljust(layout.HEADER_BYTES, b"\0")
    path = folder / f"rank-{rank}.sums"
    path.write_bytes(data + b"".join(part.tobytes() for part in (totals, *pairs, comms, rows)))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "sent"
    made.mkdir()
    (made / layout.ABOUT).write_text(json.dumps({"form": layout.FORM, "functions": NAMES}))
    for rank in range(3):
        written(made, rank, 3)
    return made


def test_a_sound_record_is_read(folder: Path) -> None:
    record = read_record(folder)
    assert record.size == 3 and record.complete and record.why_incomplete() == []
    # Three messages to the next rank, and what the next but one fetched from here.
    assert list(record.pairs) == [
        (0, 1, 3, 100), (0, 2, 1, 8), (1, 0, 1, 8), (1, 2, 3, 100), (2, 0, 3, 100), (2, 1, 1, 8),
    ]  # fmt: skip
    assert record.calls()["MPI_Send"] == pytest.approx(
        {"calls": 9, "seconds": 3e-6, "least_s": 1e-6, "most_s": 1e-6, "longest_s": 7.5e-7, "bytes": 300}
    )
    (row,) = record.collectives()
    assert row["call"] == "MPI_Allreduce" and row["op"] == "sum" and (row["calls"], row["bytes"]) == (12, 960)
    assert record.sizes() == [{"least_bytes": 32, "messages": 9, "bytes": 300}]
    assert record.traffic().ranks == 3
    summary = told.summarised(record)
    assert summary["ranks"] == 3 and summary["bytes"] == 324 and summary["mpi"] == "MPICH 4.0.2"


def test_the_command_merges(folder: Path, netloom: Run) -> None:
    code, out, err = netloom("record", "--merge", str(folder))
    assert (code, out) == (0, "") and "12 messages" in err
    assert (folder / "matrix.csv").read_text().splitlines()[:2] == ["src,dst,messages,bytes", "0,1,3,100"]
    assert json.loads((folder / "summary.json").read_text())["complete"] is True
    page = (folder / "report.html").read_text()
    assert "Bytes from rank to rank" in page and "Time by call" in page


def cut(folder: Path) -> None:
    path = folder / "rank-1.sums"
    path.write_bytes(path.read_bytes()[:-8])


def short(folder: Path) -> None:
    (folder / "rank-1.sums").write_bytes(b"NLSUMS1\n")


def nothing(folder: Path) -> None:
    (folder / "rank-1.sums").write_bytes(b"")


def older(folder: Path) -> None:
    written(folder, 1, 3, form=0)


def foreign(folder: Path) -> None:
    written(folder, 1, 3, magic=b"NLSUMS9\n")


def other_about(folder: Path) -> None:
    (folder / layout.ABOUT).write_text(json.dumps({"form": 99, "functions": NAMES}))


def no_about(folder: Path) -> None:
    (folder / layout.ABOUT).write_text("[" * 100_000)


def another_run(folder: Path) -> None:
    written(folder, 1, 4)


def renamed(folder: Path) -> None:
    (folder / "rank-1.sums").rename(folder / "rank-7.sums")


def beyond(folder: Path) -> None:
    written(folder, 1, 3, size=0xFFFFFFFF)


def no_ranks(folder: Path) -> None:
    for path in folder.glob("*.sums"):
        path.unlink()


def a_link(folder: Path) -> None:
    (folder / "rank-1.sums").unlink()
    (folder / "rank-1.sums").symlink_to("/dev/zero")


WRONG = {
    cut: "NL-I005", short: "NL-I005", nothing: "NL-I005", older: "NL-I006", foreign: "NL-I006", other_about: "NL-I006",
    no_about: "NL-I005", another_run: "NL-I007", renamed: "NL-I007", beyond: "NL-I005", no_ranks: "NL-I008",
    a_link: "NL-I005",
}  # fmt: skip


@pytest.mark.parametrize("harm", WRONG, ids=lambda one: one.__name__)
def test_what_is_wrong_is_said_in_one_line(folder: Path, netloom: Run, harm: Callable[[Path], None]) -> None:
    harm(folder)
    code, out, err = netloom("record", "--merge", str(folder))
    assert (code, out) == (2, "") and err.startswith(f"error: {WRONG[harm]} {folder}"), err
    assert len(err.strip().splitlines()) <= 2 and not (folder / "matrix.csv").exists()


def test_a_rank_that_had_no_time_to_begin_is_missing(folder: Path) -> None:
    (folder / "rank-2.sums").write_bytes(bytes((folder / "rank-2.sums").stat().st_size))
    record = read_record(folder)
    assert record.missing == (2,) and not record.complete and record.why_incomplete() == ["rank 2 left no file"]


def test_events_that_are_cut_are_refused(tmp_path: Path) -> None:
    events = np.zeros(3, dtype=layout.EVENT)
    events["call"] = [1, 0, 2]
    head = layout.ORDER + (0).to_bytes(8, "little") + (3).to_bytes(8, "little") + bytes(40)
    path = tmp_path / "rank-0.order"
    path.write_bytes(head + events.tobytes())
    assert layout.read_events(path)["call"].tolist() == [1, 0, 2]
    path.write_bytes((head + events.tobytes())[:-1])
    with pytest.raises(NetloomError, match=r"NL-I005 .*3 events are announced"):
        layout.read_events(path)
    path.write_bytes(b"x" + (head + events.tobytes())[1:])
    with pytest.raises(NetloomError, match="NL-I005"):
        layout.read_events(path)


def test_layouts_have_the_sizes_of_the_c_side() -> None:
    """`record.h`: eight, four and eight bytes wide as there, without gaps."""
    sizes = {"TOTAL": 32, "PAIR": 16, "COMM": 72, "ROW": 64, "EVENT": 64}
    assert {name: np.dtype(getattr(layout, name)).itemsize for name in sizes} == sizes
    assert np.dtype(layout.HEADER).itemsize <= layout.HEADER_BYTES


def test_the_table_has_each_function_once() -> None:
    assert len(set(functions.NAMES)) == len(functions.NAMES) > 300
    made = generate.sources([one.name for one in functions.FUNCTIONS])
    assert made["hooked.c"].count("static int nl_hook_") + sum(one.kind == "own" for one in functions.FUNCTIONS) == len(
        functions.FUNCTIONS
    )
    assert 'alias("MPI_Send")' in made["stubs.c"]
    # What a library lacks gets no entry, so that a program which looks for it does not find it.
    fewer = generate.sources(["Send", "Init"])
    assert "MPI_Session_init" not in fewer["stubs.c"] and "#define NL_Session_init (-1)" in fewer["calls.h"]
