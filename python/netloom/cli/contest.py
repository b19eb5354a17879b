"""What `netloom map` shows of the mappings that its methods propose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .output import emit_facts, emit_table, note, show

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..evaluate.candidates import Candidate
    from ..evaluate.decision import Decision

#: Numbers of a candidate by which no rung decides: the line of the summary, the head of the table.
COUNTED = {
    "inter_node_bytes": ("bytes between nodes", "between nodes"),
    "hop_bytes": ("bytes times hops", "bytes x hops"),
}


def shown() -> dict[str, tuple[str, str]]:
    """Numbers of a candidate, simulated ones first: the line of the summary, the head of the table."""
    from ..evaluate.rungs import of_mappings

    def head(words: str, line: str) -> tuple[str, str]:
        return line, words if line.startswith("time of ") else line

    by_time = sorted(of_mappings(), key=lambda rung: not rung.simulated)
    return {rung.decides: head(rung.words, rung.number[0]) for rung in by_time} | COUNTED


def as_text(key: str) -> Callable[[float], str]:
    """How a number of a candidate is written."""
    from ..base.quantities import amount_text, time_text

    return time_text if key.endswith("_s") else amount_text


def facts(found: Decision, files: list[str]) -> dict[str, str]:
    """The summary: before and after, the bound, why, and how sure it is."""
    from ..base.winner import tells
    from ..evaluate.methods import ASK

    lines: dict[str, str] = {}
    for key, (name, _) in shown().items():
        before, after = found.start.worth.get(key), found.best.worth.get(key)
        if before is None or after is None:
            continue
        text = as_text(key)
        lines[name] = f"{text(before)} before, {text(after)} after{_change(before, after)}"
        if (bound := found.bounds.get(key)) is not None and tells(bound, after):
            lines[name] += f"; no mapping is below {text(bound)}"
    more = "; --seconds tries more" if any(reason.startswith(ASK) for _, reason in found.skipped) else ""
    lines["method"] = f"{found.best.name}, of {len(found.candidates)} mappings{more}"
    return lines | reasons(found) | ({"files": ", ".join(files)} if files else {})


def reasons(found: Decision) -> dict[str, str]:
    """Why it is better, where it is, and how sure that is."""
    from ..evaluate.verdict import alternative, reason, sure

    said = {"why": reason(found), "how sure": sure(found), "or": alternative(found)}
    return {name: text for name, text in said.items() if text}


def _change(before: float, after: float) -> str:
    if before == 0 or f"{before:.6g}" == f"{after:.6g}":
        return ""
    share = 100 * (1 - after / before)
    return f", {share:.1f} % less" if share > 0 else f", {-share:.1f} % more"


def table(found: Decision) -> tuple[list[str], list[list[object]]]:
    """The candidates: the one that is taken has a star."""
    heads = shown()
    keys = [key for key in heads if any(one.worth.get(key) is not None for one in found.candidates)]

    def cells(one: Candidate) -> list[object]:
        numbers = [one.worth.get(key) for key in keys]
        return [None if n is None else as_text(key)(n) for key, n in zip(keys, numbers, strict=True)]

    rows = [[one.name + (" *" if one is found.best else ""), *cells(one)] for one in found.candidates]
    return ["mapping", *(heads[key][1] for key in keys)], rows


def named(key: str) -> str:
    """The column of a number of a candidate: its words and its unit."""
    return shown()[key][1].replace(" ", "_") + ("_s" if key.endswith("_s") else "_bytes")


def candidates(found: Decision) -> list[dict[str, object]]:
    """The mappings and their numbers, as rows of a table."""
    return [{"mapping": one.name} | {named(key): one.worth.get(key) for key in shown()} for one in found.candidates]


def emit(found: Decision, files: list[str], to_stderr: bool) -> None:
    """Summary and table on stdout; where a rank file takes it, the summary on stderr."""
    lines = facts(found, files)
    if to_stderr:
        for name, value in lines.items():
            note(f"{name}: {show(value)}")
        return
    emit_facts(lines)
    if len(found.candidates) > 1:
        click.echo()
        emit_table(*table(found))


def in_json(found: Decision) -> dict[str, object]:
    """Keys of JSON that only a contest has."""
    from ..evaluate.verdict import reason, sure

    return {
        "rung": found.rung,
        "gains": found.gains,
        "bounds": found.bounds,
        "why": reason(found),
        "sure": sure(found),
        "less_traffic": None if found.less_traffic is None else found.less_traffic.name,
        "candidates": [{"method": one.name, "chosen": one is found.best} | one.worth for one in found.candidates],
        "skipped": [{"method": name, "reason": reason} for name, reason in found.skipped],
    }
