"""Sizes of collectives in OTF2: each rank's sums of what it sends and receives, as Score-P counts them.

Of an operation in which each rank has a block of `b` bytes for each of `n` ranks the sums are `n b`; in place, where a
rank's own block stays, `(n - 1) b`. Both may fit: then it is not taken as in place.
"""

from __future__ import annotations

from dataclasses import dataclass

from .... import _core
from ....base.errors import Fault, NetloomError
from .package import Event

#: What is assumed, as it is noted.
_IN_PLACE = "collectives whose sums fit calls in place too, taken as not in place"
_SPREAD = "collectives with a size for each member, of which the file has the sums: spread evenly"
#: OTF2's names of operations with one size.
_UNIFORM = {
    "BARRIER": "barrier", "BCAST": "broadcast", "GATHER": "gather", "SCATTER": "scatter", "ALLGATHER": "allgather",
    "ALLTOALL": "alltoall", "ALLREDUCE": "allreduce", "REDUCE": "reduce", "REDUCE_SCATTER_BLOCK": "reduce-scatter",
    "SCAN": "scan", "EXSCAN": "exscan",
}  # fmt: skip
#: Those with one for each member.
_COUNTED = {
    "GATHERV": "gatherv", "SCATTERV": "scatterv", "ALLGATHERV": "allgatherv", "ALLTOALLV": "alltoallv",
    "ALLTOALLW": "alltoallv", "REDUCE_SCATTER": "reduce-scatterv",
}  # fmt: skip
_ROOTED = ("broadcast", "gather", "scatter", "reduce", "gatherv", "scatterv")
_KIND = {name: number for number, name in enumerate(_core.Recording.KINDS)}
_MOST_BYTES = (1 << 63) - 1


@dataclass(frozen=True)
class Sized:
    """A collective as the recording takes it; `counts` are those sent and received, where each member has its own."""

    name: str
    group: int
    root: int
    bytes: int = 0
    counts: tuple[list[int], list[int]] | None = None
    notes: tuple[str, ...] = ()

    @property
    def kind(self) -> int:
        """Its number."""
        return _KIND[self.name]


def sized(event: Event, group: int, size: int, place: str) -> Sized | None:
    """What an event says of a collective on a communicator; None of what is none, such as its creation."""
    op = event.collective_op
    name = _UNIFORM.get(op) or _COUNTED.get(op)
    if name is None:
        return None
    sent, received = event.size_sent, event.size_received
    if max(sent, received) > _MOST_BYTES:
        sentence = f"has a collective of {max(sent, received)} bytes"
        raise NetloomError([Fault("NL-F009", place, sentence, "", "the file is damaged")])
    root = event.root if name in _ROOTED else 0
    if not 0 <= root < size:
        sentence = f"has a {name} whose root is rank {root} of {size}"
        raise NetloomError([Fault("NL-F009", place, sentence, "", "communicators between two groups are not read")])
    if op in _COUNTED:
        return _counted(name, group, root, size, sent, received)
    return _uniform(name, group, root, size, sent, received)


def _block(total: int, size: int) -> tuple[int, tuple[str, ...]]:
    """The block of one rank of those of all, and what is assumed."""
    others = max(size - 1, 1)
    if total % size == 0:
        return total // size, (_IN_PLACE,) if total and size > 1 and total % others == 0 else ()
    return total // others, ()


def _uniform(name: str, group: int, root: int, size: int, sent: int, received: int) -> Sized:
    notes: tuple[str, ...] = ()
    if name == "barrier":
        block = 0
    elif name in ("reduce", "gather"):
        block = sent or received // max(size - 1, 1)
    elif name in ("broadcast", "scatter"):
        block = received or sent // max(size - 1, 1)
    elif name == "exscan":
        block = (sent + received) // max(size - 1, 1)
    elif name == "scan":
        both = sent + received
        block = both // (size + 1) if both % (size + 1) == 0 else both // max(size - 1, 1)
    else:
        block, notes = _block(max(sent, received), size)
    return Sized(name, group, root, block, None, notes)


def _even(total: int, size: int) -> list[int]:
    """A total in parts that differ by 1 at most."""
    return [total // size + (at < total % size) for at in range(size)]


def _counted(name: str, group: int, root: int, size: int, sent: int, received: int) -> Sized:
    if name == "alltoallv":
        counts = (_even(sent, size), _even(received, size))
    elif name == "allgatherv":
        # In place it receives all blocks but its own, and sends that to the others.
        own = 0 if sent % size == 0 else sent // max(size - 1, 1)
        counts = (_even(received + own, size), [])
    elif name == "reduce-scatterv":
        own = 0 if received % size == 0 else received // max(size - 1, 1)
        counts = (_even(sent + own, size), [])
    elif name == "gatherv":
        counts = (_even(received, size) if received else [], [sent])
    else:
        counts = (_even(sent, size) if sent else [], [received])
    return Sized(name, group, root, 0, counts, (_SPREAD,))
