"""What `netloom whatif` says: sentences, tables, and its page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from .output import emit_json, emit_table, note, say
from .pages import facts
from .stopped import stopped_s

if TYPE_CHECKING:
    from ..base.stopping import Clock
    from ..report import AnswerPage, Chart, Number
    from ..whatif import Knee, WhatIf
    from ..whatif.curves import Curve, Map
    from ..whatif.varied import Value

#: Decimals of an index.
DIGITS = 3
#: Results that differ by more times have a logarithmic scale.
APART = 10
#: The parts of a curve on either side of its knee.
GAINS, NOTHING = "runs", "from the knee on: less than {} better"
#: The same parameter at the best point.
OTHERS = "with the best of the others"
#: In place of a gain over numbers of ranks that differ.
OTHER_WORK = "other work"


def show(found: WhatIf, clock: Clock, json_: bool) -> None:
    """The answer on stdout."""
    if json_:
        emit_json(found.to_dict() | stopped_s(clock))
        return
    for sentence in found.explain():
        say(sentence)
    for title, rows in tables(found).items():
        if rows and title != "runs":
            click.echo(f"\n{title}")
            emit_table(list(rows[0]), [list(row.values()) for row in rows])
    if found.base is not None:
        values = ", ".join(f"{one.name} = {one.text(one.base)}" for one in found.varied)
        click.echo(f"\nbase point: {values}; {found.asked.target} {found.asked.text(found.base)}")
    click.echo(f"\n{len(found.points):,} runs of {found.asked.evaluator or 'the function'}: {found.asked.model}")
    for line in _notes(found):
        note(f"note: {line}")


def _notes(found: WhatIf) -> list[str]:
    """Notes that are not among the sentences."""
    return [line for line in found.notes if line != found.asked.other_work]


def tables(found: WhatIf) -> dict[str, list[dict[str, object]]]:
    """Indices and knees, a row for each parameter."""
    asked = found.asked
    made: dict[str, list[dict[str, object]]] = {"rungs": _rungs(found), "indices": [], "knees": []}
    again = {} if found.best is None else {one.name: one for one in found.best.knees}
    for name in found.ranked:
        one = found.indices[name]
        made["indices"].append({
            "parameter": name, "first": round(one.first, DIGITS), "total": round(one.total, DIGITS),
            "low": round(one.low, DIGITS), "high": round(one.high, DIGITS),
        })  # fmt: skip
    for knee in found.knees:
        bend = "–" if knee.bend is None else knee.curve.varied.text(knee.bend)
        others = _nothing(again[knee.name]) if knee.name in again else "–"
        before, after = round(knee.gain_before, DIGITS), round(knee.gain_after, DIGITS)
        unlike = knee.name in asked.ranks
        made["knees"].append({
            "parameter": knee.name, "gives nothing": OTHER_WORK if unlike else _nothing(knee), "best of others": others,
            "gain before": OTHER_WORK if unlike else before, "gain after": OTHER_WORK if unlike else after,
            "best inside": "–" if knee.best_inside is None else knee.curve.varied.text(knee.best_inside.value),
            "largest bend": bend,
        })  # fmt: skip
    names = [one.name for one in found.varied]
    made["runs"] = [
        {**{name: one.text(value) for name, one, value in zip(names, found.varied, values, strict=True)},
         asked.target: result, "for": why}
        for values, result, why in found.points
    ]  # fmt: skip
    return made


def _nothing(knee: Knee) -> str:
    """From where on a parameter gives nothing."""
    if knee.flat:
        return "anywhere"
    return "–" if knee.value is None else f"{'above' if knee.upwards else 'below'} {knee.curve.varied.text(knee.value)}"


def _rungs(found: WhatIf) -> list[dict[str, object]]:
    """The points of the decision by both rungs, a row for each."""
    one = found.decision
    if one is None:
        return []
    check, rows = one.sure.checked, list[dict[str, object]]()
    gains = [check.gains(which, found.asked.least) for which in (0, 1)]
    for name, pair in (check.results or {}).items():
        at = "base" if not name else f"{name} = {one.gains[name].curve.varied.text(one.gains[name].value)}"
        row: dict[str, object] = {"point": at}
        for which, (rung, column) in enumerate(((check.rung, found.asked.target), (check.second, check.target))):
            row[f"{column} by {rung}"] = pair[which] if not check.same_unit else found.asked.text(pair[which])
            gain = round(gains[which][name], DIGITS) if name else 1
            row[f"gain by {rung}"] = OTHER_WORK if name in found.asked.ranks else gain
        rows.append(row)
    return rows


def page(found: WhatIf) -> AnswerPage:
    """The page of `whatif`."""
    from ..report import AnswerPage, Number

    said = found.explain()
    numbers = [Number(f"total index, {name}", f"{found.indices[name].total:.2f}") for name in found.ranked[:2]]
    numbers += _sureness(found)
    if found.base is not None:
        numbers.append(Number(f"{found.asked.target} at the base point", found.asked.text(found.base)))
    pictures = [*_indices(found), *(_curve(one, found) for one in found.curves)]
    if found.map is not None:
        pictures.append(_map(found.map, found))
    return AnswerPage(
        f"What decides {found.asked.target}", said[0] if said else "Nothing is known yet.", numbers, pictures, {},
        tables(found), [*said[1:], *_notes(found)], found.asked.assumptions,
        facts() | {"model": found.asked.model, "seeds": found.settings.seed},
    )  # fmt: skip


def _sureness(found: WhatIf) -> list[Number]:
    """The lead over the runner-up, and whether the rungs agree."""
    from ..base.quantities import percent
    from ..report import Number
    from ..whatif.decision import abs_lead

    one = found.decision
    if one is None or one.runner_up is None or any(name in found.asked.ranks for name in one.totals):
        return []
    made = []
    if one.sure.lead is not None:
        tie = "within the error: a tie" if one.sure.tie else "ahead of the runner-up"
        note_ = "behind the runner-up" if one.sure.lead < 0 else tie
        made.append(Number("lead", percent(abs_lead(one.sure.lead)), note=note_))
    if one.rungs_agree is not None:
        made.append(Number("rungs", "agree" if one.rungs_agree else "disagree", note=", ".join(one.leads)))
    return made


def _indices(found: WhatIf) -> list[Chart]:
    """Bars with intervals."""
    from ..report import Chart

    rows: list[tuple[str, float, float, float, str]] = []
    for name in found.ranked:
        one = found.indices[name]
        rows.append((name, max(one.total, 0.0), max(one.low, 0.0), one.high, "total"))
        rows.append((name, max(one.first, 0.0), max(one.first_low, 0.0), one.first_high, "first order"))
    if not rows:
        return []
    keys = ("parameter", "index", "low", "high", "order")
    data: Mapping[str, Sequence[object]] = {key: [row[at] for row in rows] for at, key in enumerate(keys)}
    return [
        Chart("Sobol's indices", "bar", data, x="parameter", y="index", series="order", low="low", high="high",
              y_label="share of the variance",
              caption="With 95 % intervals. First order: alone; total: with all that it does together with others."),
    ]  # fmt: skip


def _curve(curve: Curve, found: WhatIf) -> Chart:
    """Results over one parameter, with the base point and the knee."""
    from ..report import Chart
    from ..whatif import Range
    from ..whatif.phrases import called, capital, within

    varied, target = curve.varied, found.asked.target
    if not isinstance(varied, Range):
        data = {varied.name: [str(value) for value in curve.values], target: curve.results}
        return Chart(capital(called(varied.name)), "bar", data, x=varied.name, y=target)
    knee = next((one for one in found.knees if one.name == varied.name), None)
    begins = None if knee is None else knee.value
    nothing = NOTHING.format(within(curve.nothing))
    rows: list[tuple[Value, float, str]] = []
    for value, result in zip(curve.values, curve.results, strict=True):
        beyond = begins is not None and knee is not None and (value > begins if knee.upwards else value < begins)  # type: ignore[operator]
        rows += [(value, result, GAINS)] * (not beyond) + [(value, result, nothing)] * (beyond or value == begins)
    if varied.log:
        # A base of 0 has no place on that axis.
        rows = [row for row in rows if float(row[0]) > 0]
    rows.sort(key=lambda row: row[2] == nothing)
    again = [] if found.best is None else found.best.curves
    others = next((one for one in again if one.varied.name == varied.name and one != curve), None)
    if others is not None:
        rows += [(value, result, OTHERS) for value, result in zip(others.values, others.results, strict=True)]
    if (base := curve.at(varied.base)) is not None and not (varied.log and float(varied.base) <= 0):
        rows.append((varied.base, base, "base point"))
    if knee is not None and knee.bend is not None and (at := curve.at(knee.bend)) is not None:
        rows.append((knee.bend, at, "largest bend"))
    data = {varied.name: [row[0] for row in rows], target: [row[1] for row in rows], "of": [row[2] for row in rows]}
    # Ticks of an even scale are powers of ten.
    unit = "B" if varied.unit == "bytes" else varied.unit
    return Chart(
        capital(called(varied.name)), "line", data, x=varied.name, y=target, series="of", x_unit=unit,
        x_label=called(varied.name), log="x" * varied.log + _log_y([row[1] for row in rows]),
    )  # fmt: skip


def _log_y(results: Sequence[float]) -> str:
    """Whether results that differ by powers of ten have a logarithmic scale."""
    return "y" if min(results) > 0 and max(results) > APART * min(results) else ""


def _map(one: Map, found: WhatIf) -> Chart:
    """Results over both parameters that matter most."""
    from ..report import Chart
    from ..whatif.phrases import called, capital

    rows = [
        (one.second.text(column), one.first.text(row), result)
        for row, line in zip(one.rows, one.results, strict=True)
        for column, result in zip(one.columns, line, strict=True)
    ]
    data = {
        one.second.name: [row[0] for row in rows], one.first.name: [row[1] for row in rows],
        found.asked.target: [row[2] for row in rows],
    }  # fmt: skip
    caption = "By the emulator." if one.emulated else "A run in each cell."
    return Chart(
        f"{capital(called(one.first.name))} and {called(one.second.name)}", "heat", data, x=one.second.name,
        y=one.first.name, value=found.asked.target, caption=caption,
        log=_log_y([result for line in one.results for result in line]),
    )  # fmt: skip
