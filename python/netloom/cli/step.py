"""`netloom step`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .emission import RankFiles, rank_files
from .options import as_json, machines, no_progress, refused, stop_after, within
from .output import progress
from .pages import report, write
from .step_options import Asks, Degrees, Method, Place, asks, degrees, method, place

if TYPE_CHECKING:
    from ..report import AnswerPage
    from ..training import Model, Planner, Split, Step
    from ..training.beside import Shared

EPILOG = """\b
Examples:
  netloom step llama3-8b --machine dgx-h100 --gpus 64 --tp 2 --global-batch 256
  netloom step llama3-405b --machine dgx-h100 --gpus 16384 --tp 8 --pp 16 --dp 128 --global-batch 2048
  netloom step mixtral-8x7b --machine dgx-h100 --gpus 128 --global-batch 512 --sequence 4096 --sweep
  netloom step llama3-70b --machine dgx-h100 --gpus 256 --tp 4 --pp 4 --place --emit torchrun -o ranks
  netloom step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --write-trace step.goal
  netloom step llama3-8b --machine dgx-h100 --gpus 32 --tp 8 --with '32: step("llama3-8b",tp=8)' --turns
"""


@click.command(epilog=EPILOG)
@click.argument("model", metavar="MODEL")
@degrees
@method
@place
@machines
@asks
@rank_files
@stop_after
@no_progress
@report
@as_json
def command(
    model: str, degrees: Degrees, method: Method, place: Place, asks: Asks, rank_files: RankFiles, quiet: bool,
    json_: bool,
) -> None:  # fmt: skip
    """Time, memory and messages of a training step, from the parameters of a model and how it is split over GPUs.

    MODEL is one of llama3-8b, llama3-70b, llama3-405b, gpt3-175b, mixtral-8x7b, deepseek-v3, or a file of your own:
    FILE.toml, or FILE.toml:NAME where it holds several. Computation follows from operations and bytes at one stated
    share of the GPU's peak, the pipeline is run task by task, and messages are simulated on the machine.
    """
    from ..training import model as named
    from .step_shown import show_places, show_shared, show_steps, show_sweep
    from .step_trace import written

    _require(place, asks, rank_files)
    formats, made = rank_files.formats(json_), named(model)
    split = method.split(made, degrees, asks.sweep)
    with within("fewer GPUs, or --best 1") as clock, progress("simulations", quiet or json_) as callback:
        if asks.sweep:
            show_sweep(_planner(made, place, split), split, degrees.fixed(), asks.count(), callback, json_, clock)
            return
        if asks.places:
            show_places(_planner(made, place, split), split, asks.count(), callback, rank_files, formats, json_, clock)
            return
        if asks.other is not None:
            show_shared(*_shared(made, place, split, asks), json_)
            return
        files = written(_planner(made, place, split), split, asks) if asks.write_trace is not None else None
        steps = [(one, *_step(made, place, one, split)) for one in place.machine]
    write(lambda: _page(steps[0][1]))
    show_steps([step for _, step, _ in steps], [sound for _, _, sound in steps], json_, files)


def _require(place: Place, asks: Asks, rank_files: RankFiles) -> None:
    """Refuse options that do not go together."""
    from .pages import wanted

    _require_one(asks, place)
    if asks.sweep and asks.places:
        raise refused("--place", "does not go with --sweep", "sweep first, then give the best split with --place")
    if asks.searches and len(place.machine) > 1:
        raise refused("--machine", "is given more than once, and a search is on one machine", "leave one of them")
    if (asks.searches or len(place.machine) > 1) and wanted():
        raise refused("--report", "is the page of one step", "leave --sweep, --place or the other machines out")
    if rank_files.emit is not None and not asks.places:
        raise refused("--emit", "writes the order that --place finds", "add --place")
    if asks.best != "8" and not asks.searches:
        raise refused("--best", "is of a search", "add --sweep or --place")
    if rank_files.cpus is not None:
        raise refused("--cpus", "numbers cores, and ranks are GPUs", "leave it out")


def _require_one(asks: Asks, place: Place) -> None:
    """Refuse a trace and another job of more than one step, and options without the one that they are of."""
    from .pages import wanted

    for option, said in (("--write-trace", asks.write_trace), ("--with", asks.other)):
        if said is not None and (asks.searches or len(place.machine) > 1):
            raise refused(option, "is of one step on one machine", "leave --sweep, --place or the other machines out")
    if asks.other is not None and (asks.write_trace is not None or wanted()):
        other = "--report" if asks.write_trace is None else "--write-trace"
        raise refused(other, "is of a step alone", "leave --with out")
    if asks.to is not None and asks.write_trace is None:
        raise refused("--to", "is the format of a trace", "add --write-trace FILE")
    if asks.turns and asks.other is None:
        raise refused("--turns", "is of two jobs", "add --with 'N: WORKLOAD'")


def _shared(model: Model, place: Place, split: Split, asks: Asks) -> tuple[Split, Shared]:
    """The step and another job on the same machine."""
    from ..training import Planner
    from ..training.beside import beside, size_of

    gpus, text = size_of(asks.other or "")
    planner = Planner(model, place.site(place.machine[0]), split.gpus + gpus)
    return split, beside(planner, split, gpus, text, asks.turns)


def _planner(model: Model, place: Place, split: Split) -> Planner:
    from ..training import Planner

    return Planner(model, place.site(place.machine[0]), split.gpus)


def _step(model: Model, place: Place, machine: str, split: Split) -> tuple[Step, float | None]:
    """The step on a machine, and its seconds if nothing had failed."""
    from ..training import Planner

    made = Planner(model, place.site(machine), split.gpus).simulated(split)
    if not place.fail:
        return made, None
    return made, Planner(model, place.site(machine, True), split.gpus).simulated(split).step_s


def _page(step: Step) -> AnswerPage:
    from .step_page import page

    return page(step)
