"""The verdict on each statement of a paper, from what came out for the claims that decide it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from .findings import SLACK, Found
from .statements import Row

#: In order of the summary.
VERDICTS = ("confirmed", "tie", "refuted", "open", "waits")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_PAIR = re.compile(r"(-?[\d.]+(?:e-?\d+)?) and (-?[\d.]+(?:e-?\d+)?)")
#: From the least to the greatest over the random networks.
_RANGE = re.compile(r" \([-\d.]+ to [-\d.]+\)$")
_PLACE = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True)
class Judged:
    """A row with its verdict.

    Parameters
    ----------
    verdict
        One of `VERDICTS`; `misprint` for what a paper contradicts itself; `same` for a row that says what another says.
    """

    row: Row
    verdict: str
    reason: str


def judged(row: Row, found: Mapping[str, Found], homes: Mapping[str, str]) -> Judged:
    """The verdict on a row.

    All claims in `by` must hold. If one fails and another reading holds, the paper's setting decides: open.
    """
    if row.same:
        return Judged(row, "same", f"Told with {row.same}.")
    if row.waits:
        return Judged(row, "waits", f"{row.waits}.")
    needed = [*row.by, *(name for group in row.greatest for name in group.of)]
    missing = sorted({homes[name] for name in needed if name not in found})
    if missing:
        return Judged(row, "waits", f"a run of {', '.join(f'`{name}`' for name in missing)}.")
    if row.misprint:
        return Judged(row, "misprint", f"Erratum {row.misprint}.")
    if row.open:
        return Judged(row, "open", filled(row.open, found))
    verdict, reason = _decided(row, found)
    if verdict == "refuted" and row.fails:
        reason = filled(row.fails, found)
    note = filled(row.note, found)
    if verdict == "refuted" and row.open_if_refuted:
        return Judged(row, "open", filled(row.open_if_refuted, found))
    if verdict == "refuted" and (held := holding(row, found)):
        return Judged(row, "open", f"{reason} It holds with another reading ({held}).".strip())
    return Judged(row, verdict, " ".join(part for part in (reason, note) if part))


def _decided(row: Row, found: Mapping[str, Found]) -> tuple[str, str]:
    parts = [found[name] for name in row.by]
    verdicts = [part.verdict for part in parts]
    reasons = [part.reason for part in parts if part.verdict == "refuted" and part.reason]
    if row.greatest:
        verdicts.append(_greatest(row, found))
    if "refuted" in verdicts:
        return "refuted", " ".join(dict.fromkeys(reasons))
    if "open" in verdicts:
        return "open", "The runs lack a number that it needs."
    tied = [part for part in parts if part.verdict == "tie"]
    kinds = (
        ("Equal within 2 %", [part.id for part in tied if not _spread(part)]),
        ("Nearer to each other than the random networks are", [part.id for part in tied if _spread(part)]),
    )
    why = " ".join(f"{kind}: {', '.join(names)}." for kind, names in kinds if names)
    return ("tie", why) if tied else ("confirmed", "")


def _spread(tied: Found) -> bool:
    """True where two numbers of a tie are farther apart than 2 %, so that only the networks' spread makes it one."""
    pairs = [_PAIR.fullmatch(case["got"]) for case in tied.cases if case["verdict"] == "tie"]
    numbers = [(float(pair[1]), float(pair[2])) for pair in pairs if pair]
    return any(abs(a - b) > SLACK * max(abs(a), abs(b)) for a, b in numbers)


def _greatest(row: Row, found: Mapping[str, Found]) -> str:
    numbers = greatest(row, found)
    printed = [group.printed for group in row.greatest]
    held = all(p is None or abs(n - p) <= row.tolerance for n, p in zip(numbers, printed, strict=True))
    if row.rising:
        held = held and all(a < b for a, b in pairwise(numbers))
    return "confirmed" if held else "refuted"


def greatest(row: Row, found: Mapping[str, Found]) -> list[float]:
    """The greatest number of each group."""
    return [max(number_of(found[name].got) for name in group.of) for group in row.greatest]


def number_of(text: str) -> float:
    """The first number of what came out."""
    match = _NUMBER.search(text)
    if match is None:
        raise ValueError(f"no number in {text!r}")
    return float(match[0])


def holding(row: Row, found: Mapping[str, Found]) -> str:
    """Readings under which a claim of the row holds in all its cases, by name; nothing if none does."""
    names = []
    for name in row.readings:
        if name not in found:
            continue
        claim = found[name]
        if claim.verdict in ("confirmed", "tie"):
            names.append(claim.id)
        else:
            failed = {case["setting"] for case in claim.cases if case["verdict"] not in ("confirmed", "tie")}
            shown = dict.fromkeys(case["setting"] for case in claim.cases if case["verdict"] == "confirmed")
            kept = [setting for setting in shown if setting and setting not in failed]
            names += [f"{claim.id}: {', '.join(kept[:4])}{', ...' if len(kept) > 4 else ''}"] if kept else []
    return "; ".join(names)


def filled(text: str, found: Mapping[str, Found]) -> str:
    """The text with its numbers: `{J10}` is what came out for a claim, `{J10 | placement RDC}` for one case of it.

    Ranges over the random networks are left to the table.
    """

    def number(match: re.Match[str]) -> str:
        name, _, label = match[1].partition(" | ")
        if name not in found:
            return "(not run yet)"
        claim = found[name]
        if not label:
            return _RANGE.sub("", claim.got)
        return next((case["got"] for case in claim.cases if case["label"] == label), "(not run yet)")

    return _PLACE.sub(number, text)
