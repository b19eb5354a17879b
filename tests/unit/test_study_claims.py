"""Verdicts on claims, chart data and derived columns, on tables written by hand."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from netloom.results import Column, Table
from netloom.study.claims import judge, number
from netloom.study.reporting import chart_data
from netloom.study.schema import Chart, Claim
from netloom.study.tables import Outcome, relate

ROWS = [
    {"place": place, "order": order, "ranks": ranks, "seed": seed, "hops": hops + seed}
    for place, order, ranks, hops in [
        ("ring", "draw", 8, 100),
        ("ring", "opt", 8, 50),
        ("random", "draw", 8, 200),
        ("random", "opt", 8, 60),
        ("ring", "draw", 16, 300),
        ("ring", "opt", 16, 310),
    ]
    for seed in (-1, 0, 5)
]


def outcomes() -> dict[str, Outcome]:
    columns = [Column(name) for name in ("place", "order", "ranks", "seed")] + [Column("hops", "hops")]
    table = Table("e", columns, [dict(row) for row in ROWS])
    return {"e": Outcome(None, table, Table("e-skipped", []))}  # type: ignore[arg-type]


def verdict(**keys: Any) -> tuple[str, str]:
    finding = judge(Claim.model_validate({"says": "x", **keys}), "e", outcomes())
    return finding.verdict, finding.got


RING = {"column": "hops", "where": {"place": "ring", "order": "draw", "ranks": 8}}


def test_a_value_within_its_tolerance() -> None:
    assert verdict(of=RING, expected=100) == ("confirmed", "100")
    assert verdict(of=RING, expected=101)[0] == "refuted"
    assert verdict(of=RING, expected=101, tolerance=1)[0] == "confirmed"
    assert verdict(of=RING, expected=105, tolerance="5 %")[0] == "confirmed"
    assert verdict(of=RING, expected=106, tolerance="5 %")[0] == "refuted"
    assert verdict(of=RING | {"aggregate": "max"}, expected=105)[0] == "confirmed"
    assert verdict(of=RING | {"aggregate": "count"}, expected=3)[0] == "confirmed"


def test_two_queries_set_against_each_other() -> None:
    two = {"of": RING, "to": {"where": {"place": "random"}}}
    assert verdict(**two, **{"as": "percent-less"}, expected=50) == ("confirmed", "50 %")
    assert verdict(**two, **{"as": "ratio"}, expected=0.5)[0] == "confirmed"
    assert verdict(**two, **{"as": "difference"}, expected=-100)[0] == "confirmed"
    assert verdict(**two, **{"is": "<"})[0] == "confirmed"
    assert verdict(**two, **{"is": ">="})[0] == "refuted"
    assert verdict(of=RING, to=100.0, **{"is": "=="})[0] == "confirmed"


def test_each_group_must_hold() -> None:
    claim = {
        "of": {"column": "hops", "where": {"order": "opt"}},
        "to": {"where": {"order": "draw"}},
        "is": "<",
        "each": ["place", "ranks"],
    }
    state, got = verdict(**claim)
    assert state == "refuted" and "place ring, ranks 16: 310 and 300" in got
    claim["of"]["where"]["ranks"] = [8]
    assert verdict(**claim)[0] == "confirmed", "a list of values is narrowed to that of the group"


def test_rising_along_a_column() -> None:
    claim = {"of": {"column": "hops", "where": {"ranks": 8, "order": "draw"}}, "along": "place"}
    assert verdict(**claim, rising=["ring", "random"]) == ("confirmed", "ring 100 < random 200")
    assert verdict(**claim, rising=["random", "ring"])[0] == "refuted"


def test_what_is_not_there_leaves_a_claim_open() -> None:
    nowhere = {"column": "hops", "where": {"place": "moon"}}
    assert verdict(of=nowhere, expected=1)[0] == "open"
    assert verdict(of=RING, to=nowhere, **{"is": "<"})[0] == "open"
    assert verdict(of=nowhere, expected=1, each=["ranks"])[0] == "open"


def test_a_known_refutation_is_no_surprise_and_its_failure_is_one() -> None:
    wrong = Claim.model_validate({"says": "x", "of": RING, "expected": 7, "refuted": "a misprint"})
    assert judge(wrong, "e", outcomes()).surprise is False
    right = Claim.model_validate({"says": "x", "of": RING, "expected": 100, "refuted": "a misprint"})
    assert judge(right, "e", outcomes()).surprise is True


def test_the_words_of_a_refutation_take_their_numbers_from_the_run() -> None:
    whole = Claim.model_validate({"says": "x", "of": RING, "expected": 7, "refuted": "{got} hops, not {ours}"})
    assert judge(whole, "e", outcomes()).reason == "100 hops, not {ours}"
    query = {"column": "hops", "where": {"order": "draw", "place": "ring"}}
    each = Claim.model_validate(
        {"says": "x", "of": query, "expected": 7, "each": ["ranks"], "refuted": "{ranks 8} at 8"}
    )
    assert judge(each, "e", outcomes()).reason == "100 at 8"


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"expected": 1, "is": "<", "to": 3.0},
        {"is": "<"},
        {"along": "place"},
        {"rising": [1, 2]},
        {"expected": 1, "as": "ratio"},
        {"expected": 1, "tolerance": "some"},
        {"expected": 1, "tolerance": -1},
        {"expected": "1"},
    ],
)
def test_claims_that_say_nothing_or_too_much(keys: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Claim.model_validate({"says": "x", "of": RING, **keys})


def test_relations() -> None:
    assert relate("percent-less", 25, 100) == 75
    assert relate("ratio", 25, 0) is None and relate("difference", None, 1) is None
    assert number(0.123456) == "0.1235" and number(1e5 + 0.5) == "100000.5" and number(None) == "?"


def chart(**keys: Any) -> dict[str, list[Any]]:
    return chart_data(outcomes()["e"].table, Chart.model_validate({"title": "t", "x": "ranks", "y": "hops", **keys}))


def test_lines_hold_medians_and_ranges() -> None:
    data = chart(series=["place", "order"], where={})
    at = data["series"].index("ring, draw")
    assert (data["ranks"][at], data["hops"][at], data["low"][at], data["high"][at]) == (8, 100, 99, 105)
    assert data["ranks"] == sorted(data["ranks"])


def test_boxes_keep_every_row_and_log_axes_leave_out_zero() -> None:
    assert len(chart(kind="box", series="place")["hops"]) == len(ROWS)
    assert "low" not in chart(kind="box")
    data = chart(x="seed", log=["x"], kind="scatter")
    assert set(data["seed"]) == {5}
    assert set(chart(facet="ranks")["facet"]) == {"ranks 8", "ranks 16"}


def test_bytes_are_compared_in_decimal_units_and_equal_numbers_shown_in_full() -> None:
    rows = [{"way": "SD", "max_bytes": 117964800}, {"way": "SI", "max_bytes": 159645696.5}]
    table = Table("e", [Column("way"), Column("max_bytes")], rows)
    found = {"e": Outcome(None, table, Table("e-skipped", []))}  # type: ignore[arg-type]
    two = {"of": {"column": "max_bytes", "where": {"way": "SD"}}, "to": {"where": {"way": "SI"}}}
    rising = {"of": {"column": "max_bytes"}, "along": "way", "rising": ["SD", "SI"]}

    def got(**keys: Any) -> str:
        return judge(Claim.model_validate({"says": "x", **keys}), "e", found).got

    assert got(**two, **{"is": "<"}) == "118 MB and 159.6 MB"
    assert got(**two, **{"is": "!="}) == "117964800 and 159645696.5"
    assert got(**rising) == "SD 118 MB < SI 159.6 MB"


def test_bandwidths_have_their_unit() -> None:
    rows = [{"way": "SD", "bandwidth_bytes_per_s": 4074551386.4}, {"way": "SI", "bandwidth_bytes_per_s": 399775497.4}]
    table = Table("e", [Column("way"), Column("bandwidth_bytes_per_s")], rows)
    found = {"e": Outcome(None, table, Table("e-skipped", []))}  # type: ignore[arg-type]
    of = {"column": "bandwidth_bytes_per_s", "where": {"way": "SD"}}

    def judged(**keys: Any) -> tuple[str, str]:
        one = judge(Claim.model_validate({"says": "x", "of": of, **keys}), "e", found)
        return one.expected, one.got

    other = {"where": {"way": "SI"}}
    assert judged(to=other, **{"is": ">"})[1] == "4.075 GB/s and 399.8 MB/s"
    assert judged(expected=3.527e9, tolerance="20 %") == ("3.527 GB/s ± 20 %", "4.075 GB/s")
    assert judged(to=other, **{"as": "ratio"}, expected=9.8, tolerance=1) == ("9.8 times ± 1", "10.19")


def test_an_open_claim_says_why() -> None:
    nothing = {"column": "hops", "where": {"place": "zzz"}}
    assert verdict(of=nothing, to=5.0, **{"is": ">"}) == ("open", "? (no row has place zzz)")
    assert verdict(of=RING, to={"where": {"order": "?"}}, **{"is": ">"})[1].startswith("100 and ? (no row has place")
    assert verdict(of=nothing, expected=3) == ("open", "? (no row has place zzz)")
    assert verdict(of=RING | {"column": "order"}, to=5.0, **{"is": ">"}) == ("open", "? (order is text, such as draw)")
    assert verdict(of={"column": "time_s"}, expected=3) == ("open", "? (time_s is not known)")
    rising = verdict(of=RING, along="ranks", rising=[8, 9])
    assert rising == ("open", "8 100 < 9 ? (no row has place ring, order draw, ranks 9)")
    text = verdict(of=RING | {"column": "order"}, to={"column": "place"}, **{"is": "=="})
    assert text == ("open", "? (order is text, such as draw) and ? (place is text, such as ring)")


@pytest.mark.parametrize(
    "keys",
    [
        {"expected": float("nan")},
        {"expected": float("inf")},
        {"expected": 1, "tolerance": float("inf")},
        {"expected": 1, "tolerance": "inf %"},
        {"expected": 1, "tolerance": float("nan")},
        {"is": "<", "to": float("nan")},
    ],
)
def test_numbers_of_claims_are_finite(keys: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        verdict(of=RING, **keys)
