"""The rules of Open MPI as a table of the page of libraries, from the decision table that is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..library.decide import table_of

if TYPE_CHECKING:
    from ..library.conditions import Tree


def rules() -> str:
    """One row for each collective and number of ranks: algorithms with the bytes up to which each is chosen."""
    lines = ["| collective | ranks | algorithm, by bytes |", "|---|---|---|"]
    for name, row in table_of("ompi")["collectives"].items():
        shown = ""
        for ranks, cell in _by_ranks(row["tree"]):
            lines.append(f"| {name if name != shown else ''} | {ranks} | {cell} |")
            shown = name
    return "\n".join(lines)


def _by_ranks(tree: Tree) -> Iterator[tuple[str, str]]:
    """Ranges of ranks and what is chosen there; neighbours that choose alike are one."""
    if isinstance(tree, Mapping) and "is_commutative=no" in tree:
        # Operations are commutative here, as nearly all are.
        tree = next(below for condition, below in tree.items() if condition != "is_commutative=no")
    if isinstance(tree, str) or not any(key.startswith("comm_size") for key in tree):
        yield "all", _by_bytes(tree)
        return
    least, waiting = 2, ("", "")
    for condition, below in tree.items():
        most = int(condition.partition("<")[2]) - 1 if condition.startswith("comm_size<") else None
        cell = _by_bytes(below)
        first = int(waiting[0].partition(" ")[0]) if waiting[1] == cell else least
        if waiting[1] and waiting[1] != cell:
            yield waiting
        ranks = f"{first}" if most == first else f"{first} to {most}" if most is not None else f"{first} and more"
        waiting, least = (ranks, cell), (most or 0) + 1
    yield waiting


def _by_bytes(tree: Tree) -> str:
    if isinstance(tree, str):
        return tree
    cells = []
    for condition, leaf in tree.items():
        words = leaf if isinstance(leaf, str) else f"({_by_bytes(leaf)})"
        limit = condition.partition("<")[2]
        unit = " in all" if condition.startswith("total") else ""
        cells.append(words if condition == "any" else f"{words} below {_size(limit)}{unit}")
    return ", ".join(cells)


def _size(text: str) -> str:
    from ..base.quantities import size_text

    return size_text(int(text)) if text.isdecimal() else text


if __name__ == "__main__":
    print(rules())
