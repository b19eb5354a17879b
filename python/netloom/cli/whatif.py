"""`netloom whatif`."""

from __future__ import annotations

import sys

import click

from ..base import interrupt
from .evaluate import pair, scenario_of
from .options import (
    as_json,
    machines,
    no_progress,
    plugin_files,
    plugins,
    refused,
    settings_of,
    stop_after,
    threads,
    within,
)
from .output import progress
from .pages import report, write
from .stopped import say_stopped
from .whatif_options import Asking, asking

EPILOG = """\b
Examples:
  netloom whatif scenario.toml --vary 'link_bandwidth=50..400 Gbps' \\
      --vary 'router_delay=50..500 ns log'
  netloom whatif scenario.toml --vary 'size_bytes=1 KiB..1 MiB log' --vary 'routing=minimal|valiant' \\
      --samples 128 --report whatif.html
  netloom whatif scenario.toml -e loads --vary 'placement=linear|random(seed=1)' --vary network.p=1..4

\b
A key is an input of the scenario (netloom evaluate), a parameter of a call such as network.p, or
  link_bandwidth       network.bandwidth
  link_latency         network.latency
  injection_bandwidth  network.endpoint_bandwidth, or network.nic_bandwidth
  injection_latency    network.endpoint_latency
  router_delay         switch_latency
  message_size         size_bytes
"""


@click.command(epilog=EPILOG)
@click.argument("scenario", metavar="SCENARIO.toml|SCENARIO.json|-")
@click.option("--vary", multiple=True, metavar="KEY=A..B|KEY=a|b", help="A range, a unit and log if wanted; repeated.")
@asking
@stop_after
@threads
@no_progress
@report
@machines
@plugins
@as_json
def command(scenario: str, vary: tuple[str, ...], asking: Asking, quiet: bool, json_: bool) -> None:
    """Say which parameter of a scenario decides, and where more of it gives nothing.

    Each parameter is varied alone through the scenario as written, all of them together for Sobol's indices (the share
    of the variance that a parameter makes), and the two that matter most for a map.
    """
    if not vary:
        raise refused("--vary", "is missing", "name what is varied, such as --vary 'link_bandwidth=50..400 Gbps'")
    from ..evaluate import evaluator
    from ..whatif import whatif
    from .whatif_shown import page, show

    row, how = evaluator(asking.evaluator), asking.how(plugin_files())
    options = settings_of(row, dict(pair(text) for text in asking.options))
    # On Ctrl-C the runs made so far are shown, then the command ends.
    with interrupt.held():
        with within("fewer parameters, or a smaller scenario") as clock, progress("runs", quiet or json_) as said:
            found = whatif(
                scenario_of(scenario), vary, row.name, target=asking.target, best=asking.best, options=options,
                how=how, progress=said,
            )  # fmt: skip
        write(lambda: page(found))
        show(found, clock, json_)
        say_stopped(clock, f"{len(found.points):,} runs")
        if found.ended == "interrupted":
            interrupt.say(f"interrupted: {len(found.points):,} runs")
        sys.stdout.flush()
