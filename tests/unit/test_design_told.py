"""What `netloom design` tells: each draw of failures for itself, parts that make up the price, refusals, small sums."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from netloom import _core
from netloom.cost import CableLine, FloorPlan, cable_lengths_m, layout
from netloom.design import Design, Settings, catalogue, design
from netloom.design.around import Draw, Failed
from netloom.design.bill import parts_of
from netloom.design.families import box, bundles, fitting, hyperx, larger, sized
from netloom.design.measure import Job, measure
from netloom.design.words import _failed, _failing

from ..cli.design_cases import SMALL

shown: Any = import_module("netloom.cli.design_shown")
MIX = ("alltoall:pairwise", "stencil(4,4,4,bytes=1000000)=2")
NIC = '[[nic]]\ngbps = 100\nusd = 500\nwatts = 10\ndate = "2026"\nsource = "a test"\n'


def _boxes(dims: int, ports: int) -> dict[int, int]:
    """By number of cells the fewest switches of any HyperX that fits and holds them, one by one."""
    found = dict[int, int]()
    for extents in itertools.combinations_with_replacement(range(2, ports + 2), dims):
        if sum(extents) - dims <= ports:
            made = math.prod(extents)
            for cells in range(1, made + 1):
                found[cells] = min(made, found.get(cells, made))
    return found


@pytest.mark.parametrize(("dims", "ports"), [(1, 9), (2, 7), (2, 12), (3, 8), (3, 11), (3, 18)])
def test_a_box_is_found_wherever_one_fits(dims: int, ports: int) -> None:
    """Of equal boxes the smallest product was taken first, and refused where it needed too many ports."""
    known = _boxes(dims, ports)
    for cells in range(1, max(known) + 3):
        made = fitting(cells, dims, ports)
        assert (made is None) is (cells not in known), cells
        if made is not None:
            assert math.prod(made) >= cells and sum(made) - dims <= ports and min(made) >= 2
            assert bundles(made, ports)
            # As equal as can be where that fits, as before; else the smallest of all.
            near = box(cells, dims, 2)
            assert made == near if sum(near) - dims <= ports else math.prod(made) == known[cells], (cells, made)


@pytest.mark.parametrize(
    ("endpoints", "ports", "call"),
    [(5850, 36, "hyperx(6,7,8,p=18"), (5940, 36, "hyperx(6,7,8,p=18"), (8670, 40, "hyperx(7,7,9,p=20")],
)
def test_a_hyperx_that_exists_is_a_candidate(endpoints: int, ports: int, call: str) -> None:
    made = {variant: text for variant, text, _ in hyperx(endpoints, ports)}
    assert made[f"3D p={ports // 2}"] == call
    net = _core.Network.build(f"{call})")
    assert net.endpoints >= endpoints and parts_of(net, endpoints).radix <= ports


def test_what_has_no_box_says_the_least_it_would_need() -> None:
    why = {variant: reason for variant, _, reason in hyperx(7313, 36)}
    assert why["3D p=18"] == "20 other switches in line at least, and 18 ports for them"
    assert fitting(407, 3, 19) is None and fitting(407, 3, 20) is not None


def test_it_grows_to_a_hyperx_that_exists() -> None:
    kind = next(one for one in catalogue().switches if one.ports == 36)
    found, _ = sized("hyperx", kind, 4700)
    (one,) = [one for one in found if one.variant == "3D p=18"]
    calls, _ = larger(one, 5875)
    assert calls == ['hyperx(6,7,8,p=18,bandwidth="100 Gbps")']


@pytest.fixture(scope="module")
def found() -> Design:
    return design(64, MIX, budget_usd=150_000, how=Settings(most_ports=40))


def test_two_draws_are_not_one_failure(found: Design) -> None:
    """One loses a leaf and takes as long, one loses a spine and takes 1.44 times as long."""
    best = found.decision
    assert best is not None
    known = found.around[best.name].switches
    assert known is not None and known.slowdown is not None and known.slowdown > 1.4 and known.lost == 16
    assert not known.together and {one.lost for one in known.draws} == {0, 16}
    assert all(one.lost == 0 or one.slowdown == pytest.approx(1.0) for one in known.draws)
    said = " ".join(found.explain())
    assert (
        "takes up to 1.44 times as long by loads, with no endpoint lost; in another draw 16 endpoints are lost" in said
    )
    assert "as long by loads, and 16 endpoints" not in said
    (plain,) = [one for one in found.to_dict()["candidates"] if one["name"] == best.name]  # type: ignore[attr-defined]
    draws = plain["failure_draws"]["switches"]["draws"]
    assert [(one["endpoints_lost"], one["slowdown"] > 1.4) for one in draws] in ([(16, False), (0, True)],
                                                                                [(0, True), (16, False)])  # fmt: skip


def test_a_share_of_few_cables_is_one_cable(found: Design) -> None:
    """1 % of 64 cables is one, 1.6 % of them."""
    assert "With 1% of the links (1 of 64 cables) failed at random" in " ".join(found.explain())
    best = found.decision
    assert best is not None
    known = found.around[best.name].links
    assert known is not None and (known.failed, known.of) == (1, 64)


@pytest.mark.parametrize(
    ("draws", "said"),
    [
        ([Draw(1.5, 0), Draw(1.2, 0)], "it takes 1.50 times as long by loads."),
        ([Draw(1.5, 8), Draw(1.2, 4)], "it takes 1.50 times as long by loads, and 8 endpoints are lost."),
        ([Draw(1.5, 4), Draw(1.2, 8)],
         "it takes up to 1.50 times as long by loads, with 4 of the endpoints lost; in another draw 8 endpoints are "
         "lost, and it takes 1.20 times as long."),
        ([Draw(1.5, 1), Draw(1.5, 0)], "it takes 1.50 times as long by loads, and 1 endpoint is lost."),
    ],
)  # fmt: skip
def test_words_of_draws(draws: list[Draw], said: str) -> None:
    failed = Failed(draws, 1, 6)
    assert _failed(_failing(failed, "1", "switch", "switches"), failed) == f"With 1 switch failed at random {said}"


def test_draws_in_which_it_falls_apart_are_counted() -> None:
    for draws, said in (
        ([Draw(1.5, 0), Draw(None, 0, "cut")], "failed it falls apart in 1 of 2 draws: cut."),
        ([Draw(None, 0, "cut"), Draw(None, 0, "off")], "failed it falls apart: cut."),
        ([Draw(None, 0, "no cable is left")] * 2, "failed nothing is left to compare: no cable is left."),
    ):
        failed = Failed(draws, 2, 30)
        assert (
            _failed(_failing(failed, "7%", "link", "links"), failed) == f"With 7% of the links (2 of 30 cables) {said}"
        )


def test_the_catalogue_in_json_gives_the_price(tmp_path: Path) -> None:
    """Switches, cables by their length and its square, NICs, and the floor: all that a price is made of."""
    path = tmp_path / "parts.toml"
    path.write_text(SMALL.replace('name = "optical"', 'usd_per_m2 = 0.25\nname = "optical"', 1) + NIC)
    made = design(48, ["shift(k=1)"], parts=path, how=Settings(calibration="pure"))
    data: Any = made.to_dict()
    parts = data["catalogue"]
    plan = dict(parts["layout"])
    endpoint_m = plan.pop("endpoint_m")
    lines = [
        CableLine(one["name"], 0.0, 0.0, one["usd_per_m2"], one["usd_per_m"], one["usd"], one["max_m"] or math.inf)
        for one in parts["cables"]
    ]
    prices = {one["name"]: one["usd"] for one in parts["switches"]}
    some = 0
    for one in data["candidates"]:
        bought = parts_of(_core.Network.build(one["network"]), 48)
        lengths = cable_lengths_m(bought.tails, bought.heads, layout(bought.switches, FloorPlan(**plan)))
        lengths = np.concatenate([lengths, np.full(48, endpoint_m)])
        cables = np.min([line.usd_of(lengths, np.full(len(lengths), 100.0)) for line in lines], axis=0).sum()
        usd = bought.switches * prices[one["switch"]] + cables + 48 * parts["nics"][0]["usd"]
        assert one["usd"] == pytest.approx(usd)
        some += 1
    assert some > 5
    # The page has the same numbers.
    rows = {row["part"]: row for row in shown._prices(made)}
    assert rows["NIC, 100 Gb/s"]["USD"] == 500 and rows["copper, 100 Gb/s"]["longest m"] == 3.0
    optical = rows["optical, 100 Gb/s"]
    assert (optical["USD"], optical["USD a metre"], optical["USD a square metre"]) == (300.0, 5.0, 0.25)
    assert "4 switches in a cabinet" in " ".join(shown._assumptions(made))


def test_too_many_paths_are_seen_before_it_is_timed() -> None:
    """Paths between the farthest pair are 9^3 times 6, those of half a shift 9."""
    call = 'hyperx(2,2,2,parallel=9,p=9,bandwidth="100 Gbps")'
    kind = next(one for one in catalogue().switches if one.ports == 36)
    done = measure(Job(call, "bill", (), "spray", parts=(kind, catalogue(), 64)))
    assert done.bill is None and "more than 4096 paths" in done.refused
    made = design(64, ["alltoall:pairwise"], families=["hyperx"], how=Settings(most_ports=40))
    assert not [one for one in made.candidates if one.refused]
    assert [one.reason for one in made.left_out if "4096 paths" in one.reason]


@pytest.mark.parametrize(
    ("value", "text"), [(150 / 1e6, 0.00015), (0.0, 0.0), (0.14449, 0.144), (1.23456, 1.235), (12.3456, 12.346)]
)
def test_small_sums_are_not_0(value: float, text: float) -> None:
    assert shown._rounded(value) == text


def test_two_sums_of_weights_end_with_a_line(tmp_path: Path) -> None:
    """Weights whose sum no double holds ended with a traceback."""
    words = ("--endpoints", "8", "--workload", "shift(k=1)=1e308", "--workload", "shift(k=2)=1e308", "-q", "-j", "1")
    asked = [sys.executable, "-m", "netloom", "design", *words, "--family", "fat-tree", "--most-ports", "36"]
    done = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "Traceback" not in done.stderr and done.stdout.startswith("Build ")
