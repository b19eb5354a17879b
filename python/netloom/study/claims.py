"""Claims: what a paper, or the author of a study, states, against what came out."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..base.quantities import amount_text, size_text
from ..results import Table
from .schema import Claim, Query
from .spared import of_flows, percent
from .tables import Outcome, relate

_SIGNS = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
}
#: How columns of bandwidth end.
_RATE = "_bytes_per_s"
#: A number in the words of a refutation.
_PLACE = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True)
class Finding:
    """The verdict on a claim.

    Parameters
    ----------
    verdict
        `confirmed`, `refuted`, or `open` where the results lack a number that it needs.
    surprise
        True if the verdict is not what the study's author wrote down: it makes the study's exit code 1.
    reason
        The claim's `refuted` with its numbers, see `filled`.
    by_flows
        How many of the runs behind it flows answered in place of packets, with their errors; "" if none.
    """

    claim: Claim
    experiment: str
    expected: str
    got: str
    verdict: str
    surprise: bool
    reason: str = ""
    by_flows: str = ""

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        made: dict[str, object] = {
            "id": self.claim.id,
            "says": self.claim.says,
            "source": self.claim.source,
            "experiment": self.experiment,
            "expected": self.expected,
            "got": self.got,
            "verdict": self.verdict,
            "known_refutation": self.reason,
        }
        return made | ({"by_flows": self.by_flows} if self.by_flows else {})


def judge(claim: Claim, home: str, outcomes: Mapping[str, Outcome]) -> Finding:
    """Evaluate one claim. With `each`, it must hold for every group. O(rows)."""
    table = _table(claim.of, home, outcomes)
    groups = table.where(claim.of.where).groups(claim.each) if claim.each else [((), table)]
    verdicts: list[bool | None] = []
    shown: list[str] = []
    cases: list[tuple[str, str, bool]] = []
    for key, _ in groups:
        fixed = dict(zip(claim.each, key, strict=True))
        held, text = _one(claim, home, outcomes, fixed)
        verdicts.append(held)
        label = ", ".join(f"{name} {value}" for name, value in fixed.items())
        shown.append(f"{label}: {text}" if label else text)
        cases.append((label, text, held is not False))
    if not verdicts or None in verdicts:
        verdict = "open"
    else:
        verdict = "confirmed" if all(verdicts) else "refuted"
    surprise = verdict != ("refuted" if claim.refuted else "confirmed")
    got = _joined(shown, verdicts)
    reason = filled(claim.refuted, got, cases)
    return Finding(claim, home, _expected(claim), got, verdict, surprise, reason, _by_flows(claim, home, outcomes))


def _by_flows(claim: Claim, home: str, outcomes: Mapping[str, Outcome]) -> str:
    """What is said of rows of flows that a claim reads: of those that its conditions on axes choose. O(rows)."""
    asked = [(claim.of.experiment or home, claim.of, claim.of.where)]
    if isinstance(claim.to, Query):
        asked.append((claim.to.experiment or asked[0][0], claim.to, claim.of.where | claim.to.where))
    runs = 0
    errors: list[float] = []
    for name, query, where in asked:
        outcome = outcomes[name]
        if outcome.spared and outcome.spared.flows:
            # A number that is derived from others rests on all of them.
            derived = {compare.name for compare in outcome.part.spec.compare}
            whole = query.table and query.table not in outcome.part.evaluation.tables
            axes = {axis: value for axis, value in where.items() if axis in outcome.part.labels}
            table = outcome.table if whole or query.column in derived else outcome.table.where(axes)
            runs, errors = runs + len(table.rows), errors + of_flows(table)
    return f"{len(errors)} of {runs} runs by flows, stated error up to {percent(max(errors))}" if errors else ""


def filled(text: str, got: str, cases: Sequence[tuple[str, str, bool]]) -> str:
    """Words with the numbers of a claim, from its groups: label, what came out, whether it holds.

    `{got}` is what came out, `{size 64}` what came out for that group, `{failing}` the groups that break the claim,
    `{failing size}` the values of that axis among them, `{holding size}` those of which no group breaks it.
    """
    numbers = {label: text for label, text, _ in cases} | {"got": got}
    numbers["failing"] = "; ".join(label for label, _, held in cases if not held)

    def number(match: re.Match[str]) -> str:
        which, _, axis = match[1].partition(" ")
        if which not in ("failing", "holding") or not axis or match[1] in numbers:
            return numbers.get(match[1], match[0])
        values = [(re.search(rf"(?:^|, ){re.escape(axis)} ([^,]+)", label), held) for label, _, held in cases]
        broken = {found[1] for found, held in values if found and not held}
        every = dict.fromkeys(found[1] for found, _ in values if found)
        chosen = [value for value in every if (value in broken) == (which == "failing")]
        if axis.endswith("_bytes"):
            chosen = [size_text(int(value)) if value.isdecimal() else value for value in chosen]
        return ", ".join(chosen) or "none"

    return _PLACE.sub(number, text)


def _joined(shown: list[str], verdicts: list[bool | None]) -> str:
    """All groups, or only those that break the claim where there are many."""
    if len(shown) > 8:
        broken = [text for text, held in zip(shown, verdicts, strict=True) if not held]
        if not broken:
            return f"{shown[0]}; ...; {shown[-1]} ({len(shown)} cases)"
        shown = [*broken[:8], f"... ({len(broken)} of {len(verdicts)} cases)"] if len(broken) > 8 else broken
    return "; ".join(shown) if shown else "no such rows"


def _one(
    claim: Claim, home: str, outcomes: Mapping[str, Outcome], fixed: Mapping[str, object]
) -> tuple[bool | None, str]:
    if claim.along:
        wheres = [{**claim.of.where, **fixed} | {claim.along: step} for step in claim.rising]
        values = [_value(claim.of, home, outcomes, where) for where in wheres]
        said = [
            _unknown(claim.of, home, outcomes, where) if value is None else _said(value, claim.of)
            for value, where in zip(values, wheres, strict=True)
        ]
        text = " < ".join(f"{step} {words}" for step, words in zip(claim.rising, said, strict=True))
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            return None, text
        held = all(a < b for a, b in pairwise(known))
        return held, text if held else text.replace(" < ", ", ")
    where = {**claim.of.where, **fixed}
    value = _value(claim.of, home, outcomes, where)
    missing = [] if value is not None else [_unknown(claim.of, home, outcomes, where)]
    reference: float | None = None
    query = claim.of
    if isinstance(claim.to, Query):
        query = claim.to.model_copy(
            update={
                "column": claim.to.column or claim.of.column,
                "table": claim.to.table or claim.of.table,
                "experiment": claim.to.experiment or claim.of.experiment,
                "aggregate": claim.to.aggregate if "aggregate" in claim.to.model_fields_set else claim.of.aggregate,
            }
        )
        where = where | claim.to.where
        reference = _value(query, home, outcomes, where)
        missing += [] if reference is not None else [_unknown(query, home, outcomes, where)]
    elif claim.to is not None:
        reference = claim.to
    if claim.is_ is not None:
        # Equal numbers are shown in full, others as a reader compares them.
        exact = claim.is_ in ("==", "!=")
        both_of = ((value, claim.of), (reference, query))
        words = [number(found) if exact else _said(found, asked) for found, asked in both_of]
        if value is None or reference is None:
            waiting = iter(missing)
            told = [next(waiting) if found is None else word for (found, _), word in zip(both_of, words, strict=True)]
            return None, told[0] if isinstance(claim.to, float) else " and ".join(told)
        both = words[0] if isinstance(claim.to, float) else " and ".join(words)
        return _SIGNS[claim.is_](value, reference), both
    got = value if claim.as_ == "value" else relate(claim.as_, value, reference)
    if got is None or claim.expected is None:
        return None, " and ".join(missing) or "not known: the reference is 0"
    close = abs(got - claim.expected) <= margin(claim) * (1 + 1e-12)
    return close, _measure(got, claim) + (" %" if claim.as_ == "percent-less" else "")


def margin(claim: Claim) -> float:
    """Tolerance in the unit of the expected value."""
    text = str(claim.tolerance)
    if text.endswith("%"):
        return abs(claim.expected or 0.0) * float(text.removesuffix("%")) / 100
    return float(text)


def _expected(claim: Claim) -> str:
    if claim.along:
        return " < ".join(map(str, claim.rising))
    if isinstance(claim.to, Query):
        first, second = _told_apart(claim.of, claim.to)
        if claim.is_:
            return f"{first} {claim.is_} {second}"
    if claim.is_:
        return f"{claim.is_} {number(claim.to if isinstance(claim.to, float) else None)}"
    unit = {"percent-less": " % less", "ratio": " times"}.get(claim.as_, "")
    points = " points" if unit == " % less" and not str(claim.tolerance).endswith("%") else ""
    exact = margin(claim) == 0
    text = str(claim.tolerance)
    spread = text if text.endswith("%") else number(float(text)) + points
    return f"{_measure(claim.expected, claim)}{unit}" + ("" if exact else f" ± {spread}")


def _measure(value: float | None, claim: Claim) -> str:
    """A value that has a tolerance; a bandwidth with its unit."""
    rate = claim.as_ == "value" and claim.of.column.endswith(_RATE)
    return _said(value, claim.of) if rate else number(value)


def _told_apart(of: Query, to: Query) -> tuple[str, str]:
    """What the second query changes, as words for both: `auto` and `two-opt`, or the names of two columns."""
    words: tuple[list[str], list[str]] = ([], [])
    for change, (was, now) in {
        "experiment": (of.experiment, to.experiment),
        "column": (of.column, to.column),
        **{key: (of.where.get(key, f"any {key}"), value) for key, value in to.where.items()},
    }.items():
        if now and now != was and not (change == "experiment" and not was):
            words[0].append(_words(change, was))
            words[1].append(_words(change, now))
    if "aggregate" in to.model_fields_set and to.aggregate != of.aggregate:
        words[0].append(of.aggregate)
        words[1].append(to.aggregate)
    first, second = (", ".join(part) for part in words)
    return first or of.column, second or of.column


def _words(key: str, value: object) -> str:
    """Numbers with the name of their column, which texts do without."""
    values = value if isinstance(value, list) else [value]
    text = " or ".join(map(str, values))
    return text if all(isinstance(v, str) for v in values) else f"{key} {text}"


def number(value: float | None) -> str:
    """At most four significant digits of a fraction; whole numbers in full."""
    if value is None:
        return "?"
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value)}"
    return f"{value:.4g}" if abs(value) < 1e4 else f"{value:.1f}"


def _said(value: float | None, query: Query) -> str:
    """As `number`; bytes, and bytes per second, in decimal units, four digits."""
    if value is None or query.aggregate == "count" or not query.column.endswith(("_bytes", _RATE)):
        return number(value)
    return amount_text(value, 4) + ("/s" if query.column.endswith(_RATE) else "")


def _table(query: Query, home: str, outcomes: Mapping[str, Outcome]) -> Table:
    outcome = outcomes[query.experiment or home]
    return outcome.named(query.table) or Table("", [])


def _unknown(query: Query, home: str, outcomes: Mapping[str, Outcome], where: Mapping[str, object]) -> str:
    """Why there is no number."""
    rows = _table(query, home, outcomes).where(where)
    if not rows.rows:
        words = ", ".join(f"{key} {value}" for key, value in where.items())
        return f"? (no row has {words})" if words else "? (no rows)"
    texts = [value for value in rows.values(query.column) if isinstance(value, str)]
    column = f"{query.column} is"
    return f"? ({column} text, such as {texts[0][:40]})" if texts else f"? ({column} not known)"


def _value(query: Query, home: str, outcomes: Mapping[str, Outcome], where: Mapping[str, object]) -> float | None:
    rows = _table(query, home, outcomes).where(where)
    return rows.aggregate(query.column, query.aggregate)
