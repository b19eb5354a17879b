"""The step as a workload text: `step("llama3-8b",tp=2,pp=4,machine="dgx-h100")`, with a rank for each GPU."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from .. import _core
from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from . import codes
from .model import model
from .programs import programs
from .split import AXES, Split
from .step import Planner, Site

if TYPE_CHECKING:
    from ..machine import Machine

#: Micro-batches of each stage where no batch is given: a bubble below a quarter.
EACH_STAGE = 4
#: What a call says besides the split.
_SITE = ("machine", "gpu", "efficiency")
#: What ranks tell, or a text cannot hold.
_NOT = ("gpus", "overlap", "order")
_USUAL = {one.name: one.default for one in fields(Split) if one.name not in _NOT} | {"axes": "-".join(AXES)}


def batch(dp: int, micro_batch: int, pp: int) -> int:
    """Sequences of a step where none are given."""
    return dp * micro_batch * (EACH_STAGE * pp if pp > 1 else 1)


def programs_of(text: str, ranks: int, folder: Path = Path(), machine: Machine | None = None) -> _core.Programs:
    """The programs of a call on `ranks` GPUs; `dp` is what is left of them.

    Parameters
    ----------
    machine
        Of a call that names none.

    Raises
    ------
    NetloomError
        `NL-Y001` to `NL-Y006`: all that is wrong with the call, its model or its split.
    """
    _, positional, named = _core.parse_call(text)
    known, faults = [*_USUAL, *_SITE], list[Fault]()
    if len(positional) != 1 or not isinstance(positional[0], str):
        hint = 'for example step("llama3-8b",tp=2)'
        faults.append(Fault(codes.UNKNOWN, "step", "one model in quotes", text[:60], hint))
    for key, value in named.items():
        if key not in known:
            faults.append(
                Fault(codes.UNKNOWN, f"step.{key}", "is no parameter of a step", "", did_you_mean(key, known))
            )
        elif (words := _wrong(key, value)) is not None:
            faults.append(Fault(codes.BAD_VALUE, f"step.{key}", words, ascii(value)[:60]))
    if machine is None and not named.get("machine"):
        hint = 'give --machine, or write machine="dgx-h100" into the call'
        faults.append(Fault(codes.BAD_VALUE, "step.machine", "which GPUs compute is not said", "", hint))
    if faults:
        raise NetloomError(faults)
    made = model(str(positional[0]), folder)
    split = _split({key: value for key, value in named.items() if key not in _SITE}, ranks, made.sequence)
    share = named.get("efficiency")
    said, gpu = str(named.get("machine", "")), named.get("gpu")
    place: str | Path | Machine = folder / said if said.endswith(".toml") else said or machine or ""
    site = Site(place, None if gpu is None else str(gpu), None if share is None else float(str(share)))
    return programs(Planner(made, site, ranks), split)


def _split(said: dict[str, object], ranks: int, sequence: int) -> Split:
    """The split that a call says, its defaults as on the command line."""
    given = {key: value for key, value in said.items() if key != "axes"}
    given["order"] = tuple(str(said.get("axes", _USUAL["axes"])).split("-"))
    tp, pp, cp, size = (int(str(given.get(name, 1))) for name in ("tp", "pp", "cp", "micro_batch"))
    dp = int(str(given.get("dp", max(1, ranks // max(1, tp * pp * cp)))))
    usual = {"dp": dp, "sequence": sequence, "global_batch": batch(dp, size, pp)}
    if given.get("schedule") == "interleaved":
        usual["interleave"] = 2
    return Split(ranks, **(usual | given))  # type: ignore[arg-type]


def _wrong(key: str, value: object) -> str | None:
    """What a value must be, if it is not; ranges are checked with the split."""
    default = _USUAL.get(key)
    if key == "efficiency":
        fits = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= 1
        return None if fits else "a share in 0..1"
    if isinstance(default, bool):
        return None if isinstance(value, bool) else "true or false"
    if isinstance(default, int):
        return None if type(value) is int else "an integer"
    return None if isinstance(value, str) else "a text in quotes"
