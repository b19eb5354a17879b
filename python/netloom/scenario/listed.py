"""The jobs of a scenario on the endpoints that they got."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ..jobs import Job, PlacedJob, place_rows, read_jobs
from ..jobs.asked import none_runs
from .refusals import refuse_next_to_jobs, require_known_keys

if TYPE_CHECKING:
    from collections.abc import Callable

    from .inputs import Inputs
    from .site import Site
    from .work import Work


class Jobs:
    """Jobs of the list, or the only one.

    Parameters
    ----------
    only
        Makes the only job of a scenario without a list.
    """

    def __init__(self, inputs: Inputs, site: Site, work: Work, only: Callable[[], PlacedJob]) -> None:
        self._inputs, self._site, self._work, self._only = inputs, site, work, only

    @cached_property
    def sending(self) -> list[PlacedJob]:
        """All jobs that send; the only one is called job."""
        made = [job for job in self.holders if job.sends]
        if self.holders and not made:
            given = str(self._inputs.value("jobs"))
            raise none_runs("jobs" if "\n" in given else given)
        return made

    @cached_property
    def holders(self) -> list[PlacedJob]:
        """All jobs that have endpoints, also those that only hold them."""
        given = self._inputs.value("jobs")
        if not lists_jobs(given):
            return [self._only()]
        refuse_next_to_jobs(self._inputs.scenario)
        site, placement = self._site, self._inputs.text("placement")
        net, node = site.network, site.node
        cores = site.cores if site.cores_given or node is not None else None
        if isinstance(given, (str, Path)):
            source = given if "\n" in str(given) else self._inputs.workshop.calls.folder / given
            first = self._inputs.integer("first_node")
            return read_jobs(source, net, cores=cores, placement=placement, first_node=first, holding=True, node=node)
        if given and all(isinstance(job, PlacedJob) for job in given):
            return list(given)
        return place_rows(self._sized(list(given)), net, cores=cores, placement=placement, node=node)

    def _sized(self, rows: list[object]) -> list[object]:
        """Rows that say no size get that of their file or object; the only row of a list gets the machine."""
        made: list[object] = []
        for row in rows:
            said = row.to_row() if isinstance(row, Job) else row
            keys = dict(said) if isinstance(said, Mapping) else said
            if isinstance(keys, dict) and not {"nodes", "share", "node_list", "ranks", "mapping"} & set(keys):
                source = keys.get("workload", keys.get("traffic", self._inputs.value("workload")))
                if isinstance(source, str) and source and self._work.tells_ranks(source):
                    source = self._work.of_file(source)
                if hasattr(source, "ranks"):
                    keys["ranks"] = source.ranks
                elif len(rows) == 1:
                    keys["share"] = 1.0
            made.append(keys)
        return made

    def refuse_keys(self, evaluator: str, keys: Mapping[str, object]) -> None:
        """Refuses job keys that the evaluator does not take: `NL-H003`; `keys` has the neutral values."""
        require_known_keys(self.sending, evaluator, keys)


def lists_jobs(given: object) -> bool:
    """True of a value of the axis `jobs` that names some."""
    return not (isinstance(given, str) and not given)
