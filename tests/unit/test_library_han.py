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
        ("allreduce", 8, 'allreduce:hierarchical(4,8,top="binomial+linear",algorithms=binomial)'),
        ("allreduce", 4096, 'allreduce:hierarchical(4,8,top="rabenseifner+linear",algorithms=binomial)'),
        # coll/tuned on 8 ranks: broadcast by a binomial tree from 16 KiB, linear from 32 KiB; reduce by a binomial one.
        (
            *("allreduce", 1 << 20),
            'allreduce:hierarchical(4,8,top="rabenseifner+linear",algorithms=linear,up=binomial,segments=16)',
        ),
        # Up to a segment coll/tuned broadcasts between nodes too, on 4 ranks linearly from 8 KiB; then coll/libnbc.
        ("broadcast", 4096, "broadcast:hierarchical(4,8,algorithms=binomial)"),
        ("broadcast", 8192, 'broadcast:hierarchical(4,8,algorithms="linear+binomial")'),
        ("broadcast", 1 << 20, "broadcast:hierarchical(4,8,algorithms=linear,segments=16)"),
        ("reduce", 4096, 'reduce:hierarchical(4,8,algorithms="rabenseifner+binomial")'),
        ("reduce", SEGMENT + 4, 'reduce:hierarchical(4,8,algorithms="rabenseifner+binomial",segments=2)'),
        # Between nodes the 32 KiB of a node; inside them all of the 128 KiB.
        ("allgather", 4096, "allgather:led(4,8,top=recursive-doubling,up=binomial,down=linear)"),
        # Between nodes the 8 blocks of a node: 512 B a rank are 4 KiB, above the limit of 1 KiB on 4 ranks.
        ("gather", 64, "gather:hierarchical(4,8,algorithms=binomial)"),
        ("gather", 512, 'gather:hierarchical(4,8,algorithms="linear+binomial")'),
        ("scatter", 8, "scatter:hierarchical(4,8,algorithms=binomial)"),
        ("scatter", 256, 'scatter:hierarchical(4,8,algorithms="linear+binomial")'),
        ("barrier", 0, 'barrier:led(4,8,algorithms="linear+recursive-doubling")'),
    ],
)
def test_four_nodes_of_eight(collective: str, size: int, call: str) -> None:
    new = made(collective, size, 32, 8)
    assert (new.call(), new.own, new.rule) == (call, "coll/han", "several nodes have several ranks each")


def test_between_nodes_libnbc_broadcasts_linearly_up_to_four_ranks() -> None:
    call = made("broadcast", 1 << 20, 4 * 16, 16).call()
    assert call == 'broadcast:hierarchical(4,16,algorithms="linear+binomial",segments=16)'
    assert (
        made("broadcast", 1 << 20, 5 * 16, 16).call() == "broadcast:hierarchical(5,16,algorithms=binomial,segments=16)"
    )


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
        new = made(collective, size, nodes * 4, 4)
        assert ("rabenseifner" in new.call()) == rabenseifner
        assert ("halves with near partners first" in new.note) == (rabenseifner and nodes > 3)


def test_notes_name_what_differs() -> None:
    for collective in ("allreduce", "broadcast", "reduce"):
        short, cut, odd = (made(collective, size, 32, 8) for size in (SEGMENT, 2 * SEGMENT, SEGMENT + 4))
        assert "segment" not in short.call() + short.note and "its levels" not in short.note
        assert cut.call().endswith("segments=2)") and "all its levels, which takes longer" in cut.note
        assert "its last segment is shorter" in odd.note and "last segment" not in cut.note
    # No segments where the blocks of ranks move.
    assert all(
        "segment" not in f"{new.call()} {new.note}"
        for new in (made(collective, 1 << 20, 32, 8) for collective in ("gather", "scatter", "allgather"))
    )
    # Each tree is that of the library, up and down, and so are the leaders of allgather and barrier.
    assert "inside" not in made("allreduce", 1 << 20, 32, 8).note
    assert not made("allgather", 4096, 32, 8).note and not made("barrier", 0, 32, 8).note
    assert "broadcasts by scatter_allgather, here binomial" in made("allgather", 1 << 20, 64, 16).note
    assert not made("broadcast", 8, 16 * 64, 64).note and not made("gather", 8, 32, 8).note
    # Two ranks are one pair, whatever the tree.
    assert not made("broadcast", 8, 4, 2).note and not made("reduce", 1024, 4, 2).note


def test_more_segments_than_a_schedule_should_have_are_fewer_and_longer_ones() -> None:
    assert made("allreduce", 1 << 30, 32, 8).call().endswith(",segments=16384)")
    for collective in ("allreduce", "broadcast", "reduce"):
        new = made(collective, 1 << 30, 1024, 16)
        assert new.call().endswith(",segments=712)")
        assert "it cuts 16384 segments of 64KiB, here 712" in new.note
        assert _core.Schedule.build(new.call(), 1024, 0, 1 << 30).messages < 1 << 21
    # Where one segment is all there is room for, there is one.
    assert "segments" not in made("broadcast", 1 << 30, 1 << 20, 16).call()


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
