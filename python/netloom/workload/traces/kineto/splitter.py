"""A large file in JSON, one event at a time: what does not fit in memory as a whole is never held as a whole."""

from __future__ import annotations

import codecs
import gzip
import json
import re
import zlib
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path

from ....base import files
from ....base.errors import Fault, NetloomError

#: Bytes that are read at once; the longest event, or other value of the root, in characters; the deepest one.
PIECE, MOST_CHARACTERS, MOST_DEPTH = 1 << 20, 1 << 22, 32
#: Most bytes of a file, uncompressed.
MOST_BYTES = 1 << 34
#: The key whose values are told one at a time.
EVENTS = "traceEvents"
_BLANKS = re.compile(r"[ \t\n\r]*")
#: A defect of some versions of PyTorch: a key without a value.
_EMPTY = re.compile(r'("Process Group Description"\s*:\s*)(?=[,}])')


class Splitter:
    """A file of one object whose `traceEvents` is a long list."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.repaired = 0
        self._text, self._at, self._is_whole, self._bytes = "", 0, False, 0
        self._decoder = json.JSONDecoder()
        self._decode = codecs.getincrementaldecoder("utf-8-sig")("replace")

    def values(self) -> Iterator[tuple[str, object]]:
        """Keys of the root with their values, and `traceEvents` with each event. O(bytes).

        Raises
        ------
        NetloomError
            NL-X001 for a file that cannot be read, NL-F001, NL-F003, NL-F005 for what is no such JSON.
        """
        with _opened(self.path) as file:
            self._file = file
            yield from self._root()

    def _root(self) -> Iterator[tuple[str, object]]:
        self._expect("{")
        if self._next() == "}":
            return
        while True:
            key = self._value()
            if not isinstance(key, str):
                raise self._wrong("a key in quotes")
            self._expect(":")
            if key == EVENTS and self._next() == "[":
                yield from ((key, event) for event in self._list())
            else:
                yield key, self._value()
            if self._next() != ",":
                break
            self._at += 1
        self._expect("}")

    def _list(self) -> Iterator[object]:
        self._expect("[")
        if self._next() == "]":
            self._at += 1
            return
        while True:
            yield self._value()
            if (mark := self._next()) == "]":
                self._at += 1
                return
            if mark != ",":
                raise self._wrong('"," or "]" after an event')
            self._at += 1
            if self._next() == "]":
                # Some writers leave a comma after the last event.
                self._at += 1
                return

    def _value(self) -> object:
        """The value that begins here."""
        self._next()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except RecursionError:
                raise self._deep() from None
            except ValueError:
                if self._repair() or self._more():
                    continue
                raise self._wrong("a value of JSON") from None
            # A number at the end may go on.
            if end < len(self._text) or self._is_whole or not self._more():
                self._at = end
                if _is_deep(value):
                    raise self._deep()
                return value

    def _repair(self) -> bool:
        """Gives the keys without a value one; whether there were any."""
        text, number = _EMPTY.subn(r'\1""', self._text[self._at :])
        if number:
            self._text, self._at = text, 0
            self.repaired += number
        return number > 0

    def _next(self) -> str:
        """The next character that is no blank, which stays; "" at the end."""
        while True:
            found = _BLANKS.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _expect(self, mark: str) -> None:
        if self._next() != mark:
            raise self._wrong(f'"{mark}"')
        self._at += 1

    def _more(self) -> bool:
        """Reads on; False at the end."""
        if self._is_whole:
            return False
        if len(self._text) - self._at > MOST_CHARACTERS:
            raise self._large(f"an event of more than {MOST_CHARACTERS} characters")
        try:
            data = self._file.read(PIECE)
        except (OSError, EOFError, zlib.error) as error:
            sentence = f"cannot be read to its end: {error}"
            raise NetloomError([Fault("NL-X001", str(self.path), sentence, "", "copy it again, whole")]) from None
        self._bytes += len(data)
        if self._bytes > MOST_BYTES:
            raise self._large(f"more than {MOST_BYTES >> 30} GiB")
        self._is_whole = not data
        self._text = self._text[self._at :] + self._decode.decode(data, self._is_whole)
        self._at = 0
        return True

    def _place(self) -> str:
        return f"{self.path}, {self._bytes - len(self._text) + self._at} bytes in"

    def _wrong(self, expected: str) -> NetloomError:
        got = "the end of the file" if self._at >= len(self._text) else ascii(self._text[self._at : self._at + 30])
        hint = "the file is cut, or no trace of Kineto: export it again"
        return NetloomError([Fault("NL-F003", self._place(), expected, got, hint)])

    def _large(self, what: str) -> NetloomError:
        return NetloomError([Fault("NL-F001", self._place(), f"holds {what}", "", "profile fewer steps")])

    def _deep(self) -> NetloomError:
        sentence = f"nests values deeper than {MOST_DEPTH}"
        return NetloomError([Fault("NL-F005", self._place(), sentence, "", "export it again")])


def _is_deep(value: object) -> bool:
    """Whether lists and objects nest beyond the limit, without recursion."""
    level = [value]
    for _ in range(MOST_DEPTH):
        level = [
            inner
            for one in level
            if isinstance(one, (dict, list))
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return False
    return True


def _opened(path: Path) -> gzip.GzipFile | BufferedReader:
    """A file, uncompressed if it is compressed."""
    if not files.is_file(path):
        files.read(path)
    try:
        with path.open("rb") as file:
            is_packed = file.read(2) == b"\x1f\x8b"
        return gzip.open(path, "rb") if is_packed else path.open("rb")
    except OSError as error:
        raise NetloomError([Fault("NL-X001", str(path), f"cannot be read: {error.strerror}")]) from None


def unpacked_head(head: bytes) -> bytes:
    """The beginning of a file, uncompressed if it is compressed; of what is none, nothing."""
    if not head.startswith(b"\x1f\x8b"):
        return head
    try:
        return zlib.decompressobj(31).decompress(head, 1 << 16)
    except zlib.error:
        return b""
