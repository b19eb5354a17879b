"""The public contract of each kind, run over every row: networks are sound, schedules proved, mappings permutations."""

from __future__ import annotations

from typing import Any

import pytest

import netloom
from netloom import contract

Row = dict[str, Any]
UNDER_CONTRACT = ("topologies", "collectives", "patterns", "placements", "orders", "optimisers")
#: Where the row's example needs more ranks than the contract tries.
SMALLER = {"stencil": "stencil(4,4,periodic=true)"}
ROWS = [(kind, row) for kind in UNDER_CONTRACT for row in netloom.catalogue(kind)]


@pytest.mark.parametrize(("kind", "subject"), ROWS, ids=[f"{kind}-{row['name']}" for kind, row in ROWS])
def test_contract(kind: str, subject: Row) -> None:
    text = SMALLER.get(subject["name"], subject["example"])
    assert contract.check(text, kind)["checks"] > 0
