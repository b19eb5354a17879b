"""What `netloom design` says: sentences, the front, its page, and the scenarios that it writes."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base.quantities import percent, time_text
from .output import emit_json, emit_table, note, say
from .pages import facts
from .stopped import stopped_s

if TYPE_CHECKING:
    from ..base.stopping import Clock
    from ..cost import CableLine
    from ..design import Design
    from ..design.candidate import Candidate
    from ..design.catalogue import Cable, Nic, Switch
    from ..report import AnswerPage, Chart
    from .design_options import Designing

#: Decimals of a price in millions, and of a share.
USD_DIGITS, DIGITS = 3, 3
#: Of all candidates, those that the first picture shows: others are too far off to see the front.
TIMES_OFF = 20.0
#: What candidates are that are not on the front: with a time, with a bound that is behind it, with neither, with none.
BEHIND, BOUND, OPEN, REFUSED = "behind the front", "behind the front (bound)", "no time yet", "refused"
#: Names and first lines of the scenarios that are written, and characters of such a line at most.
NAME, HEAD, FIRST_LINE = re.compile(r"\d{2,}-[a-z0-9-]+\.toml"), re.compile(r"# .+: [\d,]+ USD"), 400


@dataclass
class Counted:
    """Passes progress on, and keeps how far it came."""

    said: Callable[..., object] | None = None
    done: int = 0
    planned: int = 0

    def __call__(self, done: int, planned: int) -> None:
        self.done, self.planned = done, planned
        if self.said is not None:
            self.said(done, planned)

    def so_far(self) -> str:
        """Before the first candidate has a time."""
        made = f"{self.done:,} of {self.planned:,} runs were made" if self.planned else "no run was made"
        return f"no candidate has a time yet, {made}"


def asked(asking: Designing, plugin_files: tuple[str, ...], said: Callable[..., object]) -> Design:
    """The answer to what was typed."""
    from ..design import design
    from ..design.asked import LEAST, MOST
    from .options import integer

    endpoints = integer("--endpoints", str(asking.endpoints), LEAST, MOST)
    return design(
        endpoints, asking.workloads, budget_usd=asking.budget_usd, families=asking.families, parts=asking.catalogue,
        how=asking.how(plugin_files), progress=said,
    )  # fmt: skip


def show(found: Design, clock: Clock, json_: bool) -> None:
    """The answer on stdout."""
    if json_:
        emit_json(found.to_dict() | stopped_s(clock))
        return
    for sentence in found.explain():
        say(sentence)
    click.echo(f"\nfront{' of those with a time' if found.ended else ''}, the cheapest first")
    rows = table(found, found.front)
    emit_table(list(rows[0]), [list(row.values()) for row in rows])
    click.echo(f"\n{len(found.candidates)} candidates, {_others(found)}; --json has all")
    for line in found.notes:
        note(f"note: {line}")


def _others(found: Design) -> str:
    """How many are not on the front, and why."""
    kinds = Counter(_kind(found, one) for one in found.candidates if not one.on_front)
    counts = {
        "behind the front": kinds[BEHIND] + kinds[BOUND], "without a time yet": kinds[OPEN], "refused": kinds[REFUSED],
    }  # fmt: skip
    some = [f"{number} {words}" for words, number in counts.items() if number or words == "behind the front"]
    return f"{some[0].replace(' ', ' of them ', 1)}{''.join(f', {one}' for one in some[1:])}"


def table(found: Design, some: Sequence[Candidate]) -> list[dict[str, object]]:
    """A row for each candidate."""
    made = []
    for one in some:
        known = found.around.get(one.name)
        row: dict[str, object] = {
            "network": one.name,
            "time": time_text(found.time_s(one)) if one.by_rung and not one.refused else "–",
            "million USD": _rounded(one.usd / 1e6),
            "kW": _rounded(one.watts / 1e3),
            "switches": one.bill.switches,
            "cable m": round(one.bill.cable_m),
            "longest m": round(one.bill.longest_m, 1),
        }
        if known is not None:
            row["bisection"] = None if known.bisection is None else round(known.bisection[0], DIGITS)
            row["links fail"] = _slow(known.links)
            row["switches fail"] = _slow(known.switches)
            row["+25 % million USD"] = None if known.growth is None else _rounded(known.growth.usd / 1e6)
        made.append(row)
    return made


def _rounded(value: float) -> float:
    """With three decimals, or three digits where it is too small for them."""
    return round(value, USD_DIGITS) if value >= 1 else float(f"{value:.3g}")


def _slow(failed: object) -> str:
    slowdown = getattr(failed, "slowdown", None)
    if failed is None:
        return "–"
    if slowdown is None:
        return "–" if getattr(failed, "refused", "").startswith("no ") else "falls apart"
    return f"x {slowdown:.2f}"


def write_scenarios(found: Design, folder: str | None) -> dict[str, list[str]]:
    """A scenario file of each network on the front and each workload: names of the files by candidate."""
    if folder is None:
        return {}
    from ..base.files import write
    from ..design.measure import scenario_of, written

    made: dict[str, list[str]] = {}
    for number, one in enumerate(found.front, start=1):
        for member in found.mix:
            name = f"{number:02d}-{_word(one.sized.family)}-{_word(member.workload)}.toml"
            taken = [other for names in made.values() for other in names]
            name = name if name not in taken else f"{number:02d}-{len(taken)}-{_word(member.workload)}.toml"
            there = {key: _from(folder, str(member.inputs[key])) for key in ("workload", "calibration")}
            inputs = {**member.inputs, **there}
            scenario = written(scenario_of(one.sized.call, inputs, one.routing))
            text = f"# {one.name}: {one.usd:,.0f} USD\n{scenario.to_toml()}"
            write(Path(folder) / name, text.encode("utf-8"))
            made.setdefault(one.name, []).append(name)
    old = _remove_others(Path(folder), {name for names in made.values() for name in names})
    gone = f", removed {old} of an earlier answer" if old else ""
    note(f"wrote {sum(map(len, made.values()))} scenarios into {folder}{gone}")
    return made


def _remove_others(folder: Path, written: set[str]) -> int:
    """Removes scenarios of an earlier answer, which its own do not replace; files of other origin stay.

    Its files are known by their names and their first lines, both as they are written here.
    """
    old = []
    for path in sorted(folder.iterdir()):
        if path.name in written or path.is_symlink() or not path.is_file() or not NAME.fullmatch(path.name):
            continue
        with path.open(encoding="utf-8", errors="replace") as file:
            if HEAD.fullmatch(file.readline(FIRST_LINE).rstrip("\n")):
                old.append(path)
    for path in old:
        path.unlink()
    return len(old)


def _from(folder: str, text: str) -> str:
    """A workload or a calibration as a file in the folder names it: files stand relative to it."""
    return os.path.relpath(text, folder) if Path(text).is_file() else text


def _word(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40]


def page(found: Design, files: Mapping[str, Sequence[str]]) -> AnswerPage:
    """The page of `design`: the decision first."""
    from ..design.words import money, power
    from ..report import AnswerPage, Number, Runs

    said = found.explain()
    best, second, sure = found.decision, found.runner_up, found.sure
    numbers = []
    if best is not None:
        numbers = [
            Number("time of the mix", found.time_s(best), "s"),
            Number("price", money(best.usd)),
            Number("power", power(best.watts)),
        ]
    if second is not None and sure is not None and sure.lead is not None:
        tie = "within the error: a tie" if sure.tie else "ahead of the runner-up"
        numbers.append(Number("lead", percent(sure.lead), note=tie))
    tables = {
        "front": _linked(found, files),
        "all candidates": _all(found),
        "left out": _left_out(found),
        "prices": _prices(found),
    }
    runs = Runs(
        "time",
        [{} for _ in found.candidates],
        [_inputs(found, one) for one in found.candidates],
        [{"network": one.name} for one in found.candidates],
    )
    title = f"Which network for {found.endpoints:,} endpoints"
    about = facts() | {"model": _model(found), "seeds": found.settings.seed}
    return AnswerPage(
        title, said[0] if said else "Nothing is known yet.", numbers, [_scatter(found), *_shares(found)], {}, tables,
        [*said[1:], *found.notes], _assumptions(found), about, {"candidates": runs},
    )  # fmt: skip


def _inputs(found: Design, one: Candidate) -> dict[str, object]:
    """The scenario of the workload that weighs most."""
    heaviest = max(found.mix, key=lambda member: member.weight)
    routing, variant = one.routing
    return {"network": one.sized.call, **heaviest.inputs, "routing": routing, "variant": variant}


def _model(found: Design) -> str:
    return ", ".join(f"{member.workload}: {member.rungs[-1]}" for member in found.mix)


def _assumptions(found: Design) -> list[str]:
    floor = found.catalogue.floor
    return [
        "Ranks stand on the endpoints in order, one each; the mix is the sum of its times, each times its weight.",
        f"Routing {found.settings.routing} on all candidates; switches are bought whole, of one kind in a network.",
        f"{floor.switches_per_cabinet} switches in a cabinet, filled in order of the switches; cabinets of "
        f"{floor.cabinet_width_m:g} m by {floor.cabinet_depth_m:g} m, {floor.order}; cables along the rows and across "
        f"them, {floor.inter_cabinet_overhead_m:g} m more from one cabinet to another, {floor.intra_cabinet_m:g} m "
        f"inside one, {found.catalogue.endpoint_m:g} m to an endpoint, each of the cheapest medium that reaches.",
        "Failures slow down by link loads, the worst of two draws; ranks of lost endpoints are left out.",
        "Power and price are of switches and cables, and of NICs where the catalogue has them: no cooling, no people.",
    ]


def _scatter(found: Design) -> Chart:
    """Time over price of all with a time; a click on a point gives its scenario."""
    from ..report import Chart

    known = [one for one in found.candidates if one.by_rung and not one.refused]
    least = min((found.time_s(one) for one in known), default=0.0)
    reach = max([found.time_s(one) for one in known if one.on_front] or [least])
    shown = [one for one in known if found.time_s(one) <= max(reach, TIMES_OFF * least)]
    numbers = {one.name: at for at, one in enumerate(found.candidates)}
    kind = {one.name: _kind(found, one) for one in shown}
    shown.sort(key=lambda one: (not one.on_front, one.usd, one.name))
    data: dict[str, Sequence[object]] = {
        "usd": [one.usd for one in shown],
        "time_s": [found.time_s(one) for one in shown],
        "of": [kind[one.name] for one in shown],
        "run": [numbers[one.name] for one in shown],
    }
    return Chart(
        "Time and price", "scatter", data, x="usd", y="time_s", series="of", x_label="price, USD",
        y_label="time of the mix", log="xy", runs="run", source="candidates",
        caption="Nothing beats a point of the front in time, price and power at once. Points behind it whose last rung "
        "was left out stand at the bound below their time. A click on a point gives its scenario, with the workload "
        "that weighs most.",
    )  # fmt: skip


def _kind(found: Design, one: Candidate) -> str:
    if one is found.decision:
        return "decision"
    if one is found.runner_up:
        return "runner-up"
    if one.on_front:
        return "front"
    if one.refused:
        return REFUSED
    if one.final:
        return BEHIND
    return BOUND if one.worse_than else OPEN


def _shares(found: Design) -> list[Chart]:
    """What the money of the front is spent on."""
    from ..report import Chart

    rows = [(one.name, name, usd) for one in found.front for name, usd in one.bill.usd_of.items()]
    if not rows:
        return []
    data = {key: [row[at] for row in rows] for at, key in enumerate(("network", "part", "usd"))}
    return [Chart("Prices on the front", "bar", data, x="network", y="usd", series="part", y_label="USD")]


def _linked(found: Design, files: Mapping[str, Sequence[str]]) -> list[dict[str, object]]:
    rows = table(found, found.front)
    for row, one in zip(rows, found.front, strict=True):
        row["call"] = one.sized.call
        if one.name in files:
            row["scenarios"] = ", ".join(files[one.name])
    return rows


def _all(found: Design) -> list[dict[str, object]]:
    rows = []
    for row, one in zip(table(found, found.candidates), found.candidates, strict=True):
        rows.append({
            **{key: row[key] for key in ("network", "time", "million USD", "kW", "switches")},
            "of": _kind(found, one),
            "why": one.refused or (f"no better than {one.worse_than}" if one.worse_than else ""),
        })  # fmt: skip
    return rows


def _left_out(found: Design) -> list[dict[str, object]]:
    return [{"network": one.name, "reason": one.reason} for one in found.left_out]


def _prices(found: Design) -> list[dict[str, object]]:
    """All that a price is made of; of cables a length in metres and its square."""
    parts = found.catalogue
    some: list[tuple[str, Switch | Cable | Nic, float, CableLine | None]] = [
        *((one.name, one, one.usd, None) for one in parts.switches),
        *((f"{one.line.name}, {one.gbps:g} Gb/s", one, one.line.usd, one.line) for one in parts.cables),
        *((f"NIC, {one.gbps:g} Gb/s", one, one.usd, None) for one in parts.nics),
    ]
    return [
        {
            "part": name, "USD": usd,
            "USD a metre": None if line is None else line.usd_per_m,
            "USD a square metre": None if line is None else line.usd_per_m2,
            "longest m": None if line is None or line.max_m == inf else line.max_m,
            "W": one.watts, "estimate": one.estimate, "date": one.date, "source": one.source,
        }
        for name, one, usd, line in some
    ]  # fmt: skip
