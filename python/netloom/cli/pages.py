"""`--report FILE.html`: the answer of a command as a page that loads nothing."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

from .options import refused
from .output import note

if TYPE_CHECKING:
    from .. import _core
    from ..evaluate import Answer
    from ..evaluate.loads.result import Loads
    from ..report import AnswerPage, Chart, NetworkView, Number
    from ..scenario import Scenario

F = TypeVar("F", bound=Callable[..., object])
_PATH = "netloom.report"
#: Where the group keeps the words of the command line.
ARGS = "netloom.args"


def report(function: F) -> F:
    """`--report`, checked before the command begins."""
    words = "Write the answer as a page: tables, charts, the command, what the model leaves out."
    return click.option("--report", metavar="FILE.html", expose_value=False, callback=_checked, help=words)(function)


def _checked(ctx: click.Context, param: click.Parameter, path: str | None) -> None:
    if path is None or ctx.resilient_parsing:
        return
    from ..base import files

    if not path.endswith((".html", ".htm")):
        raise refused("--report", f"{path!r} is no page", "its name ends with .html")
    files.require_writable(path)
    ctx.meta[_PATH] = path


def wanted() -> str | None:
    """The file that `--report` names."""
    path: str | None = click.get_current_context().meta.get(_PATH)
    return path


def write(make: Callable[[], AnswerPage]) -> None:
    """Write the page where one is wanted; it is made only then."""
    path = wanted()
    if path is None:
        return
    from ..report import write_answer

    write_answer(path, make())
    note(f"wrote {path}")


def again() -> str:
    """The command as typed, without the page."""
    words = list(click.get_current_context().meta.get(ARGS, ()))
    kept = [
        word for at, word in enumerate(words) if not word.startswith("--report") and words[at - 1 : at] != ["--report"]
    ]
    return shlex.join(["netloom", *kept])


def facts(found: Answer | None = None, scenario: Scenario | None = None) -> dict[str, object]:
    """The foot of a page: version, model, the command, the inputs given."""
    from .. import __version__

    made: dict[str, object] = {"version": __version__}
    if found is not None:
        made["model"] = found.model
    if scenario is not None:
        made["scenario"] = ", ".join(f"{key} = {value}" for key, value in _given(scenario).items())
    return made | {"command": again()}


def _given(scenario: Scenario) -> Mapping[str, object]:
    """What was said; an object by its label."""
    said = {key: getattr(scenario[key], "label", scenario[key]) for key in scenario}
    return {key: value for key, value in said.items() if value != ""}


def view(net: _core.Network, label: str = "", found: Loads | None = None) -> NetworkView:
    """The drawing of a network, its links in the colours of their loads if these are given with columns."""
    if found is not None:
        from ..evaluate.loads.views import network_view

        return network_view(found, label=label)
    from ..report import NetworkView

    return NetworkView(
        label or net.label,
        net.switches,
        net.tails,
        net.heads,
        dims=net.grid[0] if net.grid else None,
        levels=net.levels,
        groups=net.groups,
        class_of=net.class_index,
        class_names=[str(one["name"]) for one in net.classes],
    )


def bars(title: str, rows: Sequence[Mapping[str, object]], x: str, y: str, **more: str) -> Chart:
    """A bar for each row."""
    from ..report import Chart

    data = {name: [row[name] for row in rows] for name in (x, y)}
    return Chart(title, "bar", data, x=x, y=y, **more)


def before_after(label: str, before: float | None, after: float | None, unit: str) -> list[Number]:
    """A number of the first screen with what it was; none where it is not known."""
    from ..report import Number

    return [] if after is None else [Number(label, after, unit, before=before)]
