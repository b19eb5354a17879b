"""`netloom map`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .options import Job, as_json, integer, job, number, plugins
from .output import emit_facts, emit_json, note, progress

EPILOG = """\b
Examples:
  netloom map --network 'random_shortcut(1024,degree=19,seed=1)' --ranks 512 \\
      --collective broadcast:binomial --optimise auto --emit rankfile,slurm -o maps/
  netloom map -n 'torus(8,8,8)' -t 'stencil(8,8,8)' --optimise 'two-opt(swaps=200000)' \\
      --emit csv

Without -o a single rank file goes to stdout. Names of endpoints come from the
network file, or follow the format's host_pattern, for example
--emit 'rankfile(host_pattern="node{0001}")'.
"""


@click.command(epilog=EPILOG)
@job
@click.option("--optimise", default="auto", show_default=True, metavar="CALL", help='Optimiser, or "none".')
@click.option("--objective", default="hops", show_default=True, metavar="CALL", help="What is made small.")
@click.option("--free", is_flag=True, help="Any endpoint of the network may be used, not only those of the placement.")
@click.option("--seconds", metavar="S", help="Time budget; the result then depends on the machine's speed.")
@click.option("--swaps", metavar="N", help="Number of evaluations, for optimisers that take it.")
@click.option("--seed", metavar="N", help="Seed, for optimisers that take one.")
@click.option("--routing", default="single-minimal", show_default=True, metavar="CALL", help="One path per pair.")
@click.option("--repetitions", default="1", show_default=True, metavar="N", help="How often it is done, for time.")
@click.option("--calibration", default="pure", show_default=True, metavar="NAME|FILE", help="For time.")
@click.option("--duplex", default="full", show_default=True, help="full or half, for time.")
@click.option("--switch-latency", default="0", show_default=True, metavar="TIME", help="Per switch, for time.")
@click.option("--emit", metavar="FORMAT[,FORMAT]", help="Rank file formats; see netloom list formats.")
@click.option("-o", "--output", metavar="FOLDER", help="Where the rank files go.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@plugins
@as_json
def command(
    network: str, format_: str | None, ranks: str | None, placement: str, order: str, collective: str | None,
    traffic: str | None, application: str | None, size: str, root: str, optimise: str,
    objective: str, free: bool, seconds: str | None, swaps: str | None, seed: str | None, routing: str,
    repetitions: str, calibration: str, duplex: str, switch_latency: str, emit: str | None,
    output: str | None, quiet: bool, json_: bool,
) -> None:  # fmt: skip
    """Improve where ranks run; write the file that a launcher takes."""
    from .. import _core, api, flow, plugin
    from ..quantities import parse_seconds
    from ..study.emit import check_format

    formats = split_calls(emit) if emit else []
    for text in formats:
        check_format(text)
    budget = None if seconds is None else number("--seconds", seconds)
    optimiser = with_arguments(optimise, swaps, seed)
    if optimiser != "none" and plugin.find("optimisers", optimiser) is None:
        _core.canonical("optimisers", optimiser)
        _core.canonical("objectives", objective)
    asked = Job(network, format_, ranks, placement, collective, traffic, application, size, root)
    start = api.place(asked.network, asked.ranks, placement, order)
    timing = None
    if plugin.find("optimisers", optimiser) is None and _core.needs_clock(objective):
        machine = flow.settings(calibration, duplex, parse_seconds(switch_latency, "--switch-latency", least=0.0), 1e11)
        timing = (asked.network, machine, routing, integer("--repetitions", repetitions, 1))
    found = improve(asked, start, optimiser, objective, free, budget, quiet or json_, routing, timing)
    written = write(formats, asked.network, found["mapping"], output, json_)
    result = {
        "network": asked.network.label,
        "workload": asked.workload.label,
        "ranks": asked.ranks,
        "optimiser": optimiser,
        "objective": objective,
        **{key: value for key, value in found.items() if key != "trace"},
        "files": written,
    }
    if json_:
        emit_json(result)
        return
    with_unit = shown_time if timing is not None else lambda value: value
    facts = {
        f"{objective} before": with_unit(result["start_value"]),
        f"{objective} after": with_unit(result["value"]),
        "no mapping can be below": result["bound"],
        "method": result["method"],
        "files": written or None,
    }
    shown = {name: value for name, value in facts.items() if value is not None}
    if formats and output is None:
        # The rank file has stdout; the facts go beside it.
        for name, value in shown.items():
            note(f"{name}: {value}")
    else:
        emit_facts(shown)


def improve(
    asked: Job,
    start: Any,
    optimiser: str,
    objective: str,
    free: bool,
    budget: float | None,
    quiet: bool,
    routing: str,
    timing: Any,
) -> dict[str, Any]:
    """The optimiser's result; for "none" the start mapping with its hops."""
    from .. import _core, plugin

    if optimiser == "none":
        value = _core.hops(asked.network, start, asked.workload)["total_hops"]
        return {"mapping": start, "value": value, "start_value": value, "bound": None, "method": "none"}
    made = plugin.optimise(optimiser, asked.network, start, asked.workload, objective)
    if made is not None:
        return made
    with progress("mapping", quiet) as callback:
        load = asked.workload if timing is None else asked.ordered
        return _core.optimise(
            asked.network, start, load, optimiser, objective, free, budget, callback, None, routing, timing
        )


def write(formats: list[str], network: Any, mapping: Any, output: str | None, json_: bool) -> list[str]:
    """Rank files into the folder, or one to stdout."""
    from .. import _core, files
    from ..errors import Fault, NetloomError
    from ..study.emit import file_name

    if not formats:
        return []
    if output is None:
        if len(formats) > 1 or json_:
            hint = "give -o FOLDER"
            raise NetloomError([Fault("NL-X010", "--emit", "needs a folder for its files", "", hint)])
        click.echo(_core.emit(formats[0], network, mapping), nl=False)
        return []
    written = []
    for text in formats:
        path = Path(output) / file_name(text)
        files.write(path, _core.emit(text, network, mapping))
        written.append(str(path))
    return written


def shown_time(picoseconds: int) -> str:
    """Microseconds to the picosecond."""
    return f"{picoseconds / 1e6:.6f} us"


def split_calls(text: str) -> list[str]:
    """`a,b(x=1,y=2)` at the commas outside parentheses and quotes."""
    parts, depth, quote, start = [], 0, "", 0
    for i, c in enumerate(text):
        if quote:
            quote = "" if c == quote else quote
        elif c in "\"'":
            quote = c
        elif c in "([":
            depth += 1
        elif c in ")]":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]


def with_arguments(optimiser: str, swaps: str | None, seed: str | None) -> str:
    """The optimiser's call with `--swaps` and `--seed` as arguments."""
    extra = [f"{key}={integer(f'--{key}', text, 0)}" for key, text in (("swaps", swaps), ("seed", seed)) if text]
    if not extra:
        return optimiser
    head, bracket, rest = optimiser.partition("(")
    inner = rest.rstrip().removesuffix(")") if bracket else ""
    return f"{head}({', '.join([*([inner] if inner.strip() else []), *extra])})"
