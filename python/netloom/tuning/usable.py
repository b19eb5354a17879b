"""Which algorithms of a collective can be timed on a number of ranks, why the others cannot, what all of them take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..base.ahead import Estimate, many
from ..base.errors import Fault, NetloomError
from ..evaluate.ahead import messages_of
from ..library.codes import UNKNOWN
from ..library.conditions import is_power_of_two
from ..workload import workload
from .codes import NOTHING_TIMED
from .reorder import split

#: Faults of what is too large: an index, and memory.
LARGE = ("NL-A009", "NL-X011")
#: Of what builds and cannot run here: besides, switches that do not combine messages.
NOT_HERE = (*LARGE, "NL-N018")


def usable_of(
    names: Sequence[str], collective: str, ranks: int, root: int, known: Mapping[str, float]
) -> tuple[dict[str, float], dict[str, str]]:
    """Algorithms that build on this number of ranks, each with its messages, and why the others do not.

    `known`: messages of algorithms that were built already.

    Raises
    ------
    NetloomError
        `NL-D001` for one of another collective, `NL-D003` if none is left; what is wrong with a call.
    """
    usable: dict[str, float] = {}
    left_out: dict[str, str] = {}
    unknown: list[Fault] = []
    for name in names:
        if name.partition(":")[0] != collective:
            hint = f"algorithms of {collective}: netloom list collectives"
            unknown.append(Fault(UNKNOWN, "algorithms", f'"{name}" is no algorithm of {collective}', "", hint))
            continue
        try:
            schedule, turned = split(name)
            count = known.get(name)
            if count is None:
                count = messages_of(workload(schedule, ranks, root=root, size_bytes=0))
        except NetloomError as error:
            left_out[name] = _reason(error)
            continue
        if turned and not is_power_of_two(ranks):
            left_out[name] = "a power of two"
        else:
            usable[name] = count
    if unknown:
        raise NetloomError(unknown)
    require_some(usable, left_out, collective, ranks)
    return usable, left_out


def _reason(error: NetloomError) -> str:
    """Why an algorithm does not apply; a wrong name or parameter is the caller's mistake, and raised."""
    if any(fault.code.startswith("NL-A") and fault.code not in LARGE for fault in error.faults):
        raise error
    return str(error.faults[0].expected)


def not_here(error: NetloomError) -> str:
    """Why an algorithm is left out though it builds; raises what is wrong for another reason."""
    if any(fault.code not in NOT_HERE for fault in error.faults):
        raise error
    return str(error.faults[0].expected)


def require_some(usable: Iterable[str], left_out: Mapping[str, str], collective: str, ranks: int) -> None:
    """Refuses a collective of which no algorithm is left: `NL-D003`."""
    if not list(usable):
        reasons = "; ".join(f"{name}: {reason}" for name, reason in left_out.items())
        raise NetloomError([Fault(NOTHING_TIMED, collective, f"no algorithm applies to {ranks} ranks", "", reasons)])


def estimate(usable: Mapping[str, float], seconds: float, sizes: int) -> Estimate:
    """Seconds and counts of simulating all of them at `sizes` sizes."""
    return Estimate(
        seconds, many(sizes * sum(usable.values()), "messages"), "fewer sizes, or algorithms by their names"
    )
