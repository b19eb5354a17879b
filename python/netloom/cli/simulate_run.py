"""A recorded run on the page of `netloom simulate`: timeline, hot links, steps, groups, jobs; alone and together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.errors import NetloomError
from ..base.quantities import counted
from ..evaluate.core import numbered
from ..evaluate.time import over_time, phases
from ..evaluate.time.alone import Alone, count, loads_of
from ..evaluate.time.calls import calls
from ..plot.critical import STRETCHES
from ..report import Chart, NetworkView
from ..workload import by_collective
from ..workload.step_parts import Leaf, Steps, steps_of
from .pages import bars, view

if TYPE_CHECKING:
    from ..evaluate.answers import TimeAnswer
    from ..evaluate.base import Options
    from ..evaluate.time.of_core import Trace
    from ..jobs import PlacedJob
    from ..results.rows import Cell
    from ..scenario import Question
    from ..workload import Workload

    Row = dict[str, Cell]

#: Most messages of a run that is recorded for its page.
RECORDED = 1 << 18
#: Most messages that are simulated alone: of one job, step or group, and of all of them.
ONE, ALL = 1 << 15, 1 << 18
#: Most jobs, steps and groups that are simulated alone.
TIMES = 96
#: Kinds of stretches by number, and most rows of the critical path, its longest ones.
KINDS, PATH = tuple(STRETCHES), 24
#: Of the chart of calls.
CALL_COLUMNS = ("job", "call", "mean_s", "least_s", "most_s")
#: Most jobs whose steps are drawn, and most bars.
DRAWN, BARS = 6, 32

_SPANS = (
    "A step or group lasts from the start of its first message to the end of its last one; its bandwidth is the bytes "
    "of all its ranks over that time. Of a step that is done several times the times are means."
)


@dataclass
class Shown:
    """What the record adds to a page."""

    pictures: list[Chart | NetworkView] = field(default_factory=list)
    tables: dict[str, Sequence[Mapping[str, object]]] = field(default_factory=dict)
    says: list[str] = field(default_factory=list)
    #: Further columns of the table of jobs.
    jobs: list[Row] = field(default_factory=list)


def messages_of(bound: Question) -> int:
    """Messages of all jobs and repetitions, which are read but not simulated."""
    return sum(count(load) * job.repetitions for job, load in zip(bound.jobs, loads_of(bound), strict=True))


class Run:
    """A run and its record.

    Parameters
    ----------
    model
        The evaluator, `time` or `packet`.
    options
        With which it was asked.
    """

    def __init__(self, bound: Question, model: str, options: Options, found: TimeAnswer) -> None:
        self.bound, self.network, self.found = bound, numbered(bound), found
        self.jobs: list[PlacedJob] = bound.jobs
        self.loads: list[Workload] = list(found["workloads"])
        self.trace: Trace = found["trace"]
        self.sent = phases.sent(self.trace, [job.ranks for job in self.jobs])
        self.alone = Alone(bound, model, options)
        self.left = {"messages": ALL, "times": TIMES}
        self.skipped = 0

    @cached_property
    def end_s(self) -> float:
        """Of the run."""
        return max(
            float(np.max(self.trace["intervals"]["end_s"], initial=0.0)),
            float(np.max(self.trace["messages"]["finish_s"], initial=0.0)),
        )

    def shown(self) -> Shown:
        """Charts, tables and sentences, those of jobs first."""
        made = Shown()
        if not self.end_s > 0:
            return made
        self._jobs(made)
        self._timeline(made)
        self._steps(made)
        self._links(made)
        self._calls(made)
        made.tables["critical path"] = self._path()
        if self.skipped:
            what = "jobs, steps or groups were" if self.skipped > 1 else "job, step or group was"
            limits = f"at most {ONE:,} messages each, {ALL:,} and {TIMES} simulations in all"
            made.says.append(f"{self.skipped} {what} not simulated alone: {limits}.")
        return made

    def _may(self, number: int) -> bool:
        """Whether `number` messages may be simulated alone."""
        allowed = number <= min(ONE, self.left["messages"]) and self.left["times"] > 0
        if allowed:
            self.left["messages"] -= number
            self.left["times"] -= 1
        self.skipped += not allowed
        return allowed

    @cached_property
    def alone_of(self) -> list[tuple[float, list[Row]] | None]:
        """Of each of several jobs its time alone and its rounds there; None where it was not simulated."""
        made: list[tuple[float, list[Row]] | None] = []
        background = bool(self.bound.value("background"))
        for job, load, given in zip(self.jobs, self.loads, self.sent, strict=True):
            if (len(self.jobs) < 2 and not background) or not self._may(len(given.src)):
                made.append(None)
                continue
            time_s, record = self.alone.job(job, load)
            (own,) = phases.sent(record["trace"], [job.ranks])
            made.append((time_s, phases.rows_of_rounds(own)))
        return made

    def _path(self) -> list[Row]:
        """The longest stretches of the critical path, in order of time, with their ranks."""
        segments = self.found["critical_path"]["segments"]
        took = segments["end_s"].astype(np.float64) - segments["start_s"].astype(np.float64)
        ends = np.cumsum([job.ranks for job in self.jobs])
        rows: list[Row] = []
        for at in np.sort(np.argsort(-took, kind="stable")[:PATH]).tolist():
            rank = int(segments["rank"][at])
            # Switches are numbered after the ranks.
            job = min(int(np.searchsorted(ends, rank, side="right")), len(self.jobs) - 1)
            named: Row = {"job": self.jobs[job].name} if len(self.jobs) > 1 else {}
            start, end = float(segments["start_s"][at]), float(segments["end_s"][at])
            named |= {"rank": rank - int(ends[job]) + self.jobs[job].ranks}
            rows.append(
                named
                | {"part": KINDS[int(segments["kind"][at])], "start_s": start, "end_s": end, "time_s": end - start}
            )
        return rows

    def _jobs(self, made: Shown) -> None:
        rows: list[Row] = []
        for job, given, said, alone in zip(self.jobs, self.sent, self.found["jobs"], self.alone_of, strict=True):
            size = int(given.bytes.sum())
            row: Row = {"job": job.name, "messages": len(given.src), "bytes": size}
            rows.append(row | together(float(said["time_s"]), None if alone is None else alone[0], size))
        made.jobs = rows
        if any(row["alone_s"] is not None for row in rows):
            made.says.append("Alone is without other jobs and without background flows, on the same endpoints.")
        if len(rows) > 1:
            made.pictures.append(both("Time of each job", rows, "job"))

    def _timeline(self, made: Shown) -> None:
        several = len(self.jobs) > 1
        doing = over_time.activities(self.trace, self.end_s)
        if doing["ranks"]:
            title = "Timeline: what ranks do"
            made.pictures.append(Chart(title, "area", doing, x="time_s", y="ranks", series="activity", x_label="time"))
        if not any(len(given.src) for given in self.sent):
            return
        what = "job" if several else "rank"
        sending = over_time.senders(list(self._jobs_drawn() if several else self._ranks_drawn()), self.end_s)
        made.pictures.append(
            Chart(
                f"Timeline: what each {what} sends", "heat", sending, x="time", y="of", value="under_way_bytes",
                y_label=what, value_label=f"under way from a {what}",
            )
        )  # fmt: skip

    def _jobs_drawn(self) -> Iterator[tuple[str, phases.Sent, Any]]:
        for job, given in list(zip(self.jobs, self.sent, strict=True))[: over_time.ROWS]:
            yield job.name, given, None

    def _ranks_drawn(self) -> Iterator[tuple[str, phases.Sent, Any]]:
        """One rank each, or the mean of neighbours."""
        (given,) = self.sent
        wide = -(-given.ranks // over_time.ROWS)
        for first in range(0, given.ranks, wide):
            last = min(first + wide, given.ranks) - 1
            mine = (given.src >= first) & (given.src <= last)
            yield str(first) if first == last else f"{first} to {last}", given.shared(last - first + 1), mine

    def _steps(self, made: Shown) -> None:
        rows: list[Row] = []
        groups: list[Row] = []
        more = 0
        for number, (job, given) in enumerate(zip(self.jobs, self.sent, strict=True)):
            named: Row = {"job": job.name} if len(self.jobs) > 1 else {}
            steps = self._file(job)
            at = None if steps is None else phases.placed(given, steps, job.repetitions)
            if steps is None or at is None:
                alone = self.alone_of[number]
                rows += [named | row for row in compared(phases.rows_of_rounds(given), alone and alone[1])]
                continue
            rows += [named | self._by_itself(job, steps, one) for one in phases.rows_of_steps(given, steps, at)]
            found = list(phases.rows_of_groups(given, steps, at))
            more += max(0, len(found) - phases.GROUPS)
            groups += [named | self._by_itself(job, steps, one) for one in found[: phases.GROUPS]]
        rows = [row for row in rows if row["messages"]]
        if not rows:
            return
        made.tables["steps"] = rows
        made.says.append(_SPANS)
        if len(self.jobs) <= DRAWN and len(rows) > len(self.jobs):
            made.pictures += self._bars("Time of each step", rows)
        if groups:
            made.tables["groups"] = groups
            label = [row | {"group": f"{str(row['step']).partition(':')[0]}: {row['ranks']}"} for row in groups]
            if len(label) <= BARS:
                made.pictures.append(both("Time of each group", label, "group"))
        if more:
            made.says.append(f"{counted(more, 'further group')} left out of the table of groups.")

    def _bars(self, title: str, rows: Sequence[Row]) -> list[Chart]:
        if len(self.jobs) == 1:
            return [both(title, rows, "step")]
        return [
            both(f"{title} of {job.name}", own, "step")
            for job in self.jobs
            if len(own := [row for row in rows if row["job"] == job.name]) > 1
        ]

    def _file(self, job: PlacedJob) -> Steps | None:
        source = self.bound.work.source_of(job)
        algorithms = by_collective(self.bound.text("algorithms"))
        return steps_of(source, job.ranks, algorithms, self.bound.workshop.calls.folder)

    def _by_itself(self, job: PlacedJob, steps: Steps, one: phases.Found) -> Row:
        """The row of a step or group with its time when only it is done."""
        row = one.row
        size, times = row["bytes"], row["times"]
        if not times or one.leaf is None or not isinstance(row["time_s"], float):
            return row
        assert isinstance(size, int) and isinstance(times, int)
        program = leaf_program(one.leaf, steps.ranks, one.group)
        if program is None or not self._may(count(program)):
            return row
        (alone,) = phases.sent(self.alone.part(job, program)["trace"], [job.ranks])
        took = alone.row()["time_s"]
        return row | together(row["time_s"], took if isinstance(took, float) else None, size / times)

    def _calls(self, made: Shown) -> None:
        """Times of calls, as a table and as bars from the least to the most of the ranks."""
        rows = calls(self.trace, [(job.name, job.ranks) for job in self.jobs])
        made.tables["time of calls"] = rows
        if len(rows) < 2 or len(rows) > BARS:
            return
        data: dict[str, list[object]] = {name: [row[name] for row in rows] for name in CALL_COLUMNS}
        made.pictures.append(
            Chart(
                "Time of ranks in each call", "bar", data, x="call", y="mean_s", low="least_s", high="most_s",
                series="job" if len(self.jobs) > 1 else None, caption="Whiskers: from the least to the most of a rank.",
            )
        )  # fmt: skip

    def _links(self, made: Shown) -> None:
        found = over_time.links(self.network, self.trace)
        if found is None:
            return
        rows = over_time.rows_of_links(self.network, found)
        first = rows[0]
        made.says.insert(
            0,
            f"The hottest link, of {len(found.number):,} that carried anything, is the {first['class']} link from "
            f"{first['from']} to {first['to']}: {first['use_percent']:.1f} % of its bandwidth over the run, "
            f"{first['most_use_percent']:.1f} % at most.",
        )
        named = [row | {"link": f"{row['from']} → {row['to']}"} for row in rows]
        made.pictures.append(bars("Hot links: use over the run", named, "link", "use_percent", y_label="use (%)"))
        heat = over_time.heat_of_links(rows, found)
        made.pictures.append(
            Chart("Hot links over time", "heat", heat, x="time", y="link", value="use_percent", value_label="use (%)")
        )
        made.tables["hot links"], made.tables["link classes"] = rows, over_time.rows_of_classes(self.network, found)
        made.pictures.append(coloured(self, found, rows))
        if self.bound.site.node is not None:
            made.says.append("Links inside nodes are simulated, but are not among the hot links.")


def leaf_program(leaf: Leaf, ranks: int, group: int | None) -> Workload | None:
    """What a step or a group of it does; None where that cannot be composed by itself."""
    try:
        return leaf.program(ranks, group)
    except NetloomError:
        return None


def together(time_s: float, alone_s: float | None, size: float) -> Row:
    """Times with and without the others, and bytes over each."""
    return {
        "time_s": time_s,
        "alone_s": alone_s,
        "slowdown": time_s / alone_s if alone_s else None,
        "bandwidth_bytes_per_s": size / time_s if time_s > 0 else None,
        "alone_bandwidth_bytes_per_s": size / alone_s if alone_s else None,
    }


def compared(rows: Sequence[Row], alone: Sequence[Row] | None) -> list[Row]:
    """Rounds of a job with their times when it runs alone."""
    made = []
    for number, row in enumerate(rows):
        other = alone[number]["time_s"] if alone is not None and len(alone) == len(rows) else None
        time_s, size = row["time_s"], row["bytes"]
        assert isinstance(time_s, float) and isinstance(size, int)
        made.append(row | together(time_s, other if isinstance(other, float) else None, size))
    return made


def both(title: str, rows: Sequence[Row], x: str) -> Chart:
    """Bars of times, next to each other with and without the others where both are known."""
    data: dict[str, list[object]] = {x: [], "time_s": [], "of": []}
    alone = any(row.get("alone_s") is not None for row in rows)
    for row in rows[:BARS]:
        for name, key in (("together", "time_s"), ("alone", "alone_s")):
            if row.get(key) is not None:
                data[x].append(row[x])
                data["time_s"].append(row[key])
                data["of"].append(name if alone else "")
    caption = f"The first {BARS} of {len(rows)}; the table has all." if len(rows) > BARS else ""
    return Chart(title, "bar", data, x=x, y="time_s", series="of", caption=caption)


def coloured(run: Run, found: over_time.Links, rows: Sequence[Row]) -> NetworkView:
    """The network in the colours of the use of its links."""
    from dataclasses import replace

    net = run.network
    between = found.number < len(net.tails)
    load = np.zeros(len(net.tails))
    load[found.number[between]] = 100 * found.mean[between]
    notes = {}
    for row, at in zip(rows, found.hottest().tolist(), strict=True):
        link = int(found.number[at])
        if link < len(net.tails):
            notes[link] = f"{row['from']} → {row['to']}: {row['most_use_percent']:.1f} % at most"
    words = "Colour and width of a link show the more used of its directions, over the whole run."
    return replace(
        view(net, f"{net.label}: use of links"), load=load, load_label="use of a link", load_unit="%", notes=notes,
        caption=words,
    )  # fmt: skip
