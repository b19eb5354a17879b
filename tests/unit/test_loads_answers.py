"""What is said of link loads: sentences, rankings, histograms, and a study of them."""

from __future__ import annotations

import csv
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import netloom
from netloom.base.errors import NetloomError
from netloom.base.quantities import amount_text, time_text
from netloom.evaluate.loads.columns import blocks, histogram, least_used, of_class
from netloom.evaluate.loads.ranking import rank
from netloom.evaluate.loads.words import neighbours, ordinal
from netloom.study import prepare, run_study

NETWORK = "dragonfly(a=4,p=2,h=1,g=5)"


def two_jobs() -> Any:
    net = netloom.network(NETWORK)
    spread = netloom.Job('spread(bytes="64 KiB")', name="spread", mapping=list(range(0, 40, 2)))
    mesh = netloom.Job('unstructured-mesh(bytes="64 KiB")', name="mesh", mapping=list(range(1, 40, 2)))
    return netloom.loads(net, [spread, mesh])


@pytest.mark.parametrize(
    ("call", "words"),
    [("ll", "ll puts twice as many"), ("ll128", "ll128 puts 1/15 more"), ("simple", ""), ("", "")],
)
def test_protocols_whose_flags_are_not_counted_are_said(call: str, words: str) -> None:
    asked = f"allreduce:ring(protocol={call})" if call else "allreduce:ring"
    found = netloom.evaluate({"network": "star(8)", "workload": asked, "size_bytes": 1 << 10}, "loads")
    said = [line for line in found.explain() if "on the wire" in line]
    assert len(said) == bool(words) and all(words in line for line in said)


def test_ordinals() -> None:
    said = {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 83: "83rd"}
    assert {number: ordinal(number) for number in said} == said
    assert (ordinal(111), ordinal(1022), ordinal(100)) == ("111th", "1,022nd", "100th")


def test_amounts_round_before_their_unit_is_chosen() -> None:
    assert [amount_text(v) for v in (0, 0.25, 999.6, 999_999, 1.5e9, 2e18)] == [
        "0 B", "0.25 B", "1 kB", "1 MB", "1.5 GB", "2000 PB",
    ]  # fmt: skip
    assert [time_text(v) for v in (2.0, 0.0015, 9.999e-4, 3e-9)] == ["2 s", "1.5 ms", "1 ms", "3 ns"]


def test_a_pair_of_jobs_is_named_once() -> None:
    found = two_jobs()
    pairs = neighbours(found)
    assert len(pairs) == 1
    slower, other, ratio = pairs[0]
    assert ratio == found.jobs[slower]["slowdown_by"][other] >= found.jobs[other]["slowdown_by"][slower]
    said = [line for line in found.explain() if "share links: the worst link of" in line]
    assert len(said) == 1 and "spread" in said[0] and "mesh" in said[0]


def test_small_shares_are_left_out() -> None:
    net = netloom.network("ring(4)")
    big = netloom.Job('shift(1,bytes="1 MiB")', name="big", mapping=[0, 1])
    small = netloom.Job("shift(1,bytes=10)", name="small", mapping=[0, 1])
    said = netloom.loads(net, [big, small]).explain()[1]
    assert "big" in said and "small" not in said and " 0 %" not in said


def test_the_best_comes_first_with_reasons() -> None:
    net = netloom.network(NETWORK)
    job = netloom.Job("spread", name="job", mapping=netloom.place(net, 80, cores=2))
    results = {way: netloom.loads(net, job, variant=way) for way in ("SI", "SD", "AD")}
    rows = rank(results)
    most = {way: found.classes["all"]["max_bytes"] for way, found in results.items()}
    assert [row["name"] for row in rows] == sorted(most, key=lambda way: most[way])
    assert rows[0]["ratio"] == 1 and "the best" not in rows[0]["reason"]
    last = rows[-1]
    assert last["ratio"] == pytest.approx(max(most.values()) / min(most.values()))
    assert last["held_by"] in last["reason"] and "% more bytes in all" in last["reason"]


def test_equal_maxima_share_a_position_and_nothing_is_said_of_nothing() -> None:
    idle: dict[str, Any] = {"all": {"links": 4, "used": 0, "max_bytes": 0.0, "mean_bytes": 0.0}}
    rows = rank([("a", idle), ("b", idle)])
    assert [row["position"] for row in rows] == [1, 1]
    assert rows[0]["ratio"] is None and rows[0]["reason"].startswith("Nothing")


