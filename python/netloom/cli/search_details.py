"""What `netloom map --details` shows of a search: its seconds, and its best value after 1, 10, 100, ... mappings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from .output import emit_table, note, show

if TYPE_CHECKING:
    from ..scenario.search import Search


@dataclass(frozen=True)
class Searched:
    """A search and how long it took here.

    Attributes
    ----------
    seconds
        Of the search alone, without reading the network and without rating what it found; None where nobody asked:
        it differs from run to run, and all else is the same bytes.
    """

    found: Search
    seconds: float | None

    def facts(self) -> dict[str, object]:
        """Keys of JSON."""
        curve = [{"evaluations": count, "value": value} for count, value in self.found.curve()]
        return {"curve": curve} | dict(self.found.facts) | ({} if self.seconds is None else {"search_s": self.seconds})

    def show(self, to_stderr: bool) -> None:
        """For people, where it was asked for; on stderr where a rank file takes stdout."""
        if self.seconds is None:
            return
        lines = [(f"{count:,}", text) for count, text in self.rows()]
        if to_stderr:
            note(f"search: {self.seconds:.3g} s")
            for count, text in lines:
                note(f"after {count} mappings: {text}")
            return
        click.echo(f"\nsearch  {self.seconds:.3g} s")
        if lines:
            click.echo()
            emit_table(["mappings tried", self.found.decided_by], lines)

    def rows(self) -> list[tuple[int, str]]:
        """Mappings tried, and the best value by then with its unit."""
        from ..base.quantities import time_text

        text = (lambda value: time_text(value * 1e-12)) if self.found.timed else show
        return [(count, text(value)) for count, value in self.found.curve()]
