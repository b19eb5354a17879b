"""A scenario resolved into objects: network, placements and workloads, each created on demand."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _core
from ..base.arguments import Arguments
from ..base.arrays import in_service_count, ndarray
from ..base.errors import Fault, NetloomError
from ..base.quantities import parse_bytes, whole
from ..jobs import Job, PlacedJob, place_rows, read_jobs
from ..jobs.asked import none_runs
from ..jobs.hosts import listed
from ..mapping.place import most_ranks, ordered, placed, slots_of
from ..network.tables import with_tables
from ..plugin import in_core, is_known
from ..workload import FILES, WORDS, Workload, by_collective, kind_of, messages, stream
from .canonical import is_optimiser, variant_text
from .codes import NO_WORKLOAD, ONE_JOB
from .given import Given, given
from .refusals import named, nothing_sent, refuse_beside_jobs, require_known_keys
from .scenario import Scenario
from .search import Search, Wishes, search
from .settings import settings_of
from .sizes import size_of
from .workshop import Progress, Workshop

if TYPE_CHECKING:
    from ..base.arrays import Endpoints
    from ..base.records import Settings

#: Runs of more ranks than this are computed one at a time.
MANY_RANKS = 1 << 18
_OBJECTS = (str, _core.Schedule, _core.Traffic, _core.Programs, _core.Sends)


class Bound:
    """The argument of an evaluator's `run`: a scenario's values as objects.

    Parameters
    ----------
    defaults
        Of axes for which the evaluator has its own.
    progress
        Called with (done, total) by long work; may raise in order to stop it.
    """

    def __init__(
        self, scenario: Scenario, workshop: Workshop, progress: Progress, defaults: Mapping[str, object] | None = None
    ) -> None:
        self.scenario, self.workshop, self.progress = scenario, workshop, progress
        self._defaults = defaults or {}

    def value(self, axis: str) -> Any:
        """What the scenario says, or the default."""
        if axis in self._defaults and not self.scenario.says(axis):
            return self._defaults[axis]
        return self.scenario[axis]

    def text(self, axis: str) -> str:
        """An axis as text."""
        return str(self.value(axis))

    def integer(self, axis: str) -> int:
        """An axis as an integer; its range was checked before."""
        value = self.value(axis)
        number = whole(value) if isinstance(value, str) else None
        given = Arguments("scenario")
        number = given.integer(axis, value) if number is None else number
        given.done()
        return number

    @cached_property
    def whole(self) -> _core.Network:
        """The network before anything failed."""
        source, part = self.value("network"), self.text("part")
        if isinstance(source, _core.Network):
            return source.part(part) if part else source
        if isinstance(source, Path):
            source = str(source)
        if not isinstance(source, str):
            raise NetloomError(
                [Fault("NL-A007", "network", "a Network, call text or the path of a file", repr(source))]
            )
        return self.workshop.network(source, self.text("format"), part)

    @cached_property
    def network(self) -> _core.Network:
        """The network without what failed."""
        said = self.value("fail")
        text = said if isinstance(said, str) else "\n".join(map(str, said))
        lines = str(self.workshop.calls.canonical("failures", text))
        source = self.value("network")
        if not lines:
            return self.whole
        if isinstance(source, str):
            return self.workshop.damaged(source, lines, self.text("format"), self.text("part"))
        return self.whole.without(lines, "fail")

    @cached_property
    def routed(self) -> _core.Network:
        """The network with the forwarding tables of its routings."""
        own = [job.routing for job in self.jobs if job.routing] if self.several else []
        return with_tables(self.network, [self.text("routing"), *own], self.workshop.calls.folder)

    @cached_property
    def cores(self) -> int:
        """Ranks per endpoint: the value given, or the seats of its node, or those of the network's file."""
        seats = None if self.node is None else self.node.seats_per_endpoint
        if not self.scenario.says("cores"):
            return self.network.seats if seats is None else seats
        cores = max(self.integer("cores"), 1)
        if seats is not None and cores > seats:
            expected = f"at most the {seats} seats of an endpoint of {self.text('node')}"
            raise NetloomError([Fault("NL-A007", "cores", expected, str(cores))])
        return cores

    @cached_property
    def node(self) -> _core.Node | None:
        """The node behind each endpoint; None if not given."""
        return _core.Node(self.text("node")).on(self.network) if self.text("node") else None

    @cached_property
    def slots(self) -> _core.Network:
        """The network whose endpoints a search moves: `cores` of them correspond to one of the network's."""
        source = self.value("network")
        if isinstance(source, str) and self.network is self.whole:
            return self.workshop.slotted(source, self.cores, self.text("node"), self.text("format"), self.text("part"))
        return self.network if self.cores == 1 else self.network.with_slots(self.cores, self.node)

    @cached_property
    def several(self) -> bool:
        """True if the scenario lists jobs."""
        return not (isinstance(self.value("jobs"), str) and not self.value("jobs"))

    @cached_property
    def ranks(self) -> int:
        """Number of ranks of the only job: the value given, or that of its mapping or file, or all cores it may use."""
        value = self.value("ranks")
        if value != "all":
            return self.integer("ranks")
        if self._given.mapping is not None:
            return len(self._given.mapping)
        source = self.value("workload")
        if isinstance(source, str):
            if source and self._told(source):
                return self.workshop.workload(source, None, 0, 0, self._algorithms).ranks
        elif hasattr(source, "ranks"):
            return int(source.ranks)
        hosts = listed(self.text("placement"), self.network)
        if self.node is not None and self.node.rooms(self.network) is not None:
            return most_ranks(self.network, hosts, self.text("placement"), self.cores, self.node)
        return (in_service_count(self.network) if hosts is None else hosts) * self.cores

    def _told(self, source: str) -> bool:
        """True for a file, which tells its own number of ranks."""
        return kind_of(source, self.workshop.calls.folder) in FILES

    @cached_property
    def _algorithms(self) -> str:
        given = self.value("algorithms")
        return "; ".join(sorted(by_collective(given).values())) if given else ""

    @cached_property
    def _given(self) -> Given:
        return given(self)

    @cached_property
    def size_bytes(self) -> int:
        """Size of a collective."""
        return size_of(self)

    @cached_property
    def workload(self) -> Workload:
        """What the only job communicates: a schedule, traffic, or programs of ranks."""
        self.require_one_job()
        return self.work_of(self.value("workload"), self.ranks, self.integer("root"), self.size_bytes, "workload")

    @cached_property
    def listed(self) -> _core.Schedule | _core.Traffic:
        """The only job's messages: its schedule, or its traffic with the order of messages forgotten."""
        made = self.workload
        return made if isinstance(made, _core.Schedule) else messages(made)

    def work_of(self, source: object, ranks: int, root: int, size_bytes: int, place: str) -> Workload:
        """The workload of a text, a file or an object."""
        arguments = Arguments("scenario")
        arguments.one_of(place, source, _OBJECTS, WORDS)
        arguments.done()
        if isinstance(source, Workload):
            return source
        if not source:
            raise nothing_sent(place)
        return self.workshop.workload(str(source), ranks, root, size_bytes, self._algorithms)

    def stream_of(self, job: PlacedJob) -> _core.Sends:
        """What a job sends, rank by rank and without a list."""
        source = self.source_of(job)
        size = self.size_bytes if job.size_bytes is None else job.size_bytes
        try:
            if isinstance(source, str) and is_known("applications", source):
                source = messages(self.workshop.workload(source, job.ranks, 0, 0, self._algorithms))
            return stream(source, job.ranks, root=job.root, size_bytes=size, folder=self.workshop.calls.folder)
        except NetloomError as error:
            raise named(error, f'job "{job.name[:60]}".workload') if self.several else error from None

    def source_of(self, job: PlacedJob) -> Workload | str:
        """The job's own workload, or that of the scenario."""
        source: Workload | str = job.workload if job.workload is not None else self.value("workload")
        arguments = Arguments("scenario")
        arguments.one_of(f'job "{job.name[:60]}".workload', source, _OBJECTS, WORDS)
        arguments.done()
        if isinstance(source, str) and not source:
            if not self.several:
                raise nothing_sent("workload")
            hint = "give the job a workload, or the scenario one for all jobs"
            raise NetloomError([Fault(NO_WORKLOAD, f'job "{job.name[:60]}"', "does not say what it sends", "", hint)])
        return source

    @cached_property
    def schedule(self) -> _core.Schedule:
        """The workload, which must be a collective's schedule."""
        source = self.value("collective") or self.value("workload")
        load = self.work_of(source, self.ranks, self.integer("root"), self.size_bytes, "collective")
        if not isinstance(load, _core.Schedule):
            raise NetloomError([Fault("NL-A002", "collective", "a collective:algorithm", load.label)])
        return load

    @cached_property
    def jobs(self) -> list[PlacedJob]:
        """All jobs that send, on the endpoints that they got; the only one is called job."""
        made = [job for job in self.holders if job.sends]
        if self.holders and not made:
            given = str(self.value("jobs"))
            raise none_runs("jobs" if "\n" in given else given)
        return made

    @cached_property
    def holders(self) -> list[PlacedJob]:
        """All jobs that have endpoints, also those that only hold them."""
        if not self.several:
            return [self._only()]
        refuse_beside_jobs(self.scenario)
        given = self.value("jobs")
        net, node, placement = self.network, self.node, self.text("placement")
        cores = self.cores if self.scenario.says("cores") or node is not None else None
        if isinstance(given, (str, Path)):
            source = given if "\n" in str(given) else self.workshop.calls.folder / given
            first = self.integer("first_node")
            return read_jobs(source, net, cores=cores, placement=placement, first_node=first, holding=True, node=node)
        if given and all(isinstance(job, PlacedJob) for job in given):
            return list(given)
        return place_rows(self._sized(list(given)), net, cores=cores, placement=placement, node=node)

    def _only(self) -> PlacedJob:
        return PlacedJob(
            "job", self.mapping, self.cores, self.ranks, self.value("workload"), mapping=self.mapping, seats=self.seats,
            root=self.integer("root"), repetitions=self.repetitions,
        )  # fmt: skip

    def _sized(self, rows: list[object]) -> list[object]:
        """Rows that say no size get that of their file or object; the only row of a list gets the machine."""
        made: list[object] = []
        for row in rows:
            said = row.to_row() if isinstance(row, Job) else row
            keys = dict(said) if isinstance(said, Mapping) else said
            if isinstance(keys, dict) and not {"nodes", "share", "node_list", "ranks", "mapping"} & set(keys):
                source = keys.get("workload", keys.get("traffic", self.value("workload")))
                if isinstance(source, str) and source and self._told(source):
                    source = self.workshop.workload(source, None, 0, 0, self._algorithms)
                if hasattr(source, "ranks"):
                    keys["ranks"] = source.ranks
                elif len(rows) == 1:
                    keys["share"] = 1.0
            made.append(keys)
        return made

    def require_one_job(self) -> None:
        """Refuses a job list where a single job is needed.

        Raises
        ------
        NetloomError
            `NL-H005`.
        """
        if self.several:
            raise NetloomError([Fault(ONE_JOB, "jobs", "the question is about one job", "", "leave jobs out")])

    @property
    def repetitions(self) -> int:
        """How often the workload is done."""
        return self.integer("repetitions")

    @cached_property
    def mapping(self) -> Endpoints:
        """Endpoint of every rank of the only job."""
        self.require_one_job()
        if self._given.mapping is not None:
            return self._given.mapping
        if self.search is not None:
            return ndarray(self.search.slots) // self.cores if self.cores > 1 else self.search.slots
        placement, order = self.text("placement"), self.text("order")
        return placed(self.network, self.ranks, placement, order, self.cores, self.node)

    @cached_property
    def seats(self) -> Endpoints | None:
        """Seat of every rank of the only job on its endpoint; None where no node is given, or each has one."""
        if self.node is None or self.cores == 1:
            return None
        seats: Endpoints = ndarray(self.slot_of_rank) % self.cores
        return seats

    @cached_property
    def slot_of_rank(self) -> Endpoints:
        """Slot of every rank on `slots`, as rank files name them."""
        return self.start if self.search is None else self.search.slots

    @cached_property
    def start(self) -> Endpoints:
        """Slot of every rank before an optimiser, on `slots`."""
        if self._given.slots is not None:
            return self._given.slots
        said = self.text("order")
        order = str(self._wishes.get("start", "draw")) if is_optimiser(said) else said
        slots = slots_of(self.network, self.ranks, self.text("placement"), self.cores, self.node)
        return slots if order == "draw" else ordered(self.slots, slots, order)

    @cached_property
    def _wishes(self) -> Wishes:
        given = self.value("search")
        wishes: Wishes = given if given else {}
        return wishes

    @cached_property
    def search(self) -> Search | None:
        """The result of the optimiser given as order; None without one."""
        order = self.text("order")
        if self._given.mapping is not None or not is_optimiser(order):
            return None
        wishes = self._wishes
        load: Workload | None = None
        if "workload" in wishes:
            size = parse_bytes(wishes.get("size_bytes", 1), "search.size_bytes")
            load = self.work_of(wishes["workload"], self.ranks, self.integer("root"), size, "search.workload")
        return search(self, order, str(wishes.get("objective", "hops")), bool(wishes.get("free", False)), load=load)

    def routing_of(self, said: str | None = None, default: str | None = None) -> str:
        """Call text of the routing: a job's own, the scenario's, `default`, or that of the network."""
        text = said if said is not None else self.text("routing")
        return in_core(text) if text != "auto" else default or self.network.default_routing

    @property
    def one_path(self) -> str:
        """The network's own routing if it has one path per pair, else `single-minimal`."""
        own = self.network.default_routing
        return own if self.network.routing(own).is_deterministic else "single-minimal"

    @property
    def variant(self) -> str:
        """How messages choose among their paths, where no job says otherwise."""
        return variant_text(self.text("variant"))

    def variant_of(self, job: PlacedJob) -> str:
        """How the messages of a job choose among their paths."""
        return variant_text(job.variant) if job.variant else self.variant

    @cached_property
    def settings(self) -> Settings:
        """Settings of simulated time, as the core takes them."""
        return settings_of(self.scenario, self.workshop)

    def alone(self) -> AbstractContextManager[None]:
        """For a run that fills memory and all processors by itself."""
        many = sum(job.ranks for job in self.jobs) > MANY_RANKS
        return self.workshop.alone(self.progress) if many else nullcontext()

    def refuse_job_keys(self, evaluator: str, keys: Mapping[str, object]) -> None:
        """Refuses job keys that the evaluator does not take: `NL-H003`; `keys` has the neutral values."""
        require_known_keys(self.jobs, evaluator, keys)
