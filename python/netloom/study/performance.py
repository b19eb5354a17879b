"""Runs relative to those of one network: rates, the performance indicator, and both for the price, as longer tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product

from .. import _core
from ..base.errors import NetloomError
from ..cost.model import DEFAULT, cost_model
from ..cost.of_network import price
from ..cost.performance import efficiency, performance, relative
from ..results import Column, Table
from ..results.rows import Cell
from ..scenario import Calls, Question, Workshop
from .performance_faults import WORKLOAD, apart, faults, in_folder, is_base, key_of
from .plan import Part, Plan
from .runs import Run
from .schema import Performance

_PRICE = (
    Column("price", "", "the cost model, or why the price is unknown"),
    Column("usd", "", "price of the network, in USD or in what the cost model counts"),
)
#: Of each run and cost model.
RATES = (
    Column("rate_bytes_per_s", "B/s", "bytes of all messages over the time"),
    Column("relative_time", "", "time over that of the baseline"),
    Column("relative_rate", "", "rate over that of the baseline"),
    *_PRICE,
    Column("rate_per_usd", "", "rate over the price"),
    Column("relative_rate_per_usd", "", "rate over the price, over that of the baseline"),
)
#: Of each network and cost model.
PERFORMANCE = (
    Column("phi", "", "weights of the workloads over their weighted relative times; 1 is the baseline"),
    *_PRICE,
    Column("relative_price", "", "price over that of the baseline"),
    Column("efficiency", "", "phi over relative_price; empty for another number of endpoints"),
)

Key = tuple[object, ...]
Row = Mapping[str, Cell]


def with_performance(plan: Plan) -> None:
    """Gives each experiment that asks for them its tables `rates` and `performance`.

    Raises
    ------
    NetloomError
        What is wrong with the questions, all of them together.
    """
    if wrong := [fault for part in plan.parts for fault in faults(plan, part)]:
        raise NetloomError(wrong)
    for part in plan.parts:
        if (asked := part.spec.performance) is not None:
            made, of = _Tables(part, asked, plan.calls), part.evaluation
            tables = {**of.tables, "rates": RATES, "performance": PERFORMANCE}
            compared = {**of.compared, "rates": made.rates, "performance": made.performances}
            part.evaluation = replace(of, tables=tables, compared=compared)


@dataclass(frozen=True)
class _Network:
    """Endpoints and prices by cost model: the price, or None, and the model or why there is none."""

    endpoints: int
    prices: Mapping[str, tuple[float | None, str]]


@dataclass
class _Tables:
    """The two tables of an experiment, from its main one."""

    part: Part
    asked: Performance
    calls: Calls
    networks: dict[Key, _Network] = field(default_factory=dict)
    runs: dict[Key, Run] = field(default_factory=dict)

    def rates(self, table: Table, longer: Mapping[str, Table], axes: list[str]) -> list[dict[str, Cell]]:
        """A row for each run and cost model. O(runs)."""
        by = apart(self.part.axes, self.asked)
        bases = {key_of(row, by): row for row in table.rows if is_base(row, self.asked)}
        return [
            {name: row.get(name) for name in axes} | self._rates(row, bases.get(key_of(row, by)), model)
            for row, model in product(table.rows, self._models())
        ]

    def _rates(self, row: Row, base: Row | None, model: str) -> dict[str, Cell]:
        usd, says = self._of(row).prices[model]
        rate, base_rate = self._rate(row), None if base is None else self._rate(base)
        base_usd = None if base is None else self._of(base).prices[model][0]
        per_usd = relative(rate, usd)
        return {
            "rate_bytes_per_s": rate,
            "relative_time": self._relative_time(row, base),
            "relative_rate": relative(rate, base_rate),
            "price": says,
            "usd": usd,
            "rate_per_usd": per_usd,
            "relative_rate_per_usd": relative(per_usd, relative(base_rate, base_usd)),
        }

    def performances(self, table: Table, longer: Mapping[str, Table], axes: list[str]) -> list[dict[str, Cell]]:
        """A row for each network and cost model. O(runs)."""
        by = [name for name in apart(self.part.axes, self.asked) if name != WORKLOAD]
        groups: dict[Key, dict[Cell, Row]] = {}
        for row in table.rows:
            groups.setdefault(key_of(row, [*by, *self.asked.baseline]), {})[row.get(WORKLOAD)] = row
        bases = {key_of(first, by): mine for mine in groups.values() if is_base(first := _first(mine), self.asked)}
        made = []
        for mine, model in product(groups.values(), self._models()):
            first = _first(mine)
            shared = {name: first.get(name) for name in axes if _is_one(mine, name)}
            made.append(shared | self._performance(mine, bases.get(key_of(first, by)), model))
        return made

    def _performance(self, mine: Mapping[Cell, Row], base: Mapping[Cell, Row] | None, model: str) -> dict[str, Cell]:
        """Phi without a workload of either is not known, nor is what follows from it."""
        own = self._of(_first(mine))
        usd, says = own.prices[model]
        found: dict[str, Cell] = {"phi": None, "price": says, "usd": usd, "relative_price": None, "efficiency": None}
        if base is None:
            return found
        its = self._of(_first(base))
        base_usd = its.prices[model][0]
        found["relative_price"] = relative(usd, base_usd)
        times = {str(name): self._relative_time(row, base.get(name)) for name, row in mine.items()}
        known = {name: time for name, time in times.items() if time is not None}
        if len(known) == len(base) == len(mine):
            found["phi"] = phi = performance(known, self.asked.weights)
            if usd and base_usd and own.endpoints == its.endpoints:
                found["efficiency"] = efficiency(phi, usd, base_usd)
        return found

    def _models(self) -> list[str]:
        return self.asked.models or [DEFAULT]

    def _of(self, row: Row) -> _Network:
        """Of the network of a row; built once for each call."""
        if not self.runs:
            self.runs = {tuple(run.labels.values()): run for run in self.part.runs}
        run = self.runs[key_of(row, self.part.axes)]
        key = tuple(run.calls.get(name) for name in ("network", "machine", "part"))
        if key not in self.networks:
            whole = Question(run.scenario(self.calls.folder), Workshop(self.calls), _silent).site.whole
            self.networks[key] = _Network(whole.endpoints, dict(self._prices(whole)))
        return self.networks[key]

    def _prices(self, whole: _core.Network) -> Iterator[tuple[str, tuple[float | None, str]]]:
        for name in self._models():
            cost, says = price(whole, cost_model(in_folder(name, self.calls)))
            yield name, (None if cost is None else cost["total_usd"], says)

    def _rate(self, row: Row) -> float | None:
        return relative(_number(row, self.asked.bytes), _number(row, self.asked.time))

    def _relative_time(self, row: Row, base: Row | None) -> float | None:
        return None if base is None else relative(_number(row, self.asked.time), _number(base, self.asked.time))


def _number(row: Row, name: str) -> float | None:
    value = row.get(name)
    return value if isinstance(value, (int, float)) else None


def _first(rows: Mapping[Cell, Row]) -> Row:
    return next(iter(rows.values()))


def _is_one(rows: Mapping[Cell, Row], name: str) -> bool:
    """Whether the runs of a network agree in an axis, other than the workload."""
    return name != WORKLOAD and len({row.get(name) for row in rows.values()}) == 1


def _silent(done: int, total: int) -> None:
    return None
