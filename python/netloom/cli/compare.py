"""`netloom compare`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..scenario.axes import BY_NAME
from .inputs import Asked, flag, inputs, spelled
from .options import (
    as_json,
    machines,
    no_progress,
    plugin_files,
    plugins,
    refused,
    stop_after,
    threads,
    together,
    within,
)
from .output import emit_json, note, progress
from .pages import report, wanted
from .stopped import say_stopped

if TYPE_CHECKING:
    from ..compare.rows import Compared

EPILOG = """\b
Examples:
  netloom compare 'torus(8,8)' 'hypercube(6)' 'dragonfly(a=4,p=2,h=2,g=8)' -c alltoall:bruck --size 64KiB
  netloom compare 'fat_tree(radix=8)' 'star(16,p=8)' -t 'shift(k=1)' -c allreduce:ring --picture radar.png
  netloom compare 'torus(8,8)' 'hypercube(6)' --picture pareto.svg --json
  netloom compare 'thin_tree(8,8,2)' 'thin_tree(8,3,2)' -t 'stencil(8,8)' --baseline 'thin_tree(8,8,2)' --model unit
  netloom compare --machine lumi-g --machine leonardo --nodes 32 --ranks-per-node 1 -c allreduce:ring --size 1MiB
  netloom compare 'torus(8,8)' 'hypercube(6)' -c alltoall:bruck --ranks 64 -o out/
  netloom compare 'fat_tree(radix=8)' 'star(16,p=8)' -t 'shift(k=1)' --routing hashed --fail links:2%,seed=1
