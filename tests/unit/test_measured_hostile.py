"""Bad logs: each gives one clear line with its code and place, and never anything but a NetloomError."""

from __future__ import annotations

import random
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netloom import measured
from netloom.base.errors import Fault, NetloomError
from netloom.measured import log

DATA = Path(__file__).parents[1] / "data" / "measured"
ON = {"nodes": 4, "ranks_per_node": 2}
GOOD = {path.name: path.read_bytes() for path in sorted(DATA.iterdir()) if path.suffix != ".md"}
OSU = GOOD["osu_allreduce.txt"].decode()
NCCL = GOOD["nccl.txt"].decode().partition("# Collective test starting: alltoall")[0]
IMB = GOOD["imb.txt"].decode()
JSON = GOOD["nccl.json"].decode()
OWN = "collective,algorithm,library,nodes,ranks_per_node,bytes,time_s\nallreduce,ring,x,8,2,1024,2.1e-05\n"
PICO = GOOD["pico.csv"].decode()


def faults(text: str | bytes, **said: object) -> tuple[Fault, ...]:
    with pytest.raises(NetloomError) as caught:
        measured.read_bytes("log", text.encode() if isinstance(text, str) else text, **said)  # type: ignore[arg-type]
    return caught.value.faults


def own(row: str) -> str:
    return OWN + row + "\n"


