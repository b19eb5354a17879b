"""The critical path in words: where it leads, and what its time goes into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

#: A critical path with its shares, as the evaluators and `--json` have it.
Found = Mapping[str, Any]
#: Causes of contention, as the core names them, in words.
CAUSES = {
    "own NIC": "own NIC",
    "own job": "own job in the network",
    "other jobs": "other jobs",
    "unknown": "not told apart",
}


def ends(path: Found, jobs: Sequence[str]) -> str:
    """`rank 5`, or `rank 5 of job a` of several: who ends last; empty for an empty path."""
    return _rank(path["job"], path["rank"], jobs)


def begins(path: Found, jobs: Sequence[str]) -> str:
    """The same of the rank where the path begins."""
    return _rank(path["from_job"], path["from_rank"], jobs)


def _rank(job: int | None, rank: int | None, jobs: Sequence[str]) -> str:
    if job is None or rank is None:
        return ""
    return f"rank {rank:,}" + (f" of job {jobs[job]}" if len(jobs) > 1 else "")


def shares(path: Found, least: float = 0.0) -> str:
    """`latency 2.1 %, contention 74.9 % (own NIC 74.9 %)`: kinds above the least share."""
    total = path["total_s"]
    parts = []
    for kind, seconds in path["shares_s"].items():
        if seconds > least * total:
            part = f"{kind} {seconds / total:.1%}"
            parts.append(f"{part} ({causes(path)})" if kind == "contention" and causes(path) else part)
    return ", ".join(parts)


def causes(path: Found) -> str:
    """`own NIC 50.0 %, other jobs 24.9 %`: shares of the whole path, of whom its messages share links with."""
    total = path["total_s"]
    found = path["contention_s"]
    return ", ".join(f"{CAUSES[cause]} {found[cause] / total:.1%}" for cause in CAUSES if found.get(cause, 0.0) > 0)
