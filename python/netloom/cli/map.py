"""`netloom map`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from ..base.errors import NetloomError
from .contest import emit as show_contest
from .contest import in_json
from .emission import formats_of, launches, prepared, written_to
from .inputs import Asked, inputs
from .options import as_json, integer, number, plugins, refused
from .output import emit_facts, emit_json, note, progress, show
from .pages import report
from .pages import write as write_page

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..base.arrays import Endpoints
    from ..evaluate.contest import Decision
    from ..plugin.rung import Worth
    from ..report import AnswerPage
    from ..scenario import Question, Scenario
    from ..scenario.search import Search


class Wishes(TypedDict):
    """Other options of the command."""

    optimise: str | None
    take: str | None
    free: bool
    seconds: str | None
    swaps: str | None
    seed: str | None
    emit: str | None
    cpus: str | None
    output: str | None
    plot: str | None
    jobs: str | None
    nodes: str | None
    others: str | None
    first_node: str | None
    states: str | None
    partition: str | None
    segment: str | None


#: Of the search, in JSON.
NUMBERS = ("value", "start_value", "bound", "evaluations", "accepted", "method", "decided_by")

BEST = "best"
OPTIMISE = 'Optimiser, or "none".  [default: best, which tries all of them; with --objective, auto]'

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
    *("workload", "size_bytes", "root", "algorithms", "routing", "repetitions", "calibration", "duplex"),
    *("switch_latency", "flops_per_s"),
)
@click.option("--optimise", metavar="CALL", help=OPTIMISE)
@click.option(
    "--objective",
    default="auto",
    show_default=True,
    metavar="CALL",
    help="What is made small; see netloom list objectives.",
)
@click.option("--take", metavar="MAPPING", help="Take this one of the mappings tried: its name in the table.")
@click.option("--free", is_flag=True, help="Use any endpoint of the network, not only those of the placement.")
@click.option("--seconds", metavar="S", help="Time budget; the result then depends on the speed of this computer.")
@click.option("--swaps", metavar="N", help="Number of moves, for optimisers that take it.")
@click.option("--seed", metavar="N", help="Seed, for optimisers that take one.")
@click.option("--emit", metavar="FORMAT[,FORMAT]", help="Write rank files in these formats; see netloom list formats.")
@click.option("--cpus", metavar="FILE", help="The node as lstopo --of xml: lists of cores get its CPU numbers.")
@click.option("-o", "--output", metavar="FOLDER", help="Folder for the rank files.")
@click.option("--plot", metavar="FILE", help="Write a picture of the mappings and their links: .png, .svg or .pdf.")
@click.option("--jobs", metavar="FILE", help="Running jobs, as squeue prints them: rank free nodes for a new job.")
@click.option("--nodes", metavar="N", help="With --jobs: how many nodes the new job gets.")
@click.option("--others", metavar="CALL", help="With --jobs: what running jobs send where the list does not say.")
@click.option("--states", metavar="FILE", help="With --jobs: states of nodes, as sinfo or scontrol show node says.")
@click.option("--partition", metavar="NAME", help="With --states: the partition that the new job is for.")
@click.option("--segment", metavar="N", help="With --jobs: nodes of a segment, each on one switch or in one block.")
@click.option("--first-node", metavar="N", help="With --jobs: number of the first endpoint in node names.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@report
@plugins
@as_json
def command(asked: Asked, quiet: bool, json_: bool, objective: str, **wishes: Unpack[Wishes]) -> None:
    """Improve the mapping of ranks; write rank files for launchers."""
    if wishes["jobs"] is not None or wishes["nodes"] is not None:
        from .node_selection import show

        show(asked, wishes, objective, json_)
        return
    from ..evaluate.ask import bound_job
    from ..mapping.place import places_of

    formats = formats_of(wishes["emit"], wishes["output"], json_)
    budget = None if wishes["seconds"] is None else number("--seconds", wishes["seconds"])
    optimiser = _optimiser(wishes, objective)
    _require_together(wishes, optimiser)
    with progress("mapping", quiet or json_) as callback:
        bound = bound_job(asked.scenario, callback)
        # A format that cannot hold these ranks in any order is refused before the search.
        formats = prepared(formats, bound, optimiser, wishes["cpus"])
        decision = _contest(bound, wishes, budget) if optimiser == BEST else None
        found = decision.search() if decision else improve(bound, optimiser, objective, wishes["free"], budget)
        worth, notes = _worth(bound, found.slots, decision)
    asked.note_without_effect(bound)
    written = written_to(formats, wishes["output"], bound, found.slots)
    if decision and wishes["plot"]:
        written.append(_picture(bound, decision, wishes["plot"]))
    commands = launches(formats, written, bound, found.slots)
    write_page(lambda: _page(asked.scenario, bound, found, worth, decision))
    for line in (*found.notes, *notes):
        note(f"note: {line}")
    if json_:
        facts = {"network": asked.network.label, "workload": bound.messages.label, "ranks": bound.ranks}
        mapping, seats = places_of(found.slots, bound.site.cores)
        chosen = {"optimiser": optimiser, "objective": objective, "mapping": mapping, "seats": seats}
        numbers = {key: getattr(found, key) for key in NUMBERS}
        uses = {"files": written, "commands": commands} | (in_json(decision) if decision else {})
        emit_json(facts | chosen | numbers | worth | uses)
        return
    to_stderr = bool(formats) and wishes["output"] is None
    show_contest(decision, written, to_stderr) if decision else _show(found, worth, written, to_stderr)
    for line in commands:
        note(f"run: {line}")


def _optimiser(wishes: Wishes, objective: str) -> str:
    """The optimiser's call, checked with the objective."""
    from ..scenario.search import NO_OBJECTIVE, optimiser_for

    said = optimiser_for(wishes["optimise"], objective)
    if said == BEST:
        if objective not in NO_OBJECTIVE:
            hint = "leave --objective out, or name an optimiser that searches for it"
            raise refused("--optimise", "best is decided by evaluators, not by an objective", hint)
        return said
    optimiser = said if said == "none" else with_arguments(said, wishes["swaps"], wishes["seed"])
    _check(optimiser, objective)
    return optimiser


