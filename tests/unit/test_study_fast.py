"""`netloom run --fast`: packets at some message sizes, flows between where both agree, and what is said of it."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from netloom.base.errors import Fault, NetloomError
from netloom.cli.app import main
from netloom.evaluate import Answer, Evaluator
from netloom.study import prepare, run_study, work
from netloom.study.between import AGREE, LEAST_ERROR, MOST, Series, most_left
from netloom.study.plan import Pair, Plan
from netloom.study.sealed import Record
from netloom.study.shards import Shard, merge, run_shard, write_array
from netloom.study.sparing import FastPlan
from netloom.study.standing import Standing

#: On torus(4,4) flows and packets differ around 4 KiB, and agree at both ends.
STUDY = """
title = "Sizes"
[[experiment]]
name = "sizes"
evaluate = "packet"
[experiment.axes]
network = "torus(4,4)"
workload = "stencil([4,4],bytes={n})"
n = { powers_of_two = [8, 4194304] }
[[experiment.chart]]
title = "Time"
x = "n"
y = "time_s"
[[experiment.claim]]
says = "sixteen times the bytes take longer"
of = { column = "time_s", where = { n = 1048576 } }
to = { where = { n = 65536 } }
is = ">"
[[experiment.claim]]
says = "the largest takes longer than the smallest"
of = { column = "time_s", where = { n = 4194304 } }
to = { where = { n = 8 } }
is = ">"
"""
COLLECTIVES = """
title = "Collectives"
[[experiment]]
name = "sizes"
evaluate = "packet"
[experiment.axes]
network = "torus(4,4)"
workload = ["allreduce:ring", "broadcast:binomial"]
size_bytes = "1:64KiB"
"""


def write(folder: Path, text: str = STUDY) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "study.toml").write_text(text)
    return folder / "study.toml"


def content(folder: Path) -> dict[str, bytes]:
    found = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    return {name: data for name, data in found.items() if not name.startswith("shards")}


def tables(folder: Path) -> dict[str, bytes]:
    """All results but the journal."""
    return {name: data for name, data in content(folder).items() if name != "runs.jsonl"}


def rows(folder: Path, name: str = "sizes") -> list[dict[str, str]]:
    with (folder / "tables" / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def fast(study: Path) -> FastPlan:
    plan = prepare(study, fast=True)
    assert isinstance(plan, FastPlan)
    return plan


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The study by packets alone."""
    folder = tmp_path_factory.mktemp("whole")
    run_study(write(folder), folder / "out", jobs=1, figures=False)
    return folder / "out"


