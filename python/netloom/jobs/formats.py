"""Formats of lists of jobs, a row each: how a text is recognised, how it is read, and how it is written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..base.nearest import did_you_mean
from . import slurm, tables, tracer
from .asked import Asked, Head, refuse

if TYPE_CHECKING:
    from ..base.records import Row

#: From text, its name for messages, the number of endpoints and the default of `cores`.
Reader = Callable[[str, str, int, int | None], tuple[list[Asked], Head]]


@dataclass(frozen=True)
class Format:
    """A row: what is listed of a format, and what works with it."""

    name: str
    aliases: tuple[str, ...]
    summary: str
    restrictions: str
    source: str
    begins: Callable[[str], bool]
    read: Reader
    write: Callable[[Sequence[Mapping[str, object]]], str] | None = None


def _without_head(read: Callable[[str, str], list[Asked]]) -> Reader:
    """A reader of jobs for lists that say nothing before them."""
    return lambda text, place, _endpoints, _cores: (read(text, place), Head())


def _has(pattern: str) -> Callable[[str], bool]:
    return lambda text: re.search(pattern, text, re.MULTILINE) is not None


_RUNNING = "Jobs that run alone; nothing of what they send."
#: The first format that recognises a text reads it.
FORMATS: tuple[Format, ...] = (
    Format(
        "jobs-toml",
        ("toml",),
        "Tables [[job]] with the keys of a job, and defaults for all jobs before them.",
        "Workloads and mappings are texts and files; objects are not written.",
        "netloom",
        _has(r"^[^\S\n]*+\[\[[^\S\n]*+job[^\S\n]*+\]\]"),
        tables.of_toml,
        tables.to_toml,
    ),
    Format(
        "squeue-json",
        (),
        "What squeue --json and scontrol show job --json print.",
        _RUNNING,
        "squeue(1), data_parser plug-ins of Slurm",
        lambda text: text[:4096].lstrip().startswith(("{", "[")),
        _without_head(slurm.of_json),
    ),
    Format(
        "scontrol",
        (),
        "What scontrol show job prints; with -d also which cores of each node.",
        _RUNNING,
        "scontrol(1)",
        _has(r"^[^\S\n]*+JobId="),
        _without_head(slurm.of_scontrol),
    ),
    Format(
        "squeue",
        (),
        "What squeue prints: a table with the columns JOBID and NODELIST.",
        _RUNNING,
        "squeue(1)",
        lambda text: re.search(r"\bJOBID\b", text[:4096].lstrip()) is not None,
        _without_head(slurm.of_squeue),
    ),
    Format(
        "tracer",
        (),
        "Traces with their ranks and iterations, and map files of who runs where, of TraceR.",
        "No replaced sizes and times; nothing of BigSim.",
        "TraceR, user guide",
        tracer.begins,
        tracer.read,
    ),
    Format(
        "jobs-list",
        ("list",),
        "A name and a node list per line.",
        "Nothing of what the jobs send.",
        "netloom",
        lambda _text: True,
        _without_head(tables.of_lines),
    ),
)


def rows() -> list[Row]:
    """The formats as rows of `netloom.catalogue`."""
    return [
        {
            "name": row.name,
            "aliases": list(row.aliases),
            "summary": row.summary,
            "params": [],
            "signature": row.name,
            "example": row.name,
            "restrictions": row.restrictions,
            "source": row.source,
        }
        for row in FORMATS
    ]


def find(name: str, place: str, written: bool = False) -> Format:
    """The format of that name; with `written`, one that can be written.

    Raises
    ------
    NetloomError
        `NL-A007` if there is none.
    """
    fit = {name: row for row in FORMATS if row.write or not written for name in (row.name, *row.aliases)}
    if name not in fit:
        known = [row.name for row in FORMATS if row.name in fit]
        raise refuse("NL-A007", place, f"one of {', '.join(known)}", name, did_you_mean(name, known, "formats"))
    return fit[name]


def recognise(text: str, place: str) -> Format:
    """The format of a text from a file called `place`."""
    if place.endswith(".toml"):
        return FORMATS[0]
    return next(row for row in FORMATS if row.begins(text))
