"""One page that links the reports of several studies, with what each comes to."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from .. import __version__
from ..base import files
from ..base.errors import Fault, NetloomError
from ..report.markup import escape
from .codes import NO_SUMMARY

STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
a{color:#0b5394}article{border-top:1px solid #bbb;padding:1rem 0;overflow:auto}h2{margin:0 0 .3rem}
li{margin:.2rem 0}img{max-width:100%;height:auto;background:#fff}small{color:#555}
@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}a{color:#8ab4f8}small{color:#aaa}}
"""


def write_index(folders: Sequence[str | Path], path: str | Path) -> Path:
    """Write the page that links the studies in these output folders, in this order.

    Parameters
    ----------
    folders
        Output folders of `netloom run`.
    path
        The page; links and pictures are relative to its folder.

    Raises
    ------
    NetloomError
        `NL-S030` for a folder that holds no finished study; `NL-X003` if the page cannot be written.

    Notes
    -----
    Of each study: title, what it comes to, verdicts on its claims, first picture. O(bytes of the summaries).
    """
    page = Path(path)
    made: list[str] = []
    faults: list[Fault] = []
    for folder in map(Path, folders):
        try:
            made.append(_article(folder, os.path.relpath(folder, page.parent)))
        except NetloomError as error:
            faults += error.faults
    if faults:
        raise NetloomError(faults)
    title = "netloom: reports"
    text = (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><style>{STYLE}</style></head>\n'
        f"<body><main><h1>Reports</h1>\n{''.join(made)}</main>"
        f"<footer><small>netloom {escape(__version__)}</small></footer></body></html>\n"
    )
    files.write(page, text.encode())
    return page


def _article(folder: Path, link: str) -> str:
    found = summary_of(folder / "summary.json")
    title = escape(found.get("study") or folder.name)
    to = quote(Path(link).as_posix() + "/")
    said = "".join(f"<li>{escape(line)}</li>" for line in _lines(found))
    return (
        f'<article><h2><a href="{to}report.html">{title}</a></h2>{f"<ul>{said}</ul>" if said else ""}'
        f"{_picture(folder, found, to, title)}{_verdicts(found)}</article>\n"
    )


def _lines(found: Mapping[str, object]) -> list[str]:
    answered = found.get("answers")
    rows = [row for row in answered if isinstance(row, dict)] if isinstance(answered, list) else []
    return [f"{row.get('title', '')}: {row.get('says', '')}" for row in rows]


def _picture(folder: Path, found: Mapping[str, object], to: str, title: str) -> str:
    named = found.get("files")
    pictures = [name for name in named if str(name).endswith(".png")] if isinstance(named, list) else []
    for name in map(str, pictures):
        if ".." not in name and (folder / name).is_file():
            return (
                f'<a href="{to}report.html"><img loading="lazy" src="{to}{quote(name)}" alt="{title}: first chart"></a>'
            )
    return ""


def _verdicts(found: Mapping[str, object]) -> str:
    claims = found.get("claims")
    counts: dict[str, int] = {}
    for claim in claims if isinstance(claims, list) else []:
        verdict = str(claim.get("verdict", "")) if isinstance(claim, dict) else ""
        counts[verdict] = counts.get(verdict, 0) + 1
    words = ", ".join(f"{count} {escape(verdict)}" for verdict, count in counts.items())
    return f"<p><small>claims: {words}</small></p>" if words else ""


def summary_of(path: Path) -> dict[str, object]:
    """The `summary.json` of a finished study.

    Raises
    ------
    NetloomError
        `NL-S030` if it is absent or none.
    """
    try:
        found = json.loads(files.read(path))
    except (ValueError, RecursionError):
        found = None
    except NetloomError as error:
        raise NetloomError([_missing(str(path))]) from error
    if not isinstance(found, dict):
        raise NetloomError([_missing(str(path))])
    return found


def _missing(place: str) -> Fault:
    return Fault(
        NO_SUMMARY, place, "the summary of a finished study", "", "run it first: netloom run STUDY.toml -o FOLDER"
    )
