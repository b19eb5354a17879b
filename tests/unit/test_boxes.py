"""Boxes of ranks and of places: cuts, moves, and one onto the other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import netloom
from netloom.mapping.boxes import Box, autobox, box


def leaves(of: Box) -> list[list[int]]:
    return [leaf.numbers.reshape(-1).tolist() for leaf in of.leaves()]


def test_tiles_are_nested() -> None:
    grid = box(4, 4)
    grid.tile(2, 4)
    assert leaves(grid) == [list(range(8)), list(range(8, 16))]
    grid.tile(2, 2)
    assert leaves(grid) == [[0, 1, 4, 5], [2, 3, 6, 7], [8, 9, 12, 13], [10, 11, 14, 15]]


def test_ways_to_cut() -> None:
    runs, strides, both = box(4, 4), box(4, 4), box(4, 4)
    runs.div(2, 1)
    strides.mod(2, 2)
    both.cut([2, 2], ["div", "mod"])
    assert leaves(runs) == [list(range(8)), list(range(8, 16))]
    assert leaves(strides) == [[0, 2, 8, 10], [1, 3, 9, 11], [4, 6, 12, 14], [5, 7, 13, 15]]
    assert leaves(both) == [[0, 2, 4, 6], [1, 3, 5, 7], [8, 10, 12, 14], [9, 11, 13, 15]]


def test_moves_of_rows_and_columns() -> None:
    shifted, sheared = box(4, 4), box(4, 4)
    shifted.shift(1)
    assert shifted.numbers[0].tolist() == [3, 0, 1, 2]
    sheared.shear(0, 1)
    assert sheared.numbers.tolist() == [[0, 1, 2, 3], [7, 4, 5, 6], [10, 11, 8, 9], [13, 14, 15, 12]]


@pytest.mark.parametrize(
    ("move", "shape", "expected"),
    [
        (lambda b: b.tilt(0, 1), (3, 4), [[0, 9, 6, 3], [4, 1, 10, 7], [8, 5, 2, 11]]),
        (lambda b: b.shear(1, 0, 2), (3, 3), [[0, 4, 8], [3, 7, 2], [6, 1, 5]]),
        (lambda b: b.zigzag(0, 1), (2, 4), [[0, 5, 2, 7], [4, 1, 6, 3]]),
        (lambda b: b.zigzag(1, 0, 2, 2), (5, 3), [[0, 1, 2], [5, 3, 4], [7, 8, 6], [11, 9, 10], [12, 13, 14]]),
    ],
)
def test_moves_are_those_of_rubik(
    move: Callable[[Box], None], shape: tuple[int, ...], expected: list[list[int]]
) -> None:
    """By hand, from its description of tilt, shear and zigzag: whose planes move, along which axis, and how far."""
    moved = box(*shape)
    move(moved)
    assert moved.numbers.tolist() == expected


def test_a_part_moves_alone_and_within_the_whole() -> None:
    grid = box(2, 4)
    grid.tile(1, 4)
    next(grid.leaves()).shift(1)
    assert grid.numbers.tolist() == [[3, 0, 1, 2], [4, 5, 6, 7]]


MOVES: dict[str, Callable[[Box], None]] = {
    "shift": lambda b: b.shift(0, 3),
    "tilt": lambda b: b.tilt(1, 0, 2),
    "zigzag": lambda b: b.zigzag(0, 1, 2, 3),
    "shear": lambda b: b.shear(1, 0, 2),
    "zorder": Box.zorder,
    "hilbert": Box.hilbert,
}


@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("shape", [(4, 4), (3, 5), (8, 4, 2), (2, 3, 4, 5)])
def test_moves_permute(name: str, shape: tuple[int, ...]) -> None:
    grid = box(*shape)
    MOVES[name](grid)
    assert sorted(grid.numbers.reshape(-1).tolist()) == list(range(grid.numbers.size))


@pytest.mark.parametrize("shape", [(2, 2), (8, 8), (16, 16), (4, 4, 4), (8, 8, 8), (2, 2, 2, 2), (4, 4, 4, 4, 4)])
def test_neighbours_on_a_hilbert_curve_are_neighbours_in_the_box(shape: tuple[int, ...]) -> None:
    grid = box(*shape)
    grid.hilbert()
    where = np.argsort(grid.numbers.reshape(-1))
    steps = np.abs(np.diff(np.array(np.unravel_index(where, shape)), axis=1)).sum(axis=0)
    assert set(steps.tolist()) == {1}


def test_a_curve_of_interleaved_bits() -> None:
    grid = box(4, 4)
    grid.zorder()
    assert grid.numbers.tolist() == [[0, 1, 4, 5], [2, 3, 6, 7], [8, 9, 12, 13], [10, 11, 14, 15]]


def test_planes_become_cubes() -> None:
    """Jain 2016, figure 3.1: two-dimensional parts of the application on three-dimensional ones of the network."""
    app, torus = box(9, 3, 8), autobox("torus(6,6,6)")
    app.tile(9, 3, 1)
    torus.tile(3, 3, 3)
    slots = app.onto(torus)
    assert sorted(slots.tolist()) == list(range(216))
    for z in range(8):
        places = np.unravel_index(slots[[rank for rank in range(216) if rank % 8 == z]], (6, 6, 6))
        assert [int(axis.max() - axis.min()) for axis in places] == [2, 2, 2]
    assert app.part_of()[:9].tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 0]


def test_a_tiling_is_the_order_of_the_same_tiles() -> None:
    app, torus = box(8, 16), autobox("torus(4,4,2)", cores=4)
    app.tile(2, 16)
    torus.tile(4, 2, 1, 4)
    order = "tiles([8,16],[2,16],[4,4,2,4],[4,2,1,4])"
    placed = netloom.place("torus(4,4,2)", 128, "linear", order, cores=4)
    assert (app.onto(torus) // 4).tolist() == list(placed)


def test_tiles_lower_the_hops_of_all_to_alls_in_planes() -> None:
    """Planes of 16 ranks that exchange with each other: as squares they are nearer than as lines."""
    src, dst = zip(*[(16 * p + a, 16 * p + b) for p in range(16) for a in range(16) for b in range(16)], strict=True)
    ones = np.ones(len(src), dtype=np.int64)
    traffic = netloom.Traffic.from_flows("planes", 256, np.array(src), np.array(dst), ones, ones)

    def hops(order: str) -> int:
        return int(netloom.hops("torus(16,16)", workload=traffic, order=order)["total_hops"])

    # A ring of 16 is 4 hops wide on average, a square of 4 x 4 is 2.5 wide: exact sums over ordered pairs.
    assert hops("draw") == 16 * 16 * sum(min(d, 16 - d) for d in range(16))
    assert hops("tiles([16,16],[1,16],[16,16],[4,4])") == 16 * 2 * 16 * sum(
        abs(a - b) for a in range(4) for b in range(4)
    )


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: box(), "box.extents must be integers >= 1, got nothing"),
        (lambda: box(4, 0), "box.extents must be integers >= 1, got 4,0"),
        (lambda: box(1 << 13, 1 << 13), "2^26 are too many"),
        (lambda: box(4, 4).tile(3, 4), "box.tile must be 2 numbers that divide 4,4, got 3,4"),
        (lambda: box(4, 4).tile(4), "box.tile must be 2 numbers that divide 4,4, got 4"),
        (lambda: box(4, 4).cut([2, 2], ["div", "by"]), 'box.cut must be "div" or "mod" for each of 2 axes, got div,by'),
        (lambda: box(4, 4).tilt(0, 0), "box.tilt must be 2 different axes below 2, got 0,0"),
        (lambda: box(4, 4).shift(2), "box.shift must be an axis below 2, got 2"),
        (lambda: box(4, 4).zigzag(0, 1, 0), "box.zigzag must be a depth >= 1, got 0"),
        (lambda: box(4, 4).shift(0, 1.5), "box.shift, by must be an integer, got 1.5"),  # type: ignore[arg-type]
        (lambda: box(4, 4).tilt(0, 1, 0.5), "box.tilt, slope must be an integer, got 0.5"),  # type: ignore[arg-type]
        (lambda: box(2.5, 2), "box.extents must be an integer, got 2.5"),  # type: ignore[arg-type]
        (lambda: box(True, 4), "box.extents must be an integer, got True"),
        (lambda: box([3, 4]), "box.extents must be an integer, got [3, 4]"),  # type: ignore[arg-type]
        (lambda: box(4, 4).tile(1.5, 2), "box.tile must be an integer, got 1.5"),  # type: ignore[arg-type]
        (lambda: box(4).onto(5), "box.onto must be a Box, got int"),  # type: ignore[arg-type]
        (lambda: autobox("torus(4,4)", 0), "autobox.cores must be an integer >= 1, got 0"),
        (lambda: box(4, 4).onto(box(4, 5)), "box.onto must be 1 parts of 16 elements, as this box, got 1 parts of 20"),
        (lambda: autobox("dragonfly(a=4,p=1,h=1,g=5)"), "autobox.network must be a grid"),
    ],
)
def test_bad_boxes_are_refused(wrong: Callable[[], object], message: str) -> None:
    with pytest.raises(netloom.NetloomError) as caught:
        wrong()
    assert message in str(caught.value)
