"""Charts, tables, claims and the rest against the columns that their experiment will have: before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from . import codes, readings
from .better import more_is_better
from .plan import Part, Plan
from .schema import PLAIN, Across, Chart, Query, Reading, Where

Path = tuple[str | int, ...]


def check_plan(plan: Plan) -> None:
    """Check every reference of the report parts.

    Raises
    ------
    NetloomError
        All of: unknown columns, tables, experiments and formats; conditions on values that do not occur.
    """
    faults: list[Fault] = []
    by_name = {part.spec.name: part for part in plan.parts}
    for part in plan.parts:
        faults += _PartCheck(plan, part, by_name).all()
    for i, chart in enumerate(plan.loaded.study.chart):
        faults += _AcrossCheck(plan, by_name, ("chart", i)).all(chart)
    if faults:
        raise NetloomError(dict.fromkeys(faults))


class _Check:
    """Faults below one place of a study."""

    def __init__(self, plan: Plan, by_name: dict[str, Part], root: Path) -> None:
        self.plan, self.by_name, self.root = plan, by_name, root
        self.faults: list[Fault] = []

    def fault(self, code: str, path: Path, sentence: str, hint: str = "") -> None:
        place = self.plan.loaded.source.at(*self.root, *path)
        self.faults.append(Fault(code, place, sentence, "", hint))

    def named(self, path: Path, name: str) -> Part | None:
        """The experiment of this name."""
        part = self.by_name.get(name)
        if part is None:
            hint = did_you_mean(name, self.by_name, "experiments")
            self.fault(codes.COLUMN, path, f'there is no experiment "{name}"', hint)
        return part

    def inner(self, path: Path, error: NetloomError) -> None:
        """Faults of a call text, at their position in the study."""
        position = self.plan.loaded.source.at(*self.root, *path).partition(" ")[0]
        self.faults += [Fault(f.code, f"{position} {f.place}", f.expected, f.got, f.hint) for f in error.faults]

    def place(self, part: Part) -> str:
        """Of a part that is not the one at this place."""
        own = self.root == ("experiment", part.index)
        return "" if own else f' in the experiment "{part.spec.name}"'

    def columns(self, path: Path, part: Part, table: str, wanted: Iterable[str], derived: int | None = None) -> None:
        known = self.known(path, part, table, derived)
        for column in wanted:
            if known and column not in known:
                hint = did_you_mean(column, known, "columns")
                self.fault(codes.COLUMN, path, f'there is no column "{column}"{self.place(part)}', hint)

    def known(self, path: Path, part: Part, table: str, derived: int | None = None) -> list[str]:
        if table:
            made = readings.tables_of(part.spec)
            if table in made and table not in part.evaluation.tables:
                return made[table]
            if table not in part.evaluation.tables:
                hint = did_you_mean(table, [*part.evaluation.tables, *made], "tables")
                self.fault(codes.COLUMN, path, f'{part.evaluation.name} has no table "{table}"', hint)
                return []
            if part.options.get(table) is False:
                self.fault(codes.COLUMN, path, f'the table "{table}" needs options.{table} = true')
                return []
            return [*part.axes, *(c.name for c in part.evaluation.tables[table])]
        own = [c.name for c in part.evaluation.columns]
        return [*part.axes, *own, *(c.name for c in part.spec.compare[:derived])]

    def where(self, path: Path, part: Part, table: str, where: Where) -> None:
        known = self.known(path, part, table)
        for column, wanted in where.items():
            if column not in known:
                if known:
                    hint = did_you_mean(column, known, "columns")
                    self.fault(codes.COLUMN, (*path, column), f'there is no column "{column}"{self.place(part)}', hint)
                continue
            if column not in part.labels:
                continue
            labels = list(dict.fromkeys(run.labels[column] for run in part.runs))
            for value in wanted if isinstance(wanted, list) else [wanted]:
                if value not in labels:
                    hint = did_you_mean(str(value), [str(label) for label in labels], "values")
                    sentence = f'no run{self.place(part)} has the value "{value}"'
                    self.fault(codes.NOTHING, (*path, column), sentence, hint)


class _PartCheck(_Check):
    """An experiment and what its report shows."""

    def __init__(self, plan: Plan, part: Part, by_name: dict[str, Part]) -> None:
        super().__init__(plan, by_name, ("experiment", part.index))
        self.part = part

    def all(self) -> list[Fault]:
        spec = self.part.spec
        for i, compare in enumerate(spec.compare):
            self.columns(("compare", i, "column"), self.part, "", [compare.column], derived=i)
            if compare.to:
                self.columns(("compare", i, "to"), self.part, "", [compare.to], derived=i)
            if compare.name in {*self.part.axes, *(c.name for c in self.part.evaluation.columns)}:
                self.fault(codes.TWICE, ("compare", i, "name"), f'there is a column "{compare.name}" already')
        for i, chart in enumerate(spec.chart):
            at: Path = ("chart", i)
            series = [chart.series] if isinstance(chart.series, str) else chart.series
            own = self.part.evaluation.charts.get(chart.kind)
            self.kind((*at, "kind"), chart)
            asked = [("x", chart.x), ("y", chart.y), *(("series", s) for s in series), ("facet", chart.facet)]
            for key, column in asked:
                if column:
                    self.columns((*at, key), self.part, chart.table, [column])
            if own is not None:
                self.columns((*at, "kind"), self.part, chart.table, own().needs)
            self.where((*at, "where"), self.part, chart.table, chart.where)
        for i, table in enumerate(spec.table):
            at = ("table", i)
            self.columns((*at, "columns"), self.part, table.table, table.columns)
            self.columns((*at, "rows"), self.part, table.table, table.rows)
            self.columns((*at, "across"), self.part, table.table, [table.across] if table.across else [])
            self.columns((*at, "values"), self.part, table.table, [table.values] if table.values else [])
            self.where((*at, "where"), self.part, table.table, table.where)
        for i, best in enumerate(spec.best):
            at = ("best", i)
            self.columns((*at, "column"), self.part, best.table, [best.column])
            self.columns((*at, "each"), self.part, best.table, best.each)
            self.where((*at, "where"), self.part, best.table, best.where)
        self.whole()
        self.claims()
        self.drawings()
        self.emit()
        return self.faults

    def kind(self, path: Path, chart: Chart) -> None:
        """Plain kinds need columns x and y; an evaluator's own kind says what it takes."""
        charts = self.part.evaluation.charts
        if chart.kind in PLAIN:
            missing = [name for name in ("x", "y") if not getattr(chart, name)]
            if missing:
                self.fault(codes.BAD_VALUE, path[:-1], f"needs {' and '.join(missing)}")
            return
        if chart.kind not in charts:
            hint = did_you_mean(chart.kind, [*PLAIN, *charts], "kinds")
            self.fault(codes.BAD_VALUE, path, f'{self.part.evaluation.name} has no chart of kind "{chart.kind}"', hint)
            return
        kind = charts[chart.kind]()
        if chart.y:
            self.fault(codes.BAD_VALUE, path[:-1], f'kind = "{chart.kind}" takes its own columns: leave y out')
        if bool(chart.x) != kind.x:
            self.fault(codes.BAD_VALUE, path[:-1], f'kind = "{chart.kind}" {"needs x" if kind.x else "takes no x"}')
        if chart.series and not kind.series:
            self.fault(
                codes.BAD_VALUE,
                path[:-1],
                f'kind = "{chart.kind}" takes no series: each value of its facet is a picture',
            )

    def whole(self) -> None:
        """Columns, groups and conditions of correlations, saturations and combinations."""
        spec, part = self.part.spec, self.part
        for name in readings.tables_of(spec):
            if name in part.evaluation.tables:
                sentence = f'{part.evaluation.name} has a table "{name}" of its own'
                self.fault(codes.TWICE, (), sentence, "leave it out of this experiment")
        kinds: dict[str, Sequence[Reading]] = {
            "correlate": spec.correlate,
            "saturation": spec.saturation,
            "combine": spec.combine,
        }
        for kind, asked in kinds.items():
            for i, one in enumerate(asked):
                for key, wanted in (one.asked() | {"each": one.each}).items():
                    self.columns((kind, i, key), part, one.table, wanted)
                self.where((kind, i, "where"), part, one.table, one.where)
        for i, pair in enumerate(spec.correlate):
            self.where(("correlate", i, "between"), part, pair.table, dict(pair.between))
        for i, combine in enumerate(spec.combine):
            self.where(("combine", i, "free"), part, combine.table, dict(combine.free))

    def claims(self) -> None:
        for i, claim in enumerate(self.part.spec.claim):
            self.query(("claim", i, "of"), claim.of, None)
            if isinstance(claim.to, Query):
                self.query(("claim", i, "to"), claim.to, claim.of)
            if not claim.of.column:
                self.fault(codes.CLAIM, ("claim", i, "of"), "needs a column")
            table = claim.of.table
            part = self.by_name.get(claim.of.experiment or self.part.spec.name, self.part)
            self.columns(("claim", i, "each"), part, table, claim.each)
            if claim.along:
                self.columns(("claim", i, "along"), part, table, [claim.along])
                self.where(("claim", i, "rising"), part, table, {claim.along: claim.rising})

    def query(self, path: Path, query: Query, base: Query | None) -> None:
        name = query.experiment or (base.experiment if base else "") or self.part.spec.name
        part = self.named((*path, "experiment"), name)
        if part is None:
            return
        table = query.table or (base.table if base else "")
        self.columns((*path, "column"), part, table, [query.column] if query.column else [])
        self.where((*path, "where"), part, table, query.where)

    def drawings(self) -> None:
        for i, drawing in enumerate(self.part.spec.drawing):
            kinds = {"network": drawing.network}
            if drawing.ranks:
                kinds |= {"placement": drawing.placement, "order": drawing.order}
            for kind, text in kinds.items():
                try:
                    self.plan.calls.canonical(kind, text)
                except NetloomError as error:
                    self.inner(("drawing", i, kind), error)

    def emit(self) -> None:
        emit = self.part.spec.emit
        if emit is None:
            return
        from .emit import try_formats

        if not self.part.evaluation.maps:
            self.fault(codes.EVALUATION, ("emit",), f"{self.part.evaluation.name} has no mapping to write")
        for i, error in try_formats(emit.formats):
            self.inner(("emit", "formats", i), error)
        self.columns(("emit", "by"), self.part, "", [emit.by])
        self.columns(("emit", "each"), self.part, "", emit.each)
        self.where(("emit", "where"), self.part, "", emit.where)


class _AcrossCheck(_Check):
    """A chart over several experiments."""

    def all(self, chart: Across) -> list[Fault]:
        for i, measure in enumerate(chart.measures):
            at: Path = ("measures", i)
            part = self.named((*at, "experiment"), measure.experiment)
            if part is None or not self.known((*at, "table"), part, measure.table):
                continue
            self.columns((*at, "column"), part, measure.table, [measure.column])
            self.where((*at, "where"), part, measure.table, measure.where)
            more = measure.most is None and more_is_better(part.spec, part.evaluation, measure.table, measure.column)
            if chart.kind == "pareto" and more:
                sentence = f'less of both measures of a Pareto front is better, and of "{measure.column}" more is'
                self.fault(codes.BAD_VALUE, (*at, "column"), sentence, 'use kind = "radar", which takes both')
            self.columns(("by",), part, measure.table, chart.by)
            if chart.baseline:
                self.where(("baseline",), part, measure.table, dict(zip(chart.by, chart.baseline, strict=True)))
        return self.faults
