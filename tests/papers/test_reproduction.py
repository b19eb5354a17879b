"""The page of reproduced numbers: how it is made, and that it is of the studies as they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.papers.evidence import checks, errata, over_networks, shorten
from tests.papers.reproduction import IMAGES, ROOT, STUDIES, mentioned

from netloom.results import Column, Table
from netloom.study.schema import Claim, Query


def table() -> Table:
    rows = [
        {"seed": seed, "family": family, "hops": hops}
        for seed, ring, random in ((1, 10, 20), (2, 12, 16), (3, 9, 18))
        for family, hops in (("ring", ring), ("random", random))
    ]
    return Table("t", [Column("seed"), Column("family"), Column("hops")], rows)


def test_range_of_a_value_is_over_the_seeds() -> None:
    claim = Claim(says="", of=Query(column="hops", where={"family": "ring"}), expected=10)
    assert over_networks(claim, table()) == (9, 12)


def test_range_of_a_saving_pairs_the_networks_of_a_seed() -> None:
    claim = Claim(
        says="",
        of=Query(column="hops", where={"family": "ring"}),
        to=Query(where={"family": "random"}),
        expected=50,
        **{"as": "percent-less"},
    )
    assert over_networks(claim, table()) == (25, 50)


def test_orders_have_no_range() -> None:
    claim = Claim(says="", of=Query(column="hops"), along="family", rising=["ring", "random"])
    assert over_networks(claim, table()) is None


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
    rows = errata((ROOT / "docs" / "papers.md").read_text(encoding="utf-8"))
    assert len(rows) > 15
    assert all(re.fullmatch(r"E\d-\d\d", number) and printed and used for number, _, printed, used in rows)


def test_the_page_is_of_the_studies_and_tests_as_they_are() -> None:
    """Whoever changes a statement, a reason or a test here runs `make papers`."""
    page = (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")
    missing = [check.name for check in checks() if f"`{check.name}`" not in page]
    for study in STUDIES:
        text = Path(ROOT / "examples" / f"{study}.toml").read_text(encoding="utf-8")
        reasons = re.findall(r'^refuted = "(.*)"$', text, re.MULTILINE)
        said = [] if study == "thin_trees" else re.findall(r'^says = "(.*)"$', text, re.MULTILINE)
        missing += [line for line in [*reasons, *said] if line not in page]
    assert missing == []


def test_the_pictures_of_the_page_are_there() -> None:
    page = (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"!\[[^]]+\]\(([^)]+)\)", page))
    assert shown == {(IMAGES / file.name).as_posix() for file in (ROOT / "docs" / IMAGES).iterdir()} != set()
