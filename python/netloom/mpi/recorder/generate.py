"""C made from the table of functions: numbers, the gate's entries, one hook for each function of the library."""

from __future__ import annotations

import re
from collections.abc import Collection

from .functions import COMMUNICATORS, FUNCTIONS, Function

#: Called by the hooks and not intercepted.
HELPERS = (
    "Get_library_version", "Query_thread", "Comm_get_parent", "Type_size_x", "Group_size", "Group_translate_ranks",
    "Group_free", "Win_get_group",
)  # fmt: skip
_DECLARED = re.compile(r"\bMPI_(\w+)\s*\(")
_DATA = "W"


def declared(header: str) -> frozenset[str]:
    """Names of the functions of a preprocessed `mpi.h`, without `MPI_`."""
    return frozenset(_DECLARED.findall(header))


def intercepted(names: Collection[str]) -> tuple[Function, ...]:
    """Rows of the table that this library has."""
    return tuple(one for one in FUNCTIONS if one.name in names)


def sources(names: Collection[str]) -> dict[str, str]:
    """The generated files by name."""
    rows = intercepted(names)
    return {"calls.h": _numbers(rows), "stubs.c": _stubs(rows), "hooked.c": _hooks(rows)}


def _numbers(rows: tuple[Function, ...]) -> str:
    there = [one.name for one in rows] + list(HELPERS)
    absent = [one.name for one in FUNCTIONS if one.name not in there]
    lines = ["/* Generated from functions.py. */", "enum {"]
    lines += [f"    NL_{name}," for name in there]
    lines += [f"    NL_COUNT = {len(there)},", f"    NL_INTERCEPTED = {len(rows)}", "};"]
    lines += [f"#define NL_{name} (-1)" for name in absent]
    lines += [f"#define NL_HAS_{name} 1" for name in there]
    return "\n".join(lines) + "\n"


def _stubs(rows: tuple[Function, ...]) -> str:
    """The gate's entries. A call is passed on as it came: arguments stay where they are."""
    there = [one.name for one in rows] + list(HELPERS)
    lines = ["/* Generated from functions.py. */", '#include "gate.h"', ""]
    lines += [f"const int nl_functions = {len(there)};", f"nl_function nl_slots[{len(there)}];"]
    lines += ["const char *const nl_names[] = {", *(f'    "MPI_{name}",' for name in there), "};", ""]
    lines += ["#define SLOT(at) (__builtin_expect(nl_slots[at] != 0, 1) ? nl_slots[at] : nl_resolve(at))", ""]
    for at, one in enumerate(rows):
        words = len(one.parameters)
        taken = ", ".join(f"W a{k}" for k in range(words)) or "void"
        types, given = ", ".join(["W"] * words) or "void", ", ".join(f"a{k}" for k in range(words))
        lines.append(f"int MPI_{one.name}({taken});")
        lines.append(f"int MPI_{one.name}({taken}) {{ return ((int (*)({types}))SLOT({at}))({given}); }}")
        lines.append(f'int PMPI_{one.name}({taken}) __attribute__((alias("MPI_{one.name}")));')
    return "\n".join(lines) + "\n"


def _hooks(rows: tuple[Function, ...]) -> str:
    lines = ["/* Generated from functions.py. */", '#include "hooks.h"', ""]
    lines += [_own(one) if one.kind == "own" else _hook(one) for one in rows]
    lines += ["extern const nl_function nl_hooked[];", "const nl_function nl_hooked[NL_COUNT] = {"]
    lines += [f"    [NL_{one.name}] = (nl_function)nl_hook_{one.name}," for one in rows]
    return "\n".join([*lines, "};"]) + "\n"


def _own(one: Function) -> str:
    return f"int nl_hook_{one.name}({_taken(one)});"


def _taken(one: Function) -> str:
    pairs = [_declared_as(kind, name) for kind, name in zip(one.types(), _safe(one), strict=True)]
    return ", ".join(pairs) or "void"


def _declared_as(kind: str, name: str) -> str:
    return f"{kind}{name}" if kind.endswith("*") else f"{kind} {name}"


def _safe(one: Function) -> list[str]:
    """Names of the parameters, none of them a word of C."""
    return [f"{name}_" if name in ("assert", "inline") else name for name in one.parameters]


def _hook(one: Function) -> str:
    types = ", ".join(one.types()) or "void"
    given = ", ".join(_safe(one))
    call = f"((int (*)({types}))nl_real[NL_{one.name}])({given})"
    swaps = [f"    {name} = nl_comm({name});" for name in one.parameters if name in COMMUNICATORS]
    head = f"static int nl_hook_{one.name}({_taken(one)})"
    if one.kind == "local":
        return "\n".join([head, "{", *swaps, f"    return {call};", "}", ""])
    before, after = _noted(one)
    lines = [head, "{", *swaps, "    if (nl_inside || !nl.recording)", f"        return {call};", "    nl_inside = 1;"]
    lines += [f"    {line}" for line in before]
    lines += ["    uint64_t start = nl_now();", f"    int code = {call};"]
    lines += [f"    {line}" for line in after]
    return "\n".join([*lines, "    nl_inside = 0;", "    return code;", "}", ""])


