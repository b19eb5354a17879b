"""`netloom collectives` and `netloom explain LIBRARY` as a user runs them, on a clock of the test's own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from netloom import workload as build
from netloom.tuning import cost, tables

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def netloom(netloom: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line in this process, in an empty folder: exit code, stdout, stderr."""

    def clock(net: Any, call: str, mapping: Any, size_bytes: int, root: int) -> dict[str, Any]:
        schedule: Any = build(call, len(mapping), root=root, size_bytes=size_bytes)
        counts = schedule.verify()
        time_s = 1e-6 * counts["steps"] + 1e-9 * counts["max_bytes_sent"]
        return {"time_s": time_s, "finish_s": np.full(len(mapping), time_s)}

    # Where it is imported by name, in a module that may not be loaded yet, it would stay for good.
    for module in (tables, cost):
        monkeypatch.setattr(module, "simulated", lambda machine=None: clock)

    return netloom


def test_a_table_with_winners_switch_points_and_bound(netloom: Run) -> None:
    pure = ("--calibration", "pure")
    code, out, err = netloom("collectives", "-n", "star(7)", "-c", "allreduce", "--sizes", "1KiB,1MiB", *pure)
    lines = out.splitlines()
    assert (
        code == 0
        and lines[0].startswith("allreduce of 1MiB: 1.8 ms, busbw ")
        and lines[0].endswith("; star(7), 7 ranks")
    )
    assert lines[1].split() == ["1KiB", "1MiB"] and max(map(len, lines[1:])) <= 80
    assert any("*" in line.partition("  ")[2][:24] for line in lines[2:])
    assert "* fastest of its size, with those within 2 %" in lines
    assert [line.partition(":")[0] for line in lines if line.startswith("from")] == [
        "from 1KiB",
        "from 1MiB",
    ]
    assert lines[-1].startswith("bound: partition into ")
    assert "left out: allreduce:swing-all-ports: an even number" in err


@pytest.mark.parametrize(
    ("costs", "share"), [((), 0.34), (("--calibration", "pure"), None), (("--set", "wire.duplex=half"), None)]
)
def test_ties_are_those_within_the_known_error(netloom: Run, costs: tuple[str, ...], share: float | None) -> None:
    asked = ("collectives", "-n", "star(8)", "-c", "allreduce", "-q", *costs)
    code, out, _ = netloom(*asked, "--sizes", "1KiB,1MiB", "--json")
    (found,) = json.loads(out)["collectives"]
    assert code == 0 and found["error"] == share
    for one in found["ties"]:
        times = {row["algorithm"]: row["time_s"] for row in found["rows"] if row["size_bytes"] == one["size_bytes"]}
        least = min(times.values())
        within = {name for name, time in times.items() if time <= least * (1 + (share or 0.02))}
        assert set(one["algorithms"]) == within and times[one["algorithms"][0]] == least
    names = [name.partition(":")[2] for name in found["ties"][-1]["algorithms"]]
    said = f"within 34 %, the median error of such predictions: {', '.join(names[:8])}"
    both, alone = netloom(*asked, "--sizes", "1KiB,1MiB")[1], netloom(*asked, "--sizes", "1MiB")[1]
    marked = sum(line.endswith("*") for line in both.splitlines()[2:])
    assert marked == len(names)
    assert (f"\n* {said}" in both and " tie at 1MiB\n" in both) is (share is not None)
    assert (f"\n{said}" in alone) is (share is not None)
    level = [line.split()[0] for line in alone.splitlines() if line.endswith(" tie") and "within" not in line]
    assert sorted(level) == sorted(names[1:] if share else [])


def test_tuning_files_say_the_error_where_they_have_comments(netloom: Run) -> None:
    asked = ("collectives", "-n", "star(8)", "-c", "allreduce", "-q", "--sizes", "64KiB,1MiB", "--emit")
    for costs, said in (((), True), (("--calibration", "pure"), False)):
        assert netloom(*asked, "ompi,mpich,nccl,ucc", "-o", "tuned", *costs)[0] == 0
        for name in ("ompi-rules.conf", "nccl-tuner.csv", "ucc-tune.env"):
            lines = Path("tuned", name).read_text().splitlines()
            assert any(line.startswith("# median error of such predictions: 34 %") for line in lines) is said, name
        json.loads(Path("tuned", "mpich-selection.json").read_text())


