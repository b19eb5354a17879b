"""`netloom whatif` as a user runs it: JSON, what there is of it in time, the page, one line for what is wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from netloom.base.stopping import _under_way

from .whatif_cases import FILES

Run = Callable[..., tuple[int, str, str]]

pytest.importorskip("sklearn")

TWO = ("--vary", "link_bandwidth=50..200 Gbps", "--vary", "message_size=1 KiB..1 MiB log")


@pytest.fixture
def asked(netloom: Run, tmp_path: Path) -> Callable[..., tuple[int, str, str]]:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return lambda *words: netloom("whatif", "ask.toml", *words, "-q")


def test_json_has_what_scripts_read(asked: Run) -> None:
    code, out, err = asked(*TWO, "--samples", "16", "--json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert set(found["indices"]) == {"link_bandwidth", "message_size"}
    for one in found["indices"].values():
        assert set(one) == {"first", "total", "low", "high", "first_low", "first_high", "outside"}
        assert 0 <= one["low"] <= one["total"] <= one["high"] <= 1
    assert {one["parameter"] for one in found["knees"]} == set(found["indices"])
    assert all(set(one["values"]) == set(found["indices"]) and one["result"] > 0 for one in found["runs"])
    assert found["samples"] == 16 and found["ended"] is None and found["emulator"] is None
    assert [one["key"] for one in found["parameters"]] == ["network.bandwidth", "size_bytes"]
    assert found["parameters"][0]["low"] == 6.25e9 and found["parameters"][1]["scale"] == "log"
    # Not given, so the middle; given, so as written.
    assert found["base"]["values"] == {"link_bandwidth": 12.5e9, "message_size": 65536}
    assert len(found["map"]["results"]) == 9
    one = found["decision"]
    assert {one["parameter"], one["runner_up"]["parameter"]} == set(found["indices"])
    assert {"apart", "lead", "tie", "model_error", "rungs_agree", "by_rung", "not_checked"} <= set(one["sure"])
    assert list(one["sure"]["by_rung"]) == ["time", "packet"] and isinstance(one["changes"], list)
    assert set(found["best_point"]["values"]) == set(found["indices"]) and found["best_point"]["knees"]
    assert found["sentences"][1].startswith("The runner-up is ")


def test_one_and_two_processes_print_the_same(asked: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("netloom.whatif.runs"), "WORTH_S", 0.0)
    words = (*TWO, "--samples", "16", "--json", "-j")
    assert asked(*words, "1") == asked(*words, "2")


def test_what_is_known_in_time_is_shown(asked: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: Any = import_module("netloom.whatif.runs")
    done, before = list[int](), runs.evaluate

    def evaluate(*args: object, **more: object) -> object:
        done.append(1)
        if len(done) > 150:
            _under_way[-1].stop()
        return before(*args, **more)

    monkeypatch.setattr(runs, "evaluate", evaluate)
    code, out, err = asked(*TWO, "--samples", "64", "--json", "--stop-after", "600", "-j", "1")
    found = json.loads(out)
    assert code == 0 and found["ended"] == "time" and found["stopped_s"] == 600.0
    assert len(found["runs"]) == 150 and found["samples"] == 16 and found["indices"] and found["map"] is None
    assert "note: stopped after 600 s: 150 runs" in err
    assert "The sample has 16 rows, not 64: there was no time for more." in found["notes"]


def test_nothing_is_known_yet(asked: Run) -> None:
    code, out, err = asked(*TWO, "--stop-after", "1e-6")
    assert (code, out) == (2, "") and "NL-E004 --stop-after: nothing is known after 1e-06 s" in err


def test_an_interrupt_shows_what_was_run(tmp_path: Path) -> None:
    (tmp_path / "slow.toml").write_text(FILES["ask.toml"].replace("torus(2,2)", "torus(8,8)"))
    words = ("slow.toml", *TWO, "--samples", "4096", "--runs", "100000", "--json", "-q", "-j", "1")
    line = [sys.executable, "-m", "netloom", "whatif", *words]
    process = subprocess.Popen(line, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(6)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and err.count("interrupted") == 1, err
    if out:
        found = json.loads(out)
        assert found["ended"] == "interrupted" and found["runs"]
        assert err.endswith(f"interrupted: {len(found['runs']):,} runs\n")


def test_a_page_shows_curves_bars_and_the_map(asked: Run, tmp_path: Path, open_page: Callable[..., Any]) -> None:
    assert asked(*TWO, "--vary", "placement=linear|random(seed=1)", "--samples", "16", "--report", "p.html")[0] == 0
    page = open_page((tmp_path / "p.html").as_uri(), 1280)
    words = page.inner_text("body")
    for title in ("What decides time_s", "Sobol's indices", "Link bandwidth", "Placement", "Rungs", "Indices", "Knees"):
        assert title in words, title
    assert words.index("decides") < words.index("The runner-up is") and "with the best of the others" in words
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ((), "error: NL-X010 --vary: is missing"),
        (("--vary", "link_bandwidth=9..1 Gbps"), "error: NL-U001 --vary link_bandwidth: 9 Gbps..1 Gbps has no room"),
        (("--vary", "nothing=1..2"), "error: NL-U002 --vary nothing: is nothing that time takes from this scenario"),
        ((*TWO, *TWO[:2]), "error: NL-U003 --vary link_bandwidth: network.bandwidth is varied twice"),
        (
            (*TWO, "--target", "mop_per_s"),
            "error: NL-U004 mop_per_s at link_bandwidth = 12.5 GB/s, message_size = 64 KiB must be a finite number",
        ),
        ((*TWO, "--target", "nothing"), 'error: NL-U005 --target: time has no column "nothing"'),
        ((*TWO, "--samples", "17"), "error: NL-U006 --samples must be a power of two in 16..1048576, got 17"),
        ((*TWO, "--samples", "many"), "error: NL-A007 --samples must be an integer"),
        ((*TWO, "--runs", "5"), "error: NL-U006 --runs must be 26 or more: curves of 2 parameters take them, got 5"),
        ((*TWO, "--best", "all"), 'error: NL-U006 --best must be least or greatest, got "all"'),
        ((*TWO, "--report", "p.txt"), "error: NL-X010 --report"),
        ((*TWO, "-e", "tiem"), 'error: NL-A002 evaluator: nothing is called "tiem"'),
    ],
)
def test_what_is_wrong_is_one_line(asked: Run, words: tuple[str, ...], line: str) -> None:
    code, out, err = asked(*words)
    assert (code, out) == (2, "") and err.startswith(line), err
    assert len(err.splitlines()) <= 2
