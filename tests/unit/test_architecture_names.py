"""One name, one thing: no class name twice in a folder of the package, no type name twice in a crate."""

from __future__ import annotations

import re

from .owed import settle
from .python_source import PACKAGE, classes, modules
from .rust_source import production
from .test_architecture import CRATES

#: A type of a crate: structs, enums, traits and unions anywhere, aliases outside `impl` blocks.
_TYPE = re.compile(
    r"^(?:[ \t]*(?:pub(?:\([^)]*\))?\s+)?(?:struct|enum|trait|union)|(?:pub(?:\([^)]*\))?\s+)?type)\s+(\w+)", re.M
)


def class_names() -> dict[str, str]:
    """Class names that a folder of the package has more than once, with the files."""
    found: dict[tuple[str, str], list[str]] = {}
    for path in modules().values():
        folder = path.parent.relative_to(PACKAGE).as_posix()
        for name in classes(path):
            found.setdefault((folder, name), []).append(path.name)
    return {f"{folder}: {name}": ", ".join(files) for (folder, name), files in found.items() if len(files) > 1}


def type_names() -> dict[str, str]:
    """Type names that a crate has more than once outside tests, with the files."""
    found: dict[tuple[str, str], list[str]] = {}
    for crate in sorted(path.parent for path in CRATES.glob("*/Cargo.toml")):
        for path, code in production(crate):
            for name in _TYPE.findall(code):
                found.setdefault((crate.name, name), []).append(path.relative_to(crate / "src").as_posix())
    return {f"{crate}: {name}": ", ".join(files) for (crate, name), files in found.items() if len(files) > 1}


def test_no_class_name_twice_in_a_folder() -> None:
    found = class_names()
    settle("class_names", found, found)


def test_no_type_name_twice_in_a_crate() -> None:
    found = type_names()
    settle("type_names", found, found)
