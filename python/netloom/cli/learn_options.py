"""Options of `netloom learn`: which columns, how they are fitted, what is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from .options import integer, number, refused, together

if TYPE_CHECKING:
    from ..learning import Asked, Samples

MOST_TREES, MOST_SIZE, MOST_WORKERS = 10_000, 1000, 1024


@dataclass(frozen=True)
class Columns:
    """What is predicted, and from what; as typed."""

    target: str | None
    features: str | None
    where: tuple[str, ...]
    mixed: bool

    def names(self) -> list[str]:
        """The features that are named; none: those of Jain 2016."""
        return [] if self.features is None else [name.strip() for name in self.features.split(",") if name.strip()]

    def samples(self, table: str, features: list[str] | None = None) -> Samples:
        """The rows of a table."""
        from ..learning import read_table, samples

        return samples(read_table(table).where(self._wanted()), self.target, features or self.names(), self.mixed)

    def _wanted(self) -> dict[str, str]:
        made = {}
        for text in self.where:
            name, equals, value = text.partition("=")
            if not equals or not name.strip():
                raise refused("--where", f'must be COLUMN=VALUE, got "{text}"', "for example --where ranks=64")
            made[name.strip()] = value.strip()
        return made


columns = together(
    "columns", Columns,
    click.option("--target", metavar="COLUMN", help="The column that is predicted; with predict, what is scored."),
    click.option("--features", metavar="A,B", help="Columns to learn from.  [default: those of Jain 2016]"),
    click.option("--where", multiple=True, metavar="COLUMN=VALUE", help="Only rows with this value; may be repeated."),
    click.option("--mixed", is_flag=True, help="Let one model hold for several machines, networks or workloads."),
)  # fmt: skip


@dataclass(frozen=True)
class Fitting:
    """Learner, rows and choice of features; as typed, None where nothing was said."""

    learner: str | None
    loss: str | None
    quantile: str | None
    trees: str | None
    seed: str | None
    test: str | None
    held_out: str | None
    search: str | None
    by: str | None
    select: bool
    workers: str | None

    def asked(self) -> Asked:
        """What is learned, and how."""
        from ..base.threads import wanted
        from ..learning import Asked, Method, Shares

        learner, loss = self.learner or "extra-trees", self.loss or "huber"
        if self.loss is not None and learner not in ("gradient-boosting", "hist-gradient-boosting"):
            raise refused("--loss", f"is of gradient boosting, not of {learner}", "add --learner gradient-boosting")
        if (loss == "quantile") != (self.quantile is not None):
            raise refused("--quantile", "goes with --loss quantile", "give both or none")
        if self.trees is not None and learner in ("linear", "isotonic"):
            raise refused("--trees", f"is of trees, and {learner} has none", "leave it out")
        if self.search is None and (self.by is not None or self.workers is not None):
            raise refused("--by" if self.by is not None else "--jobs", "is of a search", "add --search N")
        method = Method(
            learner, loss, 0.5 if self.quantile is None else number("--quantile", self.quantile),
            1 if self.seed is None else integer("--seed", self.seed, 0, (1 << 32) - 1),
            None if self.trees is None else integer("--trees", self.trees, 1, MOST_TREES),
        )  # fmt: skip
        shares = Shares(
            1 / 3 if self.test is None else number("--test", self.test),
            0.2 if self.held_out is None else number("--held-out", self.held_out),
        )
        search = None if self.search is None else integer("--search", self.search, 1, MOST_SIZE)
        workers = wanted() if self.workers is None else integer("--jobs", self.workers, 1, MOST_WORKERS)
        return Asked(method, shares, search, self.by or "rcc", self.select, workers)

    def given(self) -> str | None:
        """The first option that was given."""
        found = next((name for name, value in vars(self).items() if value not in (None, False)), None)
        return "jobs" if found == "workers" else found


fitting = together(
    "fitting", Fitting,
    click.option(
        "--learner", metavar="NAME",
        help="extra-trees, gradient-boosting, hist-gradient-boosting, linear or isotonic.  [default: extra-trees]",
    ),
    click.option(
        "--loss", metavar="NAME",
        help="Of gradient boosting: squared, absolute, huber or quantile.  [default: huber]",
    ),
    click.option("--quantile", metavar="Q", help="Of --loss quantile, between 0 and 1."),
    click.option("--trees", metavar="N", help="How many.  [default: 100]"),
    click.option("--seed", metavar="N", help="Of the parts of the rows and of the trees.  [default: 1]"),
    click.option("--test", metavar="SHARE", help="Share that tests, of the rows not held out.  [default: 1/3]"),
    click.option("--held-out", metavar="SHARE", help="Share of all rows that no choice sees.  [default: 0.2]"),
    click.option("--search", metavar="N", help="Rate all subsets of up to N features on the test rows; take the best."),
    click.option("--by", metavar="rcc|r2", help="The score that a search follows.  [default: rcc]"),
    click.option("--select", is_flag=True, help="Take features that matter at extreme quantiles (Jain 2016, 4.5.1)."),
    click.option("-j", "--jobs", "workers", metavar="N", help="Processes of a search.  [default: one per processor]"),
)  # fmt: skip
