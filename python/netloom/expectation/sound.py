"""The machine as it should be: what faults start from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

from .. import _core
from ..base.errors import NetloomError
from ..base.quantities import parse_bytes_per_s
from ..base.registries import catalogue
from .usual import Usual

if TYPE_CHECKING:
    from ..base.records import Settings
    from ..validation import Predictor
    from .assumed import Assumed


@dataclass(frozen=True)
class Way:
    """One way in which a fault changes a machine.

    Attributes
    ----------
    says
        What it is, in a few words.
    inputs
        Of the scenario, in place of the machine's.
    curve, algorithm
        Rows of this collective and algorithm of the log are simulated with another algorithm.
    """

    says: str
    inputs: Mapping[str, object]
    curve: str = ""
    algorithm: str = ""


class Sound:
    """A machine without faults, and the rows that were measured on it."""

    def __init__(self, predictor: Predictor, rows: Sequence[Assumed]) -> None:
        self._predictor, self._rows = predictor, rows

    @property
    def settings(self) -> Settings:
        """Of wire and software, as the core takes them."""
        return self._rows[0].prepared.settings

    @property
    def node(self) -> Mapping[str, object]:
        """Arguments of its node; empty without one."""
        return _named(self._predictor.base["node"])

    @cached_property
    def arguments(self) -> Mapping[str, object]:
        """Arguments of the call that its network is, defaults included; empty for a file."""
        text = self._predictor.base["network"]
        given = _named(text)
        try:
            called = _core.parse_call(text)[0] if isinstance(text, str) else ""
        except NetloomError:
            return {}
        row = next((row for row in catalogue("topologies") if called in (row["name"], *row["aliases"])), None)
        if row is None:
            return {}
        return {one["name"]: given.get(one["name"], str(one["default"] or "").strip('"')) for one in row["params"]}

    def rate(self, *names: str) -> float | None:
        """Bytes/s of the first of these arguments of the network that says a bandwidth; None if none does."""
        for name in names:
            if said := self.arguments.get(name):
                return parse_bytes_per_s(str(said), f"network.{name}")
        return None

    @property
    def network(self) -> _core.Network:
        """In full service."""
        base = self._predictor.base
        source = base["network"]
        if not isinstance(source, str):
            return cast("_core.Network", source)
        return self._predictor.workshop.network(source, str(base["format"]), str(base["part"]))

    def usual(self, curve: str) -> list[str]:
        """Algorithms that libraries have for a curve of which the log does not name one; empty if it does."""
        row = next(one.row for one in self._rows if one.curve == curve)
        found = Usual.of_machine(self._predictor).candidates(row)
        return [one.algorithm for one in found if one is not row]

    @property
    def protocols(self) -> tuple[str, ...]:
        """Of a library of GPUs, whose costs the machine knows."""
        return Usual.of_machine(self._predictor).protocols

    @property
    def curves(self) -> list[str]:
        """Collectives with their algorithms as the log has them, in their order."""
        return list(dict.fromkeys(one.curve for one in self._rows))


def _named(text: object) -> Mapping[str, object]:
    """Arguments of a call that are given by name; empty for anything else."""
    if not isinstance(text, str) or not text:
        return {}
    try:
        return _core.parse_call(text)[2]
    except NetloomError:
        return {}


def rate_text(bytes_per_s: float) -> str:
    """As a network takes it."""
    return f"{8e-9 * bytes_per_s:.9g} Gbps"
