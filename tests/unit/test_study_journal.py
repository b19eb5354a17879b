"""The journal of a study: the same bytes whichever run ends first."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import pytest

from netloom.base.errors import NetloomError
from netloom.study.journal import Journal
from netloom.study.run import run_study
from netloom.study.sealed import Record, read_lines, seal

STUDY = """
title = "Order"
[[experiment]]
name = "hops"
evaluate = "hops"
[experiment.axes]
network = ["torus(4,4)", "ring(16)", "hypercube(4)"]
ranks = [4, 8, 16]
placement = ["linear", "random(seed=1)", "random(seed=2)"]
workload = ["alltoall:pairwise", "broadcast:binomial"]
"""

TWENTY = (
    STUDY.replace('"ring(16)", "hypercube(4)"', '"ring(16)"')
    .replace('"linear", "random(seed=1)", "random(seed=2)"', '"linear", "random(seed=1)"')
    .replace("[4, 8, 16]", "[4, 6, 8, 12, 16]")
    .replace(', "broadcast:binomial"', "")
)


def record(key: str) -> Record:
    return {"key": key, "status": "done", "row": {"total_hops": 3}, "tables": {}}


def tables(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "tables").iterdir()}


def test_two_runs_of_a_study_leave_the_same_journal(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    journals = []
    for jobs in (1, 4):
        run_study(tmp_path / "study.toml", tmp_path / f"out{jobs}", jobs=jobs, figures=False)
        journals.append((tmp_path / f"out{jobs}" / "runs.jsonl").read_bytes())
    assert journals[0] == journals[1] and journals[0].count(b"\n") == 1 + 54


def test_records_in_another_order_are_settled_and_none_is_lost(tmp_path: Path) -> None:
    with Journal(tmp_path, "digest", "version") as journal:
        for key in ("c", "a", "b", "z", "y"):
            journal.add(record(key))
        journal.settle(["a", "b", "c"])
    lines = (tmp_path / "runs.jsonl").read_bytes().splitlines()
    assert [line[8:9] for line in lines[1:]] == [b"a", b"b", b"c", b"y", b"z"]
    with Journal(tmp_path, "digest", "version") as journal:
        assert set(journal.done) == {"a", "b", "c", "y", "z"}
        journal.add(record("x"))
    assert (tmp_path / "runs.jsonl").read_bytes().count(b"\n") == 7
    assert [path.name for path in tmp_path.iterdir()] == ["runs.jsonl"]


def test_every_flipped_bit_is_named_or_harmless(tmp_path: Path) -> None:
    """A record that is read from a damaged journal is one that was written, to the last digit."""
    (tmp_path / "study.toml").write_text(TWENTY)
    run_study(tmp_path / "study.toml", tmp_path / "out", figures=False)
    # The header and six of the runs: each bit is a reading of all of them.
    data = b"".join((tmp_path / "out" / "runs.jsonl").read_bytes().splitlines(keepends=True)[:7])
    written = read_lines(io.BytesIO(data))
    assert len(written.runs) == 6 and not written.damaged
    lengths = {begin: data.index(b"\n", begin) - begin for begin in written.runs.values()}
    for place in range(len(data)):
        for bit in range(8):
            flipped = bytearray(data)
            flipped[place] ^= 1 << bit
            found = read_lines(io.BytesIO(flipped))
            assert found.runs.items() <= written.runs.items(), (place, bit)
            assert all(begin + lengths[begin] <= place or begin > place for begin in found.runs.values()), (place, bit)
            # The end of the last line is what a kill cuts off: its run is simply not there.
            assert found.damaged or place == len(data) - 1, (place, bit)
            ends_a_run = data[place] == ord("\n") and place > data.index(b"\n")
            assert len(found.runs) >= 6 - (2 if ends_a_run else 1), (place, bit)


def test_a_damaged_run_is_named_and_computed_again(tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(TWENTY)
    out = tmp_path / "out"
    run_study(study, out, figures=False)
    journal, results = (out / "runs.jsonl").read_bytes(), tables(out)
    draw = random.Random(21)
    for _ in range(4):
        damaged = bytearray(journal)
        damaged[draw.randrange(len(damaged) - 1)] ^= 1 << draw.randrange(8)
        (out / "runs.jsonl").write_bytes(damaged)
        with pytest.warns(UserWarning, match="NL-S023") as said:
            run_study(study, out, figures=False)
        assert all("NL-S023" in str(one.message) for one in said)
        assert tables(out) == results
        assert (out / "runs.jsonl").read_bytes() == journal


@pytest.mark.parametrize(
    "change",
    [
        {"row": None},
        {"row": {"total_hops": {"deep": 1}}},
        {"tables": None},
        {"tables": {"pairs": 3}},
        {"status": "well"},
        {"status": "refused"},
        {"status": "refused", "faults": []},
        {"status": "refused", "faults": [["NL-T001"]]},
        {"key": 3},
    ],
)
def test_a_record_of_another_shape_is_damage_even_if_its_hash_fits(tmp_path: Path, change: Record) -> None:
    with Journal(tmp_path, "digest", "version") as journal:
        journal.add(record("a"))
    path = tmp_path / "runs.jsonl"
    path.write_bytes(path.read_bytes() + seal(record("b") | change))
    with Journal(tmp_path, "digest", "version") as journal:
        assert set(journal.done) == {"a"}
        assert len(journal.damaged) == 1 and "runs.jsonl:3" in journal.damaged[0]


def test_a_journal_whose_first_line_is_damaged_is_known_by_its_runs(tmp_path: Path) -> None:
    with Journal(tmp_path, "digest", "version") as journal:
        journal.add(record("a"))
    path = tmp_path / "runs.jsonl"
    good = path.read_bytes()
    path.write_bytes(good.replace(b"digest", b"disgust"))
    with pytest.raises(NetloomError, match="damaged first line"):
        Journal(tmp_path, "digest", "version", keys=["b"])
    with Journal(tmp_path, "digest", "version", keys=["a", "b"]) as journal:
        assert set(journal.done) == {"a"} and "runs.jsonl:1" in journal.damaged[0]
    assert path.read_bytes() == good


def test_a_journal_without_hashes_gives_no_runs(tmp_path: Path) -> None:
    old = [{"netloom": 1, "study": "digest", "version": "0"}, {"key": "a", "status": "done", "row": {}, "tables": {}}]
    (tmp_path / "runs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in old))
    with pytest.raises(NetloomError, match="NL-S011"):
        Journal(tmp_path, "other", "version")
    with Journal(tmp_path, "digest", "version") as journal:
        assert not journal.done


def test_a_link_is_no_journal_and_what_it_names_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("")
    (tmp_path / "runs.jsonl").symlink_to(tmp_path / "mine")
    with pytest.raises(NetloomError, match="NL-S013"):
        Journal(tmp_path, "digest", "version")
    assert (tmp_path / "mine").read_bytes() == b""


def test_a_kill_while_the_journal_is_replaced_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "runs.jsonl.new").write_text("half")
    with Journal(tmp_path, "digest", "version"):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["runs.jsonl"]
