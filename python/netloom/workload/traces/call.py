"""Texts that name a trace with its format or in another size: `trace("run.goal",compute=0.5,bytes=2)`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ... import _core
from ...base.errors import Fault, NetloomError
from ...base.nearest import did_you_mean
from .reading import format_of

if TYPE_CHECKING:
    from .row import Border, Factors

#: The name of a call that leaves the format to be recognised.
ANY = "trace"
#: What a call takes besides its file.
NAMES = ("compute", "bytes", "begin", "end")
_BORDER = re.compile(r"([^\"\\]{1,200}?)(?::([1-9][0-9]{0,8}))?")
_PART = re.compile(r"\s*(\d{1,7})(?:\s*-\s*(\d{1,7}))?\s*=\s*([^\s=;]+)\s*")


@dataclass(frozen=True)
class TraceCall:
    """A file, its format or None for the recognised one, factors on what it says, and the part of it that is taken."""

    path: str
    format: str | None
    scale: Factors


def trace_call(text: str) -> TraceCall | None:
    """What a text says of a trace; None of one that names none.

    Raises
    ------
    NetloomError
        `NL-A001`, `NL-A003`, `NL-A007` for what does not fit a call of a trace.
    """
    name, opens, _ = text.partition("(")
    name = name.strip()
    if not opens or (name != ANY and format_of(name) is None):
        return None
    _, positional, named = _core.parse_call(text)
    if len(positional) != 1 or not isinstance(positional[0], str):
        raise _fault("one file in quotes", text[:60], f'for example {name}("file",bytes=2)')
    if unknown := next((key for key in named if key not in NAMES), None):
        sentence = "is no parameter of a trace"
        raise NetloomError(
            [Fault("NL-A003", f"workload.{unknown}", sentence, "", did_you_mean(unknown, NAMES, "them"))]
        )
    factor = named.get("bytes", 1.0)
    if isinstance(factor, bool) or not isinstance(factor, (int, float)):
        raise _fault("bytes, a factor such as 2", ascii(factor)[:60], "")
    part = (_border("begin", named.get("begin")), _border("end", named.get("end")))
    _require_order(*part)
    scale = (_compute(named.get("compute", 1.0)), float(factor), part)
    return TraceCall(positional[0], None if name == ANY else format_of(name), scale)


def _border(side: str, value: object) -> Border | None:
    """Where a part begins or ends: seconds, or a name and which of them."""
    if value is None:
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < math.inf:
        return float(value)
    found = _BORDER.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        expected = f'{side}, seconds from the first event on, or the number of a call on each rank, "barrier:2"'
        raise _fault(expected, ascii(value)[:60], "")
    return found[1], int(found[2] or 1)


def _require_order(begin: Border | None, end: Border | None) -> None:
    if isinstance(begin, tuple) and isinstance(end, tuple):
        is_turned = begin[0] == end[0] and begin[1] >= end[1]
    else:
        is_turned = isinstance(begin, float) and isinstance(end, float) and begin >= end
    if is_turned:
        raise _fault("an end after the begin", f"{_said(begin)} to {_said(end)}", "give a later end")


def _said(border: Border | None) -> str:
    return f"{border[0]}:{border[1]}" if isinstance(border, tuple) else f"{border} s"


def said_part(part: tuple[Border | None, Border | None]) -> str:
    """Both borders as arguments of a call of a trace, after others; empty for all of it."""
    named = [(side, one) for side, one in zip(("begin", "end"), part, strict=True) if one is not None]
    texts = [(side, f'"{one[0]}:{one[1]}"' if isinstance(one, tuple) else repr(one)) for side, one in named]
    return "".join(f",{side}={text}" for side, text in texts)


def _compute(value: object) -> list[tuple[int, int, float]]:
    """Factors on the computation of ranks, from one number or from such as "0-3=2; 4=0.5"."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return [] if value == 1 else [(0, MOST, float(value))]
    parts = [] if not isinstance(value, str) else [_PART.fullmatch(part) for part in value.split(";") if part.strip()]
    try:
        found = [(int(one[1]), int(one[2] or one[1]), float(one[3])) for one in parts if one is not None]
    except ValueError:
        found = []
    if not found or len(found) < len(parts):
        raise _fault('compute, a factor such as 0.5 or those of ranks, "0-3=2; 4=0.5"', ascii(value)[:60], "")
    return found


#: Stands for the last rank of a trace.
MOST = 0xFFFF_FFFF


def _fault(expected: str, got: str, hint: str) -> NetloomError:
    return NetloomError([Fault("NL-A007", "workload", expected, got, hint)])
