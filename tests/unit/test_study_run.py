"""Studies from file to results: what is refused, what is written, and that a stopped study ends like any other."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from netloom.base.errors import NetloomError
from netloom.study import prepare, run_study
from netloom.study.journal import Journal

STUDY = """
title = "Two placements"
[[experiment]]
name = "hops"
evaluate = "hops"
options = { trace = true }
skip_unsupported = true
[experiment.axes]
seed = [1, 2, 3]
n = [16, 32]
network = ["circulant({n},pow2)", "random_shortcut({n},degree=5,seed={seed})"]
ranks = 8
placement = [{ value = "random(seed={seed})", label = "random" }, "circulant(start=0)"]
order = ["draw", { value = "two-opt(swaps=200,seed={seed})", label = "two-opt" }]
workload = ["broadcast:binomial", "allreduce:recursive-doubling"]
[[experiment.compare]]
column = "total_hops"
baseline = { order = "draw" }
name = "fewer_percent"
[[experiment.chart]]
title = "Hops"
x = "n"
y = "total_hops"
series = ["placement", "order"]
facet = "workload"
[[experiment.chart]]
title = "Search"
table = "trace"
x = "evaluations"
y = "value"
series = "placement"
[[experiment.table]]
title = "Medians"
rows = ["network", "workload"]
across = "order"
values = "total_hops"
[[experiment.claim]]
id = "one hop"
says = "the circulant placement takes one hop per message"
of = { column = "total_hops", where = { placement = "circulant(start=0)", order = "draw" } }
to = { column = "messages" }
is = "=="
each = ["n", "workload"]
[[experiment.claim]]
id = "wrong"
says = "and two-opt makes it worse"
of = { column = "total_hops", where = { order = "two-opt" } }
to = { where = { order = "draw" } }
is = ">"
each = ["n", "placement"]
refuted = "it keeps only what is better"
[experiment.emit]
formats = ["rankfile"]
each = ["workload"]
where = { n = 32 }
[[experiment.drawing]]
network = "circulant(16,pow2)"
ranks = 8
placement = "circulant(start=0)"
[[experiment]]
name = "metrics"
evaluate = "metrics"
[experiment.axes]
network = ["ring(8)", "torus(4,4)"]
[[experiment]]
name = "cost"
evaluate = "cost"
[experiment.axes]
network = ["ring(64)"]
cabinets = ["row-major", "snake"]
[[experiment]]
name = "proofs"
evaluate = "verify"
[experiment.axes]
ranks = [5, 8]
collective = ["broadcast:binomial", "allreduce:ring"]
"""


def write(folder: Path, text: str = STUDY, name: str = "study.toml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def contents(folder: Path) -> dict[str, bytes]:
    """All results; the journal's order is that of finishing."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "runs.jsonl")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(files)}


