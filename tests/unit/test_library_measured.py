"""Choices of libraries against clocks: PICO's times of `default` next to those of the algorithm that the model names.

The counts are those of docs/reference/libraries.md.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from netloom import _core
from netloom.library import Communicator, choose
from netloom.measured.names import PARTED, collective
from netloom.measured.pico_names import catalogue_name
from netloom.reference.libraries import rules

PUBLIC = Path(__file__).parents[3] / "shared" / "reference" / "measured" / "pico"
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "libraries.md"
CLOSE = 0.15
#: PICO's words for the libraries' names, where they differ.
WORDS = {
    "binary_tree": "binary",
    "split_binary_tree": "split_binary",
    "basic_linear": "linear",
    "reduce_scatter_allgather": "rabenseifner",
    "reduce_scatter_gather": "rabenseifner",
}
#: Ran with 4 ranks on a node, as its notes say; its column says 1.
FOUR = "2025_04_06___23_05_13"
#: Sizes with `default`; those whose algorithm was measured by its name, and close; else by its schedule, and close.
EXPECTED = {
    "lumi": (74, 57, 54, 12, 8),
    "leonardo": (128, 89, 88, 26, 23),
    "mare_nostrum": (51, 48, 48, 3, 3),
}

Times = dict[str, list[float]]


def runs(machine: str) -> dict[tuple[str, int, int, int, str], Times]:
    """Times in µs by algorithm of each operation, nodes, ranks per node, whole bytes and run."""
    found: dict[tuple[str, int, int, int, str], Times] = defaultdict(lambda: defaultdict(list))
    with (PUBLIC / f"{machine}.csv").open() as file:
        for row in csv.DictReader(file):
            if row["gpu"] == "no" and (row["segment_bytes"] == "0" or row["algorithm"].startswith("default")):
                each = 4 if row["run"] == FOUR else int(row["ranks_per_node"])
                key = row["collective"], int(row["nodes"]), each, int(row["bytes"]), row["run"]
                found[key][row["algorithm"]].append(float(row["median_us"]))
    return found


def counts(machine: str, library: str, code: str) -> tuple[int, int, int, int, int]:
    sizes, named, named_close, alike, alike_close = 0, 0, 0, 0, 0
    for (word, nodes, each, whole, _), times in runs(machine).items():
        own = [name for name in times if name.startswith("default")]
        name, ranks = collective(word), nodes * each
        size = whole // ranks // 4 * 4 if name in PARTED else whole
        if not own or name is None or not size:
            continue
        took = min(times[own[0]])
        made = choose(library, name, size, Communicator(ranks, each))
        sizes += 1

        def near(names: list[str], times: Times = times, took: float = took) -> bool:
            return min(abs(time / took - 1) for name in names for time in times[name]) <= CLOSE

        if (label := f"{WORDS.get(made.own, made.own)}_{code}") in times:
            named, named_close = named + 1, named_close + near([label])
        elif same := [one for one in times if is_call(name, one, made.call(), -(-whole // ranks))]:
            alike, alike_close = alike + 1, alike_close + near(same)
    return sizes, named, named_close, alike, alike_close


def is_call(of: str, label: str, call: str, part_bytes: int) -> bool:
    """Whether PICO's name is that of a call of the catalogue."""
    name = catalogue_name(of, label, part_bytes, 0)
    if name is None or name == "default":
        return False
    return _core.canonical("collectives", f"{of}:{name}") == _core.canonical("collectives", call)


@pytest.mark.skipif(not PUBLIC.is_dir(), reason="the public measurements are not here")
@pytest.mark.parametrize(
    ("machine", "library", "code"),
    [("lumi", "cray-mpich", "mpich"), ("leonardo", "openmpi", "ompi"), ("mare_nostrum", "openmpi", "ompi")],
)
def test_default_took_the_time_of_the_algorithm_that_is_named(machine: str, library: str, code: str) -> None:
    assert counts(machine, library, code) == EXPECTED[machine]


def test_the_page_has_these_counts() -> None:
    page = PAGE.read_text()
    for sizes, named, named_close, alike, alike_close in EXPECTED.values():
        assert f"| {sizes} | {named_close} of {named} | {alike_close} of {alike} |" in page


def test_the_page_has_the_rules_of_open_mpi() -> None:
    assert rules() in PAGE.read_text(), "python -m netloom.reference.libraries"
