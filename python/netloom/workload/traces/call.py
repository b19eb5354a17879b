"""Texts that name a trace with its format or in another size: `trace("run.goal",compute=0.5,bytes=2)`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ... import _core
from ...base.errors import Fault, NetloomError
from ...base.nearest import did_you_mean
from .reading import format_of

if TYPE_CHECKING:
    from .row import Factors

#: The name of a call that leaves the format to be recognised.
ANY = "trace"
#: What a call takes besides its file.
NAMES = ("compute", "bytes")
_PART = re.compile(r"\s*(\d{1,7})(?:\s*-\s*(\d{1,7}))?\s*=\s*([^\s=;]+)\s*")


@dataclass(frozen=True)
class TraceCall:
    """A file, its format or None for the recognised one, and factors on what it says."""

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
    scale = (_compute(named.get("compute", 1.0)), float(factor))
    return TraceCall(positional[0], None if name == ANY else format_of(name), scale)


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
