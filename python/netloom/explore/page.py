"""The page as one text: parts of the folder `assets`, and data that they start from."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files as resources
from pathlib import Path

from .. import _core
from ..plot.style import HEAT_STOPS, PALETTE
from ..report.markup import embed, escape
from ..scenario import Scenario
from .choices import fields

#: In the order in which they use each other.
_SCRIPTS = ("words.js", "fields.js", "drawing.js", "answers.js", "explore.js")


def page(start: Scenario, folder: Path | None = None, still: Mapping[str, object] | None = None) -> str:
    """The page as HTML that loads nothing.

    Parameters
    ----------
    start
        The scenario that it shows first.
    folder
        Where it saves.
    still
        Answers for a page without a server; None: it asks the server that it came from.
    """
    style, script, frame = _assets()
    data = {
        "start": start.to_dict(),
        "fields": fields() if still is None else {"axes": fields()["axes"], "calls": {}, "calibrations": []},
        "folder": "" if folder is None else str(folder),
        "still": still,
        "heat": HEAT_STOPS,
        "palette": PALETTE,
    }
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    policy = f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; base-uri 'none'"
    policy += "; form-action 'none'"
    if still is None:
        policy += "; connect-src 'self'"
    holes = {
        "POLICY": policy,
        "VERSION": escape(_core.version()),
        "STYLE": style,
        "DATA": embed(data),
        "SCRIPT": script,
    }
    parts = frame.split("@")
    return "".join(part if at % 2 == 0 else holes[part] for at, part in enumerate(parts))


@cache
def _assets() -> tuple[str, str, str]:
    """Style, scripts and frame."""
    home = resources(__package__).joinpath("assets")
    style, frame, *scripts = (
        home.joinpath(name).read_text(encoding="utf-8") for name in ("explore.css", "explore.html", *_SCRIPTS)
    )
    return style, "\n" + "".join(scripts), frame
