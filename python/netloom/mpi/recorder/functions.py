"""The one table of MPI functions that are intercepted: recording and reordering are both made from it.

A row is a class, names, and parameters by name. The class says what is noted of a call; the parameters' names say their
types. What is not named in `TYPES` is handed on as a machine word.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

#: C type of a parameter by its name, and what it is in the functions with large counts (`MPI_Send_c`).
TYPES: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("comm", "comm1", "comm2", "local_comm", "peer_comm"), ("MPI_Comm", "MPI_Comm")),
    **dict.fromkeys(("newcomm", "oldcomm"), ("MPI_Comm *", "MPI_Comm *")),
    **dict.fromkeys(("buf", "sendbuf", "recvbuf", "memory"), ("void *", "void *")),
    **dict.fromkeys(("count", "sendcount", "recvcount"), ("int", "MPI_Count")),
    **dict.fromkeys(("sendcounts", "recvcounts"), ("const int *", "const MPI_Count *")),
    **dict.fromkeys(("datatype", "sendtype", "recvtype"), ("MPI_Datatype", "MPI_Datatype")),
    **dict.fromkeys(("sendtypes", "recvtypes"), ("const MPI_Datatype *", "const MPI_Datatype *")),
    **dict.fromkeys(
        ("dest", "source", "tag", "sendtag", "recvtag", "root", "target", "color", "key", "n", "partitions"),
        ("int", "int"),
    ),
    **dict.fromkeys(("flag", "index", "outcount", "indices"), ("int *", "int *")),
    "op": ("MPI_Op", "MPI_Op"),
    "request": ("MPI_Request *", "MPI_Request *"),
    "requests": ("MPI_Request *", "MPI_Request *"),
    "status": ("MPI_Status *", "MPI_Status *"),
    "statuses": ("MPI_Status *", "MPI_Status *"),
    "win": ("MPI_Win", "MPI_Win"),
    "newwin": ("MPI_Win *", "MPI_Win *"),
    "oldwin": ("MPI_Win *", "MPI_Win *"),
    "large": ("MPI_Count", "MPI_Count"),
}
WORD = "W"
#: Parameters in which MPI_COMM_WORLD may stand.
COMMUNICATORS = ("comm", "comm1", "comm2", "local_comm", "peer_comm")


@dataclass(frozen=True)
class Function:
    """One function: `name` without `MPI_`, class, names of its parameters, whether its counts are large."""

    name: str
    kind: str
    parameters: tuple[str, ...]
    large: bool = False

    def types(self) -> tuple[str, ...]:
        """C types of the parameters."""
        return tuple(TYPES.get(name, (WORD, WORD))[self.large] for name in self.parameters)


_SENDBOX, _RECVBOX = "sendbuf sendcount sendtype", "recvbuf recvcount recvtype"
_SENDV, _RECVV = "sendbuf sendcounts sdispls sendtype", "recvbuf recvcounts rdispls recvtype"
_SENDW, _RECVW = "sendbuf sendcounts sdispls sendtypes", "recvbuf recvcounts rdispls recvtypes"
_ORIGIN = "buf count datatype target disp count2 type2"

#: Point-to-point calls, which have a form with large counts.
_MESSAGES = {
    "send": ("Send Bsend Ssend Rsend", "buf count datatype dest tag comm"),
    "isend": ("Isend Ibsend Issend Irsend", "buf count datatype dest tag comm request"),
    "send_init": ("Send_init Bsend_init Ssend_init Rsend_init", "buf count datatype dest tag comm request"),
    "recv": ("Recv", "buf count datatype source tag comm status"),
    "irecv": ("Irecv", "buf count datatype source tag comm request"),
    "recv_init": ("Recv_init", "buf count datatype source tag comm request"),
    "sendrecv": ("Sendrecv", f"{_SENDBOX} dest sendtag {_RECVBOX} source recvtag comm status"),
    "isendrecv": ("Isendrecv", f"{_SENDBOX} dest sendtag {_RECVBOX} source recvtag comm request"),
    "replace": ("Sendrecv_replace", "buf count datatype dest sendtag source recvtag comm status"),
    "ireplace": ("Isendrecv_replace", "buf count datatype dest sendtag source recvtag comm request"),
    "mrecv": ("Mrecv", "buf count datatype message status"),
    "imrecv": ("Imrecv", "buf count datatype message request"),
    "put": ("Put Accumulate", ""),
    "rput": ("Rput Raccumulate", ""),
    "get": ("Get", f"{_ORIGIN} win"),
    "rget": ("Rget", f"{_ORIGIN} win request"),
    "both": ("Get_accumulate", "buf count datatype memory count3 type3 target disp count2 type2 op win"),
    "rboth": ("Rget_accumulate", "buf count datatype memory count3 type3 target disp count2 type2 op win request"),
    "word_local": ("Pack", "buf count datatype out size position comm"),
    "word_unpack": ("Unpack", "buf size position out count datatype comm"),
    "word_size": ("Pack_size", "count datatype comm size"),
}
#: Of those, the ones whose parameters differ by name.
_ONE_SIDED = {
    "Put": f"{_ORIGIN} win",
    "Accumulate": f"{_ORIGIN} op win",
    "Rput": f"{_ORIGIN} win request",
    "Raccumulate": f"{_ORIGIN} op win request",
}

#: Collectives, each blocking, non-blocking and persistent: class, name, parameters before the communicator.
_COLLECTIVES = (
    ("barrier", "Barrier", ""),
    ("bcast", "Bcast", "buf count datatype root"),
    ("reduce", "Reduce", "sendbuf recvbuf count datatype op root"),
    ("allreduce", "Allreduce", "sendbuf recvbuf count datatype op"),
    ("allreduce", "Scan", "sendbuf recvbuf count datatype op"),
    ("allreduce", "Exscan", "sendbuf recvbuf count datatype op"),
    ("allgather", "Allgather", f"{_SENDBOX} {_RECVBOX}"),
    ("allgather", "Allgatherv", f"{_SENDBOX} {_RECVV}"),
    ("alltoall", "Alltoall", f"{_SENDBOX} {_RECVBOX}"),
    ("alltoallv", "Alltoallv", f"{_SENDV} {_RECVV}"),
    ("alltoallw", "Alltoallw", f"{_SENDW} {_RECVW}"),
    ("gather", "Gather", f"{_SENDBOX} {_RECVBOX} root"),
    ("gather", "Gatherv", f"{_SENDBOX} {_RECVV} root"),
    ("scatter", "Scatter", f"{_SENDBOX} {_RECVBOX} root"),
    ("scatterv", "Scatterv", f"{_SENDV} {_RECVBOX} root"),
    ("reduce_scatter", "Reduce_scatter", "sendbuf recvbuf recvcounts datatype op"),
    ("reduce_block", "Reduce_scatter_block", "sendbuf recvbuf recvcount datatype op"),
    ("neighbour", "Neighbor_allgather", f"{_SENDBOX} {_RECVBOX}"),
    ("neighbour", "Neighbor_allgatherv", f"{_SENDBOX} {_RECVV}"),
    ("neighbour", "Neighbor_alltoall", f"{_SENDBOX} {_RECVBOX}"),
    ("neighbourv", "Neighbor_alltoallv", f"{_SENDV} {_RECVV}"),
    ("neighbourw", "Neighbor_alltoallw", f"{_SENDW} {_RECVW}"),
)

#: All others, with what they are in words: class, names, parameters.
_OTHERS = (
    # The program's frame, written by hand in C.
    ("own", "Init", "argc argv"),
    ("own", "Init_thread", "argc argv required provided"),
    ("own", "Finalize", ""),
    ("own", "Abort", "comm code"),
    ("own", "Comm_spawn", "command argv processes info root comm newcomm codes"),
    ("own", "Comm_spawn_multiple", "n commands argvs processes infos root comm newcomm codes"),
    ("own", "Session_init", "info handler session"),
    ("own", "Comm_get_attr Attr_get", "comm keyval value flag"),
    ("own", "Comm_set_errhandler Errhandler_set", "comm handler"),
    # Completion of requests.
    ("start", "Start", "request"),
    ("startall", "Startall", "n requests"),
    ("wait", "Wait", "request status"),
    ("waitall", "Waitall", "n requests statuses"),
    ("waitany", "Waitany", "n requests index status"),
    ("waitsome", "Waitsome Testsome", "n requests outcount indices statuses"),
    ("test", "Test", "request flag status"),
    ("testall", "Testall", "n requests flag statuses"),
    ("testany", "Testany", "n requests index flag status"),
    ("request_free", "Request_free", "request"),
    ("psend_init", "Psend_init", "buf partitions large datatype dest tag comm info request"),
    ("precv_init", "Precv_init", "buf partitions large datatype source tag comm info request"),
    ("timed", "Cancel", "request"),
    ("timed", "Probe", "source tag comm status"),
    ("timed", "Iprobe", "source tag comm flag status"),
    ("timed", "Mprobe", "source tag comm message status"),
    ("timed", "Improbe", "source tag comm flag message status"),
    # Communicators.
    ("made", "Comm_dup", "comm newcomm"),
    ("made", "Comm_dup_with_info", "comm info newcomm"),
    ("made", "Comm_idup", "comm newcomm request"),
    ("made", "Comm_idup_with_info", "comm info newcomm request"),
    ("made", "Comm_create", "comm group newcomm"),
    ("made", "Comm_create_group", "comm group tag newcomm"),
    ("split", "Comm_split", "comm color key newcomm"),
    ("split", "Comm_split_type", "comm color key info newcomm"),
    ("made", "Cart_create", "comm dimensions sizes periods reorder newcomm"),
    ("made", "Cart_sub", "comm remain newcomm"),
    ("made", "Graph_create", "comm nodes positions edges reorder newcomm"),
    ("made", "Dist_graph_create", "comm sources_n sources degrees targets weights info reorder newcomm"),
    (
        "made",
        "Dist_graph_create_adjacent",
        "comm in_n in in_weights out_n out out_weights info reorder newcomm",
    ),
    ("made", "Intercomm_merge", "comm high newcomm"),
    ("inter", "Intercomm_create", "local_comm leader peer_comm remote tag newcomm"),
    ("made", "Comm_accept Comm_connect", "port info root comm newcomm"),
    ("gone", "Comm_free Comm_disconnect", "oldcomm"),
    # Windows.
    ("window", "Win_create", "memory size unit info comm newwin"),
    ("window", "Win_create_c", "memory size unit info comm newwin"),
    ("window", "Win_allocate Win_allocate_shared", "size unit info comm base newwin"),
    ("window", "Win_allocate_c Win_allocate_shared_c", "size unit info comm base newwin"),
    ("window", "Win_create_dynamic", "info comm newwin"),
    ("closed", "Win_free", "oldwin"),
    ("one", "Fetch_and_op", "buf memory datatype target disp op win"),
    ("one", "Compare_and_swap", "buf compare memory datatype target disp win"),
    ("timed", "Win_fence", "assert win"),
    ("timed", "Win_lock", "kind rank assert win"),
    ("timed", "Win_unlock Win_flush Win_flush_local", "rank win"),
    ("timed", "Win_lock_all", "assert win"),
    ("timed", "Win_unlock_all Win_flush_all Win_flush_local_all Win_sync Win_complete Win_wait", "win"),
    ("timed", "Win_post Win_start", "group assert win"),
    ("timed", "Win_test", "win flag"),
    # Files: what a library sends within them is no message of the program.
    ("timed", "File_open", "comm name mode info file"),
    ("timed", "File_close", "file"),
    ("timed", "File_set_size File_preallocate", "file size"),
    ("timed", "File_set_view", "file disp etype filetype representation info"),
    ("timed", "File_sync", "file"),
    ("file", "File_read File_write File_read_all File_write_all", "file b n3 t s"),
    ("file", "File_read_shared File_write_shared File_read_ordered File_write_ordered", "file b n3 t s"),
    ("file", "File_iread File_iwrite File_iread_all File_iwrite_all", "file b n3 t s"),
    ("file", "File_iread_shared File_iwrite_shared", "file b n3 t s"),
    ("file", "File_read_at File_write_at File_read_at_all File_write_at_all", "file offset b n3 t s"),
    ("file", "File_iread_at File_iwrite_at File_iread_at_all File_iwrite_at_all", "file offset b n3 t s"),
    ("file", "File_read_all_begin File_write_all_begin", "file b n3 t"),
    ("file", "File_read_ordered_begin File_write_ordered_begin", "file b n3 t"),
    ("file", "File_read_at_all_begin File_write_at_all_begin", "file offset b n3 t"),
    ("timed", "File_read_all_end File_write_all_end File_read_ordered_end File_write_ordered_end", "file b s"),
    ("timed", "File_read_at_all_end File_write_at_all_end", "file b s"),
    ("timed", "File_seek_shared", "file offset whence"),
    # Asked of a communicator without any communication: another one may take its place, nothing is noted.
    ("local", "Comm_rank Comm_size Comm_group Comm_remote_size Comm_remote_group Comm_test_inter", "comm result"),
    ("local", "Comm_compare", "comm1 comm2 result"),
    ("local", "Comm_get_name", "comm name length"),
    ("local", "Comm_set_name Comm_get_info Comm_set_info Comm_get_errhandler Comm_call_errhandler", "comm value"),
    ("local", "Errhandler_get Attr_delete Comm_delete_attr Topo_test Cartdim_get", "comm value"),
    ("local", "Comm_set_attr Attr_put", "comm keyval value"),
    ("local", "Cart_coords", "comm rank most result"),
    ("local", "Cart_get", "comm most sizes periods result"),
    ("local", "Cart_map", "comm dimensions sizes periods result"),
    ("local", "Cart_rank", "comm place result"),
    ("local", "Cart_shift", "comm direction step before after"),
    ("local", "Graph_get", "comm most_nodes most_edges positions edges"),
    ("local", "Graph_map", "comm nodes positions edges result"),
    ("local", "Graph_neighbors", "comm rank most result"),
    ("local", "Graph_neighbors_count Graphdims_get", "comm a b"),
    ("local", "Dist_graph_neighbors", "comm most_in in in_weights most_out out out_weights"),
    ("local", "Dist_graph_neighbors_count", "comm in out weighted"),
)  # fmt: skip


def _made() -> tuple[Function, ...]:
    rows: list[Function] = []
    for kind, (names, parameters) in _MESSAGES.items():
        for name in names.split():
            words = tuple((parameters or _ONE_SIDED[name]).split())
            kind_ = "local" if kind.startswith("word_") else kind
            one = Function(name, kind_, words)
            rows += [one, replace(one, name=f"{name}_c", large=True)]
    for kind, name, parameters in _COLLECTIVES:
        head = tuple(parameters.split())
        forms = ((name, ("comm",)), (f"I{name[0].lower()}{name[1:]}", ("comm", "request")))
        for full, tail in (*forms, (f"{name}_init", ("comm", "info", "request"))):
            one = Function(full, kind, head + tail)
            rows += [one, replace(one, name=f"{full}_c", large=True)] if parameters else [one]
    for kind, names, parameters in _OTHERS:
        for name in names.split():
            rows.append(Function(name, "timed" if kind == "file" else kind, tuple(parameters.split())))
            if kind == "file":
                rows.append(replace(rows[-1], name=f"{name}_c", large=True))
    return tuple(rows)


FUNCTIONS: tuple[Function, ...] = _made()
#: Names in the order of their numbers in a record.
NAMES: tuple[str, ...] = tuple(f"MPI_{one.name}" for one in FUNCTIONS)
