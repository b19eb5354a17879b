"""`netloom calibrate --machine`: costs of software fitted to measured collectives."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .options import within
from .output import emit_facts, emit_json, emit_table, note, progress
from .stopped import say_stopped, stopped_s

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..machine import Machine
    from ..measured import Measurement
    from ..validation.fit import Fit


@dataclass(frozen=True)
class Fitted:
    """A machine with costs of software that were fitted, and the fit."""

    machine: Machine
    fit: Fit
    dropped: int
    #: After how many seconds there was no time for more, if there was none.
    stopped: dict[str, object]

    def plain(self, output: str | None) -> dict[str, object]:
        """The fit as plain data."""
        return _plain(self.fit, output, self.dropped) | self.stopped

    def show(self, name: str) -> None:
        """Prints the fit, with the machine's name as it was typed."""
        _show(self.fit, name, self.dropped)


def fitted(paths: Sequence[str], machine: str | Machine, quiet: bool) -> Fitted:
    """The machine with the costs that measured collectives have."""
    from ..machine import load
    from ..measured import read
    from ..validation import Predictor
    from ..validation.fit import fit
    from ..validation.terms import GPUS

    found = [read(path) for path in paths]
    predictor = Predictor(machine)
    predictor.prepare([row for one in found for row in one.rows], chosen=False)
    with within("fit fewer rows") as clock, progress("steps", quiet) as callback:
        made = fit(predictor.prepared, progress=lambda what, step, most: callback(step, most))
    say_stopped(clock, "the costs are fitted, how far off they are elsewhere was not tried on all rows")
    rows, base = [one.row for one in predictor.prepared], load(machine)
    if made.terms is GPUS and base.gpus is not None:
        base = load(base.gpus)
    dropped = len(predictor.dropped) + sum(len(one.dropped) for one in found)
    return Fitted(_machine(base, made, rows, paths), made, dropped, stopped_s(clock))


def show(paths: Sequence[str], machine: str, output: str | None, quiet: bool, json_: bool) -> None:
    """Fits, prints, and writes the machine with the costs that were found."""
    from ..base import files
    from ..machine.writing import dumps

    made = fitted(paths, machine, quiet or json_)
    if output is not None:
        files.write(output, dumps(made.machine, Path(output).parent).encode())
    if json_:
        emit_json({"machine": machine, **made.plain(output)})
        return
    made.show(machine)
    if output is not None:
        note(f"wrote {output}")


def _machine(machine: Machine, made: Fit, rows: Sequence[Measurement], paths: Sequence[str]) -> Machine:
    from .. import _core
    from ..machine import Measured
    from ..machine.validated import Validated
    from ..machine.writing import with_values

    names = ", ".join(Path(path).name for path in paths)
    source = f"netloom calibrate, from {names}: {made.own.rows} measurements"
    plain = {name.partition(".")[2]: known.value for name, known in machine.values.items() if "." in name}
    settings = made.terms.settings(made.values, _core.machine_settings(machine.name, plain))
    values = {}
    for name, terms in made.terms.made.items():
        usual = [one for one in terms if one not in made.determined]
        kind = "assumed" if len(usual) == len(terms) else "measured"
        about = f"{source}; not determined, about as usual: {', '.join(usual)}" if usual else source
        values[f"software.{name}"] = Measured(settings[name], kind, about)  # type: ignore[arg-type]
    validated = None
    if made.held_out is not None:
        median, p90, count = made.held_out
        validated = Validated(
            round(median, 4), round(p90, 4), count,
            (min(row.nodes for row in rows), max(row.nodes for row in rows)),
            (min(row.ranks_per_node for row in rows), max(row.ranks_per_node for row in rows)),
            (min(row.bytes for row in rows), max(row.bytes for row in rows)),
            tuple(sorted({row.collective for row in rows})), f"{source}; each number of nodes predicted without it",
        )  # fmt: skip
    return with_values(machine, values, validated, f"{machine.source}; {source}")


def _plain(made: Fit, output: str | None, dropped: int) -> dict[str, object]:
    held, of_algorithms = made.held_out, made.held_out_algorithms
    return {
        "rows_used": made.own.rows,
        "rows_dropped": dropped,
        "median_error": made.own.median,
        "p90_error": made.own.p90,
        "regret": made.own.regret,
        "held_out": None if held is None else {"median_error": held[0], "p90_error": held[1], "rows": held[2]},
        "held_out_algorithms": None
        if of_algorithms is None
        else {"median_error": of_algorithms[0], "p90_error": of_algorithms[1], "rows": of_algorithms[2]},
        "by_nodes": [
            {"nodes": nodes, "median_error": one.median, "p90_error": one.p90, "rows": one.rows}
            for nodes, one in made.held.items()
        ],
        "by_algorithms": [
            {"algorithm": name, "median_error": one.median, "p90_error": one.p90, "rows": one.rows}
            for name, one in made.held_algorithms.items()
        ],
        "terms": [
            {"name": name, "value": value, "low": made.low[name], "high": made.high[name],
             "determined": name in made.determined}
            for name, value in made.values.items()
        ],
        "output": output,
    }  # fmt: skip


def _show(made: Fit, machine: str, dropped: int) -> None:
    import click

    facts = {
        "machine": machine,
        "measurements": f"{made.own.rows} used, {dropped} not",
        "median error": f"{100 * made.own.median:.1f} %",
        "90 % below": f"{100 * made.own.p90:.1f} %",
    }
    for name, held in (("number of nodes", made.held_out), ("algorithm", made.held_out_algorithms)):
        if held is not None:
            median, p90, rows = held
            facts[f"without each {name}"] = f"{100 * median:.1f} %, {100 * p90:.1f} % on {rows} that were left out"
    emit_facts(facts)
    click.echo()
    emit_table(
        ["term", "value", "from", "to", "unit", "meaning"],
        [
            [one.name, f"{made.values[one.name]:.3g}", *_range(made, one.name), one.unit, one.meaning]
            for one in made.terms.all
        ],
    )
    for nodes, own in made.held.items():
        note(f"without {nodes} nodes: {100 * own.median:.1f} % median error on its {own.rows} measurements")
    for algorithm, own in made.held_algorithms.items():
        note(f"without {algorithm}: {100 * own.median:.1f} % median error on its {own.rows} measurements")


def _range(made: Fit, name: str) -> list[str]:
    if name not in made.determined:
        return ["not determined", ""]
    return [f"{made.low[name]:.3g}", f"{made.high[name]:.3g}"]
