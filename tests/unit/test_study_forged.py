"""Journals that came with a study: what no run could have left is computed again, a line twice is kept once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from netloom.study.run import run_study
from netloom.study.sealed import seal, unseal
from netloom.study.shards import Shard, merge, run_shard, write_array

STUDY = """
title = "Forged"
[[experiment]]
name = "hops"
evaluate = "hops"
[experiment.options]
steps = true
[experiment.axes]
network = ["torus(4,4)", "ring(16)"]
ranks = [4, 8]
workload = "alltoall:pairwise"
[[experiment.chart]]
title = "Hops"
kind = "bar"
x = "network"
y = "total_hops"
series = "ranks"
[[experiment.compare]]
name = "less"
column = "total_hops"
as = "percent-less"
baseline = { network = "ring(16)" }
[[experiment.claim]]
says = "rings are longer"
of = { column = "total_hops", where = { network = "ring(16)", ranks = 8 } }
is = ">"
to = { column = "total_hops", where = { network = "torus(4,4)", ranks = 8 } }
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("whole")
    (folder / "s.toml").write_text(STUDY)
    run_study(folder / "s.toml", folder / "out", figures=False)
    return content(folder / "out")


def content(folder: Path) -> dict[str, bytes]:
    found = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if not name.startswith("shards")}


def start(folder: Path, whole: dict[str, bytes]) -> tuple[Path, list[bytes]]:
    """A folder with the study and its journal alone."""
    (folder / "s.toml").write_text(STUDY)
    (folder / "out").mkdir()
    return folder / "out" / "runs.jsonl", whole["runs.jsonl"].splitlines(keepends=True)


def changed(line: bytes, path: str, value: object) -> bytes:
    record = unseal(line[:-1])
    assert record is not None
    place: Any = record
    *keys, last = path.split("/")
    for key in keys:
        place = place[int(key) if isinstance(place, list) else key]
    place[last] = value
    return seal(record)


def nested(depth: int) -> Any:
    made: Any = 1
    for _ in range(depth):
        made = [made]
    return made


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("tables/unheard-of", []),
        ("tables/unheard-of", [{"a": 1}]),
        ("tables/steps", {"a": 1}),
        ("tables/steps/0/hops", "many"),
        ("tables/steps/0/hops", 10**400),
        ("row/total_hops", 10**400),
        ("row/total_hops", -(10**400)),
        ("row/total_hops", "3"),
        ("row/mean_hops", float("nan")),
        ("row/mean_hops", float("inf")),
        ("row/mean_hops", [3]),
        ("row/mean_hops", nested(500)),
        ("row/steps", {"a": nested(10)}),
        ("row/steps", "\ud800"),
        ("row", [1]),
        ("status", "well"),
        ("status", None),
    ],
)
def test_what_no_run_leaves_is_computed_again(
    path: str, value: object, tmp_path: Path, whole: dict[str, bytes]
) -> None:
    journal, lines = start(tmp_path, whole)
    lines[2] = changed(lines[2], path, value)
    journal.write_bytes(b"".join(lines))
    with pytest.warns(UserWarning, match=r"NL-S023 .*runs\.jsonl:3.*computed again"):
        run_study(tmp_path / "s.toml", tmp_path / "out", figures=False)
    assert content(tmp_path / "out") == whole


@pytest.mark.parametrize("path", ["row/steps", "row/evaluations", "row/value", "row/unheard-of", "calls/network"])
@pytest.mark.parametrize("value", ["x", 1e308, -1, True, None])
def test_odd_cells_without_a_unit_end_no_study(
    path: str, value: object, tmp_path: Path, whole: dict[str, bytes]
) -> None:
    journal, lines = start(tmp_path, whole)
    lines[2] = changed(lines[2], path, value)
    journal.write_bytes(b"".join(lines))
    run_study(tmp_path / "s.toml", tmp_path / "out", figures=False)
    assert (tmp_path / "out" / "report.html").is_file()


def test_numbers_that_overflow_on_reading(tmp_path: Path, whole: dict[str, bytes]) -> None:
    """JSON knows 1e999, which is infinite for a double."""
    import hashlib

    journal, lines = start(tmp_path, whole)
    body = json.dumps(unseal(lines[2][:-1]), separators=(",", ":"))
    hops = json.loads(body)["row"]["mean_hops"]
    forged = body.replace(f'"mean_hops":{hops}', '"mean_hops":1e999').encode()
    assert forged != body.encode()
    seal_of = hashlib.sha256(forged).hexdigest().encode()
    lines[2] = forged[:-1] + b',"sha256":"' + seal_of + b'"}\n'
    journal.write_bytes(b"".join(lines))
    with pytest.warns(UserWarning, match="NL-S023"):
        run_study(tmp_path / "s.toml", tmp_path / "out", figures=False)
    assert content(tmp_path / "out") == whole


def test_the_only_run_of_a_journal_is_named_too(tmp_path: Path, whole: dict[str, bytes]) -> None:
    journal, lines = start(tmp_path, whole)
    journal.write_bytes(lines[0] + changed(lines[1], "row/total_hops", 10**400))
    with pytest.warns(UserWarning, match=r"NL-S023 .*runs\.jsonl:2"):
        run_study(tmp_path / "s.toml", tmp_path / "out", figures=False)
    assert content(tmp_path / "out") == whole


def test_a_line_twice_is_kept_once(tmp_path: Path, whole: dict[str, bytes]) -> None:
    journal, lines = start(tmp_path, whole)
    journal.write_bytes(b"".join([*lines, lines[1], lines[3], lines[1]]))
    run_study(tmp_path / "s.toml", tmp_path / "out", figures=False)
    assert content(tmp_path / "out") == whole


def test_a_part_with_a_forged_line_is_run_again(tmp_path: Path, whole: dict[str, bytes]) -> None:
    (tmp_path / "s.toml").write_text(STUDY)
    study, out = tmp_path / "s.toml", tmp_path / "out"
    write_array(study, out, 2)
    for number in (1, 2):
        run_shard(study, out, Shard(number, 2))
    journal = out / "shards" / "1-of-2" / "runs.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([lines[0], changed(lines[1], "tables/unheard-of", [{"a": 1}]), *lines[2:]]))
    with pytest.raises(ValueError, match=r"NL-S022 1-of-2.*lacks 1 of its 2 runs"):
        merge(out, figures=False)
    run_shard(study, out, Shard(1, 2))
    merge(out, figures=False)
    assert content(out) == whole
