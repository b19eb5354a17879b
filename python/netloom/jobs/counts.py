"""Ranks of a job, and how many of them an endpoint gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.quantities import counted
from .asked import MOST, Asked, Faults
from .codes import MORE_RANKS
from .names import Names, masks
from .on_hosts import Machines, split
from .spread import spread

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def ranks_of(job: Asked, cores: int | None, ports: list[int], faults: Faults) -> tuple[int, int]:
    """Most ranks on an endpoint, or on a host where `ports` has its endpoints, and ranks. Ranks without a number per
    endpoint are spread evenly.
    """
    if ports:
        return _on_hosts(job, cores, ports, faults)
    ranks, each = job.ranks, job.cores
    if ranks is None and each is None and cores is None:
        # One per CPU, if CPUs are known.
        ranks = max(job.count, (job.cpus or 0) // job.cpus_per_rank)
    if each is None:
        each = cores if ranks is None else -(-ranks // job.count)
    assert each is not None
    ranks = each * job.count if ranks is None else ranks
    title = f'{job.place}: job "{job.name[:60]}"'
    if cores is not None and each > cores:
        faults.add(MORE_RANKS, title, f"at most {counted(cores, 'rank')} on an endpoint", each, "use more endpoints")
    elif ranks > each * job.count:
        room = f"{counted(job.count, 'endpoint')} of {counted(each, 'core')}"
        expected = f"at most {counted(each * job.count, 'rank')}: {room}"
        faults.add(MORE_RANKS, title, expected, ranks, f"give the job {-(-ranks // each)} endpoints")
    elif job.cpus is not None and ranks * job.cpus_per_rank > job.cpus:
        most = counted(job.cpus // job.cpus_per_rank, "rank")
        expected = f"at most {most}: {counted(job.cpus, 'core')}, {job.cpus_per_rank} for each"
        faults.add(MORE_RANKS, title, expected, ranks, "correct NumTasks, CPUs/Task or NumCPUs")
    return each, ranks


def _on_hosts(job: Asked, cores: int | None, ports: list[int], faults: Faults) -> tuple[int, int]:
    """The same for hosts with these numbers of endpoints. Tasks per node, as Slurm has them, are those of a host,
    `cores` those of an endpoint; without either a host gets a rank for each endpoint, or for each CPU that the job has.
    """
    ranks, most = job.ranks, max(ports)
    per_host = job.cores if job.spread else None
    per_port = cores if job.cores is None or job.spread else job.cores
    if ranks is None and per_host is None and per_port is None and job.cpus:
        ranks = max(job.count, job.cpus // job.cpus_per_rank)
    if per_host is not None:
        each, all_ranks = per_host, per_host * len(ports)
    elif per_port is None or (ranks is not None and job.cores is None):
        each, all_ranks = (most, sum(ports)) if ranks is None else (-(-ranks // len(ports)), ranks)
    else:
        each, all_ranks = per_port * most, per_port * sum(ports)
    ranks = all_ranks if ranks is None else ranks
    title = f'{job.place}: job "{job.name[:60]}"'
    room = None if cores is None else cores * sum(ports)
    if room is not None and ranks > room:
        expected = (
            f"at most {counted(room, 'rank')}: {counted(sum(ports), 'endpoint')} of {counted(cores or 1, 'core')}"
        )
        faults.add(MORE_RANKS, title, expected, ranks, "use more nodes, or --cores with more")
    elif ranks > all_ranks:
        expected = f"at most {counted(all_ranks, 'rank')} on {counted(len(ports), 'node')}"
        faults.add(MORE_RANKS, title, expected, ranks, "use more nodes")
    elif job.cpus is not None and ranks * job.cpus_per_rank > job.cpus:
        expected = f"at most {counted(job.cpus // job.cpus_per_rank, 'rank')}: {counted(job.cpus, 'core')}"
        faults.add(MORE_RANKS, title, expected, ranks, "correct NumTasks, CPUs/Task or NumCPUs")
    return each, ranks


def spread_on(
    names: Names,
    job: Asked,
    listed: list[int],
    counts: tuple[int, int],
    cores: int | None,
    machines: Machines,
    faults: Faults,
) -> NDArray[np.int64]:
    """Ranks of each endpoint of a job: limited by its cores, where all are known, and by the number given. Slurm
    counts by hosts, whose ports share their ranks.
    """
    import numpy as np

    units = machines.units(listed)
    endpoints, ranks = [unit[0] for unit in units], counts[1]
    room = np.full(len(endpoints), job.cores or MOST, dtype=np.int64)
    known = _cpus(job, names)
    if all(known.get(endpoint) for endpoint in endpoints):
        fit = [max(1, known[endpoint] // job.cpus_per_rank) for endpoint in endpoints]
        room = np.minimum(room, np.array(fit, dtype=np.int64))
    on = split(spread(ranks, room).tolist(), [len(unit) for unit in units])
    if cores is not None and on.max() > cores:
        title = f'{job.place}: job "{job.name[:60]}"'
        faults.add(
            MORE_RANKS, title, f"at most {counted(cores, 'rank')} on an endpoint", int(on.max()), "use more endpoints"
        )
    return on


def _cpus(job: Asked, names: Names) -> dict[int, int]:
    """CPUs of the job on each endpoint: as they were counted, else as many as it has numbers of cores."""
    if not job.cpus_on:
        known = (masks(job.details, names, job.place) if job.details else None) or {}
        return {endpoint: bits.bit_count() for endpoint, bits in known.items()}
    found: dict[int, int] = {}
    for nodes, count in job.cpus_on:
        for endpoint in names.of(nodes, job.place):
            found[endpoint] = count
    return found
