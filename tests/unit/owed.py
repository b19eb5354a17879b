"""What the architecture tests still find: lists that can only shrink, one file each in `tests/data/owed/`.

A test fails on what is not listed, and on what is listed and gone. `python -m tests.unit.owed` removes the lines of
what is gone; it never adds one.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "data" / "owed"


def listed(name: str) -> set[str]:
    """The lines of a list, without blank ones and comments."""
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def settle(name: str, found: Iterable[str], places: dict[str, str] | None = None) -> None:
    """Fail unless what was found is what the list says; `places` tells where a line was found."""
    owed, seen = listed(name), set(found)
    new = [f"{line} ({places[line]})" if places and line in places else line for line in sorted(seen - owed)]
    assert not new, f"new, not in tests/data/owed/{name}.txt:\n" + "\n".join(new)
    gone = sorted(owed - seen)
    assert not gone, f"gone; `python -m tests.unit.owed` takes these from tests/data/owed/{name}.txt:\n" + "\n".join(
        gone
    )


def shrink(name: str, found: Iterable[str]) -> None:
    """Take from a list what is no longer found; its comments stay."""
    path, seen = FOLDER / f"{name}.txt", set(found)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if line[0] in "#\n" or line.rstrip("\n") in seen), encoding="utf-8")


if __name__ == "__main__":
    from .test_architecture_names import class_names, type_names
    from .test_architecture_python import file_circles, upward
    from .test_architecture_sizes import wide_functions, wide_rust_functions
    from .test_architecture_words import words

    for name, found in {
        "circles": file_circles(),
        "layers": upward(),
        "parameters": {*wide_functions(), *wide_rust_functions()},
        "class_names": class_names(),
        "type_names": type_names(),
        "words": words(),
    }.items():
        shrink(name, found)