def table(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "tables" / name).open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The study run once without interruption, in one thread."""
    folder = tmp_path_factory.mktemp("whole")
    finished = run_study(write(folder), folder / "out", jobs=1)
    assert finished.problems == []
    return folder / "out"


def test_tables_hold_every_run_with_its_axes(whole: Path) -> None:
    rows = table(whole, "hops.csv")
    skipped = table(whole, "hops-skipped.csv")
    assert len(rows) + len(skipped) == 3 * 2 * 2 * 2 * 2 * 2
    assert {row["network"] for row in skipped} == {"random_shortcut(degree=5)"}
    assert {row["placement"] for row in skipped} == {"circulant(start=0)"}
    for row in rows:
        assert int(row["messages"]) == {"broadcast:binomial": 7, "allreduce:recursive-doubling": 24}[row["workload"]]
        if row["order"] == "draw":
            assert float(row["fewer_percent"]) == 0 and row["value"] == ""
        else:
            assert int(row["value"]) == int(row["total_hops"]) >= int(row["bound"])
            assert float(row["fewer_percent"]) >= 0
    trace = table(whole, "hops-trace.csv")
    assert {"evaluations", "value", "placement"} <= set(trace[0])


def test_provenance_says_how_to_make_a_table_again(whole: Path) -> None:
    about = json.loads((whole / "tables" / "hops.provenance.json").read_text())
    assert about["seeds"] == "1 to 3" and len(about["study_hash"]) == 64
    assert about["axes"]["order"][1] == {"label": "two-opt", "value": "two-opt(swaps=200,seed={seed})"}


def test_claims_and_rank_files(whole: Path) -> None:
    summary = json.loads((whole / "summary.json").read_text())
    assert [claim["verdict"] for claim in summary["claims"]] == ["confirmed", "refuted"]
    ranks = sorted(path.relative_to(whole).as_posix() for path in (whole / "ranks").rglob("*.*"))
    assert [path.split("/")[2] for path in ranks] == ["allreduce-recursive-doubling", "broadcast-binomial"]
    assert all(len((whole / path).read_text().splitlines()) >= 8 for path in ranks)
    report = (whole / "report.html").read_text()
    assert "Two placements" in report and "it keeps only what is better" in report


def test_threads_do_not_change_a_byte(whole: Path, tmp_path: Path) -> None:
    run_study(write(tmp_path), tmp_path / "out", jobs=4)
    assert contents(tmp_path / "out") == contents(whole)


def test_a_killed_study_ends_with_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    study, out = write(tmp_path), tmp_path / "out"
    lines = (whole / "runs.jsonl").read_bytes().splitlines(keepends=True)
    for cut in (0, 1, 5, len(lines) - 1):
        out.mkdir(exist_ok=True)
        torn = lines[cut][: len(lines[cut]) // 2]
        (out / "runs.jsonl").write_bytes(b"".join(lines[:cut]) + torn)
        done: list[int] = []
        run_study(study, out, report=lambda now, done=done: done.append(now.done))
        assert done[0] == max(0, cut - 1)
        assert contents(out) == contents(whole)


def test_a_finished_study_computes_nothing(whole: Path) -> None:
    before = contents(whole)
    done = []
    run_study(whole.parent / "study.toml", whole, report=lambda now: done.append((now.done, now.total)))
    assert done == [(done[0][1], done[0][1])]
    assert contents(whole) == before


def test_interrupted_by_a_signal_it_keeps_what_it_has(tmp_path: Path) -> None:
    text = STUDY.replace("swaps=200", "swaps=300000").replace("seed = [1, 2, 3]", "seed = { range = [1, 60] }")
    study, out = write(tmp_path, text), tmp_path / "out"
    command = [sys.executable, "-m", "netloom", "run", str(study), "-o", str(out), "-j", "1", "--no-figures"]
    # Whoever starts the tests may ignore the signal (nohup in a script does), and children inherit that.
    heed = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=heed)
    journal = out / "runs.jsonl"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (journal.exists() and journal.read_bytes().count(b"\n") > 3):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert "Go on with: netloom run" in stderr and "Traceback" not in stderr
    kept = journal.read_bytes()
    assert kept.endswith(b"\n") and all(json.loads(line) for line in kept.splitlines())
    assert not (out / "report.html").exists()


def test_another_studys_folder_is_refused_and_taken_over_by_force(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_study(write(tmp_path), out)
    edited = write(tmp_path, STUDY.replace("Two placements", "Edited"), "edited.toml")
    with pytest.raises(NetloomError, match="NL-S011"):
        run_study(edited, out)
    done = []
    run_study(edited, out, force=True, report=lambda now: done.append((now.done, now.total)))
    assert len(done) == 1, "the runs are the same and are kept"
    assert "Edited" in (out / "report.html").read_text()


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    study = write(tmp_path)
    with Journal(tmp_path / "out", "x", "1"), pytest.raises(NetloomError, match="NL-S012"):
        run_study(study, tmp_path / "out")


def test_what_is_no_journal_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "runs.jsonl").write_text("precious\n")
    with pytest.raises(NetloomError, match="NL-S013"):
        run_study(write(tmp_path), tmp_path / "out")
    assert (tmp_path / "out" / "runs.jsonl").read_text() == "precious\n"


def test_a_full_disk_is_one_clear_fault(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    study = write(tmp_path)
    for limit in (200, 3000):
        done = subprocess.run(
            [sys.executable, "-m", "netloom", "run", str(study), "-o", str(tmp_path / f"out{limit}"), "-q"],
            capture_output=True,
            text=True,
            preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        )
        assert done.returncode == 2 and "NL-X003" in done.stderr and "Traceback" not in done.stderr, done.stderr


def test_a_device_is_no_journal(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "runs.jsonl").symlink_to("/dev/zero")
    with pytest.raises(NetloomError, match="NL-S013"):
        run_study(write(tmp_path), tmp_path / "out")


def test_refused_runs_are_a_problem_unless_the_study_allows_them(tmp_path: Path) -> None:
    study = write(tmp_path, STUDY.replace("skip_unsupported = true", ""))
    finished = run_study(study, tmp_path / "out", figures=False)
    assert any("run refused" in problem and "circulant" in problem for problem in finished.problems)


@pytest.mark.parametrize(
    ("old", "new", "code", "place"),
    [
        ('title = "Two', 'titel = "Two', "NL-S002", ":2:1"),
        ('evaluate = "hops"', 'evaluate = "hop"', "NL-S005", ":5:1"),
        ("trace = true", "trace = 3", "NL-S005", ":6:"),
        ("trace = true", "tarce = true", "NL-S005", ":6:"),
        ("circulant({n},pow2)", "circulant({m},pow2)", "NL-S007", ":11:"),
        ("circulant({n},pow2)", "circulnt({n},pow2)", "NL-A002", ":11:"),
        ("circulant({n},pow2)", "circulant({n},jumps=1,k=2)", "NL-A003", ":11:"),
        ("ranks = 8", "ranks = 0", "NL-A007", ":12:1"),
        ("ranks = 8", "ranks = 8\nnothing = 3", "NL-S006", ":13:1"),
        ("ranks = 8", "rank = 8", "NL-S006", ":12:1"),
        ("ranks = 8", "ranks = 1.5", "NL-A007", ":12:1"),
        ("two-opt(swaps=200,", "two-opt(swaps=-1,", "NL-A007", ":14:"),
        ("two-opt(swaps=200,", "three-opt(swaps=200,", "NL-A002", ":14:"),
        ("broadcast:binomial", "broadcast:binomal", "NL-A002", ":15:"),
        ("broadcast:binomial", "unifrom(seed=1)", "NL-A002", ":15:"),
        ('x = "n"', 'x = "m"', "NL-S008", ":22:1"),
        ('table = "trace"', 'table = "traces"', "NL-S008", ":"),
        ("baseline = { order", "baseline = { ordr", "NL-S009", ":18:"),
        ('baseline = { order = "draw"', 'baseline = { order = "drawn"', "NL-S009", ":18:"),
        ('is = "=="', 'is = "="', "NL-S004", ":"),
        ('is = "=="', "expected = 1\nis = '=='", "NL-S014", ":"),
        ('formats = ["rankfile"]', 'formats = ["rankfle"]', "NL-", ":"),
        ('name = "metrics"', 'name = "hops"', "NL-S015", ":"),
        ('name = "metrics"', 'name = "../up"', "NL-S004", ":"),
        ("seed = [1, 2, 3]", "seed = { range = [1, 300000] }", "NL-S010", ":"),
        ('title = "Two placements"', 'title = "Two placements', "NL-S001", ":2:"),
        ('"ring(8)"', '"no/such/file.graphml"', "NL-X001", ":"),
    ],
)
def test_faults_name_line_and_column(tmp_path: Path, old: str, new: str, code: str, place: str) -> None:
    assert old in STUDY
    study = write(tmp_path, STUDY.replace(old, new, 1))
    with pytest.raises(NetloomError) as caught:
        prepare(study)
    texts = [str(fault) for fault in caught.value.faults if fault.code.startswith(code)]
    assert texts, str(caught.value)
    assert f"study.toml{place}" in texts[0], texts[0]


def test_an_axis_outside_of_its_table_is_shown_there(tmp_path: Path) -> None:
    study = write(tmp_path, STUDY.replace('evaluate = "hops"', 'evaluate = "hops"\nranks = 8', 1))
    with pytest.raises(NetloomError) as caught:
        prepare(study)
    (fault,) = caught.value.faults
    assert (fault.code, fault.hint) == ("NL-S002", "it is an axis: write it below [experiment.axes]")


PAIRED = """
title = "A zip"
[[experiment]]
name = "pairs"
evaluate = "hops"
[experiment.axes]
network = "torus(4,4)"
ranks = 8
workload = "broadcast:binomial"
[experiment.zip]
way = [{ order = "draw", placement = "linear" }, { order = "random(seed=1)", placement = "random(seed=1)" }]
[[experiment.compare]]
column = "total_hops"
baseline = { order = "draw" }
name = "fewer_percent"
"""


def test_a_comparison_without_partners_is_refused(tmp_path: Path) -> None:
    """The placement changes with the order: no two runs differ in the order alone."""
    with pytest.raises(NetloomError) as caught:
        prepare(write(tmp_path, PAIRED))
    (fault,) = caught.value.faults
    assert fault.code == "NL-S009" and "no run differs from one of these in nothing else" in fault.expected
    assert fault.hint.startswith('ignoring = ["placement"]')
    prepare(write(tmp_path, PAIRED.replace('"draw" }\nname', '"draw" }\nignoring = ["placement"]\nname')))
    left = 'evaluate = "hops"\nonly = [{ order = "random(seed=1)" }]'
    with pytest.raises(NetloomError, match="leave no such run"):
        prepare(write(tmp_path, PAIRED.replace('evaluate = "hops"', left)))


def test_all_faults_at_once(tmp_path: Path) -> None:
    text = (
        STUDY.replace("ranks = 8", "ranks = -8", 1)
        .replace("broadcast:binomial", "broadcast:x")
        .replace("ring(8)", "rng(8)")
    )
    with pytest.raises(NetloomError) as caught:
        prepare(write(tmp_path, text))
    assert len(caught.value.faults) >= 3


def test_a_study_reads_network_files_beside_it(tmp_path: Path) -> None:
    (tmp_path / "net.edges").write_text("0 1\n1 2\n2 0\n")
    text = 'title = "t"\n[[experiment]]\nname = "m"\nevaluate = "metrics"\n[experiment.axes]\nnetwork = "net.edges"\n'
    finished = run_study(write(tmp_path, text), tmp_path / "out", figures=False)
    assert finished.outcomes["m"].table.rows[0]["switches"] == 3
    (tmp_path / "net.edges").write_text("0 1\n1 2\n2 3\n")
    again = run_study(tmp_path / "study.toml", tmp_path / "out", figures=False)
    assert again.outcomes["m"].table.rows[0]["switches"] == 4, "an edited file is another network"


def test_a_size_is_that_of_collectives_among_other_workloads(tmp_path: Path) -> None:
    """A pattern goes without it; where no workload takes it, runs are skipped with the reason."""
    text = (
        '[[experiment]]\nname = "{}"\nevaluate = "loads"\naxes.network = "ring(4)"\naxes.size_bytes = "1 KiB"\n'
        "axes.workload = {}\n"
    )
    parts = [
        text.format("mixed", '["allreduce:ring", "all-pairs"]'),
        text.format("none", '["transpose", "shift(k=1)"]'),
    ]
    (tmp_path / "study.toml").write_text('title = "Sizes"\n' + "".join(parts))
    finished = run_study(tmp_path / "study.toml", tmp_path / "out")
    mixed, none = finished.outcomes.values()
    assert [row["bytes_sent"] for row in mixed.table.rows] == [4 * 1024 * 6 / 4, 12]
    assert none.table.rows == [] and [row["code"] for row in none.skipped.rows] == ["NL-H003"] * 2