def test_histogram_holds_every_link() -> None:
    column = np.array([0.0, 1.0, 1.4, 1.5, 2.0, 1e12, 0.3])
    rows = histogram(column)
    assert rows[0] == {"from_bytes": 0.0, "to_bytes": 0.0, "links": 1}
    assert sum(row["links"] for row in rows) == len(column)
    assert all(a["to_bytes"] == b["from_bytes"] for a, b in pairwise(rows[1:]))
    in_bin = {row["from_bytes"]: row["links"] for row in rows}
    assert in_bin[1.0] == 2 and in_bin[2.0**0.5] == 1 and in_bin[2.0] == 1
    assert histogram(np.zeros(3)) == [{"from_bytes": 0.0, "to_bytes": 0.0, "links": 3}]


def test_columns_of_classes_add_up_to_their_totals() -> None:
    found = two_jobs()
    for name, row in found.classes.items():
        column = of_class(found.network, found.link_bytes, name)
        assert len(column) == row["links"]
        assert column.sum() == pytest.approx(row["total_bytes"])
        assert column.max() == row["max_bytes"]
        assert (column > 0).sum() == row["used"]
    assert least_used(np.array([0.0, 3.0, 2.0])) == 2.0
    assert least_used(np.zeros(2)) is None


def test_blocks_keep_the_sum() -> None:
    cells = np.arange(49.0).reshape(7, 7)
    made, size = blocks(cells, 3)
    assert made.shape == (3, 3) and size == 3 and made.sum() == cells.sum()
    assert made[0, 0] == cells[:3, :3].sum()


STUDY = """
title = "Loads"
[[experiment]]
name = "one"
evaluate = "loads"
options = { histogram = true, groups = true, increments = 4, rounds = 5 }
[experiment.axes]
network = "dragonfly(a=4,p=2,h=1,g=5)"
cores = 2
workload = 'unstructured-mesh(bytes="4 KiB")'
placement = ["linear", "rdn(seed={seed})"]
variant = ["SD", "AI"]
seed = [1, 2]
[[experiment.chart]]
title = "Six"
kind = "six"
x = "placement"
series = "variant"
where = { seed = 1 }
[[experiment.chart]]
title = "By class"
kind = "six"
table = "classes"
x = "placement"
series = "variant"
facet = "class"
[[experiment.chart]]
title = "Links by load"
kind = "histogram"
table = "histogram"
facet = "variant"
[[experiment]]
name = "many"
evaluate = "loads"
[experiment.axes]
network = "dragonfly(a=4,p=2,h=1,g=5)"
jobs = ["pair", "jobs.toml"]
fail = ["none", "switch:3; link:4-5"]
size = "2 KiB"
samples = 2
[[experiment.jobs.pair]]
name = "a"
share = 0.5
traffic = 'spread(bytes="{size}")'
[[experiment.jobs.pair]]
name = "b"
share = "25%"
traffic = "allreduce:ring"
variant = "AH"
routing = "valiant(samples={samples})"
"""
JOBS = '[[job]]\nname = "x"\nnodes = 4\ntraffic = "uniform"\n'


def study(folder: Path, text: str = STUDY) -> Path:
    (folder / "study.toml").write_text(text)
    (folder / "jobs.toml").write_text(JOBS)
    return folder / "study.toml"


def rows_of(out: Path, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((out / "tables" / f"{name}.csv").read_text().splitlines()))


