"""Which netloom made an answer in JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .. import _core


def stamped(data: Mapping[str, object] | Iterable[Mapping[str, object]]) -> dict[str, object] | list[dict[str, object]]:
    """An object, or rows: each says the `version` of netloom first, unless it says one already."""
    return _one(data) if isinstance(data, Mapping) else [_one(row) for row in data]


def _one(data: Mapping[str, object]) -> dict[str, object]:
    return dict(data) if "version" in data else {"version": _core.version(), **data}
