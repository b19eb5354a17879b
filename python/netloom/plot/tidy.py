"""From tidy columns to panels of series: what a printed figure and an interactive chart both draw."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from ..base.errors import Fault, NetloomError
from ..base.statistics import quantile
from . import codes
from .choice import switch_points
from .encoding import Encoding
from .kinds import BY_NAME
from .style import MAX_PANELS, MAX_SERIES, unit_of, words_of
from .units import unit_in, value_text

#: Most cells of a heat map and most points of a figure.
MAX_CELLS = 250_000
#: Most cells of a heat map with numbers in them.
NUMBERED = 400
#: Panels whose greatest values differ by more than this have scales of their own.
OWN_SCALE = 5.0


@dataclass(frozen=True)
class Point:
    """All values at one place of a series."""

    x: Any
    values: tuple[float, ...]
    #: From explicit columns, else the extremes of `values`.
    low: float
    high: float
    #: Numbers of the table's rows.
    rows: tuple[int, ...] = ()

    @property
    def mean(self) -> float:
        return math.fsum(self.values) / len(self.values)

    def quartiles(self) -> tuple[float, float, float, float, float]:
        """Minimum, quartiles and maximum."""
        ordered = sorted(self.values)
        least, low, middle, high, most = (quantile(ordered, share) for share in (0.0, 0.25, 0.5, 0.75, 1.0))
        return least, low, middle, high, most


@dataclass(frozen=True)
class Series:
    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Panel:
    name: str
    series: tuple[Series, ...]


@dataclass(frozen=True)
class Tidy:
    """Panels with shared axes."""

    kind: str
    panels: tuple[Panel, ...]
    #: False if x values are categories, given in order in `categories`.
    x_is_number: bool
    categories: tuple[str, ...]
    #: Rows of a heat map, in order; empty for other kinds.
    rows: tuple[str, ...]
    log_x: bool
    log_y: bool
    #: True if any point represents more than one value or has explicit limits.
    spread: bool
    notes: tuple[str, ...]
    #: Of the numbers that are drawn, by the name of their column.
    unit: str = ""
    #: Of x, a number or a category.
    x_unit: str = ""
    #: True if each panel has its own scale of y: theirs differ too much for a common one.
    own_y: bool = False
    #: 2 where all x are powers of two, else 10; of a logarithmic axis.
    base_x: int = 10
    #: Whether the cells of a heat map are few enough to have their numbers in them.
    numbers: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Series of all panels, in order of first appearance."""
        return tuple(dict.fromkeys(s.name for panel in self.panels for s in panel.series))


def columns(table: object) -> dict[str, list[object]]:
    """Plain columns of a mapping, a pyarrow table, or anything else with ``to_pydict``.

    Raises
    ------
    NetloomError
        NL-X104 if the columns differ in length.
    """
    source = table.to_pydict() if hasattr(table, "to_pydict") else table
    if not isinstance(source, Mapping):
        raise _error(codes.BAD_COLUMN, "table", "a mapping from column names to columns", type(table).__name__)
    out = {}
    for name, column in source.items():
        if isinstance(column, str) or not isinstance(column, Iterable):
            raise _error(codes.BAD_COLUMN, f"column {name}", "a sequence of values", repr(column))
        out[str(name)] = [v.item() if hasattr(v, "item") else v for v in column]
    lengths = {len(column) for column in out.values()}
    if len(lengths) > 1:
        seen = ", ".join(f"{name}: {len(column)}" for name, column in out.items())
        raise _error(codes.BAD_COLUMN, "table", "columns of one length", seen)
    return out


