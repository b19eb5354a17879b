"""`netloom simulate`."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from ..base.ahead import repeated
from .features import features_of, show_features
from .inputs import Asked, inputs, spelled
from .options import as_json, no_progress, plugins, refused, stop_after
from .output import emit_facts, emit_json, emit_table, model_of, note, say
from .pages import report, wanted, write
from .simulate_details import details, rate, show_calls, show_details
from .simulate_models import SPELLED, detailed, of_models, options_of
from .simulate_plain import simulate_plainly, without_record
from .simulate_result import result_of, runs

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .. import _core
    from ..evaluate.answers import TimeAnswer
    from ..report import AnswerPage
    from ..results.rows import Cell

EPILOG = """\b
Examples:
  netloom simulate -n 'torus(8,8)' -c alltoall:bruck --size 4KiB --critical-path
  netloom simulate -n 'torus(4,4,4)' --placement 'random(seed=1)' -a 'ft(class=A)' \\
      --speed '50 Gflops' --algorithm alltoall:pairwise
  netloom simulate -n cluster.xml --trace trace.txt --calibration simgrid-smpi
  netloom simulate -n 'star(32)' --jobs jobs.toml --background 0:7 --background 3:4:1GiB
  netloom simulate -n 'torus(4,4)' -c allreduce:ring --size 1MiB --model packet
  netloom simulate -n 'star(8)' --job 'a=4: allreduce:ring' --job 'b: is(class=S)'
