"""The shape of a study file. What is optional says its default here; `docs/reference/study.md` explains each key."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from ..base.errors import NetloomError
from ..base.sizes import parse_sizes
from ..plot.kinds import KINDS
from ..scenario.axes import PARTED
from .values import OF_AN_AXIS, AxisValue, Scalar, read_axis

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$")]
Axis = Annotated[list[AxisValue], BeforeValidator(read_axis)]


def _with_parts(raw: object) -> object:
    """Axes of an experiment, and those of parameters: TOML reads `node.nics = [1, 2]` as a table `node`."""
    if not isinstance(raw, dict):
        return raw
    made: dict[object, object] = {}
    for name, values in raw.items():
        parted = isinstance(values, dict) and name in PARTED and not set(values) & OF_AN_AXIS
        made |= {f"{name}.{key}": value for key, value in values.items()} if parted else {name: values}
    return _with_sizes(made)


def _with_sizes(raw: object) -> object:
    """The sizes of `size_bytes` may be a range or a list in one text."""
    sizes = raw.get("size_bytes") if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or not isinstance(sizes, str) or not set(sizes) & set(":,") or "{" in sizes:
        return raw
    try:
        return raw | {"size_bytes": parse_sizes(sizes, "size_bytes")}
    except NetloomError as error:
        fault = error.faults[0]
        raise ValueError(f"size_bytes takes {fault.expected}, {fault.hint}") from None


Axes = Annotated[dict[str, Axis], BeforeValidator(_with_parts)]
Where = dict[str, object]
Aggregate = Literal["median", "mean", "min", "max", "sum", "count"]
Text = Annotated[str, Field(max_length=100_000)]
Finite = Annotated[float, Field(allow_inf_nan=False)]


class Strict(BaseModel):
    """A table that refuses keys it does not know."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)


class Query(Strict):
    """One number out of a result table."""

    column: str = ""
    where: Where = {}
    aggregate: Aggregate = "median"
    table: str = ""
    experiment: str = ""


class Claim(Strict):
    """A statement that the results confirm or refute."""

    id: str = ""
    says: Text
    source: str = ""
    of: Query
    to: Query | Finite | None = None
    as_: Literal["value", "ratio", "difference", "percent-less"] = Field("value", alias="as")
    expected: Finite | None = None
    tolerance: Annotated[float | str, Field(union_mode="left_to_right")] = 0.0
    is_: Literal["<", "<=", "==", "!=", ">", ">="] | None = Field(None, alias="is")
    along: str = ""
    rising: list[Scalar] = []
    each: list[str] = []
    refuted: str = ""

    @field_validator("tolerance")
    @classmethod
    def _tolerance(cls, value: float | str) -> float | str:
        number = str(value).removesuffix("%").strip()
        try:
            good = 0 <= float(number) < math.inf
        except ValueError:
            good = False
        if not good:
            raise ValueError('must be a number >= 0, or a share of the expected value such as "3 %"')
        return value

    @model_validator(mode="after")
    def _one_form(self) -> Claim:
        forms = [self.expected is not None, self.is_ is not None, bool(self.along or self.rising)]
        if sum(forms) != 1:
            raise ValueError("must have exactly one of: expected, is, along with rising")
        if self.is_ and self.to is None:
            raise ValueError("`is` needs `to`")
        if bool(self.along) != bool(self.rising):
            raise ValueError("needs both `along` and `rising`")
        if self.as_ != "value" and self.to is None:
            raise ValueError(f'as = "{self.as_}" needs `to`')
        return self


#: Kinds of charts over any columns; evaluators add others.
PLAIN = tuple(kind.name for kind in KINDS if not kind.polar)


class Chart(Strict):
    """A figure of the report, also written as PNG and SVG."""

    title: str
    kind: str = "line"
    x: str = ""
    y: str = ""
    series: str | list[str] = []
    facet: str = ""
    where: Where = {}
    table: str = ""
    aggregate: Aggregate = "median"
    band: bool | Literal["deciles"] = True
    log: list[Literal["x", "y"]] = []
    x_label: str = ""
    y_label: str = ""
    caption: Text = ""


class TableSpec(Strict):
    """A table of the report: plain columns, or `values` spread over the values of `across`."""

    title: str
    columns: list[str] = []
    rows: list[str] = []
    across: str = ""
    values: str = ""
    aggregate: Aggregate = "median"
    where: Where = {}
    table: str = ""
    caption: Text = ""

    @model_validator(mode="after")
    def _one_form(self) -> TableSpec:
        if bool(self.columns) == bool(self.rows):
            raise ValueError("must have either columns, or rows with values")
        if self.rows and not self.values:
            raise ValueError("`rows` needs `values`")
        return self


class Drawing(Strict):
    """A picture of a network, with the ranks of a job where a placement is given."""

    title: str = ""
    network: str
    ranks: Annotated[int, Field(ge=0)] = 0
    placement: str = "linear"
    order: str = "draw"
    layout: str = "auto"
    caption: Text = ""


class Compare(Strict):
    """A column set against the row that differs only in the axis values of `baseline`, and in the axes `ignoring`.

    With `to` in place of `baseline`, against another column of the same row, which may be derived before it.
    """

    column: str
    to: str = ""
    baseline: dict[str, Scalar] = {}
    ignoring: list[str] = []
    as_: Literal["percent-less", "ratio", "difference"] = Field("percent-less", alias="as")
    name: Name

    @model_validator(mode="after")
    def _one_form(self) -> Compare:
        if bool(self.to) == bool(self.baseline):
            raise ValueError("must have either baseline, or to with another column")
        return self


