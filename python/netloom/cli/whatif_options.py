"""Options of `netloom whatif`: what is asked about, and how much work it may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from .options import integer, together

if TYPE_CHECKING:
    from ..whatif import Settings

MOST = 1 << 24


@dataclass(frozen=True)
class Asking:
    """As typed."""

    evaluator: str
    options: tuple[str, ...]
    target: str | None
    best: str | None
    samples: str
    seed: str
    runs: str
    workers: str | None

    def how(self, plugins: tuple[str, ...]) -> Settings:
        """How much is asked."""
        from ..base.threads import wanted
        from ..whatif import Settings

        workers = wanted() if self.workers is None else integer("--jobs", self.workers, 1, 1024)
        return Settings(
            integer("--samples", self.samples, 1, MOST), integer("--seed", self.seed, 0, (1 << 32) - 1),
            integer("--runs", self.runs, 1, MOST), workers, plugins=plugins,
        )  # fmt: skip


asking = together(
    "asking", Asking,
    click.option(
        "-e", "--evaluate", "--evaluator", "evaluator", default="time", show_default=True, metavar="NAME",
        help="Which evaluator answers; see netloom list evaluators.",
    ),
    click.option("--option", "options", multiple=True, metavar="KEY=VALUE",
                 help="Of the evaluator; may be repeated."),
    click.option("--target", metavar="COLUMN", help="The column asked about.  [default: the evaluator's answer]"),
    click.option("--best", metavar="least|greatest",
                 help="Which is best.  [default: as of the column; counts have none]"),
    click.option("--samples", default="256", show_default=True, metavar="N",
                 help="Rows of the sample, a power of two from 16 on: N x (parameters + 2) runs."),
    click.option("--seed", default="1", show_default=True, metavar="N", help="Of the sample and the intervals."),
    click.option("--runs", default="5000", show_default=True, metavar="N",
                 help="Most runs; where more are needed an emulator stands in, and the map is cut."),
    click.option("-j", "--jobs", "workers", metavar="N", help="Processes.  [default: one per processor]"),
)  # fmt: skip
