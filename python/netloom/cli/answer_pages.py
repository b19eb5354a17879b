"""What `--report` shows of each command: the answer in a sentence, the numbers that it rests on, charts, tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..base.quantities import amount_text, counted, parse_bytes, size_text, time_text
from ..base.winner import called, tells, tie_said
from ..evaluate.loads.words import worst_nic
from ..evaluate.time import path_words
from ..plot.units import value_text
from ..report import AnswerPage, Chart, NetworkView, Number, Pair
from .contest import candidates, named, reasons
from .pages import bars, before_after, facts, view
from .simulate_details import watched_charts

if TYPE_CHECKING:
    from .. import _core
    from ..evaluate import Answer
    from ..evaluate.decision import Decision
    from ..evaluate.loads.result import Loads
    from ..plugin.rung import Worth
    from ..results.rows import Cell
    from ..scenario import Question, Scenario
    from ..scenario.search import Search
    from ..tuning import Timing
    from .simulate_run import Shown

#: Series of one chart that can be told apart.
MOST_LINES = 20
_PRICE = "Price: switches and the cables between them, laid out in cabinets; no power, labour or software."
_DISTANCES = "Distances are those of shortest paths; what a routing does with them is another question."


def described(net: _core.Network, found: Mapping[str, Any]) -> AnswerPage:
    """Of `netloom describe`: its JSON as a page."""
    far, mean = found.get("diameter"), found.get("aspl")
    said = f"`{net.label}` joins {counted(net.endpoints, 'endpoint')} by {counted(net.switches, 'switch')} and "
    said += f"{counted(net.switch_links, 'cable')}"
    numbers = [Number("endpoints", f"{net.endpoints:,}"), Number("switches", f"{net.switches:,}")]
    if far is not None:
        said += f"; two switches are {mean:.3g} hops apart on average, {far} at most"
        numbers.append(Number("hops, most", str(far), note=f"{mean:.4g} on average"))
    if "bisection" in found:
        low, high = found["bisection"].get("lower"), found["bisection"].get("upper")
        cut = str(low) if low == high else f"{low} to {high}"
        said += f"; {cut} cables join its halves"
        numbers.append(Number("bisection", f"{cut} cables"))
    routes = found.get("routes")
    if routes is not None and routes["pairs"]:
        note = f"{routes['hops_max']} at most; pairs without a route: {routes['lost_pairs']:,}"
        numbers.append(Number("hops by the tables, mean", f"{routes['hops_mean']:.4g}", note=note))
    price = found.get("cost")
    if price is not None:
        numbers.append(Number("price", price["total_usd"], price["unit"], note=price["model"]))
    hops = [{"hops": n, "pairs": count} for n, count in enumerate(found.get("hop_histogram") or ()) if n]
    pictures: list[Chart | NetworkView] = [view(net)]
    if hops:
        pictures.append(bars("Pairs of switches by distance", hops, "hops", "pairs"))
    plain = {key: value for key, value in found.items() if isinstance(value, (int, float, str)) and key != "network"}
    levels = [{"links of": name, "cables": count} for name, count in (found.get("links_per_level") or {}).items()]
    tables: dict[str, Sequence[Mapping[str, object]]] = {"cables by class": levels}
    if found.get("findings"):
        tables["findings"] = found["findings"]
    return AnswerPage(
        net.label, f"{said}.", numbers, pictures, plain, tables, assumptions=(_DISTANCES, _PRICE), facts=facts()
    )


def loaded(scenario: Scenario, found: Loads) -> AnswerPage:
    """Of `netloom loads`: the hottest link, whose bytes they are, the network in the colours of its loads."""
    every, says = found.classes["all"], found.explain()
    numbers = [Number("hops of a byte, mean", value_text(found.mean_hops, "", 3))]
    numbers.append(Number("bytes sent", amount_text(found.bytes_sent)))
    if every.get("used"):
        used = f"{every['used']:,.0f} of {every['links']:,.0f}"
        worst = Number("worst link between switches takes", every["max_s"], "s", note=amount_text(every["max_bytes"]))
        numbers = [worst, Number("switch links used", used), *numbers]
        if (nic := worst_nic(found.classes)) is not None:
            numbers.insert(
                0, Number(f"worst link of an endpoint takes ({nic[0]})", nic[1], "s", note=amount_text(nic[2]))
            )
    rows = [{"links of": name, "max_bytes": row["max_bytes"]} for name, row in found.classes.items() if row.get("used")]
    pictures: list[Chart | NetworkView] = [view(found.network, found=found)]
    if rows:
        pictures.append(bars("Most bytes on a link, by class", rows, "links of", "max_bytes"))
    # The worst link first, then all of them.
    answer = " ".join((*says[1:2], *says[:1]))
    return AnswerPage(
        f"Loads on {found.network.label}", answer, numbers, pictures, found.record, found.tables, says[1:],
        found.assumptions, facts(found, scenario),
    )  # fmt: skip


def ranked(scenario: Scenario, rows: Sequence[Mapping[str, Any]], best: Loads, level: str) -> AnswerPage:
    """Of `netloom loads` with several placements or variants: the ranking, and the first of it in full."""
    first, last = rows[0], rows[-1]
    way = f"{first['placement']} with {first['variant']}"
    answer = f"`{way}` is {'not alone the best: ' + level if level else 'best: '}{first['reason']}"
    numbers = [Number("worst link of the best", first["max_s"], "s", before=last["max_s"], note="before: of the last")]
    named = [{"way": f"{row['placement']}, {row['variant']}", "max_s": row["max_s"]} for row in rows]
    pictures = _both(bars("Time of the bytes on the worst link", named, "way", "max_s"), view(best.network, way, best))
    return AnswerPage(
        f"Loads on {best.network.label}", answer, numbers, pictures, best.record, {"ranking": rows, **best.tables},
        best.explain(), best.assumptions, facts(best, scenario),
    )  # fmt: skip


def _both(*pictures: Chart | NetworkView) -> list[Chart | NetworkView]:
    return [*pictures]


def timed(scenario: Scenario, result: Mapping[str, Any], found: Answer, run: Shown) -> AnswerPage:
    """Of `netloom simulate`: the time, and of a recorded run what it goes into, by step, group and job."""
    jobs, whole = result["jobs"], result["time_s"]
    what = ", ".join(job["workload"] for job in jobs[:3]) + (", ..." if len(jobs) > 3 else "")
    ranks = counted(sum(job["ranks"] for job in jobs), "rank")
    sized = "size_bytes" in scenario and all(":" in job["workload"].partition("(")[0] for job in jobs)
    size = f" of {size_text(parse_bytes(str(scenario['size_bytes'])), ' ')}" if sized else ""
    took = f"takes {time_text(whole)}" if whole is not None else "was stopped before its end"
    answer = f"`{what}`{size} on `{result['network']}` {took} with {ranks}"
    numbers = [] if whole is None else [Number("time", whole, "s")]
    if (part := result.get("fast")) and part["over"] is not None:
        numbers.append(Number("error of the part", f"{100 * part['error']:.2g} %", note="the time is extrapolated"))
    numbers.append(Number("messages", f"{result['messages']:,}"))
    numbers.append(Number("bytes", amount_text(result["bytes"])))
    pictures: list[Chart | NetworkView] = []
    path = result.get("critical_path")
    if path is not None and path["total_s"] > 0:
        parts = [{"part": name, "time_s": share} for name, share in path["shares_s"].items() if share > 0]
        most = max(parts, key=lambda row: row["time_s"])
        names = [job["job"] for job in jobs]
        answer += f"; {100 * most['time_s'] / path['total_s']:.0f} % of its critical path is {most['part']}"
        if most["part"] == "contention":
            answer += f" ({path_words.causes(path)})"
        answer += f"; the path leads from {path_words.begins(path, names)} to {path_words.ends(path, names)}"
        pictures.append(bars("What the time of the critical path goes into", parts, "part", "time_s"))
        numbers.append(Number("ends last", path_words.ends(path, names), note=f"from {path_words.begins(path, names)}"))
    if len(jobs) > 1:
        if not run.jobs and any(job["time_s"] is not None for job in jobs):
            pictures.append(bars("Time of each job", jobs, "job", "time_s"))
    elif any(end is not None for end in jobs[0]["finish_s"]):
        ends = jobs[0]["finish_s"]
        data = {"rank": list(range(len(ends))), "end_s": ends}
        pictures.append(Chart("When each rank ends", "scatter", data, x="rank", y="end_s"))
    more = run.jobs or [{} for _ in jobs]
    tables: dict[str, Sequence[Mapping[str, object]]] = {
        "jobs": [
            {key: value for key, value in (job | own).items() if key != "finish_s"}
            for job, own in zip(jobs, more, strict=True)
        ]
    }
    seen = result.get("details")
    if seen is not None:
        pictures += watched_charts(seen)
        tables |= {name: seen[name] for name in ("latency", "class_use", "by_hops", "busiest")}
    pictures += run.pictures
    tables |= run.tables
    title, said = f"{what} on {result['network']}", [*result["notes"], *run.says]
    return AnswerPage(
        title, f"{answer}.", numbers, pictures, found.record, tables, said, found.assumptions, facts(found, scenario)
    )


def curved(scenario: Scenario, network: str, found: Answer) -> AnswerPage:
    """Of `netloom throughput`: what is accepted, latencies, what stands in buffers over time."""
    from ..evaluate.throughput.occupancy import chart

    points = found.tables["points"]
    last = points[-1] if points else {"offered": 0.0, "accepted": None}
    numbers = [
        Number(label, f"{value:.3g}")
        for label, value in (
            ("saturation", found["saturation"]),
            ("ideal", found["ideal"]),
            (f"accepted at {last['offered']:g}", last["accepted"]),
            ("cycles at zero load", found["zero_load_latency"]),
        )
        if value is not None
    ]
    said = found.explain()
    answer = f"`{network}` under `{found['routing']}` accepts "
    if not points:
        answer = f"`{network}` under `{found['routing']}`: stopped before the first load had a point."
    elif found["saturation"] is None:
        answer += f"{last['accepted']:.2g} of the injection bandwidth when {last['offered']:g} is offered."
    elif found["saturation"] == 1:
        answer += "everything."
    else:
        answer += f"up to {found['saturation']:.2g} of the injection bandwidth."
    lines = [{"offered": row["offered"], "accepted": row["accepted"], "line": "accepted"} for row in points]
    lines += [{"offered": row["offered"], "accepted": row["offered"], "line": "all"} for row in points]
    pictures: list[Chart | NetworkView] = [_lines("Accepted load", lines, "accepted", "line")] if points else []
    quantiles = {"latency_mean": "mean", "latency_p50": "median", "latency_p99": "99 %", "latency_p999": "99.9 %"}
    waits = [
        {"offered": row["offered"], "cycles": row[name], "latency": words}
        for name, words in quantiles.items()
        for row in points
        if row[name] is not None and row["drained"]
    ]
    if waits:
        pictures.append(_lines("Latency", waits, "cycles", "latency", log="y"))
    heat = chart(found.tables["occupancy"])
    if heat is not None:
        pictures.append(heat)
    tables = {name: rows for name, rows in found.tables.items() if name != "occupancy"}
    return AnswerPage(
        f"Throughput of {network}", answer, numbers, pictures, found.record, tables, said, found.assumptions,
        facts(found, scenario),
    )  # fmt: skip


def _lines(title: str, rows: Sequence[Mapping[str, object]], y: str, series: str, log: str = "") -> Chart:
    """Over the offered load."""
    data = {name: [row[name] for row in rows] for name in rows[0]}
    return Chart(title, "line", data, x="offered", y=y, series=series, x_label="offered load", log=log)


def mapped(
    scenario: Scenario, bound: Question, found: Search, worth: Mapping[str, Worth], decision: Decision | None
) -> AnswerPage:
    """Of `netloom map`: before and after, what else was tried, how the search went, the endpoint of every rank."""
    before, after = worth["before"], worth["after"]
    less = f"{100 * (1 - found.value / found.start_value):.3g} % less" if found.value < found.start_value else ""
    limit, old, new = (
        time_text(value * 1e-12) if found.timed else f"{value:,.6g}"
        for value in (found.bound or 0.0, found.start_value, found.value)
    )
    typed = scenario["workload"] if isinstance(scenario.get("workload"), str) else bound.messages.label
    answer = f"A better mapping of `{typed}` on `{bound.network.label}`: {found.decided_by} {new}, "
    answer += f"{less} than the {old} before." if less else f"no better one than before, {old}, was found."
    if not less:
        answer = answer.replace("A better mapping", "The mapping", 1)
    if tells(found.bound, found.value):
        answer += f" No mapping can be below {limit}."
    numbers = before_after("predicted time", before["time_s"], after["time_s"], "s")
    if decision is not None and found.timed and found.decided_by not in ("time", "worst link"):
        numbers = before_after(found.decided_by, found.start_value * 1e-12, found.value * 1e-12, "s") + numbers
    numbers += before_after("worst link's bytes take", before["max_link_s"], after["max_link_s"], "s")
    numbers += before_after("bytes between nodes", before["inter_node_bytes"], after["inter_node_bytes"], "B")
    pictures: list[Chart | NetworkView | Pair] = []
    if worth["after"]["max_link_s"] is not None:
        pictures.append(_links(bound, found))
    if decision is not None and len(decision.candidates) > 1:
        pictures.append(_candidates(decision))
    if len(found.trace) > 1:
        unit = 1e-12 if found.timed else 1.0
        name = "time_s" if found.timed else found.decided_by
        tried = [(count, value) for count, value in found.trace if count]
        data = {"mappings tried": [count for count, _ in tried], name: [value * unit for _, value in tried]}
        pictures.append(Chart("The best so far", "line", data, x="mappings tried", y=name, log="x"))
    ends = [int(slot) // bound.site.cores for slot in found.slots]
    was = [int(slot) // bound.site.cores for slot in bound.place.start]
    rows = [{"rank": rank, "endpoint": at, "before": old} for rank, (at, old) in enumerate(zip(ends, was, strict=True))]
    said = [f"Method: {found.method}.", *found.notes]
    tables: dict[str, Sequence[Mapping[str, object]]] = {"ranks": rows}
    if len(found.trace) > 1:
        tables = {"the best so far": [{"mappings tried": n, name: value * unit} for n, value in found.curve()]} | tables
    if decision is not None:
        said[1:1] = [f"{name.capitalize()}: {text}." for name, text in reasons(decision).items()]
        tables = {"numbers of each": candidates(decision)} | tables
    left = ["Time is that of an idle network with only this job; the worst link adds all messages up as if under way "
            "together."]  # fmt: skip
    return AnswerPage(
        f"Mapping on {bound.network.label}", answer, numbers, pictures, {}, tables, said, left,
        facts(None, scenario),
    )  # fmt: skip


def _candidates(decision: Decision) -> Chart:
    """What each mapping is worth on the rung that decided."""
    from ..evaluate.rungs import rung

    by = rung(decision.rung)
    column = named(by.decides)
    rows = [row for row in candidates(decision) if row[column] is not None]
    what = f"simulated time of {by.words}" if by.simulated else by.words
    return bars("Mappings tried", rows, "mapping", column, y_label=what)


def _links(bound: Question, found: Search) -> NetworkView | Pair:
    """The network in the colours of its loads, with the mapping given and with the one found."""
    import numpy as np

    from ..evaluate.loads.views import before_after
    from ..evaluate.mapped import loads_of

    after = loads_of(bound, found.slots, hottest=5)
    if np.array_equal(found.slots, bound.place.start):
        return view(bound.network, "as given, which is kept", after)
    return before_after(loads_of(bound, bound.place.start, hottest=5), after)


def chosen(scenario: Scenario, timings: Sequence[Timing]) -> AnswerPage:
    """Of `netloom collectives`: which algorithm wins at which size, and by how much the others lose."""
    from ..evaluate import evaluator
    from ..tuning.tables import switch_points, winners
    from ..tuning.ties import fastest, margin, tied

    first = timings[0]
    size, best, time_s = winners(first)[-1]
    size_said = size_text(size, " ")
    ahead = [f"`{name}`" for name in fastest(first, size)]
    words = f"fastest {first.collective} of {size_said} on `{first.network}`"
    answer = f"{called(ahead, words)}: {time_text(time_s)}"
    if line := tie_said([f"`{name}`" for name in tied(first, size)], margin(first)):
        answer += f"; {line}"
    points = [(timing.collective, at, name) for timing in timings for at, name in switch_points(timing)]
    numbers = [Number(f"{first.collective} of {size_said}", time_s, "s", note=best)]
    numbers += [
        Number(f"from {size_text(at, ' ')}", name.partition(":")[2] or name)
        for word, at, name in points
        if word == first.collective
    ][:4]
    pictures: list[Chart | NetworkView] = []
    for timing in timings:
        rows = timing.table.rows
        names: list[Cell] = _column(rows, "algorithm")
        data = {"size": [size_text(int(row["size_bytes"] or 0)) for row in rows], "algorithm": names}
        times = {"size_bytes": _column(rows, "size_bytes"), "time_s": _column(rows, "time_s")}
        title = f"{timing.collective}: time over that of the fastest"
        pictures.append(Chart(title, "choice", data | times, x="size", y="algorithm", value="time_s"))
        if len(set(names)) <= MOST_LINES:
            lines = {"algorithm": names, **times}
            title = f"{timing.collective}: time by size"
            pictures.append(Chart(title, "line", lines, x="size_bytes", y="time_s", series="algorithm", log="xy"))
    tables: dict[str, Sequence[Mapping[str, object]]] = {
        "switch points": [{"collective": name, "from_bytes": at, "algorithm": best} for name, at, best in points],
        **{f"times of {timing.collective}": timing.table.rows for timing in timings},
    }
    left = [f"{name}: {why}" for timing in timings for name, why in timing.left_out.items()]
    left += [
        f"{timing.collective} of {', '.join(map(size_text, timing.sizes_left_out))}: there was no time for it"
        for timing in timings
        if timing.sizes_left_out
    ]
    row = evaluator("time")
    made = facts(None, scenario) | {"model": row.model}
    return AnswerPage(
        f"{', '.join(timing.collective for timing in timings)} on {first.network}", f"{answer}.", numbers, pictures, {},
        tables, [f"Left out: {line}" for line in left], row.assumptions, made,
    )  # fmt: skip


def _column(rows: Sequence[Mapping[str, Cell]], name: str) -> list[Cell]:
    return [row[name] for row in rows]
