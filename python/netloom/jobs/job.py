"""One job as requested."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from ..base.arrays import same

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .. import _core


@dataclass(frozen=True, eq=False)
class Job:
    """One job of a scenario: the keys of a ``[[job]]``, the same in files, commands, studies and Python.

    Parameters
    ----------
    workload
        `"collective:algorithm"`, a pattern, an application, a file of traffic or a trace, or what these make; None:
        what the scenario says for all jobs.
    name
        What answers call it; by default `job 1`, `job 2`, ...
    nodes, share, node_list, ranks, mapping
        How large it is and where: a number of endpoints, a share of them (`"25%"`, 0.25), host names or endpoint
        numbers, a number of ranks, or the endpoint of every rank (a sequence, or a rank file of `mapping_format`).
        At most one of them; `ranks` may accompany any.
    cores
        Ranks on an endpoint.
    placement, order
        Which endpoints, and which rank on which of them.
    size_bytes, root
        Of a collective.
    routing, variant
        Candidate paths, and how messages choose among them.
    start
        When its ranks begin: `"1 ms"`, or seconds.
    repetitions
        How often the workload is done, without a barrier.
    """

    workload: _core.Schedule | _core.Traffic | _core.Programs | _core.Sends | str | None = None
    name: str | None = None
    nodes: int | None = None
    share: str | float | None = None
    node_list: str | list[int] | None = None
    ranks: int | None = None
    mapping: ArrayLike | str | None = None
    mapping_format: str | None = None
    cores: int | None = None
    placement: str | None = None
    order: str | None = None
    size_bytes: int | str | None = None
    root: int | None = None
    routing: str | None = None
    variant: str | None = None
    start: float | str | None = None
    repetitions: int | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Job):
            return NotImplemented
        return same(self.__dict__, other.__dict__)

    def __hash__(self) -> int:
        return hash((self.name, self.ranks))

    def to_row(self) -> dict[str, object]:
        """The keys that are set."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {key: value for key, value in values.items() if value is not None}
