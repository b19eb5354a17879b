"""`netloom explain-trace`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, cast

import click

from ..base.ahead import announced, repeated
from ..base.quantities import counted
from ..base.stopping import Stopped
from .inputs import Asked, inputs
from .options import as_json, no_progress, plugins, refused, stop_after, threads, within
from .output import emit_facts, emit_json, emit_table, model_of, note, progress, say
from .pages import report, write
from .stopped import say_stopped, stopped_s

if TYPE_CHECKING:
    from ..evaluate.answers import TimeAnswer
    from ..explanation import Explained
    from ..explanation.tables import Row
    from ..report import AnswerPage

EPILOG = """\b
Examples:
  netloom explain-trace run.goal -n 'fat_tree(radix=8,levels=2)'
  netloom explain-trace trace.txt --machine lumi-g --report why.html
  netloom explain-trace -n 'torus(4,4)' -c alltoall:pairwise --size 64KiB --json
"""
#: Tables after the rows of what-if, as they are shown: name, heading.
SHOWN = {
    "calls": "time of all ranks in each call",
    "ranks": "ranks that lose most",
    "pairs": "messages that ranks wait for most",
    "communicators": "communicators",
    "links": "links that delayed messages share",
    "phases": "equal parts of the run",
}
#: Columns of seconds that every row has; others are shown where any has some.
ALWAYS = ("total_s", "lost_s", "contention_s", "start_s", "end_s", "time_s")


def _file(function: Callable[..., object]) -> Callable[..., object]:
    """The argument FILE, which stands for `--trace FILE`."""

    @wraps(function)
    def run(file: str | None, **given: object) -> object:
        if file is not None:
            if given.get("trace") is not None:
                raise refused("--trace", f"is given twice: FILE is {file[:60]!r}", "leave one of them out")
            given["trace"] = file
        return function(**given)

    return click.argument("file", metavar="[FILE]", required=False)(run)


@click.command(epilog=EPILOG)
@_file
@inputs(
    *(
        "network", "format", "part", "fail", "workload", "jobs", "first_node", "ranks", "cores", "node", "placement",
        "order",
    ),
    *(
        "mapping", "mapping_format", "library", "size_bytes", "root", "repetitions", "calibration", "routing",
        "variant", "duplex",
    ),
    *("switch_latency", "flops_per_s", "algorithms", "background", "seed"),
)  # fmt: skip
@stop_after
@threads
@no_progress
@report
@plugins
@as_json
def command(asked: Asked, quiet: bool, json_: bool) -> None:
    """Why a recorded run is slow: where its time is lost, and what would change that, each change simulated."""
    made, stopped = _explained(asked, quiet or json_)
    result = _result(asked, made) | stopped
    write(lambda: _page(asked, made, result))
    if json_:
        emit_json(result)
        return
    _show(result)


def _explained(asked: Asked, quiet: bool) -> tuple[Explained, dict[str, object]]:
    """The run, and as many rows as there is time for."""
    from ..explanation import TIMES, Explained

    with within("a smaller scenario, or netloom simulate, which asks once") as limit:
        bound = asked.bound("time")
        with repeated(TIMES):
            found = asked.answer("time", quiet, "simulating", 0, trace=True)
        made = Explained(bound, cast("TimeAnswer", found))
        try:
            with announced(), progress("what if", quiet) as callback:
                made.try_all(callback)
        except Stopped:
            pass
    say_stopped(limit, f"{counted(len(made.changes), 'row')} of what-if of {made.count}")
    return made, stopped_s(limit)


def _result(asked: Asked, made: Explained) -> Row:
    """The keys of `--json`."""
    from ..evaluate.time import path_words
    from ..explanation import words
    from ..scenario.settings import costs_of

    found, names = made.found, [name for name, _ in made.jobs]
    path = {key: value for key, value in found["critical_path"].items() if key != "segments"}
    if path["total_s"]:
        path["words"] = (
            f"from {path_words.begins(path, names)} to {path_words.ends(path, names)}, which ends last: "
            f"{path_words.shares(path)}"
        )
    return {
        "answer": words.answer(made),
        "network": asked.network.label,
        "workloads": [load.label for load in found["workloads"]],
        "ranks_in_all": sum(ranks for _, ranks in made.jobs),
        "calibration": costs_of(asked.scenario),
        "routing": found["routing"],
        "time_s": made.time_s,
        **made.tables(),
        "path": path,
        "what_if": [one.row() for one in made.changes],
        "left_out": [{"change": change, "why": why} for change, why in made.left_out.items()],
        "notes": [*words.notes(made), *found.explain()],
    } | model_of(found)


def _show(result: Row) -> None:
    from ..base.quantities import time_text

    say(result["answer"])
    for line in result["notes"]:
        say(line)
    click.echo()
    facts = {"time": time_text(result["time_s"], 6), "network": result["network"], "workload": result["workloads"]}
    facts |= {"ranks": result["ranks_in_all"], "calibration": result["calibration"], "routing": result["routing"]}
    emit_facts(facts | {"critical path": result["path"].get("words")})
    click.echo("\nwhat if")
    rows = [[one["change"], time_text(one["time_s"]), f"{one['ratio']:.3f}", one["means"]] for one in result["what_if"]]
    emit_table(["change", "time", "ratio", "which means"], rows)
    for one in result["left_out"]:
        note(f"note: left out: {one['change']}: {one['why']}")
    click.echo("\ntime of all ranks")
    rows = [_part(one) for one in result["lost"] if one["where"] == "run"]
    emit_table(["part", "time", "share", "which is"], rows)
    for name, heading in SHOWN.items():
        if result[name]:
            click.echo(f"\n{heading}")
            _table(result[name])


def _part(row: Row) -> list[str]:
    from ..base.quantities import time_text
    from ..explanation import words

    return [row["part"], time_text(row["seconds"]), f"{row['share']:.1%}", words.meaning(row["part"])]


def _table(rows: list[Row]) -> None:
    """A table without the parts that no row has."""
    from ..base.quantities import time_text

    kept = shown_columns(rows)
    emit_table(
        [key.removesuffix("_s").replace("_", " ") for key in kept],
        [[time_text(row[key]) if key.endswith("_s") else row[key] for key in kept] for row in rows],
    )


def shown_columns(rows: list[Row]) -> list[str]:
    """Names of columns but for seconds that are 0 everywhere."""
    return [key for key in rows[0] if not key.endswith("_s") or key in ALWAYS or any(row[key] for row in rows)]


def _page(asked: Asked, made: Explained, result: Row) -> AnswerPage:
    from .explain_trace_page import explained

    return explained(asked.scenario, made, result, {name: SHOWN[name] for name in SHOWN if result[name]})
