"""Options of `netloom simulate` that only some models know: what packets take, what flows take."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from .options import refused, stop_seconds
from .pages import wanted
from .simulate_details import BINS

if TYPE_CHECKING:
    from ..results.rows import Cell


def _keep(ctx: click.Context, param: click.Parameter, value: Cell) -> None:
    ctx.meta[f"{__name__}.{param.name}"] = value


#: Options that only some models know, kept for `_of_packets`.
_KEPT: dict[str, Any] = {"expose_value": False, "callback": _keep}


def _known(ctx: click.Context, param: click.Parameter, model: str) -> str:
    """Refuses an unknown model before the network is built; `--plugin` has been read."""
    if model != "flow":
        from ..evaluate.rungs import by_model

        by_model(model)
    return model


def _of_packets(model: str) -> dict[str, Cell]:
    """Options of the evaluator `packet` that were given."""
    meta = click.get_current_context().meta
    given = {name: meta[f"{__name__}.{name}"] for name in ("switch", "threads", "parallel", "links")}
    given |= {name: meta[f"{__name__}.{name}"] for name in ("fast", "fast_within", "features")}
    given = {name: value for name, value in given.items() if value is not None and value is not False}
    if given and model != "packet":
        raise refused(f"--{next(iter(given)).replace('_', '-')}", "is of packets", "add --model packet")
    if "fast_within" in given and "fast" not in given:
        raise refused("--fast-within", "is the error of --fast that is small enough", "add --fast")
    watched = model == "packet" and (detailed() or "links" in given)
    return given | ({"counts": True} if "parallel" in given else {}) | ({"details": True} if watched else {})


def detailed() -> bool:
    """Whether `--details` was given."""
    return bool(click.get_current_context().meta[f"{__name__}.details"])


def _of_flows(model: str) -> dict[str, Cell]:
    """Options of the evaluator `time` that were given."""
    if not click.get_current_context().meta[f"{__name__}.no_fold"]:
        return {}
    if model != "flow":
        raise refused("--no-fold", "is of flows: nothing else is folded", "leave it out")
    return {"fold": False}


#: Faults at options of the evaluators name those of the command.
SPELLED = {
    f"packet.{name}": f"--{name}"
    for name in ("switch", "threads", "parallel", "variant", "details", "features", "fast")
}
SPELLED |= {"packet.fast_within": "--fast-within"}
SPELLED["stop_after_s"] = "--stop-after"


def options_of(model: str, critical_path: bool, pictures: bool) -> dict[str, Cell]:
    """What the evaluator is asked for, but for the record of a page."""
    options: dict[str, Cell] = {"trace": critical_path or pictures, **_of_packets(model), **_of_flows(model)}
    if options.get("details") and (pictures or wanted()):
        options["occupancy"] = BINS
    if (seconds := stop_seconds()) is not None:
        options["stop_after_s"] = seconds
    return options


_OPTIONS = (
    click.option(
        "--model",
        default="flow",
        metavar="MODEL",
        callback=_known,
        help="What messages travel as: flow, which share links, or packet; see netloom list rungs.  [default: flow]",
    ),
    click.option("--switch", metavar="CALL", help="With packets: the switch model.  [default: output-queued]", **_KEPT),
    click.option(
        "--threads",
        type=click.IntRange(1, 1024),
        help="With packets: parts of the network simulated at the same time.  [default: by its size]",
        **_KEPT,
    ),
    click.option(
        "--parallel",
        metavar="CALL",
        help="With packets: how these parts keep in step; the answer counts it.  [default: conservative]",
        **_KEPT,
    ),
    click.option(
        "--details",
        is_flag=True,
        help="With flows: time of ranks in each call of MPI. With packets: latencies, use of links, queues, buffers.",
        **_KEPT,
    ),
    click.option(
        "--links", type=click.IntRange(0, 1 << 32), metavar="N", help="With packets: also the N busiest links.", **_KEPT
    ),
    click.option(
        "--features",
        is_flag=True,
        help="With packets: also features for netloom learn: links, stalls, messages, FIFOs.",
        **_KEPT,
    ),
    click.option(
        "--fast",
        is_flag=True,
        help="With packets: a part of long messages, or of many repetitions, and the time of all, with its error; one "
        "each of parts of the machine that do the same.",
        **_KEPT,
    ),
    click.option(
        "--fast-within",
        type=click.FloatRange(0, 1e6),
        metavar="SHARE",
        help="With --fast: the error over the time that is small enough; 0: nothing is extrapolated.  [default: 0.1]",
        **_KEPT,
    ),
    click.option(
        "--no-fold", "no_fold", is_flag=True, help="Simulate also what repeats: ranks and rounds alike.", **_KEPT
    ),
)


def of_models(function: Callable[..., object]) -> Callable[..., object]:
    """`--model`, and the options that only some models know, which `options_of` reads."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function
