"""Section 6.3 of Jain 2016: the counts behind its costs, next to networks that are built."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import netloom
from netloom.base.errors import NetloomError
from netloom.cost import Layout, Parts, cost_model, total_cost
from netloom.network.size import size

from ..findings import load
from ..measured import measure
from . import network_cost as cost


def test_verdicts_are_those_on_the_page() -> None:
    kept, now = load("network_cost"), measure("network_cost")
    assert [(claim.id, claim.got, claim.verdict) for claim in kept.claims] == [
        (claim.id, claim.got, claim.verdict) for claim in now.claims
    ]
    assert {claim.id: claim.verdict for claim in now.claims} == {
        "J32": "confirmed",
        "J33": "refuted",
        "J33 short": "confirmed",
        "J34": "confirmed",
        "J34 short": "confirmed",
        "E4-14": "refuted",
        "J35": "refuted",
        "J35 short": "confirmed",
        "J36": "refuted",
        "N12": "confirmed",
        "N13 torus": "confirmed",
        "N13 fat-tree": "refuted",
        "N13 short": "confirmed",
    }


def test_short_copper_is_priced_by_equation_6_1() -> None:
    """1 m of 100 Gbps: 1.35 (10.743 + 56.2), on all of 3 n cables; the switches are those of the printed layout."""
    prices = cost_model("jain-2016")
    short, printed = cost.short_fat_tree(prices, 46_656, 1.0), cost.fat_tree(prices, 46_656, 0.0)
    assert short.cables == printed.cables == 3 * 46_656
    assert short.cable_usd == pytest.approx(3 * 46_656 * 1.35 * (10.743 + 56.2))
    assert (short.switches, short.switch_usd) == (printed.switches, printed.switch_usd)
    assert short.cable_usd < printed.cable_usd


@pytest.mark.parametrize("cabinets", cost.BLOCKS)
def test_cables_that_leave_the_cabinets_of_a_torus(cabinets: str) -> None:
    block = cost.BLOCKS[cabinets]
    extents = [2 * extent if extent > 1 else 4 for extent in block]
    net = netloom.network(f"torus({','.join(map(str, extents))})")
    at = np.stack(np.unravel_index(np.arange(net.switches), extents), axis=1) // np.asarray(block)
    leave = np.any(at[net.tails] != at[net.heads], axis=1).sum() // 2
    assert leave == cost.torus(cost_model("jain-2016"), net.switches, 0.0, block).cables


@pytest.mark.parametrize("overhead_m", cost.OVERHEADS)
def test_cables_of_a_dragonfly_are_those_of_the_network(overhead_m: float) -> None:
    """Their number and metres. There cables end at the middle of a group, here at its cabinets."""
    backplane, _, optical = cost_model("jain-2016").cables
    by_metre = replace(optical, usd_per_m2=0.0, usd_per_m=1.0, usd=0.0)
    prices = replace(cost_model("jain-2016"), cables=(backplane, by_metre))
    _, endpoints, routers, groups = cost.dragonfly_sizes(2000)
    net = netloom.network(f"dragonfly(a={routers},p={endpoints},h=8,g={groups},global_parallel=1)")
    group = np.asarray(net.groups)
    cabinet = 2 * group + (np.arange(net.switches) % routers >= routers // 2)
    x, y = cost.group_floor(groups)
    floor = Layout(
        x_m=x[cabinet],
        y_m=y[cabinet],
        cabinet=cabinet,
        rows=len(set(y)),
        columns=len(set(x)),
        intra_cabinet_m=0.0,
        inter_cabinet_overhead_m=overhead_m,
        order="row-major",
    )
    built = total_cost(Parts(net.switches, net.tails, net.heads), model=prices, floor=floor)
    ours = cost.dragonfly(prices, 2000, overhead_m, all_ports=False)
    between = {name: row["cables"] for name, row in built.by_medium.items() if name != "backplane"}
    assert sum(between.values()) == ours.cables
    assert built.cable_cost_usd == pytest.approx(ours.cable_usd, rel=0.01)


@pytest.mark.parametrize("nodes", cost.SIZES)
def test_sizes_of_a_dragonfly_by_the_rule_of_table_6_1(nodes: int) -> None:
    """`size` with proportions 1:3:2: ports r = 6 ceil((n / 18)^(1/4)), of which r/6, r/2 and r/3 are used at most."""
    radix, endpoints, routers, _ = cost.dragonfly_sizes(nodes)
    rows = size("dragonfly", nodes, proportions=(1, 3, 2), most=radix)
    used = range(1, radix // 3 + 1)
    assert {row["network"] for row in rows} == {
        f"dragonfly(a={routers},p={endpoints},h={h},g={routers * h})" for h in used
    }
    # With all global ports the nodes are reached, with the next smaller switch they are not.
    assert max(row["endpoints"] for row in rows) >= nodes > (radix - 6) ** 4 / 72


def test_the_dragonfly_of_the_paper_comes_first() -> None:
    """Section 6.2: 240 groups of 24 routers of 48 ports, 8 nodes and 10 global links each, 46,080 nodes."""
    first, *_ = size("dragonfly", 46_656, proportions=(1, 3, 2))
    assert first["network"] == "dragonfly(a=24,p=8,h=10,g=240)"
    assert (first["endpoints"], first["switches"], first["radix"]) == (46_080, 5_760, 23 + 10 + 8)


@pytest.mark.parametrize(
    ("family", "proportions"), [("torus", (1, 3, 2)), ("dragonfly", (1, 3)), ("dragonfly", (1, 0, 2))]
)
def test_proportions_that_are_none(family: str, proportions: tuple[int, ...]) -> None:
    with pytest.raises(NetloomError, match=r"size\.proportions"):
        size(family, 64, proportions=proportions)
