"""`netloom simulate --fast`: what it says, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]

LONG = ("simulate", "-n", "torus(4,4)", "-t", "shift(k=5,bytes=4194304)", "--calibration", "pure", "--model", "packet")
SHORT = ("simulate", "-n", "torus(4,4)", "-t", "shift(k=5,bytes=65536)", "--calibration", "pure", "--model", "packet")


def test_the_error_is_printed_and_in_json(netloom: Run) -> None:
    found = json.loads(netloom(*LONG, "--fast", "--json", "-q")[1])
    part = found["fast"]
    assert part["over"] == "bytes" and 0 < part["share"] < 0.26 and part["packets"] == 1024
    assert part["error"] == pytest.approx(part["error_s"] / found["time_s"])
    whole = json.loads(netloom(*LONG, "--json", "-q")[1])
    assert "fast" not in whole and abs(found["time_s"] - whole["time_s"]) <= part["error_s"]
    assert found["messages"] == whole["messages"] and found["bytes"] == whole["bytes"]
    assert found["work"]["packets"] < whole["work"]["packets"]
    printed = netloom(*LONG, "--fast", "-q")[1]
    assert "extrapolated" in printed and "may be off by" in printed
    assert "Note: Extrapolated from" in printed


def test_without_effect_it_says_so(netloom: Run) -> None:
    code, printed, _ = netloom(*SHORT, "--fast", "-q")
    assert code == 0 and "nothing is skipped" in printed and "extrapolated" not in printed
    whole = json.loads(netloom(*SHORT, "--json", "-q")[1])
    found = json.loads(netloom(*SHORT, "--fast", "--json", "-q")[1])
    assert found["fast"] == {"over": None, "share": 1.0, "error": 0.0, "error_s": 0.0, "packets": 16, "ranks": 16}
    assert found["time_s"] == whole["time_s"]


def test_a_page_has_the_error_and_no_timeline(netloom: Run, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert netloom(*LONG, "--fast", "-q", "--report", str(page))[0] == 0
    text = page.read_text()
    assert "error of the part" in text and "is not recorded" in text


@pytest.mark.parametrize(
    "more",
    [
        ("--critical-path",), ("--details",), ("--links", "4"), ("--features",), ("--stop-after", "60"),
        ("--background", "0:1"), ("--parallel", "optimistic"), ("--switch", "input-queued"),
        ("--timeline", "made.json"),
    ],
    ids=lambda more: more[0],
)  # fmt: skip
def test_what_a_part_cannot_tell_is_refused(netloom: Run, more: tuple[str, ...]) -> None:
    code, printed, err = netloom(*LONG, "--fast", "-q", *more)
    assert code == 2 and printed == "" and "--fast" in err
    assert len([line for line in err.splitlines() if "NL-" in line]) == 1


def test_whoever_bears_more_error_waits_less(netloom: Run) -> None:
    shares = [
        json.loads(netloom(*LONG, "--fast", "--fast-within", within, "--json", "-q")[1])["fast"]["share"]
        for within in ("1e-9", "10")
    ]
    assert shares[0] > 4 * shares[1] and shares[1] == pytest.approx(7 * 7 / 1024)
    code, _, err = netloom(*LONG, "--fast-within", "1", "-q")
    assert code == 2 and "--fast-within: is the error of --fast" in err


def test_flows_have_no_packets_to_skip(netloom: Run) -> None:
    code, _, err = netloom("simulate", "-n", "torus(4,4)", "-t", "shift(k=5)", "--fast")
    assert code == 2 and "--fast: is of packets" in err


STEPS = """
[groups]
order = ["tensor", "data"]
tensor = 8
data = 16
[[step]]
on = "{on}"
workload = "allreduce:ring"
size = "1 MiB"
"""


def _of_groups(netloom: Run, folder: Path, on: str, *more: str) -> dict[str, object]:
    (folder / "step.toml").write_text(STEPS.format(on=on))
    ran = netloom(
        "simulate",
        "-n",
        "rail_cluster(nodes=16)",
        "-t",
        str(folder / "step.toml"),
        "--model",
        "packet",
        "--json",
        "-q",
        *more,
    )
    assert ran[0] == 0, ran[2]
    found: dict[str, object] = json.loads(ran[1])
    return found


@pytest.mark.parametrize(("on", "ranks"), [("tensor", 8), ("data", 16)])
def test_of_groups_that_do_the_same_one_is_simulated(netloom: Run, tmp_path: Path, on: str, ranks: int) -> None:
    whole = _of_groups(netloom, tmp_path, on)
    found = _of_groups(netloom, tmp_path, on, "--fast", "--fast-within", "0")
    assert found["fast"] == {
        "over": "ranks", "share": ranks / 128, "error": 0.0, "error_s": 0.0, "ranks": ranks,
        "packets": found["fast"]["packets"],  # type: ignore[index]
    }  # fmt: skip
    for key in ("time_s", "jobs", "messages", "bytes"):
        assert found[key] == whole[key], key


def test_jobs_of_their_own_that_do_the_same_are_simulated_once(netloom: Run, tmp_path: Path) -> None:
    jobs = ("--job", "a=4: allreduce:ring", "--job", "b=4: allreduce:ring", "--job", "c=4@3us: allreduce:ring")
    base = ("simulate", "-n", "k_ary_n_tree(4,2)", *jobs, "--size", "64 KiB", "--model", "packet", "--json", "-q")
    whole = json.loads(netloom(*base)[1])
    found = json.loads(netloom(*base, "--fast", "--fast-within", "0")[1])
    # Jobs a and c: c starts later. The four endpoints that are left have no ranks.
    assert found["fast"]["ranks"] == 8 and found["fast"]["over"] == "ranks"
    assert [job["finish_s"] for job in found["jobs"]] == [job["finish_s"] for job in whole["jobs"]]
    assert (found["messages"], found["bytes"]) == (whole["messages"], whole["bytes"])


def test_within_0_nothing_is_extrapolated(netloom: Run) -> None:
    found = json.loads(netloom(*LONG, "--fast", "--fast-within", "0", "--json", "-q")[1])
    assert found["fast"]["over"] is None and found["fast"]["share"] == 1.0
    assert found["time_s"] == json.loads(netloom(*LONG, "--json", "-q")[1])["time_s"]
