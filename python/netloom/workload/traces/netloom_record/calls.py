"""What calls of MPI are to programs."""

from __future__ import annotations

from typing import NamedTuple

#: Nothing that takes part; a message; two at once; a collective that is the same on all members; one with counts; one
#: among neighbours; what programs have no words for.
SILENT, MESSAGE, BOTH, UNIFORM, COUNTS, NEIGHBOURS, REFUSED = range(7)

_MESSAGES = {f"{name}end": "send" for name in ("S", "Bs", "Ss", "Rs")} | {"Recv": "recv", "Irecv": "irecv"}
_MESSAGES |= {f"{name}end": "isend" for name in ("Is", "Ibs", "Iss", "Irs")}
_STARTED = {f"{name}end_init": "isend" for name in ("S", "Bs", "Ss", "Rs")} | {"Recv_init": "irecv"}
_BOTH = ("Sendrecv", "Sendrecv_replace", "Isendrecv", "Isendrecv_replace")
_UNIFORM = {
    "Barrier": "barrier", "Bcast": "broadcast", "Reduce": "reduce", "Allreduce": "allreduce", "Scan": "scan",
    "Exscan": "exscan", "Allgather": "allgather", "Alltoall": "alltoall", "Gather": "gather", "Scatter": "scatter",
    "Reduce_scatter_block": "reduce-scatter",
}  # fmt: skip
_COUNTS = {
    "Alltoallv": "alltoallv", "Alltoallw": "alltoallv", "Allgatherv": "allgatherv", "Gatherv": "gatherv",
    "Scatterv": "scatterv", "Reduce_scatter": "reduce-scatterv",
}  # fmt: skip
_NEIGHBOURS = tuple(f"Neighbor_{name}" for name in ("allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw"))
#: Calls that make something, ask for something, or end a request that is told on its own.
_SILENT = (
    "Init", "Finalize", "Wait", "Test", "Start", "Request_free", "Cancel", "Probe", "Iprobe", "Comm_", "Cart_",
    "Graph_", "Dist_graph_", "Intercomm_", "File_", "Psend_init", "Precv_init",
)  # fmt: skip


class Call(NamedTuple):
    """What a function does, as which kind of event; whether it does so only where it starts a request."""

    does: int
    kind: str = ""
    persistent: bool = False


def call_of(function: str) -> Call:
    """By its name, such as `MPI_Iallreduce_c`."""
    name = function.removesuffix("_c").removeprefix("MPI_")
    if (kind := _MESSAGES.get(name)) is not None:
        return Call(MESSAGE, kind)
    if (kind := _STARTED.get(name)) is not None:
        return Call(MESSAGE, kind, persistent=True)
    if name in _BOTH:
        return Call(BOTH)
    base, persistent = name.removesuffix("_init"), name.endswith("_init")
    for one in (base, base[1:2].upper() + base[2:] if base.startswith("I") else base):
        if one in _UNIFORM:
            return Call(UNIFORM, _UNIFORM[one], persistent)
        if one in _COUNTS:
            return Call(COUNTS, _COUNTS[one], persistent)
        if one in _NEIGHBOURS:
            return Call(NEIGHBOURS, "", persistent)
    return Call(SILENT if name.startswith(_SILENT) else REFUSED)