def tidy(kind: str, table: object, encoding: Encoding) -> Tidy:
    """Group the rows of `table` by facet, series and x, in order of first appearance.

    Parameters
    ----------
    kind
        One of :data:`netloom.plot.kinds.NAMES`.
    table
        Columns of one length. None and NaN mean that there is no value.
    encoding
        Which column is what.

    Raises
    ------
    NetloomError
        NL-X102 to NL-X106.
    """
    data = columns(table)
    encoding.check(kind, data)
    x, y, series, facet = encoding.x, encoding.y, encoding.series, encoding.facet
    value, low, high, log = encoding.value, encoding.low, encoding.high, encoding.log
    sort = BY_NAME[kind]
    height = value if sort.cells and value else y
    numbers = _numbers(height, data[height])
    lows = _numbers(low, data[low]) if low else None
    highs = _numbers(high, data[high]) if high else None
    xs = data[x]
    keep = [i for i, v in enumerate(numbers) if v is not None and _present(xs[i])]
    if not keep:
        raise _error(codes.NOTHING, f"column {height}", "no row has a value")
    as_numbers = {i: number for i in keep if _is_number(number := xs[i])} if sort.x != "names" else {}
    x_is_number = len(as_numbers) == len(keep)
    if sort.x == "numbers" and not x_is_number:
        bad = next(xs[i] for i in keep if not _is_number(xs[i]))
        raise _error(codes.BAD_COLUMN, f"column {x}", "a column of numbers", repr(bad))
    by_series = data[series] if series else [""] * len(xs)
    if sort.cells:
        by_series = data[y]
    by_facet = data[facet] if facet else [""] * len(xs)
    of_x, of_facet, of_series = (
        _unit(name, values)
        for name, values in ((x, [xs[i] for i in keep]), (facet, by_facet), (y if sort.cells else series, by_series))
    )

    # Some points stay apart: each has its row in the key.
    groups: dict[str, dict[str, dict[tuple[float | str, int], list[int]]]] = {}
    for i in keep:
        place = (float(as_numbers[i]) if x_is_number else text(xs[i], of_x), i if sort.apart else 0)
        panel = groups.setdefault(text(by_facet[i], of_facet), {})
        panel.setdefault(text(by_series[i], of_series), {}).setdefault(place, []).append(i)
    panels = []
    spread = lows is not None and highs is not None
    for name, lines in groups.items():
        made = []
        for line, places in lines.items():
            points = []
            for place, rows in places.items():
                values = tuple(v for i in rows if (v := numbers[i]) is not None)
                spread = spread or len(values) > 1
                points.append(
                    Point(
                        x=place[0],
                        values=values,
                        low=min(
                            [v for i in rows if (v := lows[i]) is not None] if lows else values, default=min(values)
                        ),
                        high=max(
                            [v for i in rows if (v := highs[i]) is not None] if highs else values, default=max(values)
                        ),
                        rows=tuple(rows),
                    )
                )
            if x_is_number and not sort.apart:
                points.sort(key=lambda p: p.x)
            made.append(Series(line, tuple(points)))
        panels.append(Panel(name, tuple(made)))
    categories = () if x_is_number else _ordered([xs[i] for i in keep], of_x)
    rows_of_heat = _ordered([data[y][i] for i in keep], of_series) if sort.cells else ()
    notes: list[str] = []
    every = [p for panel in panels for s in panel.series for p in s.points]
    log_x = "x" in log and x_is_number and _positive([p.x for p in every], x, notes)
    # Parts on top of each other add up on a linear axis only.
    log_y = "y" in log and kind not in ("area", "radar") and _positive([p.low for p in every], height, notes)
    if kind == "choice":
        notes += filter(None, (switch_points(panel, categories) for panel in panels))
    own_y = not sort.cells and not sort.polar and _apart([_range(panel, kind) for panel in panels], log_y)
    if own_y:
        notes.append(f"Each panel has its own scale of {words_of(height)}.")
    result = Tidy(
        kind=kind,
        panels=tuple(panels),
        x_is_number=x_is_number,
        categories=categories,
        rows=rows_of_heat,
        log_x=log_x,
        log_y=log_y,
        spread=spread,
        notes=tuple(notes),
        unit=unit_in((p.mean for p in every), unit_of(height)),
        x_unit=of_x,
        own_y=own_y,
        base_x=2 if log_x and _powers_of_two([p.x for p in every], of_x) else 10,
        numbers=sort.cells and len(categories) * len(rows_of_heat) <= NUMBERED,
    )
    _limits(result)
    return result


def _range(panel: Panel, kind: str) -> tuple[float, float]:
    """What the axis of a panel must span."""
    points = [p for line in panel.series for p in line.points]
    if kind == "area":
        sums: dict[object, float] = {}
        for p in points:
            sums[p.x] = sums.get(p.x, 0.0) + p.mean
        return 0.0, max(sums.values())
    return min(p.low for p in points), max(p.high for p in points)


