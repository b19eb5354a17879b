"""Rank files of the best runs, as launchers take them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ..base import files
from ..base.errors import NetloomError
from ..evaluate import bound_of
from ..mapping.commands import paired
from ..mapping.rank_files import check_format, emitted, file_name, ports_of, slug
from ..results.table import matches
from ..scenario import Calls, Workshop
from .runs import Run
from .tables import Outcome


@dataclass
class RankFiles:
    """The best run of a group, and the files of its mapping relative to the output folder."""

    group: dict[str, object]
    run: Run
    by: str
    value: float
    names: list[str] = field(default_factory=list)

    def words(self) -> str:
        """Which run it is, and how good."""
        labels = self.group | {k: v for k, v in self.run.labels.items() if k not in self.group}
        value = int(self.value) if float(self.value).is_integer() else self.value
        return ", ".join(f"{key} {label}" for key, label in labels.items()) + f" ({self.by} {value})"


def best(outcome: Outcome) -> list[RankFiles]:
    """The run with the best value of `by` in every group; the first of equals."""
    emit = outcome.part.spec.emit
    assert emit is not None
    chosen: dict[tuple[object, ...], RankFiles] = {}
    for row, run in zip(outcome.table.rows, outcome.runs, strict=True):
        value = row.get(emit.by)
        if not isinstance(value, (int, float)) or not matches(row, emit.where):
            continue
        key = tuple(row.get(name) for name in emit.each)
        known = chosen.get(key)
        if known is None or (value > known.value if emit.most else value < known.value):
            chosen[key] = RankFiles({name: row.get(name) for name in emit.each}, run, emit.by, value)
    return list(chosen.values())


def write_ranks(outcome: Outcome, calls: Calls, out: Path, progress: Callable[[int, int], object]) -> list[RankFiles]:
    """Write the rank files of an experiment; its best mappings are computed again, since tables do not store them.

    Returns
    -------
    list of RankFiles
        With the files `out/ranks/<experiment>/<group>/<file_name>`.
    """
    emit = outcome.part.spec.emit
    if emit is None:
        return []
    workshop = Workshop(calls)
    chosen = best(outcome)
    for item in chosen:
        bound = bound_of(outcome.part.evaluation, item.run.scenario(calls.folder), workshop, progress)
        alike = bound.site.node is None or bound.site.node.seats <= 1
        home = Path("ranks", outcome.part.spec.name, *[slug(value) for value in item.group.values()])
        for text in paired(emit.formats):
            path = home / file_name(text)
            ports = ports_of(text, bound.network, bound.site.node)
            files.write(
                out / path, emitted(text, bound.site.slots, bound.place.slot_of_rank, bound.site.cores, alike, ports)
            )
            item.names.append(path.as_posix())
    return chosen


def try_formats(texts: list[str]) -> list[tuple[int, NetloomError]]:
    """Positions of the format texts that do not work, with the reason."""
    wrong = []
    for i, text in enumerate(texts):
        try:
            check_format(text)
        except NetloomError as error:
            wrong.append((i, error))
    return wrong
