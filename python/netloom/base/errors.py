"""Faults as data, the same on both sides of the binding."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

#: Faults of one input that are shown; the others are counted.
MOST_FAULTS = 20
_ECHO_LIMIT = 80
#: Of a place longer than their sum: a path ends with its file, line and column.
_PLACE_HEAD, _PLACE_TAIL = 120, 120
#: Of a sentence and of a hint, which may list names.
_MOST_SENTENCE, _MOST_HINT = 1000, 2000
_QUOTED = re.compile(r'"([^"]{81,})"')


def printable(text: str, kept: str = "") -> str:
    """Control and direction characters escaped, but those in `kept`, so that no input can disguise what is shown."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in kept else c.encode("unicode_escape").decode() for c in text)


def _echo(text: str) -> str:
    """As `printable`, and long values cut: a hostile file cannot flood a terminal."""
    return printable(text[:_ECHO_LIMIT]) + ("..." if len(text) > _ECHO_LIMIT else "")


def _sentence(text: str, most: int) -> str:
    """As `printable`, with long quoted values cut, and the whole of it."""
    text = _QUOTED.sub(lambda found: f'"{found[1][:_ECHO_LIMIT]}..."', text) if len(text) > _ECHO_LIMIT else text
    return printable(text[:most]) + ("..." if len(text) > most else "")


def _echo_place(text: str) -> str:
    cut = len(text) > _PLACE_HEAD + _PLACE_TAIL
    return printable(f"{text[:_PLACE_HEAD]}...{text[-_PLACE_TAIL:]}" if cut else text)


@dataclass(frozen=True)
class Fault:
    """One thing wrong with one input.

    Parameters
    ----------
    code
        Row of `docs/reference/errors.md`, for example `NL-T012`.
    place
        Where the value stands: a parameter, `file:line:column`, a rank.
    expected
        What was required there, as a phrase that follows "must be"; a whole sentence if `got` is empty.
    got
        The offending value as written, or "".
    hint
        The remedy, or "".
    """

    code: str
    place: str
    expected: str
    got: str = ""
    hint: str = ""

    def __str__(self) -> str:
        said = _sentence(self.expected, _MOST_SENTENCE)
        if self.got:
            line = f"{self.code} {_echo_place(self.place)} must be {said}, got {_echo(self.got)}"
        else:
            line = f"{self.code} {_echo_place(self.place)}: {said}"
        return f"{line}\n  hint: {_sentence(self.hint, _MOST_HINT)}" if self.hint else line


def no_text(error: UnicodeEncodeError) -> Fault:
    """The fault of a text with half a character: a JSON escape such as `\\ud800`, or an argument that is not UTF-8."""
    hint = "write it in UTF-8, with whole characters"
    return Fault("NL-A012", "text", "whole characters in UTF-8", str(error.object), hint)


class NetloomError(ValueError):
    """Bad input, with all its faults.

    Attributes
    ----------
    faults : tuple of Fault
        At least one.
    """

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(self.lines()))

    def lines(self) -> list[str]:
        """What is shown: twenty faults, and how many more there are."""
        more = len(self.faults) - MOST_FAULTS
        return [*map(str, self.faults[:MOST_FAULTS]), *([f"... and {more} more"] if more > 0 else [])]

    def __reduce__(self) -> tuple[type[NetloomError], tuple[tuple[Fault, ...]]]:
        return type(self), (self.faults,)
