"""The first screen of a study's report: what it comes to, in one sentence, a few numbers and one chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import report
from ..base.quantities import counted
from ..plot.style import unit_of, words_of
from ..plot.units import value_text
from .answers import Found, bests
from .claims import Finding
from .tables import Outcome

#: Most numbers, and most sentences of the answer.
NUMBERS = 5
SENTENCES = 2
#: Runs of a page that a click can repeat, in all experiments together.
REPEATED = 200_000


def first_screen(
    outcomes: Mapping[str, Outcome], findings: Sequence[Finding], sections: list[report.Section]
) -> report.First:
    """Answer and numbers of the experiments that say what is best, else of the claims; the first chart leads.

    The chart moves from `sections` to the first screen.
    """
    found = [best for outcome in outcomes.values() for best in bests(outcome)]
    sentences = [f"{best.head}: {best.says}" for best in found[:SENTENCES]]
    sentences += dict.fromkeys(
        said for outcome in outcomes.values() if bests(outcome) and (said := outcome.part.other_work)
    )
    if not sentences and findings:
        sentences.append(_verdicts(findings))
    sentences += [spared.says for outcome in outcomes.values() if (spared := outcome.spared) and spared.flows]
    numbers = [_number(best, len(found)) for best in found[: NUMBERS - 1]]
    numbers += _improved(outcomes)
    if findings and len(numbers) < NUMBERS:
        confirmed = sum(finding.verdict == "confirmed" for finding in findings)
        numbers.append(report.Number("claims confirmed", f"{confirmed} of {len(findings)}"))
    if len(numbers) < NUMBERS - 1:
        runs = sum(len(outcome.table.rows) for outcome in outcomes.values())
        numbers.append(report.Number("runs", f"{runs:,}"))
    lead = next((i for i, section in enumerate(sections) if isinstance(section, report.Chart)), None)
    picture = sections.pop(lead) if lead is not None else None
    assert picture is None or isinstance(picture, report.Chart)
    return report.First(". ".join(sentences) + "." if sentences else "", numbers[:NUMBERS], picture)


def _number(best: Found, of: int) -> report.Number:
    label = best.group or best.title
    what = words_of(best.column)
    return report.Number(
        f"{label}: {'most' if best.most else 'least'} {what}",
        best.value,
        unit_of(best.column),
        note=", ".join(filter(None, (best.winner, _over(best)))),
    )


def _over(best: Found) -> str:
    """The other end of what was compared."""
    if best.other is None:
        return ""
    return f"{'least' if best.most else 'most'} {value_text(best.other, unit_of(best.column))}"


def _improved(outcomes: Mapping[str, Outcome]) -> list[report.Number]:
    """What the searches of an experiment made of the objective: the run that gained most, and how far the bound is."""
    made = []
    for outcome in outcomes.values():
        gained = []
        for row in outcome.table.rows:
            start, value = row.get("start_value"), row.get("value")
            if isinstance(start, (int, float)) and isinstance(value, (int, float)) and start > 0:
                gained.append((value / start, start, value, row.get("bound")))
        if gained:
            ratio, start, value, bound = min(gained, key=lambda found: found[:3])
            least = f", bound {value_text(bound)}" if isinstance(bound, (int, float)) else ""
            note = f"{100 * (1 - ratio):.0f} % less{least}"
            made.append(report.Number("objective of the mapping", value, before=start, note=note))
    return made[:1]


def _verdicts(findings: Sequence[Finding]) -> str:
    counts: dict[str, int] = {}
    for finding in findings:
        counts[finding.verdict] = counts.get(finding.verdict, 0) + 1
    confirmed = counts.pop("confirmed", 0)
    others = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    return f"{confirmed} of {counted(len(findings), 'claim')} confirmed" + (f", {others}" if others else "")


def repeatable(outcomes: Mapping[str, Outcome]) -> dict[str, report.Runs]:
    """What repeats the runs of the experiments that have charts. O(runs)."""
    made: dict[str, report.Runs] = {}
    room = REPEATED
    for name, outcome in outcomes.items():
        if not outcome.part.spec.chart or len(outcome.runs) > room:
            continue
        room -= len(outcome.runs)
        defaults = {option.name: option.default for option in outcome.part.evaluation.options}
        made[name] = report.Runs(
            outcome.part.evaluation.name,
            [{key: value for key, value in run.options.items() if value != defaults.get(key)} for run in outcome.runs],
            [run.inputs() for run in outcome.runs],
            [run.labels for run in outcome.runs],
        )
    return made
