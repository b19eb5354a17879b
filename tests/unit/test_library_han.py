"""Open MPI 5: where coll/han decides, what it asks on each level, and that each choice is proved."""

from __future__ import annotations

import pytest

from netloom import _core
from netloom.library import Choice, Communicator, choose
from netloom.library.han import SEGMENT

HAN = ("allreduce", "broadcast", "reduce", "allgather", "gather", "scatter", "barrier")
TUNED = ("alltoall", "reduce-scatter")
SIZES = (8, 4096, SEGMENT, SEGMENT + 4, 1 << 20)


def made(collective: str, size: int, ranks: int, local: int) -> Choice:
    return choose("openmpi-5", collective, size, Communicator(ranks, local))


@pytest.mark.parametrize("collective", HAN + TUNED)
def test_one_node_and_one_rank_a_node_are_those_of_4(collective: str) -> None:
    for ranks, local in ((8, 8), (1, 1), (2, 1), (32, 1)):
        for size in SIZES:
            old, new = (
                choose("openmpi", collective, size, Communicator(ranks, local)),
                made(collective, size, ranks, local),
            )
            assert (new.call(), new.own, new.rule, new.note) == (old.call(), old.own, old.rule, old.note)
            assert (new.library, new.version) == ("openmpi-5", "5.0.10")


@pytest.mark.parametrize("collective", TUNED)
def test_what_han_has_not_is_that_of_4_on_several_nodes_too(collective: str) -> None:
    for size in SIZES:
        new = made(collective, size, 32, 8)
        assert new.call() == choose("openmpi", collective, size, Communicator(32, 8)).call()
        assert new.rule.startswith(f"coll/han has no {collective}")


@pytest.mark.parametrize(
    ("collective", "size", "call"),
    [
        ("allreduce", 8, "allreduce:hierarchical(4,8,top=reduce-broadcast,algorithms=binomial)"),
        # coll/tuned on 8 ranks: binomial from 16 KiB, linear from 32 KiB.
        ("allreduce", 1 << 20, "allreduce:hierarchical(4,8,top=reduce-broadcast,algorithms=linear)"),
        # Up to a segment coll/tuned broadcasts between nodes too, on 4 ranks linearly from 8 KiB; then coll/libnbc.
        ("broadcast", 4096, "broadcast:hierarchical(4,8,algorithms=binomial)"),
        ("broadcast", 8192, 'broadcast:hierarchical(4,8,algorithms="linear+binomial")'),
        ("broadcast", 1 << 20, "broadcast:hierarchical(4,8,algorithms=linear)"),
        ("reduce", 4096, "reduce:hierarchical(4,8,algorithms=binomial)"),
        ("allgather", 4096, "allgather:two-tier(1,4,8)"),
        # Between nodes the 8 blocks of a node: 512 B a rank are 4 KiB, above the limit of 1 KiB on 4 ranks.
        ("gather", 64, "gather:hierarchical(4,8,algorithms=binomial)"),
        ("gather", 512, 'gather:hierarchical(4,8,algorithms="linear+binomial")'),
        ("scatter", 8, "scatter:hierarchical(4,8,algorithms=binomial)"),
        ("scatter", 256, 'scatter:hierarchical(4,8,algorithms="linear+binomial")'),
        ("barrier", 0, 'barrier:hierarchical(4,8,algorithms="linear+recursive-doubling")'),
    ],
)
def test_four_nodes_of_eight(collective: str, size: int, call: str) -> None:
    new = made(collective, size, 32, 8)
    assert (new.call(), new.own, new.rule) == (call, "coll/han", "several nodes have several ranks each")


def test_between_nodes_libnbc_broadcasts_linearly_up_to_four_ranks() -> None:
    assert made("broadcast", 1 << 20, 4 * 16, 16).call() == 'broadcast:hierarchical(4,16,algorithms="linear+binomial")'
    assert made("broadcast", 1 << 20, 5 * 16, 16).call() == "broadcast:hierarchical(5,16,algorithms=binomial)"


@pytest.mark.parametrize(
    ("nodes", "size", "rabenseifner"),
    [
        (2, 1 << 20, False),
        (3, 4, False),
        (3, 8, True),
        (9, 28, False),
        (9, 32, True),
        (64, 128, False),
        (64, 256, True),
    ],
)
def test_between_nodes_libnbc_reduces_by_rabenseifner_with_enough_elements(
    nodes: int, size: int, rabenseifner: bool
) -> None:
    for collective in ("reduce", "allreduce"):
        assert ("Rabenseifner, here binomial" in made(collective, size, nodes * 4, 4).note) == rabenseifner


def test_notes_name_what_differs() -> None:
    assert "segments of 64KiB" not in made("broadcast", SEGMENT, 32, 8).note
    for collective in ("allreduce", "broadcast", "reduce"):
        assert "segments of 64KiB" in made(collective, SEGMENT + 4, 32, 8).note
    # No segments where the blocks of ranks move.
    assert all(
        "segments" not in made(collective, 1 << 20, 32, 8).note for collective in ("gather", "scatter", "allgather")
    )
    assert "inside nodes it reduces by binomial, here linear" in made("allreduce", 1 << 20, 32, 8).note
    assert "broadcasts inside nodes by basic_linear, here all directly" in made("allgather", 4096, 32, 8).note
    assert "leaders alone" in made("barrier", 0, 32, 8).note
    # Each tree is that of the library.
    assert not made("broadcast", 8, 16 * 64, 64).note and not made("gather", 8, 32, 8).note
    # Two ranks are one pair, whatever the tree.
    assert not made("broadcast", 8, 4, 2).note and not made("reduce", 1024, 4, 2).note


def test_nodes_with_unlike_numbers_of_ranks() -> None:
    for collective in ("broadcast", "reduce", "allgather", "gather", "scatter"):
        new = made(collective, 4096, 30, 8)
        assert new.call() == choose("openmpi", collective, 4096, Communicator(30, 8)).call()
        assert new.rule.startswith("coll/han leaves nodes with unlike numbers of ranks")
    # These do not ask.
    for collective, call in (("allreduce", "allreduce:reduce-broadcast"), ("barrier", "barrier:tree")):
        new = made(collective, 4096, 30, 8)
        assert (new.call(), new.own) == (call, "coll/han") and "stands in" in new.note


@pytest.mark.parametrize(("nodes", "local"), [(2, 2), (2, 5), (3, 2), (3, 3), (4, 8), (5, 4), (6, 6), (2, 16), (17, 3)])
@pytest.mark.parametrize("collective", HAN)
def test_every_choice_is_proved(collective: str, nodes: int, local: int) -> None:
    for size in SIZES:
        for ranks in (nodes * local, nodes * local - 1):
            call = made(collective, size, ranks, local).call()
            assert _core.Schedule.build(call, ranks, 0, size).verify(), call


def test_roots_lead_their_own_nodes() -> None:
    for collective in ("broadcast", "reduce", "gather", "scatter"):
        call = made(collective, 4096, 32, 8).call()
        assert _core.Schedule.build(call, 32, 13, 4096).verify()
