"""`netloom design`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..base import interrupt
from ..base.files import require_writable
from .design_options import Designing, asking
from .options import as_json, machines, no_progress, plugin_files, plugins, refused, stop_after, threads, within
from .output import progress
from .pages import report, write
from .stopped import say_stopped

EPILOG = """\b
Examples:
  netloom design --endpoints 2000 --workload alltoall:pairwise --workload allreduce:ring=2
  netloom design --endpoints 512 --workload 'stencil(8,8,8)' --budget 2000000 --report design.html -o scenarios
  netloom design --show-catalogue > parts.toml
  netloom design --endpoints 1024 --workload alltoall:bruck --catalogue parts.toml --goal per-watt

\b
Families: fat-tree, dragonfly, dragonfly-plus, hyperx, slim-fly, torus, rail-optimised, xpander, random-regular
"""


@click.command(epilog=EPILOG)
@asking
@click.option("-o", "--output", "folder", metavar="FOLDER", help="Write a scenario of each network on the front.")
@click.option("--show-catalogue", is_flag=True, help="Print the catalogue that is shipped, and end.")
@stop_after
@threads
@no_progress
@report
@machines
@plugins
@as_json
def command(asking: Designing, folder: str | None, show_catalogue: bool, quiet: bool, json_: bool) -> None:
    """Say which network to build for a number of endpoints and a mix of workloads.

    Candidates of every family are sized from a catalogue of switches, priced with their cables on a floor of cabinets,
    and timed: by hops and link loads all of them, by simulation those that may be on the Pareto front of time, price
    and power.
    """
    if show_catalogue:
        from ..design import shipped_text

        click.echo(shipped_text(), nl=False)
        return
    if asking.endpoints is None:
        raise refused("--endpoints", "is missing", "say how many, such as --endpoints 2000")
    from .design_shown import Counted, asked, page, show, write_scenarios

    require_writable(None if folder is None else Path(folder) / "scenario.toml")
    counted, less = Counted(), "give it longer, or ask for fewer endpoints or fewer workloads"
    # On Ctrl-C what is known so far is shown, then the command ends.
    with interrupt.held():
        with within(less, counted.so_far) as clock, progress("runs", quiet or json_) as counted.said:
            found = asked(asking, plugin_files(), counted)
        files = write_scenarios(found, folder)
        write(lambda: page(found, files))
        show(found, clock, json_)
        say_stopped(clock, f"{len(found.ranked):,} candidates with a time")
        if found.ended == "interrupted":
            interrupt.say(f"interrupted: {len(found.ranked):,} candidates with a time")
        sys.stdout.flush()
