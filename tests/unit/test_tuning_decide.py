"""Libraries' own decisions: every word has a meaning, every case an answer, known complaints are explained."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import netloom
from netloom.base.errors import NetloomError
from netloom.library.conditions import Case, holds, walk
from netloom.library.decide import decide, libraries, table_of
from netloom.tuning.reorder import split


def leaves(tree: Any) -> Iterator[tuple[list[str], str]]:
    """All paths of a tree with their leaves."""
    if isinstance(tree, str):
        yield [], tree
        return
    for condition, below in tree.items():
        if condition.startswith("algorithm="):
            yield [], condition
        else:
            yield from (([condition, *path], leaf) for path, leaf in leaves(below))


@pytest.mark.parametrize("library", libraries())
def test_every_word_of_a_table_means_something(library: str) -> None:
    table = table_of(library)
    assert table["source"] and table["version"] and table["read"]
    case = Case(8, 64, 4)
    for name, row in table["collectives"].items():
        tree = table["selection"][f"collective={name}"] if "selection" in table else row["tree"]
        for path, leaf in leaves(tree):
            assert all(isinstance(holds(condition, case), bool) for condition in path)
            assert leaf.startswith("algorithm=") or leaf in row["algorithms"]
        for fallback in row["fallbacks"]:
            assert fallback["algorithm"] in row["algorithms"]
            assert fallback["then"] is None or fallback["then"] in row["algorithms"]
            assert all(isinstance(holds(condition, case), bool) for condition in fallback["when"])


@pytest.mark.parametrize("library", libraries())
def test_every_case_has_one_answer_that_a_schedule_can_build_or_none(library: str) -> None:
    for name in table_of(library)["collectives"]:
        for ranks in (2, 3, 4, 5, 8, 12, 16, 31, 32, 64, 100, 128, 256, 512, 1024, 2048, 4096, 70000):
            for size in (0, 1, 4, 8, 64, 100, 1024, 8192, 65536, 1 << 20, 1 << 24):
                for commutative in (True, False):
                    made = decide(library, name, ranks, size, commutative=commutative)
                    if made.netloom is not None and ranks <= 16 and commutative and size <= 64:
                        for call, factor in made.netloom:
                            netloom.workload(split(call)[0], ranks, size_bytes=size * factor)


def test_a_first_match_wins() -> None:
    tree = {"comm_size<4": "a", "comm_size=pow2": {"count<pow2": "b", "any": "c"}, "any": "d"}
    assert walk(tree, Case(3, 8)) == (["comm_size<4"], "a")
    assert walk(tree, Case(8, 4, 1)) == (["comm_size>=4", "comm_size=pow2", "count<pow2"], "b")
    assert walk(tree, Case(8, 8, 1)) == (["comm_size>=4", "comm_size=pow2", "count>=pow2"], "c")
    assert walk(tree, Case(9, 8, 1)) == (["comm_size!=pow2"], "d")
    with pytest.raises(ValueError, match="no meaning"):
        holds("moon=full", Case(2, 1))


def test_a_small_vector_on_very_many_ranks_is_reduced_linearly() -> None:
    # Open MPI issue 12550: 64k ranks, 32 KiB of MPI_CHAR.
    made = decide("ompi", "allreduce", 65536, 32768)
    assert (made.algorithm, made.runs) == ("rabenseifner", "basic_linear")
    assert made.netloom == (("reduce:linear", 1), ("broadcast:linear", 1))
    assert decide("ompi", "allreduce", 32768, 32768).runs == "rabenseifner"


def test_four_bytes_change_their_algorithm_between_127_and_128_ranks() -> None:
    # Open MPI pull request 8186.
    assert decide("ompi", "allreduce", 127, 4, element_bytes=4).runs == "recursive_doubling"
    made = decide("ompi", "allreduce", 128, 4, element_bytes=4)
    assert made.runs == "nonoverlapping" and made.rule == (
        "is_commutative=yes",
        "comm_size>=128",
        "comm_size<256",
        "avg_msg_size<131072",
    )
    assert [(part.collective, part.runs) for part in made.parts] == [("reduce", "binomial"), ("bcast", "binary_tree")]
    assert made.netloom == (("reduce:binomial", 1), ("broadcast:k-ary(k=2,segments=1)", 1))


def test_a_segmented_ring_without_segments_falls_twice() -> None:
    made = decide("ompi", "allreduce", 16, 32, element_bytes=4)
    assert made.algorithm == "segmented_ring" and made.runs == "recursive_doubling"
    assert [name for name, _ in made.fallbacks] == ["ring", "recursive_doubling"]


def test_recursive_doubling_is_bruck_off_the_powers_of_two() -> None:
    assert decide("ompi", "allgather", 24, 8).runs == "bruck"
    assert decide("ompi", "allgather", 16, 8).runs == "recursive_doubling"
    assert decide("ompi", "allgather", 33, 2048).runs == "ring"


def test_mpich_asks_for_powers_of_two_and_counts() -> None:
    assert decide("mpich", "broadcast", 16, 65536).runs == "scatter_recursive_doubling_allgather"
    assert decide("mpich", "broadcast", 15, 65536).runs == "scatter_ring_allgather"
    assert decide("mpich", "broadcast", 7, 1 << 20).runs == "binomial"
    assert decide("mpich", "allreduce", 16, 16, element_bytes=4).runs == "recursive_doubling"
    assert decide("mpich", "allreduce", 16, 64, element_bytes=4).runs == "reduce_scatter_allgather"
    assert decide("mpich", "alltoall", 8, 256).runs == "brucks"
    assert decide("mpich", "alltoall", 8, 257).runs == "scattered"


def test_smpi_s_mpich_selector_tests_for_odd_where_it_means_no_power_of_two() -> None:
    for ranks in (7, 9):
        made = decide("smpi", "alltoall", ranks, 65536)
        assert (made.algorithm, made.runs, made.netloom) == ("pair", None, None)
        assert "power of two" in made.fallbacks[-1][1]
    assert decide("smpi", "alltoall", 8, 65536).runs == "ring"
    assert decide("smpi", "broadcast", 12, 65536).runs == "scatter_rdb_allgather"


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (("omip", "allreduce", 4, 4), "NL-D001"),
        (("ompi", "allreduec", 4, 4), "NL-D001"),
        (("ompi", "allreduce", 1, 4), "NL-A007"),
        (("ompi", "allreduce", 4, -1), "NL-A007"),
    ],
)
def test_what_cannot_be_asked(call: tuple[str, str, int, int], code: str) -> None:
    with pytest.raises(NetloomError, match=code):
        decide(*call)
    with pytest.raises(NetloomError, match="NL-D005"):
        decide("ompi", "allreduce", 4, 6, element_bytes=4)
