"""Scenarios into files: one folder, plain names, nothing overwritten unless it is asked twice."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

from ..base import files
from ..base.errors import Fault, NetloomError
from ..evaluate import evaluator
from ..mapping.rank_files import emitted
from ..scenario import Question, Scenario
from .codes import BAD_NAME
from .commands import COMMANDS

#: What a file may be called: no folder, no hidden file, no other ending.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,60}\.toml")


def save(scenario: Scenario, bound: Question, folder: Path, name: object, replace: bool) -> dict[str, object]:
    """Write a scenario as TOML, and a mapping of ranks as the rank file `NAME.ranks.csv` next to it.

    Parameters
    ----------
    bound
        The scenario as an evaluator of one job sees it, where it holds a mapping.
    folder
        The only one that is written to.
    name
        Of the file, ending in ``.toml``.
    replace
        True: a file of that name may be there.

    Returns
    -------
    dict
        `files` written, and `commands` that evaluate them.

    Raises
    ------
    NetloomError
        `NL-X205` for another name, or a file that is there; `NL-X003`.
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        expected = "letters, digits, points and hyphens, ending in .toml"
        raise NetloomError([Fault(BAD_NAME, "name", expected, str(name)[:80])])
    path = folder / name
    table = folder / f"{path.stem}.ranks.csv"
    mapped = isinstance(scenario["mapping"], list)
    written = [path, *([table] if mapped else [])]
    for one in written:
        _require_free(one, replace)
    made = _moved(scenario, folder)
    if mapped:
        made = made.but(mapping=table.name)
        files.write(table, emitted("csv", bound.site.slots, bound.place.start, bound.site.cores), over_input=replace)
    files.write(path, made.to_toml().encode(), over_input=replace)
    return {"files": [one.name for one in written], "folder": str(folder), "commands": _commands(made, path)}


def _require_free(path: Path, replace: bool) -> None:
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise NetloomError(
            [Fault(BAD_NAME, path.name, "is a link or a folder: it is not written", "", "choose another")]
        )
    if path.exists() and not replace:
        hint = "save again to replace it, or choose another name"
        raise NetloomError([Fault(BAD_NAME, path.name, "is there already", "", hint)])


def _moved(scenario: Scenario, folder: Path) -> Scenario:
    """File names relative to where the scenario is written."""
    said = scenario.to_dict()
    for name in ("network", "workload", "jobs", "mapping", "calibration"):
        value = said.get(name)
        if isinstance(value, str) and value and not value.endswith(")") and files.is_file(scenario.folder / value):
            said[name] = os.path.relpath((scenario.folder / value).resolve(), folder)
    return Scenario.from_dict(said, folder)


def _commands(scenario: Scenario, path: Path) -> list[str]:
    """One per evaluator that takes all that was given."""
    found = []
    for name in COMMANDS.values():
        known = {axis.name for axis in evaluator(name).axes}
        if set(scenario) <= known:
            found.append(shlex.join(["netloom", "evaluate", os.path.relpath(path), "-e", name]))
    return found
