"""Bars of the Python package: few places with `Any`, few parameters, commands that fit a screen."""

from __future__ import annotations

import re

import netloom

from .owed import settle
from .python_source import PACKAGE, body_lines, functions, is_command, mentions, modules, parameters, things_taken
from .rust_source import production, signatures
from .test_architecture import CRATES

MOST_ANY = 57
MOST_PARAMETERS = 8
MOST_COMMAND_LINES = 40


def test_any_stands_at_few_places() -> None:
    """Lines of code that use `Any`; its imports are not counted, quoted annotations and stubs are."""
    paths = (*modules().values(), *PACKAGE.rglob("*.pyi"))
    places = {str(path.relative_to(PACKAGE)): len(lines) for path in paths if (lines := mentions(path, "Any"))}
    assert sum(places.values()) <= MOST_ANY, f"{sum(places.values())}: {places}"


def test_public_functions_take_few_parameters() -> None:
    wide = {
        f"{module}.{name}": count
        for module, path in modules().items()
        if not any(word.startswith("_") for word in module.split("."))
        for name, node in functions(path)
        if not re.search(r"(^|\.)_", name) and (count := parameters(node)) > MOST_PARAMETERS
    }
    assert wide == {}, wide


def wide_functions() -> dict[str, int]:
    """Functions, private ones too, that take more values than `MOST_PARAMETERS`, however they are packed."""
    return {
        f"{module}.{name}": count
        for module, path in modules().items()
        for name, node in functions(path)
        if (count := things_taken(module, node)) > MOST_PARAMETERS
    }


def wide_rust_functions() -> dict[str, int]:
    """The same of the crates, outside tests: a tuple of n counts n."""
    return {
        f"{path.relative_to(CRATES).as_posix()}: {name}": count
        for crate in sorted(path.parent for path in CRATES.glob("*/Cargo.toml"))
        for path, code in production(crate)
        for name, count in signatures(code)
        if count > MOST_PARAMETERS
    }


def test_what_is_packed_counts_as_parameters() -> None:
    """A tuple in place of several parameters counts each of its members, `Unpack` of a table each of its keys."""
    settle("parameters", {*wide_functions(), *wide_rust_functions()})


def test_everything_in_all_is_seen_by_that_test() -> None:
    """A public name is a class, or a function of a module of the package that the test above reads."""
    seen = {f"{module}.{name}" for module, path in modules().items() for name, _ in functions(path)}
    for name in netloom.__all__:
        value = getattr(netloom, name)
        home = value.__module__.removeprefix("netloom").lstrip(".")
        assert isinstance(value, type) or f"{home}.{value.__name__}" in seen, name


def test_command_functions_fit_a_screen() -> None:
    commands = {
        f"{module}.{name}": body_lines(node)
        for module, path in modules().items()
        for name, node in functions(path)
        if is_command(node)
    }
    assert len(commands) >= 10
    long = {name: lines for name, lines in commands.items() if lines > MOST_COMMAND_LINES}
    assert long == {}, long
