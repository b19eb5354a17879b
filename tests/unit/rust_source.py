"""Rust source as the architecture tests read it: line by line, without comments, text in quotes and test items."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

# What hides braces and words: comments (blocks nest), raw and plain strings, characters. A lifetime is none of these.
_TOKEN = re.compile(
    r"""(?P<line>//[^\n]*)|(?P<block>/\*)|(?P<raw>\bb?c?r(?P<hash>\#*)".*?"(?P=hash))|(?P<text>"(?:\\.|[^"\\])*")"""
    r"""|(?P<char>'(?:\\(?:x[0-9a-fA-F]{2}|u\{[^}]*\}|.)|[^'\\\n])')""",
    re.DOTALL | re.VERBOSE,
)
_TEST = re.compile(r"#\[\s*(?:cfg\s*\(\s*test\s*\)|test)\s*\]")
# Items that end with a semicolon even where a pair of braces comes first: `use a::{b, c};`.
_TO_SEMICOLON = re.compile(r"(?:pub(?:\s*\([^)]*\))?\s+)?(?:use|static|let|type|const(?!\s+fn\b))\b")
_OTHER_FILE = re.compile(r"\bmod\s+(\w+)\s*;")
_OPEN, _CLOSE = "([{", ")]}"


def _blank(text: str) -> str:
    """As many lines and columns, and nothing on them."""
    return re.sub(r"[^\n]", " ", text)


def without_comments(text: str, keep_text: bool = False) -> str:
    """The source with comments blanked and, unless `keep_text`, what stands in quotes too."""
    out, at = [], 0
    while found := _TOKEN.search(text, at):
        end = _block_end(text, found.start()) if found["block"] else found.end()
        token = text[found.start() : end]
        comment = found["line"] or found["block"]
        inner = token if keep_text else token[0] + _blank(token[1:-1]) + token[-1]
        out += [text[at : found.start()], _blank(token) if comment else inner]
        at = end
    return "".join([*out, text[at:]])


def _block_end(text: str, start: int) -> int:
    depth = 0
    for found in re.finditer(r"/\*|\*/", text[start:]):
        depth += 1 if found[0] == "/*" else -1
        if depth == 0:
            return start + found.end()
    return len(text)


def _close(code: str, at: int) -> int:
    """Where the bracket that opens at `at` has closed."""
    depth = 0
    for i in range(at, len(code)):
        depth += (code[i] in _OPEN) - (code[i] in _CLOSE)
        if depth == 0:
            return i + 1
    return len(code)


def _item_end(code: str, at: int) -> int:
    """Where the item ends that starts at or after `at`, its further attributes included."""
    while found := re.compile(r"\s*#\[").match(code, at):
        at = _close(code, found.end() - 1)
    at += len(code[at:]) - len(code[at:].lstrip())
    to_semicolon = _TO_SEMICOLON.match(code, at) is not None
    while at < len(code):
        if code[at] in ";,":
            return at + 1
        if code[at] in _CLOSE:  # the last field or variant, without a comma
            return at
        if code[at] in _OPEN:
            block = code[at] == "{"
            at = _close(code, at)
            if block and not to_semicolon:
                return at
        else:
            at += 1
    return at


def items_of_tests(code: str) -> list[tuple[int, int]]:
    """From where to where the items marked `#[cfg(test)]` or `#[test]` reach, in code without comments and text."""
    spans, at = [], 0
    while found := _TEST.search(code, at):
        at = _item_end(code, found.end())
        spans.append((found.start(), at))
    return spans


@cache
def files_of_tests(crate: Path) -> frozenset[Path]:
    """Files of a crate that only a test build reads: `#[cfg(test)] mod name;` and the modules below it."""
    found: set[Path] = set()
    for path in crate.glob("src/**/*.rs"):
        code = without_comments(path.read_text(encoding="utf-8"))
        home = path.parent if path.stem in ("lib", "main", "mod") else path.parent / path.stem
        for start, end in items_of_tests(code):
            for name in _OTHER_FILE.findall(code[start:end]):
                found |= {home / f"{name}.rs", *(home / name).glob("**/*.rs")}
    return frozenset(found)


def production(crate: Path, keep_text: bool = False) -> Iterator[tuple[Path, str]]:
    """Every file of a crate's library with what is compiled outside tests; lines and columns keep their numbers."""
    for path in sorted(crate.glob("src/**/*.rs")):
        if path in files_of_tests(crate):
            continue
        text = path.read_text(encoding="utf-8")
        code = without_comments(text, keep_text)
        for start, end in items_of_tests(without_comments(text)):
            code = code[:start] + _blank(code[start:end]) + code[end:]
        yield path, code


def signatures(code: str) -> Iterator[tuple[str, int]]:
    """Name of every function and how many values it takes: `self` is none, a tuple of n is n."""
    for found in re.finditer(r"\bfn\s+(\w+)", code):
        at = found.end()
        if code[at : at + 1] == "<":
            at = _angle_end(code, at)
        at += len(code[at:]) - len(code[at:].lstrip())
        if code[at : at + 1] == "(":
            given = split(code[at + 1 : _close(code, at) - 1])
            yield found[1], sum(_values(one) for one in given)


def _values(parameter: str) -> int:
    """Values of one parameter `name: Type`; Python's lock is a token without a value."""
    if ":" not in parameter:
        return 0
    kind = parameter.partition(":")[2]
    if re.fullmatch(r"\s*Python<'\w+>\s*", kind):
        return 0
    kind = re.sub(r"^&?\s*('\w+\s+)?(mut\s+)?", "", kind.strip())
    inside = kind.startswith("(") and _close(kind, 0) == len(kind)
    return max(1, len(split(kind[1:-1]))) if inside else 1


def _angle_end(code: str, at: int) -> int:
    depth = 0
    for i in range(at, len(code)):
        depth += (code[i] == "<") - (code[i] == ">" and code[i - 1] not in "-=")
        if depth == 0:
            return i + 1
    return len(code)


def split(text: str) -> list[str]:
    """Parts between commas that no bracket holds."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{<") - (c in ")]}" or (c == ">" and text[i - 1] not in "-="))
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [part for part in map(str.strip, [*parts, text[start:]]) if part]
