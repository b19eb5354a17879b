"""`netloom simulate` over a rung of a plug-in: its numbers alone, without a record of the run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .options import refused
from .output import emit_facts, emit_json, model_of, say

if TYPE_CHECKING:
    from ..results.rows import Cell
    from .inputs import Asked


def without_record(model: str) -> bool:
    """True of models whose evaluator cannot record a run."""
    from ..evaluate import evaluator
    from ..evaluate.rungs import by_model

    return all(option.name != "trace" for option in evaluator(by_model(model).name).options)


def simulate_plainly(asked: Asked, model: str, options: Mapping[str, Cell], quiet: bool, json_: bool) -> None:
    """Answers, and prints the record.

    Raises
    ------
    NetloomError
        `NL-X010` for options of a recorded run.
    """
    from ..base.quantities import time_text
    from ..evaluate.rungs import by_model

    if given := [name for name, value in options.items() if value is not None and value is not False]:
        option = {"trace": "--critical-path, --pictures or --timeline", "stop_after_s": "--stop-after"}.get(
            given[0], f"--{given[0]}"
        )
        raise refused(option, f"the model {model} keeps no record of a run", "leave it out")
    found = asked.answer(by_model(model).name, quiet or json_, "simulating")
    if json_:
        emit_json({"network": asked.network.label, **found.record, "notes": found.explain()} | model_of(found))
        return
    shown = {name: value for name, value in found.record.items() if name != "time_s"}
    emit_facts({"time": time_text(float(str(found["time_s"])), 6), "network": asked.network.label, **shown})
    for line in found.explain():
        say(f"Note: {line}")
