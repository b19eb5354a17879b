"""`netloom map`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from .contest import emit as show_contest
from .contest import in_json
from .emission import RankFiles, launches, rank_files
from .inputs import Asked, inputs
from .new_job import NewJob, new_job
from .options import as_json, no_progress, plugins, refused, threads
from .output import emit_facts, emit_json, note, progress, show
from .pages import report
from .pages import write as write_page
from .search_details import Searched
from .searching import BEST, Searching, searching

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..base.arrays import Endpoints
    from ..evaluate.decision import Decision
    from ..plugin.rung import Worth
    from ..report import AnswerPage
    from ..scenario import Question, Scenario
    from ..scenario.search import Search


#: Of the search, in JSON.
NUMBERS = ("value", "start_value", "bound", "evaluations", "accepted", "method", "decided_by")

EPILOG = """\b
Examples:
  netloom map --network 'random_shortcut(1024,degree=19,seed=1)' --ranks 512 \\
      --collective broadcast:binomial --optimise auto --emit rankfile,slurm -o maps/
  netloom map -n 'torus(8,8,8)' -t 'stencil(8,8,8)' --optimise 'two-opt(swaps=200000)' \\
      --emit csv
  netloom map -n topology.conf --jobs squeue.txt --nodes 16 --cores 8 \\
      -t 'stencil(16,8)'

