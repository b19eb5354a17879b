"""What `netloom learn` says of a model and of its predictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from .output import emit_facts, emit_json, emit_table, note, say
from .pages import facts as of_command

if TYPE_CHECKING:
    from ..learning import Asked, Learned, Model, Predicted, Samples
    from ..report import AnswerPage, Chart

#: Subsets of a search that are shown.
BEST = 10
WORDS = {"rcc": "RCC", "r2": "R2", "kendall_tau_b": "tau-b"}


def _best(found: Learned, asked: Asked) -> list[dict[str, object]]:
    """The best subsets of a search, by the score that it followed."""
    if found.chosen is None:
        return []
    rated = sorted(found.chosen.whole, key=lambda one: (-one.score(asked.by), len(one.features), one.features))[:BEST]
    names = found.samples.features
    return [
        {"features": [names[at] for at in one.features], "rcc": _number(one.rcc), "r2": _number(one.r2)}
        for one in rated
    ]


def _number(value: float) -> float | None:
    return value if value == value else None


def _facts(found: Learned, asked: Asked, output: str | None) -> dict[str, object]:
    model = found.model
    made: dict[str, object] = {name: one._asdict() for name, one in model.scores.items()}
    made |= {
        "features": list(model.features),
        "importances": {
            name: {kind: _number(value) for kind, value in one.items()} for name, one in found.importances.items()
        },
        "target": model.target,
        "rows": {name: len(rows) for name, rows in found.parts.named()},
        "method": dict(model.method),
        "interval": {"error": model.error, "level": model.level, "relative": model.relative},
        "ranges": {name: list(one) for name, one in zip(model.features, model.ranges, strict=True)},
        "origin": dict(model.origin),
    }
    if found.chosen is not None:
        made["search"] = {
            "rated": len(found.chosen.whole), "looked": found.chosen.looked, "best": _best(found, asked),
            "optimism": found.optimism,
        }  # fmt: skip
    if found.quantiles:
        made["quantiles"] = {f"{quantile:g}": dict(one) for quantile, one in found.quantiles.items()}
    return made | {"notes": list(found.notes), "files": [] if output is None else [output]}


def show(found: Learned, asked: Asked, output: str | None, json_: bool) -> None:
    """The answer of `learn`."""
    facts = _facts(found, asked, output)
    if json_:
        emit_json(facts)
        return
    model = found.model
    say(_sentence(found))
    click.echo()
    rows = []
    for name, scores in model.scores.items():
        low_high = scores.held_out_interval
        between = "" if low_high is None else f"{low_high[0]:.3f} to {low_high[1]:.3f}"
        rows.append([WORDS[name], scores.train, scores.test, scores.held_out, between])
    emit_table(["score", "train", "test", "held out", "90 % of it"], rows)
    click.echo()
    ranked = sorted(found.importances.items(), key=lambda one: -one[1]["permutation"])
    emit_table(
        ["feature", "impurity", "permutation"],
        [[name, _number(one["impurity"]), one["permutation"]] for name, one in ranked],
    )
    if found.chosen is not None:
        click.echo()
        best = [[", ".join(map(str, one["features"])), one["rcc"], one["r2"]] for one in _best(found, asked)]  # type: ignore[call-overload]
        emit_table(["best subsets on the test rows", "RCC", "R2"], best)
    if found.quantiles:
        click.echo()
        names = found.samples.features
        rows = [[name, *(of[name] for of in found.quantiles.values())] for name in names]
        emit_table(["importance at", *(f"quantile {one:g}" for one in found.quantiles)], rows)
    for line in found.notes:
        note(f"note: {line}")


def _sentence(found: Learned) -> str:
    """What decides the target, and how sure that is."""
    model = found.model
    most = max(found.importances, key=lambda name: found.importances[name]["permutation"])
    right = model.scores["rcc"].held_out or 0.0
    rows = len(found.parts.held_out)
    line = f"{most} tells most of {model.target}; on {rows} rows that nothing saw, "
    line += f"{100 * right:.1f} % of pairs are in the right order."
    if found.optimism is not None and found.optimism > 0:
        line += f" On the rows that chose the subset the score was {found.optimism:.3f} better: "
        line += "do not expect that elsewhere."
    return line


def page(found: Learned, asked: Asked) -> AnswerPage:
    """The page of `learn`."""
    from ..report import AnswerPage, Number

    model, charts = found.model, _charts(found)
    scores = model.scores
    numbers = [
        Number("RCC, held out", _text(scores["rcc"].held_out)),
        Number("R2, held out", _text(scores["r2"].held_out)),
        Number("features", str(len(model.features))),
        Number("rows", str(len(found.predicted))),
    ]
    tables = {
        "scores": [{"score": WORDS[name], **one._asdict(), "held_out_interval": None} for name, one in scores.items()],
        "best subsets": [one | {"features": ", ".join(map(str, one["features"]))} for one in _best(found, asked)],  # type: ignore[call-overload]
    }
    says = [*found.notes, *ASSUMPTIONS]
    return AnswerPage(
        f"What decides {model.target}", _sentence(found), numbers, charts, {}, tables, says, (), of_command()
    )


def _charts(found: Learned) -> list[Chart]:
    """Predictions over observations, both in order, and what matters."""
    from ..report import Chart

    model, observed = found.model, found.samples.observed
    assert observed is not None
    part_of = {int(row): name.replace("_", " ") for name, rows in found.parts.named() for row in rows}
    order = sorted(range(len(observed)), key=lambda row: (observed[row], row))
    seen = {
        "observed": [float(observed[row]) for row in order],
        "predicted": [float(found.predicted[row]) for row in order],
    }
    rows = [part_of[row] for row in order]
    sorted_ = {
        "sample": [*range(len(order))] * 2, model.target: seen["observed"] + seen["predicted"],
        "of": ["observed"] * len(order) + ["predicted"] * len(order),
    }  # fmt: skip
    important = [
        {"feature": name, "importance": value, "by": kind}
        for name, one in found.importances.items()
        for kind, value in one.items()
        if value == value
    ]
    # The names say the unit.
    over = {f"{name}_{model.target}": values for name, values in seen.items()} | {"rows": rows}
    bars = {key: [row[key] for row in important] for key in ("feature", "importance", "by")}
    return [
        Chart("Predicted over observed", "scatter", over, x=f"observed_{model.target}", y=f"predicted_{model.target}",
              series="rows"),
        Chart("Samples by what was observed", "line", sorted_, x="sample", y=model.target, series="of"),
        Chart("Importance of features", "bar", bars, x="feature", y="importance", series="by"),
    ]  # fmt: skip


def _text(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3f}"


ASSUMPTIONS = (
    "Rows are drawn from one source: a score says nothing of rows from elsewhere.",
    "A subset that was chosen by its test score is too good on the test rows; the held-out rows did not choose.",
    "Features that say nearly the same share their importance.",
)


def show_predicted(model: Model, samples: Samples, found: Predicted, notes: Sequence[str], json_: bool) -> None:
    """The answer of `learn predict`."""
    from ..learning import SCORES

    facts: dict[str, object] = {
        "predictions": [_number(float(one)) for one in found.values],
        "low": [_number(float(one)) for one in found.low],
        "high": [_number(float(one)) for one in found.high],
        "refused": sorted(found.refused),
        "why": [found.refused[row] for row in sorted(found.refused)],
        "target": model.target,
        "level": model.level,
        "features": list(model.features),
    }
    kept = [row for row in range(len(found.values)) if row not in found.refused]
    if samples.observed is not None and len(kept) > 1:
        scored = {name: _number(score(samples.observed[kept], found.values[kept])) for name, score in SCORES.items()}
        inside = (samples.observed[kept] >= found.low[kept]) & (samples.observed[kept] <= found.high[kept])
        facts |= scored | {"inside": float(inside.mean())}
    facts["notes"] = list(notes)
    if json_:
        emit_json(facts)
        return
    rows = [
        [row, found.values[row], found.low[row], found.high[row], found.refused.get(row, "")]
        for row in range(len(found.values))
    ]
    emit_table(["row", model.target, "low", "high", "refused"], [[_known(cell) for cell in row] for row in rows])
    if "rcc" in facts:
        click.echo()
        emit_facts({WORDS[name]: facts[name] for name in SCORES} | {"inside the interval": facts["inside"]})
    for line in notes:
        note(f"note: {line}")


def _known(cell: object) -> object:
    return "" if isinstance(cell, float) and cell != cell else cell
