"""The least time that an algorithm can take, from what is known of its messages without simulating them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

from .. import _core

if TYPE_CHECKING:
    from ..scenario import Question
    from ..workload import Workload

#: Costs by the place of the other rank; what is not said of a unit is as in the one around it.
_INSIDE: tuple[str, ...] = ("inside_latency", "socket_message_latency", "numa_message_latency", "cache_message_latency")


@dataclass
class Least:
    """The least times on one machine.

    Notes
    -----
    Cost: O(ranks + links) once, then O(1) each.
    """

    bound: Question

    def of(self, load: Workload, size: int) -> float:
        """Seconds that a schedule takes at least, at a size of which it has the rounds; 0 where nothing is known of it.

        Notes
        -----
        In a schedule of rounds that are alike (`is_cyclic`) every rank waits in each round for a message of the round
        before: all rounds one after another take the latency of a message each. If every message has the whole vector,
        also its bytes on the fastest link, and, in an allreduce, the time to combine it.
        """
        if not isinstance(load, _core.Schedule) or not load.is_cyclic or load.switches:
            return 0.0
        whole = load.size_bytes > 0 and load.most_bytes == load.messages * load.size_bytes
        each = self._latency(load, size if whole else None)
        if whole:
            each += size / self._fastest
            if load.collective == "allreduce":
                factor = float(cast("float", self._settings["operation_factor"]))
                each += size * factor * _least(self._settings["combine_s_per_byte"])
        return load.steps * each

    def guess(self, load: Workload, size: int) -> float:
        """Seconds that a schedule may take, if its steps follow each other and no link is shared; to sort by."""
        if not isinstance(load, _core.Schedule) or not load.messages:
            return 0.0
        steps = max(load.steps, 1)
        a_step = max(load.most_bytes / load.messages, load.most_bytes / steps / load.ranks)
        share = size / load.size_bytes if load.size_bytes else 0.0
        return steps * (self._latency(load, size) + share * a_step / self._fastest)

    def _latency(self, load: _core.Schedule, size: int | None) -> float:
        """Of a message of a size, or of any."""
        protocol = str(_core.parse_call(load.label)[2].get("protocol") or "")
        between, inside = "message_latency", _INSIDE
        if f"{protocol}_latency" in self._settings:
            between, inside = f"{protocol}_latency", (f"{protocol}_inside_latency",)
        found = [_of(self._settings[between], size)]
        if self._near:
            found += [_of(self._settings[inside[0]], size)]
            found += [_of(self._settings[name], size) for name in inside[1:] if self._settings[name]]
        return min(found)

    @cached_property
    def _settings(self) -> Mapping[str, object]:
        return cast("Mapping[str, object]", self.bound.site.settings)

    @cached_property
    def _near(self) -> bool:
        """Whether ranks share nodes."""
        places = self.bound.mapping
        return len(self.bound.site.nodes.of_endpoints(places)) < len(places)

    @cached_property
    def _fastest(self) -> float:
        """Bytes per second of the fastest link."""
        return max(self.bound.network.link_bandwidth_bytes_per_s)


def _of(cost: object, size: int | None) -> float:
    """Of `[from_bytes, fixed_s, s_per_byte]`: at a size, or the least fixed part of all."""
    rows = cast("Sequence[Sequence[float]]", cost)
    if not rows:
        return 0.0
    if size is None:
        # Messages below the first row have none.
        return min(row[1] for row in rows) if rows[0][0] == 0 else 0.0
    at = [row for row in rows if row[0] <= size]
    return at[-1][1] + at[-1][2] * size if at else 0.0


def _least(cost: object) -> float:
    """Of a number, or of `[from_bytes, number]`."""
    if isinstance(cost, (int, float)):
        return float(cost)
    return min((row[1] for row in cast("Iterable[Sequence[float]]", cost)), default=0.0)
