"""A mapping that a search found: where the ranks go, how good that is, and the file for the launcher."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal, overload

from ..base.html import escaped, facts
from ..base.quantities import amount_text, time_text
from ..results.frames import Frames
from ..results.keyed import Keyed
from ..scenario.search import in_picoseconds

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from .. import _core
    from ..base.arrays import Vector
    from ..results.rows import Cell

    Trace = list[tuple[int, float]]


@dataclass(frozen=True, repr=False, eq=False)
class Mapping(Frames, Keyed):
    """What `netloom.map_ranks` found.

    Attributes are also had by subscript: `found["value"]`.

    Attributes
    ----------
    mapping
        Endpoint of every rank, uint32 of shape (ranks,).
    seats
        Its seat there, likewise; None where an endpoint has one.
    value, start_value
        The objective after and before the search; of times in picoseconds.
    bound
        No mapping can be better; 0 or None if nothing is known.
    evaluations, accepted
        Mappings that were evaluated, and those that were taken.
    trace
        Pairs of evaluations and the best value then.
    method
        The search.
    decided_by
        What these values are: the objective, what `auto` means, or the evaluation that chose among all methods.
    network
        Where the ranks go.
    cores
        Ranks on an endpoint.

    Examples
    --------
    >>> import netloom
    >>> found = netloom.map_ranks("torus(4,4)", workload="stencil(4,4)", ranks=16, order="random(seed=1)",
    ...                           objective="hops", optimiser="two-opt(swaps=2000,seed=1)")
    >>> found.value < found.start_value
    True
    >>> len(found.mapping)
    16
    """

    network: _core.Network
    cores: int
    mapping: Vector[np.uint32]
    seats: Vector[np.uint32] | None
    value: float
    start_value: float
    bound: float | None
    evaluations: int | None
    accepted: int | None
    trace: Trace
    method: str
    decided_by: str

    @overload
    def __getitem__(self, name: Literal["mapping"], /) -> Vector[np.uint32]: ...
    @overload
    def __getitem__(self, name: Literal["seats"], /) -> Vector[np.uint32] | None: ...
    @overload
    def __getitem__(self, name: Literal["value", "start_value"], /) -> float: ...
    @overload
    def __getitem__(self, name: Literal["bound"], /) -> float | None: ...
    @overload
    def __getitem__(self, name: Literal["evaluations", "accepted"], /) -> int | None: ...
    @overload
    def __getitem__(self, name: Literal["trace"], /) -> Trace: ...
    @overload
    def __getitem__(self, name: Literal["method", "decided_by"], /) -> str: ...
    @overload
    def __getitem__(self, name: str, /) -> object: ...
    def __getitem__(self, name: str, /) -> object:
        if name not in KEYS:
            raise KeyError(name)
        found: object = getattr(self, name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(KEYS)

    def __len__(self) -> int:
        return len(KEYS)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        own = (self.network, self.cores) == (other.network, other.cores)
        return own and super().__eq__(other)

    __hash__ = None

    def __array__(self, dtype: np.dtype[np.generic] | None = None, copy: bool | None = None) -> NDArray[np.generic]:
        import numpy as np

        found: NDArray[np.generic] = np.array(self.mapping, dtype=dtype, copy=copy)
        return found

    def _ipython_key_completions_(self) -> list[str]:
        return list(KEYS)

    def _gain(self) -> str:
        values = (_readable(self.decided_by, value) for value in (self.start_value, self.value))
        less = 1 - self.value / self.start_value if self.start_value else 0.0
        before, after = values
        return (
            f"{before} before, {after} after, {100 * less:.1f} % less" if less > 0 else f"{after}, nothing better found"
        )

    def __repr__(self) -> str:
        return f"<Mapping of {len(self.mapping)} ranks on {self.network.label}, {self.decided_by}: {self._gain()}>"

    def _repr_html_(self) -> str:
        rows: dict[str, object] = {self.decided_by: self._gain()}
        if self.bound:
            rows["no mapping can be below"] = _readable(self.decided_by, self.bound)
        rows |= {"ranks": len(self.mapping), "network": self.network.label, "method": self.method}
        return f"<p><b>{escaped(f'Mapping of {len(self.mapping)} ranks')}</b></p>{facts(rows)}"

    def _rows_of(self, table: str | None) -> list[dict[str, Cell]]:
        switches = self.network.endpoint_switch[self.mapping].tolist()
        names = self.network.endpoint_names if self.network.has_names else None
        seats = [0] * len(self.mapping) if self.seats is None else self.seats.tolist()
        places = enumerate(zip(self.mapping.tolist(), seats, switches, strict=True))
        return [
            {"rank": rank, "endpoint": endpoint, "seat": seat, "switch": switch}
            | ({} if names is None else {"node": names[endpoint]})
            for rank, (endpoint, seat, switch) in places
        ]

    def write(self, target: str | Path, format: str | None = None) -> list[Path]:
        """Writes the file that a launcher takes: a rank file in one of the formats of `netloom list formats`.

        Raises
        ------
        NetloomError
            As `netloom.write` does.
        """
        from ..formats import write

        slots = self.mapping if self.seats is None else self.mapping * self.cores + self.seats
        return write(slots, target, format=format, network=self.network, cores=self.cores)

    def draw(self) -> Axes:
        """Draws which endpoint each rank has, a point per rank, and returns the axes of matplotlib.

        Blocks of ranks on neighbouring endpoints are short slopes; scattered ranks are a cloud.
        """
        from ..plot.axes import axes_of
        from ..plot.figure import figure

        ranks = range(len(self.mapping))
        title = f"{len(ranks)} ranks on {self.network.label}"
        return axes_of(
            figure("scatter", {"rank": ranks, "endpoint": self.mapping.tolist()}, x="rank", y="endpoint", title=title)
        )


#: What a mapping has by subscript.
KEYS = tuple(field.name for field in fields(Mapping) if field.name not in ("network", "cores"))


def _readable(objective: str, value: float) -> str:
    if in_picoseconds(objective):
        return time_text(value * 1e-12)
    return amount_text(value) if objective.endswith("bytes") else f"{value:,.6g}"
