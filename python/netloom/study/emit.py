"""Rank files of the best runs, as launchers take them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from .. import _core, files
from ..errors import NetloomError
from .calls import Calls, head
from .evaluations.base import Evaluation
from .plan import Run
from .scenario import Scenario
from .tables import Outcome
from .workshop import Workshop

#: A network that has what the formats ask for, to try their arguments on before anything runs.
_TRIAL = "torus(2,2,2,2,2)"


def check_format(text: str) -> None:
    """Whether the call text names a rank file format with arguments that it takes.

    Raises
    ------
    NetloomError
        What is wrong with it.
    """
    network = _core.Network.build(_TRIAL)
    rank_file(text, network, _core.place(network, 2, "linear", "draw"))


def rank_file(text: str, network: _core.Network, mapping: Any) -> bytes:
    """A mapping in a rank file format.

    Raises
    ------
    NetloomError
        What is wrong with the format or its arguments.
    """
    name = head(text)
    # Among formats, `slurm` is the file of the network; where a mapping is to be written, there is but one for Slurm.
    return _core.emit("slurm-arbitrary" + text.strip()[len(name) :] if name == "slurm" else text, network, mapping)


#: Names that a launcher looks for, or that tell people what is inside.
_FILES = {"cray": "MPICH_RANK_ORDER", "csv": "ranks.csv", "bgq": "bgq.map"}


def file_name(text: str) -> str:
    """Name of the file that a format is written to: `rankfile.txt`, `MPICH_RANK_ORDER`."""
    return _FILES.get(head(text), slug(head(text)) + ".txt")


def slug(text: Any) -> str:
    """Letters, digits and hyphens: safe in a file name everywhere."""
    made = re.sub(r"[^A-Za-z0-9.]+", "-", str(text)).strip("-.")[:80]
    return made or "x"


def best(outcome: Outcome) -> list[tuple[dict[str, Any], Run]]:
    """The run with the smallest value of `by` in every group; the first of equals."""
    emit = outcome.part.spec.emit
    assert emit is not None
    chosen: dict[tuple[Any, ...], tuple[float, dict[str, Any], Run]] = {}
    for row, run in zip(outcome.table.rows, outcome.runs, strict=True):
        value = row.get(emit.by)
        if not isinstance(value, (int, float)) or not _fits(row, emit.where):
            continue
        key = tuple(row.get(name) for name in emit.each)
        if key not in chosen or value < chosen[key][0]:
            chosen[key] = (value, {name: row.get(name) for name in emit.each}, run)
    return [(group, run) for _, group, run in chosen.values()]


def _fits(row: dict[str, Any], where: dict[str, Any]) -> bool:
    from ..results.table import matches

    return matches(row, where)


def write_ranks(outcome: Outcome, calls: Calls, folder: Path, progress: Any) -> list[Path]:
    """Write the rank files of an experiment; its best mappings are computed again, since tables do not hold them.

    Returns
    -------
    list of Path
        `folder/<group>/<file_name>`.
    """
    emit = outcome.part.spec.emit
    if emit is None:
        return []
    workshop = Workshop(calls)
    written: list[Path] = []
    for group, run in best(outcome):
        scenario = _scenario(outcome.part.evaluation, run, workshop, progress)
        home = folder.joinpath(*[slug(value) for value in group.values()])
        for text in emit.formats:
            path = home / file_name(text)
            files.write(path, rank_file(text, scenario.network, scenario.mapping))
            written.append(path)
    return written


def _scenario(evaluation: Evaluation, run: Run, workshop: Workshop, progress: Any) -> Scenario:
    return Scenario(evaluation, run.values, run.extra, workshop, progress)


def try_formats(texts: list[str]) -> list[tuple[int, NetloomError]]:
    """Positions of the format texts that do not work, with the reason."""
    wrong = []
    for i, text in enumerate(texts):
        try:
            check_format(text)
        except NetloomError as error:
            wrong.append((i, error))
    return wrong
