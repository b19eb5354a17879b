"""How sure `netloom design` is: budgets, bounds, time that ran out, rungs that saw a part, goals of 0."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

import pytest

from netloom import NetloomError
from netloom.base.stopping import Stopped
from netloom.design import Design, Settings, design
from netloom.design.bill import Bill
from netloom.design.candidate import Candidate
from netloom.design.catalogue import catalogue
from netloom.design.crossing import FAR, Change, changes, wanted
from netloom.design.families import Sized
from netloom.design.mix import Member, share_said, weighted
from netloom.design.robust import sureness
from netloom.design.rule import Rule, may_win, price_classes

from ..cli.design_cases import SMALL, cable, parts, switch

MIX = ("alltoall:pairwise", "stencil(4,4,4,bytes=1000000)=2")
DEAR = "fat-tree 1:1, 40 x 200 Gb/s"


def _asked(workloads: Sequence[str] = MIX, endpoints: int = 64, budget: float | None = None, **how: Any) -> Design:
    return design(endpoints, workloads, budget_usd=budget, how=Settings(**({"most_ports": 40} | how)))


def _plain(found: Design) -> Any:
    """As a reader of JSON that knows no infinity reads it."""

    def refuse(text: str) -> None:
        raise AssertionError(text)

    return json.loads(json.dumps(found.to_dict()), parse_constant=refuse)


def test_a_price_error_brings_what_is_too_dear_within_the_budget() -> None:
    """Of 144,489 USD: at 0.8 times the price of switches it costs less than the budget, and is 32 % better."""
    found = _asked(budget=144_000)
    sure, said = found.sure, " ".join(found.explain())
    assert sure is not None and {(name, one and one.name) for name, factor, one in sure.by_price if factor < 1} == {
        ("switches", DEAR), ("copper", DEAR)}  # fmt: skip
    assert "does not change it" not in said and "no other candidate is better. What" not in said
    assert f"switches at 0.8 times their price ({DEAR}, now over the budget)" in said
    (first, *_) = sorted((one for one in sure.changes if one.factor < 1), key=lambda one: -one.factor)
    assert first.of == "switches" and first.to is not None and first.to.name == DEAR and not first.bound
    # Exactly there it costs the budget.
    assert first.to.bill.at({"switches": first.factor}) == pytest.approx(144_000)
    assert sure.robust_price is not None
    regret, worst = sure.robust_price.of_decision
    assert regret == pytest.approx(0.32, abs=0.01) and worst == "switches x 0.8"
    plain = _plain(found)
    beyond, able = ({one["name"] for one in plain[key]} for key in ("beyond_budget", "candidates"))
    assert DEAR in beyond and not beyond & able and all(one["usd"] > 144_000 for one in plain["beyond_budget"])


def test_a_decision_next_to_the_budget_says_from_where_on_it_is_over_it() -> None:
    found = _asked(budget=150_000)
    said, sure = " ".join(found.explain()), found.sure
    assert "inf" not in said and "No price and no weight" not in said
    assert "switches at 1.044 times their price (the decision is over the budget, then hyperx 2D p=20" in said
    assert "the decision costs more than the budget (switches x 1.2)." in said
    plain = _plain(found)["sure"]
    assert plain["robust_over_prices"]["decision_regret"] is None
    over = [one for one in plain["changes"] if one["over_budget"]]
    assert [one["of"] for one in over] == ["switches", "copper"] and sure is not None
    assert found.decision is not None and found.decision.bill.at({"switches": over[0]["factor"]}) == pytest.approx(15e4)


def test_nothing_may_be_left_within_the_budget(tmp_path: Path) -> None:
    path = tmp_path / "parts.toml"
    path.write_text(parts(switch(64, 1000.0), cable("optical", 10.0)))
    how = Settings(calibration="pure")
    found = design(32, ["shift(k=1)"], budget_usd=1400.0, parts=path, families=["fat-tree"], how=how)
    assert found.sure is not None and ("switches", 1.2, None) in found.sure.by_price
    said = " ".join(found.explain())
    assert "switches at 1.2 times their price (nothing with a time is within the budget then)" in said
    assert "switches at 1.08 times their price (nothing with a time is within the budget then)" in said
    _plain(found)


def test_a_change_is_of_a_candidate_with_a_time() -> None:
    """A bound below a time crossed where the time itself does not."""
    words = ("alltoall:pairwise=2", "broadcast:binomial=100")
    found, every = (_asked(words, 96, goal="time", prune=prune) for prune in (True, False))
    assert found.sure is not None and every.sure is not None and not every.sure.changes
    assert not [one for one in found.sure.changes if not one.bound]
    assert not any(line.startswith("What would change the decision") for line in found.explain())


@pytest.mark.parametrize("words", [MIX, ("alltoall:pairwise=2", "broadcast:binomial=100", "shift(k=9)=30")])
@pytest.mark.parametrize("how", [{}, {"goal": "time"}, {"goal": "per-watt"}, {"budget": 120_000.0}])
def test_changes_are_those_of_timing_all(words: Sequence[str], how: dict[str, Any]) -> None:
    budget, rest = how.get("budget"), {key: value for key, value in how.items() if key != "budget"}
    some, every = (_asked(words, budget=budget, prune=prune, **rest).sure for prune in (True, False))
    assert some is not None and every is not None
    known, all_ = (
        [(one.kind, one.of, one.factor, one.to and one.to.name) for one in sure.changes if not one.bound]
        for sure in (some, every)
    )
    bounds = {(one.kind, one.of, one.factor < 1) for one in some.changes if one.bound}
    assert [one for one in known if (one[0], one[1], one[2] < 1) not in bounds] == [
        one for one in all_ if (one[0], one[1], one[2] < 1) not in bounds
    ]


def _drawn(draw: random.Random, number: int, final: bool = True) -> Candidate:
    usd = {name: draw.choice([0.0, draw.uniform(1, 9)]) for name in ("copper", "optical")}
    bill = Bill({"switches": draw.uniform(1, 20), **usd}, draw.uniform(1, 9), 1, 1, 1, 1.0, 1.0, {})
    kind = catalogue().switches[0]
    bounds = [draw.uniform(1, 5) for _ in range(2)]
    return Candidate(Sized("drawn", f"{number:02d}", kind, ""), bill, ("", ""), bounds, {"loads": [1.0, 1.0]}, final)


def _mix(weights: Sequence[float]) -> list[Member]:
    return [Member(f"w{at}", weight, {}, ("loads",), False, 1.0) for at, weight in enumerate(weights)]


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("goal", ["time", "per-usd", "per-watt"])
def test_crossings_are_those_of_deciding_again(seed: int, goal: str) -> None:
    """Budgets or none: the decision is the same up to the nearest crossing on either side, and the one said beyond."""
    draw = random.Random(seed)
    some = [_drawn(draw, number) for number in range(8)]
    prices = sorted(one.usd for one in some)
    rule = Rule(goal, _mix([0.3, 0.7]), draw.choice([inf, prices[3] * 1.05, prices[5] * 1.01]))
    best = rule.ranked(some)[0]
    found = {(one.kind, one.of, one.factor > 1): one for one in changes(rule, some)}

    def again(kind: str, of: str, factor: float) -> Candidate | None:
        if kind == "price":
            order = rule.ranked(some, {of: factor})
        else:
            weights = [one.weight * (factor if one.workload == of else 1) for one in rule.mix]
            order = Rule(goal, _mix([one / sum(weights) for one in weights]), rule.budget_usd).ranked(some)
        return order[0] if order else None

    axes = [("price", name) for name in price_classes(some)] + [("weight", "w0"), ("weight", "w1")]
    for kind, of in axes:
        for up in (False, True):
            one = found.get((kind, of, up))
            end = (FAR if up else 1 / FAR) if one is None else one.factor
            for at in range(12):
                assert again(kind, of, end ** (at / 12)) is best, (kind, of, up)
            if one is not None:
                assert again(kind, of, end * (1 + 1e-6 if up else 1 - 1e-6)) is one.to
                assert one.over is (up and rule.value(best, {of: end * (1 + 1e-6)}) == inf and kind == "price")


@pytest.mark.parametrize("seed", range(20))
def test_bounds_are_no_facts(seed: int) -> None:
    """Candidates without a time: nothing of theirs is a change, what they may do sooner is marked and asked for."""
    draw = random.Random(seed)
    timed = [_drawn(draw, number) for number in range(4)]
    others = [_drawn(draw, number, False) for number in range(4, 8)]
    rule = Rule("per-usd", _mix([0.5, 0.5]))
    facts, every = changes(rule, timed), changes(rule, [*timed, *others])

    def told(some: Sequence[Change]) -> list[tuple[str, float, Candidate | None]]:
        return [(one.of, one.factor, one.to) for one in some]

    assert told([one for one in every if not one.bound]) == told(facts)
    asked = {id(one) for one in wanted(rule, [*timed, *others])}
    for one in every:
        assert not one.bound or (one.to is not None and not one.to.timed and id(one.to) in asked)
    best = rule.value(rule.ranked(timed)[0])
    open_ = [one for one in others if rule.value(one) < best]
    assert {id(one) for one in open_} <= {id(one) for one in may_win(rule, [*timed, *others])}
    assert not asked & {id(one) for one in open_}
    assert sureness(rule, [*timed, *others], None).unknown >= len(open_)


@pytest.mark.parametrize("jobs", [76, 81, 86])
def test_what_ran_out_of_time_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    pool: Any = import_module("netloom.design.pool")
    done, before = list[int](), pool.measure

    def measure(job: Any) -> Any:
        done.append(1)
        if len(done) > jobs:
            raise Stopped()
        return before(job)

    monkeypatch.setattr(pool, "measure", measure)
    path = tmp_path / "parts.toml"
    path.write_text(SMALL)
    how = Settings(calibration="pure", goal="time")
    found = design(64, ["alltoall:pairwise", "shift(k=5,bytes=90000)=2"], parts=path, how=how)
    assert found.ended == "time" and found.unknown and found.sure is not None and found.sure.unknown
    said, timed = found.explain(), len(found.ranked)
    words = "one with a time" if timed == 1 else f"{timed} with a time"
    assert f"the least time of the {words}, of {len(found.candidates)} candidates." in said[0]
    assert f" Of {len(found.unknown)} others it is not known yet: each may be better." in said[0]
    text = " ".join(said)
    assert "For any price error no other candidate is better" not in text and "does not change it" not in text
    assert f"of {found.sure.unknown} candidates without a time it is not known" in text
    # What only a bound says is no fact.
    for one in found.sure.changes:
        assert one.bound or one.to is None or one.to.timed
    _plain(found)


def test_what_has_no_time_yet_is_not_behind_the_front() -> None:
    shown = import_module("netloom.cli.design_shown")
    found = _asked()
    late, refused = found.candidates[-2:]
    late.final, late.worse_than, late.on_front = False, "", False
    refused.refused, refused.on_front = "too many paths", False
    assert shown._kind(found, late) == "no time yet" and shown._kind(found, refused) == "refused"
    assert shown._others(found).endswith(" of them behind the front, 1 without a time yet, 1 refused")


def test_packets_agree_on_what_they_saw() -> None:
    """They simulate the shift alone, a share of 0.0004 of a millisecond, and flows the rest."""
    found = _asked(("alltoall:pairwise=1000", "shift(k=1)"))
    assert found.sure is not None and found.decision is not None
    check = found.sure.by_rung["packet"]
    assert (check.workloads, check.whole) == (("shift(k=1)",), False) and check.share < 1e-4
    said = " ".join(found.explain())
    assert "All rungs agree: loads, time. By packet is checked shift(k=1) alone, less than 0.1 % of the time" in said
    plain = _plain(found)["candidates"][0]
    assert plain["by_rung_of"] == {
        "hops": ["alltoall:pairwise", "shift(k=1)"], "loads": ["alltoall:pairwise", "shift(k=1)"],
        "time": ["alltoall:pairwise", "shift(k=1)"], "packet": ["shift(k=1)"],
    }  # fmt: skip
    assert plain["by_rung_s"]["packet"] < 1e-7 < plain["time_s"] == pytest.approx(plain["by_rung_s"]["time"])


def test_a_rung_that_gives_the_time_does_not_check_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ring is timed by steps, the doubling by flows: neither says anything of the other."""
    monkeypatch.setattr(import_module("netloom.design.mix"), "FLOW_MESSAGES", 64 * 6)
    found = _asked(("allreduce:ring", "allreduce:recursive-doubling"), size_bytes=1 << 10)
    assert found.sure is not None and set(found.sure.by_rung) <= {"loads", "packet"}
    assert found.sure.decided_by == ["steps", "time"]


