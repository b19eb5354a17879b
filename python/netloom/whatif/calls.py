"""Calls among the inputs of a scenario: what is written of their parameters, and what these are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .. import _core
from ..base.errors import NetloomError
from ..base.registries import catalogue
from ..scenario.axes import CALLS

if TYPE_CHECKING:
    from ..base.records import Param
    from ..scenario import Scenario

#: Name, arguments by place and arguments by name.
Call = tuple[str, list[object], Mapping[str, object]]


def call_of(start: str, scenario: Scenario) -> Call | None:
    """The call that an input is; None for a file, an object, or nothing."""
    text = scenario[start]
    if not isinstance(text, str) or not text:
        return None
    try:
        return _core.parse_call(text)
    except NetloomError:
        return None


def parameters_of(start: str, scenario: Scenario) -> list[Param]:
    """The parameters of the call that an input is."""
    found = call_of(start, scenario)
    for registry in CALLS[start] if found is not None else ():
        for row in catalogue(registry):
            if found is not None and found[0] in (row["name"], *row["aliases"]):
                return list(row["params"])
    return []


def described(start: str, scenario: Scenario) -> bool:
    """Whether all parameters of that call are known, so that another name is wrong."""
    return call_of(start, scenario) is None or bool(parameters_of(start, scenario))


def argument(key: str, scenario: Scenario) -> object:
    """What is written of a parameter such as `network.p`, in the call or as an input of its own; None for nothing."""
    if (own := scenario.given(key)) is not None:
        return own
    start, _, name = key.partition(".")
    found = call_of(start, scenario)
    if found is None:
        return None
    _, positional, named = found
    if name in named:
        return named[name]
    placed = [row for row in parameters_of(start, scenario) if not row.get("keyword_only")]
    if any(row.get("variadic") for row in placed):
        return None
    by_name = {row["name"]: value for row, value in zip(placed, positional, strict=False)}
    return by_name.get(name)