def _apart(ranges: Sequence[tuple[float, float]], log: bool) -> bool:
    """Whether the ranges differ so much that a common axis would flatten one of them."""
    if len(ranges) < 2:
        return False
    if log:
        logs = [(math.log10(low), math.log10(high)) for low, high in ranges]
        whole = max(high for _, high in logs) - min(low for low, _ in logs)
        return whole > 3 and min(high - low for low, high in logs) < whole / 4
    sizes = [max(abs(low), abs(high)) for low, high in ranges]
    return max(sizes) > OWN_SCALE * min(sizes)


def _powers_of_two(values: Sequence[float], unit: str) -> bool:
    """Binary sizes always; ranks, nodes and other numbers where all of at least three are."""
    if unit == "bytes":
        return True
    distinct = set(values)
    return len(distinct) >= 3 and all(v >= 1 and math.frexp(v)[0] == 0.5 for v in distinct)


def _unit(column: str | None, values: Iterable[object]) -> str:
    """The unit of a column; all its sizes are binary or all are decimal."""
    return unit_in((v for v in values if _is_number(v)), unit_of(column)) if column else ""


def text(value: object, unit: str = "") -> str:
    """A category as it is shown: floats without noise, None as a dash, bytes with their unit."""
    if value is None:
        return "–"
    if unit in ("bytes", "B") and _is_number(value):
        return value_text(value, unit, 6)
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)


def _limits(made: Tidy) -> None:
    points = sum(len(s.points) for panel in made.panels for s in panel.series)
    cells = len(made.categories) * len(made.rows) * len(made.panels)
    most = max(len(panel.series) for panel in made.panels)
    faults = []
    if len(made.panels) > MAX_PANELS:
        faults.append(Fault(codes.TOO_MANY, "figure.facet", f"at most {MAX_PANELS} panels", str(len(made.panels))))
    if not BY_NAME[made.kind].cells and most > MAX_SERIES:
        faults.append(Fault(codes.TOO_MANY, "figure.series", f"at most {MAX_SERIES} series in a panel", str(most)))
    if max(points, cells) > MAX_CELLS:
        faults.append(Fault(codes.TOO_MANY, "figure", f"at most {MAX_CELLS} points or cells", str(max(points, cells))))
    if BY_NAME[made.kind].polar:
        if len(made.categories) < 3:
            faults.append(Fault(codes.NOTHING, "radar", "at least three measures", str(len(made.categories))))
        beyond = [v for panel in made.panels for s in panel.series for p in s.points for v in p.values if v < 0]
        if beyond:
            expected = "numbers >= 0, of which 1 is the best or what others are relative to"
            faults.append(Fault(codes.BAD_COLUMN, "radar", expected, f"{beyond[0]:g}"))
    if faults:
        raise NetloomError(faults)


def _numbers(name: str | None, column: Sequence[object]) -> list[float | None]:
    out: list[float | None] = []
    for i, value in enumerate(column):
        if value is None or (isinstance(value, float) and math.isnan(value)):
            out.append(None)
        elif _is_number(value):
            out.append(float(value))
        else:
            raise _error(codes.BAD_COLUMN, f"column {name}, row {i}", "a finite number", repr(value))
    return out


def _is_number(value: object) -> TypeGuard[float]:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def _present(value: object) -> bool:
    return value is not None and not (isinstance(value, float) and math.isnan(value))


def _ordered(values: Sequence[object], unit: str) -> tuple[str, ...]:
    """Categories once: ascending if they are numbers, else as they first appear."""
    once = list(dict.fromkeys(values))
    if all(_is_number(v) for v in once):
        once.sort()
    return tuple(dict.fromkeys(text(v, unit) for v in once))


def _positive(values: list[float], name: str, notes: list[str]) -> bool:
    if all(v > 0 for v in values):
        return True
    notes.append(f"The axis of {name} is linear: it has values that are not above 0.")
    return False


def _error(code: str, place: str, expected: str, got: str = "") -> NetloomError:
    return NetloomError([Fault(code, place, expected, got)])
