"""Design: planted optima, the front next to brute force, prices by hand, and what changes the decision asked again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import netloom
from netloom import NetloomError, _core
from netloom.design import Design, Settings, catalogue, design
from netloom.design.bill import bill
from netloom.design.candidate import dominates, front
from netloom.design.families import FAMILIES, box, mms_degree, sized
from netloom.design.mix import weighted

from ..cli.design_cases import SMALL, cable, parts, switch

ALLTOALL, STENCIL, SHIFT = "alltoall:pairwise", "stencil(4,4,4,bytes=100000)", "shift(k=1,bytes=100000)"
#: Cables of any length for one price, so that switches decide.
CHEAP = cable("optical", 10.0)


@pytest.fixture
def asked(tmp_path: Path) -> Any:
    """Designs of 64 endpoints from the text of a catalogue."""

    def run(
        text: str, workloads: Sequence[str], endpoints: int = 64, budget: float | None = None, **how: Any
    ) -> Design:
        path = tmp_path / "parts.toml"
        path.write_text(text)
        families = how.pop("families", ())
        settings = Settings(**({"calibration": "pure"} | how))
        return design(endpoints, workloads, budget_usd=budget, families=families, parts=path, how=settings)

    return run


@pytest.mark.parametrize(
    ("tables", "workload", "best"),
    [
        # One switch has room for all and is nearly free; then the same catalogue with its prices exchanged.
        ((switch(64, 1.0), switch(8, 1e6)), ALLTOALL, "fat-tree one switch, 64 x 100"),
        ((switch(64, 1e6), switch(8, 1.0)), ALLTOALL, "fat-tree 1:1, 8 x 100"),
        # One switch, and the traffic decides: between all halves, between neighbours, within leaves.
        ((switch(16, 1000.0),), ALLTOALL, "fat-tree 1:1, 16 x 100"),
        ((switch(16, 1000.0),), STENCIL, "hyperx 3D p=8, 16 x 100"),
        ((switch(20, 1000.0),), SHIFT, "fat-tree 4:1, 20 x 100"),
    ],
)
def test_a_planted_optimum_is_found(asked: Any, tables: tuple[str, ...], workload: str, best: str) -> None:
    found = asked(parts(*tables, CHEAP), [workload])
    assert found.decision is not None and found.decision.name == best
    # Everything else, timed and priced one by one, is worse.
    every = asked(parts(*tables, CHEAP), [workload], prune=False)
    values = {one.name: _alone(one, workload) * one.usd for one in every.candidates}
    assert min(values, key=values.__getitem__) == best and len(values) >= 10


def _alone(one: Any, workload: str) -> float:
    """The time of a candidate, asked without the design."""
    size = {"size_bytes": 1 << 20} if ":" in workload else {}
    routing, variant = one.routing
    inputs = {"network": one.sized.call, "workload": workload, "ranks": 64, "routing": routing, "variant": variant}
    return float(netloom.evaluate({**inputs, **size, "calibration": "pure"}, "time").time_s)


@pytest.mark.parametrize(
    "workloads",
    [
        [ALLTOALL],
        [STENCIL],
        [SHIFT, f"{ALLTOALL}=0.01"],
        ["allreduce:ring=3", "stencil(8,8,bytes=9000)", "uniform(bytes=4096,seed=1)=0.5"],
        ["allreduce:recursive-doubling", "broadcast:binomial"],
    ],
)
def test_the_ladder_has_the_front_of_brute_force(asked: Any, workloads: list[str]) -> None:
    quick, every = asked(SMALL, workloads), asked(SMALL, workloads, prune=False)
    assert [one.name for one in quick.front] == [one.name for one in every.front]
    assert [quick.time_s(one) for one in quick.front] == [every.time_s(one) for one in every.front]
    assert quick.decision is not None and every.decision is not None
    assert quick.decision.name == every.decision.name
    assert all(one.final for one in every.candidates)
    for goal in ("time", "per-usd", "per-watt"):
        few, all_ = asked(SMALL, workloads, goal=goal), asked(SMALL, workloads, goal=goal, prune=False)
        assert few.decision.name == all_.decision.name


def test_the_ladder_leaves_rungs_out(asked: Any) -> None:
    quick, every = asked(SMALL, [STENCIL]), asked(SMALL, [STENCIL], prune=False)
    assert quick.counts["time"] < every.counts["time"] == len(every.candidates)
    by_name = {one.name: one for one in every.candidates}
    left = [one for one in quick.candidates if one.worse_than]
    assert left
    for one in left:
        better, whole = by_name[one.worse_than], by_name[one.name]
        assert quick.time_s(one) <= every.time_s(whole) * (1 + 1e-9)
        assert dominates(*((every.time_s(who), who.usd, who.watts) for who in (better, whole)))


@pytest.mark.parametrize("workload", [ALLTOALL, STENCIL, "allreduce:ring", "shift(k=21,bytes=65536)"])
@pytest.mark.parametrize("routing", ["spray", "one-path", "auto"])
def test_cheap_rungs_are_bounds_below_dear_ones(asked: Any, workload: str, routing: str) -> None:
    found = asked(SMALL, [workload], prune=False, routing=routing)
    for one in found.candidates:
        hops, loads, time = (one.by_rung[rung][0] for rung in ("hops", "loads", "time"))
        assert hops <= loads * (1 + 1e-9) and loads <= time * (1 + 1e-9), one.name


def test_prices_and_watts_by_hand(asked: Any) -> None:
    """Four leaves of 16 ports and two spines: eight endpoints each, eight cables up, in two cabinets of four."""
    text = parts(switch(16, 1000.0, 100.0), cable("copper", 50.0, 10.0, 0.0, 3.0), cable("optical", 300.0, 5.0, 4.0))
    found = asked(text, [ALLTOALL], 32, families=["fat-tree"])
    one = next(one for one in found.candidates if one.sized.variant == "1:1")
    assert one.sized.call == 'xgft(m=[8,4],w=[1,2],parallel=[1,4],bandwidth="100 Gbps")'
    # All leaves stand in the first cabinet, both spines in the next one, 2 m of depth further: 4 m, beyond copper.
    assert one.bill.usd_of == {"switches": 6000.0, "copper": 32 * 60.0, "optical": 32 * 320.0}
    assert one.watts == 6 * 100.0 + 32 * 4.0
    assert (one.bill.cables, one.bill.cable_m, one.bill.longest_m) == (64, 32 * 1.0 + 32 * 4.0, 4.0)
    nics = text + '[[nic]]\ngbps = 100\nusd = 500\nwatts = 10\ndate = "2026"\nsource = "a test"\n'
    also = next(
        one for one in asked(nics, [ALLTOALL], 32, families=["fat-tree"]).candidates if one.sized.variant == "1:1"
    )
    assert also.usd == one.usd + 32 * 500.0 and also.watts == one.watts + 32 * 10.0


@pytest.mark.parametrize("endpoints", [20, 64, 500, 3000])
@pytest.mark.parametrize("ports", [8, 16, 36, 64])
def test_candidates_have_room_and_ports(endpoints: int, ports: int) -> None:
    kind = catalogue().switches[0]
    kind = type(kind)(**(vars(kind) | {"ports": ports}))
    some = 0
    for family in FAMILIES:
        if family == "rail-optimised" and endpoints > 500:
            continue
        found, left_out = sized(family, kind, endpoints)
        assert found or left_out
        for one in found:
            net = _core.Network.build(one.call)
            some += 1
            assert net.endpoints >= endpoints, one
            assert bill(net, kind, catalogue(), endpoints).radix <= ports, one
    assert some


def test_boxes_and_degrees() -> None:
    assert box(27, 3, 3) == [3, 3, 3] and box(60, 3, 2) == [3, 4, 5] and box(5, 2, 3) == [3, 3]
    assert [mms_degree(q) for q in (3, 4, 5, 6, 7, 8, 9, 10)] == [5, 6, 7, None, 11, 12, 13, None]
    assert mms_degree(5) == _core.expected("slim_fly(q=5,p=1)")["degree_max"]


def test_fronts_of_points() -> None:
    points = [(1.0, 9.0, 1.0), (2.0, 2.0, 2.0), (3.0, 3.0, 3.0), (2.0, 2.0, 2.0), (9.0, 1.0, 9.0)]
    assert front(points) == [True, True, False, True, True]


MIX = [f"{ALLTOALL}=1", f"{STENCIL}=40"]


@pytest.mark.parametrize("kind", ["price", "weight"])
def test_what_changes_the_decision_does(asked: Any, kind: str) -> None:
    """Just beyond each crossing another one is best, just before it not: asked again with that price or weight."""
    found = asked(SMALL, MIX, prune=False)
    best, crossings = found.decision.name, [one for one in found.sure.changes if one.kind == kind]
    assert crossings
    for one in crossings:
        for step, changes in ((0.999, one.factor < 1), (1.001, one.factor > 1)):
            factor = one.factor * step
            if kind == "weight":
                mix = [
                    f"{name}={weight * (factor if name == one.of else 1)}"
                    for name, weight in ((ALLTOALL, 1), (STENCIL, 40))
                ]
                again = asked(SMALL, mix, prune=False)
            else:
                again = asked(_dearer(one.of, factor), MIX, prune=False)
            assert (again.decision.name == one.to.name) is changes, (one, step)
            assert changes or again.decision.name == best


def _dearer(name: str, factor: float) -> str:
    """The small catalogue with one class of prices times a factor."""
    usd = {"switches": 1.0, "copper": 1.0, "optical": 1.0} | {name: factor}
    return parts(
        switch(8, 1000.0 * usd["switches"]),
        switch(16, 2500.0 * usd["switches"], 180.0),
        cable("copper", 50.0 * usd["copper"], 10.0 * usd["copper"], 0.0, 3.0),
        cable("optical", 300.0 * usd["optical"], 5.0 * usd["optical"], 4.0),
    )


def test_price_errors_and_regret_are_those_of_asking_again(asked: Any) -> None:
    found = asked(SMALL, MIX)
    said = {(name, factor): one.name for name, factor, one in found.sure.by_price}
    for name in ("switches", "copper", "optical"):
        for factor in (0.8, 1.2):
            # A medium's price decides where its cables are of another one, which the errors leave aside.
            again = asked(_dearer(name, factor), MIX).decision.name
            assert again == said.get((name, factor), found.decision.name), (name, factor)
    chosen = found.sure.robust_mix
    worst = {}
    rated = [one for one in found.candidates if one.final]
    for one in rated:
        worst[one.name] = max(
            one.bounds[at] * one.usd / min(other.bounds[at] * other.usd for other in rated) - 1 for at in (0, 1)
        )
    assert chosen.regret == pytest.approx(min(worst.values())) == pytest.approx(worst[chosen.chosen.name])
    assert chosen.of_decision[0] == pytest.approx(worst[found.decision.name])


def test_failures_are_those_of_the_network_without_them(asked: Any) -> None:
    found = asked(SMALL, [ALLTOALL], families=["hyperx", "fat-tree"], failed_links="5", failed_switches="1", seed=3)
    for one in found.front:
        known = found.around[one.name]
        before, after = one.by_rung["loads"][0], []
        for seed in (3, 4):
            net = _core.Network.build(one.sized.call).without([f"links:5,seed={seed}"])
            inputs = {"workload": ALLTOALL, "size_bytes": 1 << 20, "ranks": 64, "routing": "minimal"}
            rows = netloom.evaluate({"network": net, **inputs}, "loads").tables["classes"]
            after.append(max(row["max_s"] for row in rows))
        assert known.links.slowdown == pytest.approx(max(after) / before) and known.links.slowdown >= 1
        assert known.switches.lost in (0, *(range(1, 17)))


def test_nothing_fails_where_none_is_asked_for(asked: Any) -> None:
    found = asked(SMALL, [ALLTOALL], families=["hyperx", "fat-tree"], failed_links="0", failed_switches="1", seed=3)
    both = asked(SMALL, [ALLTOALL], families=["hyperx", "fat-tree"], failed_links="5", failed_switches="1", seed=3)
    for one in found.front:
        known = found.around[one.name]
        assert known.links is None and known.switches == both.around[one.name].switches


def test_growth_has_the_parts_of_the_larger_bill(asked: Any) -> None:
    """What stays, what is bought less what is left over: with old switches in place lengths differ, numbers do not."""
    found = asked(SMALL, [ALLTOALL], families=["fat-tree", "random-regular"])
    some = 0
    for one in found.front:
        growth = found.around[one.name].growth
        if growth is None:
            assert found.around[one.name].no_growth
            continue
        some += 1
        larger = bill(_core.Network.build(growth.network), one.sized.switch, found.catalogue, 80)
        assert growth.switches - growth.unused_switches == larger.switches - one.bill.switches
        assert growth.cables - growth.unused_cables == larger.cables - one.bill.cables
        assert growth.usd >= 0 and growth.unused_usd >= 0
    assert some


def test_a_budget_buys_the_fastest(asked: Any) -> None:
    every = asked(SMALL, [ALLTOALL], goal="time", prune=False)
    limit = 40000.0
    within = [one for one in every.candidates if one.usd <= limit]
    found = asked(SMALL, [ALLTOALL], budget=limit)
    assert found.rule.goal == "time" and 0 < len(within) < len(every.candidates)
    fastest = min(within, key=lambda one: (every.time_s(one), one.usd))
    assert found.decision.name == fastest.name and all(one.usd <= limit for one in found.candidates)
    assert sum("more than the budget" in one.reason for one in found.left_out) == len(every.candidates) - len(within)


def test_the_same_bytes_with_any_number_of_processes(asked: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("netloom.design.pool"), "WORTH", 0)
    texts = [json.dumps(asked(SMALL, MIX, workers=workers).to_dict()) for workers in (1, 2)]
    assert texts[0] == texts[1]


def test_weights_sum_to_one_and_calls_keep_their_equals_signs() -> None:
    assert weighted(["stencil(4,4,bytes=8)=3", "alltoall:bruck"]) == {
        "stencil(4,4,bytes=8)": 0.75,
        "alltoall:bruck": 0.25,
    }
    assert weighted({"alltoall:bruck": 2, "alltoall:pairwise": 2}) == {"alltoall:bruck": 0.5, "alltoall:pairwise": 0.5}
    with pytest.raises(NetloomError, match="NL-Z002"):
        weighted({"alltoall:bruck": float("nan")})


def test_clusters_with_nvlink_are_asked_for(asked: Any) -> None:
    found = asked(SMALL, [ALLTOALL], 32)
    assert "rail-optimised" in {one.name for one in found.left_out}
    also = asked(SMALL, [ALLTOALL], 32, nvlink=True)
    assert any(one.sized.family == "rail-optimised" for one in also.candidates)
    assert any("NVLink" in note for note in also.notes) and not any("NVLink" in note for note in found.notes)


def test_the_shipped_catalogue_names_every_source() -> None:
    made = catalogue()
    assert all(one.source and one.date for one in (*made.switches, *made.cables))
    # No price of a newer part is passed off as a quote.
    assert all(one.estimate for one in (*made.switches, *made.cables) if one.gbps > 100)
    assert any("estimates" in note for note in made.notes)
    from netloom.cost import cost_model

    prices = cost_model("jain-2016")
    first = made.switches[0]
    assert first.usd == pytest.approx(first.ports * prices.switch_usd_per_port + prices.switch_usd, rel=1e-3)
    for one in made.switches:
        line = (one.ports * prices.switch_usd_per_port + prices.switch_usd) * (one.gbps / 100) ** 0.756
        assert one.usd == pytest.approx(line, rel=2e-3), one
    for medium in made.cables:
        line = next(one for one in prices.cables if one.name == medium.line.name)
        assert medium.line.usd == pytest.approx(line.usd * (medium.gbps / 100) ** 0.518, rel=2e-3)
