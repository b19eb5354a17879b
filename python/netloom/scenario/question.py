"""The argument of an evaluator: a scenario resolved into objects, noun by noun, each created on demand."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING

from .. import _core
from ..base.errors import Fault, NetloomError
from ..base.quantities import parse_bytes
from ..jobs import PlacedJob
from ..workload import Workload, messages
from .chosen import Chosen
from .codes import ONE_JOB
from .inputs import Inputs
from .listed import Jobs, lists_jobs
from .places import Places
from .search import Search, search
from .site import Site
from .sizes import size_of
from .work import Work

if TYPE_CHECKING:
    from ..base.arrays import Endpoints
    from .scenario import Scenario
    from .workshop import Progress, Workshop

#: Runs of more ranks than this are computed one at a time.
MANY_RANKS = 1 << 18


class Question(Inputs):
    """A scenario as objects: the argument of an evaluator's `run`, and of a plug-in's `evaluate`.

    Attributes
    ----------
    site
        The machine: network, node, routing, settings.
    chosen
        The choices of the library.
    work
        Workloads of texts, files and objects.
    place
        Where the ranks of the only job run.
    listed_jobs
        The jobs, also those that only hold their endpoints.
    several
        True if the scenario lists jobs.
    """

    def __init__(
        self, scenario: Scenario, workshop: Workshop, progress: Progress, defaults: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(scenario, workshop, progress, defaults)
        self.several = lists_jobs(self.value("jobs"))
        self.site = Site(self, lambda: [job.routing for job in self.jobs if job.routing] if self.several else [])
        self.chosen = Chosen(self, self.site)
        self.work = Work(self, self.several, self.chosen)
        self.place = Places(self, self.site, self.work, lambda: self._searched())
        self.listed_jobs = Jobs(self, self.site, self.work, self._only)

    @property
    def network(self) -> _core.Network:
        """The network without what failed."""
        return self.site.network

    @property
    def ranks(self) -> int:
        """Number of ranks of the only job."""
        return self.place.ranks

    @cached_property
    def mapping(self) -> Endpoints:
        """Endpoint of every rank of the only job."""
        self.require_one_job()
        return self.place.mapping

    @property
    def jobs(self) -> list[PlacedJob]:
        """All jobs that send, on the endpoints that they got; the only one is called job."""
        return self.listed_jobs.sending

    @cached_property
    def size_bytes(self) -> int:
        """Size of a collective."""
        return size_of(self)

    @property
    def repetitions(self) -> int:
        """How often the workload is done."""
        return self.integer("repetitions")

    @cached_property
    def workload(self) -> Workload:
        """What the only job communicates: a schedule, traffic, or programs of ranks."""
        self.require_one_job()
        return self.work.of(self.value("workload"), self.ranks, self.integer("root"), self.size_bytes, "workload")

    @cached_property
    def messages(self) -> _core.Schedule | _core.Traffic:
        """The only job's messages: its schedule, or its traffic with the order of messages forgotten."""
        made = self.workload
        return made if isinstance(made, _core.Schedule) else messages(made)

    @cached_property
    def schedule(self) -> _core.Schedule:
        """The workload, which must be a collective's schedule."""
        source = self.value("collective") or self.value("workload")
        load = self.work.of(source, self.ranks, self.integer("root"), self.size_bytes, "collective")
        if not isinstance(load, _core.Schedule):
            raise NetloomError([Fault("NL-A002", "collective", "a collective:algorithm", load.label)])
        return load

    def require_one_job(self) -> None:
        """Refuses a job list where a single job is needed.

        Raises
        ------
        NetloomError
            `NL-H005`.
        """
        if self.several:
            raise NetloomError([Fault(ONE_JOB, "jobs", "the question is about one job", "", "leave jobs out")])

    def alone(self) -> AbstractContextManager[None]:
        """For a run that fills memory and all processors by itself."""
        many = sum(job.ranks for job in self.jobs) > MANY_RANKS
        return self.workshop.alone(self.progress) if many else nullcontext()

    def _only(self) -> PlacedJob:
        return PlacedJob(
            "job", self.mapping, self.site.cores, self.ranks, self.value("workload"), mapping=self.mapping,
            seats=self.place.seats, root=self.integer("root"), repetitions=self.repetitions,
        )  # fmt: skip

    def _searched(self) -> Search:
        """The result of the optimiser given as order."""
        wishes = self.place.wishes
        load: Workload | None = None
        if "workload" in wishes:
            size = parse_bytes(wishes.get("size_bytes", 1), "search.size_bytes")
            load = self.work.of(wishes["workload"], self.ranks, self.integer("root"), size, "search.workload")
        objective, free = str(wishes.get("objective", "hops")), bool(wishes.get("free", False))
        return search(self, self.text("order"), objective, free, load=load)
