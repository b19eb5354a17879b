"""Jobs on hosts that have several endpoints: the GPUs of a node, the ports of a machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _core
from ..base.arrays import in_service, ndarray
from ..mapping.place import place_jobs

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ..base.arrays import Endpoints
    from ..mapping.place import Available


class Machines:
    """The hosts of a network; without any that has several endpoints, each endpoint is one."""

    def __init__(self, net: _core.Network) -> None:
        self.net = net
        hosts = net.hosts
        self.of_endpoint = None if hosts is None else ndarray(hosts["of_endpoint"])
        self.least = 1 if hosts is None else hosts["least_endpoints"]

    def __bool__(self) -> bool:
        return self.of_endpoint is not None

    def units(self, endpoints: Sequence[int]) -> list[list[int]]:
        """The endpoints by host, hosts in the order of their first one; wrong numbers are hosts of their own."""
        if self.of_endpoint is None:
            return [[endpoint] for endpoint in endpoints]
        made: dict[int, list[int]] = {}
        for endpoint in endpoints:
            known = 0 <= endpoint < len(self.of_endpoint)
            made.setdefault(int(self.of_endpoint[endpoint]) if known else -1 - endpoint, []).append(endpoint)
        return list(made.values())

    def names(self, endpoints: Sequence[int], first: int = 0) -> list[str]:
        """Names of the hosts that have these endpoints, each once: what their ports have in common before a colon;
        numbers from `first` on where the network has no names.
        """
        names = self.net.endpoint_names if self.net.has_names else None
        if self.of_endpoint is None:
            return [str(e + first) if names is None else names[e] for e in endpoints]
        if names is None:
            hosts = dict.fromkeys(int(self.of_endpoint[e]) for e in endpoints)
            return [str(host + first) for host in hosts]
        made = {}
        ports = ndarray(self.of_endpoint)
        for own in endpoints:
            host = int(ports[own])
            if host not in made:
                several = int((ports == host).sum()) > 1
                made[host] = (several and names[own].rpartition(":")[0]) or names[own]
        return list(made.values())

    def free_hosts(self, free: NDArray[np.integer]) -> NDArray[np.integer]:
        """The first endpoints of the hosts all of whose endpoints are free; the endpoints, where each is a host."""
        import numpy as np

        if self.of_endpoint is None:
            return free
        _, first, whole = np.unique(self.of_endpoint, return_index=True, return_counts=True)
        there = np.bincount(self.of_endpoint[free], minlength=len(whole))
        made: NDArray[np.integer] = first[there == whole].astype(np.uint32)
        return made

    def whole(self, endpoints: NDArray[np.integer]) -> NDArray[np.uint32]:
        """All endpoints of the hosts of some."""
        import numpy as np

        if self.of_endpoint is None:
            return endpoints.astype(np.uint32)
        hosts, order = self.of_endpoint, np.argsort(self.of_endpoint, kind="stable")
        ends = np.cumsum(np.bincount(hosts))
        starts = np.concatenate([[0], ends])
        parts = [order[starts[host] : ends[host]] for host in hosts[endpoints]]
        made: NDArray[np.uint32] = np.concatenate(parts).astype(np.uint32)
        return made

    def placed(self, name: str, count: int, placement: str | None, available: Available) -> Endpoints:
        """All endpoints of `count` hosts that are wholly free; a placement chooses among their first endpoints."""
        import numpy as np

        usable = in_service(self.net) if available is None else np.asarray(available, dtype=np.int64)
        free = np.arange(self.net.endpoints) if usable is None else usable
        chosen = place_jobs(self.net, [(name, count, placement)], np.asarray(self.free_hosts(free), dtype=np.uint32))[0]
        return self.whole(ndarray(chosen))


def filled(ranks: int, room: Sequence[int]) -> list[int]:
    """Ranks of each host where one is filled after the other."""
    made = []
    for most in room:
        made.append(min(most, ranks))
        ranks -= made[-1]
    return made


def split(on: Sequence[int], ports: Sequence[int]) -> NDArray[np.int64]:
    """Ranks of each endpoint, from ranks and ports of each host: rank ``i`` of ``n`` is at port ``i * ports // n``."""
    import numpy as np

    made = []
    for ranks, own in zip(on, ports, strict=True):
        bounds = -(-np.arange(own + 1) * ranks // own)
        made.append(np.diff(bounds))
    return np.concatenate(made).astype(np.int64)
