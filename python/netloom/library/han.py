"""Open MPI 5: coll/han where several nodes have several ranks each, coll/tuned elsewhere.

Read in Open MPI 5.0.10, the same in 5.0.0: `ompi/mca/coll/han`, `coll/libnbc` (`nbc_ireduce.c`, `nbc_ibcast.c`) and
`coll/base/coll_base_comm_select.c`.

- Priority 35, coll/tuned 30. It has allreduce, broadcast, reduce, allgather, gather, scatter and barrier; all
  others are coll/tuned's on the whole communicator, and so is a communicator of one node or of one rank a node.
- Where nodes differ in ranks, it leaves all of them to coll/tuned but allreduce and barrier, which do not ask.
- Leaders of nodes are the ranks with the root's place in its node. Blocking parts are coll/tuned's for the ranks of the
  level, also between nodes, since coll/libnbc has none; `ireduce` and `ibcast` between nodes are coll/libnbc's.
- Allreduce, broadcast and reduce go through the levels in segments of 64 KiB, one level behind the other. The first
  segment of a broadcast goes between nodes by coll/tuned, not by coll/libnbc; here it is like the others.
- Allgather gathers at the leader, who allgathers among leaders and broadcasts; barrier is one of each node, of the
  leaders, and of each node once more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from ..base.quantities import size_text
from .choice import Choice, Communicator
from .decide import decide
from .tabled import Tabled, element_of, schedule_of

#: Bytes of a segment: coll_han_bcast_segsize and its like.
SEGMENT = 65536
#: Up to how many ranks coll/libnbc's broadcast is linear.
_LINEAR = 4
#: Trees that a level takes, for names of the library; for all others the binomial one.
_TREES = {
    "basic_linear": "linear",
    "linear": "linear",
    "linear_nb": "linear",
    "linear_sync": "linear",
    # Whole messages, one after the other: as many steps as the chain.
    "chain": "linear",
    "pipeline": "linear",
    "knomial": "k-nomial(k=4)",
}
#: Names that say no more than the tree in their place.
_SAME = ("basic_linear", "linear", "linear_nb", "knomial", "binomial")
#: Names of more than one message between two ranks, where every tree is the same.
_PARTS = ("linear_sync", "rabenseifner")
#: Most messages of a schedule in segments: a second or two of simulated flows.
_MESSAGES = 1 << 21
_WHEN = "several nodes have several ranks each"
_UNEVEN = "coll/han leaves nodes with unlike numbers of ranks to coll/tuned"
_STANDS_IN = (
    "coll/han runs it level by level on nodes with unlike numbers of ranks too, which no schedule here does: "
    "a binomial tree over all ranks stands in, up and down"
)


@dataclass(frozen=True)
class Part:
    """What runs on one level.

    Parameters
    ----------
    does
        What and where, as a note says it.
    own
        The library's name of the algorithm.
    ranks
        Of the level.
    """

    does: str
    own: str
    ranks: int

    @property
    def tree(self) -> str:
        """The nearest that a level takes."""
        return _TREES.get(self.own, "binomial")

    @property
    def reduction(self) -> str:
        """The nearest that a level of a reduction takes."""
        return self.own if self.own == "rabenseifner" else self.tree

    def differs(self, here: str) -> str:
        """A clause of a note, where the schedule has `here` in its place; "" if that is the same."""
        if (
            self.own == here
            or (self.own in _SAME and self.tree == here)
            or (self.ranks == 2 and self.own not in _PARTS)
        ):
            return ""
        return f"{self.does} by {self.own}, here {here.partition('(')[0]}"


@dataclass(frozen=True)
class Call:
    """One call on nodes with the same number of ranks."""

    table: str
    nodes: int
    local: int
    size_bytes: int

    @property
    def segment(self) -> int:
        """Bytes that go through the levels at once."""
        return min(self.size_bytes, SEGMENT)

    @property
    def is_cut(self) -> bool:
        """The message is longer than a segment."""
        return self.size_bytes > SEGMENT

    @property
    def segments(self) -> int:
        """How many go through the levels here: those of the library, or as many as a schedule may have."""
        leaders = self.nodes * self.nodes.bit_length()
        each = 2 * (self.nodes * self.local + leaders)
        return min(-(-self.size_bytes // SEGMENT) or 1, max(_MESSAGES // each, 1))

    def tuned(self, does: str, word: str, ranks: int, size_bytes: int) -> Part:
        """A blocking part: what coll/tuned takes on the ranks of a level."""
        made = decide(self.table, word, ranks, size_bytes, element_bytes=element_of(size_bytes))
        return Part(does, made.runs or made.algorithm, ranks)

    def ibcast(self) -> Part:
        """coll/libnbc's broadcast between nodes: its default does not look at bytes."""
        return Part("between nodes it broadcasts", "linear" if self.nodes <= _LINEAR else "binomial", self.nodes)

    def ireduce(self) -> Part:
        """coll/libnbc's reduce between nodes."""
        elements = self.segment // element_of(self.segment)
        if self.nodes > 2 and elements >= 1 << (self.nodes.bit_length() - 1):
            return Part("between nodes it reduces", "rabenseifner", self.nodes)
        # From 64 KiB on two ranks are a chain, which is the same pair.
        return Part("between nodes it reduces", "binomial", self.nodes)


Made = tuple[str, tuple[tuple[str, int | str], ...], list[str]]


