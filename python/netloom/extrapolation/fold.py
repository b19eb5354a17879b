"""Calls that repeat, as often as the number of ranks says: the turns of a ring, of a pipeline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from .grid import Grid

#: Longest part that repeats.
LONGEST = 64
#: Fewest repetitions.
FEWEST = 2


@dataclass(frozen=True)
class Part:
    """Tokens `first..first + length`, `times` times one after another."""

    first: int
    length: int
    times: int


def folded(keys: Sequence[Hashable]) -> list[Part]:
    """What repeats, the shortest first. O(tokens * longest part)."""
    made: list[Part] = []
    at = 0
    while at < len(keys):
        length, times = next(((n, t) for n in range(1, LONGEST + 1) if (t := _times(keys, at, n)) >= FEWEST), (1, 1))
        made.append(Part(at, length, times))
        at += length * times
    return made


def _times(keys: Sequence[Hashable], at: int, length: int) -> int:
    times = 1
    while all(
        at + times * length + j < len(keys) and keys[at + times * length + j] == keys[at + j] for j in range(length)
    ):
        times += 1
    return times


def counted(grids: Sequence[Grid], times: Sequence[int]) -> list[tuple[str, Callable[[Grid], int]]]:
    """What numbers of repetitions follow from the grid."""
    shapes: list[tuple[str, Callable[[Grid], int]]] = [("P", lambda grid: grid.size)]
    shapes.append(("log2 P", lambda grid: (grid.size - 1).bit_length()))
    for d in range(len(grids[0].dims)):
        shapes.append((f"n{d}", lambda grid, d=d: grid.dims[d]))  # type: ignore[misc]  # of this dimension
        shapes.append((f"log2 n{d}", lambda grid, d=d: (grid.dims[d] - 1).bit_length()))  # type: ignore[misc]
    found: list[tuple[str, Callable[[Grid], int]]] = []
    if len(set(times)) == 1:
        return [(str(times[0]), lambda grid: times[0])]
    for name, shape in shapes:
        sizes = [shape(grid) for grid in grids]
        if len(set(sizes)) == 1:
            continue
        low, high = min(range(len(sizes)), key=lambda n: sizes[n]), max(range(len(sizes)), key=lambda n: sizes[n])
        each, rest = divmod(times[high] - times[low], sizes[high] - sizes[low])
        base = times[low] - each * sizes[low]
        if rest or each < 1 or any(each * size + base != n for size, n in zip(sizes, times, strict=True)):
            continue
        # With two counts any straight line fits: only those that begin near nothing are told from chance.
        if len(grids) == FEWEST and abs(base) > each:
            continue
        words = f"{each if each > 1 else ''}{name}{f' {base:+d}' if base else ''}"
        found.append((words, lambda grid, shape=shape, each=each, base=base: each * shape(grid) + base))  # type: ignore[misc]
    return found
