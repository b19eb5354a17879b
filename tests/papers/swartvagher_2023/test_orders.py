"""What is kept of the orders of ranks with shared links is what the model gives."""

from __future__ import annotations

from ..findings import load
from ..measured import measure


def test_findings_are_those_on_the_page() -> None:
    """Section 4.1, figures 3 and 5, with links that eight cores share."""
    kept, now = load("orders"), measure("orders")
    assert [(claim.id, claim.got, claim.verdict) for claim in kept.claims] == [
        (claim.id, claim.got, claim.verdict) for claim in now.claims
    ]