def _broadcast(call: Call) -> Made:
    does = "between nodes it broadcasts"
    above = call.ibcast() if call.is_cut else call.tuned(does, "bcast", call.nodes, call.size_bytes)
    below = call.tuned("inside nodes it broadcasts", "bcast", call.local, call.segment)
    notes = [above.differs(above.tree), below.differs(below.tree), *_segments(call)]
    return "hierarchical", (("algorithms", _joined(above.tree, below.tree)), *_cut(call)), notes


def _reduce(call: Call) -> Made:
    above = call.ireduce()
    below = call.tuned("inside nodes it reduces", "reduce", call.local, call.segment)
    notes = [_near_first(above), below.differs(below.reduction), *_segments(call)]
    return "hierarchical", (("algorithms", _joined(above.reduction, below.reduction)), *_cut(call)), notes


def _rooted(word: str, call: Call) -> Made:
    """Gather and scatter: each level moves the blocks of all ranks below."""
    above = call.tuned(f"between nodes it {word}s", word, call.nodes, call.size_bytes * call.local)
    below = call.tuned(f"inside nodes it {word}s", word, call.local, call.size_bytes)
    notes = [above.differs(above.tree), below.differs(below.tree)]
    return "hierarchical", (("algorithms", _joined(above.tree, below.tree)),), notes


def _allreduce(call: Call) -> Made:
    up = call.tuned("inside nodes it reduces", "reduce", call.local, call.segment)
    down = call.tuned("inside nodes it broadcasts", "bcast", call.local, call.segment)
    between, back = call.ireduce(), call.ibcast()
    ways = [("top", f"{between.reduction}+{back.tree}"), ("algorithms", down.tree)]
    ways += [("up", up.tree)] * (up.tree != down.tree)
    notes = [_near_first(between), up.differs(up.tree), down.differs(down.tree), *_segments(call)]
    return "hierarchical", (*ways, *_cut(call)), notes


def _allgather(call: Call) -> Made:
    node = call.size_bytes * call.local
    up = call.tuned("inside nodes it gathers", "gather", call.local, call.size_bytes)
    down = call.tuned("inside nodes it broadcasts", "bcast", call.local, node * call.nodes)
    made = decide(call.table, "allgather", call.nodes, node, element_bytes=element_of(node))
    top, differs = schedule_of("allgather", made)
    between = f"between nodes {differs}" if differs else ""
    ways = (("top", top.partition(":")[2]), ("up", up.tree), ("down", down.tree))
    return "led", ways, [up.differs(up.tree), between, down.differs(down.tree)]


def _barrier(call: Call) -> Made:
    names = []
    for ranks in (call.nodes, call.local):
        made = decide(call.table, "barrier", ranks, 0)
        names.append("dissemination" if made.netloom is None else made.netloom[0][0].partition(":")[2])
    return "led", (("algorithms", _joined(*names)),), []


def _joined(*names: str) -> str:
    return names[0] if len(set(names)) == 1 else "+".join(names)


def _near_first(between: Part) -> str:
    """How the reduction between nodes differs: of partners 1, 2, 4, ... away it takes the near ones first."""
    if between.own == "rabenseifner" and between.ranks > 3:
        return "between nodes it halves with near partners first, here far ones"
    return ""


def _cut(call: Call) -> tuple[tuple[str, int], ...]:
    return (("segments", call.segments),) if call.segments > 1 else ()


def _segments(call: Call) -> list[str]:
    """How the segments differ."""
    if not call.is_cut:
        return []
    here, own = call.segments, -(-call.size_bytes // SEGMENT)
    waits = "in each step a leader waits for the messages of all its levels, which takes longer"
    if here < own:
        return [f"it cuts {own} segments of {size_text(SEGMENT)}, here {here}: fewer latencies", waits]
    shorter = "its last segment is shorter, here all are alike" if call.size_bytes % SEGMENT else ""
    return [shorter, waits]


_MADE: dict[str, Callable[[Call], Made]] = {
    "allreduce": _allreduce,
    "broadcast": _broadcast,
    "reduce": _reduce,
    "allgather": _allgather,
    "gather": partial(_rooted, "gather"),
    "scatter": partial(_rooted, "scatter"),
    "barrier": _barrier,
}
#: Those that do not ask whether nodes are alike, and the tree over all ranks that stands in there.
_ANY_NODES = {"allreduce": "reduce-broadcast", "barrier": "tree"}


@dataclass(frozen=True)
class Han:
    """The rules of Open MPI 5.

    Parameters
    ----------
    tuned
        Those of coll/tuned.
    """

    tuned: Tabled

    def choose(self, collective: str, size_bytes: int, at: Communicator) -> Choice | None:
        """The choice for a call; None if the library has no such collective."""
        made = self.tuned.choose(collective, size_bytes, at)
        if made is None or min(at.local, at.nodes) < 2:
            return made
        if collective not in _MADE:
            return _because(made, f"coll/han has no {collective}")
        if at.ranks % at.local:
            if collective not in _ANY_NODES:
                return _because(made, _UNEVEN)
            name = _ANY_NODES[collective]
            return replace(made, algorithm=name, parameters=(), own="coll/han", rule=_WHEN, note=_STANDS_IN)
        name, parameters, notes = _MADE[collective](Call(self.tuned.table, at.nodes, at.local, size_bytes))
        levels, note = (at.nodes, at.local), "; ".join(filter(None, notes))
        return replace(
            made, algorithm=name, parameters=parameters, levels=levels, own="coll/han", rule=_WHEN, note=note
        )


def _because(made: Choice, why: str) -> Choice:
    return replace(made, rule=" and ".join(filter(None, (why, made.rule))))
