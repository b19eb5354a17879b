"""`netloom simulate`."""

from __future__ import annotations

from collections.abc import Callable
from math import fsum
from pathlib import Path
from typing import Any

import click

from . import jobs as jobs_
from .options import as_json, integer, plugins
from .output import emit_facts, emit_json, emit_table, note, progress, reader_notes

EPILOG = """\b
Examples:
  netloom simulate -n 'torus(8,8)' -c alltoall:bruck --size 4KiB --critical-path
  netloom simulate -n 'torus(4,4,4)' --placement 'random(seed=1)' -a 'ft(class=A)' \\
      --speed '50 Gflops' --algorithm alltoall:pairwise
  netloom simulate -n cluster.xml --trace trace.txt --calibration simgrid-smpi
  netloom simulate -n 'star(32)' --jobs jobs.toml --background 0:7 --background 3:4:1GiB

\b
A file of jobs has tables [[job]] with one of collective, traffic, application, trace, and
ranks, size, root, order, repetitions, start = "1 ms", or mapping = FILE, mapping_format:
jobs without a mapping take the endpoints of --placement one after another.
"""


@click.command(epilog=EPILOG)
@click.option("-n", "--network", required=True, metavar="CALL|FILE", help="Network, as call text or file.")
@click.option("--from", "format_", metavar="FORMAT", help="Format of the network file.")
@click.option("-c", "--collective", metavar="CALL", help="collective:algorithm.")
@click.option("-t", "--traffic", metavar="CALL", help="A traffic pattern: all its flows start together.")
@click.option("-a", "--application", metavar="CALL", help="An application; see netloom list applications.")
@click.option("--trace", metavar="FILE", help="A time-independent trace of SMPI, or its index.")
@click.option("--jobs", metavar="FILE", help="Several jobs: a TOML file of tables [[job]].")
@click.option("--ranks", metavar="N", help="Number of ranks; by default one per endpoint, of a trace its own.")
@click.option("--placement", default="linear", show_default=True, metavar="CALL", help="Which endpoints.")
@click.option("--order", default="draw", show_default=True, metavar="CALL", help="Which rank on which.")
@click.option("--mapping", metavar="FILE", help="A rank file in place of --placement and --order.")
@click.option("--mapping-format", metavar="FORMAT", help="Format of that file, where its content does not tell.")
@click.option("--size", default="1", show_default=True, metavar="SIZE", help="Bytes of the collective.")
@click.option("--root", default="0", show_default=True, metavar="RANK", help="Root of the collective.")
@click.option("--repetitions", default="1", show_default=True, metavar="N", help="How often, without a barrier.")
@click.option("--calibration", default="pure", show_default=True, metavar="NAME|FILE", help="Software and protocol.")
@click.option("--routing", default="single-minimal", show_default=True, metavar="CALL", help="Which paths.")
@click.option("--duplex", default="full", show_default=True, metavar="full|half", help="How a cable is shared.")
@click.option("--switch-latency", default="0", show_default=True, metavar="TIME", help="Per switch, such as '100 ns'.")
@click.option("--speed", default="100 Gflops", show_default=True, metavar="SPEED", help="Of a rank's computation.")
@click.option(
    "--algorithm", multiple=True, metavar="CALL",
    help="What an application or a trace uses, such as alltoall:pairwise, or smpi for a trace; may be repeated.",
)  # fmt: skip
@click.option(
    "--background", multiple=True, metavar="SRC:DST[:SIZE]",
    help="A flow between two endpoints that nobody waits for; without a size it never ends. May be repeated.",
)  # fmt: skip
@click.option("--critical-path", is_flag=True, help="Record the run, and say what its time went into.")
@click.option("--pictures", metavar="FOLDER", help="Timeline, links, critical path as PNG and SVG.")
@click.option("--write-trace", metavar="FOLDER", help="The workload as a trace that smpirun -replay takes.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@plugins
@as_json
def command(
    network: str, format_: str | None, collective: str | None, traffic: str | None, application: str | None,
    trace: str | None, jobs: str | None, ranks: str | None, placement: str, order: str, mapping: str | None,
    mapping_format: str | None, size: str, root: str, repetitions: str, calibration: str, routing: str, duplex: str,
    switch_latency: str, speed: str, algorithm: tuple[str, ...], background: tuple[str, ...], critical_path: bool,
    pictures: str | None, write_trace: str | None, quiet: bool, json_: bool,
) -> None:  # fmt: skip
    """Simulated time of a collective, an application, a trace, several jobs."""
    from .. import api, flow
    from ..quantities import counted, parse_bytes, parse_flops_per_s, parse_seconds

    if pictures is not None:
        from ..plot.figure import require

        # Said before the simulation, not after it.
        require()
    switch_latency_s = parse_seconds(switch_latency, "--switch-latency", least=0.0)
    flops_per_s = parse_flops_per_s(speed, "--speed")
    beside = [_background(text) for text in background]
    loads = {"collective": collective, "traffic": traffic, "application": application, "trace": trace}
    if jobs is None:
        asked = [
            jobs_.of_options(
                loads,
                ranks=None if ranks is None else integer("--ranks", ranks, 1),
                order=order,
                mapping=mapping,
                mapping_format=mapping_format,
                size_bytes=parse_bytes(size, "--size"),
                root=integer("--root", root, 0),
                repetitions=integer("--repetitions", repetitions, 1),
            )
        ]
    else:
        _alone(jobs, {**loads, "ranks": ranks, "mapping": mapping, "write-trace": write_trace})
        asked = jobs_.of_file(jobs)
    net = api.network(network, format_)
    reader_notes(net)
    ready = jobs_.make(net, asked, placement, flow.by_collective(algorithm))
    with progress("simulating", quiet or json_) as callback:
        found = flow.run(
            net, ready, flow.settings(calibration, duplex, switch_latency_s, flops_per_s), background=beside,
            routing=routing, trace=critical_path or pictures is not None, progress=callback,
        )  # fmt: skip
    written = _pictures(net, ready, found, pictures) if pictures is not None else []
    if write_trace is not None:
        from .. import traces

        written += traces.write_trace(ready[0].workload, write_trace, ready[0].repetitions)
    result = _result(net, ready, found, calibration, routing, duplex)
    result["files"] = [str(path) for path in written]
    if json_:
        emit_json(result)
        return
    _show(result)
    for path in written[:8]:
        note(f"wrote {path}")
    if len(written) > 8:
        note(f"wrote {counted(len(written) - 8, 'more file')} beside them")


def _alone(jobs: str, others: dict[str, str | None]) -> None:
    """What a file of jobs says itself is not said again."""
    from ..errors import Fault, NetloomError

    given = ", ".join(f"--{name}" for name, value in others.items() if value is not None)
    if given:
        hint = f"say it in {jobs}, or leave --jobs out"
        raise NetloomError([Fault("NL-X010", "--jobs", f"does not go together with {given}", "", hint)])


def _background(text: str) -> dict[str, float]:
    from ..errors import Fault, NetloomError
    from ..quantities import parse_bytes

    parts = text.split(":")
    if len(parts) not in (2, 3):
        raise NetloomError([Fault("NL-A007", "--background", "SRC:DST or SRC:DST:SIZE, such as 0:7:1GiB", text)])
    ends = [integer("--background", part, 0) for part in parts[:2]]
    flow: dict[str, float] = {"src": ends[0], "dst": ends[1]}
    if len(parts) == 3:
        flow["bytes"] = float(parse_bytes(parts[2], "--background"))
    return flow


def _result(net: Any, ready: list[Any], found: dict[str, Any], *model: str) -> dict[str, Any]:
    """The keys of `--json`."""
    calibration, routing, duplex = model
    parts = []
    for job, finish in zip(ready, found["finish_s"], strict=True):
        took = max(finish) - job.start_s
        counted = getattr(job.workload, "counted_operations", 0) * job.repetitions
        parts.append(
            {
                "workload": job.workload.label,
                "ranks": len(finish),
                "repetitions": job.repetitions,
                "start_s": job.start_s,
                "time_s": took,
                "first_s": min(finish),
                "mean_s": fsum(finish) / len(finish),
                "last_s": max(finish),
                "mop_per_s": counted / took / 1e6 if counted and took > 0 else None,
                "finish_s": finish,
            }
        )
    result = {
        "network": net.label,
        "calibration": calibration,
        "routing": routing,
        "duplex": duplex,
        "time_s": found["time_s"],
        "messages": found["messages"],
        "bytes": found["bytes"],
        "jobs": parts,
        "work": {key: found[key] for key in ("solves", "fillings", "entries", "changes")},
    }
    if "critical_path" in found:
        path = found["critical_path"]
        result["critical_path"] = {"total_s": path["total_s"], "shares_s": path["shares_s"]}
    return result


def _show(result: dict[str, Any]) -> None:
    from ..quantities import unit_of_time

    size, unit = unit_of_time(result["time_s"])
    unit = unit.replace("µ", "u")
    jobs = result["jobs"]
    only = jobs[0] if len(jobs) == 1 else None
    facts: dict[str, Any] = {"network": result["network"]}
    if only is not None:
        facts |= {"workload": only["workload"], "ranks": only["ranks"]}
    facts |= {"calibration": result["calibration"], f"time ({unit})": result["time_s"] / size}
    if only is not None:
        if only["repetitions"] > 1:
            facts[f"per repetition ({unit})"] = only["time_s"] / only["repetitions"] / size
        ends = [only[key] / size for key in ("first_s", "mean_s", "last_s")]
        facts[f"ranks end: first, mean, last ({unit})"] = ends
        if only["mop_per_s"] is not None:
            facts["Mop/s"] = only["mop_per_s"]
    facts |= {"messages": result["messages"], "bytes": result["bytes"]}
    path = result.get("critical_path")
    if path is not None and path["total_s"] > 0:
        shares = {kind: share / path["total_s"] for kind, share in path["shares_s"].items()}
        facts["critical path"] = ", ".join(f"{kind} {part:.1%}" for kind, part in shares.items() if part > 0)
    emit_facts(facts)
    if only is None:
        columns = ["job", "workload", "ranks", f"start ({unit})", f"end ({unit})", f"time ({unit})", "Mop/s"]
        rows = [
            [number, job["workload"], job["ranks"], job["start_s"] / size, job["last_s"] / size, job["time_s"] / size,
             job["mop_per_s"]]
            for number, job in enumerate(jobs, start=1)
        ]  # fmt: skip
        emit_table(columns, rows)


def _pictures(net: Any, ready: list[Any], found: dict[str, Any], folder: str) -> list[Path]:
    """Timeline, utilisation and critical path; one that would be empty is left out, with a note."""
    from .. import plot
    from ..errors import NetloomError
    from ..plot.codes import NOTHING
    from ..quantities import counted

    named = ", ".join(job.workload.label for job in ready[:3]) + (", ..." if len(ready) > 3 else "")
    title = f"{named} on {net.label}, {counted(sum(job.workload.ranks for job in ready), 'rank')}"
    speeds = net.link_bandwidth_bytes_per_s
    draw: dict[str, Callable[[], Any]] = {
        "timeline": lambda: plot.timeline(found["trace"], title=title),
        "links": lambda: plot.utilisation(found["trace"], speeds, link_names=link_names(net), title=title),
        "critical-path": lambda: plot.critical(found["critical_path"], title=title),
    }
    written = []
    for name, make in draw.items():
        try:
            sheet = make()
        except NetloomError as error:
            if any(fault.code != NOTHING for fault in error.faults):
                raise
            note(f"no picture {name}: {error.faults[0].expected}")
            continue
        paths = [Path(folder) / f"{name}.{kind}" for kind in ("png", "svg")]
        plot.save(sheet, *paths)
        written += paths
    return written


def link_names(net: Any) -> list[str]:
    """`tail → head` of every directed link, by its number."""
    switches = net.switch_names if net.has_names else [f"s{i}" for i in range(net.switches)]
    endpoints = net.endpoint_names if net.has_names else [f"e{i}" for i in range(net.endpoints)]
    at = [switches[s] for s in net.endpoint_switch]
    between = [f"{switches[a]} → {switches[b]}" for a, b in zip(net.tails, net.heads, strict=True)]
    into = [f"{e} → {s}" for e, s in zip(endpoints, at, strict=True)]
    return between + into + [f"{s} → {e}" for e, s in zip(endpoints, at, strict=True)]
