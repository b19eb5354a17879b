"""A job of a list on the endpoints that it got."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..base.arrays import same

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..base.arrays import Endpoints
    from ..workload import Workload


@dataclass(frozen=True, eq=False)
class PlacedJob:
    """One job on a machine.

    Parameters
    ----------
    endpoints
        ndarray of uint32: the job's endpoints, each once, in the order in which ranks fill them.
    cores_per_node
        Most ranks on one of them.
    ranks
        At most ``len(endpoints) * cores_per_node``.
    workload
        Call text, a file or an object of a workload; None if the list does not say.
    variant
        Which paths its messages take; None if the list does not say.
    routing
        Call text of the routing whose paths these are; None if the list does not say.
    ranks_per_node
        ndarray of int64: how many ranks each endpoint has, in the order of `endpoints`; consecutive ones. None: one
        endpoint after the other has `cores_per_node`, so that rank ``r`` runs on ``endpoints[r // cores_per_node]``.
    seats
        Seat of every rank on its endpoint; None: those of an endpoint are taken in order of rank.
    sends
        False: it ends or is suspended: it has one rank on each of its endpoints, which it only holds.
    """

    name: str
    endpoints: Endpoints
    cores_per_node: int
    ranks: int
    workload: Workload | str | None = None
    variant: str | None = None
    routing: str | None = None
    ranks_per_node: NDArray[np.int64] | None = None
    mapping: Endpoints | None = None
    root: int = 0
    size_bytes: int | None = None
    start_s: float = 0.0
    repetitions: int = 1
    seats: Endpoints | None = None
    sends: bool = True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PlacedJob):
            return NotImplemented
        return same(self.__dict__, other.__dict__)

    def __hash__(self) -> int:
        return hash((self.name, self.ranks))

    def to_row(self) -> dict[str, object]:
        """The job as a row of a list, on the endpoints that it has."""
        row: dict[str, object] = {"name": self.name, "mapping": self.endpoint_of_rank().tolist()}
        row |= {"root": self.root, "start": self.start_s, "repetitions": self.repetitions}
        said = {key: getattr(self, key) for key in ("workload", "variant", "routing", "size_bytes")}
        return row | {key: value for key, value in said.items() if value is not None}

    def ranks_on_endpoints(self) -> NDArray[np.int64]:
        """How many ranks each of `endpoints` has: ndarray of int64, shape of `endpoints`. O(endpoints)."""
        import numpy as np

        if self.ranks_per_node is not None:
            return self.ranks_per_node
        used, rest = divmod(self.ranks, self.cores_per_node)
        counts = np.zeros(len(self.endpoints), dtype=np.int64)
        counts[:used] = self.cores_per_node
        counts[used : used + 1] = rest
        return counts

    def places(self) -> Endpoints:
        """As `endpoint_of_rank`, perhaps in a column of the core, for which no NumPy is needed."""
        return self.endpoint_of_rank() if self.mapping is None else self.mapping

    def endpoint_of_rank(self) -> NDArray[np.uint32]:
        """Endpoint of every rank: ndarray of uint32, shape (ranks,). O(ranks + endpoints)."""
        import numpy as np

        if self.mapping is not None:
            return np.asarray(self.mapping)
        return np.repeat(self.endpoints, self.ranks_on_endpoints())
