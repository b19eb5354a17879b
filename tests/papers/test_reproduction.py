"""The page of reproduced numbers: one row per statement, one verdict per row, and no number that a run did not give."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from dataclasses import replace

import pytest

from netloom.results import Column, Table
from netloom.study.schema import Claim, Query

from .evidence import checks, errata, mentioned, shorten
from .findings import HERE, KEPT, ROOT, Found, claim_keys, load, over_networks, raw, runs_digest
from .measured import MODULES, place
from .page import IMAGES, outcome, render, typed_numbers
from .reproduction import evidence
from .statements import LONG, STUDIES, Greatest, Row, chapters, homes
from .verdicts import GROUNDS, VERDICTS, filled, judged, number_of

#: The 202 claims that the five papers were read for, by letter and number.
CLAIMS = {
    "T": range(1, 27),
    "K": range(1, 43),
    "R": range(1, 20),
    "O": range(1, 5),
    "J": range(1, 61),
    "X": range(1, 36),
}
CLAIMS |= {"M": range(1, 9), "L": range(18, 21), "N": range(19, 22), "W": range(40, 41), "F": range(6, 7)}


def page() -> str:
    return (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")


def rows() -> list[Row]:
    return [row for chapter in chapters(homes()) for row in chapter.rows]


def test_no_id_is_there_twice() -> None:
    ids = [row.id for row in rows()]
    assert sorted(ids) == sorted(set(ids))


def test_every_claim_of_the_papers_has_a_row() -> None:
    wanted = {f"{letter}{number:02}" for letter, numbers in CLAIMS.items() for number in numbers}
    assert len(wanted) == 202
    assert wanted - {row.id for row in rows()} == set()


def test_every_claim_of_the_papers_is_decided_by_runs_or_waits_for_what_is_named() -> None:
    """What waits for a run waits for one of hours; what another row decides is told with it."""
    known, judged_ = homes(), {one.row.id: one for one in evidence().judged()}
    for letter, numbers in CLAIMS.items():
        for one in (judged_[f"{letter}{number:02}"] for number in numbers):
            row = one.row
            asked = [*row.by, *(name for group in row.greatest for name in group.of)]
            if one.verdict == "same":
                assert judged_[row.same].verdict in VERDICTS, row.id
            elif one.verdict == "waits":
                assert row.waits or {known[name] for name in asked} <= set(LONG), row.id
            else:
                assert asked or row.tests or row.open, row.id


def test_every_claim_of_a_study_belongs_to_a_row_and_every_name_is_one() -> None:
    known, named = homes(), {name for row in rows() for name in row.named()}
    assert sorted(set(known) - named) == []
    assert sorted(named - set(known)) == []
    tests = {check.name for check in checks()}
    assert sorted({name for row in rows() for name in row.tests} - tests) == []


def test_numbers_without_a_statement_state_nothing() -> None:
    """Only that a time is positive: what is counted cannot hide there."""
    claims = {
        str(claim["id"]): (claim["is"], claim["to"]) if {"is", "to"} <= claim.keys() else ()
        for study in STUDIES
        for experiment in raw(study)
        for claim in experiment.get("claim", [])  # type: ignore[attr-defined]
    }
    assert {claims[name] for row in rows() for name in row.numbers} == {(">", 0)}


def test_a_claim_decides_or_is_our_own_not_both() -> None:
    own = {name for row in rows() for name in [*row.extra, *row.numbers]}
    for row in rows():
        assert not own & {*row.by, *row.readings, *row.beside, *row.small}, row.id


def test_every_row_has_what_decides_it_or_what_it_waits_for() -> None:
    ids = {row.id for row in rows()}
    for row in rows():
        assert row.by or row.tests or row.greatest or row.waits or row.open or row.same in ids, row.id


def test_every_row_has_one_verdict() -> None:
    for one in evidence().judged():
        assert one.verdict in (*VERDICTS, "misprint", "same"), one.row.id
        assert one.verdict == "confirmed" or one.reason or one.ground, f"{one.row.id} is {one.verdict} without a reason"
        assert (one.ground in GROUNDS) == (one.verdict == "open"), one.row.id


def test_no_id_has_two_verdicts() -> None:
    """Rows, claims of our own and misprints are named apart, in the tables of the page and in the words of a row."""
    printed = re.findall(
        r"^\| ([^|`*]+?) \| .* \| (?:confirmed|tie|refuted|open|waits|misprint)\b", page(), re.MULTILINE
    )
    assert len(printed) > 300
    assert [name for name, count in Counter(printed).items() if count > 1] == []


def test_the_page_is_made_of_what_is_kept() -> None:
    """Whoever changes a statement, a reason or a test runs `make papers`, or this with `--kept`."""
    assert page() == render(evidence())


@pytest.mark.parametrize("study", STUDIES)
def test_what_is_kept_is_of_the_study_as_it_is(study: str) -> None:
    """Claims may be added, and studies; what they wait for is a run. Runs that changed are made again."""
    if not (KEPT / f"{study}.json").is_file():
        assert f"`examples/{study}.toml` | | | | not run yet" in render(evidence())
        return
    kept = load(study)
    assert kept.runs == runs_digest(study), f"the runs of {study} are others now: run make papers, or make papers-full"
    keys = claim_keys(study)
    assert [claim.id for claim in kept.claims if keys.get(claim.id) != claim.key] == []


@pytest.mark.parametrize("study", STUDIES)
def test_words_about_a_run_take_their_numbers_from_it(study: str) -> None:
    for experiment in raw(study):
        claims = experiment.get("claim", [])
        assert isinstance(claims, list)
        for claim in claims:
            assert typed_numbers(claim.get("refuted", "")) == [], claim["id"]


@pytest.mark.parametrize("name", MODULES)
def test_words_about_what_is_measured_take_their_numbers_from_it(name: str) -> None:
    """Strings of these modules, their docstrings left out: `{got}` and f-strings are filled with what came out."""
    tree = ast.parse((HERE / place(name)).read_text(encoding="utf-8"))
    documented = [node for node in ast.walk(tree) if isinstance(node, (ast.Module, ast.FunctionDef))]
    about = {id(node.body[0].value) for node in documented if isinstance(node.body[0], ast.Expr)}
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    words = [node.value for node in texts if id(node) not in about and node.value.endswith(".")]
    assert [text for text in words if typed_numbers(text)] == []


def test_words_about_rows_take_their_numbers_from_runs() -> None:
    for row in rows():
        for text in (row.open, row.open_if_refuted, row.note, row.fails, row.part, row.default):
            assert typed_numbers(text) == [], row.id


def test_no_number_of_the_words_is_missing() -> None:
    assert re.findall(r"[^`]\{[^}|]*\}|\(not run yet\)", page()) == []


def test_typed_numbers_are_found() -> None:
    assert typed_numbers("about 12 % more, 1.4 to 3 times, 6 points") == ["12 %", "1.4 to 3 times", "6 points"]
    assert typed_numbers("2.26 hops in 14 of 15 cases of table 3.4, cabinets 0.6 m apart") == ["2.26", "14 of 15"]
    assert typed_numbers("E0-31, 512 ranks, {got}") == []


def test_stories_are_of_rows_and_have_their_pictures() -> None:
    told = tomllib.loads((HERE / "statements" / "stories.toml").read_text(encoding="utf-8"))["story"]
    assert len(told) == 10
    ids = {row.id for row in rows()}
    for story in told:
        assert set(story["rows"]) <= ids, story["title"]
    shown = set(re.findall(r"!\[[^]]+\]\(([^)]+)\)", page()))
    assert shown == {f"{IMAGES}/{file.name}" for file in (ROOT / "docs" / IMAGES).iterdir()} != set()


def found(name: str, verdict: str, got: str = "1", labels: tuple[str, ...] = ()) -> Found:
    cases = [
        {
            "label": label,
            "setting": label.split(", ")[0],
            "got": label[-1],
            "verdict": verdict if "!" in label else "confirmed",
        }
        for label in labels
    ]
    return Found(name, "", "", "", "", got, verdict, "why" if verdict == "refuted" else "", False, cases)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        (Row("a", "", "", by=["good"]), "confirmed"),
        (Row("a", "", "", by=["good", "bad"]), "refuted"),
        (Row("a", "", "", by=["good", "level"]), "tie"),
        (Row("a", "", "", by=["bad"], readings=["good"]), "open"),
        (Row("a", "", "", by=["bad"], readings=["level"]), "refuted"),
        (Row("a", "", "", by=["good"], readings=["bad"]), "open"),
        (Row("a", "", "", by=["good"], readings=["level"]), "confirmed"),
        (Row("a", "", "", by=["good"], readings=["bad"], default="named"), "confirmed"),
        (Row("a", "", "", by=["bad"], beside=["good"]), "refuted"),
        (Row("a", "", "", by=["bad"], small=["good"]), "refuted"),
        (Row("a", "", "", by=["bad"], open_if_refuted="no setting"), "open"),
        (Row("a", "", "", by=["good"], open="no setting"), "open"),
        (Row("a", "", "", by=["bad"], misprint="E0-01"), "misprint"),
        (Row("a", "", "", by=["good", "absent"]), "waits"),
        (Row("a", "", "", waits="a capability", by=["good"]), "waits"),
        (Row("a", "", "", tolerance=1, greatest=[Greatest(["bad", "good"], 9)]), "confirmed"),
        (Row("a", "", "", tolerance=0.5, greatest=[Greatest(["bad", "good"], 9)]), "refuted"),
        (Row("a", "", "", rising=True, greatest=[Greatest(["bad"]), Greatest(["good"])]), "confirmed"),
        (Row("a", "", "", rising=True, greatest=[Greatest(["good"]), Greatest(["bad"])]), "refuted"),
    ],
)
def test_verdicts(row: Row, verdict: str) -> None:
    known = {
        "good": found("good", "confirmed", "10 (9 to 11)"),
        "bad": found("bad", "refuted", "2 %"),
        "level": found("level", "tie"),
    }
    assert judged(row, known, dict.fromkeys(("good", "bad", "level", "absent"), "a study")).verdict == verdict


@pytest.mark.parametrize(
    ("row", "ground"),
    [
        (Row("a", "", "", by=["good"], smaller=True), "holds on a smaller machine"),
        (Row("a", "", "", by=["level"], smaller=True), "ties on a smaller machine"),
        (Row("a", "", "", by=["bad"], smaller=True), "fails on a smaller machine"),
        (Row("a", "", "", by=["bad"], smaller=True, open_if_refuted="no setting"), "fails on a smaller machine"),
        (Row("a", "", "", by=["good"], part="AI was not run."), "run for a part"),
        (Row("a", "", "", by=["bad"], part="AI was not run."), "run for a part"),
        (Row("a", "", "", by=["bad"], readings=["good"]), "unstated setting"),
        (Row("a", "", "", by=["good"], readings=["bad"]), "unstated setting"),
        (Row("a", "", "", by=["bad"], open_if_refuted="no setting"), "unstated setting"),
        (Row("a", "", "", by=["good"], open="no setting"), "unstated setting"),
    ],
)
def test_what_is_open_says_why_whichever_way_it_came_out(row: Row, ground: str) -> None:
    known = {
        "good": found("good", "confirmed"),
        "bad": found("bad", "refuted"),
        "level": found("level", "tie"),
    }
    one = judged(row, known, {})
    assert (one.verdict, one.ground) == ("open", ground)
    if row.part:
        came_out = "fails" if row.by == ["bad"] else "holds"
        assert one.reason.startswith(f"AI was not run. What was run {came_out}.")


def test_a_cell_starts_with_what_fails_and_no_tie_holds() -> None:
    claim = found("a", "refuted", labels=("ring", "tree!", "star"))
    claim.cases[2]["verdict"] = "tie"
    assert outcome(claim, 99) == "fails in 1 (tree!: !), ties in 1 (star: r), holds in 1 (ring: g) of 3"
    assert outcome(replace(claim, cases=claim.cases[1:]), 99).endswith("holds in 0 of 2")


def test_a_reading_that_holds_in_one_case_opens_the_row() -> None:
    known = {"bad": found("bad", "refuted"), "every": found("every", "refuted", labels=("reading half",))}
    one = judged(Row("a", "", "", by=["bad"], readings=["every"]), known, {})
    assert one.verdict == "open" and "every: reading half" in one.reason


def test_a_reading_must_hold_in_all_its_cases() -> None:
    labels = (
        "reading 1, placement ring",
        "reading 1, placement tree!",
        "reading 2, placement ring",
        "reading 2, placement tree",
    )
    known = {"bad": found("bad", "refuted"), "every": found("every", "refuted", labels=labels)}
    one = judged(Row("a", "", "", by=["bad"], readings=["every"]), known, {})
    assert one.verdict == "open" and "every: reading 2)" in one.reason
    sizes = tuple(label.replace("reading", "size") for label in labels)
    for some in (labels[:2], sizes):
        known["every"] = found("every", "refuted", labels=some)
        assert judged(Row("a", "", "", by=["bad"], readings=["every"]), known, {}).verdict == "refuted"


def test_a_reading_that_ties_does_not_hold() -> None:
    every = found("every", "tie", labels=("reading 1", "reading 2"))
    for case in every.cases:
        case["verdict"] = "tie"
    known = {"bad": found("bad", "refuted"), "every": every}
    assert judged(Row("a", "", "", by=["bad"], readings=["every"]), known, {}).verdict == "refuted"


def test_words_are_filled_from_claims_and_their_cases() -> None:
    known = {"K1": found("K1", "confirmed", "3 and 4", ("size 8",))}
    assert filled("{K1}; {K1 | size 8}; {K2}", known) == "3 and 4; 8; (not run yet)"
    assert filled("{K1}", {"K1": found("K1", "confirmed", "57 % (49.45 to 72.74)")}) == "57 %"
    assert number_of("-2.5 % (1 to 3)") == -2.5


def table() -> Table:
    rows_ = [
        {"seed": seed, "family": family, "hops": hops}
        for seed, ring, random in ((1, 10, 20), (2, 12, 16), (3, 9, 18))
        for family, hops in (("ring", ring), ("random", random))
    ]
    return Table("t", [Column("seed"), Column("family"), Column("hops")], rows_)


def test_range_of_a_value_is_over_the_seeds() -> None:
    claim = Claim(says="", of=Query(column="hops", where={"family": "ring"}), expected=10)
    assert over_networks(claim, table()) == " (9 to 12)"
    assert (
        over_networks(Claim(says="", of=Query(column="hops"), along="family", rising=["ring", "random"]), table()) == ""
    )


def test_range_of_a_saving_pairs_the_networks_of_a_seed() -> None:
    claim = Claim(
        says="",
        of=Query(column="hops", where={"family": "ring"}),
        to=Query(where={"family": "random"}),
        expected=50,
        **{"as": "percent-less"},
    )
    assert over_networks(claim, table()) == " (25 to 50)"


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [
        ("a 1; b 2", 10, "a 1; b 2"),
        ("a 1; b 2; c 3; d 4", 15, "a 1; ...; d 4"),
        ("a 1; b 2; c 3; d 4; e 5", 20, "a 1; b 2; ...; e 5"),
        ("a 1; b 2; c 3; ... (3 of 9 cases)", 15, "a 1; b 2; ..."),
    ],
)
def test_long_lists_keep_their_ends(text: str, limit: int, short: str) -> None:
    assert shorten(text, limit) == short


def test_errata_of_a_range() -> None:
    assert mentioned("E0-08 to E0-10: and E1-04") == {"E0-08", "E0-09", "E0-10", "E1-04"}


def test_errata_come_from_the_papers_page() -> None:
    found_ = errata((ROOT / "docs" / "papers.md").read_text(encoding="utf-8"))
    assert len(found_) > 15
    assert all(re.fullmatch(r"E\d-\d\d", number) and printed and used for number, _, printed, used in found_)
