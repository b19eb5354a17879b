"""The page: sections into HTML, parts and data written into one file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files as resources
from pathlib import Path

from ..base.errors import Fault, NetloomError
from ..base.files import write
from . import codes, payload
from .findings import claims
from .grids import table
from .head import contents, first_screen, foot, rows_of, title_of
from .markup import embed, escape, paragraphs
from .payload import on_one_scale
from .repeats import repeats
from .sections import Chart, Claims, First, NetworkView, Pair, Picture, Runs, Section, Table, Text

_SCRIPTS = (
    "echarts.min.js",
    "values.js",
    "charts.js",
    "panels.js",
    "tables.js",
    *(f"network{part}.js" for part in ("-legend", "-graph", "-matrix", "")),
)
_PNG = b"\x89PNG\r\n\x1a\n"
MAX_PICTURE = 4 * 2**20


@dataclass
class _Drawn:
    """Data of the scripts, by section."""

    charts: dict[str, payload.ChartData] = field(default_factory=dict)
    networks: dict[str, dict[str, object]] = field(default_factory=dict)


def write_report(
    path: str | Path,
    study: Mapping[str, object],
    sections: Sequence[Section],
    first: First | None = None,
    runs: Mapping[str, Runs] | None = None,
) -> Path:
    """Write a report as one HTML file that needs no network, no server and no other file.

    Parameters
    ----------
    path
        The file; it appears whole or not at all. Missing folders are made.
    study
        Facts of the page: ``title`` (required), ``summary``, ``version`` of netloom, ``hash`` of the study, ``seeds``
        (a mapping or a list), ``command`` to run it again; any others are listed after these, at the foot.
    sections
        In reading order.
    first
        The first screen: answer, numbers, picture.
    runs
        What repeats the runs that charts name, by the `source` of the charts.

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
    write(path, render_report(study, sections, first, runs).encode("utf-8"))
    return Path(path)


def render_report(
    study: Mapping[str, object],
    sections: Sequence[Section],
    first: First | None = None,
    runs: Mapping[str, Runs] | None = None,
) -> str:
    """The page of :func:`write_report` as text."""
    if not isinstance(study, Mapping) or not str(study.get("title", "")).strip():
        raise NetloomError([Fault(codes.BAD_STUDY, "report", "a report needs a title")])
    faults: list[Fault] = []
    data = _Drawn()
    opening = first or First()
    picture = ""
    if opening.picture is not None:
        picture = _tried("s0", opening.picture, data, faults, "first screen")
    body = [_tried(f"s{i}", section, data, faults, f"section {i}") for i, section in enumerate(sections, start=1)]
    again = {}
    for key, made in (runs or {}).items():
        try:
            again[key] = repeats(made)
        except NetloomError as error:
            faults += error.faults
    if faults:
        raise NetloomError(faults)
    drawn = {"look": payload.look(), "charts": data.charts, "networks": data.networks, "runs": again}
    titles = [(f"s{i}", title_of(section)) for i, section in enumerate(sections, start=1)]
    main = [
        '<a class="skip" href="#main">Skip to the answer</a>',
        contents(titles),
        '<main id="main" tabindex="-1">',
        first_screen(study, opening, picture),
        *body,
        foot(study),
        "</main>",
    ]
    return _document(study, "\n".join(filter(None, main)), drawn)


def _document(study: Mapping[str, object], body: str, drawn: Mapping[str, object]) -> str:
    parts = resources(__package__).joinpath("assets")
    scripts = [parts.joinpath(name).read_text(encoding="utf-8") for name in _SCRIPTS]
    policy = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
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
            f"<title>{escape(study['title'])}</title>",
            f"<style>\n{parts.joinpath('report.css').read_text(encoding='utf-8')}</style>",
            "</head>",
            "<body>",
            body,
            f'<script type="application/json" id="netloom-data">{embed(drawn)}</script>',
            *[f"<script>{script}</script>" for script in scripts],
            "</body>",
            "</html>",
            "",
        ]
    )


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")


def _tried(key: str, section: Section, data: _Drawn, faults: list[Fault], place: str) -> str:
    """The section as HTML; its faults are gathered with their place."""
    try:
        return _section(key, section, data)
    except NetloomError as error:
        title = getattr(section, "title", getattr(section, "label", ""))
        faults += [Fault(f.code, f"{place} ({title}): {f.place}", f.expected, f.got, f.hint) for f in error.faults]
        return ""


def _section(key: str, section: Section, data: _Drawn) -> str:
    if isinstance(section, Text):
        inner = paragraphs(section.body)
    elif isinstance(section, Table):
        inner = table(section)
    elif isinstance(section, Claims):
        inner = claims(section)
    elif isinstance(section, Chart):
        data.charts[key] = payload.chart(section)
        notes = "".join(f'<p class="note">{escape(note)}</p>' for note in data.charts[key]["notes"])
        inner = f'<div class="chart" data-chart="{key}"></div>{notes}{_files(section.files)}'
    elif isinstance(section, NetworkView):
        inner = f"{_network(key, section, data)}{_files(section.files)}"
    elif isinstance(section, Pair):
        views = [
            f"<div><h3>{escape(view.label)}</h3>{_network(f'{key}-{i}', view, data)}</div>"
            for i, view in enumerate(on_one_scale(section.views))
        ]
        inner = f'<div class="views">{"".join(views)}</div>{_files(section.files)}'
    elif isinstance(section, Picture):
        inner = f"{_picture(section)}{_files(section.files)}"
    else:
        expected = "Text, Table, Chart, NetworkView, Pair, Picture or Claims"
        raise NetloomError([Fault(codes.BAD_SECTION, "section", expected, type(section).__name__)])
    caption = getattr(section, "caption", "")
    said = f'<p class="caption">{escape(caption)}</p>' if caption else ""
    return f'<section id="{key}"><h2>{escape(title_of(section))}</h2>{said}\n{inner}\n</section>'


def _network(key: str, section: NetworkView, data: _Drawn) -> str:
    data.networks[key] = payload.network(section)
    facts = f'<dl class="facts">{rows_of(section.facts)}</dl>' if section.facts else ""
    return f'<div class="network" data-network="{key}"></div>{facts}'


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
