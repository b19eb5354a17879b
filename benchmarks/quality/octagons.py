"""The box matrix with a shorter worst link than blocks have, and what it costs: nodes in the shape of an octagon.

The box is 64 layers of 16 parts. A part sends 2 KiB to the layer above and below, 512 bytes to each of the six others
around it. What a node sends, in units of 512 bytes, is at least 8 for each of its columns, 2 for each of its layers and
2 for each of its diagonals; only a node at the border of the box sends less.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from benchmarks.quality.rivals import CASES, scenario
from netloom.base.arrays import ndarray
from netloom.evaluate.ask import bound_job
from netloom.evaluate.mapped import measured

BOX = "matrix: box, 27 points"
#: Parts of a node, bytes of a unit.
PARTS, UNIT = 32, 512
#: A node for each letter, a layer in each word. Octagons were laid by hand, and annealing placed the nodes at the
#: border (60 million steps: no node above 90 units, then few units in all).
TILES = """
    BBBBCCCCDDDDAAAA BBBBCCCCDDDAAAAA BBBBCCCCDDDAAAAA BBBBCCCCDDDDAAAA
    BBBBCCCCDDDDAAAA BBBBBCCCDDDDAAAA IBBBBCCCDDDDAAAH IBBBCCCCDDDDAAHH
    IIIEECCFFDDGGAHH IIEEEEFFFFGGGGHH IIEEEEFFFFGGGGHH IIEEEEFFFFGGGGHH
    IIEEEEFFFFGGGGHH IIEEEEFFFFGGGGHH IIEEEEFFFFGGGGHH IIEEEEFFFFGGGGHH
    IIIEEJJFFKKGGHHH IIIIJJJJKKKKHHHH IIIIJJJJKKKKHHHH IILLJJJJKKKKMMHH
    LLLLJJJJKKKKMMMM LLLLJJJJKKKKMMMM LLLLJJJJKKKKMMMM LLLLJJJJKKKKMMMM
    LLLNNJJOOKKPPMMM LLNNNNOOOOPPPPMM LLNNNNOOOOPPPPMM LLNNNNOOOOPPPPMM
    LLNNNNOOOOPPPPMM LLNNNNOOOOPPPPMM LQNNNNOOOOPPPPMR QQNNNNOOOOPPPPRR
    QQQNNSSOOTTPPRRR QQQQSSSSTTTTRRRR QQQQSSSSTTTTRRRR QQQQSSSSTTTTRRRR
    QQQQSSSSTTTTRRRR QQQQSSSSTTTTRRRR QQQQSSSSTTTTRRRX YYQQSSSSTTTTRRXX
    YYYUUSSVVTTWWRXX YYUUUUVVVVWWWWXX YYUUUUVVVVWWWWXX YYUUUUVVVVWWWWXX
    YYUUUUVVVVWWWWXX YYUUUUVVVVWWWWXX YYUUUUVVVVWWWWXX YYUUUUVVVVWWWWXX
    YYYUUZZVVaaWWXXX YYYYZZZZaaaaXXXX YYYYZZZZaaaaXXXX bYYbZZZZaaaaccXX
    bbbbZZZZaaaacccc bbbbZZZZaaaacccc bbbbZZZZaaaacccc bbbbZZZZaaaacccc
    bbbbbZZddaaccccc bbbbbbdddddccccc eebbbdddddffcccc eeeeeeddddffffff
    eeeeeeddddffffff eeeeeeddddffffff eeeeeeddddffffff eeeeeeddddffffff
"""


def most(columns: int, layers: int, corners: tuple[int, ...]) -> int:
    """Parts of a block without triangles of these sides at its four corners, or fewer; 0 where they do not fit."""
    a, b, c, d = corners
    if max(a + b, c + d) > columns or max(a + c, b + d) > layers:
        return 0
    return columns * layers - sum(side * (side + 1) // 2 for side in corners)


def least() -> list[tuple[int, int, int, tuple[int, ...]]]:
    """Units, columns, layers and corners of every octagon for a node away from the border, the least first."""
    found = []
    for columns, layers in product(range(1, PARTS + 1), repeat=2):
        for corners in product(range(min(columns, layers) + 1), repeat=4):
            if tuple(sorted(corners)) == corners and most(columns, layers, corners) >= PARTS:
                diagonals = 2 * (columns + layers - 1) - sum(corners)
                found.append((8 * columns + 2 * layers + 2 * diagonals, columns, layers, corners))
    return sorted(found)


def main() -> None:
    """`python -m benchmarks.quality.octagons`: the least shapes, and the numbers of this mapping."""
    for units, columns, layers, corners in least()[:3]:
        print(f"{units * UNIT:,} bytes: {columns} columns, {layers} layers, corners {corners}")
    letters = np.array([list(word) for word in TILES.split()]).ravel()
    nodes = np.unique(letters, return_inverse=True)[1]
    slots = np.empty(len(nodes), np.uint32)
    slots[np.argsort(nodes, kind="stable")] = np.arange(len(nodes))
    bound = bound_job(scenario(next(case for case in CASES if case.name == BOX)))
    worth = measured(bound, ndarray(bound.start)[slots], [])
    print(", ".join(f"{key} {worth[key]}" for key in ("inter_node_bytes", "hop_bytes", "max_link_s", "time_s")))


if __name__ == "__main__":
    main()
