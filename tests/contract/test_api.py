"""Every parameter of every function that people script with, given what it does not take: `NetloomError`, no other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import netloom

JOB = {"net": "ring(16)", "workload": "broadcast:binomial", "ranks": 8}

#: Function, good arguments, and for each parameter the bad values.
WORDS: list[Any] = [None, 1.5, -1, "", "a(", "no-such", b"ring", object(), ["ring(8)"], float("nan"), {}]
COUNTS: list[Any] = [-1, 0, 1.5, "a", "8", 10**30, float("nan"), [8], {}, True, 2**63, np.float64(8), object()]
MAPPINGS: list[Any] = [
    *([0, 0], [16], [-1], [2**40], [10**30], [], [0.5], ["a"], [[0, 1]], [[0], [1, 2]], "0 1", b"01", {0: 1}, 5),
    *([None], [True], np.array([np.nan]), np.zeros((2, 2), dtype=int), object()),
]
#: Inputs of a scenario: None is the same as nothing said; ranks may share an endpoint.
SAID, PLACES = WORDS[1:], MAPPINGS[1:]
CASES: list[tuple[str, dict[str, Any], dict[str, list[Any]]]] = [
    ("network", {"source": "ring(8)"}, {"source": WORDS}),
    ("describe", {"source": "ring(8)"}, {"source": WORDS}),
    (
        "workload",
        {"source": "broadcast:binomial", "ranks": 8},
        {
            "source": WORDS,
            "ranks": [*COUNTS, None],
            "root": [*COUNTS[:1], 8, *COUNTS[2:], None],
            "size_bytes": [-1, "1", 1.5, None],
        },
    ),
    (
        "place",
        {"net": "ring(16)", "ranks": 8},
        {"net": WORDS, "ranks": [*COUNTS, None, 17], "placement": WORDS, "order": WORDS},
    ),
    (
        "hops",
        JOB,
        {
            "net": SAID,
            "workload": SAID,
            "ranks": [*(count for count in COUNTS if count != "8"), "eight", 17],
            "placement": SAID,
            "order": SAID,
            "mapping": PLACES,
        },
    ),
    (
        "loads",
        {"network": "ring(16)", "mapping": [0, 1], "workload": "broadcast:binomial"},
        {"network": SAID, "mapping": PLACES, "workload": SAID, "routing": SAID},
    ),
    (
        "map_ranks",
        JOB,
        {
            "net": SAID,
            "workload": SAID,
            "ranks": [*(count for count in COUNTS if count != "8"), "eight", 17],
            "placement": SAID,
            "order": SAID,
            "optimiser": SAID,
            "objective": SAID,
            "free": [None, 1, "yes"],
            "seconds": [-1, 0, "1", float("nan"), float("inf"), True],
        },
    ),
    ("verify", {"schedule": "broadcast:binomial", "ranks": 8}, {"schedule": WORDS, "ranks": [*COUNTS, None]}),
    (
        "write",
        {"value": [0, 1], "target": "ranks.csv", "format": "csv", "network": "ring(16)"},
        {"value": [*MAPPINGS, None], "format": WORDS[1:], "network": WORDS},
    ),
    ("read", {"source": "ring.edges", "holds": "network"}, {"source": WORDS, "holds": WORDS}),
    ("catalogue", {"kind": "topologies"}, {"kind": WORDS}),
]


def function(name: str) -> Callable[..., Any]:
    return getattr(netloom, name)


@pytest.mark.parametrize(("name", "good", "bad"), CASES, ids=[case[0] for case in CASES])
def test_what_no_parameter_takes(
    name: str, good: dict[str, Any], bad: dict[str, list[Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ring.edges").write_text("0 1\n1 2\n2 0\n")
    call = function(name)
    call(**good)
    for parameter, values in bad.items():
        for value in values:
            with pytest.raises(netloom.NetloomError) as caught:
                call(**{**good, parameter: value})
                pytest.fail(f"{name}({parameter}={value!r}) is taken")
            text = str(caught.value)
            assert "Traceback" not in text and "panicked" not in text and text.startswith("NL-"), text


def test_faults_come_together() -> None:
    with pytest.raises(netloom.NetloomError) as caught:
        netloom.workload(7, "a", root=None)  # type: ignore[arg-type]
    assert [fault.place for fault in caught.value.faults] == ["workload.source", "workload.ranks", "workload.root"]


def test_numpy_numbers_are_numbers() -> None:
    assert netloom.place("ring(16)", np.int64(4)).tolist() == [0, 1, 2, 3]
    assert (
        netloom.hops("ring(16)", workload="broadcast:linear", mapping=np.array([0, 3], dtype=np.uint8))["total_hops"]
        == 3
    )
    assert netloom.hops("ring(16)", workload="broadcast:linear", mapping=(0, 3))["total_hops"] == 3
