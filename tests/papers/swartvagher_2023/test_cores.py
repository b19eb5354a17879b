"""Section 4.3 and figure 9: the printed times of the conjugate gradient follow from two of them."""

from __future__ import annotations

import pytest

from ..findings import load
from ..measured import measure
from .cores import seconds


@pytest.mark.parametrize(
    ("cores", "order", "printed", "off"),
    [
        # The two that the numbers were taken from.
        (4, "2,1,0,3", (17.3, 17.3), 0.02),
        (8, "3,0,1,2", (22.5, 22.5), 0.05),
        # One core of every L3 of the first socket.
        (8, "1,2,0,3", (8.1, 8.1), 0.10),
        # Two cores of every L3; the first 16 cores of both sockets.
        (32, "2,1,0,3", (3.2, 4.6), 0.10),
        (32, "3,2,0,1", (12.1, 14.4), 0.10),
    ],
)
def test_printed_times_follow_from_two_of_them(
    cores: int, order: str, printed: tuple[float, float], off: float
) -> None:
    low, high = printed
    assert low * (1 - off) <= seconds(cores, order) <= high * (1 + off)


def test_findings_are_those_on_the_page() -> None:
    kept, now = load("cores"), measure("cores")
    assert [(claim.id, claim.got, claim.verdict) for claim in kept.claims] == [
        (claim.id, claim.got, claim.verdict) for claim in now.claims
    ]
