"""One note for what a list of Slurm says and nothing here uses."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..base import files
from ..base.errors import NetloomError
from .fields import JSON, SCONTROL, SINFO, SQUEUE, Fate

#: Names that one note lists; the rest is counted.
LISTED = 12
#: Characters of a name.
LONGEST = 40
_KEY = re.compile(r"(?<!\S)([A-Za-z][A-Za-z0-9_/:]*+)=(\S*)")
#: Values of a field that nobody set.
_UNSET = ("", "0", "*", "N/A", "(null)", "None", "None assigned", "Unknown")


def notes(source: str | Path) -> list[str]:
    """What of a list of jobs changes nothing though it says something, in at most one sentence.

    Parameters
    ----------
    source
        The path of a file, or text of several lines, as for `read_jobs`. A list that cannot be read has no note:
        reading it says what is wrong.

    Notes
    -----
    Cost: O(text). Own lists (TOML, plain lines) have none, since keys that they do not know are refused.
    """
    from .formats import recognise

    text = isinstance(source, str) and "\n" in source
    place = "jobs" if text else str(source)
    try:
        body = str(source) if text else files.read(source).decode("utf-8-sig", errors="replace")
    except NetloomError:
        return []
    name = recognise(body, place).name
    found = {"squeue": _of_table, "squeue-json": _of_json, "scontrol": _of_records}.get(name)
    return [] if found is None else _sentence(found(body), place)


def of_states(text: str, place: str) -> list[str]:
    """The same of what sinfo prints; records of scontrol have what nodes are, which nothing here asks."""
    heads = [line for line in text.splitlines() if {"NODELIST", "HOSTNAMES", "NODE_LIST"} & set(_words(line))]
    return _sentence(Counter(_unused(_words(heads[0]), SINFO, "column")), place) if heads else []


def _words(line: str) -> list[str]:
    return [word.strip() for word in line.split("|")] if "|" in line else line.split()


def _unused(names: Iterable[str], known: Mapping[str, Fate], kind: str) -> list[str]:
    return [f"{kind} {name[:LONGEST]}" for name in names if name and known.get(name, "noted") == "noted"]


def _of_table(text: str) -> Counter[str]:
    header = next((line for line in text.splitlines() if "JOBID" in _words(line)), "")
    return Counter(_unused(_words(header), SQUEUE, "column"))


def _of_json(text: str) -> Counter[str]:
    try:
        jobs = json.loads(text).get("jobs")
    except (ValueError, RecursionError, AttributeError):
        return Counter()
    rows = [job for job in jobs if isinstance(job, dict)] if isinstance(jobs, list) else []
    return Counter(
        name for row in rows for name in _unused((key for key, value in row.items() if _is_set(value)), JSON, "key")
    )


def _is_set(value: object) -> bool:
    if isinstance(value, dict) and "number" in value:
        return value.get("set") is True and value.get("infinite") is not True and bool(value["number"])
    return value not in (None, 0, False, [], {}) and value not in _UNSET


def _of_records(text: str) -> Counter[str]:
    made: Counter[str] = Counter()
    for line in text.splitlines():
        pairs = _KEY.findall(line)
        # A command or a comment may hold what looks like keys: only lines that start with a known one count.
        if not pairs or not line.strip().startswith(f"{pairs[0][0]}="):
            continue
        free = pairs[0][0] in (
            "Command",
            "Comment",
            "WorkDir",
            "StdErr",
            "StdIn",
            "StdOut",
            "AdminComment",
            "SubmitLine",
        )
        for key, value in pairs[: 1 if free else None]:
            if key == "NtasksPerN:B:S:C":
                others = zip(("board", "socket", "core"), value.split(":")[1:], strict=False)
                made.update(f"tasks per {what}" for what, most in others if most not in _UNSET)
            elif key == "JobName":
                break
            elif value not in _UNSET:
                made.update(_unused([key], SCONTROL, "key"))
    return made


def _sentence(found: Counter[str], place: str) -> list[str]:
    if not found:
        return []
    parts = [f"{name} ({count})" for name, count in list(found.items())[:LISTED]]
    if rest := sum(list(found.values())[LISTED:]):
        parts.append(f"{rest} others")
    return [f"in {place} and not used: {', '.join(parts)}"]
