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
        Ranks on each of them: rank ``r`` runs on ``endpoints[r // cores_per_node]``.
    ranks
        At most ``len(endpoints) * cores_per_node``; the last endpoints may have fewer ranks, or none.
    traffic
        Call text of a pattern or ``collective:algorithm``; None if the list does not say.
    variant
        Which paths its messages take; None if the list does not say.
    routing
        Call text of the routing whose paths these are; None if the list does not say.
    """

    name: str
    endpoints: NDArray[np.uint32]
    cores_per_node: int
    ranks: int
    traffic: str | None = None
    variant: str | None = None
    routing: str | None = None

    def endpoint_of_rank(self) -> NDArray[np.uint32]:
        """Endpoint of every rank: ndarray of uint32, shape (ranks,). O(ranks)."""
        import numpy as np

        used = -(-self.ranks // self.cores_per_node)
        counts = np.full(used, self.cores_per_node)
        counts[-1] = self.ranks - (used - 1) * self.cores_per_node
        return np.repeat(self.endpoints[:used], counts)
