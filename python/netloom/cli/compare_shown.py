"""What `netloom compare` prints: the verdict, the table of networks, and what is relative to a baseline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import click

from ..base.quantities import amount_text, time_text
from ..compare.rows import unit_of
from ..compare.ties import tied
from ..compare.words import notes, spread_text, verdict
from ..scenario.ranks import alike
from .output import emit_table, note, say

if TYPE_CHECKING:
    from ..compare.rows import Asked, Compared

HEADS = ("network", "endpoints", "switches", "radix", "diameter", "aspl", "bisection/endpoint")
KEYS = ("network", "endpoints", "switches", "radix", "diameter", "aspl", "bisection_per_endpoint", "usd_per_endpoint")
#: Of each workload next to a baseline.
RELATIVE = {"time": "relative_time", "rate": "relative_rate", "rate/price": "relative_rate_per_usd"}


def show(rows: list[Compared], given: Mapping[str, object]) -> None:
    """Verdict and tables on stdout, notes on stderr."""
    for sentence in verdict(rows):
        say(sentence)
    click.echo()
    asked = [each["workload"] for each in rows[0]["workloads"]]
    unit = unit_of(rows)
    ranged = bool(asked) and "least_s" in rows[0]["workloads"][0]
    whats = ("worst link", "time", *(["spread"] if ranged else []), "rate", f"rate/{unit}")
    heads = [*HEADS, f"{unit}/endpoint", *(f"{name} {what}" for name in asked for what in whats)]
    emit_table(heads, [[*_facts(row), *(cell for each in row["workloads"] for cell in _cells(each))] for row in rows])
    for line in tied(rows):
        say(f"* {line}")
    if "baseline" in rows[0]:
        _show_relative(rows, asked)
    for said in notes(rows):
        note(f"note: {said}")
    if asked and not alike(given) and len({row["endpoints"] for row in rows}) > 1:
        note("note: the networks run different numbers of ranks, one per endpoint; --ranks N makes them equal")


def _facts(row: Compared) -> list[object]:
    known: Mapping[str, object] = {**row}
    return [known[key] for key in KEYS]


def _cells(each: Asked) -> Iterator[object]:
    """Of a workload on a network."""
    link, rate, priced = each["max_link_s"], each.get("rate_bytes_per_s"), each.get("rate_per_usd")
    yield None if link is None else time_text(link, 4)
    yield f"{time_text(each['time_s'], 4)}{'*' if each.get('tie') else ''}"
    if "least_s" in each:
        yield spread_text(each)
    yield None if rate is None else f"{amount_text(rate)}/s"
    yield None if priced is None else f"{amount_text(priced)}/s"


def _show_relative(rows: list[Compared], asked: list[str]) -> None:
    """Prices, performance and rates over those of the baseline."""
    click.echo(f"\nrelative to {rows[0]['baseline']}:")
    overall = {"phi": "phi", "efficiency": "efficiency"} if asked else {}
    table = []
    for row in rows:
        known: Mapping[str, object] = {**row}
        line = [row["network"], row.get("relative_price"), *(known.get(key) for key in overall.values())]
        for each in row["workloads"]:
            its: Mapping[str, object] = {**each}
            line += [its.get(key) for key in RELATIVE.values()]
        table.append(line)
    emit_table(["network", "price", *overall, *(f"{name} {what}" for name in asked for what in RELATIVE)], table)
