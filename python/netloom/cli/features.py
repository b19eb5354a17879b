"""What `--features` of `simulate` and `loads` adds to the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from .output import emit_facts

if TYPE_CHECKING:
    from ..results.rows import Cell


def features_of(record: Mapping[str, Cell]) -> dict[str, dict[str, Cell]]:
    """The key `features` of `--json`; empty if nobody asked for them."""
    from ..evaluate.features import FEATURES

    known = {name: record[name] for name in FEATURES if record.get(name) is not None}
    return {"features": known} if known else {}


def show_features(record: Mapping[str, Cell]) -> None:
    """The same as text."""
    for known in features_of(record).values():
        click.echo()
        emit_facts(known)
