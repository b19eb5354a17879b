"""The page: sections into HTML, parts and data written into one file."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files as resources
from pathlib import Path

from ..base.errors import Fault, NetloomError
from ..base.files import write
from ..plot.style import axis_label, unit_of
from . import codes, payload
from .markup import embed, escape, number, paragraphs
from .sections import VERDICTS, Chart, Claims, NetworkView, Picture, Section, Table, Text

_SCRIPTS = ("echarts.min.js", "charts.js", "tables.js", "network.js")
_PNG = b"\x89PNG\r\n\x1a\n"
MAX_PICTURE = 4 * 2**20
#: Texts beyond so many letters get a column of some width.
LONG = 60
#: Facts with a fixed place; all others follow in the given order.
_KNOWN = ("title", "summary", "version", "hash", "seeds", "command")


@dataclass
class _Drawn:
    """Data of the scripts, by section."""

    charts: dict[str, payload.ChartData] = field(default_factory=dict)
    networks: dict[str, dict[str, object]] = field(default_factory=dict)


def write_report(path: str | Path, study: Mapping[str, object], sections: Sequence[Section]) -> Path:
    """Write a report as one HTML file that needs no network, no server and no other file.

    Parameters
    ----------
    path
        The file; it appears whole or not at all. Missing folders are made.
    study
        Facts for the head of the page: ``title`` (required), ``summary``, ``version`` of netloom, ``hash`` of the
        study, ``seeds`` (a mapping or a list), ``command`` to run it again; any others are listed after these.
    sections
        In reading order.

    Returns
    -------
    pathlib.Path
        `path`.

    Raises
    ------
    NetloomError
        Faults of the sections (NL-X102 to NL-X107, NL-X111), of the facts (NL-X112), of writing (NL-X003).

    Notes
    -----
    The bytes depend on the arguments and on netloom's version alone. About 1.2 MB and what the sections hold; cost
    linear in that.
    """
    write(path, render_report(study, sections).encode("utf-8"))
    return Path(path)


def render_report(study: Mapping[str, object], sections: Sequence[Section]) -> str:
    """The page of :func:`write_report` as text."""
    if not isinstance(study, Mapping) or not str(study.get("title", "")).strip():
        raise NetloomError([Fault(codes.BAD_STUDY, "report", "a report needs a title")])
    faults: list[Fault] = []
    data = _Drawn()
    body = []
    for i, section in enumerate(sections, start=1):
        try:
            body.append(_section(f"s{i}", section, data))
        except NetloomError as error:
            title = getattr(section, "title", getattr(section, "label", ""))
            faults += [
                Fault(f.code, f"section {i} ({title}): {f.place}", f.expected, f.got, f.hint) for f in error.faults
            ]
    if faults:
        raise NetloomError(faults)
    parts = resources(__package__).joinpath("assets")
    scripts = [parts.joinpath(name).read_text(encoding="utf-8") for name in _SCRIPTS]
    policy = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    drawn = {"look": payload.look(), "charts": data.charts, "networks": data.networks}
    title = escape(study["title"])
    contents = "".join(f'<li><a href="#s{i}">{escape(_title(s))}</a></li>' for i, s in enumerate(sections, start=1))
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data: blob:; '
            f"style-src 'unsafe-inline'; script-src {policy}; base-uri 'none'; form-action 'none'\">",
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta name="generator" content="netloom {escape(study.get("version", ""))}">',
            f"<title>{title}</title>",
            f"<style>\n{parts.joinpath('report.css').read_text(encoding='utf-8')}</style>",
            "</head>",
            "<body>",
            _head(study),
            f'<nav aria-label="Contents"><ol>{contents}</ol></nav>' if len(sections) > 1 else "",
            "<main>",
            *body,
            "</main>",
            f"<footer>Made by netloom {escape(study.get('version', ''))}. This file stands alone: it loads nothing."
            "</footer>",
            f'<script type="application/json" id="netloom-data">{embed(drawn)}</script>',
            *[f"<script>{script}</script>" for script in scripts],
            "</body>",
            "</html>",
            "",
        ]
    )


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")


def _title(section: Section) -> str:
    return section.label if isinstance(section, NetworkView) else section.title


def _head(study: Mapping[str, object]) -> str:
    facts = {"netloom": study.get("version"), "study hash": study.get("hash"), "seeds": study.get("seeds")}
    facts.update({str(key): value for key, value in study.items() if key not in _KNOWN})
    rows = "".join(
        f"<div><dt>{escape(key)}</dt><dd>{escape(_plain(value))}</dd></div>"
        for key, value in facts.items()
        if value not in (None, "", [], {})
    )
    out = [f"<header><h1>{escape(study['title'])}</h1>"]
    if study.get("summary"):
        out.append(paragraphs(str(study["summary"])))
    out.append(f'<dl class="facts">{rows}</dl>')
    if study.get("command"):
        out.append(f'<p class="again">Run it again: <code>{escape(study["command"])}</code></p>')
    return "\n".join([*out, "</header>"])


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{k}: {number(v)}" for k, v in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(number(v) for v in value)
    return number(value)


def _section(key: str, section: Section, data: _Drawn) -> str:
    if isinstance(section, Text):
        inner = paragraphs(section.body)
    elif isinstance(section, Table):
        inner = _table(section)
    elif isinstance(section, Claims):
        inner = _claims(section)
    elif isinstance(section, Chart):
        data.charts[key] = payload.chart(section)
        notes = "".join(f'<p class="note">{escape(note)}</p>' for note in data.charts[key]["notes"])
        inner = f'<div class="chart" data-chart="{key}"></div>{notes}{_files(section.files)}'
    elif isinstance(section, NetworkView):
        data.networks[key] = payload.network(section)
        inner = f'<div class="network" data-network="{key}"></div>{_facts(section.facts)}{_files(section.files)}'
    elif isinstance(section, Picture):
        inner = f"{_picture(section)}{_files(section.files)}"
    else:
        expected = "Text, Table, Chart, NetworkView, Picture or Claims"
        raise NetloomError([Fault(codes.BAD_SECTION, "section", expected, type(section).__name__)])
    caption = getattr(section, "caption", "")
    said = f'<p class="caption">{escape(caption)}</p>' if caption else ""
    return f'<section id="{key}"><h2>{escape(_title(section))}</h2>{said}\n{inner}\n</section>'


def _picture(section: Picture) -> str:
    """The page forbids requests, so the bytes are embedded."""
    png = section.png
    if not isinstance(png, bytes) or not png.startswith(_PNG) or len(png) > MAX_PICTURE:
        got = f"{len(png)} bytes" if isinstance(png, bytes) else type(png).__name__
        expected = f"the bytes of a PNG file, at most {MAX_PICTURE}"
        raise NetloomError([Fault(codes.BAD_SECTION, "picture", expected, got)])
    data = base64.b64encode(png).decode("ascii")
    return f'<img class="picture" alt="{escape(section.title)}" src="data:image/png;base64,{data}">'


def _files(names: Sequence[str]) -> str:
    links = [f'<a href="{escape(name)}" download>{escape(Path(name).name)}</a>' for name in payload.files(names)]
    return f'<p class="files">Pictures: {" · ".join(links)}</p>' if links else ""


def _facts(facts: Mapping[str, object]) -> str:
    rows = "".join(f"<div><dt>{escape(k)}</dt><dd>{escape(_plain(v))}</dd></div>" for k, v in facts.items())
    return f'<dl class="facts">{rows}</dl>' if rows else ""


def _table(section: Table) -> str:
    names = [str(name) for name in section.columns]
    faults = [
        Fault(codes.BAD_SECTION, f"row {i}", f"{len(names)} cells long", str(len(row)))
        for i, row in enumerate(section.rows)
        if len(row) != len(names)
    ]
    if faults:
        raise NetloomError(faults[:10])
    heads = []
    for name in names:
        unit = section.units.get(name, unit_of(name))
        words = axis_label(name).rsplit(" (", 1)[0] if unit_of(name) else axis_label(name)
        shown = f'<span class="unit">{escape(unit)}</span>' if unit else ""
        heads.append(f'<th scope="col" data-name="{escape(name)}"><button>{escape(words)}</button>{shown}</th>')
    rows = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in section.rows[: section.limit])
    hidden = len(section.rows) - section.limit
    words = "row is" if hidden == 1 else "rows are"
    note = f'<p class="note">{hidden} more {words} in the study\'s table file.</p>' if hidden > 0 else ""
    name = re.sub(r"[^a-z0-9]+", "-", (section.name or section.title).lower()).strip("-") or "table"
    return (
        f'<div class="table" data-name="{name}"><div class="scroll"><table><thead><tr>{"".join(heads)}</tr></thead>'
        f"<tbody>\n{rows}\n</tbody></table></div>{note}</div>"
    )


def _cell(value: object) -> str:
    value = value.item() if hasattr(value, "item") else value
    shown = number(value)
    if shown == "–":
        return f'<td class="n" data-v="">{shown}</td>'
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        exact = "" if repr(value) == shown else f' data-v="{escape(repr(value))}"'
        return f'<td class="n"{exact}>{escape(shown)}</td>'
    kind = ' class="long"' if len(shown) > LONG else ""
    return f"<td{kind}>{escape(shown)}</td>"


def _claims(section: Claims) -> str:
    faults = [
        Fault(codes.BAD_SECTION, f"claim {claim.id}", "one of " + ", ".join(VERDICTS), repr(claim.verdict))
        for claim in section.claims
        if claim.verdict not in VERDICTS
    ]
    if faults:
        raise NetloomError(faults)
    counts = [(word, sum(c.verdict == word for c in section.claims)) for word in VERDICTS]
    total = ", ".join(f"{count} {word}" for word, count in counts if count)
    rows = "\n".join(
        f"<tr><td>{escape(c.id)}</td><td>{escape(c.statement)}"
        + (f'<span class="place">{escape(c.place)}</span>' if c.place else "")
        + f"</td><td>{escape(c.expected)}</td><td>{escape(c.got)}"
        + (f'<span class="place">{escape(c.note)}</span>' if c.note else "")
        + f'</td><td><span class="verdict v{list(VERDICTS).index(c.verdict)}">{VERDICTS[c.verdict]} {c.verdict}</span>'
        "</td></tr>"
        for c in section.claims
    )
    heads = "".join(f'<th scope="col"><button>{h}</button></th>' for h in ("id", "claim", "expected", "got", "verdict"))
    return (
        f'<p class="total">{escape(total)}</p><div class="table claims" data-name="claims"><div class="scroll"><table>'
        f"<thead><tr>{heads}</tr></thead><tbody>\n{rows}\n</tbody></table></div></div>"
    )
