"""Gives the experiments of a plan what was measured of them."""

from __future__ import annotations

from dataclasses import replace

from ..base import files
from ..base.errors import Fault, NetloomError
from . import codes
from .measured import RATE, RATIO, TIME, Measured, Window, read
from .plan import Plan

#: The table of an evaluation that has communicators.
TABLE = "communicators"


def with_measured(plan: Plan) -> None:
    """Adds the columns of what was measured to each experiment that names a file, and its rows if the file is there.

    Raises
    ------
    NetloomError
        `NL-S031` for an evaluation without communicators, and for a file that is no such table.
    """
    source, faults = plan.loaded.source, []
    known: dict[str, list[Window]] = {}
    for part in plan.parts:
        name, of = part.spec.measured, part.evaluation
        if not name:
            continue
        if TABLE not in of.tables:
            place = source.at("experiment", part.index, "measured")
            hint = 'evaluate = "time" or "packet" has them'
            faults.append(Fault(codes.MEASURED, place, f"{of.name} has no communicators", "", hint))
            continue
        path = str(source.folder / name)
        windows: dict[str, list[Window]] | None = None
        if files.is_file(source.folder / name):
            if path not in known:
                known[path] = read(path)
            windows = {}
            for one in known[path]:
                if one.experiment == part.spec.name:
                    windows.setdefault(one.key[1], []).append(one)
        axes = tuple(axis for axis, labels in part.labels.items() if len(labels) > 1)
        part.measured = Measured(part.spec.name, name, TABLE, axes, windows)
        tables = {**of.tables, TABLE: (*of.tables[TABLE], TIME, RATE)}
        part.evaluation = replace(of, columns=(*of.columns, TIME, RATE, RATIO), tables=tables)
    if faults:
        raise NetloomError(faults)
