"""Measurements as data: one row a measured time, and matrices of the rates of pairs."""

from __future__ import annotations

from dataclasses import dataclass

#: What is measured between two ranks; everything else is a collective of the catalogue.
POINT_TO_POINT = ("pingpong", "sendrecv", "exchange", "bandwidth")


@dataclass(frozen=True, slots=True)
class Measurement:
    """One measured time.

    Parameters
    ----------
    collective
        An operation of the catalogue (`allreduce`, `reduce-scatter`, ...), or `pingpong` (one way), `sendrecv`,
        `exchange` (with both neighbours in a ring), `bandwidth` (one message of a stream).
    algorithm
        A name of the catalogue such as `ring`, without the operation; `default` is the library's own choice, "" not
        known.
    library
        What ran it, as the file or the option says; "" if neither does.
    nodes, ranks_per_node
        Both at least 1.
    bytes
        What `--size` means for this collective: a rank's vector (allreduce, reduce), the message (broadcast, point to
        point), a rank's part (allgather, gather, scatter, reduce-scatter), a pair's block (alltoall), 0 (barrier).
    time_s
        > 0.
    place
        `file:line`.
    memory
        `host` or `gpu`, where the buffers were; "" if not told.
    """

    collective: str
    algorithm: str
    library: str
    nodes: int
    ranks_per_node: int
    bytes: int
    time_s: float
    place: str
    memory: str = ""

    @property
    def ranks(self) -> int:
        return self.nodes * self.ranks_per_node


@dataclass(frozen=True)
class Dropped:
    """A row that is well-formed and cannot be used.

    Parameters
    ----------
    place
        `file:line`.
    reason
        Why, as a sentence without its full stop.
    """

    place: str
    reason: str


@dataclass(frozen=True)
class PairMatrix:
    """Rates between all pairs of nodes.

    Parameters
    ----------
    collective
        What ran on each pair, "" if not told.
    nodes
        Names, in the order of rows and columns.
    ranks_per_node
        0 if not told.
    bytes_per_s
        Square, by sender and receiver; None where nothing was measured. A pair that was measured once has its rate on
        both sides.
    place
        `file:line` of its first row.
    """

    collective: str
    nodes: tuple[str, ...]
    ranks_per_node: int
    bytes_per_s: tuple[tuple[float | None, ...], ...]
    place: str


@dataclass(frozen=True)
class Measurements:
    """The contents of one file.

    Parameters
    ----------
    tool
        Name of the format.
    rows
        In the order of the file; several of one size are repetitions.
    dropped
        What is not in `rows`, with the reasons.
    notes
        How the file was read, where that is not evident.
    pairs
        Matrices, of a file that holds these; `rows` is empty then.
    """

    tool: str
    rows: tuple[Measurement, ...]
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()
    pairs: tuple[PairMatrix, ...] = ()
