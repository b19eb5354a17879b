"""What a scenario takes where it names neither machine nor calibration: MPI over RDMA, NCCL where nodes have GPUs."""

from __future__ import annotations

from .. import _core
from ..base.errors import NetloomError
from ..base.registries import catalogue

HOSTS, GPUS = "mpi-rdma", "gpu-rdma"
#: The library that moves data of GPUs.
LIBRARY = "nccl"


def has_gpus(network: object, node: object) -> bool:
    """Whether ranks are GPUs: node or network counts them. O(length of the texts)."""
    if isinstance(network, _core.Network) and network.rails is not None:
        return True
    return _counts_gpus(node, "nodes") or _counts_gpus(network, "topologies")


def _counts_gpus(text: object, kind: str) -> bool:
    if not isinstance(text, str) or not text:
        return False
    try:
        called, _, given = _core.parse_call(text)
    except NetloomError:
        return False
    row = next((row for row in catalogue(kind) if called in (row["name"], *row["aliases"])), None)
    gpus = next((one for one in row["params"] if one["name"] == "gpus"), None) if row else None
    return gpus is not None and ("gpus" in given or bool(gpus["default"]))