"""


@click.command(epilog=EPILOG)
@inputs(
    *(
        "network",
        "format",
        "part",
        "fail",
        "workload",
        "jobs",
        "first_node",
        "ranks",
        "cores",
        "node",
        "placement",
        "order",
    ),
    *(
        "mapping",
        "mapping_format",
        "library",
        "size_bytes",
        "root",
        "repetitions",
        "calibration",
        "routing",
        "variant",
        "duplex",
    ),
    *("switch_latency", "flops_per_s", "algorithms", "background", "seed"),
)
@of_models
@stop_after
@click.option("--critical-path", is_flag=True, help="Record the run, and say where its time was spent.")
@click.option("--pictures", metavar="FOLDER", help="Write pictures of timeline, links, critical path: PNG and SVG.")
@click.option("--write-trace", metavar="FOLDER", help="Write the workload as a trace for smpirun -replay.")
@click.option("--timeline", metavar="FILE.json", help="Write what ranks do and send, for Perfetto or chrome://tracing.")
@no_progress
@report
@plugins
@as_json
def command(
    asked: Asked,
    model: str,
    critical_path: bool,
    pictures: str | None,
    write_trace: str | None,
    timeline: str | None,
    quiet: bool,
    json_: bool,
) -> None:
    """Simulated time of a collective, an application, a trace, several jobs."""
    if pictures is not None:
        from ..plot.figure import require

        # Printed before the simulation, not after it.
        require()
    if write_trace is not None and asked.several:
        raise refused("--write-trace", "applies to a single job", "leave --job and --jobs out")
    options = options_of(model, critical_path, pictures is not None or timeline is not None)
    if without_record(model):
        simulate_plainly(asked, model, options | {"details": detailed()}, quiet, json_)
        return
    found, without = _found(asked, model, options, quiet or json_)
    written = _written(asked, found, pictures, timeline, write_trace)
    result = result_of(asked, found, options) | details(found) | features_of(found.record)
    result |= {"files": [str(path) for path in written]} | model_of(found)
    write(lambda: _page(asked, options, result, found, without))
    if not options["trace"]:
        # Recorded for the page alone.
        result.pop("critical_path", None)
    if json_:
        emit_json(result)
        return
    _show(result)
    show_calls(found)
    show_details(result, "links" in options)
    show_features(found.record)
    _note_written(written)


def _written(
    asked: Asked, found: TimeAnswer, pictures: str | None, timeline: str | None, write_trace: str | None
) -> list[Path]:
    """The files that are asked for."""
    written = _pictures(asked, found, pictures) if pictures is not None else []
    if timeline is not None:
        written.append(_timeline(found, timeline))
    if write_trace is not None:
        from ..workload import write_trace as traced

        written += traced(found["workloads"][0], write_trace, found["jobs"][0]["repetitions"])
    return written


def _note_written(paths: list[Path]) -> None:
    """The first of the files that were written, and how many more there are."""
    from ..base.quantities import counted

    for path in paths[:8]:
        note(f"wrote {path}")
    if len(paths) > 8:
        note(f"wrote {counted(len(paths) - 8, 'more file')} next to them")


def _found(asked: Asked, model: str, options: dict[str, Cell], quiet: bool) -> tuple[TimeAnswer, str]:
    """The answer, recorded for a page where one is wanted, and why it is not."""
    from ..evaluate.rungs import by_model

    evaluator = by_model(model).name
    # Of packets details are the same bytes over several processes, which keep no record.
    seen = detailed() and model == "flow"
    may = (seen or wanted()) and not options["trace"]
    with spelled(SPELLED):
        without = _not_recorded(asked, evaluator, options) if may else ""
        trace = bool(options["trace"] or (may and not without))
    if seen and without:
        note(f"note: {without}")
    with spelled(SPELLED), repeated(runs(asked, evaluator)):
        asked.bound(evaluator)
        begun = time.monotonic()
        calls = {"calls": bool(options["trace"] or (seen and trace))}
        made = asked.answer(evaluator, quiet, "simulating", 0, **options | {"trace": trace} | calls)
    # Packets have the same keys here.
    found = cast("TimeAnswer", made)
    if "parallel" in found.tables:
        found.tables["parallel"][0] |= rate(found.record, time.monotonic() - begun)
    return found, without


def _not_recorded(asked: Asked, evaluator: str, options: dict[str, Cell]) -> str:
    """Why a page has no timeline; "" where it has one."""
    from ..base.processes import current
    from .simulate_run import RECORDED, messages_of

    if "stop_after_s" in options:
        return "A run that may be stopped is not recorded: no timeline, steps, hot links or times of calls."
    if current() is not None:
        return "A run over several processes is not recorded: no timeline, steps, hot links or times of calls."
    if options.get("fast"):
        return "A run of which a part is simulated is not recorded: no timeline, steps, hot links or times of calls."
    number = messages_of(asked.bound(evaluator))
    if number <= RECORDED:
        return ""
    without = "no timeline, steps, hot links or times of calls are shown"
    return f"Of {number:,} messages, more than {RECORDED:,}, {without}; --critical-path records all of them."


def _page(
    asked: Asked, options: dict[str, Cell], result: dict[str, Any], found: TimeAnswer, without: str
) -> AnswerPage:
    from .answer_pages import timed
    from .simulate_run import Run, Shown

    shown = Shown(says=[without] if without else [])
    if "trace" in found:
        shown = Run(asked.bound(found.evaluator), found.evaluator, options, found).shown()
    return timed(asked.scenario, result, found, shown)


def _show(result: dict[str, Any]) -> None:
    from ..base.quantities import amount_text, time_text
    from ..machine.validated import words

    stopped_s = result["stopped_s"]
    jobs = result["jobs"]
    only = jobs[0] if len(jobs) == 1 else None

    def told(time_s: float | None) -> str | None:
        return None if time_s is None else time_text(time_s, 6)

    time = told(result["time_s"]) if stopped_s is None else f"not known: stopped at {told(stopped_s)}"
    facts: dict[str, object] = {"time": time}
    if result["wires_s"] != result["time_s"]:
        facts["wires alone"] = told(result["wires_s"])
    if (part := result.get("fast")) and part["over"] is not None:
        share = f"{100 * part['share']:.3g} % of the packets"
        if part["over"] == "ranks":
            facts["simulated"] = f"{share}; other ranks do the same"
        else:
            facts["extrapolated"] = f"may be off by {100 * part['error']:.2g} %, from {share}"
    facts["accuracy"] = words(result["error"])
    facts |= {key: result[key] for key in ("machine", "network") if key in result}
    if only is not None:
        facts |= {"workload": only["workload"], "ranks": only["ranks"]}
    facts |= {key: result[key] for key in ("routing", "variant", "calibration")}
    if only is not None:
        if only["repetitions"] > 1 and only["time_s"] is not None:
            facts["per repetition"] = told(only["time_s"] / only["repetitions"])
        ends = [told(only[key]) for key in ("first_s", "mean_s", "last_s")]
        facts["ranks end: first, mean, last"] = ends
        if only["mop_per_s"] is not None:
            facts["Mop/s"] = only["mop_per_s"]
    facts |= {"messages": result["messages"], "bytes": amount_text(result["bytes"])}
    if result["folded_ranks"] is not None:
        facts["folded"] = f"{result['ranks_ended']:,} ranks as {result['folded_ranks']:,}"
    if result["periods_skipped"]:
        facts["skipped"] = f"{result['periods_skipped']:,} rounds or repetitions like earlier ones"
    if "parallel" in result:
        facts |= {name.replace("_", " "): value for name, value in result["parallel"].items()}
    path = result.get("critical_path")
    if path is not None and path["total_s"] > 0:
        from ..evaluate.time import path_words

        names = [job["job"] for job in jobs]
        facts["critical path"] = path_words.shares(path)
        facts["path from, to"] = [path_words.begins(path, names), f"{path_words.ends(path, names)}, which ends last"]
    emit_facts(facts)
    for line in result["notes"]:
        say(f"Note: {line}")
    if only is None:
        columns = ["job", "workload", "ranks", "start", "end", "time", "Mop/s"]
        rows = [
            [job["job"], job["workload"], job["ranks"], told(job["start_s"]), told(job["last_s"]),
             told(job["time_s"]), job["mop_per_s"]]
            for job in jobs
        ]  # fmt: skip
        emit_table(columns, rows)


def _pictures(asked: Asked, found: TimeAnswer, folder: str) -> list[Path]:
    """Timeline, utilisation and critical path; one that would be empty is left out, with a note."""
    from .. import plot
    from ..base.errors import NetloomError
    from ..base.quantities import counted
    from ..evaluate.core import numbered
    from ..evaluate.throughput.occupancy import occupancy
    from ..plot.codes import NOTHING

    net = numbered(asked.bound("time"))
    jobs = found["jobs"]
    named = ", ".join(job["workload"] for job in jobs[:3]) + (", ..." if len(jobs) > 3 else "")
    title = f"{named} on {net.label}, {counted(sum(job['ranks'] for job in jobs), 'rank')}"
    speeds = net.link_bandwidth_bytes_per_s
    stood = found.tables.get("occupancy")
    buffers: dict[str, Callable[[], Figure]] = {"occupancy": lambda: occupancy(stood or (), title, net.levels)}
    draw: dict[str, Callable[[], Figure]] = {
        **(buffers if stood else {}),
        "timeline": lambda: plot.timeline(found["trace"], title=title),
        "links": lambda: plot.utilisation(found["trace"], speeds, link_names=link_names(net), title=title),
        "critical-path": lambda: plot.critical(found["critical_path"], title=title),
        "in-flight": lambda: plot.figure(
            "area", plot.in_flight(found["trace"]), x="time_s", y="in_flight_bytes", series="steps", title=title
        ),
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


def _timeline(found: TimeAnswer, path: str) -> Path:
    """What ranks did, for other viewers."""
    from ..base import files
    from ..plot.perfetto import timeline_events

    jobs = [(str(job["job"]), int(job["ranks"])) for job in found["jobs"]]
    files.write(path, timeline_events(found["trace"], jobs))
    return Path(path)


def link_names(net: _core.Network) -> list[str]:
    """`tail → head` of every directed link, by its number."""
    switches = net.switch_names if net.has_names else [f"s{i}" for i in range(net.switches)]
    endpoints = net.endpoint_names if net.has_names else [f"e{i}" for i in range(net.endpoints)]
    at = [switches[s] for s in net.endpoint_switch]
    between = [f"{switches[a]} → {switches[b]}" for a, b in zip(net.tails, net.heads, strict=True)]
    into = [f"{e} → {s}" for e, s in zip(endpoints, at, strict=True)]
    return between + into + [f"{s} → {e}" for e, s in zip(endpoints, at, strict=True)]
