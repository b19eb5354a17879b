"""Every statement of Jain 2016 that was read out of it has a row, and what of chapter 7 was run is told as a part."""

from __future__ import annotations

import pytest

from ..findings import HERE, load
from ..measured import measure
from ..reproduction import evidence
from ..statements import chapters, homes

#: By chapter: statements of the mapping study, of learning, the simulator, networks, what-if and Charm-FFT.
STATEMENTS = {
    "Q": range(1, 18),
    "L": range(1, 21),
    "P": range(1, 11),
    "N": range(1, 22),
    "W": [*range(1, 38), 40],
    "F": range(1, 6),
}


def test_every_statement_has_a_row() -> None:
    ids = {row.id for chapter in chapters(homes()) if chapter.paper == "Jain 2016" for row in chapter.rows}
    wanted = {f"{letter}{number}" for letter, numbers in STATEMENTS.items() for number in numbers}
    assert wanted - ids == set()


def test_what_if_is_open_or_waits() -> None:
    """Its messages are shorter than the paper's, so that no row says more than what was run for a part."""
    rows = [one for one in evidence().judged() if one.row.id in {f"W{number}" for number in range(1, 41)}]
    assert {one.ground or one.verdict for one in rows} <= {"run for a part", "waits", "same"}


def test_misprints_of_the_tables_are_one_class() -> None:
    """No number of tables 8.2 to 8.5 is refuted: each that the described algorithms do not give has an erratum."""
    rows = [one for one in evidence().judged() if one.row.place in {f"table 8.{n}" for n in (2, 3, 4, 5)}]
    assert {one.verdict for one in rows} <= {"confirmed", "misprint", "same", "waits"}
    errata = (HERE.parents[1] / "docs" / "papers.md").read_text(encoding="utf-8")
    assert all(f"| {one.row.misprint} |" in errata for one in rows if one.verdict == "misprint")


@pytest.mark.parametrize(
    "name",
    [
        *("channels", "charm_fft", "network_rates", "rates", "what_if_figures", "what_if_rest", "what_if_sums"),
        *("learning_singles", "learning_hybrids", "learning_best", "learning_quantiles", "learning_across"),
    ],
)
def test_what_is_computed_from_kept_numbers_is_on_the_page(name: str) -> None:
    """These take seconds, and change with what they are computed from."""
    kept, now = load(name), measure(name)
    assert [(claim.id, claim.got, claim.verdict) for claim in kept.claims] == [
        (claim.id, claim.got, claim.verdict) for claim in now.claims
    ]
