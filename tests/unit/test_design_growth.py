"""Growth of `netloom design`: cables counted one by one, money that is the sum of what is bought, words that follow."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from netloom import _core
from netloom.cost import layout
from netloom.design import Catalogue, Settings, catalogue, design
from netloom.design.bill import parts_of
from netloom.design.families import FAMILIES, Sized, larger, sized
from netloom.design.grown import Before, Growth, grown
from netloom.design.places import blocks, grown_floor, matchings
from netloom.design.words import _growth

from ..cli.design_cases import SMALL, cable, parts, switch

#: Copper of any length and optics: 100 and 1000 USD beyond 3 m, four switches in a cabinet.
PARTS = parts(
    switch(8, 1000.0), switch(16, 2000.0), switch(40, 5000.0), switch(64, 9000.0),
    cable("copper", 100.0, 0.0, 0.0, 3.0), cable("optical", 1000.0),
)  # fmt: skip


@pytest.fixture
def shop(tmp_path: Path) -> Catalogue:
    path = tmp_path / "parts.toml"
    path.write_text(PARTS)
    return catalogue(path)


def grow(shop: Catalogue, ports: int, old: str, new: str, endpoints: tuple[int, int]) -> Growth:
    kind = next(one for one in shop.switches if one.ports == ports)
    return grown(Before(old, endpoints[0]), _core.Network.build(new), new, endpoints[1], kind, shop)


def test_a_leaf_more_by_hand(shop: Catalogue) -> None:
    """Leaves 0-6 and spine 7 fill two cabinets, spines 8-10 stand in a third, the new leaf next to them.

    Cabinets 0 and 1 stand in a row, 2 in the next one. From the new leaf to spine 7 it is 1 m of width, 2 m of depth
    and 2 m more: optics. The other uplinks stay in their cabinet: copper.
    """
    old, new = "xgft(m=[20,7],w=[1,4],parallel=[1,5])", "xgft(m=[20,8],w=[1,4],parallel=[1,5])"
    found = grow(shop, 40, old, new, (128, 160))
    assert (found.switches, found.cables, found.moved, found.unused_cables, found.unused_usd) == (1, 52, 0, 0, 0.0)
    assert found.usd == 5000.0 + 32 * 100.0 + 15 * 100.0 + 5 * 1000.0
    assert (found.between, found.fewer, found.fewest) == ((140, 160), 0, (0, 0))
    assert _growth(found) == "A quarter more endpoints costs 14,700 USD: 1 switch and 52 cables; no old cable moves."


def test_single_cables_in_place_of_pairs_are_said(shop: Catalogue) -> None:
    """Two rows of four switches, two cables each, become two rows of five, one each.

    Of 16 pairs all stay, with one cable of two: 16 are taken out, 12 of them in the two cabinets of a row each (1 m)
    and 4 between the rows (4 m: optics). Of 25 cables 9 are new: 1 between the new switches, in a third cabinet next to
    the first, 4 to the first (3 m: copper still), 4 to the second (5 m).
    """
    found = grow(shop, 16, "hyperx(2,4,parallel=2,p=8)", "hyperx(2,5,p=8)", (64, 80))
    assert (found.between, found.fewer, found.fewest) == ((32, 25), 16, (2, 1))
    assert (found.moved, found.unused_cables, found.cables) == (1, 11 + 4, 8 + 16)
    assert found.unused_usd == 11 * 100.0 + 4 * 1000.0
    assert found.usd == 2 * 2000.0 + (16 + 4) * 100.0 + 4 * 1000.0
    said = _growth(found)
    assert "; 16 pairs of old switches have fewer cables between them than before (1 for 2 at worst)" in said
    assert said.endswith("; there are 25 cables between switches, before 32.")


@pytest.mark.parametrize(
    ("ports", "old", "new", "endpoints", "cables"),
    [
        (64, "complete(1,p=40)", "complete(1,p=50)", (40, 50), 10),
        (64, "slim_fly(q=5,p=2)", "slim_fly(q=5,p=3)", (100, 125), 25),
        # 78 pairs of 13 switches, 120 of 16: two cables for each new pair.
        (64, "hyperx(13,parallel=2,p=32)", "hyperx(16,parallel=2,p=32)", (416, 512), 96 + 2 * 42),
        (64, "rail_cluster(nodes=13,gpus=8,pod=13,spine=absent)", "rail_cluster(nodes=16,gpus=8,pod=16,spine=absent)",
         (100, 125), 24),
        (64, "rail_cluster(nodes=64,gpus=8,pod=32,spines=32)", "rail_cluster(nodes=80,gpus=8,pod=32,spines=32)",
         (512, 640), 8 * 16 + 8 * 32),
    ],
)  # fmt: skip
def test_what_only_gains_cables_moves_none(
    shop: Catalogue, ports: int, old: str, new: str, endpoints: tuple[int, int], cables: int
) -> None:
    found = grow(shop, ports, old, new, endpoints)
    assert (found.moved, found.unused_cables, found.unused_usd, found.fewer) == (0, 0, 0.0, 0)
    assert found.cables == cables
    said = _growth(found)
    assert said.endswith("; no old cable moves.") and "elsewhere" not in said


def test_a_ring_that_grows_moves_the_cables_that_close_it(shop: Catalogue) -> None:
    """Each of 3 x 4 lines of six switches is opened, and closed behind a seventh one."""
    found = grow(shop, 16, "torus(3,4,6,p=6)", "torus(3,4,7,p=6)", (400, 500))
    assert found.moved + found.unused_cables == 12 and found.switches == 12
    assert found.between == (3 * 72, 3 * 84)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("xgft(m=[20,7],w=[1,4],parallel=[1,5])", "xgft(m=[27,6],w=[1,3],parallel=[1,6])"),
        ("xgft(m=[16,16],w=[1,8],parallel=[1,2])", "xgft(m=[16,4,5],w=[1,4,8],parallel=[1,4,2])"),
        ("dragonfly(a=4,p=2,h=2,g=3)", "dragonfly(a=4,p=2,h=2,g=5)"),
        ("dragonfly_plus(leaves=4,spines=4,h=4,g=3,p=4)", "dragonfly_plus(leaves=4,spines=4,h=4,g=5,p=4)"),
        ("hyperx(2,2,5,parallel=[6,6,2],p=9)", "hyperx(3,3,3,parallel=[4,3,3],p=9)"),
        ("slim_fly(q=4,p=3)", "slim_fly(q=5,p=3)"),
        ("torus(3,3,4,p=5)", "torus(3,4,4,p=5)"),
        ("xpander(degree=5,lift=3,p=3)", "xpander(degree=6,lift=3,p=3)"),
        ("random_regular(20,degree=5,p=3)", "random_regular(26,degree=6,p=3)"),
        ("random_regular(20,degree=6,p=3)", "random_regular(26,degree=6,p=3)"),
        ("rail_cluster(nodes=40,gpus=8,pod=20,oversubscription=2)", "rail_cluster(nodes=50,gpus=8,pod=26,spines=13)"),
    ],
)
def test_every_cable_is_accounted_for(shop: Catalogue, old: str, new: str) -> None:
    small, large = (_core.Network.build(call) for call in (old, new))
    before, after = parts_of(small, small.endpoints), parts_of(large, large.endpoints)
    kind = shop.switches[-1]
    found = grown(Before(old, small.endpoints), large, new, large.endpoints, kind, shop)
    ends = int(after.ends.sum() - before.ends.sum())
    # Taken out are those that move or are left over; put in those that move or are bought.
    assert found.between[1] - found.between[0] == found.cables - ends - found.unused_cables
    assert found.switches - found.unused_switches == after.switches - before.switches
    assert 0 <= found.moved <= len(before.tails) + int(before.ends.sum())
    assert found.usd >= found.switches * kind.usd + found.cables * 100.0
    assert found.usd <= found.switches * kind.usd + found.cables * 1000.0
    assert (found.unused_usd > 0) == (found.unused_cables + found.unused_switches > 0)


def test_money_and_cables_are_those_of_a_count_by_hand(shop: Catalogue) -> None:
    """Groups keep their numbers, so a dragonfly's cables can be counted pair by pair, on a floor made here."""
    old, new = "dragonfly(a=4,p=2,h=2,g=3)", "dragonfly(a=4,p=2,h=2,g=5)"
    small, large = (_core.Network.build(call) for call in (old, new))
    pairs = [
        Counter((a, b) for a, b in zip(net.tails.tolist(), net.heads.tolist(), strict=True) if a < b)
        for net in (small, large)
    ]
    # Three cabinets of four in two rows of two, then two more: one in the free cell, one in a third row.
    place = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]

    def length(pair: tuple[int, int]) -> float:
        a, b = (place[one // 4] for one in pair)
        return 1.0 if a == b else 2.0 + 2.0 * abs(a[0] - b[0]) + abs(a[1] - b[1])

    out, needed = ((pairs[0] - pairs[1]), (pairs[1] - pairs[0]))
    removed, added = (Counter(length(pair) for pair in some.elements()) for some in (out, needed))
    bought = [1000.0 if one > 3.0 else 100.0 for one in (added - removed).elements()]
    left = [1000.0 if one > 3.0 else 100.0 for one in (removed - added).elements()]
    found = grow(shop, 8, old, new, (24, 40))
    assert found.moved == (removed & added).total() > 0
    assert found.usd == 8 * 1000.0 + 16 * 100.0 + sum(bought)
    assert (found.unused_usd, found.unused_cables) == (sum(left), len(left))


def test_old_switches_stay_where_they_stand(shop: Catalogue) -> None:
    for before, after in ((1, 2), (5, 6), (9, 14), (17, 40), (30, 31)):
        floor = layout(before, shop.floor)
        matched = np.arange(before)[::-1].copy()
        large = grown_floor(shop.floor, floor, matched, after)
        for name in ("x_m", "y_m", "cabinet"):
            assert np.array_equal(getattr(large, name)[matched], getattr(floor, name))
        held = np.bincount(large.cabinet)
        assert held.max() <= shop.floor.switches_per_cabinet and large.cabinets == -(-after // 4)
        assert len({(x, y) for x, y in zip(large.x_m, large.y_m, strict=True)}) == large.cabinets


def test_old_switches_have_one_place_each() -> None:
    for old, new in (("hyperx(2,3,p=1)", "hyperx(3,3,p=1)"), ("xgft(m=[4,4],w=[1,2])", "xgft(m=[4,3,2],w=[1,2,2])")):
        small, large = (_core.Network.build(call) for call in (old, new))
        for way in matchings(blocks(small, old, small.switches), blocks(large, new, large.switches)):
            assert len(set(way.tolist())) == small.switches and way.min() >= 0 and way.max() < large.switches


def test_coordinates_are_those_of_the_generator() -> None:
    """In a tree of three levels a pod more keeps every old cable below the top."""
    old, new = "xgft(m=[4,3,2],w=[1,3,2])", "xgft(m=[4,3,3],w=[1,3,2])"
    small, large = (parts_of(_core.Network.build(call), 1) for call in (old, new))
    ways = list(matchings(*(blocks(_core.Network.build(c), c, p.switches) for c, p in ((old, small), (new, large)))))
    edges = Counter(zip(large.tails.tolist(), large.heads.tolist(), strict=True))
    kept = [
        sum(
            bool(edges[tuple(sorted((int(way[a]), int(way[b]))))])
            for a, b in zip(small.tails, small.heads, strict=True)
        )
        for way in ways
    ]
    assert max(kept) == len(small.tails)


@pytest.mark.parametrize("family", [name for name in FAMILIES if name != "rail-optimised"])
def test_every_family_grows(shop: Catalogue, family: str) -> None:
    some = 0
    for kind in shop.switches:
        for one in sized(family, kind, 60)[0]:
            calls, why = larger(one, 75)
            assert calls or why
            for call in calls:
                found = grown(Before(one.call, 60), _core.Network.build(call), call, 75, kind, shop)
                some += 1
                assert found.radix <= kind.ports and found.cables >= 15 and found.usd >= 15 * 100.0
                if call == one.call:
                    assert (found.cables, found.moved, found.switches) == (15, 0, 0)
    assert some


def test_a_tree_grows_below_its_top(shop: Catalogue) -> None:
    kind = next(one for one in shop.switches if one.ports == 40)
    one = Sized("fat-tree", "1:1", kind, 'xgft(m=[19,7],w=[1,4],parallel=[1,5],bandwidth="100 Gbps")')
    calls, _ = larger(one, 160)
    assert 'xgft(m=[20,8],w=[1,4],parallel=[1,5],bandwidth="100 Gbps")' in calls


def test_the_answer_says_what_grows(tmp_path: Path) -> None:
    path = tmp_path / "parts.toml"
    path.write_text(SMALL)
    how = Settings(calibration="pure", least_ports=16, failed_links="0", failed_switches="0")
    found = design(64, ["shift(k=1,bytes=1000)"], families=["fat-tree"], parts=path, how=how)
    known = {one["network"]: one["growth"] for one in found.to_dict()["candidates"] if one.get("growth")}  # type: ignore[attr-defined]
    assert known
    for growth in known.values():
        assert growth["usd"] > 0 and growth["cables"] >= 16 and isinstance(growth["moved"], int)
        assert _core.expected(growth["network"])["endpoints"] >= 80
    (said,) = (sentence for sentence in found.explain() if "quarter" in sentence)
    assert found.decision is not None
    growth = known[found.decision.sized.call]
    assert ("no old cable moves" in said) == (growth["moved"] + growth["unused_cables"] == 0)
