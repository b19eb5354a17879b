"""Which free nodes a new job should get, next to the jobs that run: what it suffers there and what it does to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from .. import _core
from ..base import files
from ..base.arguments import Arguments
from ..base.arrays import in_service, ndarray
from ..base.errors import Fault, NetloomError
from ..jobs.codes import MORE_RANKS, NONE_RUNS
from ..jobs.names import in_order
from ..jobs.nodes import allowed, read_nodes
from ..jobs.on_hosts import Machines
from ..jobs.unused import of_states
from ..network import NetworkLike
from ..scenario import Calls, Scenario, Workshop
from . import bound_of, evaluate, evaluator
from .node_selection_inputs import OF_NEW, apart, idle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..base.arrays import Endpoints
    from ..evaluate.loads.result import Loads
    from ..jobs import PlacedJob
    from ..scenario import Question
    from ..scenario.axes import Axes

#: What running jobs send where their list does not say: some messages anywhere within the job.
OTHERS = 'spread(seed=1,bytes="64 KiB")'
#: The new job's name.
NEW = "new job"
#: Placements that are tried on the free nodes; those of units first.
PLACEMENTS = (
    *("linear", "blocked(unit=switches)", "blocked(unit=groups)", "round-robin", "round-robin-switches"),
    *("random-switches(seed={seed})", "random-chassis(seed={seed})", "random-groups(seed={seed})"),
    "random(seed={seed})",
)
#: Middles of compact pieces that are tried, and switches that are looked at to find them.
MIDDLES, LOOKED_AT = 3, 512
#: Seeds of each random placement.
TRIES = 2


@dataclass(frozen=True, eq=False)
class Choice:
    """Nodes that a new job could get.

    Attributes
    ----------
    position
        From 1, by `score`; equal ones share one.
    placement
        How they were found.
    endpoints
        In the order in which ranks fill them: that of their nodes' names, as Slurm does.
    nodes
        The same as a host list; where the network has no names, numbers from `first_node` on.
    switches
        Whose endpoints are used.
    alone_s
        Seconds that the bytes of the job's busiest link take without the other jobs.
    beside_s
        The same with the bytes of all jobs on its links.
    harm
        The largest factor by which the job lengthens the busiest link of another one; 1 where it does not.
    harmed
        That job; "" where there is none.
    score
        `beside_s` over the least of all choices, times `harm`.
    """

    position: int
    placement: str
    endpoints: Endpoints
    nodes: str
    switches: int
    alone_s: float
    beside_s: float
    harm: float
    harmed: str
    score: float


def choose_nodes(  # type: ignore[misc]  # its own `nodes` is that input
    net: NetworkLike | None = None,
    *,
    nodes: int,
    others: str = OTHERS,
    states: str | Path | None = None,
    partition: str = "",
    segment: int | None = None,
    **inputs: Unpack[Axes],
) -> list[Choice]:
    """Rank choices of free nodes for a new job.

    Parameters
    ----------
    net
        A network, call text or file.
    nodes
        How many the job needs: hosts with all their endpoints, which are endpoints where each is a host.
    others
        What the running jobs send, those whose list does not say it.
    states
        A file of what `sinfo`, `scontrol show node` or `scontrol show partition` prints: nodes that are down, drained,
        reserved or in use are left out, and so are those that it does not list.
    partition
        With `states`: the partition that the job is for; by default any that is up.
    segment
        Nodes of a segment, each on one switch or in one block, as Slurm's option of that name; `nodes` is a multiple.
    inputs
        Of the scenario: `workload`, what the new job sends on `cores` ranks for each endpoint; `jobs`, the running
        ones, whose ranks are those of their list; `seed` of the random placements; and `cores` of the new job,
        `first_node`, `routing`, `variant`, `size_bytes` and `root` of the new job, ...

    Returns
    -------
    list of Choice
        The best first. The same nodes are listed once.

    Raises
    ------
    NetloomError
        NL-J004 for more nodes than are free, and what is wrong with the jobs or the workload.

    Notes
    -----
    Link loads of all jobs together, of one round of what each sends: rates are not known. Cost: two evaluations of
    loads for each choice, one with all jobs, and one of the running jobs.
    """
    allowed = Allowed(states, partition, segment)
    return ranked_choices(net, nodes=nodes, others=others, allowed=allowed, **inputs)[0]


@dataclass(frozen=True)
class Allowed:
    """Which nodes a job may get, and how they hang together; see `choose_nodes`."""

    states: str | Path | None = None
    partition: str = ""
    segment: int | None = None

    def nodes(self, net: _core.Network, first: int) -> tuple[NDArray[np.uint32] | None, list[str]]:
        """Endpoints, None for all, and notes."""
        if self.states is None:
            if self.partition:
                hint = "give the output of sinfo -N, which says which nodes a partition has"
                raise NetloomError([Fault("NL-A007", "partition", "used with states", self.partition, hint)])
            return None, []
        place = str(self.states)
        text = files.read(self.states).decode("utf-8", errors="replace")
        found, notes = allowed(net, read_nodes(text, place), self.partition, first, place)
        return found, [*notes, *of_states(text, place)]


def ranked_choices(  # type: ignore[misc]  # its own `nodes` is that input
    net: NetworkLike | None = None,
    *,
    nodes: int,
    others: str = OTHERS,
    allowed: Allowed | None = None,
    **inputs: Unpack[Axes],
) -> tuple[list[Choice], list[str]]:
    """As `choose_nodes`, and what to know of the answer, a sentence each."""
    given = Arguments("choose_nodes")
    nodes, others = given.natural("nodes", nodes), given.text("others", others)
    seed = given.integer("seed", inputs.get("seed", 0))
    given.done()
    scenario = Scenario(net, **inputs)
    own, said = apart(scenario, others)
    of_all = scenario.without(*OF_NEW).but(**said).but(workload=others)
    bound, holders = _holders(of_all.without("cores"))
    cores = bound_of(evaluator("loads"), of_all, bound.workshop, _silent).site.cores
    wish = allowed or Allowed()
    open_nodes, notes = wish.nodes(bound.network, bound.integer("first_node"))
    candidates = _Candidates(bound, holders, nodes, (cores, own), open_nodes)
    columns = candidates.choices(seed) if wish.segment is None else candidates.segments(wish.segment)
    found = [candidates.rated(name, column) for name, column in columns]
    silent = any("workload" not in row for row in candidates.rows)
    notes += idle(scenario, others, bound.network)
    assumed = f"jobs that do not say what they send are taken to send {others}; " if silent else ""
    return _ranked(found), [*notes, f"{assumed}loads are of one round of each"]


def _holders(scenario: Scenario) -> tuple[Question, list[PlacedJob]]:
    """The jobs that have nodes; none on an idle machine."""
    row, workshop = evaluator("loads"), Workshop(Calls(scenario.folder))
    bound = bound_of(row, scenario, workshop, _silent)
    try:
        return bound, bound.listed_jobs.holders if bound.several else []
    except NetloomError as error:
        if [fault.code for fault in error.faults] != [NONE_RUNS]:
            raise
        return bound_of(row, scenario.without("jobs"), workshop, _silent), []


class _Candidates:
    """Evaluations of a new job on some nodes, with the others and without."""

    def __init__(
        self,
        bound: Question,
        holders: list[PlacedJob],
        nodes: int,
        job: tuple[int, dict[str, object]],
        open_nodes: NDArray[np.uint32] | None = None,
    ) -> None:
        import numpy as np

        self.bound, self.network, self.nodes = bound, bound.network, nodes
        # One round of each, whenever it begins.
        once = (replace(job, repetitions=1, start_s=0.0) for job in holders if job.sends)
        self.rows: list[dict[str, object]] = [job.to_row() for job in once]
        #: Ranks of the new job on each endpoint, and what it does, as keys of a list of jobs.
        self.cores, self.own = job
        taken = [ndarray(job.endpoints) for job in holders]
        usable = in_service(self.network)
        everywhere = np.arange(self.network.endpoints) if usable is None else ndarray(usable)
        if open_nodes is not None:
            everywhere = np.intersect1d(everywhere, open_nodes)
        self.free: NDArray[np.uint32] = np.setdiff1d(everywhere, np.concatenate([*taken, []])).astype(np.uint32)
        self.machines = Machines(self.network)
        free = len(self.machines.free_hosts(self.free))
        if not len(self.free):
            where = "an endpoint that is free" if open_nodes is None else "an endpoint that is free and takes jobs"
            raise NetloomError([Fault(MORE_RANKS, "nodes", where, "", "take jobs away, or ask for another partition")])
        if not 1 <= nodes <= free:
            what = "hosts" if self.machines else "endpoints"
            expected = f"an integer in 1..{free}, the number of free {what}"
            raise NetloomError([Fault(MORE_RANKS, "nodes", expected, str(nodes), "ask for fewer, or take jobs away")])
        #: Time on the busiest link of each running job, without the new one.
        self.before = self.slowdowns(self.loads_of_others()) if self.rows else {}

    def loads(self, rows: list[dict[str, object]]) -> Loads:
        """Link loads of these jobs."""
        asked = self.bound.scenario.without("fail").but(network=self.network, part="", jobs=rows)
        return evaluate(asked, "loads", hottest=0, arrays=False)

    def loads_of_others(self) -> Loads:
        """Those of the running jobs, with what is wrong in the option that says what they send."""
        try:
            return self.loads(self.rows)
        except NetloomError as error:
            named = [replace(f, place="others") if f.place == "workload" else f for f in error.faults]
            raise NetloomError(named) from None

    @staticmethod
    def slowdowns(made: Loads) -> dict[str, float]:
        return {str(job["name"]): float(job.get("slowdown") or 1.0) for job in made.jobs}

    def choices(self, seed: int) -> Iterator[tuple[str, Endpoints]]:
        """Placements on the free nodes, each set of nodes once, in the order in which Slurm fills them."""
        import numpy as np

        seen: set[bytes] = set()
        texts = [text.format(seed=seed + i) for text in PLACEMENTS for i in range(TRIES if "{" in text else 1)]
        texts += [f"tree(root={root})" for root in self.middles()]
        for text in texts:
            try:
                column = self.machines.placed(NEW, self.nodes, text, self.free)
            except NetloomError:
                # Not on this network.
                continue
            column = np.array(in_order(self.network, ndarray(column).tolist()), np.uint32)
            if column.tobytes() not in seen:
                seen.add(column.tobytes())
                yield text, column

    def segments(self, size: int) -> Iterator[tuple[str, Endpoints]]:
        """Placements in segments, each on the free nodes of one switch: fewest switches, fullest ones, in order.

        A node with several ports is at the switch of its first one.
        """
        import numpy as np

        if size < 1 or self.nodes % size:
            expected = f"a number that divides the {self.nodes} nodes"
            raise NetloomError([Fault("NL-A007", "segment", expected, str(size), "segments are of one size")])
        hosts = np.asarray(self.machines.free_hosts(self.free))
        homes = self.network.endpoint_switch[hosts]
        room = {int(home): hosts[homes == home] for home in np.unique(homes)}
        held = sum(len(own) // size for own in room.values())
        wanted = self.nodes // size
        if held < wanted:
            expected = f"a segment of which {wanted} fit: the free nodes of each switch hold {held} of {size} together"
            hint = "ask for smaller segments or fewer nodes"
            raise NetloomError([Fault(MORE_RANKS, "segment", expected, str(size), hint)])
        orders = {
            "segments on the fewest switches": lambda home: (-(len(room[home]) // size), home),
            "segments on the fullest switches": lambda home: (len(room[home]), home),
            "segments in order": lambda home: (home,),
        }
        seen: set[bytes] = set()
        for name, key in orders.items():
            left, parts = wanted, []
            for home in sorted(room, key=key):
                count = min(left, len(room[home]) // size)
                parts.append(room[home][: count * size])
                left -= count
            whole = self.machines.whole(np.concatenate(parts))
            column = np.array(in_order(self.network, whole.tolist()), np.uint32)
            if column.tobytes() not in seen:
                seen.add(column.tobytes())
                yield name, column

    def middles(self) -> list[int]:
        """Switches around which the nodes would be nearest, the nearest first; O(looked at x switches)."""
        import numpy as np

        homes = self.network.endpoint_switch[self.machines.free_hosts(self.free)].astype(np.int64)
        room = np.bincount(homes, minlength=self.network.switches)
        roots = np.flatnonzero(room)
        roots = roots[np.linspace(0, len(roots) - 1, min(LOOKED_AT, len(roots))).astype(int)]
        distance = self.network.hop_matrix()
        sums = []
        for root in roots:
            # Free endpoints by distance; as many as needed, the nearest first.
            at = np.bincount(distance[root], weights=room)
            there = np.minimum(np.cumsum(at), self.nodes)
            sums.append(float((np.diff(there, prepend=0.0) * np.arange(len(at))).sum()))
        best: list[int] = roots[np.argsort(sums, kind="stable")[:MIDDLES]].tolist()
        return best

    def rated(self, name: str, column: Endpoints) -> Choice:
        """What the job suffers and does on these endpoints."""
        import numpy as np

        row: dict[str, object] = {"name": NEW, "mapping": np.repeat(ndarray(column), self.cores).tolist()}
        row |= self.own
        alone = self.loads([row])
        between, ends = _seconds(alone, "all"), max(_seconds(alone, "injection"), _seconds(alone, "ejection"))
        suffered, harm, harmed = 1.0, 1.0, ""
        if self.rows:
            slow = self.slowdowns(self.loads([*self.rows, row]))
            suffered = slow.pop(NEW)
            for other, factor in slow.items():
                if factor / self.before[other] > harm * (1 + 1e-9):
                    harm, harmed = factor / self.before[other], other
        listed = ndarray(column)
        switches = len(np.unique(self.network.endpoint_switch[listed]))
        return Choice(
            0, name, column, self.called(listed), switches, max(between, ends), max(between * suffered, ends), harm,
            harmed, 0.0,
        )  # fmt: skip

    def called(self, endpoints: NDArray[np.integer]) -> str:
        """A host list."""
        folded = _core.fold_hostlist(self.machines.names(endpoints.tolist(), self.bound.integer("first_node")))
        return folded if self.network.has_names else folded.strip("[]")


def _seconds(made: Loads, links: str) -> float:
    return float(made.classes.get(links, {}).get("max_s") or 0.0)


def _ranked(found: list[Choice]) -> list[Choice]:
    """With scores and positions."""
    least = min(one.beside_s for one in found)
    scored = [replace(one, score=(one.beside_s / least if least else 1.0) * one.harm) for one in found]
    scored.sort(key=lambda one: (float(f"{one.score:.9g}"), one.switches))
    rows: list[Choice] = []
    for number, one in enumerate(scored, start=1):
        same = rows and float(f"{rows[-1].score:.9g}") == float(f"{one.score:.9g}")
        rows.append(replace(one, position=rows[-1].position if same else number))
    return rows


def _silent(done: int, total: int) -> None:
    return None
