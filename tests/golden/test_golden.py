"""Numbers and bytes that must not drift: a change is a decision, written into CHANGELOG.md."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .kept import numbers

KEPT = json.loads(Path(__file__).with_name("kept.json").read_text())


@pytest.fixture(scope="module")
def found() -> dict[str, dict[str, object]]:
    return json.loads(json.dumps(numbers()))


@pytest.mark.parametrize("kind", KEPT)
def test_unchanged(kind: str, found: dict[str, dict[str, object]]) -> None:
    changed = {
        name: (KEPT[kind].get(name), value) for name, value in found[kind].items() if KEPT[kind].get(name) != value
    }
    gone = KEPT[kind].keys() - found[kind].keys()
    assert not changed and not gone, f"(kept, now): {changed}, gone: {gone}"


def test_every_kind_is_kept(found: dict[str, dict[str, object]]) -> None:
    assert KEPT.keys() == found.keys() and all(KEPT.values())