def test_json_says_what_was_skipped_and_why(netloom: Run) -> None:
    _, out, _ = netloom("collectives", "-n", "ring(7)", "-c", "allreduce", "--sizes", "1KiB", "--json")
    skipped = {row["algorithm"]: row["reason"] for row in json.loads(out)["collectives"][0]["skipped"]}
    assert "even" in skipped["allreduce:swing-all-ports"]


def test_what_there_was_no_time_for_is_named_next_to_the_winner(netloom: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """With no seconds at all the cheapest algorithm is timed at one size."""
    monkeypatch.setattr("netloom.tuning.taking.BUDGET_S", 0.0)
    asked = ("collectives", "-n", "star(8)", "-c", "allreduce", "--sizes", "1KiB,2KiB,1MiB", "-q")
    code, out, err = netloom(*asked)
    assert code == 0 and out.startswith("allreduce of 1KiB: ")
    assert ", unless " in out.splitlines()[0] and "not timed" in out.splitlines()[0]
    assert "left out for want of time: 2KiB, 1MiB: give fewer with --sizes" in err
    (found,) = json.loads(netloom(*asked, "--json")[1])["collectives"]
    (row,) = found["rows"]
    assert found["sizes_skipped"] == [2048, 1 << 20]
    untimed = {one["algorithm"] for one in found["may_win"]}
    skipped = {one["algorithm"]: one["reason"] for one in found["skipped"]}
    assert row["algorithm"] not in untimed and untimed <= set(skipped)
    assert all("name it with --algorithms; it may win at 1KiB" in skipped[name] for name in untimed)
    monkeypatch.setattr("netloom.tuning.taking.BUDGET_S", 0.01)
    _, _, err = netloom(*asked, "--emit", "ompi,ucc", "-o", "tuned")
    assert "allreduce: the files choose among what was timed; --json has may_win, sizes_skipped" in err


def test_json_has_rows_and_files(netloom: Run) -> None:
    code, out, _ = netloom(
        *("collectives", "-n", "star(8)", "-c", "bcast,barrier", "--sizes", "8,1KiB"),
        *("--emit", "ompi,mpich", "-o", "tuned", "--json"),
    )
    found = json.loads(out)
    assert code == 0 and [part["collective"] for part in found["collectives"]] == ["broadcast", "barrier"]
    rows = found["collectives"][0]["rows"]
    assert {row["size_bytes"] for row in rows} == {8, 1024} and all(0 <= row["bound_percent"] <= 100 for row in rows)
    assert {row["size_bytes"] for row in found["collectives"][1]["rows"]} == {0}
    assert all(Path(entry["path"]).is_file() for entry in found["files"])
    names = {Path(entry["path"]).name for entry in found["files"]}
    assert {"ompi-rules.conf", "mpich-selection.json", "collectives-broadcast.csv"} <= names
    # The same question, the same bytes.
    before = {path.name: path.read_bytes() for path in Path("tuned").iterdir()}
    netloom(
        "collectives",
        "-n",
        "star(8)",
        "-c",
        "bcast,barrier",
        "--sizes",
        "8,1KiB",
        "--emit",
        "ompi,mpich",
        "-o",
        "tuned",
    )
    assert {path.name: path.read_bytes() for path in Path("tuned").iterdir()} == before


@pytest.mark.parametrize("layout", ["osu", "imb", "nccl"])
def test_layouts_go_to_stdout_alone(netloom: Run, layout: str) -> None:
    code, out, err = netloom("collectives", "-n", "star(4)", "--algorithms", "allreduce:ring", "--format", layout)
    rows = [line for line in out.splitlines() if line.split() and line.split()[0].isdigit()]
    assert code == 0 and err == "" and len(rows) == 13


@pytest.mark.parametrize(
    ("options", "mentions"),
    [
        (("--collective", "allreduec"), ("NL-D001", "allreduce")),
        (("--sizes", "1MiB:1KiB"), ("NL-D002", "--sizes")),
        (("--sizes", "many"), ("NL-A008", "--sizes")),
        (("--format", "ous"), ("NL-D001", "osu")),
        (("--emit", "ompi"), ("NL-X010", "-o FOLDER")),
        (("--emit", "opmi", "-o", "tuned"), ("NL-D001", "ompi")),
        (("--ranks", "5"), ("NL-M003",)),
        (("--ranks", "0"), ("NL-A007", "--ranks")),
        (("--root", "9", "--collective", "broadcast"), ("root",)),
        (("--algorithms", "allreduce:rnig"), ("allreduce:ring",)),
        (("--algorithms", "broadcast:chain"), ("NL-D001", "allreduce")),
        (("--algorithms", "allreduce:swing-all-ports", "--ranks", "3"), ("NL-D003", "even")),
    ],
)
def test_bad_input_is_one_clear_line(netloom: Run, options: tuple[str, ...], mentions: tuple[str, ...]) -> None:
    code, out, err = netloom("collectives", "-n", "star(4)", *options)
    assert code == 2 and out == "" and err.startswith("error: NL-"), err
    assert "internal error" not in err and all(word in err for word in mentions), err
    assert not Path("tuned").exists()


def test_explain_still_explains_codes(netloom: Run) -> None:
    code, out, _ = netloom("explain", "NL-T001")
    assert code == 0 and out.startswith("code")
    assert netloom("explain", "NL-Q999")[0] == 2


def test_explain_says_which_rule_and_which_fallback(netloom: Run) -> None:
    code, out, _ = netloom("explain", "ompi", "allreduce", "--ranks", "128", "--bytes", "4")
    assert code == 0 and "nonoverlapping" in out and "comm_size>=128 and comm_size<256" in out
    code, out, _ = netloom(
        *("explain", "ompi", "allreduce", "--ranks", "65536", "--bytes", "32KiB", "--type-bytes", "1", "--json")
    )
    found = json.loads(out)
    assert found["algorithm"] == "rabenseifner" and found["runs"] == "basic_linear"
    code, out, _ = netloom("explain", "smpi", "alltoall", "--ranks", "7", "--bytes", "64KiB")
    assert code == 0 and "aborts" in out


def test_explain_costs_the_choice_beside_the_best(netloom: Run) -> None:
    code, out, _ = netloom(
        *("explain", "ompi", "broadcast", "--ranks", "8", "--bytes", "1MiB", "--network", "star(8)", "--json")
    )
    here = json.loads(out)["here"]
    assert code == 0 and here["choice_s"] >= here["best_s"] >= here["bound_s"] > 0
    assert here["slower_by"] == pytest.approx(here["choice_s"] / here["best_s"])


@pytest.mark.parametrize(
    ("words", "mentions"),
    [
        (("explain", "omp", "allreduce", "--ranks", "4", "--bytes", "4"), "ompi"),
        (("explain", "ompi", "allredcue", "--ranks", "4", "--bytes", "4"), "allreduce"),
        (("explain", "ompi", "allreduce", "--ranks", "4"), "--bytes"),
        (("explain", "ompi", "allreduce", "--ranks", "1", "--bytes", "4"), "--ranks"),
        (("explain", "ompi", "allreduce", "--ranks", "4", "--bytes", "6", "--type-bytes", "4"), "NL-D005"),
        (("explain", "ompi", "allreduce", "--ranks", "4", "--bytes", "-4"), "NL-A008"),
        (("explain", "ompi"), "NL-A002"),
    ],
)
def test_explain_refuses_in_words(netloom: Run, words: tuple[str, ...], mentions: str) -> None:
    code, out, err = netloom(*words)
    assert code == 2 and out == "" and err.startswith("error: ") and mentions in err and "internal" not in err
