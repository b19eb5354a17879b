"""The rooms of the package as ARCHITECTURE.md lists them: imports point one way."""

from __future__ import annotations

from .python_source import circles, imports, modules, part

#: Parts that stand outside the layers: the package itself, which imports lazily what people ask for by name.
FREE = {"", "__main__"}
#: The table of rooms in ARCHITECTURE.md: a room may import those of earlier rows, and none of its own row.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("base",),
    ("plugin",),
    ("network", "workload", "machine", "results", "cost"),
    ("calibration",),
    ("mapping",),
    ("jobs",),
    ("scenario", "formats"),
    ("plot",),
    ("report",),
    ("evaluate",),
    ("compare", "tuning", "study", "contract", "reference", "explore"),
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


def test_no_circle_between_folders() -> None:
    """Imports inside functions count; those for type checkers alone do not."""
    found = edges(typing=False)
    wrong = {
        " ".join(group): {f"{a} -> {b}": found[a, b] for a, b in found if a in group and b in group}
        for group in circles(found)
    }
    assert wrong == {}, wrong


def test_imports_point_one_way() -> None:
    layer = {name: number for number, row in enumerate(LAYERS) for name in row}
    assert sorted(layer) == sorted({part(module) for module in modules()} - FREE), "LAYERS names what there is"
    wrong = {f"{a} -> {b}": places for (a, b), places in edges(typing=False).items() if layer[a] <= layer[b]}
    assert wrong == {}, wrong