"""
#: Inputs of the workloads, the same on every network.
INPUTS = (
    *(
        "part",
        "fail",
        "ranks",
        "cores",
        "node",
        "placement",
        "library",
        "size_bytes",
        "root",
        "variant",
        "calibration",
        "duplex",
    ),
    *("switch_latency", "model"),
)
ROUTING = (
    "One policy for all networks: adaptive, hashed, one-path, or spray; auto: the default of each network; or a "
    "routing that all of them have."
)
SPREAD = "Simulate the other policies too, so that a lead can be told from what routing and draws decide."
MACHINE = (
    "Compare this machine: its network with its node and costs, which networks next to it have too; may be repeated, "
    "then without networks."
)
BASELINE = (
    "One of the networks, to which times, rates, prices and the radar are relative; with workloads also phi, their "
    "weighted performance, and efficiency, phi for the price."
)
WEIGHT = "How much the time of a workload counts in phi, by default 1; may be repeated."
FLAGS = {"routing": "--routing", "compare.baseline": "--baseline", "compare.weights": "--weight"}


@dataclass(frozen=True)
class AskedOf:
    """Machines and workloads, as typed."""

    machine: tuple[str, ...]
    traffic: tuple[str, ...]
    collective: tuple[str, ...]
    baseline: str | None
    weight: tuple[str, ...]

    @property
    def workloads(self) -> list[str]:
        """Patterns, then collectives."""
        return [*self.traffic, *self.collective]

    def weights(self) -> dict[str, float]:
        """By workload, as far as they are given."""
        return _weights(self.weight)

    def shown(self, rows: list[Compared]) -> str:
        """What there is where time was over."""
        from ..base.quantities import counted

        missed = ", the baseline is one of them" if self.baseline and "baseline" not in rows[0] else ""
        return f"{counted(len(rows), 'network')} compared, the others are not shown{missed}"

    def about(self, given: dict[str, object]) -> dict[str, object]:
        """Inputs for the head of a page."""
        listed = {"machine": self.machine, "baseline": filter(None, [self.baseline]), "weights": self.weight}
        return {name: text for name, texts in listed.items() if (text := "; ".join(texts))} | given

    def words(self) -> list[tuple[str, tuple[str, ...]]]:
        """The options, to ask again."""
        base = () if self.baseline is None else (self.baseline,)
        named = [("--machine", self.machine), ("-t", self.traffic), ("-c", self.collective)]
        return [*named, ("--baseline", base), ("--weight", self.weight)]


asked_of = together(
    "what",
    AskedOf,
    click.option("--machine", multiple=True, metavar="NAME|FILE", help=MACHINE),
    click.option("-t", "--traffic", multiple=True, metavar="CALL", help="Workload: a pattern; may be repeated."),
    click.option(
        "-c", "--collective", multiple=True, metavar="CALL", help="Workload: collective:algorithm; may be repeated."
    ),
    click.option("--baseline", metavar="NETWORK", help=BASELINE),
    click.option("--weight", multiple=True, metavar="WORKLOAD=W", help=WEIGHT),
)


def _weights(texts: tuple[str, ...]) -> dict[str, float]:
    """By workload, which may have signs of equality too."""
    from ..base.errors import Fault, NetloomError

    found: dict[str, float] = {}
    for text in texts:
        name, _, value = text.rpartition("=")
        try:
            weight = float(value)
        except ValueError:
            name = ""
        if not name.strip():
            raise NetloomError([Fault("NL-A007", "--weight", "WORKLOAD=W, such as alltoall:bruck=2", text)])
        if name.strip() in found:
            raise refused("--weight", f"is given twice for {name.strip()}", "give one of them")
        found[name.strip()] = weight
    return found


@click.command(epilog=EPILOG)
@click.argument("networks", nargs=-1, metavar="NETWORK...")
@asked_of
@inputs(*INPUTS)
@machines
@click.option("-r", "--routing", metavar="POLICY|CALL", help=f"{ROUTING}  [default: adaptive]")
@click.option("--spread/--no-spread", default=True, show_default=True, help=SPREAD)
@click.option("--picture", multiple=True, metavar="FILE", help="Write radar.png or pareto.png; also .svg, .pdf.")
@click.option("-o", "--output", metavar="FOLDER", help="Folder for report.html, tables, JSON and pictures.")
@stop_after
@threads
@no_progress
@report
@plugins
@as_json
def command(
    asked: Asked,
    networks: tuple[str, ...],
    what: AskedOf,
    picture: tuple[str, ...],
    output: str | None,
    quiet: bool,
    json_: bool,
    **how: str | bool | None,
) -> None:
    """Networks and machines in one table: distances, bisection, price, worst link, time under one policy."""
    from ..compare import compare

    if not networks and not what.machine:
        raise click.UsageError("Missing argument 'NETWORK...', or --machine NAME.")
    kinds = {path: _kind(path) for path in picture}
    if output is not None:
        from ..compare.page import require_folder

        require_folder(output)
    given = {**asked.said} | ({"routing": how["routing"]} if how["routing"] else {})
    weights = what.weights()
    with (
        within("compare fewer networks, fewer --ranks, or without the spread: --no-spread") as clock,
        progress("networks", quiet or json_) as callback,
        spelled(FLAGS),
    ):
        rows = compare(
            networks, what.workloads, machines=what.machine, baseline=what.baseline, weights=weights,
            spread=bool(how["spread"]), progress=callback, **given,
        )  # fmt: skip
    say_stopped(clock, what.shown(rows))
    _draw(kinds, rows)
    if output is not None or wanted() is not None:
        _write(rows, output, what.about(given), _again(networks, what.words(), given, bool(how["spread"])))
    if json_:
        emit_json(rows)
    else:
        from .compare_shown import show

        show(rows, given)


def _draw(kinds: dict[str, str], rows: list[Compared]) -> None:
    if kinds:
        from ..compare.pictures import picture as drawn
        from ..plot import save

        for path, kind in kinds.items():
            save(drawn(kind, rows), path)
            note(f"wrote {path}")


def _write(rows: list[Compared], output: str | None, given: dict[str, object], command: str) -> None:
    from ..compare.page import write_comparison, write_page

    page = wanted()
    if page is not None:
        note(f"wrote {write_page(rows, page, inputs=given, command=command)}")
    if output is None:
        return
    for path in write_comparison(rows, output, inputs=given, command=command):
        if path.name == "report.html":
            note(f"wrote {path}")


def _again(
    networks: tuple[str, ...], named: list[tuple[str, tuple[str, ...]]], given: dict[str, object], spread: bool
) -> str:
    """The command that gives the same rows."""
    import shlex

    from ..scenario.parameters import parameter_text

    parts = {name: value for name, value in given.items() if name not in BY_NAME}
    said = [
        (flag(BY_NAME[name]), tuple(str(value).split("; ") if name == "fail" else [str(value)]))
        for name, value in given.items()
        if name not in parts
    ]
    said.append(("--set", tuple(parameter_text(name, value) for name, value in parts.items())))
    words = [
        word
        for option, values in [*named, *said, ("--plugin", plugin_files())]
        for value in values
        for word in (option, str(value))
    ]
    return shlex.join(["netloom", "compare", *networks, *words, *([] if spread else ["--no-spread"])])


def _kind(path: str) -> str:
    """The picture that a file name selects."""
    from ..plot.figure import ending_of, require

    require()
    ending_of(path)
    for kind in ("radar", "pareto"):
        if Path(path).stem.startswith(kind):
            return kind
    raise refused("--picture", f"{path!r} says no kind of picture", "its name starts with radar or pareto")
