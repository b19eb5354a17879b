"""The lines of a log, without what launchers, terminals and debug output put around them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..base.errors import Fault, NetloomError
from . import codes

#: A log of more lines is summarised before it is read.
MAX_LINES = 1 << 20
#: Characters of a line that are looked at: no row of a benchmark is as long.
MAX_LINE = 1 << 16
_BINARY = "give a text file; unpack an archive first"
_COLOUR = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")
#: `[1,0]<stdout>:` of mpirun --tag-output, also with a host or a time before it; `[0] ` of Hydra; `0: ` of srun -l.
_TAG = re.compile(
    r"(?:[^<>\n]{0,80}\[[^\]\s]{0,80}\d+,\d+\][^<>\n]{0,40})?<(stdout|stderr|stddiag)>: ?|\[\d{1,7}\] |\s*\d{1,7}: ?"
)
_DEBUG = re.compile(r"(?:\[[^\]]*\] )?\S+:\d+:\d+ (?:\[\w+\] )?(?:[\d.]+ )?NCCL (?:INFO|WARN|TRACE|ABORT)\b")


@dataclass(frozen=True)
class Log:
    """One file.

    Parameters
    ----------
    name
        As faults name it.
    lines
        Text of each line; "" for one that is no output of the benchmark.
    is_ended
        Whether the last line has its end: one that was cut has not.
    """

    name: str
    lines: tuple[str, ...]
    is_ended: bool

    def place(self, number: int) -> str:
        """`file:line`, from 1."""
        return f"{self.name}:{number}"

    def is_cut_at(self, number: int) -> bool:
        """Whether the line is the last one that has text, and has no end."""
        return not self.is_ended and number == len(self.lines)


def log(name: str, data: bytes) -> Log:
    """The lines of a file.

    A byte order mark, carriage returns, colours and the tags of `mpirun --tag-output`, `srun -l` and Hydra are taken
    away. Lines of stderr and debug lines of NCCL become empty, so that the others keep their numbers.

    Raises
    ------
    NetloomError
        NL-B001 for what is no text, NL-B008 for more than 2^20 lines.
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        hint = "save it as UTF-8"
        raise NetloomError([Fault(codes.UNKNOWN_FORMAT, name, "is UTF-16, which is not read", "", hint)])
    if b"\0" in data:
        raise NetloomError([Fault(codes.UNKNOWN_FORMAT, name, "is binary: measurements are text", "", _BINARY)])
    if data.count(b"\n") > MAX_LINES:
        hint = "summarise repetitions: a median a size is enough"
        raise NetloomError([Fault(codes.TOO_LONG, name, f"has more than {MAX_LINES:,} lines", "", hint)])
    ends = data.endswith(b"\n")
    texts = data.decode("utf-8", "replace").split("\n")
    if ends or not data:
        texts.pop()
    return Log(name, tuple(map(_clean, texts)), ends)


def _clean(text: str) -> str:
    text = text[:MAX_LINE]
    if "\x1b" in text:
        text = _COLOUR.sub("", text)
    tag = _TAG.match(text)
    if tag:
        if tag[1] in ("stderr", "stddiag"):
            return ""
        text = text[tag.end() :]
    return "" if _DEBUG.match(text) else text.rstrip()