#: Text, options, code, place, words of the line.
REFUSED = [
    # No measurements at all.
    ("", {}, "NL-B001", "log", "holds no measurements"),
    ("hello\nworld\n", {}, "NL-B001", "log", "holds no measurements"),
    (b"\x7fELF\x00\x01", {}, "NL-B001", "log", "binary"),
    (OSU.encode("utf-16"), ON, "NL-B001", "log", "UTF-16"),
    # Cut in the middle.
    (OSU[: OSU.rindex(" 706.02")], ON, "NL-B003", "log:8", "ends within a row of 5"),
    (NCCL[: NCCL.index("# Out of bounds")], {}, "NL-B003", "log:12", "Avg bus bandwidth"),
    (NCCL[: NCCL.index("   17144")], {}, "NL-B003", "log:12", "Avg bus bandwidth"),
    (IMB[: IMB.index("12.20        12.11")], ON, "NL-B003", "log:30", "ends within a row"),
    (PICO[:-40], {}, "NL-B003", "log:13", "ends within a row of 17"),
    (OWN[:-14], {}, "NL-B003", "log:2", "ends within a row of 7"),
    (JSON[:400], {}, "NL-B001", "log", "holds no measurements"),
    (JSON[:900], {}, "NL-B003", "log:15", "within its JSON"),
    # Damaged in the middle.
    (JSON.replace('"args":', '"args"'), {}, "NL-B002", "log:3", "no JSON"),
    (JSON.replace("11340.2", "NaN"), {}, "NL-B002", "log, results 2", "a time > 0"),
    (JSON.replace("11340.2", "0"), {}, "NL-B002", "log, results 2", "a time > 0"),
    (JSON.replace("[", "[" * 100_000, 1), {}, "NL-B002", "log", "too deep"),
    (OSU.replace("             14.02             15.33        1000", ""), ON, "NL-B002", "log:6", "5 values"),
    (own("allreduce,ring,x,8,2,1024"), {}, "NL-B002", "log:3", "7 values"),
    # Times and sizes that are none.
    *(
        (OSU.replace("81.40", word), ON, "NL-B002", "log:7, avg_latency(us)", f"> 0, got '{word}'")
        for word in ("0.00", "nan", "inf", "-3.1", "1e999", "1e-320", "1e300", "1_0", "0x1p3", "---")
    ),
    *(
        (own(f"allreduce,ring,x,8,2,1024,{word}"), {}, "NL-B002", "log:3, time_s", f"got '{word}'")
        for word in ("0", "nan", "-inf", "-1e-5", "", "10 µs", "1e-5s", "٣")
    ),
    *(
        (own(f"allreduce,ring,x,8,2,{word},1e-5"), {}, "NL-B002", "log:3, bytes", "a whole number")
        for word in ("64KiB", "-8", "nan", "", "1e9", "99999999999999999999", "²")
    ),
    (own("allreduce,ring,x,0,2,8,1e-5"), {}, "NL-B002", "log:3, nodes", "at least 1"),
    (own("allreduce,ring,x,8,2.5,8,1e-5"), {}, "NL-B002", "log:3, ranks_per_node", "whole number"),
    (NCCL.replace("  22.41", "   0.00"), {}, "NL-B002", "log:14, time", "finite number > 0"),
    (PICO.replace("541.5,", "nan,"), {}, "NL-B002", "log:5, median_us", "got 'nan'"),
    (PICO.replace("4x4", "4x"), {}, "NL-B002", "log:10, nodes", "4x4x4"),
    # Not said.
    (OSU, {}, "NL-B004", "log:2", "on how many nodes"),
    (OSU, {"nodes": 4}, "NL-B004", "log:2", "its ranks"),
    (IMB, {}, "NL-B004", "log:24", "on how many nodes"),
    (GOOD["reprompi.txt"], {}, "NL-B004", "log", "on how many nodes"),
    (NCCL.replace("#  Rank", "#  rank"), {}, "NL-B004", "log:12", "on how many nodes"),
    (NCCL.replace("all_reduce_perf", "x"), {}, "NL-B004", "log:12", "the collective"),
    ("# GB/s\nb a\na - 40\nb 40 -\n", {}, "NL-B005", "log:3", "columns in the order of the rows"),
    ("0 40\n40 0\n", {"unit": "furlongs"}, "NL-B004", "unit", "such as GB/s"),
    (OWN.replace("library", "bytes"), {}, "NL-B002", "log:1", "the column bytes twice"),
    (own('"allreduce,ring,x,8,2,8,1e-5'), {}, "NL-B002", "log:3", "is no CSV"),
    ("0 40\n40 0\n", {}, "NL-B004", "log:1", "without a unit"),
    ("node_a,node_b,busbw\na,b,40\n", {}, "NL-B004", "log:1", "a rate with its unit"),
    (OWN.replace("time_s", "time"), {}, "NL-B004", "log:1", "no column time_s"),
    (OWN.replace("bytes", "size"), {}, "NL-B004", "log:1", "no column bytes"),
    (OWN.replace("nodes", "node"), {}, "NL-B004", "log:1", "no column nodes"),
    (OWN, {"nodes": 0}, "NL-B004", "nodes", "from 1"),
    (OWN, {"collective": "allred"}, "NL-B004", "collective", "of the catalogue"),
    # Contradictions, two machines.
    (OWN, {"nodes": 8}, "NL-B005", "log:1, nodes", "an option too"),
    (NCCL, {"nodes": 3}, "NL-B005", "log:12", "2 nodes with 2 GPUs"),
    (IMB, {"nodes": 3}, "NL-B005", "log:24", "not 3 nodes"),
    (GOOD["reprompi.txt"], {"nodes": 3}, "NL-B005", "log", "not 3 nodes"),
    (PICO.replace("site,2,4", "hall,2,4", 1), {}, "NL-B005", "log:11, machine", "two machines"),
    (OWN.replace("library", "machine") + "allreduce,ring,y,8,2,8,1e-5\n", {}, "NL-B005", "log:3, machine", "two"),
    (NCCL.replace("NVIDIA H100", "NVIDIA A100", 1), {}, "NL-B005", "log", "one model of GPU"),
    (OSU + IMB, ON, "NL-B005", "log", "several tools"),
    (GOOD["reprompi.txt"] + b"#@nprocs=16\n", ON, "NL-B005", "log:22", "a second run"),
    # Swapped columns, other units.
    (OWN.replace("bytes,time_s", "time_s,bytes"), {}, "NL-B006", "log:2, bytes", "swapped"),
    (own("allreduce,ring,x,8,2,12,1048576"), {}, "NL-B006", "log:3", "slower than any machine"),
    (own("allreduce,ring,x,8,2,8,21.5"), {}, "NL-B006", "log:3", "21.5 s for 8 B is slower"),
    (own("allreduce,ring,x,8,2,1048576,21e-12"), {}, "NL-B006", "log:3", "faster than any machine"),
    (NCCL.replace("61.02", "610.2"), {}, "NL-B006", "log:16", "swapped"),
    (NCCL.replace("25.78", "12.88"), {}, "NL-B006", "log:16", "another collective"),
    (NCCL.replace("all_reduce_perf", "all_gather_perf"), {}, "NL-B006", "log:16", "busbw / algbw"),
    (OSU.replace("Avg Latency(us)", "Avg Latency(MB/s)"), ON, "NL-B002", "log:2", "in us"),
    (JSON.replace("11340.2", "1134.02"), {}, "NL-B006", "log, results 2", "swapped"),
    # Nothing of use.
    (OWN.replace("ring", "rinng"), {}, "NL-B007", "log", "none of 1 rows can be used: allreduce has no"),
    (OWN.splitlines()[0] + "\n", {}, "NL-B007", "log", "no row"),
    ("# OSU MPI Multi Latency Test v5.9\n# Size\n1 2.0\n", {}, "NL-B007", "log", "is not read"),
]


@pytest.mark.parametrize(("text", "said", "code", "place", "words"), REFUSED, ids=range(len(REFUSED)))
def test_bad_input_is_one_clear_line(
    text: str | bytes, said: dict[str, object], code: str, place: str, words: str
) -> None:
    first = faults(text, **said)[0]
    assert (first.code, first.place.partition(", avg")[0]) == (code, place.partition(", avg")[0]), first
    assert words in str(first), first
    assert len(str(first).splitlines()[0]) < 300


#: Text, options, and what a note says.
NOTED = [
    (own("allreduce,ring,x,8,2,1073741824,0.0001"), {}, "log:3: 10.7 TB/s of a rank is above any link: is a Gb meant"),
    ("# GB/s\n0 3200\n3200 0\n", {}, "3200 GB/s of a pair is above 800 GB/s"),
    ("# GB/s\n0 320\n320 0\n", {"ranks_per_node": 1}, "320 GB/s of a pair is above 100 GB/s"),
    (OWN.rstrip("\n"), {}, "the last line has no end"),
    (OWN.replace("library", "colour"), {}, "not read: column colour"),
    (IMB.replace("MPI_Finalize", ""), ON, "tests may be missing"),
]


