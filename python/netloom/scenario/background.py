"""Background flows: from what a scenario says to what the core takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..base.arguments import Arguments
from ..base.errors import Fault, NetloomError
from ..base.quantities import parse_bytes

#: Source, destination, bytes, start and cap.
Flow = tuple[int, int, float, float, float]

_AMOUNTS = {"bytes": float("inf"), "start_s": 0.0, "cap_bytes_per_s": float("inf")}


def flows(given: Sequence[Mapping[str, object]] | str) -> list[Flow]:
    """The flows of the axis `background`.

    Raises
    ------
    NetloomError
        `NL-A007`, `NL-A008`.
    """
    return [_flow(at, flow) for at, flow in enumerate(given or ())]


def _flow(at: int, flow: object) -> Flow:
    place = f"background[{at}]"
    known = {"src", "dst", *_AMOUNTS}
    if not isinstance(flow, Mapping) or not {"src", "dst"} <= set(flow) <= known:
        raise NetloomError([Fault("NL-A007", place, "a mapping with src, dst, and of " + ", ".join(known), repr(flow))])
    given = Arguments(place)
    ends = [given.integer(end, flow[end]) for end in ("src", "dst")]
    amounts = [_amount(given, key, flow.get(key, default), place) for key, default in _AMOUNTS.items()]
    given.done()
    # An invalid endpoint becomes a nonexistent one, so that the core reports it.
    ends = [end if 0 <= end < 1 << 32 else (1 << 32) - 1 for end in ends]
    return ends[0], ends[1], amounts[0], amounts[1], amounts[2]


def _amount(given: Arguments, key: str, value: object, place: str) -> float:
    if key == "bytes" and isinstance(value, str):
        return float(parse_bytes(value, f"{place}.bytes"))
    return given.number(key, value)