#: What follows the call, by class; `ID` is the function's number. What precedes it stands before `||`.
_AFTER = {
    "send": "nl_note_send(ID, start, comm, dest, tag, (uint64_t)count, datatype, NULL);",
    "isend": "nl_note_send(ID, start, comm, dest, tag, (uint64_t)count, datatype, request);",
    "send_init": "KEEP(1, dest, count, datatype)",
    "recv_init": "KEEP(0, source, count, datatype)",
    "psend_init": "KEEP(1, dest, large * partitions, datatype)",
    "precv_init": "KEEP(0, source, large * partitions, datatype)",
    "recv": "MPI_Status own; status = status == MPI_STATUS_IGNORE ? &own : status; || "
    "nl_note_recv(ID, start, comm, source, tag, (uint64_t)count, datatype, NULL, code == MPI_SUCCESS ? status : NULL);",
    "irecv": "nl_note_recv(ID, start, comm, source, tag, (uint64_t)count, datatype, request, NULL);",
    "mrecv": "(void)status; nl_note_recv(ID, start, MPI_COMM_NULL, -1, -1, (uint64_t)count, datatype, NULL, NULL);",
    "imrecv": "nl_note_recv(ID, start, MPI_COMM_NULL, -1, -1, (uint64_t)count, datatype, request, NULL);",
    "sendrecv": "BOTH(sendcount, sendtype, recvcount, recvtype, NULL)",
    "isendrecv": "BOTH(sendcount, sendtype, recvcount, recvtype, request)",
    "replace": "BOTH(count, datatype, count, datatype, NULL)",
    "ireplace": "BOTH(count, datatype, count, datatype, request)",
    "put": "SIDED(NL_PUT, count, datatype, NULL)",
    "rput": "SIDED(NL_PUT, count, datatype, request)",
    "get": "SIDED(NL_GET, count, datatype, NULL)",
    "rget": "SIDED(NL_GET, count, datatype, request)",
    "both": "SIDED(NL_PUT | NL_GET, count, datatype, NULL)",
    "rboth": "SIDED(NL_PUT | NL_GET, count, datatype, request)",
    "one": "SIDED(NL_PUT | NL_GET, 1, datatype, NULL)",
    "start": "MPI_Request begun = *request; nl_started(begun); || nl_note_timed(ID, start);",
    "startall": "for (int at = 0; at < n; at++) nl_started(requests[at]); || nl_note_timed(ID, start);",
    "wait": "HANDLES(request, 1) || DONE(1, 1, NULL)",
    "waitall": "HANDLES(requests, n) || DONE(n, n, NULL)",
    "waitany": "HANDLES(requests, n) || DONE(n, *index != MPI_UNDEFINED, index)",
    "waitsome": "HANDLES(requests, n) || DONE(n, *outcount == MPI_UNDEFINED ? 0 : *outcount, indices)",
    "test": "HANDLES(request, 1) || DONE(1, *flag ? 1 : 0, NULL)",
    "testall": "HANDLES(requests, n) || DONE(n, *flag ? n : 0, NULL)",
    "testany": "HANDLES(requests, n) || DONE(n, *flag && *index != MPI_UNDEFINED, index)",
    "request_free": "nl_forget(*request); || nl_note_timed(ID, start);",
    "timed": "nl_note_timed(ID, start);",
    "made": "MADE(comm, 0, 0)",
    "split": "MADE(comm, color, key)",
    "inter": "MADE(local_comm, 0, 0)",
    "gone": "MPI_Comm old = *oldcomm; || nl_note_timed(ID, start); if (code == MPI_SUCCESS) nl_gone(old);",
    "window": "nl_note_timed(ID, start); if (code == MPI_SUCCESS) nl_window(*newwin, comm);",
    "closed": "MPI_Win old = *oldwin; || nl_note_timed(ID, start); if (code == MPI_SUCCESS) nl_closed(old);",
}
_MACROS = {
    "KEEP": "nl_note_timed(ID, start); if (code == MPI_SUCCESS && {1} != MPI_PROC_NULL) "
    "nl_keep_message(*request, {0}, comm, {1}, tag, (uint64_t)({2}) * nl_type_bytes({3}));",
    "BOTH": "nl_note_both(ID, start, comm, (struct nl_ends){{dest, sendtag, source, recvtag}}, "
    "(uint64_t){0} * nl_type_bytes({1}), (uint64_t){2} * nl_type_bytes({3}), {4});",
    "SIDED": "nl_note_one_sided(ID, start, win, target, {0}, (uint64_t){1}, {2}, {3});",
    "HANDLES": "MPI_Request room[NL_ROOM], *handles = nl_handles({0}, {1}, room, NL_ROOM);",
    "DONE": "nl_note_done(ID, start, handles, room, {0}, code == MPI_SUCCESS ? {1} : 0, {2});",
    "MADE": "nl_note_timed(ID, start); if (code == MPI_SUCCESS) nl_made(ID, {0}, *newcomm, {1}, {2});",
}
#: What a rank gives to a collective, by class; the last word says whether there is an operation and a root.
_SHAPES = {
    "barrier": "",
    "bcast": "nl_shape_plain(&shape, (uint64_t)count, datatype, nl_is_root(comm, root));",
    "reduce": "nl_shape_plain(&shape, (uint64_t)count, datatype, root != MPI_ROOT);",
    "allreduce": "nl_shape_plain(&shape, (uint64_t)count, datatype, 1);",
    "allgather": "BOX(0)",
    "gather": "BOX(0) if (root != MPI_ROOT)",
    "alltoall": "BOX(1)",
    "scatter": "if (nl_is_root(comm, root)) nl_shape_box(&shape, NULL, (uint64_t)sendcount, sendtype, 0, sendtype, 1); "
    "else nl_shape_plain(&shape, (uint64_t)recvcount, recvtype, 0);",
    "scatterv": "if (nl_is_root(comm, root)) nl_shape_vector(&shape, sendcounts, sendtype, NULL, WIDE); "
    "else nl_shape_plain(&shape, (uint64_t)recvcount, recvtype, 0);",
    "alltoallv": "if (sendbuf == MPI_IN_PLACE) nl_shape_vector(&shape, recvcounts, recvtype, NULL, WIDE); "
    "else nl_shape_vector(&shape, sendcounts, sendtype, NULL, WIDE);",
    "alltoallw": "if (sendbuf == MPI_IN_PLACE) nl_shape_vector(&shape, recvcounts, MPI_BYTE, recvtypes, WIDE); "
    "else nl_shape_vector(&shape, sendcounts, MPI_BYTE, sendtypes, WIDE);",
    "reduce_scatter": "nl_shape_vector(&shape, recvcounts, datatype, NULL, WIDE);",
    "reduce_block": "nl_shape_box(&shape, NULL, (uint64_t)recvcount, datatype, 0, datatype, 1);",
    "neighbour": "nl_shape_plain(&shape, (uint64_t)sendcount, sendtype, 1); nl_shape_sparse(&shape);",
    "neighbourv": "shape.counts = sendcounts; shape.wide = WIDE; shape.type_bytes = nl_type_bytes(sendtype); "
    "nl_shape_sparse(&shape);",
    "neighbourw": "shape.counts = sendcounts; shape.wide = WIDE; shape.types = sendtypes; shape.type_bytes = 1; "
    "nl_shape_sparse(&shape);",
}


