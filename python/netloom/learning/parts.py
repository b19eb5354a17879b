"""Which rows train, which test, and which are held out of all choices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..base.errors import Fault, NetloomError
from .codes import BAD_SETTING, TOO_FEW

if TYPE_CHECKING:
    from ..base.arrays import Vector

    Rows = Vector[np.intp]


@dataclass(frozen=True)
class Shares:
    """How rows are divided.

    Attributes
    ----------
    test
        Share of the rows that are not held out: a third in Jain 2016, section 4.2.2.
    held_out
        Share of all rows that no choice sees, drawn first.
    """

    test: float = 1 / 3
    held_out: float = 0.2

    def __post_init__(self) -> None:
        for name in ("test", "held_out"):
            if not 0 < getattr(self, name) < 1:
                option = f"--{name.replace('_', '-')}"
                raise NetloomError([Fault(BAD_SETTING, option, "between 0 and 1", f"{getattr(self, name):g}")])


@dataclass(frozen=True)
class Parts:
    """Numbers of rows, ascending."""

    train: Rows
    test: Rows
    held_out: Rows

    def named(self) -> Iterator[tuple[str, Rows]]:
        """The parts by their names in answers."""
        yield from (("train", self.train), ("test", self.test), ("held_out", self.held_out))


def _cut(order: Rows, share: float) -> tuple[Rows, Rows]:
    size = round(len(order) * share)
    return np.sort(order[:size]), order[size:]


def divided(rows: int, shares: Shares, seed: int) -> Parts:
    """Parts drawn with a seed.

    Raises
    ------
    NetloomError
        `NL-Q003` where a part would have fewer than two rows.
    """
    order = np.random.Generator(np.random.PCG64(seed)).permutation(rows)
    held_out, rest = _cut(order, shares.held_out)
    test, train = _cut(rest, shares.test)
    made = Parts(np.sort(train), test, held_out)
    for name, part in made.named():
        if len(part) < 2:
            words = {"train": "for training", "test": "for testing", "held_out": "held out"}[name]
            sentence = f"{rows} rows leave {len(part)} {words}, and two are needed"
            raise NetloomError([Fault(TOO_FEW, "samples", sentence, "", "give more rows, or other shares")])
    return made


def split_again(rows: int, train: float, seed: int, times: int) -> Iterator[tuple[Rows, Rows]]:
    """Random splits into training and test rows, `times` of them."""
    draws = np.random.Generator(np.random.PCG64(seed))
    for _ in range(times):
        order = draws.permutation(rows)
        size = round(rows * train)
        yield np.sort(order[:size]), np.sort(order[size:])
