"""The box matrix with a shorter worst link than blocks have, and what it costs: nodes in the shape of an octagon.

`octagon_proof` says what such mappings send at least.
"""

from __future__ import annotations

import numpy as np

from benchmarks.quality.rivals import CASES, scenario
from netloom.base.arrays import ndarray
from netloom.evaluate.ask import bound_job
from netloom.evaluate.mapped import measured

BOX = "matrix: box, 27 points"
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


def main() -> None:
    """`python -m benchmarks.quality.octagons`: the numbers of this mapping."""
    letters = np.array([list(word) for word in TILES.split()]).ravel()
    nodes = np.unique(letters, return_inverse=True)[1]
    slots = np.empty(len(nodes), np.uint32)
    slots[np.argsort(nodes, kind="stable")] = np.arange(len(nodes))
    bound = bound_job(scenario(next(case for case in CASES if case.name == BOX)))
    worth = measured(bound, ndarray(bound.place.start)[slots], [])
    print(", ".join(f"{key} {worth[key]}" for key in ("inter_node_bytes", "hop_bytes", "max_link_s", "time_s")))


if __name__ == "__main__":
    main()