def test_a_study_of_loads(tmp_path: Path) -> None:
    finished = run_study(study(tmp_path), tmp_path / "out")
    assert finished.problems == []
    runs = rows_of(tmp_path / "out", "one")
    assert len(runs) == 8
    classes = [row for row in rows_of(tmp_path / "out", "one-classes") if row["class"] == "all"]
    assert [row["max_bytes"] for row in classes] == [row["max_bytes"] for row in runs]
    bins = rows_of(tmp_path / "out", "one-histogram")
    first = [row for row in bins if (row["placement"], row["variant"], row["seed"]) == ("linear", "SD", "1")]
    assert sum(int(row["links"]) for row in first if row["class"] == "all") == int(runs[0]["links"])
    groups = rows_of(tmp_path / "out", "one-groups")
    assert len(groups) == 8 * 25
    assert sum(float(row["bytes"]) for row in groups[:25]) == pytest.approx(float(runs[0]["total_bytes"]))
    ranking = rows_of(tmp_path / "out", "one-ranking")
    assert next(row["position"] for row in ranking if row["seed"] == "1") == "1"
    most = [float(row["max_bytes"]) for row in ranking if row["seed"] == "2"]
    assert len(most) == 4 and most == sorted(most)
    # Static runs do not depend on the seed of detours, drawn placements do.
    by = {(row["placement"], row["variant"], row["seed"]): row["max_bytes"] for row in runs}
    assert by["linear", "SD", "1"] == by["linear", "SD", "2"]
    assert by["rdn", "SD", "1"] != by["rdn", "SD", "2"] and by["linear", "AI", "1"] != by["linear", "AI", "2"]
    figures = {path.name for path in (tmp_path / "out" / "figures").glob("*.png")}
    by_class = {f"one-2-by-class-{k}.png" for k in range(1, 6)}
    asked = {"one-1-six.png", *by_class, "one-3-links-by-load-1.png", "one-3-links-by-load-2.png"}
    assert figures == asked | {"many-1-max.png"}  # The second experiment asks for nothing.


def test_a_study_of_several_jobs(tmp_path: Path) -> None:
    run_study(study(tmp_path), tmp_path / "out", figures=False)
    out = tmp_path / "out"
    jobs = rows_of(out, "many-jobs")
    assert [row["job"] for row in jobs] == ["a", "b", "a", "b", "x", "x"]
    assert [row["job_variant"] for row in jobs[:2]] == ["static-direct", "adaptive-hybrid"]
    assert [row["job_routing"] for row in jobs[:2]] == ["group-minimal", "valiant(samples=2)"]
    assert int(jobs[0]["bytes_sent"]) % 2048 == 0
    assert {(row["job"], row["other"]) for row in rows_of(out, "many-meets")} == {("a", "b"), ("b", "a")}
    whole, cut = rows_of(out, "many")[:2]
    assert int(cut["links"]) < int(whole["links"])
    hottest = rows_of(out, "many-hottest")
    assert {row["place"] for row in hottest} == set("12345")
    for row in hottest:
        assert 0 < float(row["job_bytes"]) <= float(row["bytes"]) * (1 + 1e-9)


TORUS = """
title = "Planes"
[[experiment]]
name = "torus"
evaluate = "loads"
options = { slices = true, hottest = 0 }
[experiment.axes]
network = "torus(3,4,4)"
workload = 'spread(bytes="{size}")'
size = ["1 KiB", "2 KiB"]
placement = ["linear", "rdn"]
[[experiment.chart]]
title = "Planes"
kind = "slices"
table = "slices"
facet = "placement"
where = { size = "1 KiB" }
"""


def test_a_study_of_slices(tmp_path: Path) -> None:
    finished = run_study(study(tmp_path, TORUS), tmp_path / "out")
    assert finished.problems == []
    made = rows_of(tmp_path / "out", "torus-slices")
    assert len(made) == 4 * 3 * 64
    runs = rows_of(tmp_path / "out", "torus")
    first = [row for row in made if (row["size"], row["placement"]) == ("1 KiB", "linear")]
    most = max(max(float(row["bytes"]) for row in first), float(first[0]["between_bytes"]))
    assert most == float(runs[0]["max_bytes"])
    figures = {path.name for path in (tmp_path / "out" / "figures").glob("*.png")}
    assert figures == {"torus-1-planes-1.png", "torus-1-planes-2.png"}
    page = (tmp_path / "out" / "report.html").read_text()
    assert "most loaded link of a switch" in page and "Cannot be drawn" not in page


def test_slices_show_one_run_in_a_picture(tmp_path: Path) -> None:
    text = TORUS.replace('where = { size = "1 KiB" }\n', "")
    run_study(study(tmp_path, text), tmp_path / "out", figures=False)
    page = (tmp_path / "out" / "report.html").read_text()
    assert "a picture shows one run, here are 2" in page
    run_study(study(tmp_path, TORUS.replace("torus(3,4,4)", "hyperx(3,4)")), tmp_path / "other")
    assert "no network has planes" in (tmp_path / "other" / "report.html").read_text()