class Performance(Strict):
    """The tables `rates` and `performance`: runs against those that differ in the axes of `baseline`.

    Columns of the evaluation hold the time and the bytes; weights are by the label of the axis `workload`.
    """

    baseline: Annotated[dict[str, Scalar], Field(min_length=1)]
    ignoring: list[str] = []
    weights: dict[str, Annotated[Finite, Field(ge=0)]] = {}
    models: list[str] = []
    time: str = "time_s"
    bytes: str = "total_bytes"


class Best(Strict):
    """What an experiment comes to: the run with the least, or the most, of a column, in each group of `each`.

    Without `most` it is what is better of the column, and the least where neither is.
    """

    column: str
    each: list[str] = []
    where: Where = {}
    table: str = ""
    most: bool | None = None


class Reading(Strict):
    """What is said of the rows of each group together."""

    each: list[str] = []
    where: Where = {}
    table: str = ""

    def asked(self) -> dict[str, list[str]]:
        """Columns that it reads, by key."""
        raise NotImplementedError


class Correlate(Reading):
    """How closely two columns go together; or one column between two values of an axis, rows paired by `by`."""

    columns: list[str]
    between: dict[str, list[Scalar]] = {}
    by: list[str] = []

    @model_validator(mode="after")
    def _one_form(self) -> Correlate:
        if not self.between and (len(self.columns) != 2 or self.by):
            raise ValueError('must be two columns, such as ["time_s", "bandwidth_bytes_per_s"], without by')
        pairs = [values for values in self.between.values() if len(values) == 2]
        if self.between and not (len(self.columns) == len(self.between) == len(pairs) == 1 and self.by):
            words = 'between = { workload = ["splatt", "alltoall:pairwise"] }, by = ["order"]'
            raise ValueError(f"must have one column, one axis with two values and the axes that pair rows: {words}")
        return self

    def asked(self) -> dict[str, list[str]]:
        return {"columns": self.columns, "between": list(self.between), "by": self.by}


def _pair(raw: object) -> object:
    """`correlate = ["a", "b"]` is one pair of columns."""
    plain = isinstance(raw, list) and bool(raw) and all(isinstance(name, str) for name in raw)
    return [{"columns": raw}] if plain else raw


class Saturation(Reading):
    """From which value of `along` doubling it gains less than `percent` of a column."""

    column: str
    along: str
    percent: Annotated[float, Field(gt=0, lt=100)] = 5.0
    most: bool | None = None

    def asked(self) -> dict[str, list[str]]:
        return {"column": [self.column], "along": [self.along]}


class Combine(Reading):
    """Whether two causes take as long together as the slower one, or as both in sum.

    `free` has for each of the two axes the value at which it costs nothing.
    """

    column: str
    free: dict[str, Scalar]

    @field_validator("free")
    @classmethod
    def _two(cls, value: dict[str, Scalar]) -> dict[str, Scalar]:
        if len(value) != 2:
            raise ValueError("must have two axes, each with the value that costs nothing: { gbps = 1000, delay = 0 }")
        return value

    def asked(self) -> dict[str, list[str]]:
        return {"column": [self.column], "free": list(self.free)}


class Emit(Strict):
    """Rank files of the best run, or of each best run among those that agree in the columns of `each`."""

    formats: Annotated[list[str], Field(min_length=1)]
    by: str = "total_hops"
    most: bool | None = None
    each: list[str] = []
    where: Where = {}


class Experiment(Strict):
    """One evaluation over the product of its axes."""

    name: Name
    title: str = ""
    about: Text = ""
    evaluate: str
    options: dict[str, Any] = {}
    axes: Axes = {}
    zip: dict[str, Annotated[list[dict[str, object]], Field(min_length=1)]] = {}
    jobs: dict[Name, Annotated[list[dict[str, object]], Field(min_length=1, max_length=10_000)]] = {}
    only: list[Where] = []
    exclude: list[Where] = []
    skip_unsupported: bool = False
    compare: list[Compare] = []
    performance: Performance | None = None
    best: list[Best] = []
    correlate: Annotated[list[Correlate], BeforeValidator(_pair)] = []
    saturation: list[Saturation] = []
    combine: list[Combine] = []
    chart: list[Chart] = []
    table: list[TableSpec] = []
    claim: list[Claim] = []
    drawing: list[Drawing] = []
    emit: Emit | None = None
    measured: str = ""


class Measure(Strict):
    """A column of an experiment, one number for each value of the chart's `by`."""

    experiment: str
    column: str
    table: str = ""
    where: Where = {}
    aggregate: Aggregate = "median"
    label: str = ""
    most: bool | None = None


class Across(Strict):
    """A chart over several experiments: two measures as a Pareto front, three or more as a radar."""

    title: str
    kind: Literal["pareto", "radar"]
    by: Annotated[list[str], Field(min_length=1)]
    measures: Annotated[list[Measure], Field(min_length=2, max_length=12)]
    baseline: list[Scalar] = []
    caption: Text = ""

    @model_validator(mode="after")
    def _as_many_as_drawn(self) -> Across:
        if self.kind == "pareto" and (len(self.measures) != 2 or any(m.most for m in self.measures)):
            raise ValueError("a Pareto front has two measures, of both of which less is better")
        if self.kind == "radar" and len(self.measures) < 3:
            raise ValueError("a radar has at least three measures")
        if self.baseline and (self.kind != "radar" or len(self.baseline) != len(self.by)):
            raise ValueError("baseline, of a radar alone, has one value for each axis of by")
        return self


class Study(Strict):
    """A whole study file."""

    title: str
    about: Text = ""
    plugins: list[str] = []
    experiment: Annotated[list[Experiment], Field(min_length=1)]
    chart: list[Across] = []
