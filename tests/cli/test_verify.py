"""`netloom verify`: what its exit codes mean, and hints that can be followed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]

DEAF = """
from netloom import plugin

class Deaf(plugin.Collective):
    "Forgets the last rank unless it is the root."
    name = "broadcast:deaf"
    def steps(self, ranks, root, size_bytes):
        return [[((root + i) % ranks, (root + i + 1) % ranks, [0], False)] for i in range(root and ranks - 1)]
"""


def test_a_broken_promise_is_no_error(netloom: Run, tmp_path: Path) -> None:
    (tmp_path / "deaf.py").write_text(DEAF)
    line = ("verify", "broadcast:deaf", "--ranks", "3", "--plugin", "deaf.py", "--root", "all", "--json")
    code, out, err = netloom(*line)
    facts = json.loads(out)
    assert code == 1 and facts["proved"] is False and "not proved: NL-C009" in err
    assert [row["root"] for row in facts["refuted"]] == [0] and [row["root"] for row in facts["roots"]] == [1, 2]


def test_a_proof_that_is_refused_is_an_error(netloom: Run) -> None:
    """Nothing was examined, so nothing is refuted."""
    for also in ((), ("--json",)):
        code, out, err = netloom("verify", "reduce:circulant", "--ranks", "100003", *also)
        assert (code, out) == (2, "") and err.startswith("error: NL-C012") and "not proved" not in err


def test_all_roots_of_an_operation_without_one(netloom: Run) -> None:
    for name in ("allreduce:ring", "barrier:tree", "scan:linear"):
        code, out, err = netloom("verify", name, "--ranks", "6", "--root", "all", "--json")
        assert (code, err) == (0, "") and [row["root"] for row in json.loads(out)["roots"]] == [0]
    for name in ("bcast:binomial", "ompi:reduce:linear", "gather:bine", "scatter:linear"):
        code, out, _ = netloom("verify", name, "--ranks", "4", "--root", "all", "--json")
        assert code == 0 and [row["root"] for row in json.loads(out)["roots"]] == [0, 1, 2, 3]
    code, _, err = netloom("verify", "allreduce:ring", "--ranks", "6", "--root", "1")
    assert code == 2 and "has no root" in err and "leave root out" in err


@pytest.mark.parametrize(
    ("word", "operation"), [("broadcast", "broadcast"), ("bcast", "broadcast"), ("reduce_scater(3)", "reduce-scatter")]
)
def test_an_operation_alone_is_told_its_algorithms(netloom: Run, word: str, operation: str) -> None:
    code, _, err = netloom("verify", word, "--ranks", "8")
    head, _, names = err.partition(f"hint: algorithms of {operation}: ")
    assert code == 2 and word in head and "pattern" not in err
    for name in names.strip().split(", "):
        assert netloom("verify", name, "--ranks", "8")[0] == 0


def test_what_is_no_collective_is_told_the_operations(netloom: Run) -> None:
    for word in ("uniform", "missing.csv", ""):
        code, _, err = netloom("verify", word, "--ranks", "4")
        assert code == 2 and "must be collective:algorithm" in err and "allreduce" in err
