"""Groups of ranks: levels of a hierarchy, and splits as `MPI_Comm_split` makes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

from ..base.nearest import did_you_mean
from .step_keys import of

Lists = list[list[int]]
#: Says what is wrong: a path from `groups` on, a sentence or what was expected, the value.
Refuse = Callable[..., None]
MAX_RANKS = 1 << 20


class Groups:
    """Names of groups and the ranks in them.

    Parameters
    ----------
    ranks
        0: the product of the levels.
    table
        Of the file.
    refuse
        Called for everything that is wrong.
    """

    def __init__(self, ranks: int, table: Mapping[str, Any], refuse: Refuse) -> None:
        self._refuse = refuse
        self.levels: dict[str, int] = {}
        self._splits: dict[str, Lists] = {}
        table = {str(name): value for name, value in table.items()}
        sizes = {name: value for name, value in table.items() if type(value) is int and name != "order"}
        splits = {name: value for name, value in table.items() if name not in sizes and name != "order"}
        self._order(sizes, table.get("order", list(sizes)))
        whole = prod(self.levels.values())
        self.ranks = ranks or (whole if self.levels else 0)
        if self.levels and whole != self.ranks:
            words = " x ".join(f"{name} {size}" for name, size in self.levels.items())
            self._refuse((), f"the levels multiply to {whole} ({words}), but there are {self.ranks} ranks")
        if self.ranks > MAX_RANKS:
            self._refuse(("ranks",), f"at most {MAX_RANKS} ranks", str(self.ranks))
            self.ranks = 0
        for name, split in splits.items():
            made = self._split(name, split) if isinstance(split, dict) and self.ranks else None
            if not isinstance(split, dict):
                self._refuse((name,), "the size of a level, or a split such as { block = 8 }", ascii(split)[:60])
            self._splits[name] = made or []

    def _order(self, sizes: dict[str, int], order: Any) -> None:
        if not isinstance(order, list) or sorted(map(str, order)) != sorted(sizes):
            self._refuse(("order",), f"the levels, each once: {', '.join(sizes) or 'there is none'}", ascii(order)[:60])
            order = list(sizes)
        for name in order:
            if not 1 <= sizes[name] <= MAX_RANKS:
                self._refuse((name,), f"an integer in 1..{MAX_RANKS}", str(sizes[name]))
            self.levels[name] = sizes[name]

    def lists(self, on: str | Sequence[str]) -> Lists:
        """Ranks of every group, in the order of their numbers within it.

        Raises
        ------
        KeyError
            With what was expected and a hint, for a name that nothing has.
        """
        names = [on] if isinstance(on, str) else list(on)
        if len(names) == 1 and names[0] in self._splits:
            return self._splits[names[0]]
        for name in names:
            if name not in self.levels or names.count(name) > 1:
                expected = "a group of [groups]" if len(names) == 1 else "levels of [groups], each once"
                raise KeyError(expected, did_you_mean(name, [*self.levels, *self._splits], "groups"))
        # The first level varies fastest: rank = sum of digit x stride.
        inner, outer, stride = [0], [0], 1
        for name, size in self.levels.items():
            steps = [digit * stride for digit in range(size)]
            if name in names:
                inner = [rank + step for step in steps for rank in inner]
            else:
                outer = [rank + step for step in steps for rank in outer]
            stride *= size
        return [[first + step for step in inner] for first in outer]

    def all(self) -> Lists:
        """One group of all ranks."""
        return [list(range(self.ranks))]

    def _split(self, name: str, split: dict[str, Any]) -> Lists | None:
        known, split = of("split"), {str(key): value for key, value in split.items()}
        for key, value in split.items():
            if key not in known:
                self._refuse((name, key), "is not a key of a split", "", did_you_mean(key, known, "keys"))
                return None
            if type(value) not in known[key]:
                self._refuse((name, key), "an integer" if int in known[key] else "a list", ascii(value)[:60])
                return None
        kinds = [key for key in split if key != "key"]
        if len(kinds) != 1 or ("key" in split and kinds != ["colour"]):
            self._refuse((name,), "needs exactly one of block, stride, colour (with or without key) and lists")
            return None
        if kinds[0] in ("block", "stride"):
            return self._regular(name, kinds[0], split[kinds[0]])
        return self._coloured(name, split) if kinds[0] == "colour" else self._listed(name, split["lists"])

    def _regular(self, name: str, kind: str, size: int) -> Lists | None:
        if not 1 <= size <= self.ranks or self.ranks % size:
            self._refuse((name, kind), f"a divisor of {self.ranks}, the number of ranks", str(size))
            return None
        if kind == "block":
            return [list(range(first, first + size)) for first in range(0, self.ranks, size)]
        return [list(range(first, self.ranks, size)) for first in range(size)]

    def _coloured(self, name: str, split: dict[str, Any]) -> Lists | None:
        colours, keys = split["colour"], split.get("key", range(self.ranks))
        for what, values in (("colour", colours), ("key", keys)):
            if len(values) != self.ranks or any(type(value) is not int for value in values):
                self._refuse((name, what), f"{self.ranks} integers, one per rank", f"a list of {len(values)}")
                return None
        groups: dict[int, list[int]] = {}
        for rank, colour in enumerate(colours):
            if colour >= 0:
                groups.setdefault(colour, []).append(rank)
        return [sorted(groups[colour], key=lambda rank: (keys[rank], rank)) for colour in sorted(groups)]

    def _listed(self, name: str, lists: list[Any]) -> Lists | None:
        seen: set[int] = set()
        for number, one in enumerate(lists):
            if not isinstance(one, list) or not one:
                self._refuse((name, "lists", number), "a list of ranks", ascii(one)[:60])
                return None
            for rank in one:
                if type(rank) is not int or not 0 <= rank < self.ranks or rank in seen:
                    expected = f"ranks in 0..{self.ranks - 1}, each in one group only"
                    self._refuse((name, "lists", number), expected, ascii(rank)[:60])
                    return None
                seen.add(rank)
        return lists
