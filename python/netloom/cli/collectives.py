"""`netloom collectives`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base.quantities import counted
from ..base.stopping import Stopped
from .collectives_table import note_undecided, show_times
from .emission import split_calls
from .inputs import Asked, inputs
from .options import as_json, no_progress, plugins, stop_after, together, within
from .output import emit_json, lines_high, note, progress
from .pages import report
from .pages import write as write_page
from .stopped import say_stopped
from .unchanged import by_library, note_asked_after

if TYPE_CHECKING:
    from ..report import AnswerPage
    from ..scenario import Question, Scenario
    from ..tuning import Timing
    from ..tuning.unchanged import Unchanged


@dataclass(frozen=True)
class Sweep:
    """What is timed, as typed: algorithms None for all of them."""

    collective: str
    algorithms: str | None
    sizes: str

    @property
    def collectives(self) -> list[str]:
        """Their names."""
        return [part.strip() for part in self.collective.split(",") if part.strip()]

    def of(self, collective: str, kinds: list[str], ranks: int) -> list[str]:
        """The algorithms of one collective, with those that tuning files of these kinds name."""
        if self.algorithms:
            return _named(self.algorithms, collective, kinds, ranks)
        return _all_of(collective, kinds, ranks)


sweep = together(
    "sweep",
    Sweep,
    click.option(
        "-c", "--collective", default="allreduce", show_default=True, metavar="NAME[,NAME]", help="What to time."
    ),
    click.option("--algorithms", metavar="CALL[,CALL]", help="Algorithms to time; by default all registered ones."),
    click.option(
        "--sizes", default="256B:1MiB", show_default=True, metavar="SIZES", help="Sizes: a list, or a range a:b."
    ),
)

EPILOG = """\b
Examples:
  netloom collectives -n 'torus(4,4)' --ranks 16 -c allreduce --sizes 256B:1MiB
  netloom collectives -n 'torus(4,4)' -c broadcast,allgather --emit ompi,mpich -o tuned/
  netloom collectives -n 'star(8)' -c allreduce --sizes 1KiB,1MiB --format osu

