"""The communicating steps of a file of steps one by one: what each sends, and in which order they are done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _core
from .groups import Lists
from .resolve import builder, kind_of
from .step_reader import Reader, load

if TYPE_CHECKING:
    from .step_reader import Keys

#: Most steps done one after the other, those of repetitions too.
MOST_DONE = 20_000
Given = tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Leaf:
    """One step with a workload.

    Parameters
    ----------
    name
        Its number in the file, `2.1` for the first step within the second, with its workload and groups.
    given
        What `Programs.compose` takes.
    groups
        Ranks of each group that communicates.
    """

    name: str
    given: tuple[Given, ...]
    groups: Lists

    def program(self, ranks: int, group: int | None = None) -> _core.Programs:
        """All of it, or what one of its groups does."""
        if group is None:
            return _core.Programs.compose(self.name, ranks, self.given)
        own = self.groups[group]
        return _core.Programs.compose(
            self.name, ranks, [(kind, work, [own]) for kind, work, lists in self.given if own in lists]
        )


@dataclass(frozen=True, eq=False)
class Part:
    """Steps that ranks do at the same time: one, or the branches of `together`."""

    given: tuple[Given, ...]
    leaves: tuple[Leaf, ...]

    def program(self, ranks: int) -> _core.Programs:
        """What it sends, computing included."""
        return _core.Programs.compose("part", ranks, self.given)


@dataclass(frozen=True, eq=False)
class Steps:
    """A file of steps.

    Parameters
    ----------
    parts
        Each once.
    order
        Index of the part of each step that is done.
    """

    ranks: int
    parts: tuple[Part, ...]
    order: tuple[int, ...]


def steps_of(source: object, ranks: int, algorithms: Mapping[str, str], folder: Path) -> Steps | None:
    """The steps of a file; None for another workload, and where more than `MOST_DONE` are done.

    Raises
    ------
    NetloomError
        What is wrong with the file.
    """
    if not isinstance(source, str) or kind_of(source, folder) != "steps":
        return None
    path = folder / source
    table, spans = load(path, source)
    reader = _Named(source, spans, builder(path.parent, algorithms))
    walk = _Walk(reader.leaves)
    made = reader.sequence(table, ranks)
    order: list[int] = []
    for part in walk.done(made):
        order.append(part)
        if len(order) > MOST_DONE:
            return None
    return Steps(reader.groups.ranks, tuple(walk.parts), tuple(order))


class _Named(Reader):
    """Remembers which step each piece of the program is of."""

    leaves: dict[int, Leaf]

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        # The pieces stay alive in the leaves, so that their numbers are their own.
        self.leaves = {}

    def _work(self, step: dict[str, Any], groups: Lists, path: Keys) -> list[Given]:
        made = super()._work(step, groups, path)
        source = step["workload"]
        name = ".".join(str(key + 1) for key in path if isinstance(key, int))
        name += f": {source if isinstance(source, str) else source.label}"
        on = step.get("on")
        if on is not None:
            name += f" on {on if isinstance(on, str) else ', '.join(map(str, on))}"
        communicating = [group for group in groups if len(group) > 1]
        if made:
            leaf = Leaf(name, tuple(made), communicating)
            self.leaves |= {id(piece): leaf for piece in made}
        return made


class _Walk:
    """Parts in the order in which they are done."""

    def __init__(self, leaves: Mapping[int, Leaf]) -> None:
        self._leaves = leaves
        self.parts: list[Part] = []
        self._numbers: dict[int, int] = {}

    def done(self, given: Sequence[Given]) -> Iterator[int]:
        before = None
        for piece in given:
            kind = piece[0]
            leaf = self._leaves.get(id(piece))
            if kind == "repeat":
                # What only computes may be repeated without end.
                body = list(islice(self.done(piece[2]), MOST_DONE + 1))
                for _ in range(piece[1] if body else 0):
                    yield from body
            elif kind == "together":
                leaves = tuple(dict.fromkeys(self._within(piece[1])))
                if leaves:
                    yield self._number(piece, (piece,), leaves)
            elif leaf is not None and leaf is not before:
                # Groups of several sizes are pieces of one step.
                yield self._number(leaf.given[0], leaf.given, (leaf,))
            before = leaf

    def _within(self, branches: Sequence[Sequence[Given]]) -> Iterator[Leaf]:
        for branch in branches:
            for piece in branch:
                if piece[0] == "repeat":
                    yield from self._within([piece[2]])
                elif piece[0] == "together":
                    yield from self._within(piece[1])
                elif id(piece) in self._leaves:
                    yield self._leaves[id(piece)]

    def _number(self, piece: Given, given: tuple[Given, ...], leaves: tuple[Leaf, ...]) -> int:
        if id(piece) not in self._numbers:
            self._numbers[id(piece)] = len(self.parts)
            self.parts.append(Part(given, leaves))
        return self._numbers[id(piece)]
