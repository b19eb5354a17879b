"""`--report`: the answer of a command as a page, with what repeats it and what the model leaves out."""

from __future__ import annotations

import html
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from netloom.base.quantities import time_text

Run = Callable[..., tuple[int, str, str]]
TORUS = ("-n", "torus(4,4)", "-c", "allreduce:ring", "--size", "1MiB")
#: Numbers of the wires alone, which closed forms give.
PURE = ("--calibration", "pure")
#: Command, and words of its page: the answer, and what is left out.
COMMANDS = {
    "describe": (("describe", "torus(4,4)"), ("joins 16 endpoints by 16 switches and 32 cables", "no power, labour")),
    "loads": (("loads", *TORUS), ("carries 1.97 MB, 157 µs", "All messages of all jobs are under way together")),
    "ranking": (("loads", *TORUS, "-p", "linear", "-p", "random(seed=1)"), ("linear with static-direct", "is best")),
    "jobs": (("loads", "-n", "torus(4,4)", "--job", "a=8: uniform", "--job", "b: tornado"), ("slowdown",)),
    "simulate": (
        ("simulate", *TORUS, *PURE, "--critical-path"),
        ("takes 169 µs with 16 ranks; 93 %", "fluid over all paths"),
    ),
    "explain-trace": (
        ("explain-trace", *TORUS, *PURE),
        ("Bandwidth limits this run most", "fluid over all paths", "What if: the run with one thing changed"),
    ),
    "packet": (("simulate", *TORUS, "--model", "packet"), ("of 1 MiB on",)),
    "map": (
        ("map", *TORUS, "-p", "random(seed=1)", "--optimise", "two-opt(swaps=2000)"),
        ("less than the", "before: ", "after: ", "on the worst switch link"),
    ),
    "contest": (
        ("map", *TORUS[:3], "allreduce:recursive-doubling", *TORUS[4:], *PURE),
        ("of packets 337 µs", "the 359 µs", "How sure: ", "annealing", "Mappings tried"),
    ),
    "none": (("map", *TORUS, "--optimise", "none"), ("no better one", "as given, which is kept")),
    "collectives": (("collectives", "-n", "torus(4,4)", "--sizes", "1KiB:8KiB"), ("fastest allreduce of 8 KiB",)),
    "throughput": (
        (
            "throughput",
            "-n",
            "torus(4,4)",
            "-t",
            "tornado",
            "--loads",
            "0.2,0.9",
            "--cycles",
            "2000",
            "--warm-up",
            "500",
        ),
        ("of the injection bandwidth", "In the buffers of a switch over time, at 0.9"),
    ),
    "compare": (("compare", "torus(4,4)", "hypercube(4)", "-c", "alltoall:bruck"), ("tie within the spread",)),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_answers_and_says_how_to_repeat_it(name: str, netloom: Run, tmp_path: Path) -> None:
    args, words = COMMANDS[name]
    code, plain, _ = netloom(*args)
    assert code == 0
    code, out, err = netloom(*args, "--report", "page.html")
    assert (code, out) == (0, plain), err
    assert "wrote page.html" in err
    text = html.unescape((tmp_path / "page.html").read_text()).replace("<code>", "").replace("</code>", "")
    for said in words:
        assert said in text
    assert shlex.join(["netloom", *args]) in text or name == "compare"
    assert "netloom" in text and "--report" not in text.partition("<footer")[0].partition("<main")[2]


def test_numbers_of_the_page_are_those_of_the_command(netloom: Run, tmp_path: Path) -> None:
    import json

    code, out, _ = netloom("simulate", *TORUS, "--json", "--report", "page.html")
    assert code == 0
    assert time_text(json.loads(out)["time_s"]) in (tmp_path / "page.html").read_text()


def test_a_page_is_refused_before_the_work(netloom: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path, said in (("page.txt", "NL-X010 --report"), ("file/page.html", "NL-X003"), (".html/x.html/", "NL-X010")):
        code, out, err = netloom("simulate", *TORUS, "--report", path)
        assert (code, out) == (2, "") and said in err


def test_the_same_page_each_time(netloom: Run, tmp_path: Path) -> None:
    pages = []
    for _ in range(2):
        assert netloom("loads", *TORUS, "--report", "page.html")[0] == 0
        pages.append((tmp_path / "page.html").read_bytes())
    assert pages[0] == pages[1]


def test_names_of_a_file_stay_text(netloom: Run, tmp_path: Path) -> None:
    (tmp_path / "evil.conf").write_text(
        "SwitchName=<script>alert(1)</script> Nodes=n[1-2]\nSwitchName=s2 Nodes=n[3-4]\n"
        "SwitchName=top Switches=<script>alert(1)</script>,s2\n"
    )
    code, _, err = netloom("loads", "-n", "evil.conf", "--from", "slurm", "-t", "tornado", "--report", "page.html")
    assert code == 0, err
    assert "<script>alert" not in (tmp_path / "page.html").read_text()
