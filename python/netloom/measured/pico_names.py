"""PICO's names of algorithms and the catalogue's.

A name ends in the code that ran: `_over` is PICO's own, `_mpich` and `_ompi` the library told to use it. The catalogue
has the libraries' own names as aliases; here stands what these do not cover.
"""

from __future__ import annotations

from .names import algorithm

#: Operation and PICO's name without its ending.
_NAMES = {
    ("allreduce", "bine_lat"): "bine",
    ("allreduce", "bine_bdw_static"): "swing",
    ("allreduce", "bine_bdw_remap"): "swing",
    ("allgather", "bine_permute_static"): "swing",
    ("allgather", "bine_permute_remap"): "swing",
    ("allgather", "bine_send_static"): "swing",
    ("allgather", "bine_send_remap"): "swing",
    ("allgather", "bine_2_blocks"): "swing",
    ("allgather", "bine_2_blocks_dtype"): "swing",
    ("allgather", "k_bruck"): "bruck",
    ("reduce-scatter", "bine_permute_remap"): "swing",
    ("reduce-scatter", "bine_send_remap"): "swing",
    ("broadcast", "bine_lat"): "bine",
    ("reduce", "bine_lat"): "bine",
    ("gather", "bine"): "bine",
    ("scatter", "bine"): "bine",
    ("allreduce", "rabenseifner"): "rabenseifner",
    ("reduce", "rabenseifner"): "rabenseifner",
    ("gather", "linear"): "linear",
    ("scatter", "linear"): "linear",
}
#: Open MPI sends whole messages when it is told an algorithm and no segments; the catalogue's default is in segments.
_WHOLE = {
    ("broadcast", "binary"): "k-ary(segments=1)",
    ("broadcast", "binary-tree"): "k-ary(segments=1)",
    ("broadcast", "pipeline"): "chain(segments=1)",
    ("reduce", "binary"): "k-ary(segments=1)",
    ("reduce", "pipeline"): "chain(segments=1)",
}
#: Names of a library for which the catalogue's algorithm of the same name is another one.
_OTHERS = {
    ("allgather", "linear"),
    ("allreduce", "basic-linear"),
    ("allreduce", "segmented_ring"),
    ("broadcast", "chain"),
    ("reduce", "chain"),
}
_OPERATIONS = {"broadcast": "bcast", "reduce-scatter": "reduce_scatter"}


def code_that_ran(name: str) -> tuple[str, str]:
    """The name without the code that ran, and that code: `mpich`, `ompi`, `over`, `nccl`, "" for the library of the
    machine.
    """
    if name.startswith("nccl_"):
        return name.removeprefix("nccl_"), "nccl"
    if name.startswith("default-"):
        return name.removeprefix("default-"), ""
    stem, _, ending = name.rpartition("_")
    return (stem, ending) if ending in ("mpich", "ompi", "over") and stem else (name, "")


def catalogue_name(of: str, name: str, part_bytes: int, segment_bytes: int) -> str | None:
    """The catalogue's name of an algorithm of PICO; None if it has none.

    Parameters
    ----------
    part_bytes
        Of the vector that a rank owns; a segmented ring cuts it.
    segment_bytes
        0 if whole messages are sent.
    """
    stem, code = code_that_ran(name)
    if stem == "default":
        return "default"
    if stem == "ring_segmented" and of == "allreduce" and segment_bytes:
        segments = -(-part_bytes // segment_bytes)
        return algorithm(of, f"segmented-ring(segments={segments})") if segments > 1 else "ring"
    if segment_bytes or (of, stem) in _OTHERS:
        return None
    known = _NAMES.get((of, stem)) or _WHOLE.get((of, stem))
    if known is not None:
        return algorithm(of, known)
    alias = stem.replace("-", "_")
    named = algorithm(of, f"{code or 'ompi'}:{_OPERATIONS.get(of, of)}:{alias}") if code != "over" else None
    return named if named is not None or code == "nccl" else algorithm(of, stem.replace("_", "-"))
