"""Which netloom made an answer in JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .. import _core


def stamped(data: Mapping[str, object] | Iterable[Mapping[str, object]]) -> dict[str, object] | list[dict[str, object]]:
    """An object, or rows: each says the `version` of netloom, unless it has one already."""
    stamp = {"version": _core.version()}
    return {**stamp, **data} if isinstance(data, Mapping) else [{**stamp, **row} for row in data]
