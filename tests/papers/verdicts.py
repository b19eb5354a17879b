"""The verdict on each statement of a paper, from what came out for the claims that decide it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from .findings import SLACK, Found
from .statements import Row

#: In order of the summary.
VERDICTS = ("confirmed", "tie", "refuted", "open", "waits")
#: By what came out for a statement on a smaller machine.
SMALLER = {
    "confirmed": "holds on a smaller machine",
    "tie": "ties on a smaller machine",
    "refuted": "fails on a smaller machine",
}
#: Axes of studies whose values are readings; the values of other axes are parts of one statement.
READINGS = ("reading", "wiring", "flops_per_s", "inner links")
PART, SETTING = "run for a part", "unstated setting"
#: Why a row is open, in order of the summary.
GROUNDS = (*SMALLER.values(), PART, SETTING)
_OUTCOME = {"confirmed": "What was run holds.", "tie": "What was run ties.", "refuted": "What was run fails."}
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
    ground
        Why a row is open, one of `GROUNDS`; empty for all others.
    """

    row: Row
    verdict: str
    reason: str
    ground: str = ""


def judged(row: Row, found: Mapping[str, Found], homes: Mapping[str, str]) -> Judged:
    """The verdict on a row.

    All claims in `by` must hold. What was run on a smaller machine, or for a part of the statement, is open whichever
    way it came out. If a claim fails and another reading holds, or the other way round, the paper's setting decides:
    open, unless the row's `default` says why the setting that was judged is the paper's. A reading that ties does not
    hold.
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
        return Judged(row, "open", filled(row.open, found), SETTING)
    return _by_runs(row, found)


def _by_runs(row: Row, found: Mapping[str, Found]) -> Judged:
    verdict, reason = _decided(row, found)
    note, mixed = filled(row.note, found), ""
    if verdict == "refuted":
        reason = filled(row.open_if_refuted or row.fails, found) or reason
        mixed = holding(row, found)
        told = "" if row.open_if_refuted else f"It holds with another reading ({mixed})."
    elif verdict == "confirmed":
        mixed = "; ".join(failing(row, found))
        told = filled(row.default, found) or f"It fails with another reading ({mixed})."
    if mixed:
        reason = _joined(reason, told)
    if row.smaller:
        return Judged(row, "open", _joined(reason, filled(row.part, found), note), SMALLER.get(verdict, SETTING))
    if row.part:
        return Judged(row, "open", _joined(filled(row.part, found), _OUTCOME.get(verdict, ""), reason, note), PART)
    if verdict == "open" or (mixed and not row.default) or (verdict == "refuted" and row.open_if_refuted):
        return Judged(row, "open", _joined(reason, note), SETTING)
    return Judged(row, verdict, _joined(reason, note))


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


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
    """Readings under which a claim of the row holds in all its cases, by name; nothing if none does. A tie is none."""
    names = []
    for claim in (found[name] for name in row.readings if name in found):
        if claim.verdict == "confirmed":
            names.append(claim.id)
        else:
            broken = _settings(claim, lambda verdict: verdict != "confirmed")
            names += _named(claim, [one for one in _settings(claim, bool) if one not in broken])
    return "; ".join(names)


def failing(row: Row, found: Mapping[str, Found]) -> list[str]:
    """Readings under which a claim of the row fails in a case, by name."""
    names = []
    for claim in (found[name] for name in row.readings if name in found):
        if claim.verdict == "refuted":
            names += _named(claim, _settings(claim, lambda verdict: verdict == "refuted")) or [claim.id]
    return names


def _settings(claim: Found, wanted: Callable[[str], bool]) -> list[str]:
    """The readings among the cases of a claim that have such a verdict."""
    chosen = dict.fromkeys(case["setting"] for case in claim.cases if wanted(case["verdict"]))
    return [setting for setting in chosen if setting.startswith(READINGS)]


def _named(claim: Found, settings: list[str]) -> list[str]:
    return [f"{claim.id}: {', '.join(settings[:4])}{', ...' if len(settings) > 4 else ''}"] if settings else []


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
