"""The questions that people script with, each a function over the one entrance `netloom.evaluate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack, overload

from .. import _core
from ..base.arguments import Arguments
from ..base.arrays import ndarray
from ..base.errors import Fault, NetloomError
from ..base.quantities import parse_bytes
from ..jobs import Job, PlacedJob
from ..mapping.place import placed, places_of
from ..network import NetworkLike, network
from ..scenario import Axes, Calls, Progress, Question, Scenario, Workshop, require_known
from ..scenario.axes import PROOF_SIZE
from ..scenario.canonical import check
from ..scenario.search import optimiser_for, search
from ..workload import workload
from . import ahead, evaluate
from .base import JOB, MACHINE, axes
from .mapping import Mapping

if TYPE_CHECKING:
    from collections.abc import Mapping as MappingOf
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np

    from ..base.arrays import Vector
    from ..base.records import Proof
    from .answers import HopsAnswer, PacketAnswer, TimeAnswer
    from .loads.result import Loads

    Jobs = str | Path | Job | PlacedJob | Sequence[Job | PlacedJob | MappingOf[str, object]]


class LoadInputs(Axes, total=False):
    """Inputs of a scenario, and the options of the evaluator `loads`."""

    hottest: int
    top: int
    increments: int
    rounds: int
    tolerance: float
    histogram: bool
    groups: bool
    slices: bool
    minimaps: bool
    arrays: bool
    features: bool
    contentions: bool


def hops(net: NetworkLike | None = None, *, progress: Progress | None = None, **inputs: Unpack[Axes]) -> HopsAnswer:
    """Hop counts of a workload on a network.

    Parameters
    ----------
    net
        A network, call text or file.
    inputs
        Of the scenario, see `netloom.scenario.AXES`: `workload`, `ranks`, `placement`, `order`, `mapping`, ...

    Returns
    -------
    HopsAnswer
        `messages`, `total_hops`, `mean_hops`, `max_hops`, `steps` (list of `{messages, hops}`; schedules only),
        `histogram`, `bytes`, `hop_bytes`, `average_dilation`, `average_hops_per_byte`, `average_bytes_per_link` (Jain
        2016, equations 2.1-2.5).

    Examples
    --------
    >>> import netloom
    >>> netloom.hops("torus(8,8,8)", workload="allreduce:recursive-doubling")["max_hops"]
    4
    """
    return evaluate(Scenario(net, **inputs), "hops", progress=progress)


def loads(
    net: NetworkLike | None = None,
    jobs: Jobs | None = None,
    /,
    *,
    progress: Progress | None = None,
    **inputs: Unpack[LoadInputs],
) -> Loads:
    """Expected bytes on every link when all messages of all jobs are under way together.

    Parameters
    ----------
    net
        A network, call text or file.
    jobs
        A file of jobs, or a list of `Job`, of mappings with the keys of a ``[[job]]``, or of what `netloom.read`
        gives; None for one job of the inputs.
    inputs
        Of the scenario, see `netloom.scenario.AXES`: `workload`, `ranks`, `cores`, `placement`, `routing`, `variant`,
        `fail`, `seed`, ... and options of the evaluator: `hottest` and `top` (links whose causes are listed, and
        ranks and message classes for each; 0 saves a pass), `increments`, `rounds`, `tolerance`, and
        `arrays` (False: only numbers, without a column per link).

    Returns
    -------
    Loads

    Raises
    ------
    NetloomError
        NL-E021, NL-E022, NL-E001 where places and ranks differ, and what jobs and routing report.

    Examples
    --------
    >>> import netloom
    >>> found = netloom.loads("torus(4,4)", workload="alltoall:pairwise", size_bytes="1 MiB")
    >>> found["hottest"][0]["seconds"] == found["max_s"]
    True

    Notes
    -----
    Messages of a job between two switches are merged; only adaptive jobs keep these flows, 40 bytes each. Cost:
    O(messages + flows * paths * hops), times rounds for adaptive jobs. The same on any number of threads.
    """
    given: dict[str, Any] = dict(inputs)
    options = {
        name: given.pop(name)
        for name in LoadInputs.__annotations__
        if name not in Axes.__annotations__ and name in given
    }
    if jobs is not None:
        given["jobs"] = [jobs] if isinstance(jobs, (Job, PlacedJob)) else jobs
    return evaluate(Scenario(net, **given), "loads", progress=progress, **options)


@overload
def simulate(
    net: NetworkLike | None = None,
    *,
    trace: bool = False,
    switch: None = None,
    progress: Progress | None = None,
    **inputs: Unpack[Axes],
) -> TimeAnswer: ...
@overload
def simulate(
    net: NetworkLike | None = None,
    *,
    switch: str,
    trace: bool = False,
    progress: Progress | None = None,
    **inputs: Unpack[Axes],
) -> PacketAnswer: ...
def simulate(
    net: NetworkLike | None = None,
    *,
    trace: bool = False,
    switch: str | None = None,
    progress: Progress | None = None,
    **inputs: Unpack[Axes],
) -> TimeAnswer | PacketAnswer:
    """Run a collective, a traffic, an application or several jobs in simulated time.

    Parameters
    ----------
    net
        A network, call text or file.
    trace
        Also record every message, what every rank does, and the bytes on links over time.
    switch
        A switch model such as ``"output-queued(packet_bytes=2048)"``: messages are packets through such switches (the
        evaluator `packet`). None: messages are flows (the evaluator `time`).
    inputs
        Of the scenario, see `netloom.scenario.AXES`: `workload` or `jobs`, `ranks`, `placement`, `mapping`,
        `repetitions`, `background`, `calibration`, `duplex`, `switch_latency`, `flops_per_s`, `algorithms`, ... Every
        rank of a collective posts the receives of a step, then its sends, and waits for all of them. The flows of a
        traffic start together.

    Returns
    -------
    TimeAnswer or PacketAnswer
        `time_s` (end of the last rank), `finish_s` (ndarray, end of every rank; a list of them for `jobs`), `messages`,
        `bytes`, `mop_per_s` (applications: counted operations / time / 10^6), `jobs`, and the work it took: `solves`,
        `fillings`, `entries`, `changes`; of packets `packets`, `packet_hops`, `waits`, `most_buffer_bytes`, `events`.
        With `trace`: `trace` and `critical_path`, as `netloom.plot.timeline` and `netloom.plot.critical` take them.

    Raises
    ------
    NetloomError
        NL-E012 for a deadlock, naming the ranks of the cycle; NL-E013 for a send or receive without partner; NL-E014
        for a message longer than its receive; NL-E005 if the routing has several paths per pair; NL-E010, NL-E011 for
        amounts that cannot be.

    Examples
    --------
    >>> import netloom
    >>> answer = netloom.simulate("torus(4,4)", workload="allreduce:ring", size_bytes="1 MiB", calibration="pure")
    >>> f"{answer.time_s * 1e6:.1f} us"
    '169.3 us'

    Notes
    -----
    Cost per message: its path, and the rates that its start and end change. A message of `B` bytes alone takes
    latency factor * latency + (`B` + envelope) / (bandwidth factor * least bandwidth); see `Calibration`.
    """
    given = Arguments("simulate")
    trace = given.flag("trace", trace)
    if switch is not None:
        switch = given.text("switch", switch)
    given.done()
    scenario = Scenario(net, **inputs)
    if switch is None:
        return evaluate(scenario, "time", progress=progress, trace=trace)
    return evaluate(scenario, "packet", progress=progress, trace=trace, switch=switch)


def map_ranks(
    net: NetworkLike | None = None,
    *,
    optimiser: str | None = None,
    objective: str = "auto",
    free: bool = False,
    seconds: float | None = None,
    progress: Progress | None = None,
    **inputs: Unpack[Axes],
) -> Mapping:
    """Improve the mapping of ranks.

    Parameters
    ----------
    optimiser
        A call of `netloom list optimisers`. By default `best`, as for `netloom map`: all methods, of which evaluators
        choose the best mapping; with an objective `auto`, which searches for it.
    objective
        What is made small (`netloom list objectives`), for optimisers that search for one.
    free
        True: any endpoint of the network may be used, not only those of the placement.
    seconds
        Time budget; without one the optimiser's own number of evaluations decides, and the result is reproducible.
    inputs
        Of the scenario, see `netloom.scenario.AXES`. The search starts at `mapping`, or at `placement` and `order`.
        Objectives over links use its `routing`; `time` and `auto` also its `repetitions`, `calibration`, `duplex`,
        `switch_latency`, `flops_per_s` and `algorithms`.

    Returns
    -------
    Mapping
        `mapping` (ndarray, endpoint of every rank), `seats` (its seat there; None if an endpoint has one), `value` (of
        times: picoseconds), `start_value`, `bound` (no mapping can be better; 0 or None if nothing is known),
        `evaluations`, `accepted`, `trace` (list of (evaluations, best value)), `method`, `decided_by` (what these
        values are: the objective, or the evaluation that decided); `write` makes the file for the launcher.

    Examples
    --------
    >>> import netloom
    >>> found = netloom.map_ranks("torus(4,4,4)", ranks=64, workload="stencil(8,8)", objective="hops", order="random")
    >>> found.start_value > found.value >= found.bound
    True
    """
    given = Arguments("map_ranks")
    if optimiser is not None:
        optimiser = given.text("optimiser", optimiser)
    objective = given.text("objective", objective)
    free, seconds = given.flag("free", free), given.seconds("seconds", seconds)
    given.done()
    bound = bound_job(Scenario(net, **inputs), progress)
    if seconds is None:
        ahead.say(ahead.of_search(bound))
    found = search(bound, optimiser_for(optimiser, objective), objective, free, seconds)
    mapping, seats = places_of(found.slots, bound.site.cores)
    return Mapping(
        network=bound.network,
        cores=bound.site.cores,
        mapping=ndarray(mapping),
        seats=None if seats is None else ndarray(seats),
        value=found.value,
        start_value=found.start_value,
        bound=found.bound,
        evaluations=found.evaluations,
        accepted=found.accepted,
        trace=found.trace,
        method=found.method,
        decided_by=found.decided_by,
    )


def bound_job(scenario: Scenario, progress: Progress | None = None) -> Question:
    """A scenario of one job, checked, for a search of its mapping."""
    known = {axis.name: axis for axis in (*JOB, *axes("routing", "repetitions"), *MACHINE)}
    require_known(scenario, known, "map")
    workshop = Workshop(Calls(scenario.folder))
    check(known, scenario, workshop.calls)
    return Question(scenario, workshop, progress or (lambda done, total: None))


def verify(
    schedule: str | _core.Schedule, ranks: int = 0, *, root: int = 0, size_bytes: int | str = PROOF_SIZE
) -> Proof:
    """Prove a schedule by executing it on symbolic data.

    Parameters
    ----------
    size_bytes
        Of the schedule that a text names, in bytes or as text such as `"1 KiB"`: of what MPI calls its count.

    Returns
    -------
    dict
        `steps`, `messages`, `max_bytes_sent`, `total_bytes`, `max_ports`.

    Raises
    ------
    NetloomError
        Saying which rank lacks which block at which step.

    Examples
    --------
    >>> import netloom
    >>> netloom.verify("allreduce:ring", ranks=48)["steps"]
    94
    """
    given = Arguments("verify")
    given.one_of("schedule", schedule, (str, _core.Schedule), "collective:algorithm or a Schedule")
    given.done()
    size = parse_bytes(size_bytes, "verify.size_bytes")
    made = workload(schedule, ranks, root=root, size_bytes=size) if isinstance(schedule, str) else schedule
    if not isinstance(made, _core.Schedule):
        fault = Fault("NL-A002", "schedule", f'"{schedule}" is no collective', "", "name a collective:algorithm")
        raise NetloomError([fault])
    ahead.say(ahead.of_proof(ahead.to_prove(made)))
    return made.verify()


def place(
    net: NetworkLike, ranks: int, placement: str = "linear", order: str = "draw", *, cores: int = 1
) -> Vector[np.uint32]:
    """Endpoint of every rank: a placement, then an order on it.

    Parameters
    ----------
    cores
        Ranks on an endpoint.

    Returns
    -------
    ndarray of uint32, shape (ranks,)

    Examples
    --------
    >>> import netloom
    >>> netloom.place("torus(4,4)", 4).tolist()
    [0, 1, 2, 3]
    """
    machine = network(net)
    given = Arguments("place")
    ranks, cores = given.integer("ranks", ranks), given.natural("cores", cores)
    placement, order = given.text("placement", placement), given.text("order", order)
    given.done()
    return ndarray(placed(machine, ranks, placement, order, max(cores, 1)))
