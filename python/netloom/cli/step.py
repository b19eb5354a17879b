"""`netloom step`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .emission import RankFiles, rank_files
from .options import as_json, machines, no_progress, refused
from .output import progress
from .pages import report, write
from .step_options import Degrees, Hunt, Method, Place, degrees, hunt, method, place

if TYPE_CHECKING:
    from ..report import AnswerPage
    from ..training import Model, Planner, Split, Step

EPILOG = """\b
Examples:
  netloom step llama3-8b --machine dgx-h100 --gpus 64 --tp 2 --global-batch 256
  netloom step llama3-405b --machine dgx-h100 --gpus 16384 --tp 8 --pp 16 --dp 128 --global-batch 2048
  netloom step mixtral-8x7b --machine dgx-h100 --gpus 128 --global-batch 512 --sequence 4096 --sweep
  netloom step llama3-70b --machine dgx-h100 --gpus 256 --tp 4 --pp 4 --place --emit torchrun -o ranks
"""


@click.command(epilog=EPILOG)
@click.argument("model", metavar="MODEL")
@degrees
@method
@place
@machines
@hunt
@rank_files
@no_progress
@report
@as_json
def command(
    model: str, degrees: Degrees, method: Method, place: Place, hunt: Hunt, rank_files: RankFiles, quiet: bool,
    json_: bool,
) -> None:  # fmt: skip
    """Time, memory and messages of a training step, from the parameters of a model and how it is split over GPUs.

    MODEL is one of llama3-8b, llama3-70b, llama3-405b, gpt3-175b, mixtral-8x7b, deepseek-v3, or a file of your own:
    FILE.toml, or FILE.toml:NAME where it holds several. Computation follows from operations and bytes at one stated
    share of the GPU's peak, the pipeline is run task by task, and messages are simulated on the machine.
    """
    from ..training import model as named
    from .step_shown import show_places, show_steps, show_sweep

    _require(place, hunt, rank_files)
    formats, made = rank_files.formats(json_), named(model)
    split = method.split(made, degrees, hunt.sweep)
    with progress("simulations", quiet or json_) as callback:
        if hunt.sweep:
            show_sweep(_planner(made, place, split), split, degrees.fixed(), hunt.count(), callback, json_)
            return
        if hunt.places:
            show_places(_planner(made, place, split), split, hunt.count(), callback, rank_files, formats, json_)
            return
        steps = [(one, *_step(made, place, one, split)) for one in place.machine]
    show_steps([step for _, step, _ in steps], [sound for _, _, sound in steps], json_)
    write(lambda: _page(steps[0][1]))


def _require(place: Place, hunt: Hunt, rank_files: RankFiles) -> None:
    """Refuse options that do not go together."""
    from .pages import wanted

    if hunt.sweep and hunt.places:
        raise refused("--place", "does not go with --sweep", "sweep first, then give the best split with --place")
    if (hunt.sweep or hunt.places) and len(place.machine) > 1:
        raise refused("--machine", "is given more than once, and a search is on one machine", "leave one of them")
    if (hunt.sweep or hunt.places or len(place.machine) > 1) and wanted():
        raise refused("--report", "is the page of one step", "leave --sweep, --place or the other machines out")
    if rank_files.emit is not None and not hunt.places:
        raise refused("--emit", "writes the order that --place finds", "add --place")
    if hunt.best != "8" and not (hunt.sweep or hunt.places):
        raise refused("--best", "is of a search", "add --sweep or --place")
    if rank_files.cpus is not None:
        raise refused("--cpus", "numbers cores, and ranks are GPUs", "leave it out")


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