@pytest.mark.parametrize(("text", "said", "words"), NOTED, ids=range(len(NOTED)))
def test_what_is_doubtful_is_said(text: str, said: dict[str, int], words: str) -> None:
    notes = measured.read_bytes("log", text.encode(), **said).notes
    assert any(words in one for one in notes), notes


def test_all_damaged_rows_are_told_up_to_a_hundred() -> None:
    assert len(faults(OWN + "allreduce,ring,x,8,2,-1,nan\n" * 20)) == 40
    assert len(faults(OWN + "allreduce,ring,x,8,2,-1,nan\n" * 5000)) == 100


def test_a_file_of_too_many_lines_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MAX_LINES", 100)
    (one,) = faults(OSU + "\n" * 200, **ON)
    assert one.code == "NL-B008"


def test_a_large_file_takes_memory_in_proportion() -> None:
    data = OWN.encode() + b"allreduce,ring,x,8,2,1024,2.1e-05\n" * 20_000 + b"#" + b"x" * 5_000_000 + b"\n"
    tracemalloc.start()
    assert len(measured.read_bytes("log", data).rows) == 20_001
    assert tracemalloc.get_traced_memory()[1] < 20 * len(data)
    tracemalloc.stop()


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.txt"):
        with pytest.raises(NetloomError, match="NL-X001"):
            measured.read(path)


SAID = st.sampled_from([{}, ON, {"nodes": 2}, {"ranks_per_node": 2, "collective": "allgather"}, {"unit": "Gb/s"}])
NAMES = st.sampled_from(sorted(GOOD))
#: Words that a log may have where another one is expected.
WORDS = [b"nan", b"-1", b"0", b"1e308", b"", b"#", b",", b'"', b"\n", b"\r", b"\t", b"[1,0]<stdout>:", b"\xff", b"inf"]
WORDS += [
    b"9" * 30,
    b"0: ",
    b"\x1b[31m",
    b"# Benchmarking Bcast\n",
    b"# OSU MPI Allreduce Latency Test\n",
    b"(",
    b"KiB",
]


def kept(data: bytes, said: dict[str, object]) -> None:
    """Reads, and checks what every row promises."""
    try:
        found = measured.read_bytes("log", data, **said)  # type: ignore[arg-type]
    except NetloomError as error:
        assert error.faults and all(one.code.startswith("NL-B") for one in error.faults), error
        assert len(str(error)) < 100_000
        return
    assert found.rows or found.pairs
    for row in found.rows:
        assert row.nodes >= 1 and row.ranks_per_node >= 1 and row.ranks > 1
        assert 0 <= row.bytes <= 1 << 53 and 1e-9 <= row.time_s <= 3600
        assert row.place.startswith(("log:", "log, results "))
    for matrix in found.pairs:
        n = len(matrix.nodes)
        assert n and all(len(line) == n for line in matrix.bytes_per_s) and len(matrix.bytes_per_s) == n
        assert all(rate is None or 0 < rate < 1e306 for line in matrix.bytes_per_s for rate in line)


@settings(max_examples=300, deadline=None)
@given(NAMES, SAID, st.integers(0, 1 << 30))
def test_mutated_logs_raise_nothing_else(name: str, said: dict[str, object], number: int) -> None:
    """Words changed, lines swapped and doubled, pieces of other logs, cuts, bits."""
    draw, data = random.Random(number), bytearray(GOOD[name])
    for _ in range(draw.randrange(1, 6)):
        at = draw.randrange(len(data) + 1)
        what = draw.randrange(6)
        if what == 0:
            data[at : at + draw.randrange(8)] = draw.choice(WORDS)
        elif what == 1:
            del data[at:]
        elif what == 2:
            lines = bytes(data).split(b"\n")
            draw.shuffle(lines)
            data = bytearray(b"\n".join(lines))
        elif what == 3:
            words = bytes(data).split()
            if words:
                data = bytearray(bytes(data).replace(draw.choice(words), draw.choice([*words, *WORDS]), 1))
        elif what == 4:
            other = GOOD[draw.choice(sorted(GOOD))]
            data[at:at] = other[draw.randrange(len(other)) :][: draw.randrange(400)]
        elif data:
            data[at % len(data)] ^= 1 << draw.randrange(8)
    kept(bytes(data), said)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300), SAID)
def test_any_bytes_raise_nothing_else(data: bytes, said: dict[str, object]) -> None:
    kept(data, said)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(st.text(max_size=8), max_size=9), max_size=6), NAMES, SAID)
def test_any_cells_below_a_good_header_raise_nothing_else(
    rows: list[list[str]], name: str, said: dict[str, object]
) -> None:
    text = GOOD[name] + "\n".join(",".join(row) for row in rows).encode("utf-8", "surrogatepass")
    kept(text, said)
