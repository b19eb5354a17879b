"""Files of a crate that need each other in a circle: at most two, unless a list says so.

A file needs another one if a path of its code, in a `use` or not, leads to an item there. What a `mod.rs` only passes
on leads to where the item is; a `registry.rs` may name its rows, which take their types from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from .owed import settle
from .rust_source import production
from .test_architecture import CRATES

MOST = 2
_USE = re.compile(r"\b(?P<vis>pub(?:\([^)]*\))?\s+)?use\s+(?P<tree>[^;]+);")
_PATH = re.compile(r"(?<![\w:$])(?:crate|super|self)(?:\s*::\s*\w+)+")

Module = tuple[str, ...]


def leaves(tree: str) -> Iterator[tuple[Module, str]]:
    """Every path of a `use`, with the name that it has here."""
    tree = tree.strip()
    if "{" not in tree:
        path, _, alias = re.sub(r"\s+", " ", tree).partition(" as ")
        parts = tuple(part.strip() for part in path.split("::") if part.strip())
        yield parts, alias or parts[-1]
        return
    prefix, _, rest = tree.partition("{")
    depth, start = 1, 0
    for at, sign in enumerate(rest):
        depth += (sign == "{") - (sign == "}")
        if (sign == "," and depth == 1) or depth == 0:
            if rest[start:at].strip():
                for parts, name in leaves(prefix + rest[start:at].strip()):
                    yield (parts[:-1], parts[-2]) if parts[-1] == "self" and len(parts) > 1 else (parts, name)
            start = at + 1
        if depth == 0:
            return


class Crate:
    """The files of a crate by module, what they pass on, and which of them they need."""

    def __init__(self, folder: Path) -> None:
        self.code: dict[Module, str] = {}
        self.name: dict[Module, str] = {}
        for path, code in production(folder):
            inner = path.relative_to(folder / "src").with_suffix("").parts
            module = inner[:-1] if inner[-1] in ("mod", "lib") else inner
            self.code[module], self.name[module] = code, path.relative_to(folder / "src").as_posix()
        self.passed: dict[Module, dict[str, Module]] = {
            module: {
                name: parts
                for use in _USE.finditer(code)
                for parts, name in leaves(use["tree"])
                if use["vis"] and parts[0] != "std"
            }
            for module, code in self.code.items()
        }

    def home(self, module: Module, parts: Module, depth: int = 0) -> Module | None:
        """The module of the item to which a path leads; `None` outside the crate."""
        here: Module = module
        if parts[0] == "crate":
            here, parts = (), parts[1:]
        elif parts[0] == "self":
            parts = parts[1:]
        elif parts[0] != "super" and (*module, parts[0]) not in self.code:
            return None
        while parts and parts[0] == "super":
            here, parts = here[:-1], parts[1:]
        while parts and (*here, parts[0]) in self.code:
            here, parts = (*here, parts[0]), parts[1:]
        if parts and depth < 8 and (further := self.passed[here].get(parts[0])):
            return self.home(here, further, depth + 1) or here
        return here

    def needs(self, module: Module) -> set[Module]:
        code, found = self.code[module], set()
        for use in _USE.finditer(code):
            if not use["vis"]:
                found |= {self.home(module, parts) for parts, _ in leaves(use["tree"])}
        found |= {
            self.home(module, tuple(part.strip() for part in path[0].split("::")))
            for path in _PATH.finditer(_USE.sub("", code))
        }
        return {home for home in found if home is not None and home != module and home in self.code}

    def circles(self) -> list[list[str]]:
        """The files of every circle of more than two, by name."""
        graph = {m: set() if self.name[m].endswith("registry.rs") else self.needs(m) for m in self.code}
        return [sorted(self.name[m] for m in circle) for circle in joined(graph) if len(circle) > MOST]


def joined(graph: dict[Module, set[Module]]) -> list[list[Module]]:
    """Strongly connected components (Tarjan 1972)."""
    number: dict[Module, int] = {}
    low: dict[Module, int] = {}
    stack: list[Module] = []
    found: list[list[Module]] = []

    def visit(node: Module) -> None:
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            at = stack.index(node)
            found.append(stack[at:])
            del stack[at:]

    for node in sorted(graph):
        if node not in number:
            visit(node)
    return found


def rust_circles() -> list[str]:
    """Every file that is in a circle of more than two, as `crate: file`."""
    return [
        f"{path.parent.name}: {name}"
        for path in sorted(CRATES.glob("*/Cargo.toml"))
        for circle in Crate(path.parent).circles()
        for name in circle
    ]


def test_no_more_than_two_files_of_a_crate_need_each_other_in_a_circle() -> None:
    settle("rust_circles", rust_circles())


def test_a_circle_is_found_through_what_is_passed_on(tmp_path: Path) -> None:
    files = {
        "lib.rs": "mod a;\nmod b;\nmod c;\npub use c::{C, D as E};\n",
        "a.rs": "use super::b::B;\npub struct A(B);\n",
        "b.rs": "use crate::{E};\npub struct B(E);\n",
        "c.rs": "pub struct C;\npub struct D;\npub fn f() -> super::a::A { todo() }\n",
    }
    (tmp_path / "src").mkdir()
    for name, text in files.items():
        (tmp_path / "src" / name).write_text(text)
    assert Crate(tmp_path).circles() == [["a.rs", "b.rs", "c.rs"]]
    (tmp_path / "src" / "b.rs").write_text("pub struct B;\n")
    assert Crate(tmp_path).circles() == []
