"""Inputs such as `node.nics`: one parameter of the call, or one setting of the table, that another input is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from .. import _core
from ..base.errors import Fault, NetloomError
from .axes import BY_NAME, CALLS, PARTED, TABLES, Axis
from .codes import NOT_PLAIN

if TYPE_CHECKING:
    from .canonical import Scalar


def head(name: str) -> str:
    """The input that `node.nics` is a part of; the input itself otherwise."""
    return name.partition(".")[0]


def is_parameter(name: str) -> bool:
    """True for the name of a part of an input that has parts."""
    start, dot, key = name.partition(".")
    return bool(dot and key) and start in PARTED


def axis_of(name: str) -> Axis | None:
    """The input of that name: a row of the table of axes, or a part of one."""
    if is_parameter(name):
        start, _, key = name.partition(".")
        kind = "setting" if start in TABLES else "parameter"
        return replace(BY_NAME[start], name=name, kind=kind, default="", help=f"{key} of {start}", flags=(), many=False)
    return BY_NAME.get(name)


def with_parameters(name: str, base: object, values: Mapping[str, object]) -> object:
    """An input with other values of some of its parameters.

    Parameters
    ----------
    values
        By parameter or setting, without the input's name.

    Raises
    ------
    NetloomError
        `NL-H001` for a parameter of what is no call: an object, a file, or nothing.
    """
    if not values:
        return base
    if name in TABLES:
        return {**(base if isinstance(base, Mapping) else {}), **values}
    first = next(iter(values))
    if not isinstance(base, str) or not base or base == "auto":
        words = f"a {type(base).__name__}" if not isinstance(base, str) else f'"{base}"'
        expected = f"a call as {name}, one of whose parameters it is"
        raise NetloomError([Fault(NOT_PLAIN, f"{name}.{first}", expected, words, f"give {name} too, as a call")])
    text = base
    for key, value in values.items():
        text = _core.with_argument(CALLS[name], text, key, value)
    return text


def checked(name: str, value: Scalar) -> Scalar:
    """The value of a part of an input; a setting in the core's form.

    Raises
    ------
    NetloomError
        `NL-A003`, `NL-A007` for a setting that does not exist or is out of range.
    """
    start, _, key = name.partition(".")
    if start in TABLES:
        known = _core.machine_settings(start, {key: value})[key]
        return known if isinstance(known, (str, int, float)) else value
    return value
