"""The page of `netloom expect`: measured, expected and bound over size, pairs as a map, findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..report import AnswerPage, Chart, Number
from .expect_record import pair_row, time_row
from .pages import facts

if TYPE_CHECKING:
    from ..expectation import Expectation

#: Curves and matrices that are drawn, and nodes of a matrix.
MOST, MOST_NODES = 8, 128


def page(found: Expectation) -> AnswerPage:
    """Of an expectation."""
    counts = found.counts()
    numbers = [Number(name, count) for name, count in counts.items() if count]
    if found.findings:
        best = found.findings[0]
        numbers.append(Number("explained by the first", f"{100 * best.explains:.0f} %", note=best.what))
    findings = [
        {"finding": one.what, "where": one.place, "what": one.says, "explains_percent": 100 * one.explains,
         "not_told_from": ", ".join(one.equal), "remedy": one.remedy}
        for one in found.findings
    ]  # fmt: skip
    rows = [time_row(one) | {"error": one.band.share} for one in found.rows] or [pair_row(one) for one in found.pairs]
    tables = {"findings": findings, "pairs" if found.pairs else "rows": rows}
    says = [
        *(f"Error, {kind}: {100 * share:.0f} %, {why}." for kind, share, why in found.bands()),
        *(f"Not used: {count} rows: {reason}." for reason, count in found.reasons().items()),
        *(f"Not `{one.what}`: {one.reason}." for one in found.left_out),
        *found.notes,
    ]
    title = f"A log held against {found.machine}" if found.machine else "Rates of pairs of nodes"
    pictures = _matrices(found) if found.pairs else _curves(found)
    return AnswerPage(title, _answer(found), numbers, pictures, counts, tables, says, (), facts())


def _answer(found: Expectation) -> str:
    things, counts = "pairs" if found.pairs else "times", found.counts()
    whole = sum(counts.values())
    slower = f"{counts['unhealthy']} of {whole} {things} are slower than they should be"
    if not found.findings:
        if counts["unhealthy"]:
            return f"{slower}, and no known fault explains them."
        return f"{counts['healthy']} of {whole} {things} are healthy."
    best = found.findings[0]
    equal = f"; the log cannot tell it from {', '.join(best.equal)}" if best.equal else ""
    return f"{slower}. `{best.what}` ({best.place}) explains {100 * best.explains:.0f} %: {best.says}{equal}."


def _curves(found: Expectation) -> list[Chart]:
    groups: dict[str, list[dict[str, object]]] = {}
    explained = dict(found.explained())
    for at, one in enumerate(found.rows):
        row = one.row
        name = f"{row.collective} on {row.nodes} x {row.ranks_per_node}"
        if row.bytes == 0:
            continue
        lines = {"measured": row.time_s, "expected": one.expected_s, "wires alone": one.bound_s}
        if at in explained:
            lines[f"expected with {found.findings[0].what}"] = explained[at]
        name += f", {row.algorithm}" if row.algorithm not in ("", "default") else ""
        groups.setdefault(name, []).extend(
            {"size_bytes": row.bytes, "time_s": time_s, "line": line} for line, time_s in lines.items()
        )
    return [
        Chart(name, "line", {key: [row[key] for row in rows] for key in rows[0]}, x="size_bytes", y="time_s",
              series="line", log="xy", x_label="size", y_label="time")
        for name, rows in list(groups.items())[:MOST]
    ]  # fmt: skip


def _matrices(found: Expectation) -> list[Chart]:
    """Matrices as maps; a pair that was measured once is on both sides."""
    groups: dict[str, dict[tuple[str, str], float]] = {}
    for one in found.pairs:
        cells = groups.setdefault(one.ran or "pairs", {})
        cells[one.source, one.target] = 100 * one.share
        cells.setdefault((one.target, one.source), 100 * one.share)
    order = list(dict.fromkeys(name for one in found.pairs for name in (one.source, one.target)))
    if len(order) > MOST_NODES:
        return []
    # The first row above, as in a matrix; from below, so that no missing diagonal puts the first column last.
    places = [(a, b) for a in reversed(order) for b in order]
    worst_first = sorted(groups.items(), key=lambda group: min(group[1].values()))
    return [
        Chart(
            f"Rates, {ran}", "heat",
            {"from": [a for a, _ in places], "to": [b for _, b in places], "share_percent": [*map(cells.get, places)]},
            x="to", y="from", value="share_percent", value_label="% of sound pairs",
        )
        for ran, cells in worst_first[:MOST]
    ]  # fmt: skip
