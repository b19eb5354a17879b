"""The topology constructors as a stub file, so that `netloom.torus(` completes in an editor and type-checks.

The functions themselves are created from the registry on demand (`netloom.network.constructors`). This
writes their signatures and help to a file: `python -m netloom.reference.constructors` renews
`network/_topologies.pyi`; a test keeps it current.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..base import files
from ..base.registries import catalogue
from ..network.constructors import constructor

HOME = Path(__file__).parents[1] / "network" / "_topologies.pyi"

_HEAD = '''\
"""Generated from the registry (`python -m netloom.reference.constructors`); a test keeps it current."""

from collections.abc import Sequence
from typing import Literal

from .._core import Network
'''

_TYPES = {
    "int": "int",
    "float": "float",
    "bool": "bool",
    "text": "str",
    "ints": "int | Sequence[int]",
    "counts": "int | Sequence[int]",
    "bools": "bool | Sequence[bool]",
    "quantity": "float | str",
}


def render() -> str:
    """The stub file: one function per topology, one assignment per alias."""
    lines = [_HEAD]
    for row in catalogue("topologies"):
        name = _python_name(row["name"])
        lines += [*_function(name, {param["name"]: param for param in row["params"]}), ""]
        lines += [f"{_python_name(alias)} = {name}" for alias in row["aliases"]]
        lines += [""] if row["aliases"] else []
    return "\n".join(lines)


def _python_name(name: object) -> str:
    return str(name).replace("-", "_")


def _function(name: str, params: Mapping[str, Mapping[str, object]]) -> Iterator[str]:
    made = constructor(name)
    yield f"def {name}("
    starred = False
    for parameter in inspect.signature(made).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            yield "    *,"
        starred |= parameter.kind is not parameter.POSITIONAL_OR_KEYWORD
        yield f"    {_parameter(parameter, params[parameter.name])},"
    yield ") -> Network:"
    first, *rest = (made.__doc__ or "").splitlines()
    yield f'    r"""{first}'
    for line in rest:
        hanging = "    " * (1 + line.startswith(" "))
        yield textwrap.fill(
            line.strip(), 120, initial_indent=hanging, subsequent_indent=hanging, break_on_hyphens=False
        )
    yield '    """'


def _parameter(shown: inspect.Parameter, param: Mapping[str, object]) -> str:
    if shown.kind is shown.VAR_POSITIONAL:
        words = _words(param)
        return f"*{shown.name}: int" + (f" | {words}" if words else "")
    text = f"{shown.name}: {_annotation(param)}"
    if shown.default is shown.empty:
        return text
    return f"{text} | None = None" if shown.default is None else f"{text} = {_literal(shown.default)}"


def _annotation(param: Mapping[str, object]) -> str:
    kind, words = str(param["type"]), _words(param)
    if kind == "choice":
        return words
    return _TYPES[kind] + (f" | {words}" if words else "")


def _words(param: Mapping[str, object]) -> str:
    """The words that a parameter takes, as a literal type, from the registry's own sentence about it."""
    sentence = str(param["kind"])
    if param["type"] == "choice":
        words = sentence.removeprefix("one of ").split(", ")
    else:
        words = sentence.partition(", or ")[2].split(" or ")
    return f"Literal[{', '.join(_literal(word) for word in words)}]" if any(words) else ""


def _literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


if __name__ == "__main__":
    files.write(HOME, render().encode())
