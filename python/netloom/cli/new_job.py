"""Options of `netloom map --jobs FILE --nodes N`: a new job, and which nodes it may get."""

from __future__ import annotations

from dataclasses import dataclass

import click

from .options import refused, together


@dataclass(frozen=True)
class NewJob:
    """A job for which free nodes are chosen, as typed; None where nothing was said."""

    jobs: str | None
    others: str | None
    states: str | None
    partition: str | None
    segment: str | None
    first_node: str | None

    @property
    def is_asked_for(self) -> bool:
        """Whether nodes are to be chosen, and not an order of ranks on nodes that are known."""
        return self.jobs is not None

    def require_nothing_said(self) -> None:
        """Refuses options of the choice of nodes where no nodes are chosen: `NL-X010`."""
        for name in ("others", "first_node", "states", "partition", "segment"):
            if getattr(self, name) is not None:
                raise refused(f"--{name.replace('_', '-')}", "is about running jobs", "give --jobs FILE and --nodes N")


new_job = together(
    "new_job",
    NewJob,
    click.option("--jobs", metavar="FILE", help="Running jobs, as squeue prints them: rank free nodes for a new job."),
    click.option("--others", metavar="CALL", help="With --jobs: what running jobs send where the list does not say."),
    click.option("--states", metavar="FILE", help="With --jobs: states of nodes, as sinfo or scontrol show node says."),
    click.option("--partition", metavar="NAME", help="With --states: the partition that the new job is for."),
    click.option("--segment", metavar="N", help="With --jobs: nodes of a segment, each on one switch or in one block."),
    click.option("--first-node", metavar="N", help="With --jobs: number of the first endpoint in node names."),
)