Without -o a single rank file goes to stdout. Names of endpoints come from the
network file, or follow the format's host_pattern, for example
--emit 'rankfile(host_pattern="node{0001}")'.
"""


@click.command(epilog=EPILOG)
@inputs(
    *("network", "format", "part", "fail", "ranks", "cores", "node", "placement", "order", "mapping", "mapping_format"),
    *("workload", "library", "size_bytes", "root", "algorithms", "routing", "repetitions", "calibration", "duplex"),
    *("switch_latency", "flops_per_s"),
)
@searching
@rank_files
@click.option("--plot", metavar="FILE", help="Write a picture of the mappings and their links: .png, .svg or .pdf.")
@new_job
@threads
@no_progress
@report
@plugins
@as_json
def command(
    asked: Asked, searching: Searching, rank_files: RankFiles, plot: str | None, new_job: NewJob, quiet: bool,
    json_: bool,
) -> None:  # fmt: skip
    """Improve the mapping of ranks; write rank files for launchers."""
    if new_job.is_asked_for:
        from .node_selection import show

        show(asked, new_job, searching, {**vars(rank_files), "plot": plot}, json_)
        return
    from ..evaluate.ask import bound_job

    formats, optimiser = rank_files.formats(json_), searching.optimiser()
    new_job.require_nothing_said()
    searching.require_effect(optimiser)
    _require_plot(plot, optimiser)
    searching.require_take(optimiser)
    with progress("mapping", quiet or json_) as callback:
        bound = bound_job(asked.scenario, callback)
        # A format that cannot hold these ranks in any order is refused before the search.
        formats = rank_files.prepared(formats, bound, optimiser)
        searched, decision = _searched(searching, bound, optimiser)
        found = searched.found
        worth, notes = _worth(bound, found.slots, decision)
    asked.note_without_effect(bound)
    written = rank_files.write(formats, bound, found.slots)
    if decision and plot:
        written.append(_picture(bound, decision, plot))
    commands = launches(formats, written, bound, found.slots)
    write_page(lambda: _page(asked.scenario, bound, found, worth, decision))
    for line in (*bound.chosen.sentences(), *found.notes, *notes):
        note(f"note: {line}")
    if json_:
        uses = {"files": written, "commands": commands} | (in_json(decision) if decision else {})
        emit_json(_facts(bound, found, optimiser, searching.objective) | searched.facts() | worth | uses)
        return
    to_stderr = bool(formats) and rank_files.output is None
    show_contest(decision, written, to_stderr) if decision else _show(found, worth, written, to_stderr)
    searched.show(to_stderr)
    for line in commands:
        note(f"run: {line}")


def _searched(searching: Searching, bound: Question, optimiser: str) -> tuple[Searched, Decision | None]:
    """What the search found, in how many seconds; of all methods, what was decided."""
    budget_s, begun = searching.budget_s, time.monotonic()
    decision = searching.contest(bound, budget_s) if optimiser == BEST else None
    found = decision.search() if decision else searching.improve(bound, optimiser, budget_s)
    return Searched(found, time.monotonic() - begun if searching.details else None), decision


def _facts(bound: Question, found: Search, optimiser: str, objective: str) -> dict[str, object]:
    """The question and the mapping found, as JSON."""
    from ..mapping.place import places_of

    facts = {"network": bound.network.label, "workload": bound.messages.label, "ranks": bound.ranks}
    mapping, seats = places_of(found.slots, bound.site.cores)
    chosen = {"optimiser": optimiser, "objective": objective, "mapping": mapping, "seats": seats}
    return facts | chosen | {key: getattr(found, key) for key in NUMBERS}


def _require_plot(plot: str | None, optimiser: str) -> None:
    """Refuses a picture that cannot be made, before the search."""
    from ..base import files
    from ..plot.figure import ending_of, require

    if plot is None:
        return
    if optimiser != BEST:
        raise refused("--plot", "shows the mappings of all methods", "leave --optimise and --objective out")
    files.require_writable(plot)
    ending_of(plot)
    require()


def _picture(bound: Question, decision: Decision, path: str) -> str:
    from ..evaluate.mapped import link_seconds
    from ..evaluate.rungs import rung
    from ..plot import save
    from ..plot.contest import contest

    by = rung(decision.rung)
    links = {"before": link_seconds(bound, decision.start.slots), "after": link_seconds(bound, decision.best.slots)}
    label = f"simulated time, {by.words}" if by.simulated else by.number[1]
    sheet = contest(
        [one.name for one in decision.candidates], [one.worth.get(by.decides) for one in decision.candidates],
        decision.candidates.index(decision.best), links, x_label=label,
        title=f"{bound.messages.label} on {bound.network.label}",
    )  # fmt: skip
    save(sheet, path)
    return path


def _page(
    scenario: Scenario, bound: Question, found: Search, worth: dict[str, Worth], decision: Decision | None
) -> AnswerPage:
    from .answer_pages import mapped

    return mapped(scenario, bound, found, worth, decision)


def _worth(bound: Question, slots: Endpoints, decision: Decision | None) -> tuple[dict[str, Worth], list[str]]:
    """Time, worst link, bytes between nodes and hop-bytes `before` and `after`, and notes on what is unavailable."""
    from ..evaluate.mapped import measured

    if decision is not None:
        return {"before": decision.start.worth, "after": decision.best.worth}, []
    from ..evaluate.sureness import size_note

    notes = [line] if (line := size_note(bound)) else []
    ends = {"before": bound.place.start, "after": slots}
    return {when: measured(bound, at, notes) for when, at in ends.items()}, notes


def _show(found: Search, worth: dict[str, Worth], files: list[str], to_stderr: bool) -> None:
    from ..base.winner import tells

    facts: dict[str, object] = {
        found.decided_by: _gain(found),
        "no mapping can be below": found.bound if tells(found.bound, found.value) else None,
        **_changes(worth["before"], worth["after"]),
        "method": found.method,
        "files": files or None,
    }
    shown = {name: value for name, value in facts.items() if value is not None}
    if found.decided_by == "time":
        # The first line says it.
        del shown["predicted time"]
    if not to_stderr:
        emit_facts(shown)
        return
    # stdout is taken by the rank file.
    for name, value in shown.items():
        note(f"{name}: {value}")


def _changes(before: Worth, after: Worth) -> dict[str, str]:
    """The summary for people, before and after."""
    from ..base.quantities import amount_text, time_text

    shown: dict[str, tuple[str, Callable[[float], str]]] = {
        "predicted time": ("time_s", time_text),
        "worst link": ("max_link_s", time_text),
        "bytes between nodes": ("inter_node_bytes", amount_text),
    }

    def written(worth: Worth, key: str, text: Callable[[float], str]) -> str:
        number = worth[key]
        return "unknown" if number is None else text(number)

    return {name: f"{written(before, *how)} before, {written(after, *how)} after" for name, how in shown.items()}


def _gain(found: Search) -> str:
    """The answer: what the objective was and is."""
    from ..base.quantities import time_text

    start, end = found.start_value, found.value
    texts = [time_text(n * 1e-12) if found.timed else show(n) for n in (start, end)]
    less = f"{100 * (1 - end / start):.1f} % less" if end < start else "nothing better found"
    return f"{texts[0]} before, {texts[1]} after, {less}"
