"""How well a machine's predictions were found to hold, and what that says of another question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from ..base.errors import Fault
from ..base.nearest import did_you_mean
from . import codes
from .faults import label

#: Key of a machine's file.
TABLE = "validated"
_MOST_WORDS = 64


@dataclass(frozen=True)
class Validated:
    """Errors of predictions on measurements that no number of the machine was fitted to.

    Parameters
    ----------
    median, p90
        Of the share by which a prediction is off.
    measurements
        How many there were.
    nodes, ranks_per_node, bytes
        Least and most of them.
    collectives
        That were measured.
    source, date
        In words.
    """

    median: float
    p90: float
    measurements: int
    nodes: tuple[int, int]
    ranks_per_node: tuple[int, int]
    bytes: tuple[int, int]
    collectives: tuple[str, ...]
    source: str = ""
    date: str = ""

    def beyond(self, nodes: int, ranks_per_node: int, size_bytes: int, collective: str) -> str:
        """Why a question is outside of what was measured, in a few words; empty inside."""
        if collective not in self.collectives:
            return f"measured were {', '.join(self.collectives)}"
        for what, value, (least, most), unit in (
            ("nodes", nodes, self.nodes, "nodes"),
            ("ranks_per_node", ranks_per_node, self.ranks_per_node, "ranks a node"),
            ("bytes", size_bytes, self.bytes, "bytes"),
        ):
            if not least <= value <= most:
                span = f"{least}" if least == most else f"{least} to {most}"
                return f"measured on {span} {unit}" if what != "bytes" else f"measured from {least} to {most} bytes"
        return ""


def read(said: object, place: str, faults: list[Fault]) -> Validated | None:
    """The table of a machine's file; None after a fault or where there is none."""
    if said is None:
        return None
    if not isinstance(said, dict):
        faults.append(Fault(codes.BAD_VALUE, place, "a table", repr(said)[:200]))
        return None
    before = len(faults)
    names = [one.name for one in fields(Validated)]
    for name in said:
        if name not in names:
            hint = did_you_mean(name, names, "keys")
            faults.append(Fault(codes.UNKNOWN_NAME, place, "a key of validated", repr(name)[:200], hint))
    median, p90 = (_number(said.get(name), f"{place}.{name}", faults) for name in ("median", "p90"))
    measurements = _whole(said.get("measurements"), f"{place}.measurements", faults)
    nodes, each, sizes = (
        _span(said.get(name), f"{place}.{name}", faults) for name in ("nodes", "ranks_per_node", "bytes")
    )
    words = said.get("collectives")
    if not isinstance(words, list) or not 0 < len(words) <= _MOST_WORDS or not all(isinstance(w, str) for w in words):
        faults.append(Fault(codes.BAD_VALUE, f"{place}.collectives", "a list of names", repr(words)[:200]))
        words = []
    source, date = (label(said.get(name, ""), f"{place}.{name}", faults) for name in ("source", "date"))
    if len(faults) > before:
        return None
    return Validated(median, p90, measurements, nodes, each, sizes, tuple(words), source, date)


def _number(said: object, place: str, faults: list[Fault]) -> float:
    if isinstance(said, (int, float)) and not isinstance(said, bool) and 0.0 <= said < 1e6:
        return float(said)
    faults.append(Fault(codes.BAD_VALUE, place, "a share, such as 0.12", repr(said)[:200]))
    return 0.0


def _whole(said: object, place: str, faults: list[Fault]) -> int:
    if type(said) is int and 0 <= said < 1 << 53:
        return said
    faults.append(Fault(codes.BAD_VALUE, place, "an integer >= 0", repr(said)[:200]))
    return 0


def _span(said: object, place: str, faults: list[Fault]) -> tuple[int, int]:
    if isinstance(said, list) and len(said) == 2 and all(type(one) is int and one >= 0 for one in said):
        return int(said[0]), int(said[1])
    faults.append(Fault(codes.BAD_VALUE, place, "a list of the least and the most", repr(said)[:200]))
    return 0, 0


#: Of a prediction about which nothing is known.
NOTHING: Mapping[str, object] = {"median": None, "p90": None, "measurements": 0, "kind": "none"}


def words(error: Mapping[str, object]) -> str:
    """`12 % median error on 310 measurements of this machine`, or why nothing is known."""
    why = str(error.get("why", ""))
    if error["kind"] == "none":
        return f"never measured: {why}" if why else "never measured"
    share = f"{100 * float(str(error['median'])):.2g} % median error on {error['measurements']} measurements"
    return f"{share} of this machine" if error["kind"] == "validated" else f"extrapolated, {why}; {share} there"
