"""What frames the page: the answer on the first screen, contents at the side, facts at the foot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..plot.units import value_text
from .markup import escape, inline, number, paragraphs
from .sections import First, NetworkView, Number, Section

#: Most numbers of the first screen.
NUMBERS = 6
#: Letters of a text that is as large as a number.
BIG = 8
#: Facts with a fixed place; all others follow in the given order.
KNOWN = ("title", "summary", "version", "hash", "seeds", "command")


def first_screen(study: Mapping[str, object], first: First, picture: str) -> str:
    """Title, answer, numbers, the picture; what the study is about is folded if there is an answer."""
    out = [f'<header><h1 id="top">{escape(study["title"])}</h1>']
    if first.answer:
        out.append(f'<p class="answer">{inline(first.answer)}</p>')
    if first.numbers:
        cards = "".join(map(_card, list(first.numbers)[:NUMBERS]))
        out.append(f'<dl class="numbers">{cards}</dl>')
    out.append(picture)
    summary = str(study.get("summary") or "")
    if summary and (first.answer or first.numbers):
        out.append(f'<details class="fold"><summary>About this study</summary>{paragraphs(summary)}</details>')
    elif summary:
        out.append(paragraphs(summary))
    return "\n".join([*filter(None, out), "</header>"])


def _card(item: Number) -> str:
    value = _shown(item.value, item.unit)
    if item.before is not None:
        before = _shown(item.before, item.unit)
        value = f'<span class="before">{before} <span aria-label="to">→</span></span> {value}'
    note = f'<dd class="note">{escape(item.note)}</dd>' if item.note else ""
    return f"<div><dt>{escape(item.label)}</dt><dd>{value}</dd>{note}</div>"


def _shown(value: str | float, unit: str) -> str:
    """In HTML: a number and its unit stay on one line, a long text has smaller letters."""
    if not isinstance(value, str):
        return f'<span class="whole">{escape(value_text(value, unit))}</span>'
    return escape(value) if len(value) <= BIG else f'<span class="small">{escape(value)}</span>'


def contents(titles: Sequence[tuple[str, str]]) -> str:
    """Links to the sections, those of one experiment (``"Price: all runs"`` after ``"Price"``) below its name."""
    items: list[str] = []
    parents: list[str] = []
    for key, title in titles:
        parent = next((name for name in reversed(parents) if title.startswith(f"{name}: ")), "")
        inner = bool(parent)
        if not inner:
            parents.append(title)
        shown = title.removeprefix(f"{parent}: ") if inner else title
        items.append(f'<li{" class=inner" if inner else ""}><a href="#{key}">{escape(shown)}</a></li>')
    if len(titles) < 2:
        return ""
    return (
        '<aside class="side"><details open><summary>Contents</summary>'
        f'<nav aria-label="Contents"><ol><li><a href="#top">Answer</a></li>{"".join(items)}</ol></nav>'
        "</details></aside>"
    )


def foot(study: Mapping[str, object]) -> str:
    """Versions, hash, seeds and the command that makes the page again."""
    facts = {"netloom": study.get("version"), "study hash": study.get("hash"), "seeds": study.get("seeds")}
    facts.update({str(key): value for key, value in study.items() if key not in KNOWN})
    again = study.get("command")
    command = f'<p class="again">Run it again: <code>{escape(again)}</code></p>' if again else ""
    said = "This file stands alone: it loads nothing."
    return f'<footer>{command}<dl class="facts">{rows_of(facts)}</dl><p>Made by netloom. {said}</p></footer>'


def rows_of(facts: Mapping[str, object]) -> str:
    """Pairs of a list of facts, those that are known."""
    return "".join(
        f"<div><dt>{escape(key)}</dt><dd>{escape(_plain(value))}</dd></div>"
        for key, value in facts.items()
        if value is not None and value not in ("", [], {})
    )


def title_of(section: Section) -> str:
    """The heading of a section."""
    return section.label if isinstance(section, NetworkView) else section.title


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{k}: {number(v)}" for k, v in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(number(v) for v in value)
    return number(value)