@pytest.mark.parametrize(("key", "goal"), [("watts", "per-watt"), ("usd", "per-usd")])
def test_a_goal_of_0_is_refused(tmp_path: Path, key: str, goal: str) -> None:
    """Time times 0 ranks nothing: the slowest one was the decision, and `the only candidate with a time`."""
    path = tmp_path / "parts.toml"
    lines = [f"{key} = 0" if line.startswith(f"{key} =") else line for line in SMALL.splitlines()]
    path.write_text("\n".join(line for line in lines if not line.startswith(f"{key}_per_m")))
    with pytest.raises(NetloomError, match=f"NL-Z001 --goal {goal}: .* have a (power|price) of 0, such as ") as error:
        design(32, ["shift(k=1)"], parts=path, how=Settings(goal=goal, calibration="pure"))
    assert "or --goal time" in str(error.value)
    for other in {"time", "per-watt", "per-usd"} - {goal}:
        found = design(32, ["shift(k=1)"], parts=path, how=Settings(goal=other, calibration="pure"))
        assert found.decision in found.front


def test_a_mix_that_takes_no_time_has_a_runner_up_all_the_same() -> None:
    found = _asked(("shift(k=64)",))
    assert found.decision in found.front and found.runner_up is not None
    said = found.explain()[1]
    assert said.startswith(f"The runner-up is {found.runner_up.name} (0 s, ") and "only candidate" not in said


def test_weights_of_any_size_are_shares() -> None:
    assert weighted(["a=1e308", "b=1e308"]) == {"a": 0.5, "b": 0.5}
    assert weighted({"a": 1.7e308, "b": 1e-300})["a"] == 1.0
    for wrong in (10**400, inf, -1.0):
        with pytest.raises(NetloomError, match="NL-Z002 --workload a must be of a weight >= 0"):
            weighted({"a": wrong, "b": 1.0})


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.0, "0.0 %"), (1e-9, "less than 0.1 %"), (0.34, "34 %"), (0.999, "more than 99 %"), (1.0, "100 %")],
)
def test_shares_that_are_not_all(share: float, said: str) -> None:
    assert share_said(share) == said
