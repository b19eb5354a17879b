"""The rooms of the package as ARCHITECTURE.md lists them: imports point one way.

Our own reader of imports, not import-linter: that one does not see modules which a table names (`import_module`), so
this reader, which the circles of files need too, would stay as well.
"""

from __future__ import annotations

from .owed import listed, settle
from .python_source import Import, circles, imports, modules, part

#: Parts that stand outside the layers: the package itself, which imports lazily what people ask for by name.
FREE = {"", "__main__"}
#: The table of rooms in ARCHITECTURE.md: a room may import those of earlier rows, and none of its own row.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("base",),
    ("plugin",),
    ("machine", "measured", "library", "learning"),
    ("network", "workload", "calibration", "results", "cost"),
    ("mapping",),
    ("jobs",),
    ("scenario", "formats"),
    ("plot",),
    ("report",),
    ("evaluate",),
    ("training",),
    ("compare", "tuning", "study", "contract", "explore", "validation", "whatif"),
    ("design", "expectation", "explanation", "extrapolation"),
    ("mpi",),
    ("reference",),
    ("cli",),
)


def edges(typing: bool) -> dict[tuple[str, str], list[str]]:
    """Which part imports which, with the places; those for type checkers only on request."""
    found: dict[tuple[str, str], list[str]] = {}
    for one in imports():
        pair = part(one.importer), part(one.imported)
        if pair[0] != pair[1] and not FREE & set(pair) and (typing or not one.typing):
            found.setdefault(pair, []).append(f"{one.importer}:{one.line}")
    return found


def between_files() -> dict[tuple[str, str], list[str]]:
    """Which file imports which when the program runs; not the rows that a list names and that it lies beside."""
    found: dict[tuple[str, str], list[str]] = {}
    for one in imports():
        if not (one.typing or FREE & {one.importer, one.imported} or _row_of_a_list(one)):
            found.setdefault((one.importer, one.imported), []).append(f"{one.importer}:{one.line}")
    return found


def _row_of_a_list(one: Import) -> bool:
    """A package whose table names modules of its own folder is a list, and they are its rows."""
    return one.by_name and one.imported.startswith(f"{one.importer}.")


def file_circles() -> dict[str, str]:
    """Files that stand in a circle of more than two, each with the circle's size and neighbours in it."""
    edges = between_files()
    return {
        name: f"in one of {len(group)}, through " + ", ".join(sorted(b for a, b in edges if a == name and b in group))
        for group in circles(edges)
        if len(group) > 2
        for name in group
    }


def upward() -> dict[str, str]:
    """Imports of a room by one that is not below it in `LAYERS`."""
    layer = {name: number for number, row in enumerate(LAYERS) for name in row}
    return {f"{a} -> {b}": ", ".join(places) for (a, b), places in edges(typing=False).items() if layer[a] <= layer[b]}


def test_no_circle_between_folders() -> None:
    """Imports inside functions and by name count; those for type checkers alone do not."""
    owed = {tuple(line.split(" -> ")) for line in listed("layers")}
    found = {pair: places for pair, places in edges(typing=False).items() if pair not in owed}
    wrong = {
        " ".join(group): {f"{a} -> {b}": found[a, b] for a, b in found if a in group and b in group}
        for group in circles(found)
    }
    assert wrong == {}, wrong


def test_no_circle_of_more_than_two_files() -> None:
    """What two files need lies in a third below both; only a list and its rows may know each other."""
    found = file_circles()
    settle("circles", found, found)


def test_imports_point_one_way() -> None:
    assert sorted(name for row in LAYERS for name in row) == sorted({part(module) for module in modules()} - FREE)
    found = upward()
    settle("layers", found, found)
