"""Changes to an input that keep most of its structure: of tokens, lines and bytes."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

#: Longest input: the promise of `docs/reliability.md` is about inputs below it.
MOST = 64 << 10

_TOKEN = re.compile(rb"[A-Za-z_][A-Za-z0-9_-]*|[0-9]+(?:\.[0-9]+)?|\s+|.", re.DOTALL)
_NUMBERS = (
    *(b"0", b"1", b"2", b"3", b"7", b"-1", b"255", b"65536", b"2147483647", b"4294967295", b"5000000000"),
    *(b"9223372036854775807", b"9223372036854775808", b"1e309", b"nan", b"-inf", b"1e-320", b"0.5", b"9" * 30),
)
_WORDS = (
    *(b"true", b"null", b'""', b"{n}", b"{size}{size}", b"[]", b"{}", b"()", b"=", b",", b"\n", b"\t", b"\r\n"),
    *(b"\x00", b"\xff", b"\xc3", b"\x1b[31m", "\u202e".encode(), "é".encode(), b"\\ud800", b"=1+1", b"../x", b"/"),
    *(b"a" * 300, b"9" * 5000, b"&lt;", b"<!DOCTYPE a>", b"n[0-4294967295]", b"n[1-9,3]", b"%s", b"'''", b'"""'),
)


def mutated(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    """One to four changes. O(bytes)."""
    for _ in range(1 + min(3, int(draw.expovariate(0.9)))):
        data = draw.choice(_WAYS)(data, others, draw)[:MOST]
    return data


def _token(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    """Another token in place of one: a number for a number, a word of the input for a word."""
    tokens = _TOKEN.findall(data)
    if not tokens:
        return draw.choice(_WORDS)
    at = draw.randrange(len(tokens))
    if tokens[at][:1].isdigit() and draw.random() < 0.8:
        tokens[at] = draw.choice(_NUMBERS)
    else:
        tokens[at] = draw.choice(_WORDS) if draw.random() < 0.5 else draw.choice(tokens)
    return b"".join(tokens)


def _tokens_moved(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    tokens = _TOKEN.findall(data)
    if len(tokens) < 2:
        return data * 2
    at, to, size = draw.randrange(len(tokens)), draw.randrange(len(tokens)), draw.randrange(1, 5)
    taken = tokens[at : at + size]
    if draw.random() < 0.5:
        del tokens[at : at + size]
    tokens[to:to] = taken if draw.random() < 0.7 else []
    return b"".join(tokens)


def _lines(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    at, to = draw.randrange(len(lines)), draw.randrange(len(lines))
    way = draw.randrange(4)
    if way == 0:
        del lines[at]
    elif way == 1:
        lines.insert(to, lines[at])
    elif way == 2:
        lines[at], lines[to] = lines[to], lines[at]
    else:
        theirs = draw.choice(others).splitlines(keepends=True) or [b""]
        lines.insert(at, draw.choice(theirs))
    return b"".join(lines)


def _bytes(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    if not data:
        return bytes([draw.randrange(256)])
    at = draw.randrange(len(data))
    way = draw.randrange(3)
    if way == 0:
        return data[:at] + bytes([data[at] ^ (1 << draw.randrange(8))]) + data[at + 1 :]
    if way == 1:
        return data[:at] + data[at + draw.randrange(1, 9) :]
    return data[:at] + bytes(draw.randrange(256) for _ in range(draw.randrange(1, 4))) + data[at:]


def _spliced(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    other = draw.choice(others)
    return data[: draw.randrange(len(data) + 1)] + other[draw.randrange(len(other) + 1) :]


def _repeated(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    """A token many times, as of nested brackets, long names and keys of many parts."""
    tokens = _TOKEN.findall(data) or [b"x"]
    at = draw.randrange(len(tokens))
    end = at + draw.randrange(1, 4)
    tokens[at:end] = tokens[at:end] * draw.choice((2, 10, 100, 2000))
    return b"".join(tokens)


def _cut(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    return data[: draw.randrange(len(data) + 1)]


_WAYS = (
    _token,
    _token,
    _token,
    _tokens_moved,
    _tokens_moved,
    _lines,
    _lines,
    _bytes,
    _bytes,
    _spliced,
    _repeated,
    _cut,
)
