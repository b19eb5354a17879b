"""`KEY=A..B UNIT`, `KEY=A..B log` and `KEY=a|b`, as `--vary` takes them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from .. import _core
from ..base.errors import Fault, NetloomError
from ..base.quantities import parse_bytes
from .codes import BAD_RANGE
from .varied import Listed, Value

FORM = "KEY=A..B with a unit, KEY=A..B log, or KEY=a|b"
_EXAMPLES = "for example link_bandwidth=50..400 Gbps, switch_latency=50..500 ns log, or routing=minimal|valiant"
_NUMBER = re.compile(r"\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\s*")
_OPEN, _CLOSED = "([{", ")]}"
#: What a unit counts, in words and with an example.
WORDS = {
    "s": "a time such as 100 ns", "B/s": "a bandwidth such as 100 Gbps", "flop/s": "a speed such as 100 Gflops",
    "bytes": "a size such as 64 KiB", "": "a number",
}  # fmt: skip
#: What a number alone does not say: 50..400 are gigabits to some, bytes to others.
_UNITS = {"s": "ns", "B/s": "Gbps", "flop/s": "Gflops"}


@dataclass(frozen=True)
class Typed:
    """One `--vary`, cut into its parts.

    Attributes
    ----------
    name
        Before the equals sign.
    ends
        Both ends of a range as texts, each with its unit; None for choices.
    choices
        Their texts; empty for a range.
    log
        On a logarithmic scale.
    """

    name: str
    ends: tuple[str, str] | None = None
    choices: tuple[str, ...] = ()
    log: bool = False

    @property
    def place(self) -> str:
        """As messages name it."""
        return f"--vary {self.name}"


def read(text: str) -> Typed:
    """Cuts a range or choices into their parts.

    Raises
    ------
    NetloomError
        `NL-U001` for another form.
    """
    name, equals, rest = text.partition("=")
    name, rest = name.strip(), rest.strip()
    if not (equals and name and rest):
        raise NetloomError([Fault(BAD_RANGE, "--vary", FORM, f'"{text}"', _EXAMPLES)])
    parts = _apart(rest, "|")
    if len(parts) > 1:
        return _choices(name, parts)
    low, dots, high = rest.partition("..")
    if not dots:
        hint = f"give a range such as A..B, or another choice: {name}={rest}|..."
        raise NetloomError([Fault(BAD_RANGE, f"--vary {name}", f'"{rest}" is one value alone', "", hint)])
    words = high.split()
    log = len(words) > 1 and words[-1] == "log"
    high = high.rstrip().removesuffix("log").rstrip() if log else high.strip()
    unit = high[found.end() :].strip() if (found := _NUMBER.match(high)) else ""
    bare = _NUMBER.fullmatch(low) is not None
    return Typed(name, (f"{low.strip()} {unit}".strip() if bare else low.strip(), high), (), log)


def _choices(name: str, parts: Sequence[str]) -> Typed:
    place = f"--vary {name}"
    choices = [part.strip() for part in parts]
    if "" in choices:
        raise NetloomError([Fault(BAD_RANGE, place, "a choice before and after each |", f'"{"|".join(parts)}"')])
    if twice := [one for at, one in enumerate(choices) if one in choices[:at]]:
        raise NetloomError([Fault(BAD_RANGE, place, f'the choice "{twice[0]}" stands there twice', "", "give it once")])
    return Typed(name, None, tuple(choices))


def _apart(text: str, sign: str) -> list[str]:
    """Cut at the sign, but not inside brackets or quotes."""
    made, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        depth += (letter in _OPEN) - (letter in _CLOSED) if not quote else 0
        if letter == sign and depth == 0 and not quote:
            made.append("")
        else:
            made[-1] += letter
    return made


def number(text: str, place: str, unit: str | None) -> tuple[float, str]:
    """A number, and its unit; `unit` None takes the one that is written.

    Raises
    ------
    NetloomError
        `NL-U001` for what is no finite number of that unit.
    """
    bare = _NUMBER.fullmatch(text) is not None
    for one in ([""] if bare else ["s", "B/s", "flop/s", "bytes"]) if unit is None else [unit]:
        try:
            value = _parsed(text, place, one)
        except (NetloomError, ValueError):
            continue
        if math.isfinite(value):
            return value, one
    expected = "a number, with or without a unit" if unit is None else WORDS[unit]
    raise NetloomError([Fault(BAD_RANGE, place, expected, f'"{text}"', _EXAMPLES)])


def _parsed(text: str, place: str, unit: str) -> float:
    if unit == "s":
        return _core.parse_seconds(text, place)
    if unit == "B/s":
        return _core.parse_bytes_per_s(text, place)
    if unit == "flop/s":
        return _core.parse_flops_per_s(text, place)
    return parse_bytes(text, place) if unit == "bytes" else float(text)


def ends(asked: Typed, unit: str | None, integral: bool) -> tuple[float, float, str]:
    """Both ends of a range, and their unit.

    Raises
    ------
    NetloomError
        `NL-U001` for ends that are no such numbers, or that contradict each other or the scale.
    """
    assert asked.ends is not None
    low, one = number(asked.ends[0], asked.place, unit)
    high, other = number(asked.ends[1], asked.place, unit)
    typed = "..".join(asked.ends)
    if unit in _UNITS and all(_NUMBER.fullmatch(end) for end in asked.ends):
        hint = f"write the unit, such as {typed} {_UNITS[unit]}"
        raise NetloomError([Fault(BAD_RANGE, asked.place, WORDS[unit], f'"{typed}" without a unit', hint)])
    wrong: tuple[str, str] | None = None
    if one != other:
        wrong = (f"{typed} has two kinds of units", "give both ends in one")
    elif not low < high:
        wrong = (f"{typed} has no room: the first end is not below the second", "write the smaller one first")
    elif asked.log and low <= 0:
        wrong = (f"{typed} has no logarithm: the first end is not above 0", "leave out log, or begin above 0")
    elif integral and not (low == int(low) and high == int(high)):
        wrong = (f"{typed} has an end that is not whole", "it takes whole numbers")
    if wrong:
        raise NetloomError([Fault(BAD_RANGE, asked.place, wrong[0], "", wrong[1])])
    return low, high, one


def choice(text: str) -> Value:
    """A choice of a parameter of a call, as `--set` takes it: a number, true or false, a list, or text.

    A text needs no quotes, even where a call has them: ``50 Gbps``.
    """
    try:
        _, found, _ = _core.parse_call(f"x({text})")
    except NetloomError:
        return text
    value = found[0] if len(found) == 1 else text
    if isinstance(value, list):
        return Listed(value)
    return value if isinstance(value, (str, int, float, bool)) else text
