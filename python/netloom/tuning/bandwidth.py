"""Bandwidths of collectives as the nccl-tests count them."""

from __future__ import annotations

#: Ranks' blocks in the total that bandwidths are counted from: those of the nccl-tests.
BLOCKS = {"allgather", "reduce-scatter", "alltoall", "gather", "scatter"}


def total_bytes(collective: str, ranks: int, size_bytes: int) -> int:
    """The S of nccl-tests: the whole buffer where the size is that of a block."""
    return size_bytes * ranks if collective in BLOCKS else size_bytes


def bus_factor(collective: str, ranks: int) -> float:
    """busbw / algbw of nccl-tests: 2(p-1)/p for allreduce, (p-1)/p where blocks travel, else 1."""
    if collective == "allreduce":
        return 2 * (ranks - 1) / ranks
    return (ranks - 1) / ranks if collective in BLOCKS else 1.0
