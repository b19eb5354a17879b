"""`netloom loads`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from .features import features_of, show_features
from .inputs import Asked, inputs, spelled
from .options import as_json, no_progress, plugins, refused, settings_of, stop_after, threads, within
from .output import emit_facts, emit_json, emit_table, model_of, note, say, show
from .pages import report, wanted
from .pages import write as write_page
from .stopped import say_stopped, stopped_s

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..evaluate.loads.result import Loads
    from ..evaluate.loads.words import Classes
    from ..report import AnswerPage
    from ..results.rows import Cell
    from ..scenario import Scenario

EPILOG = """\b
Examples:
  netloom loads -n 'dragonfly(a=4,p=2,h=2,g=9)' --cores 4 -t 'unstructured-mesh(bytes="512 KiB")' -v AH
  netloom loads -n 'dragonfly(a=4,p=2,h=2,g=9)' -t spread -p rdn -p rdg -v SD -v AD -v AI
  netloom loads -n 'torus(8,8)' --job 'mesh=50%: stencil(8,4)' --job 'noise: uniform' -p 'random(seed=1)'
  netloom loads -n 'torus(8,8)' -t spread --background 0:17:1GiB
  netloom loads -n machine.conf --jobs squeue.txt --cores 24 -t spread --csv links.csv
  netloom loads -n 'torus(4,4,4)' -t transpose --fail link:0-1 --plot slices.png --picture slices

\b
With several placements or variants the answer is a ranking: first the one whose worst link is done soonest.
"""
PICTURES = ("classes", "histogram", "groups", "slices", "minimaps", "jobs", "network")
#: Options of the evaluator that have an option here.
SETTINGS = ("increments", "tolerance", "rounds", "hottest")
#: Numbers of the answer in JSON.
NUMBERS = (
    "mean_hops",
    "messages",
    "bytes_sent",
    "switch_bytes",
    "inter_node_bytes",
    "inside_bytes",
    "rounds",
    "last_gain",
    "flows",
)
COLUMNS = ("classes", "levels", "jobs", "hottest", "ends")


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
        "algorithms",
        "routing",
        "variant",
        "seed",
        "background",
    ),
    many=("placement", "variant"),
    tables=("wire",),
)
@click.option(
    "--increments", metavar="N",
    help="Adaptive variants: first rounds, each with fresh paths and 1/N of the bandwidth.  [default: 50]",
)  # fmt: skip
@click.option(
    "--tolerance", metavar="X", help="Adaptive variants: stop when a round adds less than this share.  [default: 0.001]"
)
@click.option("--rounds", metavar="N", help="Adaptive variants: most further rounds.  [default: 100]")
@click.option("--hottest", metavar="N", help="How many of the hottest links are explained.  [default: 5]")
@click.option("--features", is_flag=True, help="Also features for netloom learn: of links, messages, FIFOs.")
@click.option("--csv", "csv_", metavar="FILE|-", help="Write the bytes on every link, in all and of each job.")
@click.option("--plot", metavar="FILE", help="Write a picture: .png, .svg or .pdf.")
@click.option("--picture", default="classes", show_default=True, type=click.Choice(PICTURES), help="What --plot draws.")
@stop_after
@threads
@no_progress
@report
@plugins
@as_json
def command(
    asked: Asked, features: bool, csv_: str | None, plot: str | None, picture: str, quiet: bool, json_: bool,
    **settings: str | None,
) -> None:  # fmt: skip
    """Bytes on every link for one or more jobs, and who causes them."""
    from ..evaluate import evaluator

    _require_outputs(asked, csv_, plot, json_)
    options = settings_of(evaluator("loads"), settings) | {"arrays": any((csv_, plot, wanted()))}
    options |= {"features": features}
    if plot is not None:
        _require_drawable(asked, picture)
    found, stopped = _answers(asked, options, quiet or json_)
    if len(asked.choices) > 1:
        _several(asked, found, json_, stopped)
        return
    # The answer is printed even if a file cannot be written, and files are written even if nobody reads the answer.
    outputs = [path for path in (csv_, plot) if path is not None and path != "-"]
    try:
        if csv_ != "-":
            _one(asked, found[0], outputs, json_)
    finally:
        _write(found[0], csv_, plot, picture)
    for path in outputs if not json_ else ():
        note(f"wrote {path}")


def _answers(asked: Asked, options: dict[str, Cell], quiet: bool) -> tuple[list[Loads], dict[str, object]]:
    """One for each choice that there is time for; for JSON, after how many seconds there was no more."""
    from ..base.stopping import Stopped
    from ..evaluate.loads.result import Loads

    found: list[Loads] = []
    count = len(asked.choices)
    less = "count fewer ranks; of adaptive variants give fewer --increments"
    with spelled({f"loads.{name}": f"--{name}" for name in SETTINGS}), within(less) as clock:
        try:
            for at in range(count):
                title = "loads" if count == 1 else f"loads {at + 1} of {count}"
                made = asked.answer("loads", quiet, title, at, **options)
                assert isinstance(made, Loads)
                found.append(made)
        except Stopped:
            if not found:
                raise
    say_stopped(clock, f"{len(found)} of {count} choices, the others are not shown")
    return found, stopped_s(clock)


def _require_outputs(asked: Asked, csv_: str | None, plot: str | None, json_: bool) -> None:
    """Checked before the work, not after it."""
    from ..base import files

    files.require_writable(None if csv_ == "-" else csv_, plot)
    if plot is not None:
        from ..plot.figure import ending_of, require

        require()
        ending_of(plot)
    if csv_ == "-" and json_:
        raise refused("--csv -", "does not go together with --json", "both are written to stdout")
    if asked.count > 1 and (csv_ is not None or plot is not None):
        raise refused("--csv and --plot", "show one placement and one variant", "give one of each")


def _require_drawable(asked: Asked, picture: str) -> None:
    from ..evaluate.loads.pictures import require_drawable

    require_drawable(picture, asked.network, len(asked.bound("loads").jobs))


def _write(found: Loads, csv_: str | None, plot: str | None, picture: str) -> None:
    if csv_ is not None:
        from ..base import files
        from ..evaluate.loads.columns import csv_bytes

        data = csv_bytes(found)
        if csv_ == "-":
            sys.stdout.write(data.decode())
        else:
            files.write(csv_, data)
    if plot is not None:
        from ..plot import save

        save(found.picture(picture), plot)


def _facts(asked: Asked, at: int = 0) -> dict[str, object]:
    """The inputs repeated in the answer; a job list has its own cores unless they are given."""
    bound, scenario = asked.bound("loads", at), asked.choices[at]
    listed = {"jobs": scenario["jobs"]} if isinstance(scenario["jobs"], str) and scenario["jobs"] else {}
    cores = {} if listed and "cores" not in scenario else {"cores": bound.site.cores}
    facts: dict[str, object] = {"network": asked.network.label, "routing": bound.site.routing_of()}
    return facts | listed | cores


def _choice(asked: Asked, at: int) -> dict[str, str]:
    scenario = asked.choices[at]
    return {"placement": str(scenario["mapping"] or scenario["placement"]), "variant": str(scenario["variant"])}


def _told(found: Loads) -> dict[str, object]:
    """The answer's keys in JSON."""
    return {key: getattr(found, key) for key in (*NUMBERS, *COLUMNS)} | features_of(found.extra)