def _require_together(wishes: Wishes, optimiser: str) -> None:
    """What only the contest of all methods has, or the choice of free nodes."""
    for name in ("others", "first_node", "states", "partition", "segment"):
        option = f"--{name.replace('_', '-')}"
        if wishes[name] is not None:
            raise refused(option, "is about running jobs", "give --jobs FILE and --nodes N")
    searching = {"--seconds": wishes["seconds"], "--swaps": wishes["swaps"], "--seed": wishes["seed"]}
    idle = [option for option, given in {**searching, "--free": wishes["free"] or None}.items() if given is not None]
    if optimiser == "none" and idle:
        raise refused(", ".join(idle), "nothing is searched for with --optimise none", "leave one of them out")
    _require_plot(wishes["plot"], optimiser)
    _require_take(wishes["take"], optimiser)


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


def _require_take(take: str | None, optimiser: str) -> None:
    """Refuses a mapping that no method makes, before the search."""
    from ..evaluate.contest import require_method

    if take is not None and optimiser != BEST:
        raise refused("--take", "chooses between the mappings of all methods", "leave --optimise and --objective out")
    if take is not None:
        require_method(take, "--take")


def _contest(bound: Question, wishes: Wishes, budget: float | None) -> Decision:
    from ..evaluate.contest import contest

    given = {key: integer(f"--{key}", text, 0) for key in ("swaps", "seed") if (text := wishes[key])}
    decision = contest(bound, wishes["free"], budget, given.get("swaps"), given.get("seed"))
    return decision if wishes["take"] is None else decision.taking(wishes["take"], "--take")


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


def _check(optimiser: str, objective: str) -> None:
    """Refuses unknown names before the network is built."""
    from .. import _core, plugin

    try:
        if optimiser != "none" and plugin.find("optimisers", optimiser) is None:
            with plugin.suggesting("optimisers", optimiser):
                _core.canonical("optimisers", optimiser)
        _core.canonical("objectives", objective)
    except NetloomError as error:
        options = {"optimiser": "--optimise", "objective": "--objective"}
        raise NetloomError([replace(one, place=options.get(one.place, one.place)) for one in error.faults]) from None


def improve(bound: Question, optimiser: str, objective: str, free: bool, budget: float | None) -> Search:
    """The optimiser's result; for "none" the start mapping with its hops."""
    from .. import _core
    from ..scenario.search import Search, search

    if optimiser == "none":
        scenario = _core.Scenario(bound.site.slots, [_core.Job("job", bound.messages, bound.place.start)])
        value = _core.evaluate(scenario, "hops")["record"]["total_hops"]
        assert isinstance(value, int)
        return Search(bound.place.start, value, value, None, None, None, [], "none", "hops")
    return search(bound, optimiser, objective, free, budget)


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


def with_arguments(optimiser: str, swaps: str | None, seed: str | None) -> str:
    """The optimiser's call with `--swaps` and `--seed` as arguments."""
    extra = [f"{key}={integer(f'--{key}', text, 0)}" for key, text in (("swaps", swaps), ("seed", seed)) if text]
    if not extra:
        return optimiser
    head, bracket, rest = optimiser.partition("(")
    inner = rest.rstrip().removesuffix(")") if bracket else ""
    return f"{head}({', '.join([*([inner] if inner.strip() else []), *extra])})"
