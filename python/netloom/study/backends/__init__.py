"""Where the runs of a study are computed, by name."""

from __future__ import annotations

import re

from ... import _core
from ...base.errors import Fault, NetloomError
from ...base.nearest import did_you_mean
from ...scenario.canonical import Calls
from .. import codes
from .base import Backend, Lost

__all__ = ["NAMES", "Backend", "Lost", "backend", "check", "walltime"]

#: Name, and its line in the documentation.
NAMES = {
    "threads": "threads of this process (the default)",
    "processes": "processes of this machine; one that dies takes only its run with it",
    "dask": "a cluster of Dask on this machine",
    "tls://HOST:PORT": "the workers of a running Dask scheduler, with the certificates of Dask's configuration",
    "slurm": 'workers of Dask as jobs of Slurm: slurm(partition=...,walltime="1:00:00",memory="4GB",cores=1)',
}
_ADDRESS = re.compile(r"tls://([A-Za-z0-9._-]{1,255}|\[[0-9A-Fa-f:.%]{2,60}\]):[0-9]{1,5}")
#: Arguments of a backend, and their defaults. Retries are those of a run whose worker died.
_AGAIN = {"retries": "2"}
_ARGUMENTS: dict[str, dict[str, str]] = {
    "threads": {},
    "processes": _AGAIN,
    "dask": _AGAIN,
    "slurm": {"partition": "", "walltime": "1:00:00", "memory": "4GB", "cores": "1", **_AGAIN},
}
#: They become words of a batch script.
_SHAPES = (
    ("partition", re.compile(r"[A-Za-z0-9_.,+-]{0,200}"), "a partition of Slurm: letters, digits and _.,+-"),
    ("memory", re.compile(r"[0-9]{1,9}(\.[0-9]{1,3})? ?([kKMGTP]i?)?B?"), 'a size such as "4GB"'),
)
_WALLTIME = re.compile(r"([0-9]+-)?[0-9]{1,3}:[0-5][0-9]:[0-5][0-9]")


def check(on: str) -> tuple[str, dict[str, str]]:
    """The name of a backend and its arguments; `address` for a scheduler.

    Raises
    ------
    NetloomError
        `NL-S017` for an unknown name or argument, and what is wrong with the call's grammar.
    """
    if _ADDRESS.fullmatch(on):
        return "address", {"address": on, **_AGAIN}
    if on.startswith("tcp://"):
        hint = "start scheduler and workers with --protocol tls and certificates; see docs/how-to/long-studies.md"
        expected = "tls://HOST:PORT: whoever reaches a scheduler without TLS runs any code as its user"
        raise _refused(on, expected, hint)
    if "://" in on:
        raise _refused(on, "tls://HOST:PORT")
    name, positional, keyword = _core.parse_call(on)
    if name not in _ARGUMENTS:
        raise _refused(on, f"one of {', '.join(NAMES)}", did_you_mean(name, NAMES))
    given = dict(_ARGUMENTS[name])
    for key, value in dict(keyword).items():
        if key not in given:
            raise _refused(f"{name}.{key}", f"one of {', '.join(given) or 'no arguments'}", did_you_mean(key, given))
        given[key] = str(value)
    if positional:
        raise _refused(on, f"arguments by name: {', '.join(given) or 'none'}")
    if name == "slurm" and not _WALLTIME.fullmatch(given["walltime"]):
        raise _refused(f"slurm.walltime={given['walltime']}", 'hours, minutes and seconds, such as "4:00:00"')
    for key, shape, expected in _SHAPES:
        if name == "slurm" and not shape.fullmatch(given[key]):
            raise _refused(f"slurm.{key}={given[key]}", expected)
    for key, least, most in (("retries", 0, 100), ("cores", 1, 1024)):
        number = given.get(key, str(least))
        if not (number.isascii() and number.isdigit() and least <= int(number[:5]) <= most):
            raise _refused(f"{name}.{key}={number}", f"an integer in {least}..{most}")
    return name, given


def walltime(on: str) -> float | None:
    """Seconds that a worker has; None for as many as it wants."""
    _, given = check(on)
    text = given.get("walltime")
    if not text:
        return None
    days, _, clock = text.rpartition("-")
    hours, minutes, seconds = map(int, clock.split(":"))
    return 86400.0 * int(days or 0) + 3600 * hours + 60 * minutes + seconds


def backend(on: str, calls: Calls, count: int) -> Backend:
    """Workers by name, started.

    Raises
    ------
    NetloomError
        `NL-S017` to `NL-S020`.
    """
    name, given = check(on)
    if name == "threads":
        from .threads import Threads

        return Threads(calls, count)
    retries = int(given.pop("retries"))
    if name == "processes":
        from .processes import Processes

        return Processes(count, retries)
    from . import cluster

    if name == "dask":
        return cluster.local(count, retries)
    if name == "address":
        return cluster.joined(given["address"], retries)
    return cluster.slurm(count, retries, **given)


def _refused(place: str, expected: str, hint: str = "") -> NetloomError:
    return NetloomError([Fault(codes.BACKEND, "--on", expected, place[:80], hint)])
