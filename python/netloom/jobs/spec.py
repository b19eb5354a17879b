"""A job of a list on the endpoints that it got."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class JobSpec:
    """One job on a machine.

    Parameters
    ----------
    endpoints
        ndarray of uint32: the job's endpoints, each once, in the order in which ranks fill them.
    cores_per_node
        Most ranks on one of them.
    ranks
        At most ``len(endpoints) * cores_per_node``.
    traffic
        Call text of a pattern or ``collective:algorithm``; None if the list does not say.
    variant
        Which paths its messages take; None if the list does not say.
    routing
        Call text of the routing whose paths these are; None if the list does not say.
    ranks_per_node
        ndarray of int64: how many ranks each endpoint has, in the order of `endpoints`; consecutive ones. None: one
        endpoint after the other has `cores_per_node`, so that rank ``r`` runs on ``endpoints[r // cores_per_node]``.
    """

    name: str
    endpoints: NDArray[np.uint32]
    cores_per_node: int
    ranks: int
    traffic: str | None = None
    variant: str | None = None
    routing: str | None = None
    ranks_per_node: NDArray[np.int64] | None = None

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

    def endpoint_of_rank(self) -> NDArray[np.uint32]:
        """Endpoint of every rank: ndarray of uint32, shape (ranks,). O(ranks + endpoints)."""
        import numpy as np

        return np.repeat(self.endpoints, self.ranks_on_endpoints())
