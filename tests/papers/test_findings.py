"""What is kept of a study: verdicts, ties, the digest of runs and claims."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from netloom.results import Column, Table
from netloom.study.schema import Claim
from netloom.study.tables import Outcome

from .findings import KEPT, Found, claim_keys, digest, found_of, load, raw, whole, with_words
from .statements import STUDIES

SEEDS = range(1, 9)


def outcomes(ring: list[float], random: list[float]) -> dict[str, Outcome]:
    """One experiment: hops of two families on eight random networks."""
    rows = [
        {"seed": seed, "family": family, "hops": hops}
        for family, column in (("ring", ring), ("random", random))
        for seed, hops in zip(SEEDS, column, strict=True)
    ]
    table = Table("t", [Column("seed"), Column("family"), Column("hops")], rows)
    return {"e": Outcome(None, table, Table("skipped", []))}  # type: ignore[arg-type]


def found(ring: list[float], random: list[float], **keys: Any) -> Found:
    claim = {"says": "x", "of": {"column": "hops", "where": {"family": "ring"}}, **keys}
    return found_of(Claim.model_validate(claim), "key", "e", outcomes(ring, random))


LESS = {"to": {"where": {"family": "random"}}, "is": "<"}
RISING = {"along": "family", "rising": ["ring", "random"], "of": {"column": "hops"}}


@pytest.mark.parametrize(
    ("ring", "random", "verdict"),
    [
        ([100.0] * 8, [110.0] * 8, "confirmed"),
        ([110.0] * 8, [100.0] * 8, "refuted"),
        ([101.5] * 8, [100.0] * 8, "tie"),
        ([103.0] * 8, [100.0] * 8, "refuted"),
        ([110.0] * 6 + [90.0] * 2, [100.0] * 8, "tie"),
        ([110.0] * 7 + [90.0], [100.0] * 8, "refuted"),
    ],
)
def test_what_differs_by_little_or_either_way_is_a_tie(ring: list[float], random: list[float], verdict: str) -> None:
    assert found(ring, random, **LESS).verdict == verdict
    assert found(ring, random, **RISING).verdict == verdict


def test_numbers_and_equalities_have_their_own_tolerance() -> None:
    assert found([101.0] * 8, [100.0] * 8, expected=100).verdict == "refuted"
    assert found([101.0] * 8, [100.0] * 8, **{**LESS, "is": "=="}).verdict == "refuted"
    assert found([101.0] * 8, [100.0] * 8, to=100.0, **{"is": "<"}).verdict == "tie"


def test_groups_are_judged_one_by_one() -> None:
    both = found([100.0] * 8, [120.0] * 8, of={"column": "hops"}, to=110.0, each=["family"], **{"is": "<"})
    assert both.verdict == "refuted"
    assert [(case["label"], case["verdict"]) for case in both.cases] == [
        ("family ring", "confirmed"),
        ("family random", "refuted"),
    ]


def test_a_claim_waits_for_all_its_runs_and_for_the_numbers_derived_from_others() -> None:
    made = outcomes([1.0] * 8, [2.0] * 8)["e"]
    runs = [SimpleNamespace(labels={"seed": row["seed"], "family": row["family"]}) for row in made.table.rows]
    part = SimpleNamespace(axes=["seed", "family"], runs=runs)

    def asked(column: str, table: Table) -> bool:
        claim = Claim.model_validate(
            {"says": "x", "of": {"column": column, "where": {"family": "ring"}}, "expected": 1}
        )
        return whole(claim, "e", {"e": replace(made, part=part, table=table)})  # type: ignore[arg-type]

    assert asked("hops", made.table)
    assert not asked("less_than_random_percent", made.table)
    assert not asked("hops", Table("t", made.table.columns, made.table.rows[1:]))


def test_words_may_change_after_the_run() -> None:
    kept = found([120.0] * 8, [100.0] * 8, expected=100)
    told = with_words(kept, {"says": "y", "refuted": "{got} hops"})
    assert (told.says, told.reason) == ("y", "120 hops")


def test_a_claim_has_another_key_when_it_asks_something_else() -> None:
    keys = claim_keys("two_tier")
    assert len(set(keys.values())) > 40
    assert digest([1, {"a": 2}]) == digest([1, {"a": 2}]) != digest([1, {"a": 3}])


@pytest.mark.parametrize("study", STUDIES)
def test_a_claim_that_is_refuted_says_why(study: str) -> None:
    """A study with a refuted claim without a reason ends with exit code 1, and `make demo` with it."""
    claims = [claim for experiment in raw(study) for claim in experiment.get("claim", [])]
    told = {claim["id"] for claim in claims if claim.get("refuted")}
    if not (KEPT / f"{study}.json").is_file():
        pytest.skip("not run yet: the reproduction page says so")
    refuted = {claim.id for claim in load(study).claims if any(case["verdict"] == "refuted" for case in claim.cases)}
    assert refuted <= told
    # So does one with a confirmed claim that says why it was refuted.
    assert not told & {claim.id for claim in load(study).claims if claim.verdict == "confirmed"}
