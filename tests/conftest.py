"""What tests of several folders use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from netloom.plugin.registry import _registered


@pytest.fixture
def forget() -> Iterator[None]:
    """No plug-in stays registered."""
    before = {kind: dict(classes) for kind, classes in _registered.items()}
    yield
    for kind, classes in before.items():
        _registered[kind] = classes
