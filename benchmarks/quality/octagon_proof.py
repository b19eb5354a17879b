"""No mapping of the box matrix has a shorter worst link and as few bytes between nodes as blocks of 8 x 4 parts.

The box is 64 layers of 16 parts, 32 on a node. A part sends 4 units of 512 bytes to the layer above and below, one to
each of the six others around it; blocks send 92 units. Let P be what a node would send if the box had no border.

1. A node of 32 parts has P >= 90, and only the octagon has 90: four columns of 7, 9, 9 and 7 parts (`columns_of`). P
   is even. So if every node sends less than 92 units, each node that has no part at the border is such an octagon.
2. All bytes between nodes are the sum of P less what would leave the box, which is the same for every mapping. Blocks
   have P = 92 on 32 nodes: a mapping with no more bytes has a sum of P - 90 of 64 at most.
3. `octagon_worths.txt` gives every part a worth, in 64ths of a unit, such that no node at the border that sends at most
   91 units has parts worth more than its P - 90. This holds for every set of 32 parts, in one piece or not (`dearest`
   goes through all). So the sum of P - 90 is at least the worth of all parts that are in no octagon.
4. However octagons are laid away from the border without meeting, some worth is left (`most_laid` goes through all
   layouts): more than 64 units.

The worths are the rounded dual solution of a linear program; who checks the proof need not know how they were found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Worths = NDArray[np.int32]

PARTS = 32
#: Worth is counted in such parts of a unit.
FINE = 64
#: Units that the busiest node may send, P of the octagon, and the sum of P - 90 that blocks have.
LIMIT, LEAST, BLOCKS = 91, 90, 64
#: In each column of the octagon, its first layer and one past its last.
OCTAGON = ((1, 8), (0, 9), (0, 9), (1, 8))
#: Units across the border of the box: below ten, only sums of 3, 6 and 8 are possible.
ACROSS = (0, 3, 6, 8, 9, 10)
#: What no set has.
NONE = -(1 << 29)


@dataclass(frozen=True)
class Proof:
    """Of some worths.

    Attributes
    ----------
    excess
        The most that parts of a border node are worth above its P - 90, in 64ths; the worths hold if it is 0 or less.
    rest
        The least that the parts outside octagons are worth, in units.
    """

    excess: int
    rest: float


def prove(worths: Worths) -> Proof:
    """Steps 3 and 4.

    Sets with few units across the border mostly send too much, and are no nodes. They are allowed a worth of
    P - 90 + (P - units across - 91), which is no more than P - 90 where a node sends at most 91 units.
    """
    many = dearest(worths, PARTS, FINE)[-1, PARTS] + LEAST * FINE
    few = dearest(worths, PARTS, 2 * FINE)[1:-1, PARTS] + (LEAST + LIMIT + np.array(ACROSS[1:-1])) * FINE
    return Proof(int(max(many, *few)), (int(worths.sum()) - most_laid(worths)) / FINE)


def columns_of(parts: int, most: int, so_far: tuple[int, ...] = (), units: int = 0) -> Iterator[tuple[int, ...]]:
    """Parts in each column of every set of so many parts that may have a P of at most `most`.

    A run of parts in a column sends 8 units up and down. Adjacent columns of a and b parts exchange at least 3 |a - b|
    units, one level and two slanting, and at least 4, 5 and 6 for a difference of 0, 1 and 2: a column, the same one
    moved up and moved down cannot all three equal the other column, or be part of it. A gap between columns sends more.
    """
    last = so_far[-1] if so_far else 0
    if units + 3 * last > most:
        return
    if not parts:
        yield so_far
    for here in range(1, parts + 1):
        apart = abs(here - last)
        between = max(3 * apart, 4 + apart) if so_far else 3 * here
        yield from columns_of(parts - here, most, (*so_far, here), units + 8 + between)


def across(layer: int, column: int, layers: int, columns: int) -> int:
    """Units that a part would send out of the box: 6 up or down, 3 to a side; 8 at a corner, one slant being both."""
    ends, sides = layer in (0, layers - 1), column in (0, columns - 1)
    return 8 if ends and sides else 6 * ends + 3 * sides


def dearest(worths: Worths, parts: int, unit: int) -> Worths:
    """The most that any set is worth less `unit` times its P, by units across (as `ACROSS`) and number of parts.

    Part by part, layer after layer. The state says of the last parts, as many as a layer has, which are in the set, and
    of the one before these, which the next part still touches at a slant.
    """
    layers, columns = worths.shape
    state = np.full((2, 1 << columns, len(ACROSS), parts + 1), NONE, np.int32)
    state[0, 0, 0, 0] = 0
    for layer in range(layers):
        for column in range(columns):
            state = _with_part(state, worths, layer, column, unit)
        # The next part is the first of its layer, with nothing to its upper left.
        state[0] = np.maximum(state[0], state[1])
        state[1] = NONE
    return np.asarray(state[0].max(axis=0))


def _with_part(state: Worths, worths: Worths, layer: int, column: int, unit: int) -> Worths:
    """The state with one part more, which is in the set or not."""
    layers, columns = worths.shape
    left, right = column > 0, column < columns - 1
    # Upper left, parts further right, upper right, above, beside, parts further left; units across, number of parts.
    shape = (2, 1 << max(columns - 2 - column, 0), 1 + right, 2, 1 + left, 1 << max(column - 1, 0), *state.shape[2:])
    old, new = state.reshape(shape), np.full(shape, NONE, np.int32)
    out = across(layer, column, layers, columns)
    for upper_right, above, beside, taken in np.ndindex(1 + right, 2, 1 + left, 2):
        cost = 4 * (above != taken) * (layer > 0) + (beside != taken) * left + taken * out
        cost += (upper_right != taken) * (right and layer > 0)
        ways = [
            old[slant, :, upper_right, above, beside] - unit * (cost + (slant != taken) * (left and layer > 0))
            for slant in range(1 + left)
        ]
        best = np.maximum(*ways) if left else ways[0]
        into = new[above, :, upper_right, taken, beside]
        if not taken:
            into[...] = best
            continue
        for number, units in enumerate(ACROSS):
            to = ACROSS.index(min(units + out, ACROSS[-1]))
            gained = best[:, :, number, :-1] + worths[layer, column]
            into[:, :, to, 1:] = np.maximum(into[:, :, to, 1:], gained)
    return np.maximum(new, NONE).reshape(state.shape)


def most_laid(worths: Worths) -> int:
    """The most that the parts of octagons are worth which do not meet and keep away from the border.

    Layer after layer; the state says how many more layers of each column the octagons so far take.
    """
    layers, columns = worths.shape
    sums = np.concatenate([np.zeros((1, columns), np.int64), np.cumsum(worths, axis=0)])
    best = {(0,) * columns: 0}
    for layer in range(1, layers - 9):
        for column in range(1, columns - 4):
            runs = [(layer + a, layer + b, column + i) for i, (a, b) in enumerate(OCTAGON)]
            worth = int(sum(sums[end, at] - sums[begin, at] for begin, end, at in runs))
            for taken, value in list(best.items()):
                if all(have <= a for have, (a, _) in zip(taken[column : column + 4], OCTAGON, strict=True)):
                    new = (*taken[:column], *(b for _, b in OCTAGON), *taken[column + 4 :])
                    best[new] = max(best.get(new, value + worth), value + worth)
        after: dict[tuple[int, ...], int] = {}
        for taken, value in best.items():
            rest = tuple(max(have - 1, 0) for have in taken)
            after[rest] = max(after.get(rest, value), value)
        best = after
    return max(best.values())


def worths() -> Worths:
    """Of every part. The file has the first half of the layers and columns; the others mirror them."""
    quarter = np.loadtxt(Path(__file__).with_name("octagon_worths.txt"), dtype=np.int32)
    half = np.concatenate([quarter, quarter[:, ::-1]], axis=1)
    return np.concatenate([half, half[::-1]])


def main() -> None:
    """`python -m benchmarks.quality.octagon_proof`: the steps, and whether they hold; some minutes."""
    shapes = list(columns_of(PARTS, LIMIT))
    print(f"nodes with P of at most {LIMIT}: columns of {shapes}")
    proof = prove(worths())
    print(f"parts of border nodes are worth {proof.excess / FINE:.2f} units more than P - 90, or less")
    print(f"parts outside octagons are worth {proof.rest:.2f} units or more; blocks have a sum of P - 90 of {BLOCKS}")
    holds = shapes == [(7, 9, 9, 7)] and proof.excess <= 0 and proof.rest > BLOCKS
    print("proved" if holds else "not proved")


if __name__ == "__main__":
    main()
