"""Choices of MPI libraries, from their decision tables."""

from __future__ import annotations

from dataclasses import dataclass

from .. import _core
from .choice import Choice, Communicator
from .decide import Decision, decide, table_of

#: Elements that reductions are usually on, and the least there are.
_ELEMENT, _BYTE = 4, 1
_BUTTERFLY = "the library's butterfly halves its vector with near partners first too, 1, 2, 4, ... away"
#: What the catalogue lacks: by the library's collective and name, the nearest schedule, and how it differs.
_NEAREST: dict[tuple[str, str], tuple[str, str]] = {
    ("bcast", "split_binary_tree"): (
        "broadcast:double-tree(segments=1)",
        "the library sends the halves down the two branches of one tree and swaps them in pairs at the end",
    ),
    ("allreduce", "smp"): ("allreduce:recursive-doubling", "nothing is combined"),
    ("gather", "linear_sync"): ("gather:linear", "the library first asks each rank for a small part"),
    ("allreduce", "nonoverlapping"): ("allreduce:reduce-broadcast", "both halves are binomial trees here"),
    ("allreduce", "basic_linear"): ("allreduce:reduce-broadcast", "the library's reduce and broadcast are linear"),
    ("reduce_scatter", "non-overlapping"): (
        "reduce-scatter:recursive-halving",
        "the library reduces to one rank, which scatters",
    ),
    ("reduce_scatter", "butterfly"): ("reduce-scatter:swing", _BUTTERFLY),
    ("reduce_scatter_block", "butterfly"): ("reduce-scatter:swing", _BUTTERFLY),
    ("reduce_scatter_block", "recursive_doubling"): (
        "reduce-scatter:recursive-halving",
        "the library's recursive doubling sends more than a half in each step",
    ),
    ("allgather", "linear"): ("allgather:linear", "the library gathers at one rank, which broadcasts"),
    ("reduce", "in-order_binary"): ("reduce:k-ary(k=2,segments=1)", "the library combines in the order of ranks"),
}
#: Where the table speaks of one communicator, and the library sees nodes in it.
_NODES = "its rules for ranks of one node among them are not known here: those of one communicator stand in"


def element_of(size_bytes: int) -> int:
    """Bytes of an element of a call of that size."""
    return _ELEMENT if size_bytes % _ELEMENT == 0 else _BYTE


@dataclass(frozen=True)
class Tabled:
    """The rules of a decision table.

    Parameters
    ----------
    library
        Its name in answers.
    table
        The library whose table holds.
    by_node
        True if the library first cuts a job with several ranks per node into a part within nodes and one between them.
    """

    library: str
    table: str
    by_node: bool = False

    @property
    def version(self) -> str:
        """Of the table."""
        return table_of(self.table)["version"]

    def words(self) -> dict[str, str]:
        """The table's collective for each of the catalogue's; where two fit, the first."""
        found: dict[str, str] = {}
        for word, row in table_of(self.table)["collectives"].items():
            found.setdefault(row["netloom"], word)
        return found

    def choose(self, collective: str, size_bytes: int, at: Communicator) -> Choice | None:
        """The choice for a call; None if the table has no such collective."""
        word = self.words().get(collective)
        if word is None:
            return None
        made = decide(self.table, word, max(at.ranks, 2), size_bytes, element_bytes=element_of(size_bytes))
        call, note = schedule_of(word, made)
        name, _, named = _core.parse_call(call)
        if self.by_node and 1 < at.local < at.ranks:
            note = "; ".join(filter(None, (note, _NODES)))
        own = made.runs or made.algorithm
        rule = " and ".join((*made.rule, *(because for _, because in made.fallbacks)))
        parameters = tuple((key, value) for key, value in named.items() if isinstance(value, (int, str)))
        algorithm = name.partition(":")[2]
        return Choice(self.library, self.version, collective, algorithm, parameters, own, rule, note)


def schedule_of(word: str, made: Decision) -> tuple[str, str]:
    """The schedule of a decision, and how it differs from it."""
    own = made.runs or made.algorithm
    if made.netloom is not None and len(made.netloom) == 1:
        # The table's order of ranks is that of one library's tree: messages and sizes are the same.
        call, turned, _ = made.netloom[0][0].partition("@")
        note = "its partners are near ones first, here far ones" if turned else made.differs
        return call, note
    call, note = _NEAREST[word, own]
    return call, note