def _noted(one: Function) -> tuple[list[str], list[str]]:
    """Lines before and after the call."""
    if one.kind in _SHAPES:
        return [], _collective(one)
    before, bar, after = _AFTER[one.kind].partition("||")
    if not bar:
        before, after = "", before
    return [_expanded(before, one)] if before else [], [_expanded(after, one)]


def _expanded(text: str, one: Function) -> str:
    found = re.fullmatch(r"\s*([A-Z]+)\((.*)\)\s*", text)
    if found and found[1] in _MACROS:
        text = _MACROS[found[1]].format(*(part.strip() for part in found[2].split(",")))
    return re.sub(r"\bID\b", f"NL_{one.name}", text.strip())


def _collective(one: Function) -> list[str]:
    root = "root" if "root" in one.parameters else "NL_NO_ROOT"
    op = "op" if "op" in one.parameters else "MPI_OP_NULL"
    text = _SHAPES[one.kind]
    if text.startswith("BOX"):
        each, guard = text[4], text[6:]
        if "recvcounts" in one.parameters:
            own = f"nl_own_count(comm, sendbuf, recvcounts, {int(one.large)})"
        else:
            own = "(uint64_t)recvcount"
        text = f"{guard} nl_shape_box(&shape, sendbuf, (uint64_t)sendcount, sendtype, {own}, recvtype, {each});"
    lines = [f"struct nl_shape shape = {{.id = NL_{one.name}, .root = {root}, .comm = comm, .op = {op}}};"]
    lines += [re.sub(r"\bWIDE\b", str(int(one.large)), text)] if text else []
    if one.name.removesuffix("_c").endswith("_init"):
        return [
            *lines,
            f"nl_note_timed(NL_{one.name}, start);",
            "if (code == MPI_SUCCESS)",
            "    nl_keep_collective(*request, &shape);",
        ]
    request = "request" if "request" in one.parameters else "NULL"
    return [*lines, f"nl_note_collective(&shape, start, {request});"]
