"""The study of figures 3 to 7 names orders, their metrics and the algorithms of the libraries as they are."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

import pytest

from netloom import enumerate_orders
from netloom.library import Communicator, choose
from netloom.mpi.bench.asked import benches, experiments
from netloom.study import prepare

from ..findings import ROOT, raw

EXPERIMENTS: dict[str, Any] = {str(one["name"]): one for one in raw("orders_over_size")}
CALL = re.compile(r"communicators\((?P<collective>\w+),(?P<each>\d+),")
#: What the machine of an experiment has.
LIBRARIES = {512: "openmpi", 2048: "cray-mpich"}


def asked(name: str) -> tuple[str, int]:
    """Collective, and ranks of a communicator."""
    found = CALL.match(EXPERIMENTS[name]["axes"]["workload"]["value"])
    assert found
    return found["collective"], int(found["each"])


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_orders_have_their_metrics_and_are_run_once(name: str) -> None:
    """Section 3.3; on Hydra all 24 orders are there, less similar ones."""
    rows = EXPERIMENTS[name]["zip"]["curve"]
    _, each = asked(name)
    levels = re.search(r"levels=\[([\d,]+)\]", rows[0]["order"]["value"])
    assert levels
    every = {tuple(row["order"]): row for row in enumerate_orders(levels[1], each)}
    kinds = set()
    for row in rows:
        order = tuple(map(int, row["order"]["label"].strip("[]").split(",")))
        known = every[order]
        assert row["order"]["value"] == f"mixed-radix({','.join(map(str, order))},levels=[{levels[1]}])"
        assert row["ring"] == known["ring_cost"]
        assert row["pairs"].split() == [f"{share:.1f}".removesuffix(".0") for share in known["pairs_percent"]]
        kinds.add(tuple(known["same_as"] or order))
    assert len(kinds) == len(rows)
    if len(every) == 24 and name != "algorithms":
        assert kinds == {order for order, known in every.items() if known["same_as"] is None}


@pytest.mark.parametrize("name", [name for name, one in EXPERIMENTS.items() if "size" in one["zip"]])
def test_algorithms_are_those_of_the_library(name: str) -> None:
    """Open MPI 4.1.4 on Hydra, Cray MPICH on LUMI: 4.1.1 leaves the algorithm to the library."""
    collective, each = asked(name)
    library = LIBRARIES[EXPERIMENTS[name]["axes"]["ranks"]]
    at = Communicator(ranks=each, local=1)
    for row in EXPERIMENTS[name]["zip"]["size"]:
        assert row["algorithms"] == choose(library, collective, row["bytes"], at).call()


@pytest.mark.parametrize("figure", [3, 4, 5, 6, 7])
def test_figures_are_of_the_sizes_that_the_study_says(figure: int) -> None:
    _, each = asked(f"figure-{figure}")
    sizes = [row["bytes"] * each for row in EXPERIMENTS[f"figure-{figure}"]["zip"]["size"]]
    assert sizes == [1024 << step for step in range(17)]


@pytest.mark.parametrize(("ranks", "names"), [(512, [3, 4, 6]), (2048, [5, 7])])
def test_the_same_file_is_measured_on_such_a_machine(ranks: int, names: list[int]) -> None:
    """4.1.1: the first communicator alone, or all; their processes are those of the order."""
    plan = prepare(ROOT / "examples" / "orders_over_size.toml")
    parts = experiments(plan, (), ranks)
    assert [part.spec.name for part in parts] == [f"figure-{number}" for number in names]
    for part in parts:
        collective, each = asked(part.spec.name)
        for bench in islice(benches(plan, part), 2):
            alone = bench.labels["running"] == "one"
            assert len(bench.communicators) == (1 if alone else ranks // each)
            assert {one.collective for one in bench.communicators} == {collective}
            levels = [16, 2, 2, 8] if ranks == 512 else [16, 2, 4, 2, 8]
            order = str(bench.labels["order"]).strip("[]")
            numbers = enumerate_orders(levels, each, order=order)[0]["ranks"]
            first = [numbers.index(rank) for rank in range(each)]
            assert list(bench.communicators[0].members) == first
