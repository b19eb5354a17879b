"""What the page offers: the catalogue with its parameters, and calls taken apart for its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from .. import _core, calibration, plugin
from ..base.errors import NetloomError
from ..base.registries import catalogue
from ..scenario.axes import BY_NAME

if TYPE_CHECKING:
    from ..base.records import Param, Row

#: Fields that hold a call, and the registries whose names they offer.
CALLS: dict[str, tuple[str, ...]] = {
    "network": ("topologies",),
    "workload": ("collectives", "patterns", "applications"),
    "placement": ("placements",),
    "order": ("orders", "optimisers"),
    "routing": ("routings",),
    "variant": ("variants",),
    "node": ("nodes",),
}
#: Fields that hold a text, in the order of the page.
TEXTS = (
    *("fail", "size_bytes", "root", "ranks", "cores", "repetitions"),
    *("calibration", "duplex", "switch_latency", "flops_per_s", "algorithms", "seed"),
)
#: Routings that read a file.
_OF_FILES = ("tables",)


class Choice(TypedDict):
    """A name that a field offers."""

    name: str
    group: str
    example: str
    summary: str
    params: list[dict[str, object]]


class Spelled(TypedDict):
    """A call taken apart: its name, and the text of each parameter given."""

    name: str
    given: dict[str, str]


def fields() -> dict[str, object]:
    """The page's fields: help and default of each axis, choices of those that hold a call."""
    axes = {
        name: {"help": BY_NAME[name].help, "default": str(BY_NAME[name].default or "")} for name in (*CALLS, *TEXTS)
    }
    calls = {axis: [choice for kind in kinds for choice in _choices(kind)] for axis, kinds in CALLS.items()}
    return {"axes": axes, "calls": calls, "calibrations": list(calibration.names())}


def spelled(axis: str, text: str) -> Spelled | None:
    """The call of a field taken apart; None for text that is no call of a known name."""
    try:
        name, positional, keyword = _core.parse_call(text)
    except NetloomError:
        return None
    row = next((row for kind in CALLS[axis] for row in _rows(kind) if name in (row["name"], *row["aliases"])), None)
    if row is None:
        return None
    given: dict[str, str] = {}
    left = list(positional)
    for param in row["params"]:
        if param["variadic"] and left:
            given[param["name"]] = ",".join(map(_text, left))
            left = []
        elif left and not param["keyword_only"]:
            given[param["name"]] = _text(left.pop(0))
    return {"name": row["name"], "given": given | {key: _text(value) for key, value in keyword.items()}}


def _text(value: object) -> str:
    """A parsed value as it is written in a call."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(_text, value))}]"
    return str(value)


def _rows(kind: str) -> list[Row]:
    return [row for row in (*catalogue(kind), *plugin.rows(kind)) if row["name"] not in _OF_FILES]


def _choices(kind: str) -> list[Choice]:
    made: list[Choice] = []
    for row in _rows(kind):
        group = f"{row['name'].partition(':')[0]}" if kind == "collectives" else kind
        example, summary = row["example"], row["summary"]
        params = [_param(param) for param in row.get("params", [])]
        made.append({"name": row["name"], "group": group, "example": example, "summary": summary, "params": params})
    return made


def _param(param: Param) -> dict[str, object]:
    options: list[str] = []
    if param["type"] == "choice":
        options = param["kind"].removeprefix("one of ").split(", ")
    elif param["type"] == "bool":
        options = ["true", "false"]
    keys = {key: param[key] for key in ("name", "kind", "help", "type", "variadic")}
    return {**keys, "default": param["default"] or "", "required": param["default"] is None, "options": options}