def refuses(path: Path, code: str, word: str) -> None:
    with pytest.raises(NetloomError) as error:
        prepare(path)
    assert any(fault.code == code and word in str(fault) for fault in error.value.faults), str(error.value)


def test_a_study_of_minimaps(tmp_path: Path) -> None:
    text = TORUS.replace("slices", "minimaps")
    finished = run_study(study(tmp_path, text), tmp_path / "out")
    assert finished.problems == []
    made = rows_of(tmp_path / "out", "torus-minimaps")
    # Of each of four runs: by dimension the sums, 3 + 4 + 4, and maps of 3*4 + 3*4 + 4*3 + 4*4 + 4*3 + 4*4 places.
    assert len(made) == 4 * (11 + 80)
    figures = {path.name for path in (tmp_path / "out" / "figures").glob("*.png")}
    assert figures == {"torus-1-planes-1.png", "torus-1-planes-2.png"}
    page = (tmp_path / "out" / "report.html").read_text()
    assert "links of dimension 2 by dimension 0" in page and "Cannot be drawn" not in page
    run_study(study(tmp_path, text.replace('where = { size = "1 KiB" }\n', "")), tmp_path / "all", figures=False)
    assert "a picture shows one run, here are 2" in (tmp_path / "all" / "report.html").read_text()
    run_study(study(tmp_path, text.replace("torus(3,4,4)", "ring(8)")), tmp_path / "other")
    assert "no network has two dimensions" in (tmp_path / "other" / "report.html").read_text()


NO_SLICES = {
    "x": ('kind = "slices"', 'kind = "slices"\nx = "size"', "NL-S004", "takes no x"),
    "series": ('kind = "slices"', 'kind = "slices"\nseries = "size"', "NL-S004", "no series"),
    "table": ('table = "slices"', 'table = "hottest"', "NL-S008", "to_row"),
    "option": ("slices = true, ", "", "NL-S008", "options.slices = true"),
}


@pytest.mark.parametrize(("old", "new", "code", "word"), NO_SLICES.values(), ids=NO_SLICES)
def test_what_slices_refuse(tmp_path: Path, old: str, new: str, code: str, word: str) -> None:
    refuses(study(tmp_path, TORUS.replace(old, new)), code, word)


def test_a_list_of_jobs_is_part_of_what_is_computed(tmp_path: Path) -> None:
    path = study(tmp_path)
    before = [run.key for _, run in prepare(path).runs()]
    (tmp_path / "jobs.toml").write_text(JOBS.replace("nodes = 4", "nodes = 5"))
    after = [run.key for _, run in prepare(path).runs()]
    assert before[:-2] == after[:-2] and before[-2:] != after[-2:]
    path.write_text(STUDY.replace('share = "25%"', 'share = "30%"'))
    assert [run.key for _, run in prepare(path).runs()][8] != after[8]


WRONG = {
    "neither": ("workload = 'unstructured-mesh(bytes=\"4 KiB\")'\n", "", "NL-S006", "workload, jobs"),
    "variant": ('["SD", "AI"]', '["SD", "AX"]', "NL-A002", "did you mean"),
    "pattern": ("unstructured-mesh", "unstructured-mash", "NL-A002", "unstructured-mesh"),
    "key of a job": ("share = 0.5", "shares = 0.5", "NL-J002", "share"),
    "routing of a job": ("valiant(samples", "valient(samples", "NL-A002", "job 2.routing"),
    "placeholder": ("{size}", "{sizes}", "NL-S007", "sizes"),
    "missing list": ('["pair", "jobs.toml"]', '["pear"]', "NL-X001", "pear"),
    "column": ('x = "placement"', 'x = "placements"', "NL-S008", "placement"),
    "table without its numbers": ('table = "classes"', 'table = "hottest"', "NL-S008", "min_bytes"),
    "histogram without its bins": ('table = "histogram"', 'table = "classes"', "NL-S008", "from_bytes"),
    "kind": ('kind = "six"', 'kind = "six"\ny = "links"', "NL-S004", "six"),
}


@pytest.mark.parametrize(("old", "new", "code", "word"), WRONG.values(), ids=WRONG)
def test_what_a_study_gets_wrong(tmp_path: Path, old: str, new: str, code: str, word: str) -> None:
    refuses(study(tmp_path, STUDY.replace(old, new)), code, word)
