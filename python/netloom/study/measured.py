"""What `netloom bench-orders` measured of an experiment: one CSV, written and read here, next to predictions."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..base import files
from ..base.errors import Fault, NetloomError
from ..base.quantities import counted
from ..results import Column
from ..results.rows import Cell
from . import codes

#: Columns of the main table and of that of communicators; what is predicted of the first is in `PREDICTED`.
TIME = Column("measured_s", "s", "measured time of a call; of several communicators the mean")
RATE = Column(
    "measured_bytes_per_s", "B/s", "measured bandwidth: ranks times size over time; the mean of communicators"
)
OVER, PREDICTED = "measured_over_predicted", "bandwidth_bytes_per_s"
RATIO = Column(OVER, "", f"measured_bytes_per_s over {PREDICTED}")
#: Columns that stand side by side in the report.
BESIDE = (PREDICTED, RATE.name, OVER)
#: Of the file.
COLUMNS = ("experiment", "run", "communicator", "ranks", "bytes", "calls", "window_s")


@dataclass(frozen=True)
class Window:
    """One communicator's calls: `window_s` on its rank 0 from the first to the end of the last.

    Parameters
    ----------
    run
        The labels of the axes in which the runs of the experiment differ.
    bytes
        Ranks times the size of the collective.
    """

    experiment: str
    run: Mapping[str, Cell]
    communicator: int
    ranks: int
    bytes: int
    calls: int
    window_s: float

    @property
    def time_s(self) -> float:
        """Of one call."""
        return self.window_s / self.calls

    @property
    def key(self) -> tuple[str, str]:
        """Experiment and run."""
        return self.experiment, _key(self.run)


def _key(run: Mapping[str, Cell]) -> str:
    return json.dumps(dict(run), sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def to_csv(windows: Iterable[Window]) -> str:
    """The table of some windows; `read` gives them back."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in windows:
        cells = (one.communicator, one.ranks, one.bytes, one.calls, repr(one.window_s))
        writer.writerow((one.experiment, _key(one.run), *cells))
    return text.getvalue()


def read(path: str) -> list[Window]:
    """The windows of a file.

    Raises
    ------
    NetloomError
        `NL-S031` for what is no such table, `NL-X001` for a file that cannot be read.
    """
    text = files.read(path).decode("utf-8", "replace")
    table = csv.reader(io.StringIO(text))
    if tuple(next(table, ())) != COLUMNS:
        hint = "netloom bench-orders STUDY -o FILE writes it"
        raise NetloomError([Fault(codes.MEASURED, f"{path}:1", f"needs the columns {', '.join(COLUMNS)}", "", hint)])
    found = []
    for cells in table:
        try:
            experiment, run, *rest, window_s = cells
            number, ranks, size, calls = map(int, rest)
            made = Window(experiment, json.loads(run), number, ranks, size, calls, float(window_s))
            good = isinstance(made.run, dict) and made.calls > 0 and 0 < made.window_s < 1e9 and made.ranks > 0
        except (ValueError, TypeError):
            good = False
        if not good:
            hint = "measure it again with netloom bench-orders"
            words = "is no row of a measurement"
            raise NetloomError([Fault(codes.MEASURED, f"{path}:{table.line_num}", words, "", hint)])
        found.append(made)
    return found


@dataclass
class Measured:
    """The windows of one experiment.

    Parameters
    ----------
    file
        As the study names it.
    table
        The evaluation's table of communicators.
    axes
        Those in which runs differ: what a run is known by.
    windows
        By run; None while the file is not there.
    """

    experiment: str
    file: str
    table: str
    axes: tuple[str, ...]
    windows: dict[str, list[Window]] | None
    used: set[str] = field(default_factory=set)

    def of(self, labels: Mapping[str, Cell]) -> list[Window]:
        """Of one run."""
        key = _key({name: labels[name] for name in self.axes})
        found = (self.windows or {}).get(key, [])
        if found:
            self.used.add(key)
        return found

    def mean(self, labels: Mapping[str, Cell], predicted: Mapping[str, Cell]) -> dict[str, Cell]:
        """Cells of the main table: means over the communicators."""
        found = self.of(labels)
        if not found:
            return {}
        rate = sum(one.bytes / one.time_s for one in found) / len(found)
        cells: dict[str, Cell] = {TIME.name: sum(one.time_s for one in found) / len(found), RATE.name: rate}
        other = predicted.get(PREDICTED)
        return cells | ({OVER: rate / other} if isinstance(other, float) and other > 0 else {})

    def each(self, labels: Mapping[str, Cell]) -> dict[Cell, dict[str, Cell]]:
        """Cells of each communicator."""
        return {one.communicator: {TIME.name: one.time_s, RATE.name: one.bytes / one.time_s} for one in self.of(labels)}

    def words(self) -> str:
        """What is measured, for the report."""
        if self.windows is None:
            return f"Not measured yet: `mpirun -n RANKS netloom bench-orders STUDY -o {self.file}`."
        spare = len(self.windows) - len(self.used)
        more = f"; it has {counted(spare, 'run')} that the study lacks" if spare else ""
        return f"{counted(len(self.used), 'run')} measured, in {self.file}{more}."
