"""One Python function per registered topology, with the signature and help of its attribute table."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from .. import _core
from ..base import memory
from ..base.registries import catalogue

if TYPE_CHECKING:
    from ..base.records import Row


@cache
def names() -> tuple[str, ...]:
    """Python names of all topologies."""
    return tuple(str(row["name"]).replace("-", "_") for row in catalogue("topologies"))


def constructor(name: str) -> Callable[..., _core.Network]:
    """The function that builds topology `name`.

    Raises
    ------
    AttributeError
        If no topology has this name or alias; the message proposes the nearest.
    """
    for row in catalogue("topologies"):
        spellings = [str(row["name"]), *row["aliases"]]
        if name in (spelling.replace("-", "_") for spelling in spellings):
            return _function(name, row)
    near = _nearest(name)
    hint = f"; did you mean {near!r}?" if near else ""
    raise AttributeError(f"module 'netloom' has no attribute {name!r}{hint}")


def _nearest(name: str) -> str | None:
    import difflib

    close = difflib.get_close_matches(name, names(), n=1)
    return close[0] if close else None


def _function(name: str, row: Row) -> Callable[..., _core.Network]:
    registered = str(row["name"])
    # The signature shows None where a parameter is absent by default; given, it means the same.
    absent = {param["name"] for param in row["params"] if param["default"] == ""}

    def build(*args: object, **kwargs: object) -> _core.Network:
        given = {key: value for key, value in kwargs.items() if value is not None or key not in absent}
        memory.renew()
        return _core.Network.make(registered, *args, **given)

    build.__name__ = build.__qualname__ = name
    build.__module__ = "netloom"
    build.__doc__ = _help(row)
    build.__signature__ = _signature(row)  # type: ignore[attr-defined]
    return build


def _signature(row: Row) -> inspect.Signature:
    kinds = inspect.Parameter
    parameters = []
    starred = False
    for param in row["params"]:
        if param["variadic"]:
            parameters.append(kinds(param["name"], kinds.VAR_POSITIONAL))
            starred = True
            continue
        keyword = param["keyword_only"] or starred
        default = kinds.empty if param["default"] is None else _default(str(param["default"]))
        parameters.append(
            kinds(param["name"], kinds.KEYWORD_ONLY if keyword else kinds.POSITIONAL_OR_KEYWORD, default=default)
        )
    order: dict[object, int] = {kinds.POSITIONAL_OR_KEYWORD: 0, kinds.VAR_POSITIONAL: 1, kinds.KEYWORD_ONLY: 2}
    # A required positional parameter cannot follow one with a default in Python: such a one is shown as keyword-only.
    seen_default = False
    for i, parameter in enumerate(parameters):
        if parameter.kind is kinds.POSITIONAL_OR_KEYWORD:
            if seen_default and parameter.default is kinds.empty:
                parameters[i] = parameter.replace(kind=kinds.KEYWORD_ONLY)
            seen_default |= parameter.default is not kinds.empty
    return inspect.Signature(sorted(parameters, key=lambda p: order[p.kind]))


def _default(text: str) -> object:
    """A default of the registry as a Python value: `1`, `true` and `"100 Gbps"` are JSON, `ring` is a word."""
    try:
        return json.loads(text) if text else None
    except ValueError:
        return text


def _help(row: Row) -> str:
    lines = [str(row["summary"]), "", "Parameters", "----------"]
    for param in row["params"]:
        default = "" if param["default"] in (None, "") else f", default {param['default']}"
        lines += [f"{param['name']} : {param['kind']}{default}", f"    {param['help']}"]
    if row["restrictions"]:
        lines += ["", "Restrictions", "------------", str(row["restrictions"])]
    lines += ["", "Source", "------", str(row["source"]), "", f"Example: `{row['example']}`"]
    return "\n".join(lines)
