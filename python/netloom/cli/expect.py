"""`netloom expect`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .options import as_json, integer, machines, no_progress, parameter, refused, stop_after, within
from .output import emit_facts, emit_json, emit_table, note, progress, say
from .pages import report, write
from .stopped import say_stopped, stopped_s

if TYPE_CHECKING:
    from ..expectation import Expectation
    from ..measured.reading import Options

EPILOG = """\b
Examples:
  netloom expect allreduce.log --machine lumi-g --nodes 16 --ranks-per-node 4
  netloom expect osu.txt --machine mine.toml --nodes 8 --ranks-per-node 1 --algorithm ring --report health.html
  netloom expect pairs.csv --json
"""
#: Rows of a table.
SHOWN = 30
#: Findings with a remedy.
REMEDIES = 3
#: A fault that explains less than this share is not the whole truth.
HALF = 0.5


@click.command(epilog=EPILOG)
@click.argument("log", metavar="LOG")
@click.option("--machine", metavar="NAME|FILE", help="The machine that was measured; a matrix of pairs may do without.")
@click.option("--nodes", metavar="N", help="Nodes of the job, if the log does not say them.")
@click.option("--ranks-per-node", metavar="K", help="Ranks on each node, if the log does not say them.")
@click.option("-c", "--collective", default="", metavar="NAME", help="What ran, if the log does not say it.")
@click.option("--algorithm", default="", metavar="NAME", help="The algorithm that ran, such as ring.")
@click.option("--library", default="", metavar="NAME", help="The library that chose it by its rules, such as openmpi.")
@click.option("--unit", default="", metavar="UNIT", help="Of a matrix of rates, such as Gb/s.")
@click.option(
    "--set", "set_", metavar="INPUT.PARAMETER=VALUE", multiple=True,
    help="One parameter of the machine's inputs, such as software.flow_cap=2e10; may be repeated.",
)  # fmt: skip
@machines
@stop_after
@no_progress
@report
@as_json
def command(log: str, machine: str | None, set_: tuple[str, ...], quiet: bool, json_: bool, **said: str | None) -> None:
    """Say whether a benchmark's log is what a machine should give, and which fault explains it if not.

    LOG is what nccl-tests, the OSU or Intel MPI Benchmarks, ReproMPI or PICO printed, netloom's CSV of measurements,
    or a matrix of the rates of pairs of nodes. Each time stands next to the simulated one and to the bound, the time of
    the wires alone. It is healthy if it is slower by no more than the error that predictions of the machine were found
    to have: nine tenths of the measurements are within it. Where more than a tenth of the rows are not, faults are
    simulated on the same rows and ranked by how much of the difference they explain. In a matrix a pair is held against
    the sound pairs, and slow nodes, directions, groups and pairs are named.
    """
    from ..expectation import Against, expect
    from .expect_page import page
    from .expect_record import record

    if set_ and machine is None:
        raise refused("--set", "changes a machine, and none is named", "add --machine")
    against = None if machine is None else Against(machine, dict(map(parameter, set_)))
    with within("give fewer rows of the log") as clock, progress("simulations", quiet or json_) as callback:
        found = expect(log, against, _options(said), callback)
    say_stopped(clock, f"{len(found.rows)} rows; faults that could explain them were not all tried")
    _say_unused(found, said)
    write(lambda: page(found))
    if json_:
        emit_json(record(found) | stopped_s(clock))
    else:
        _show(found)


def _options(said: dict[str, str | None]) -> Options:
    from ..library import library

    nodes, each = (
        None if (text := said[name]) is None else integer(flag, text, 1, 1 << 24)
        for name, flag in (("nodes", "--nodes"), ("ranks_per_node", "--ranks-per-node"))
    )
    return {
        "nodes": nodes,
        "ranks_per_node": each,
        "collective": said["collective"] or "",
        "algorithm": said["algorithm"] or "",
        "library": library(said["library"]).name if said["library"] else "",
        "unit": said["unit"] or "",
    }


def _say_unused(found: Expectation, said: dict[str, str | None]) -> None:
    """Options that say what the log says, or what it does not ask for."""
    from ..library import of_text as library_of
    from ..measured.names import algorithm, collective

    def is_named(name: str) -> bool:
        of = [one.row for one in found.rows]
        if name == "algorithm":
            return any(row.algorithm == algorithm(row.collective, str(said[name])) for row in of)
        return collective(str(said[name])) in {row.collective for row in of} | {one.collective for one in found.pairs}

    is_matrix = "the log is a matrix of rates"
    is_chosen = any(one.row.library == library_of(str(said["library"])) for one in found.rows if one.is_assumed)
    for name, why in (
        ("library", is_matrix if found.pairs else "" if is_chosen else "the algorithm or the library is named already"),
        ("unit", "" if found.pairs else "the log is none of rates"),
        ("algorithm", is_matrix if found.pairs else "the log names what ran"),
        ("collective", "the log names what ran"),
    ):
        if said[name] and why and (name in ("unit", "library") or not is_named(name)):
            note(f"note: --{name} has no effect: {why}")


def _show(found: Expectation) -> None:
    counts = found.counts()
    facts: dict[str, object] = {"machine": found.machine} if found.machine else {}
    facts["pairs" if found.pairs else "rows"] = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    facts |= {f"error, {kind}": f"{100 * share:.0f} %: {why}" for kind, share, why in found.bands()}
    emit_facts(facts)
    click.echo()
    _show_pairs(found) if found.pairs else _show_rows(found)
    _show_findings(found)
    for reason, count in found.reasons().items():
        note(f"not used: {count} rows: {reason}")
    for line in found.notes:
        note(line)


def _show_rows(found: Expectation) -> None:
    from ..base.quantities import size_text, time_text

    emit_table(
        ["workload", "nodes", "ranks a node", "size", "measured", "expected", "wires alone", "ratio", "verdict"],
        [
            [f"{one.row.collective}:{one.algorithm}" if one.algorithm else one.row.collective, one.row.nodes,
             one.row.ranks_per_node, size_text(one.row.bytes), time_text(one.row.time_s), time_text(one.expected_s),
             time_text(one.bound_s), f"{one.ratio:.3g}", one.why]
            for one in found.rows[:SHOWN]
        ],
    )  # fmt: skip
    _say_more(len(found.rows))


def _show_pairs(found: Expectation) -> None:
    slow = sorted((one for one in found.pairs if not one.healthy), key=lambda one: one.share)
    if slow:
        columns = ["slow pair", "ran", "measured", "sound pairs", "share"]
        emit_table(
            [name for name in columns if name != "ran" or any(one.ran for one in slow)],
            [
                [f"{one.source} -> {one.target}", *([one.ran] if one.ran else []), f"{one.bytes_per_s / 1e9:.4g} GB/s",
                 f"{one.expected_bytes_per_s / 1e9:.4g} GB/s", f"{100 * one.share:.0f} %"]
                for one in slow[:SHOWN]
            ],
        )  # fmt: skip
        _say_more(len(slow))


def _say_more(rows: int) -> None:
    if rows > SHOWN:
        note(f"{rows - SHOWN} more rows: --json or --report has all")


def _show_findings(found: Expectation) -> None:
    if not found.findings:
        if found.counts()["unhealthy"] and found.compared:
            say("no fault that netloom tries explains these times")
        return
    click.echo()
    emit_table(
        ["finding", "where", "what", "explains", "not told from"],
        [
            [one.what, one.place, one.says, f"{100 * one.explains:.0f} %", ", ".join(one.equal) or "-"]
            for one in found.findings[:SHOWN]
        ],
    )
    if (best := found.findings[0].explains) < HALF:
        say(f"no fault explains more than {100 * best:.0f} % of the difference")
    click.echo()
    for one in list({one.what: one for one in found.findings[::-1]}.values())[::-1][:REMEDIES]:
        say(f"{one.what}: {one.remedy}", 4)
