"""Bars of the Python package: few places with `Any`, few parameters, commands that fit a screen."""

from __future__ import annotations

import re

import netloom

from .python_source import PACKAGE, body_lines, functions, is_command, mentions, modules, parameters

MOST_ANY = 59
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
