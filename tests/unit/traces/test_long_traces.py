"""Long traces: held as loops, read file by file and part by part, with the times of short ones."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import netloom
from netloom.base import files
from netloom.workload.traces import read_record

#: Actions of a record from which on its loops are looked for, as in the core.
LISTED = 1 << 20


def written(folder: Path, drawn: bool, padded: bool) -> Path:
    """Two ranks that compute and exchange 90,000 times; a third one with as many actions of no effect makes it long."""
    folder.mkdir()
    for rank in range(2):
        draw, lines = random.Random(rank), [f"{rank} init\n"]
        for _ in range(90_000):
            own = draw.randrange(1000, 9000) if drawn else 5000
            lines.append(
                f"{rank} compute {own}\n{rank} irecv {1 - rank} 0 800 6\n{rank} isend {1 - rank} 0 800 6\n"
                f"{rank} waitall 2\n{rank} compute 7\n"
            )
        (folder / f"{rank}.txt").write_text("".join(lines))
    (folder / "2.txt").write_text("2 init\n" + "2 sleep 0\n" * (200_000 if padded else 1))
    index = folder / "index.txt"
    index.write_text("0.txt\n1.txt\n2.txt\n")
    return index


@pytest.mark.parametrize("drawn", [True, False])
def test_loops_take_the_time_of_the_record(drawn: bool, tmp_path: Path) -> None:
    short, long = (read_record(written(tmp_path / name, drawn, name == "long")).told() for name in ("short", "long"))
    assert isinstance(short, netloom._core.Programs) and isinstance(long, netloom._core.Programs)
    assert short.actions > 800_000 and long.actions < 100
    assert short.messages == long.messages == 180_000
    found = [netloom.simulate("torus(3)", workload=one, calibration="pure", flops_per_s=1e9) for one in (short, long)]
    if drawn:
        # What differs each time is simulated each time: the same to the last bit.
        assert found[0]["time_s"] == found[1]["time_s"]
    else:
        # Computation, latency of three links, bytes. What is simulated 90,000 times has the rounding of as many sums.
        expected = 90_000 * (5007e-9 + 3e-7 + 800 / 12.5e9)
        assert found[1]["time_s"] == pytest.approx(expected, rel=1e-12)
        assert found[0]["time_s"] == pytest.approx(expected, rel=90_000 * 2**-52)
        assert found[1].record["periods_skipped"] > 80_000
    # Written again, it is the record.
    index = netloom.write(long, tmp_path / "again")[0]
    again = [line for line in (index.parent / "rank-1.txt").read_text().splitlines() if line.split()[1] == "compute"]
    given = [line for line in (tmp_path / "long" / "1.txt").read_text().splitlines() if line.split()[1] == "compute"]
    assert again == given


def test_a_part_of_each_rank_is_read_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """GOAL in binary, with the longest file below its size but above each part."""
    ranks = 24
    bodies = [[("start_receive", (rank - 1) % ranks, 64), ("start_send", (rank + 1) % ranks, 64), ("wait_all",)] * 3
              for rank in range(ranks)]  # fmt: skip
    ((_, data),) = netloom.programs(bodies).write("goal-binary")
    path = tmp_path / "long.bin"
    path.write_bytes(data)
    whole = read_record(path)
    asked = []
    part = files._part

    def counted(path: object, first: int, count: int, input: bool) -> bytes:
        asked.append(count)
        return part(path, first, count, input)  # type: ignore[arg-type]

    monkeypatch.setattr(files, "MAX_BYTES", 1000)
    monkeypatch.setattr(files, "_part", counted)
    in_parts = read_record(path)
    assert in_parts.told().write("goal") == whole.told().write("goal")
    assert in_parts.survey == whole.survey
    assert len(asked) > 2 * ranks and max(asked) < len(data)
    path.write_bytes(data[:-30])
    with pytest.raises(netloom.NetloomError, match=r"NL-F003 .*is cut at byte"):
        read_record(path)


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_the_file_of_a_rank_is_missing(missing: int, tmp_path: Path) -> None:
    for rank in range(3):
        if rank != missing:
            (tmp_path / f"{rank}.txt").write_text(f"{rank} compute 5\n")
    (tmp_path / "index.txt").write_text("0.txt\n1.txt\n2.txt\n")
    with pytest.raises(netloom.NetloomError) as caught:
        read_record(tmp_path / "index.txt")
    assert len(caught.value.faults) == 1 and f"{missing}.txt" in str(caught.value)


def test_what_is_wrong_in_a_file_is_placed(tmp_path: Path) -> None:
    for rank in range(3):
        (tmp_path / f"{rank}.txt").write_text(f"{rank} compute 5\n{rank} send {'x' if rank == 1 else 2} 0 1\n"[:-1])
    (tmp_path / "index.txt").write_text("0.txt\n1.txt\n2.txt\n")
    with pytest.raises(netloom.NetloomError, match=r"NL-F009 1\.txt:2:8"):
        read_record(tmp_path / "index.txt")
