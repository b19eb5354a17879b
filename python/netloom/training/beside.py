"""A second job next to the step: what each takes alone, what they take together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.arrays import ndarray
from ..base.errors import Fault, NetloomError
from ..jobs import Job
from ..workload import Workload, own_program, resolve
from . import codes
from .call import programs_of
from .programs import programs

if TYPE_CHECKING:
    from .cluster import Cluster
    from .split import Split
    from .step import Planner


@dataclass(frozen=True)
class Shared:
    """The step and another job, each alone on its places and both at the same time.

    Attributes
    ----------
    workload
        Of the other job.
    gpus
        Of it.
    alone_s, together_s
        Of the step and of the other job, simulated whole, with all groups at the same time.
    leaves
        Switches that nodes of both jobs are on, and those with nodes of one.
    """

    workload: str
    gpus: int
    alone_s: tuple[float, float]
    together_s: tuple[float, float]
    leaves: tuple[int, int]

    @property
    def slowdown(self) -> tuple[float, float]:
        """Of each, by the other."""
        return self.together_s[0] / self.alone_s[0], self.together_s[1] / self.alone_s[1]


def beside(planner: Planner, split: Split, gpus: int, text: str, turns: bool = False) -> Shared:
    """A workload on `gpus` GPUs after those of the step.

    Parameters
    ----------
    planner
        Its cluster has room for both.
    turns
        The nodes of all leaves are dealt out in turn, so that both jobs are on the same leaves; else one after another.

    Raises
    ------
    NetloomError
        Those of `programs`, and what is wrong with the workload.

    Notes
    -----
    Three simulations of whole steps. O(messages of both).
    """
    cluster = planner.cluster
    nodes = leaves_in_turn(cluster) if turns else list(range(len(cluster.network.endpoint_switch) // cluster.per_node))
    ends = [node * cluster.per_node + seat for node in nodes for seat in range(cluster.per_node)]
    # A job begins with a node of its own.
    start = -(-split.gpus // cluster.per_node) * cluster.per_node
    places = ends[: split.gpus], ends[start : start + gpus]
    if len(places[1]) < gpus:
        words = f"{cluster.machine.name} has {len(ends)} GPUs, too few for {split.gpus} and, on other nodes, {gpus}"
        raise NetloomError([Fault(codes.BAD_VALUE, "--with", words, "", "give a smaller job, or a larger machine")])
    jobs = [
        Job(programs(planner, split), "step", mapping=places[0]),
        Job(_workload(cluster, text, gpus), "other", mapping=places[1]),
    ]
    alone = [cluster.together([job])[0] for job in jobs]
    both = cluster.together(jobs)
    there = [{leaf_of(cluster, end // cluster.per_node) for end in some} for some in places]
    return Shared(
        text, gpus, (alone[0], alone[1]), (both[0], both[1]), (len(there[0] & there[1]), len(there[0] ^ there[1]))
    )


def _workload(cluster: Cluster, text: str, gpus: int) -> Workload:
    if own_program(text):
        return programs_of(text, gpus, Path(), cluster.machine)
    return resolve(text, gpus, size_bytes=1)


def leaf_of(cluster: Cluster, node: int) -> int:
    """The number of the leaf, or of the pod's leaves, that a node is on."""
    rails = cluster.network.rails
    if rails is not None:
        return node // -(-rails["nodes"] // rails["pods"])
    return int(ndarray(cluster.network.endpoint_switch)[node * cluster.per_node])


def leaves_in_turn(cluster: Cluster) -> list[int]:
    """All nodes: the first of each leaf, then the second of each."""
    on: dict[int, list[int]] = {}
    for node in range(len(cluster.network.endpoint_switch) // cluster.per_node):
        on.setdefault(leaf_of(cluster, node), []).append(node)
    most = max(map(len, on.values()))
    return [nodes[turn] for turn in range(most) for nodes in on.values() if turn < len(nodes)]


def size_of(text: str) -> tuple[int, str]:
    """GPUs and workload of `N: WORKLOAD`.

    Raises
    ------
    NetloomError
        `NL-Y003` for another text.
    """
    head, colon, workload = text.partition(":")
    if not colon or not head.strip().isdecimal() or not int(head) or not workload.strip():
        hint = "for example --with '16: step(\"llama3-8b\",tp=8)'"
        raise NetloomError([Fault(codes.BAD_VALUE, "--with", "N: WORKLOAD, with N of GPUs", text[:80], hint)])
    return int(head), workload.strip()