def _one(asked: Asked, found: Loads, outputs: list[str], json_: bool) -> None:
    facts = _facts(asked)
    if len(found.jobs) == 1:
        # Per job where a job list sets it.
        facts |= {"routing": found.jobs[0]["routing"]}
    facts |= _choice(asked, 0)
    write_page(lambda: _page(asked.scenario, found))
    if json_:
        emit_json(facts | _told(found) | {"says": found.explain(), "files": outputs} | model_of(found))
        return
    from ..base.quantities import amount_text

    facts = _hottest(found) | facts
    facts |= {
        "messages": found.messages,
        "bytes": amount_text(found.bytes_sent),
        "hops per byte, mean": found.mean_hops,
    }
    if found.inside_bytes is not None:
        facts["bytes inside nodes"] = amount_text(found.inside_bytes)
    if found.rounds:
        facts["rounds"] = found.rounds
    emit_facts(facts)
    click.echo()
    _classes(found)
    if found.levels:
        click.echo()
        _levels(found)
    if len(found.jobs) > 1:
        click.echo()
        _jobs(found, str(facts["routing"]))
    show_features(found.extra)
    click.echo()
    for sentence in found.explain():
        say(show(sentence))


def _page(scenario: Scenario, found: Loads) -> AnswerPage:
    from .answer_pages import loaded

    return loaded(scenario, found)


def _ranked(scenario: Scenario, rows: list[dict[str, Any]], best: Loads, level: str) -> AnswerPage:
    from .answer_pages import ranked

    return ranked(scenario, rows, best, level)


def _hottest(found: Loads) -> dict[str, object]:
    """The answer: the link whose bytes take longest; if it is one of an endpoint, also that between switches."""
    from ..base.quantities import amount_text, time_text
    from ..evaluate.loads.words import nic_of, worst_nic

    nic = worst_nic(found.classes)
    if nic is None:
        return {"hottest link": _between(found)}
    name, _, share = nic_of(found, nic[0])
    parts = [time_text(nic[1]), amount_text(nic[2]), f"{'from' if nic[0] == 'injection' else 'to'} {name}"]
    return {"hottest link": show(", ".join([*parts, share] if share else parts)), "between switches": _between(found)}


