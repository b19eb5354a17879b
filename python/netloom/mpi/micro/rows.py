"""The file of measurements: one JSON object a line, the first about the job, the last that it is whole."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import cast

from ...base import files
from ...base.errors import Fault, NetloomError
from . import codes

#: The key by which such a file is known, and the version of its layout.
KEY, FORM = "netloom-measured", 1
#: What is measured.
KINDS = (
    "binding", "pingpong", "exchange", "send", "receive", "rate", "eager", "copy", "combine", "call", "collective",
)  # fmt: skip
#: Largest file.
MAX_BYTES = 64 << 20


@dataclass(frozen=True)
class Row:
    """One measured time.

    Parameters
    ----------
    what
        One of `KINDS`.
    time_s
        Of one message, call or copy: a tenth of the repetitions were quicker.
    level
        What the two processes share, or of what the memory is.
    pairs
        That measured at the same time; of `copy` processes.
    bytes
        Of a message, a buffer; of `eager` the largest message whose send returns without a receive.
    scatter
        How much longer the median of the repetitions is, as a share.
    name
        Of a collective, or a call.
    """

    what: str
    time_s: float
    bytes: int = 0
    level: str = ""
    pairs: int = 1
    scatter: float = 0.0
    count: int = 1
    name: str = ""


@dataclass(frozen=True)
class About:
    """The job that measured.

    Parameters
    ----------
    node
        Of its hosts, as `--node` takes it; "" if not known.
    cores
        That the processes of the first host may use.
    load
        How many other programs wanted a core when it began: the load average of the first host.
    """

    purpose: str
    mpi: str
    ranks: int
    nodes: int
    ranks_per_node: int
    cores: int
    load: float = 0.0
    node: str = ""
    netloom: str = ""
    date: str = ""
    levels: dict[str, int] = field(default_factory=dict)

    @property
    def is_crowded(self) -> bool:
        """More processes than cores on a host."""
        return self.ranks_per_node > self.cores


@dataclass(frozen=True)
class Found:
    """A file's contents.

    Parameters
    ----------
    ended
        "all" as planned, "time" where time was over before, "" where it was broken off.
    """

    about: About
    rows: list[Row]
    ended: str = ""
    name: str = ""

    def of(self, what: str, level: str | None = None, pairs: int | None = None) -> list[Row]:
        """Rows of one kind."""
        return [
            row
            for row in self.rows
            if row.what == what and (level is None or row.level == level) and (pairs is None or row.pairs == pairs)
        ]


def head(about: About) -> str:
    """The first line."""
    return json.dumps({KEY: FORM, **asdict(about)})


def line(row: Row) -> str:
    """A row's line."""
    return json.dumps({key: value for key, value in asdict(row).items() if value != ""})


def is_measured(path: str | Path) -> bool:
    """Whether a file says that it is one; False for one that cannot be read."""
    try:
        with Path(path).open("rb") as file:
            return file.read(40).startswith(f'{{"{KEY}"'.encode())
    except OSError:
        return False


def read(path: str | Path) -> Found:
    """The contents of a file.

    Raises
    ------
    NetloomError
        NL-I074 with the line for what is cut off or is no measurement, NL-X001.
    """
    data = files.read(path)
    if len(data) > MAX_BYTES:
        raise _cut(path, 1, f"is larger than {MAX_BYTES >> 20} MiB", "")
    lines = data.decode(errors="replace").split("\n")
    about = _about(path, lines[0])
    rows, ended = [], ""
    for number, text in enumerate(lines[1:], 2):
        if not text.strip():
            continue
        found = _object(path, number, text)
        if "end" in found:
            ended = str(found["end"])
        elif "done" not in found:
            rows.append(_row(path, number, text, found))
    return Found(about, rows, ended, Path(path).name)


def _about(path: str | Path, text: str) -> About:
    found = _object(path, 1, text)
    if found.get(KEY) != FORM:
        raise _cut(path, 1, f'a file that begins with {{"{KEY}": {FORM}', text)
    try:
        about = About(**{key: value for key, value in found.items() if key != KEY})  # type: ignore[arg-type]
        counts = (about.ranks, about.nodes, about.ranks_per_node, about.cores)
    except TypeError:
        raise _cut(path, 1, "the keys that this version of netloom writes", text) from None
    if not all(type(one) is int and 0 < one < 1 << 31 for one in counts):
        raise _cut(path, 1, "whole numbers of ranks, nodes and cores", text)
    return about


def _row(path: str | Path, number: int, text: str, found: dict[str, object]) -> Row:
    try:
        row = Row(**found)  # type: ignore[arg-type]
        is_good = row.what in KINDS and math.isfinite(row.time_s) and 0 <= row.time_s < 1e6
        is_good &= all(type(one) is int and 0 <= one < 1 << 53 for one in (row.bytes, row.pairs, row.count))
    except TypeError:
        is_good = False
    if not is_good:
        raise _cut(path, number, "a measurement", text)
    return row


def _object(path: str | Path, number: int, text: str) -> dict[str, object]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise _cut(path, number, "one whole JSON object", text)
    return cast("dict[str, object]", found)


def _cut(path: str | Path, number: int, expected: str, got: str) -> NetloomError:
    hint = "remove the line, or measure again"
    return NetloomError([Fault(codes.CUT, f"{path}:{number}", expected, repr(got[:60]), hint)])


def levels_of(rows: Iterable[Row]) -> list[str]:
    """The levels between which messages were measured."""
    return list(dict.fromkeys(row.level for row in rows if row.what == "pingpong"))