@pytest.fixture(scope="module")
def spared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with sizes left to flows."""
    folder = tmp_path_factory.mktemp("spared")
    run_study(fast(write(folder)), folder / "out", jobs=1, figures=False)
    return folder / "out"


def test_rows_of_flows_lie_within_their_stated_error(whole: Path, spared: Path) -> None:
    left = 0
    for packets, row in zip(rows(whole), rows(spared), strict=True):
        if row["fast_over"] != "flows":
            assert {k: v for k, v in row.items() if not k.startswith("fast")} == packets
            continue
        left += 1
        off_s, error_s = abs(float(row["time_s"]) - float(packets["time_s"])), float(row["fast_error_s"])
        assert off_s <= error_s <= AGREE * float(row["time_s"])
        assert error_s == pytest.approx(float(row["fast_error"]) * float(row["time_s"]))
        assert row["packets"] == "" and row["messages"] == packets["messages"]
    assert 0 < left < len(rows(whole)) - 5


def test_every_row_of_flows_lies_between_two_of_packets_that_agree(tmp_path: Path, spared: Path) -> None:
    """The errors are those of a whole study of flows, at the nearest sizes by packets."""
    text = STUDY.replace('"packet"', '"time"').partition("[[experiment.chart]]")[0]
    run_study(write(tmp_path, text), tmp_path / "out", jobs=1, figures=False)
    flows = [float(row["time_s"]) for row in rows(tmp_path / "out")]
    found = rows(spared)
    referees = [i for i, row in enumerate(found) if not row["fast_over"]]
    apart = {i: abs(flows[i] - float(found[i]["time_s"])) / float(found[i]["time_s"]) for i in referees}
    for i, row in enumerate(found):
        if row["fast_over"]:
            ends = max(j for j in referees if j < i), min(j for j in referees if j > i)
            assert float(row["time_s"]) == flows[i]
            assert (
                float(row["fast_error"]) == pytest.approx(max(LEAST_ERROR, *(apart[j] for j in ends)), abs=1e-15)
                and ends[1] - ends[0] <= MOST + 1
            )


def records(differences: Iterable[float], series: Series) -> dict[str, Record]:
    """Times of packets are 1 s, those of flows differ so much."""
    made: dict[str, Record] = {}
    for apart, packets, flows in zip(differences, series.packets, series.flows, strict=True):
        made[packets[1].key] = {"status": "done", "row": {"time_s": 1.0}, "tables": {}}
        made[flows[1].key] = {"status": "done", "row": {"time_s": 1.0 + apart}, "tables": {}}
    return made


def sizes(tmp_path: Path, last: int) -> Series:
    """A series of powers of two."""
    text = COLLECTIVES.replace('"1:64KiB"', f"{{ powers_of_two = [1, {1 << last}] }}").replace(
        ', "broadcast:binomial"', ""
    )
    (series,) = fast(write(tmp_path, text)).series
    return series


def computed(series: Series, everything: Mapping[str, Record]) -> tuple[list[int], list[int], dict[int, float]]:
    """The sizes that packets and flows are asked of, one run at a time, the last that is asked first; what is left."""
    done: dict[str, Record] = {}
    series.begin(done)
    while waiting := [key for key in series.look(done).asked if key not in done]:
        done[waiting[-1]] = everything[waiting[-1]]
    asked = [[i for i, (_, run) in enumerate(pairs) if run.key in done] for pairs in (series.packets, series.flows)]
    return asked[0], asked[1], series.look(done).left


def test_where_all_agree_few_sizes_are_asked_of_packets(tmp_path: Path) -> None:
    series = sizes(tmp_path, 11)
    packets, flows, left = computed(series, records([0.001] * 12, series))
    assert packets == [0, 2, 5, 8, 11] and flows == list(range(12))
    assert left == dict.fromkeys([1, 3, 4, 6, 7, 9, 10], pytest.approx(0.001))
    assert len(left) == most_left(12) == 7
    assert [most_left(count) for count in (1, 2, 3, 5, 6, 100)] == [0, 0, 1, 3, 3, most_left(50) + most_left(51)]


def test_where_ends_differ_the_middle_is_asked_of_packets(tmp_path: Path) -> None:
    series = sizes(tmp_path, 11)
    differences = [0.0] * 9 + [-0.05, -0.03, -0.021]
    packets, flows, left = computed(series, records(differences, series))
    # 8 agrees and 11 does not: 9 is between 8 and 10, of which 10 does not either.
    assert packets == [0, 2, 5, 8, 9, 10, 11] and flows == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11]
    assert set(left) == {1, 3, 4, 6, 7} and set(left.values()) == {LEAST_ERROR}
    packets, _, left = computed(series, records([0.5] * 12, series))
    assert packets == list(range(12)) and left == {}


def test_the_larger_difference_of_the_two_ends_is_stated(tmp_path: Path) -> None:
    series = sizes(tmp_path, 4)
    _, _, left = computed(series, records([0.01, 0.5, 0.5, 0.5, -0.0199], series))
    assert left == dict.fromkeys([1, 2, 3], pytest.approx(0.0199))
    _, _, left = computed(series, records([0.01, 0.5, 0.5, 0.5, -0.0201], series))
    assert left == {}


def test_packets_in_the_journal_are_referees(tmp_path: Path) -> None:
    series = sizes(tmp_path, 4)
    everything = records([0.0, 0.0, 0.1, 0.0, 0.0], series)
    kept = {series.packets[2][1].key: everything[series.packets[2][1].key]}
    series.begin(kept)
    done = dict(kept)
    while waiting := [key for key in series.look(done).asked if key not in done]:
        done[waiting[0]] = everything[waiting[0]]
    assert series.look(done).left == {} and all(run.key in done for _, run in series.packets)


def test_what_flows_refuse_is_asked_of_packets(tmp_path: Path) -> None:
    series = sizes(tmp_path, 4)
    everything = records([0.0] * 5, series)
    refused = {"status": "refused", "faults": [["NL-E099", "scenario", "no flows", "", ""]]}
    packets, _, left = computed(series, everything | {series.flows[4][1].key: refused})
    assert packets == [0, 1, 2, 3, 4] and left == {}
    packets, _, left = computed(series, everything | {series.flows[2][1].key: refused})
    assert packets == [0, 2, 4] and set(left) == {1, 3}
    assert series.refusal(everything | {series.flows[2][1].key: refused}) == "NL-E099 scenario: no flows"


def keys(plan: Plan) -> list[str]:
    return [run.key for _, run in plan.runs()]


def test_flows_have_the_keys_of_an_experiment_of_their_own(tmp_path: Path) -> None:
    more = '[experiment.options]\nswitch = "output-queued(packet_bytes=1024)"\nrepetitions = 2\n'
    (first, second) = fast(write(tmp_path / "a", COLLECTIVES + more)).series
    text = COLLECTIVES.replace('"packet"', '"time"') + more.replace('switch = "output-queued(packet_bytes=1024)"\n', "")
    own = keys(prepare(write(tmp_path / "b", text)))
    assert {run.key for series in (first, second) for _, run in series.flows} == set(own)
    assert not {run.key for series in (first, second) for _, run in series.packets} & set(own)


@pytest.mark.parametrize(
    ("axes", "wanted"),
    [
        ('workload = "allreduce:ring"\nsize_bytes = ["1 KiB", 4, 64]\n', [[4, 64, 1024]]),
        ("workload = [\"shift(k=1,bytes='1 KiB')\", 'shift(1,bytes=8)', 'shift(k=1)']\n", [[1, 8, 1024]]),
        ('workload = "shift(k={k},bytes={n})"\nk = [1, 2]\nn = [64, 1, 8]\n', [[1, 8, 64], [1, 8, 64]]),
        ('workload = "shift(k=1)"\n"workload.bytes" = [64, 8, "1 KiB"]\n', [[8, 64, 1024]]),
        ('workload = "allreduce:ring"\nsize_bytes = [1, 64]\n', []),
        ('workload = "allreduce:ring"\nsize_bytes = [1, 4, 64]\nseed = [1, 2]\n', [[1, 4, 64]] * 2),
    ],
)
def test_series_are_runs_that_differ_in_the_size_alone(tmp_path: Path, axes: str, wanted: list[list[int]]) -> None:
    text = COLLECTIVES.partition("workload")[0] + axes
    found = fast(write(tmp_path, text)).series
    assert [[size(pair) for pair in series.packets] for series in found] == wanted


def size(pair: Pair) -> int:
    calls = pair[1].calls
    text = str(calls["workload"])
    if "workload.bytes" in calls:
        return {8: 8, 64: 64}.get(int(str(calls["workload.bytes"]).split()[0]), 1024)
    return int(float(text.partition("bytes=")[2].rstrip(")"))) if "bytes=" in text else int(calls["size_bytes"])


def test_any_number_of_workers_gives_the_same_bytes(tmp_path: Path, spared: Path) -> None:
    for jobs, on in ((2, "threads"), (2, "processes")):
        run_study(fast(write(tmp_path)), tmp_path / on, jobs=jobs, on=on, figures=False)
        assert content(tmp_path / on) == content(spared)


def test_whatever_a_journal_has_lost_the_tables_are_the_same(tmp_path: Path, spared: Path) -> None:
    """Flows that nothing rests on any more are not computed again: the journal alone may be shorter."""
    out = tmp_path / "out"
    run_study(fast(write(tmp_path)), out, jobs=1, figures=False)
    header, *lines = (out / "runs.jsonl").read_bytes().splitlines(keepends=True)
    for cut in range(0, len(lines) + 1, 4):
        for kept in (lines[:cut], lines[cut:], lines[:cut:2]):
            (out / "runs.jsonl").write_bytes(b"".join([header, *kept]))
            run_study(fast(tmp_path / "study.toml"), out, jobs=1, figures=False)
            assert tables(out) == tables(spared), cut


def test_stopped_in_the_order_of_computing(tmp_path: Path, spared: Path) -> None:
    """After each run that ends, as a kill would leave the journal."""
    out = tmp_path / "out"
    study = write(tmp_path)
    stop_at = 0
    while True:
        stop_at += 3
        ended: list[int] = []

        def stop(now: Standing, ended: list[int] = ended, stop_at: int = stop_at) -> None:
            ended.append(now.done)
            if ended[-1] >= stop_at:
                raise KeyboardInterrupt

        try:
            run_study(fast(study), out, jobs=1, figures=False, report=stop)
        except KeyboardInterrupt:
            continue
        break
    assert stop_at > 9 and content(out) == content(spared)


def test_without_it_all_runs_are_by_packets_again(tmp_path: Path, whole: Path, spared: Path) -> None:
    out = tmp_path / "out"
    study = write(tmp_path)
    run_study(fast(study), out, jobs=1, figures=False)
    told: list[tuple[int, int]] = []
    run_study(study, out, jobs=1, figures=False, report=lambda now: told.append((now.done, now.total)))
    left = sum(row["fast_over"] == "flows" for row in rows(spared))
    assert told[0] == (len(rows(whole)) - left, len(rows(whole)))
    assert tables(out) == tables(whole)
    # All referees are there now.
    finished = run_study(fast(study), out, jobs=1, figures=False, report=lambda now: told.append((now.done, now.total)))
    assert told[-1][0] == told[-1][1] == len(rows(whole))
    found = finished.outcomes["sizes"].spared
    assert found and found.flows == 0 and "or packets had answered before" in found.says
    assert [row["time_s"] for row in rows(out)] == [row["time_s"] for row in rows(whole)]


def test_it_computes_nothing_twice(tmp_path: Path, spared: Path) -> None:
    told: list[tuple[int, int]] = []
    before = content(spared)
    run_study(
        fast(spared.parent / "study.toml"), spared, figures=False, report=lambda n: told.append((n.done, n.total))
    )
    assert len(told) == 1 and told[0][0] == told[0][1]
    assert content(spared) == before


def test_parts_make_the_whole(tmp_path: Path) -> None:
    study, out = write(tmp_path, COLLECTIVES), tmp_path / "out"
    run_study(fast(study), tmp_path / "whole", jobs=1, figures=False)
    plan = fast(study)
    write_array(plan, out, 2, ["--fast"])
    assert "--fast" in (out / "shards" / "array.sbatch").read_text()
    with pytest.raises(NetloomError, match=r"an integer in 1\.\.2"):
        write_array(plan, out, 3)
    for number in (1, 2):
        assert len(Shard(number, 2).keys(plan)) == 17
    run_shard(fast(study), out, Shard(1, 2), jobs=1)
    with pytest.raises(NetloomError, match=r"2-of-2.*lacks 17 of its 17(?s:.*)--fast --shard 2/2"):
        merge(out, figures=False)
    run_shard(fast(study), out, Shard(2, 2), jobs=1)
    merge(out, figures=False)
    assert content(out) == content(tmp_path / "whole")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"packet"', '"time"', "it asks time, not packet"),
        ('"1:64KiB"', '["1 KiB", 4]', "no 3 of its runs differ in the message size alone"),
        ('"packet"\n', '"packet"\noptions = { details = true }\n', "only packets have details"),
        ('"packet"\n', '"packet"\noptions = { fast = true }\n', "extrapolated already"),
        ('"packet"\n', '"packet"\noptions = { stop_after_s = 100 }\n', "stopped after a time"),
        ('"packet"\n', '"packet"\nbest = [{ column = "waits" }]\n', "the study reads waits, which only packets have"),
        ('"packet"\n', '"packet"\nbest = [{ column = "max_s", table = "classes" }]\n', "the study reads classes"),
    ],
)
def test_an_experiment_with_nothing_to_gain_says_so(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = COLLECTIVES.replace("1:64KiB", "1:8") if "1:64KiB" not in old else COLLECTIVES
    plan = fast(write(tmp_path, text.replace(old, new)))
    (line,) = map(plan.ahead, plan.parts)
    assert line.startswith("--fast: nothing to skip in experiment sizes: ") and said in line
    finished = run_study(plan, tmp_path / "out", jobs=1, figures=False)
    found = finished.outcomes["sizes"].spared
    assert found and found.says == line
    (noted,) = json.loads((tmp_path / "out" / "summary.json").read_text())["fast"]
    assert noted == {"experiment": "sizes", "flows": 0, "error": 0.0, "says": line}


def test_where_flows_refuse_packets_answer_and_the_note_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = work.answer

    def refusing(row: Evaluator, *rest: object) -> Answer:
        if row.name == "time":
            raise NetloomError([Fault("NL-E099", "scenario", "no flows here")])
        return asked(row, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(work, "answer", refusing)
    for _ in range(2):
        finished = run_study(fast(write(tmp_path, COLLECTIVES)), tmp_path / "out", jobs=1, figures=False)
        assert finished.problems == [] and len(finished.outcomes["sizes"].table.rows) == 34
        found = finished.outcomes["sizes"].spared
        assert found and found.flows == 0 and "flows have no answer: NL-E099 scenario: no flows here" in found.says


def test_what_is_said_of_it(spared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    left = sum(row["fast_over"] == "flows" for row in rows(spared))
    study = write(tmp_path)
    with pytest.raises(SystemExit) as left_with:
        main(["run", str(study), "-o", str(tmp_path / "out"), "--fast", "-j", "1", "-q", "--no-figures"])
    assert not left_with.value.code
    printed = capsys.readouterr()
    words = f"--fast: flows answer {left} of 20 runs of experiment sizes, each between two sizes"
    assert "by flows" in printed.out and words in printed.err
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    (noted,) = summary["fast"]
    assert noted["flows"] == left and 0 < noted["error"] <= AGREE and words in noted["says"]
    first, second = summary["claims"]
    assert "2 of 2 runs by flows" in first["by_flows"] and "by_flows" not in second
    assert f"claim {first['says']}: {first['by_flows']}" in printed.err
    report = (tmp_path / "out" / "report.html").read_text()
    assert words in report and first["by_flows"] in report and "netloom run study.toml --fast" in report
    about = json.loads((tmp_path / "out" / "tables" / "sizes.provenance.json").read_text())
    assert words in about["fast"]
    with pytest.raises(SystemExit):
        main(["run", str(study), "--check", "--fast"])
    assert "flows may answer up to 12 of 20 runs of experiment sizes" in capsys.readouterr().err
