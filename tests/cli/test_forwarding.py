"""Forwarding tables in files: written from a routing, and a routing on every rung."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from netloom import network

Run = Callable[..., tuple[int, str, str]]

TREE = "fat_tree(radix=8,levels=2)"


def told(outcome: tuple[int, str, str]) -> dict[str, object]:
    code, out, err = outcome
    assert code == 0, err
    made: dict[str, object] = json.loads(out)
    return {key: value for key, value in made.items() if key not in ("routing", "jobs", "facts", "notes")}


@pytest.mark.parametrize("file", ["t.csv", "t.lfts"])
@pytest.mark.parametrize(
    "question",
    [
        ("loads", "-t", "shift(k=5)", "--json"),
        ("simulate", "-t", 'shift(k=5,bytes="1 MiB")', "--json"),
    ],
)
def test_tables_of_d_mod_k_give_its_numbers(netloom: Run, file: str, question: tuple[str, ...]) -> None:
    """Endpoints of one switch have columns of their own, so the shift stays free of contention."""
    code, _, err = netloom("convert", TREE, file, "--routing", "d-mod-k")
    assert code == 0, err
    command, *rest = question
    own = told(netloom(command, "-n", TREE, *rest, "-r", "d-mod-k"))
    by_tables = told(netloom(command, "-n", TREE, *rest, "-r", f'tables("{file}")'))
    assert by_tables == own
    lowest = told(netloom(command, "-n", TREE, *rest, "-r", "single-minimal"))
    assert by_tables != lowest


def test_a_job_has_tables_of_its_own(netloom: Run) -> None:
    assert netloom("convert", "torus(4,4)", "t.csv", "-r", "dimension-ordered")[0] == 0
    jobs = '[[job]]\nname = "a"\nshare = "100%"\nworkload = "shift(k=3)"\nrouting = {}\n'
    found = []
    for routing in ("'dimension-ordered'", "'tables(\"t.csv\")'"):
        Path("jobs.toml").write_text(jobs.format(routing))
        found.append(told(netloom("loads", "-n", "torus(4,4)", "--jobs", "jobs.toml", "--json")))
    assert found[0] == found[1]


def test_writing_tables_of_tables_gives_the_same_bytes(netloom: Run) -> None:
    for file, routing in (("a.csv", "d-mod-k"), ("b.csv", 'tables("a.csv")')):
        assert netloom("convert", TREE, file, "-r", routing)[0] == 0
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()


def test_one_channel_of_a_ring_can_deadlock() -> None:
    ring = network("ring(7)")
    ring = ring.with_tables(ring.routing("single-minimal").write("forwarding-csv"), "t.csv")
    assert ring.routing('tables("t.csv")').deadlock()["free"] is False
    assert ring.routing('tables("t.csv",vc=hops)').deadlock()["free"] is True


HEAD = "switch,endpoint,next\n"


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        (HEAD + "0,1,1\n1,0,0\n1,2,2\n2,1,1\n2,0,1\n", "NL-R010", "no entry at"),
        (HEAD + "0,1,1\n0,2,1\n1,0,0\n1,2,0\n2,1,1\n2,0,1\n", "NL-R010", "in a circle of 2 hops"),
        (HEAD + "9,1,1\n", "NL-F007", "there is no switch 9"),
        (HEAD + "0,2,2\n", "NL-F007", "no cable joins switch 0 to switch 2"),
        ("a,b\n", "NL-F016", "no format of forwarding tables"),
    ],
)
def test_tables_that_do_not_fit_are_refused_in_one_line(netloom: Run, text: str, code: str, words: str) -> None:
    Path("t.x").write_text(text)
    left, out, err = netloom("loads", "-n", "mesh(3)", "-t", "shift(k=1)", "-r", 'tables("t.x")')
    assert (left, out) == (2, "") and err.startswith(f"error: {code} ") and words in err, err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("convert", "torus(4,4)", "t.csv", "-r", "minimal"), "NL-R011"),
        (("convert", "torus(4,4)", "t.csv", "-r", "nonsense"), "NL-A002"),
        (("convert", "torus(4,4)", "t.xyz", "-r", "single-minimal"), "NL-X014"),
        (("convert", "torus(4,4)", "t.csv", "-r", "single-minimal", "--to", "graphml"), "NL-F017"),
        (("convert", "torus(4,4)", "t.xml", "--to", "forwarding-csv"), "NL-F017"),
        (("loads", "-n", "torus(4,4)", "-t", "shift(k=1)", "-r", 'tables("none.csv")'), "NL-X001"),
        (("loads", "-n", "torus(4,4)", "-t", "shift(k=1)", "-r", "tables"), "NL-R010"),
    ],
)
def test_what_has_no_tables_is_refused(netloom: Run, arguments: tuple[str, ...], code: str) -> None:
    left, out, err = netloom(*arguments)
    assert (left, out) == (2, "") and err.startswith(f"error: {code} "), err
    assert not Path(arguments[2]).exists()
