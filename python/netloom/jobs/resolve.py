"""Resolves requested jobs to endpoints of one network."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .. import _core
from ..base.arguments import Arguments
from ..base.arrays import in_service, ndarray
from ..base.errors import NetloomError
from ..mapping.place import ordered, place_jobs
from ..mapping.rank_files import read_mapping
from .asked import MOST, Asked, Faults
from .codes import BAD_VALUE, MORE_RANKS, SHARED, TWICE
from .counts import ranks_of, spread_on
from .names import Names, masks
from .on_hosts import Machines, filled, split
from .placed import PlacedJob

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..base.arrays import Endpoints
    from ..mapping.place import Available, Wanted

DETAILS = "scontrol show job -d tells the cores; jobs on different ones may share an endpoint"


def resolve(
    net: _core.Network,
    asked: list[Asked],
    free: str | list[int] | None,
    cores: int | None,
    first: int,
    place: str,
    node: _core.Node | None,
) -> list[PlacedJob]:
    """Endpoints, ranks per endpoint and ranks of every job.

    Parameters
    ----------
    free
        Nodes that may be placed on; None for all.
    cores
        Cores of an endpoint: the default of ranks on it, and their limit.
    node
        What is behind the endpoints, for rank files.

    Raises
    ------
    NetloomError
        All that is wrong with the names and ranks together, then all that does not fit.
    """
    faults = Faults()
    names, machines = Names(net, first, faults), Machines(net)
    available = in_service(net) if free is None else names.of(free, f"{place}.free")
    _unique(asked, faults)
    listed: dict[int, list[int]] = {}
    for number, job in enumerate(asked):
        if job.nodes is not None:
            listed[number] = _listed(names, job, faults)
            job.count = len(machines.units(listed[number]) if isinstance(job.nodes, str) else listed[number])
        elif job.mapping is not None:
            _mapped(net, job, node, faults)
        if faults.full:
            break
    ports = [_ports(machines, job, listed.get(number)) for number, job in enumerate(asked)]
    counts = [ranks_of(job, cores, ports[number], faults) for number, job in enumerate(asked) if job.count]
    if sum(ranks for _, ranks in counts) > MOST:
        faults.add(MORE_RANKS, place, f"at most {MOST} ranks together", sum(ranks for _, ranks in counts))
    faults.done()
    spreads = {
        number: spread_on(names, job, listed[number], counts[number], cores, machines, faults)
        for number, job in enumerate(asked)
        if job.spread
    }
    faults.done()
    if any(job.details for job in asked):
        _shared(net, asked, listed, names, faults)
        faults.done()
        columns: list[Endpoints] = [_column(net, job.name, listed[number]) for number, job in enumerate(asked)]
    else:
        columns = _columns(net, asked, listed, available, machines)
    made = []
    for number, (job, column, (each, ranks)) in enumerate(zip(asked, columns, counts, strict=True)):
        on = spreads.get(number)
        if on is None and ports[number]:
            on = _filled(machines, job, column, counts[number], cores)
        each = each if on is None else int(on.max())
        mapping = None if job.mapping is None else ndarray(job.mapping)
        spec = PlacedJob(
            job.name, ndarray(column), each, ranks, job.workload, job.variant, job.routing, on, mapping, job.root,
            job.size_bytes, job.start_s, job.repetitions, job.seats,
        )  # fmt: skip
        made.append(spec if job.order == "draw" or mapping is not None else _in_order(net, spec, job.order))
    return made


def held(net: _core.Network, asked: list[Asked], first: int) -> list[PlacedJob]:
    """Jobs that only hold their nodes, on which others may run meanwhile.

    Raises
    ------
    NetloomError
        What is wrong with the names of nodes.
    """
    faults = Faults()
    names = Names(net, first, faults)
    listed = [names.of(job.nodes or [], job.place) for job in asked]
    faults.done()
    return [
        PlacedJob(job.name, ndarray(endpoints).astype("uint32"), 1, len(endpoints), sends=False)
        for job, endpoints in zip(asked, listed, strict=True)
    ]


def _ports(machines: Machines, job: Asked, listed: list[int] | None) -> list[int]:
    """Endpoints of each host of a job that has hosts with several of them; none for any other job."""
    if not machines or job.mapping is not None:
        return []
    if listed is not None:
        # Numbers are endpoints in the order of ranks.
        if not isinstance(job.nodes, str):
            return []
        ports = [len(unit) for unit in machines.units(listed)]
        return ports if max(ports, default=1) > 1 else []
    return [machines.least] * job.count if job.whole and machines.least > 1 else []


def _filled(
    machines: Machines, job: Asked, column: Endpoints, counts: tuple[int, int], cores: int | None
) -> NDArray[np.int64]:
    """Ranks of each endpoint of a job whose ranks fill one host after the other."""
    each, ranks = counts
    ports = [len(unit) for unit in machines.units(ndarray(column).tolist())]
    most = job.cores if job.cores is not None else cores if job.ranks is None else None
    room = [each if most is None and job.ranks is not None else (most or 1) * own for own in ports]
    return split(filled(ranks, room), ports)


def _columns(
    net: _core.Network, asked: list[Asked], listed: dict[int, list[int]], available: Available, machines: Machines
) -> list[Endpoints]:
    """Endpoints of every job; one with a mapping keeps its own, which are taken from the others."""
    if machines and any(job.whole for job in asked):
        return _of_hosts(net, asked, listed, available, machines)
    wanted: list[Wanted] = [
        (job.name, listed[number], None) if number in listed else (job.name, job.count, job.placement)
        for number, job in enumerate(asked)
        if job.mapping is None
    ]
    kept = [job for job in asked if job.mapping is not None]
    if kept:
        import numpy as np

        taken = np.unique(np.concatenate([np.asarray(job.mapping) for job in kept]))
        free = np.arange(net.endpoints) if available is None else np.asarray(available, dtype=np.int64)
        available = np.setdiff1d(free, taken).astype(np.uint32)
    placed = iter(_placed(net, wanted, available, any(job.spread for job in asked))) if wanted else iter(())
    return [next(placed) if job.mapping is None else ndarray(job.mapping) for job in asked]


def _of_hosts(
    net: _core.Network, asked: list[Asked], listed: dict[int, list[int]], available: Available, machines: Machines
) -> list[Endpoints]:
    """The same where some jobs get whole hosts: lists first, then each job in turn on what is free."""
    import numpy as np

    given = [(job.name, listed[number], None) for number, job in enumerate(asked) if number in listed]
    lists = iter(_placed(net, [*given], available, any(job.spread for job in asked)) if given else [])
    made: dict[int, Endpoints] = {}
    for number, job in enumerate(asked):
        if number in listed:
            made[number] = next(lists)
        elif job.mapping is not None:
            made[number] = ndarray(job.mapping)
    free = np.zeros(net.endpoints, dtype=bool)
    free[slice(None) if available is None else np.asarray(available, dtype=np.int64)] = True
    for taken in made.values():
        free[np.asarray(taken)] = False
    for number, job in enumerate(asked):
        if number in made:
            continue
        left = np.flatnonzero(free).astype(np.uint32)
        if job.whole:
            made[number] = machines.placed(job.name, job.count, job.placement, left)
        else:
            made[number] = place_jobs(net, [(job.name, job.count, job.placement)], left)[0]
        free[np.asarray(made[number])] = False
    return [made[number] for number in range(len(asked))]


def _in_order(net: _core.Network, job: PlacedJob, order: str) -> PlacedJob:
    """The job with its ranks in another order on the slots that it has."""
    import numpy as np

    cores, counts = job.cores_per_node, job.ranks_on_endpoints()
    first = np.repeat(np.cumsum(counts) - counts, counts)
    slots = job.endpoint_of_rank().astype(np.uint32) * np.uint32(cores)
    slots += (np.arange(job.ranks) - first).astype(np.uint32)
    made = ndarray(ordered(net if cores == 1 else net.with_slots(cores), slots, order)) // np.uint32(cores)
    return replace(job, mapping=made)


def _mapped(net: _core.Network, job: Asked, node: _core.Node | None, faults: Faults) -> None:
    """The mapping of a job as a column, and what follows from it."""
    import numpy as np

    try:
        if isinstance(job.mapping, str):
            cores = max(job.cores or 1, 1)
            slotted = net if cores == 1 else net.with_slots(cores, node)
            slots = read_mapping(Path(job.mapping), job.mapping, job.mapping_format, slotted, cores, node)
            job.mapping = ndarray(slots) // np.uint32(cores)
            job.seats = None if node is None or cores == 1 else ndarray(slots) % np.uint32(cores)
        given = Arguments(job.place)
        column = given.endpoints("mapping", job.mapping)
        given.done()
        job.mapping = mapping = np.asarray(column)
    except NetloomError as error:
        faults.take(error)
        return
    wrong = mapping[mapping >= net.endpoints]
    if len(wrong):
        expected = f"endpoints in 0..{net.endpoints} (exclusive)"
        faults.add("NL-M001", f"{job.place}.mapping", expected, int(wrong[0]))
    if job.ranks is not None and job.ranks != len(mapping):
        faults.add(MORE_RANKS, f"{job.place}.ranks", f"{len(mapping)}, as in its mapping", job.ranks)
    job.ranks, job.count = len(mapping), len(np.unique(mapping))
    job.cores = int(np.bincount(mapping).max()) if not len(wrong) else 1


def _placed(net: _core.Network, wanted: list[Wanted], available: Available, slurm: bool) -> list[Endpoints]:
    """As :func:`place_jobs`; jobs that Slurm put on one node are not an error; the list only lacks their cores."""
    try:
        return place_jobs(net, wanted, available)
    except NetloomError as error:
        if not slurm:
            raise
        raise NetloomError(
            [replace(f, hint=DETAILS) if f.code == SHARED and f.hint else f for f in error.faults]
        ) from None


def _unique(asked: list[Asked], faults: Faults) -> None:
    seen: dict[str, str] = {}
    for job in asked:
        if job.name in seen:
            faults.add(TWICE, job.place, f'job "{job.name[:60]}" stands at {seen[job.name]} too', "", "rename one")
        seen.setdefault(job.name, job.place)


def _listed(names: Names, job: Asked, faults: Faults) -> list[int]:
    before = len(faults.list)
    assert job.nodes is not None
    found = names.of(job.nodes, job.place)
    # Slurm's own count reveals a list cut to its column width.
    if job.count and job.count not in (len(found), hosts := names.hosts(found)) and len(faults.list) == before:
        hint = "the list may be cut: squeue -o with %N prints all of it"
        faults.add(BAD_VALUE, job.place, f"a list of {job.count} nodes", hosts, hint)
        return []
    if not found and len(faults.list) == before:
        faults.add(BAD_VALUE, job.place, "a list of at least one node", "none")
    return found


def _column(net: _core.Network, name: str, endpoints: list[int]) -> Endpoints:
    """Through the core, which checks that they exist and are distinct."""
    return _core.place_jobs(net, [(name, endpoints, None)])[0]


def _shared(net: _core.Network, asked: list[Asked], listed: dict[int, list[int]], names: Names, faults: Faults) -> None:
    """Jobs that share an endpoint must have different cores of it. O(endpoints of all jobs)."""
    owners: dict[int, list[int]] = {}
    for number, endpoints in listed.items():
        for endpoint in dict.fromkeys(endpoints):
            owners.setdefault(endpoint, []).append(number)
    cores: dict[int, dict[int, int] | None] = {}
    told: set[tuple[int, int]] = set()
    for endpoint, several in owners.items():
        used: list[tuple[int, int | None]] = []
        taken: int | None = 0
        for number in several if len(several) > 1 and not faults.full else ():
            if number not in cores:
                cores[number] = masks(asked[number].details, names, asked[number].place)
            own = (cores[number] or {}).get(endpoint)
            if used and (own is None or taken is None or own & taken):
                other = next(n for n, bits in used if own is None or bits is None or own & bits)
                # Two jobs that share one endpoint often share all: one fault is enough.
                if (other, number) not in told:
                    told.add((other, number))
                    _tell(net, endpoint, asked[other], asked[number], faults)
                break
            used.append((number, own))
            taken = None if own is None or taken is None else taken | own


def _tell(net: _core.Network, endpoint: int, other: Asked, job: Asked, faults: Faults) -> None:
    title = net.endpoint_names[endpoint] if net.has_names else f"endpoint {endpoint}"
    sentence = f'{title[:60]} belongs to job "{other.name[:60]}" too, as far as is known with the same cores'
    faults.add(SHARED, f'{job.place}: job "{job.name[:60]}"', sentence, "", DETAILS)