Sizes are those of the collective's schedules: bytes that each rank contributes
(allgather, gather) or receives (scatter, reduce-scatter), per pair (alltoall),
of one vector or message (the others). Write a:b for powers of two times a.
"""


@click.command(epilog=EPILOG)
@inputs(
    *(
        "network",
        "format",
        "part",
        "fail",
        "ranks",
        "cores",
        "node",
        "placement",
        "order",
        "mapping",
        "mapping_format",
        "root",
    ),
    *("library", "calibration", "routing", "duplex"),
)
@sweep
@click.option(
    "--format", "layout", default="text", show_default=True, metavar="text|osu|imb|nccl", help="Output layout."
)
@click.option("--emit", metavar="KIND[,KIND]", help="Write tuning files: ompi, mpich, nccl, ucc.")
@click.option("-o", "--output", metavar="FOLDER", help="Folder for tables and tuning files.")
@stop_after
@no_progress
@report
@plugins
@as_json
def command(
    asked: Asked, sweep: Sweep, layout: str, emit: str | None, output: str | None, quiet: bool, json_: bool
) -> None:
    """Time every algorithm of a collective; write tuning tables for MPI libraries."""
    from ..base.sizes import parse_sizes
    from ..tuning.write import write_files

    kinds = _checked(emit, output, layout)
    steps = parse_sizes(sweep.sizes, "--sizes")
    bound = asked.bound("time")
    timings = _timings(asked, bound, sweep, kinds, steps, quiet or json_)
    own = {made.collective: by_library(made, bound) for made in timings} if bound.text("library") else {}
    asked.note_without_effect(bound, {"root": lambda _: _rootless(timings), "library": lambda _: ""})
    written = write_files(timings, kinds, output, _left_out) if output is not None and kinds else []
    note_undecided(timings, kinds)
    note_asked_after(kinds, bound)
    if output is not None:
        written = [*_tables(timings, output), *written]
    write_page(lambda: _page(asked.scenario, timings))
    if json_:
        emit_json(_facts(timings, own, written))
        return
    _show(timings, own, layout)
    for path, use in written:
        note(f"{path}" + (f"  ({use})" if use else ""))


def _timings(
    asked: Asked, bound: Question, sweep: Sweep, kinds: list[str], steps: list[int], quiet: bool
) -> list[Timing]:
    """All algorithms of each collective over the sizes, as far as there is time; files of `kinds` may need more."""
    timings: list[Timing] = []
    with within("name --algorithms, and fewer --sizes") as limit:
        try:
            for name in sweep.collectives:
                timings.append(_timed(asked, bound, sweep, name, kinds, steps, quiet))
                if limit.stopped:
                    # What is asked between the sizes takes time, too.
                    timings[-1].ask = None
                    break
        except Stopped:
            if not timings:
                raise
    say_stopped(limit, _known(timings, sweep.collectives, steps))
    return timings


def _timed(
    asked: Asked, bound: Question, sweep: Sweep, name: str, kinds: list[str], steps: list[int], quiet: bool
) -> Timing:
    from ..base.winner import margin_of
    from ..evaluate.known_error import median_of
    from ..tuning.bound import Where
    from ..tuning.budget import Effort
    from ..tuning.machine import machine_of
    from ..tuning.protocols import protocols
    from ..tuning.spans import asking
    from ..tuning.tables import simulated, timed
    from ..tuning.taking import Allowance
    from ..tuning.unchanged import own_call
    from ..tuning.write.names import known_to

    where = Where(bound.mapping, bound.integer("root"), bound.site.node, bound.place.seats)
    clock, chosen = simulated(machine_of(asked.scenario)), sweep.of(name, kinds, bound.ranks)
    error = median_of(bound.scenario, asked.said)
    allowance = Allowance(
        Effort.of(bound, chosen, steps), not sweep.algorithms, margin_of(error), known_to(kinds, chosen, bound.ranks),
        own_call(bound, name),
    )  # fmt: skip
    with progress(name, quiet) as callback:
        made = timed(
            asked.network, name, where=where, sizes=steps, algorithms=chosen, clock=clock, progress=callback,
            allowance=allowance,
        )  # fmt: skip
    # What is asked between the sizes takes time, too.
    made.ask = None if allowance.is_short else asking(asked.network, where, clock)
    made.protocol, made.error = protocols(bound), error
    return made


def _known(timings: list[Timing], collectives: list[str], steps: list[int]) -> str:
    """What was timed of what was asked for."""
    last, rest = timings[-1], collectives[len(timings) :]
    more = f"; {', '.join(rest)} not at all" if rest else ""
    return f"{counted(len(last.algorithms()), 'algorithm')} at {len(last.sizes)} of {len(steps)} sizes{more}"


def _rootless(timings: list[Timing]) -> str:
    """Why a root changes nothing; "" if one of the collectives has one."""
    from ..base.registries import ROOTED

    names = [timing.collective for timing in timings]
    return "" if set(ROOTED) & set(names) else f"no root in {', '.join(names)}"


def _page(scenario: Scenario, timings: list[Timing]) -> AnswerPage:
    from .answer_pages import chosen

    return chosen(scenario, timings)


def _show(timings: list[Timing], own: dict[str, list[Unchanged]], layout: str) -> None:
    from ..tuning.benchmark_text import benchmark_text

    high = lines_high() // len(timings) if lines_high() else None
    for number, timing in enumerate(timings):
        if number:
            click.echo()
        if layout == "text":
            show_times(timing, own.get(timing.collective, []), high)
        else:
            click.echo(benchmark_text(timing, layout), nl=False)


def _checked(emit: str | None, output: str | None, layout: str) -> list[str]:
    """The kinds of tuning file, refused before anything is timed."""
    from ..base.errors import Fault, NetloomError
    from ..base.nearest import did_you_mean
    from ..library.codes import UNKNOWN
    from ..tuning.write import KINDS

    faults = []
    layouts = ("text", "osu", "imb", "nccl")
    if layout not in layouts:
        hint = did_you_mean(layout, layouts, "layouts")
        faults.append(Fault(UNKNOWN, "--format", f'there is no layout "{layout}"', "", hint))
    kinds = list(dict.fromkeys(part.strip() for part in (emit or "").split(",") if part.strip()))
    for kind in kinds:
        if kind not in KINDS:
            hint = did_you_mean(kind, KINDS, "kinds")
            faults.append(Fault(UNKNOWN, "--emit", f'there is no tuning file "{kind}"', "", hint))
    if kinds and output is None:
        faults.append(Fault("NL-X010", "--emit", "needs a folder for its files", "", "give -o FOLDER"))
    if faults:
        raise NetloomError(faults)
    return kinds


def _left_out(sentence: str) -> None:
    note(f"note: {sentence}")


def _named(algorithms: str, collective: str, kinds: list[str], ranks: int) -> list[str]:
    """The algorithms that are asked for, plus each with the order of ranks in which a library would run it."""
    from ..base.errors import NetloomError
    from ..tuning.tables import algorithms_of
    from ..tuning.write.names import variants

    chosen = split_calls(algorithms)
    word = algorithms_of(collective)[0].partition(":")[0]
    for call in list(chosen):
        for kind in kinds:
            try:
                chosen += [turned for turned in variants(kind, word, call, ranks) if turned not in chosen]
            except NetloomError:
                # What is wrong with it is said where all are checked.
                continue
    return chosen


def _all_of(collective: str, kinds: list[str], ranks: int) -> list[str]:
    """Every registered algorithm, plus library variants: fewer segments, other partners."""
    from ..tuning.tables import algorithms_of
    from ..tuning.write.names import aliased, calls, canonical

    registered = algorithms_of(collective)
    word = registered[0].partition(":")[0]
    named = {canonical(name): name for name in registered}
    for kind in kinds:
        for call in calls(kind, word, ranks):
            named.setdefault(call, call)
    # Files use canonical calls; otherwise short names read better, and a library of GPUs runs them in its own way.
    return [name if not kinds or aliased("nccl", name) else full for full, name in named.items()]


def _tables(timings: list[Timing], output: str) -> list[tuple[Path, str]]:
    from .. import __version__
    from ..results import write_table

    written = []
    for timing in timings:
        about = {
            "netloom": __version__,
            "network": timing.network,
            "ranks": timing.ranks,
            "left_out": timing.left_out | timing.elsewhere,
            "sizes_left_out": timing.sizes_left_out,
            "bound": {key: value for key, value in timing.bound.items() if key != "cut"},
        }
        written += [(path, "") for path in write_table(timing.table, Path(output), about)]
    return written


def _facts(
    timings: list[Timing], own: dict[str, list[Unchanged]], written: list[tuple[Path, str]]
) -> dict[str, object]:
    from ..tuning.tables import switch_points
    from ..tuning.ties import tied

    found = []
    for timing in timings:
        skipped = timing.left_out | timing.elsewhere
        points = [{"size_bytes": size, "algorithm": name} for size, name in switch_points(timing)]
        found.append(
            {
                "collective": timing.collective,
                "network": timing.network,
                "ranks": timing.ranks,
                "rows": list(timing.table.rows),
                "switch_points": points,
                "error": timing.error,
                "sizes_skipped": timing.sizes_left_out,
                "may_win": [{"algorithm": name, "sizes_bytes": sizes} for name, sizes in timing.may_win.items()],
                "ties": [{"size_bytes": size, "algorithms": tied(timing, size)} for size in timing.sizes],
                "skipped": [{"algorithm": name, "reason": why} for name, why in skipped.items()],
                "bound": timing.bound,
            }
            | ({"unchanged": [one.facts() for one in own[timing.collective]]} if own else {})
        )
    return {"collectives": found, "files": [{"path": str(path), "use": use} for path, use in written]}
