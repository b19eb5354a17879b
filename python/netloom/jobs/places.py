"""Jobs on endpoints that no other job has, also where a plug-in places one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import _core, plugin
from ..errors import Fault, NetloomError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: A job: its name, and its endpoints, or how many and by which placement.
Wanted = tuple[str, Any, str | None]
TOO_LARGE = "NL-M017"


def place_jobs(net: _core.Network, wanted: list[Wanted], available: Any = None) -> list[Any]:
    """Endpoints of every job: lists first, then each job in turn on what is free.

    Parameters
    ----------
    available
        Endpoints that may be placed on; None for all that are in service.

    Raises
    ------
    NetloomError
        NL-M001, NL-M015 to NL-M018 with the job's name; NL-G003 to NL-G005 of a plug-in.

    Notes
    -----
    Cost: O(jobs · endpoints).
    """
    if not any(how is not None and plugin.find("placements", how) is not None for _, _, how in wanted):
        made: list[Any] = _core.place_jobs(net, wanted, available)
        return made
    import numpy as np

    lists = [job for job in wanted if job[2] is None]
    columns: dict[str, Any] = dict(zip((job[0] for job in lists), _core.place_jobs(net, lists, available), strict=True))
    free = np.zeros(net.endpoints, dtype=bool)
    free[_usable(net, available)] = True
    for column in columns.values():
        free[np.asarray(column)] = False
    for name, count, how in wanted:
        if how is None:
            continue
        left = np.flatnonzero(free).astype(np.uint32)
        columns[name] = _one(net, name, int(count), how, left)
        free[np.asarray(columns[name])] = False
    return [columns[name] for name, _, _ in wanted]


def _one(net: _core.Network, name: str, count: int, how: str, free: NDArray[np.uint32]) -> Any:
    """Endpoints of one job, from those that are free."""
    if plugin.find("placements", how) is None:
        return _core.place_jobs(net, [(name, count, how)], free)[0]
    place = f'job "{name[:60]}"'
    if count > len(free):
        sentence = f"{count} endpoints are wanted, {len(free)} are free"
        raise NetloomError([Fault(TOO_LARGE, place, sentence, "", "ask for fewer, or take jobs away")])
    try:
        return plugin.place(how, net, count, free)
    except NetloomError as error:
        found = [Fault(f.code, f"{place}: {f.place}", f.expected, f.got, f.hint) for f in error.faults]
        raise NetloomError(found) from error.__cause__


def _usable(net: _core.Network, available: Any) -> Any:
    import numpy as np

    from .resolve import in_service

    usable = in_service(net) if available is None else np.asarray(available, dtype=np.int64)
    return slice(None) if usable is None else usable