def _between(found: Loads) -> str:
    """The switch link whose bytes take longest, and most of whose they are."""
    from ..base.quantities import amount_text, time_text
    from ..evaluate.loads.names import LinkNames

    every = found.classes["all"]
    if not every.get("used"):
        return "none carries anything"
    if not found.hottest:
        return f"{time_text(every['max_s'])}, {amount_text(every['max_bytes'])}"
    link = found.hottest[0]
    start, end = LinkNames(found.network).ends(link)
    text = f"{time_text(link['seconds'])}, {amount_text(link['bytes'])}, from switch {start} to {end}"
    if len(found.jobs) == 1 or not link["jobs"]:
        return text
    most = link["jobs"][0]
    return f"{text}, {100 * most['bytes'] / link['bytes']:.0f} % of it from {found.jobs[most['job']]['name']}"


def _classes(found: Loads) -> None:
    from ..base.quantities import amount_text
    from ..evaluate.loads.result import SIX

    heads = ["links of", "links", "used", *(key.removesuffix("_bytes") for key in SIX)]
    rows: list[list[object]] = []
    for name, row in found.classes.items():
        if row:
            rows.append([name, row["links"], row["used"], *(amount_text(row[key]) for key in SIX)])
    emit_table(heads, rows)


def _levels(found: Loads) -> None:
    from ..base.quantities import amount_text, time_text
    from ..evaluate.loads.of_core import numbers

    rows: list[list[object]] = []
    for row in found.levels:
        amounts = numbers(row)
        sizes = [amount_text(amounts[key]) for key in ("mean_bytes", "max_bytes")]
        rows.append([row["level"], row["links"], row["used"], *sizes, time_text(amounts["max_s"])])
    emit_table(["level of nodes", "links", "used", "mean", "max", "time"], rows)


def _jobs(found: Loads, routing: str) -> None:
    from ..base.quantities import amount_text

    rows: list[list[object]] = []
    # Only if jobs differ: the common one is printed above all tables.
    routings = {job["routing"] for job in found.jobs} != {routing}
    for job in found.jobs:
        by = job["slowdown_by"]
        worst = max(range(len(by)), key=by.__getitem__)
        who = found.jobs[worst]["name"] if by[worst] > 1.0 else None
        most = amount_text(job["links"].get("max_bytes", 0.0))
        way = [job["variant"], job["routing"]] if routings else [job["variant"]]
        rows.append([job["name"], *way, amount_text(job["bytes_sent"]), most, job["slowdown"], who])
    ways = ["variant", "routing"] if routings else ["variant"]
    emit_table(["job", *ways, "sends", "own max", "slowdown", "most by"], rows)


def _several(asked: Asked, found: list[Loads], json_: bool, stopped: dict[str, object]) -> None:
    from ..evaluate.loads.ranking import rank

    ranking = []
    for row in rank((str(at), made) for at, made in enumerate(found)):
        at = int(row.pop("name"))
        ranking.append((at, _choice(asked, at) | row))
    rows, best = [row for _, row in ranking], found[ranking[0][0]]
    level = tied(rows, [found[at].classes for at, _ in ranking])
    write_page(lambda: _ranked(asked.choices[ranking[0][0]], rows, best, level))
    facts = _facts(asked)
    if json_:
        results = [_choice(asked, at) | _told(made) for at, made in enumerate(found)]
        emit_json(facts | {"ranking": rows, "results": results} | stopped | model_of(best))
        return
    from ..base.quantities import amount_text

    first = f"{rows[0]['placement']} with {rows[0]['variant']}: {rows[0]['reason']}"
    emit_facts(
        {"tie" if level else "best": f"{level}{first}"}
        | facts
        | {"messages": best.messages, "bytes": amount_text(best.bytes_sent)}
    )
    click.echo()
    _ranking(rows, found)
    click.echo(f"\nThe first, {rows[0]['placement']} with {rows[0]['variant']}:")
    for sentence in best.explain():
        say(show(sentence))


def tied(rows: list[dict[str, Any]], classes: Sequence[Classes]) -> str:
    """Which choices are as good as the first, by the worst link of all kinds; empty where none is."""
    from ..base.winner import MARGIN, ties
    from ..evaluate.loads.words import limit_s

    level = ties([limit_s(one) for one in classes])
    names = [f"{row['placement']} with {row['variant']}" for row, tie in zip(rows[1:], level[1:], strict=True) if tie]
    if not level[0] or not names:
        return ""
    return (
        f"the worst links, those of endpoints included, are within {100 * MARGIN:g} % with {', '.join(names)}; first "
    )


def _ranking(rows: list[dict[str, Any]], found: list[Loads]) -> None:
    from ..base.quantities import amount_text, time_text
    from ..evaluate.loads.words import one_speed

    # Bytes suffice where links are equally fast.
    timed = not all(one_speed(made.classes) for made in found)
    heads = ["", "placement", "variant", "max", *(["time"] if timed else []), "ratio", "why"]
    cells = [
        [row["position"], row["placement"], row["variant"], amount_text(row["max_bytes"])]
        + ([time_text(row["max_s"])] if timed else [])
        + [row["ratio"], row["reason"]]
        for row in rows
    ]
    emit_table(heads, cells)
