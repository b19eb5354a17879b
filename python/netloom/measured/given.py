"""What the user says of a log that does not say it itself."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.errors import Fault, NetloomError
from . import codes
from .cells import MOST_RANKS
from .names import collective


@dataclass(frozen=True)
class Job:
    """Where a test ran: the same number of ranks on each of its nodes."""

    nodes: int
    ranks_per_node: int

    @property
    def ranks(self) -> int:
        return self.nodes * self.ranks_per_node


#: A test of two ranks, on a node each or on one.
PAIR, PAIR_INSIDE = Job(2, 1), Job(1, 2)


@dataclass(frozen=True)
class Given:
    """What options say; None or "" for what they do not.

    Parameters
    ----------
    nodes, ranks_per_node
        From 1.
    collective, algorithm, library
        As in `Measurement`.
    unit
        Of a matrix of rates: `GB/s`, `Gb/s`, ...
    """

    nodes: int | None = None
    ranks_per_node: int | None = None
    collective: str = ""
    algorithm: str = ""
    library: str = ""
    unit: str = ""

    def checked(self) -> Given:
        """The same with the catalogue's name of the collective.

        Raises
        ------
        NetloomError
            NL-B004 for a number of nodes or ranks, or a collective, that there is not.
        """
        faults = [
            Fault(codes.NOT_SAID, name, f"from 1 to {MOST_RANKS:,}", str(value))
            for name, value in (("nodes", self.nodes), ("ranks_per_node", self.ranks_per_node))
            if value is not None and not 1 <= value <= MOST_RANKS
        ]
        known = collective(self.collective) if self.collective else ""
        if known is None:
            faults.append(Fault(codes.NOT_SAID, "collective", "a collective of the catalogue", repr(self.collective)))
        if faults:
            raise NetloomError(faults)
        return Given(self.nodes, self.ranks_per_node, known or "", self.algorithm, self.library, self.unit)

    def pair(self) -> Job:
        """A pair of ranks on two nodes, or on one if the options say that it is one."""
        return PAIR_INSIDE if self.nodes == 1 else PAIR

    def job(self, ranks: int) -> Job | str:
        """Nodes and ranks per node of a job; why not, if they are not known or do not multiply to its ranks.

        Parameters
        ----------
        ranks
            As the log tells them; 0 if it does not.
        """
        nodes, each = self.nodes, self.ranks_per_node
        if nodes is None and each is None:
            return "does not tell on how many nodes it ran"
        if not ranks:
            return "does not tell its ranks" if nodes is None or each is None else Job(nodes, each)
        if nodes is None:
            nodes = ranks // each if each else 0
        if each is None:
            each = ranks // nodes
        if nodes and nodes * each == ranks:
            return Job(nodes, each)
        return f"ran {ranks} ranks, which are not {nodes or self.nodes or 1} nodes of {each or 1}"
