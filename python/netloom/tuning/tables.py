"""Every algorithm of a collective timed over message sizes: who wins where, and how near to the bound."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import TYPE_CHECKING, TypedDict, Unpack, cast

from .. import _core, plugin
from ..base.arguments import Arguments, require_names
from ..base.arrays import ndarray, same
from ..base.errors import Fault, NetloomError
from ..base.html import escaped, facts
from ..base.nearest import did_you_mean
from ..base.quantities import time_text
from ..base.registries import catalogue
from ..base.sizes import parse_sizes
from ..base.winner import margin_of
from ..library.codes import UNKNOWN
from ..results import Column, Table
from ..results.frames import Frames
from ..results.rows import Cell, Rows
from .bandwidth import bus_factor, total_bytes
from .bound import Where, bound_of, by_algorithm
from .budget import Effort
from .clock import Clock, Simulated, Taken
from .protocols import protocols
from .reorder import places
from .taking import Allowance, Progress, take
from .usable import require_some, usable_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..calibration import Calibration
    from ..evaluate.answers import TimeAnswer
    from ..scenario import Scenario
    from .bound import Bound
    from .reorder import Places


COLUMNS = [
    Column("collective", "", "what is promised"),
    Column("algorithm", "", "collective:algorithm with its parameters"),
    Column("ranks", "", "number of ranks"),
    Column("size_bytes", "B", "bytes as the collective's schedules take them"),
    Column("time_s", "s", "end of the last rank"),
    Column("mean_s", "s", "mean end over the ranks"),
    Column("first_s", "s", "end of the first rank"),
    Column("algbw_bytes_per_s", "B/s", "total bytes over time, as nccl-tests count them"),
    Column("busbw_bytes_per_s", "B/s", "algbw times the factor of nccl-tests"),
    Column("bound_s", "s", "cut bound: no algorithm is faster"),
    Column("bound_percent", "%", "bound over time"),
    Column("winner", "", "true for the fastest at this size"),
]


@dataclass(repr=False, eq=False)
class Timing(Frames):
    """What `time_collective` found.

    Attributes
    ----------
    table
        One row per algorithm and size, columns `COLUMNS`.
    left_out
        Algorithms that do not apply to this number of ranks, are too large on it, cannot win, or would take too long,
        with the reason; the latter may have times at some sizes.
    bound
        The cut bound per byte of size, as `cut_bound` gives it.
    elsewhere
        Algorithms without times at sizes at which they cannot win, with the reason.
    may_win
        Sizes at which algorithms of `left_out` may win: there was no time to tell.
    sizes_left_out
        Sizes at which nothing was timed, as it would take too long.
    ask
        The time of an algorithm at a size between those that were timed; None if it cannot be asked for.
    protocol
        With which protocol a library of GPUs runs an algorithm at a size, "" where it has it not; None for others.
    error
        Share by which such predictions were off, the median of measurements; None where it is not known.
    """

    collective: str
    network: str
    ranks: int
    sizes: list[int]
    table: Table
    left_out: dict[str, str]
    bound: Bound
    elsewhere: dict[str, str] = field(default_factory=dict)
    may_win: dict[str, list[int]] = field(default_factory=dict)
    sizes_left_out: list[int] = field(default_factory=list)
    ask: Callable[[str, int], float] | None = field(default=None, compare=False)
    protocol: Callable[[str, int], str] | None = field(default=None, compare=False)
    error: float | None = None

    def __repr__(self) -> str:
        best = ", ".join(f"{name} from {size} B" for size, name in switch_points(self)[:3])
        return f"<Timing of {self.collective}, {self.ranks} ranks on {self.network}: {best}>"

    def _repr_html_(self) -> str:
        rows = {f"{size:,} B": f"{name}, {time_text(took)}" for size, name, took in winners(self)}
        return f"<p><b>{escaped(f'{self.collective}, {self.ranks} ranks on {self.network}')}</b></p>{facts(rows)}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Timing) and same(self._compared(), other._compared())

    __hash__ = None  # type: ignore[assignment]

    def _compared(self) -> list[object]:
        said = [
            self.collective,
            self.network,
            self.ranks,
            self.sizes,
            self.left_out,
            self.bound,
            self.elsewhere,
            self.sizes_left_out,
        ]
        return [*said, [dict(row) for row in self.table.rows]]

    def __getstate__(self) -> dict[str, object]:
        # What asks again stands on network and mapping, which stay here.
        return {**self.__dict__, "ask": None, "protocol": None}

    def _rows_of(self, table: str | None) -> Rows:
        return self.table.rows

    def time_s(self, algorithm: str, size_bytes: int) -> float | None:
        """One time, None where it was not taken."""
        found = self.table.where({"algorithm": algorithm, "size_bytes": size_bytes}).rows
        return None if not found else float(found[0]["time_s"] or 0.0)

    def algorithms(self) -> list[str]:
        """Timed algorithms in order of the registry."""
        return [str(name) for name in self.table.distinct("algorithm")]


def algorithms_of(collective: str) -> list[str]:
    """Registered algorithms of a collective, plug-ins last.

    Raises
    ------
    NetloomError
        `NL-D001` if there is no such collective.
    """
    aliases = {"bcast": "broadcast", "reduce_scatter": "reduce-scatter", "reduce_scatter_block": "reduce-scatter"}
    names = [*(str(row["name"]) for row in catalogue("collectives")), *plugin.names("collectives")]
    wanted = aliases.get(collective, collective)
    found = [name for name in names if name.partition(":")[0] == wanted]
    if not found:
        known = list(dict.fromkeys(name.partition(":")[0] for name in names))
        hint = did_you_mean(collective, known, "collectives")
        raise NetloomError([Fault(UNKNOWN, "collective", f'there is no collective "{collective}"', "", hint)])
    return found


class MachineInputs(TypedDict, total=False):
    """Inputs of a scenario that say how messages are timed; see `netloom.scenario.AXES`."""

    calibration: str | Calibration
    routing: str
    wire: Mapping[str, object]
    software: Mapping[str, object]
    duplex: str
    switch_latency: float | str
    flops_per_s: float | str
    node: str
    library: str


class TimedInputs(MachineInputs, total=False):
    """And where the ranks run."""

    fail: str | Sequence[str]
    ranks: int | str
    nodes: int | str
    ranks_per_node: int | str
    cores: int
    placement: str
    order: str
    mapping: ArrayLike | str
    mapping_format: str
    root: int


def simulated(machine: Scenario | None = None) -> Simulated:
    """The clock that simulates; `machine` has the inputs that say how messages are timed, see `MachineInputs`."""
    from ..evaluate import answer, evaluator, settings
    from ..scenario import Calls, Scenario, Workshop

    base = machine or Scenario()
    row, workshop = evaluator("time"), Workshop(Calls(base.folder))
    options = settings(row, {})

    def clock(
        net: _core.Network, call: str, mapping: Places, size_bytes: int, root: int, /, seats: Places | str = ""
    ) -> Taken:
        scenario = base.but(network=net, workload=call, mapping=mapping, size_bytes=size_bytes, root=root, seats=seats)
        found = cast("TimeAnswer", answer(row, scenario, workshop, options, lambda done, total: None))
        return {"time_s": found["time_s"], "finish_s": cast("Sequence[float]", found["finish_s"])}

    return clock


def time_collective(
    net: _core.Network | str,
    collective: str,
    *,
    sizes: str | Sequence[int | str] = "256B:1MiB",
    algorithms: Iterable[str] | None = None,
    clock: Clock | None = None,
    progress: Progress | None = None,
    **inputs: Unpack[TimedInputs],
) -> Timing:
    """Time every algorithm of a collective for a range of sizes.

    Parameters
    ----------
    net
        As `netloom.hops` takes it.
    collective
        `"allreduce"`, `"broadcast"`, ... (`netloom list collectives`).
    inputs
        Of the scenario, as the evaluator `time` takes them: `ranks`, `nodes`, `ranks_per_node`, `placement`, `order`,
        `mapping`, `root`, `cores`, `fail`, `calibration`, `library`, `routing`, `wire`, `software`, `duplex`,
        `switch_latency`, `flops_per_s`, `node`.
    sizes
        `"256B:1MiB"` for powers of two, `"4,64,1KiB"`, or a sequence; see the collective's meaning of its size.
    algorithms
        Calls such as `"broadcast:chain(segments=32)"`; by default every registered one with its default parameters.
        Where all at all sizes would take more than a minute, those that cannot win at a size are left out there
        (`left_out`).
        `"allreduce:rabenseifner@bit-reversed"` reverses the bits of every rank, see `netloom.tuning.reorder`.
    clock
        Times a schedule instead of `netloom.simulate`.

    Returns
    -------
    Timing
        Algorithms that refuse the number of ranks, or are too large on it, are in `left_out` with the reason.

    Examples
    --------
    >>> import netloom
    >>> netloom.time_collective("torus(4,4)", "allreduce", sizes="1KiB:1MiB").sizes[-1]
    1048576

    Raises
    ------
    NetloomError
        `NL-D001` no such collective, `NL-D002` the sizes, `NL-D003` if no algorithm applies; those of the network, the
        placement and the simulation.

    Notes
    -----
    Cost: one simulation per algorithm and size; the bound once. Equal times go to the algorithm registered first.

    Where that is thought to take more than a minute, and no algorithms are named, the sizes go from both ends inwards
    as far as there is time, and an algorithm is simulated at a size only while it can win or tie there. It cannot if it
    is thought to take longer than the fastest by more than the known error: as its rounds or the bound of the network
    ask for more, as a smaller size took longer, or as half of a larger size's time, in proportion to the bytes, does.
    """
    from ..evaluate.ask import bound_job
    from ..evaluate.known_error import median_of
    from ..scenario import Scenario
    from .spans import asking

    require_names("time_collective", inputs, TimedInputs.__annotations__)
    bound = bound_job(Scenario(net, **inputs))
    given = Arguments("time_collective")
    root = given.integer("root", bound.value("root"))
    given.done()
    own = MachineInputs.__annotations__
    machine: MachineInputs = {name: value for name, value in inputs.items() if name in own}  # type: ignore[assignment]
    own_clock = clock or simulated(Scenario(**machine))
    where = Where(bound.mapping, root, bound.site.node, None if clock else bound.place.seats)
    names = list(algorithms) if algorithms is not None else algorithms_of(collective)
    error, allowance = (None, None) if clock else (median_of(bound.scenario), None)
    if clock is None:
        effort = Effort.of(bound, names, parse_sizes(sizes))
        allowance = Allowance(effort, algorithms is None, margin_of(error))
    timing = timed(
        bound.network, collective, where=where, sizes=sizes, algorithms=names, clock=own_clock, progress=progress,
        allowance=allowance,
    )  # fmt: skip
    # A clock of one's own may know the timed sizes only, and on large networks there is no time for others.
    ask = allowance is not None and not allowance.is_short
    timing.ask = asking(bound.network, where, own_clock) if ask else None
    timing.protocol, timing.error = None if clock else protocols(bound), error
    timing.bound["cut"] = ndarray(timing.bound["cut"])
    return timing


def timed(
    network: _core.Network,
    collective: str,
    *,
    where: Where,
    sizes: str | Sequence[int | str],
    clock: Clock,
    algorithms: Iterable[str] | None = None,
    progress: Progress | None = None,
    allowance: Allowance | None = None,
) -> Timing:
    """As `time_collective`; `bound["cut"]` is a column of the core, for which no NumPy is needed.

    `allowance`: what may be left out, None for a clock of one's own; seats in `where` are for a clock of `simulated`.
    """
    names = list(algorithms) if algorithms is not None else algorithms_of(collective)
    wanted = algorithms_of(collective)[0].partition(":")[0]
    steps = parse_sizes(sizes)
    mapping, root, node, seats = where
    endpoints = mapping if isinstance(mapping, array) else ndarray(mapping)
    if isinstance(root, bool) or not isinstance(root, int) or not 0 <= root < len(endpoints):
        expected = f"a rank in 0..{len(endpoints)} (exclusive)"
        raise NetloomError([Fault("NL-A007", "time_collective.root", expected, str(root))])
    usable, left_out = usable_of(names, wanted, len(endpoints), root, allowance.effort.messages if allowance else {})
    if wanted == "barrier":
        steps = [0]
    on = Where(endpoints, root, node, seats)
    bound = bound_of(network, on, wanted, 1)
    own = None if seats is None else seats if isinstance(seats, array) else ndarray(seats)

    def taken(name: str, size: int) -> Taken:
        schedule, ends = places(endpoints, name, root)
        if own is None:
            return clock(network, schedule, ends, size, root)
        return cast(Simulated, clock)(network, schedule, ends, size, root, seats=places(own, name, root)[1])

    found, timed_sizes, why = take(usable, steps, bound["time_s"], taken, progress, allowance)
    left_out |= why.left_out
    kept = [name for name in usable if any((size, name) in found for size in timed_sizes)]
    require_some(kept, left_out, wanted, len(endpoints))
    least = by_algorithm(kept, bound, network, on)
    rows: list[dict[str, Cell]] = []
    for size in timed_sizes:
        have = [name for name in kept if (size, name) in found]
        here = [_row(wanted, name, len(endpoints), size, found[size, name], least[name]) for name in have]
        min(here, key=lambda row: float(row["time_s"] or 0.0))["winner"] = True
        rows += here
    table = Table(f"collectives-{wanted}", list(COLUMNS), rows)
    too_long = [size for size in steps if size not in timed_sizes]
    made = Timing(wanted, network.label, len(endpoints), timed_sizes, table, left_out, bound)
    made.elsewhere, made.may_win, made.sizes_left_out = why.elsewhere, why.may_win, too_long
    return made


def _row(collective: str, name: str, ranks: int, size: int, taken: Taken, per_byte: float) -> dict[str, Cell]:
    time_s = float(taken["time_s"])
    ends = [float(end) for end in taken.get("finish_s", [time_s])]
    bandwidth = total_bytes(collective, ranks, size) / time_s if time_s > 0 else None
    bound = per_byte * size
    return {
        "collective": collective,
        "algorithm": name,
        "ranks": ranks,
        "size_bytes": size,
        "time_s": time_s,
        "mean_s": fsum(ends) / len(ends),
        "first_s": min(ends),
        "algbw_bytes_per_s": bandwidth,
        "busbw_bytes_per_s": None if bandwidth is None else bandwidth * bus_factor(collective, ranks),
        "bound_s": bound,
        "bound_percent": 100 * bound / time_s if time_s > 0 else None,
        "winner": False,
    }


def winners(timing: Timing, among: Iterable[str] | None = None) -> list[tuple[int, str, float]]:
    """`(size, algorithm, time)` of the fastest at every size, of all or of some algorithms."""
    allowed = None if among is None else set(among)
    found = []
    for size in timing.sizes:
        rows = [row for row in timing.table.rows if row["size_bytes"] == size]
        rows = [row for row in rows if allowed is None or row["algorithm"] in allowed]
        if rows:
            best = min(rows, key=lambda row: float(row["time_s"] or 0.0))
            found.append((size, str(best["algorithm"]), float(best["time_s"] or 0.0)))
    return found


def switch_points(timing: Timing, among: Iterable[str] | None = None) -> list[tuple[int, str]]:
    """`(first size, algorithm)` of every run of sizes with one winner, ascending."""
    points: list[tuple[int, str]] = []
    for size, algorithm, _ in winners(timing, among):
        if not points or points[-1][1] != algorithm:
            points.append((size, algorithm))
    return points
