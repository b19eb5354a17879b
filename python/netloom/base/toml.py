"""The one reader of TOML: what would cost much more than the text is refused before it is parsed.

A dotted key of thousands of parts, deep nesting and integers of thousands of digits cost a parser the square of the
text or its stack. One pass over the tokens finds them; it is O(text).
"""

from __future__ import annotations

import re
import tomllib

from .errors import Fault, NetloomError

#: Most bytes of a text, where a reader does not say less.
MOST_BYTES = 16 << 20
#: Most parts of a dotted key, and most tables and lists in each other.
MOST_PARTS, MOST_DEPTH = 32, 32
#: Most characters of a key, and of a number.
MOST_KEY = 200

# Strings and comments first, so that nothing inside them counts; one without its end runs to where the parser stops.
_TOKEN = re.compile(
    r"""
      \#[^\n]*
    | \"\"\"(?:[^"\\]|\\.|"{1,2}(?!"))*+(?:"{3,5})?
    | '''(?:[^']|'{1,2}(?!'))*+(?:'{3,5})?
    | "(?:[^"\\\n]|\\.)*+"?
    | '[^'\n]*+'?
    | (?P<word>[A-Za-z0-9_+-]+)
    | (?P<mark>[.\[{\]}=,\n])
    """,
    re.VERBOSE | re.DOTALL,
)
_AT = re.compile(r"\s*\(at line (\d+), column (\d+)\)")


def read_toml(data: bytes | str, place: str, code: str, most: int = MOST_BYTES) -> dict[str, object]:
    """The table of a text.

    Parameters
    ----------
    data
        The file's bytes, or its text.
    place
        Its name, for messages.
    code
        Of the fault if it cannot be read.
    most
        Bytes that it may have.

    Raises
    ------
    NetloomError
        `code`, with line and column where the text has one: it is too large, no UTF-8 or no TOML, or holds a key, a
        number or a nesting beyond the limits.
    """
    text = data.removeprefix("\ufeff") if isinstance(data, str) else decoded(data, place, code, most)
    if len(text) > most:
        raise _too_large(place, code, most)
    _scan(text, place, code)
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise NetloomError([Fault(code, place, "is nested too deeply")]) from None
    except ValueError as error:
        found = _AT.search(str(error))
        at = f"{place}:{found[1]}:{found[2]}" if found else place
        sentence = " ".join(re.sub(r"\s*\(at [^)]*\)", "", str(error)).split())[:120]
        fault = Fault(code, at, f"is not TOML: {sentence[:1].lower()}{sentence[1:]}")
        raise NetloomError([fault]) from None
    check_tree(table, place, code)
    return table


def decoded(data: bytes, place: str, code: str, most: int = MOST_BYTES) -> str:
    """The text of a file; a byte order mark is no part of it.

    Raises
    ------
    NetloomError
        `code` if it is too large or not UTF-8.
    """
    if len(data) > most:
        raise _too_large(place, code, most)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise NetloomError([Fault(code, f"{place}:{line}", "is not UTF-8", "", "save it as UTF-8")]) from None


def check_tree(table: object, place: str, code: str) -> None:
    """Refuse what a parsed text may not hold; JSON takes the same way.

    Raises
    ------
    NetloomError
        `code` for too deep a nesting, or a key that is too long.
    """
    stack: list[tuple[object, int]] = [(table, 0)]
    while stack:
        value, depth = stack.pop()
        if depth > MOST_DEPTH and isinstance(value, (dict, list)):
            raise NetloomError([Fault(code, place, f"is nested more than {MOST_DEPTH} levels deep")])
        if isinstance(value, dict):
            for key, item in value.items():
                if len(key) > MOST_KEY:
                    raise NetloomError([Fault(code, place, f"a key of at most {MOST_KEY} characters", f'"{key}"')])
                stack.append((item, depth + 1))
        elif isinstance(value, list):
            stack += [(item, depth + 1) for item in value]


def _scan(text: str, place: str, code: str) -> None:
    parts, depth = 1, 0
    for token in _TOKEN.finditer(text):
        if token["word"] is not None:
            if len(token["word"]) > MOST_KEY:
                words = f"a key or a number of at most {MOST_KEY} characters"
                raise NetloomError([Fault(code, _at(text, token.start(), place), words, token["word"])])
            continue
        mark = token["mark"]
        if mark == ".":
            parts += 1
            if parts > MOST_PARTS:
                hint = "write tables of fewer levels"
                words = f"has a key of more than {MOST_PARTS} parts"
                raise NetloomError([Fault(code, _at(text, token.start(), place), words, "", hint)])
        elif mark is not None:
            parts = 1
            depth = max(0, depth + (mark in "[{") - (mark in "]}"))
            if depth > MOST_DEPTH:
                words = f"is nested more than {MOST_DEPTH} levels deep"
                raise NetloomError([Fault(code, _at(text, token.start(), place), words)])


def _at(text: str, position: int, place: str) -> str:
    line = text.count("\n", 0, position) + 1
    return f"{place}:{line}:{position - text.rfind(chr(10), 0, position)}"


def _too_large(place: str, code: str, most: int) -> NetloomError:
    size = f"{most >> 20} MiB" if most >> 20 else f"{most} bytes"
    return NetloomError([Fault(code, place, f"is larger than {size}", "", "write less into one file")])
