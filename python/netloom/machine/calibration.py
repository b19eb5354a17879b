"""Calibrations: settings of wire and software under one name, as TOML files; those that netloom ships, and your own.

The keys, their ranges and defaults are the core's (`_core.machine_params`): nothing here repeats them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _core
from ..base import files
from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..base.toml import read_toml
from . import codes
from .faults import label, of_setting

if TYPE_CHECKING:
    from ..base.records import Row, Settings

_SHIPPED = Path(__file__).with_name("calibrations")
#: Largest file: a full set of tables at the limit of rows is smaller.
MAX_BYTES = 1 << 20
#: Words for people, before the settings.
LABELS = ("name", "description", "source")


class Calibration:
    """What lies between the latency and bandwidth of links and the time of a message.

    A message of `B` bytes over a route of latency `L` (sum over its links, s) whose slowest link carries `W` bytes/s
    takes, alone, with `E = B + envelope_bytes`::

        latency_factor(E) * L + E / (bandwidth_factor(E) * W)

    Of every table the row with the largest ``above_bytes`` strictly below `E` counts; before the first row, factors are
    1 and overheads 0. An overhead is ``fixed_s + s_per_byte * E``.

    Parameters
    ----------
    name, description, source
        For people: what it is called, what it stands for, where its numbers come from.
    settings
        Of the wire and of software by name, such as `sharing`, `latency_factors`, `send_overhead`,
        `combine_s_per_byte`; `docs/reference/calibrations.md` lists them. Each is an attribute. The defaults correct
        nothing.

    Raises
    ------
    NetloomError
        `NL-A003` for a name that is no setting, `NL-A007`, `NL-A008` for a value out of range, all together.
    """

    def __init__(self, name: str = "unnamed", description: str = "", source: str = "", **settings: object) -> None:
        self._take([name, description, source], settings, "Calibration")

    def _take(self, labels: Sequence[object], settings: Mapping[str, object], place: str) -> None:
        faults: list[Fault] = []
        said = [label(text, f"{place}: {name}", faults) for name, text in zip(LABELS, labels, strict=True)]
        self.name, self.description, self.source = said
        try:
            #: All settings by name, the given ones and the defaults.
            self.settings: Settings = _core.machine_settings(place, dict(settings))
        except NetloomError as error:
            faults += [of_setting(fault, place) for fault in error.faults]
        if faults:
            raise NetloomError(faults)

    def __getattr__(self, name: str) -> Any:
        settings = self.__dict__.get("settings", {})
        if name not in settings:
            raise AttributeError(f"a calibration has no {name!r}")
        return settings[name]

    def __eq__(self, other: object) -> bool:
        return self.__dict__ == other.__dict__ if isinstance(other, Calibration) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.name, self.description, self.source, repr(self.settings)))

    def __repr__(self) -> str:
        return f"Calibration(name={self.name!r}, source={self.source!r})"

    def but(self, **changes: object) -> Calibration:
        """The same calibration with other labels or settings."""
        told: dict[str, object] = {name: getattr(self, name) for name in LABELS}
        return _made(told | self.settings | changes, "Calibration")

    def latency_factor(self, size_bytes: int) -> float:
        """Factor on the latency of a message of that size, envelope included."""
        return _row(self.latency_factors, size_bytes, (1.0,))[0]

    def bandwidth_factor(self, size_bytes: int) -> float:
        """Factor on the bandwidth of a message of that size, envelope included."""
        return _row(self.bandwidth_factors, size_bytes, (1.0,))[0]

    def one_way_s(self, size_bytes: int, latency_s: float, bandwidth_bytes_per_s: float) -> float:
        """Time of a lone message from the start of its send to the end of its receive, both posted at once.

        A blocking sender's and the receiver's overheads are in it. O(rows).
        """
        size = size_bytes + self.envelope_bytes
        moving = self.latency_factor(size) * latency_s
        moving += size / (self.bandwidth_factor(size) * bandwidth_bytes_per_s)
        for table in (self.send_overhead, self.receive_overhead):
            fixed_s, s_per_byte = _row(table, size, (0.0, 0.0))
            moving += fixed_s + s_per_byte * size
        return float(moving)


def _row(table: list[list[float]], size_bytes: int, otherwise: tuple[float, ...]) -> tuple[float, ...]:
    found = otherwise
    for above, *values in table:
        if above >= size_bytes:
            break
        found = tuple(values)
    return found


def names() -> tuple[str, ...]:
    """Names of the shipped calibrations, sorted.

    >>> "pure" in names()
    True
    """
    found = (file.name for file in _SHIPPED.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


def load(calibration: str | Path | Calibration = "pure") -> Calibration:
    """The calibration of that name, or from that TOML file.

    Parameters
    ----------
    calibration
        A shipped name (:func:`names`), a path ending in ``.toml``, or a calibration, which is returned.

    Raises
    ------
    NetloomError
        NL-X001 for a missing file, NL-L003 if it is not TOML or beyond 1 MiB, NL-L002 for an unknown name; those of
        `Calibration`, all of one file together.
    """
    if isinstance(calibration, Calibration):
        return calibration
    place = str(calibration)
    if place.endswith(".toml"):
        return loads(files.read(place), place)
    if place not in names():
        hint = did_you_mean(place, names(), "one of") + " (a file's path ends in .toml)"
        raise NetloomError(
            [Fault(codes.UNKNOWN_NAME, "calibration", "a shipped calibration or a path", repr(place), hint)]
        )
    return _shipped(place)


@cache
def _shipped(name: str) -> Calibration:
    return loads((_SHIPPED / f"{name}.toml").read_bytes(), f"{name}.toml")


def loads(data: bytes, place: str) -> Calibration:
    """A calibration from the bytes of its file; `place` is the file's name for messages, and its stem the name of a
    calibration that does not say its own."""
    table = read_toml(data, place, codes.UNREADABLE, MAX_BYTES)
    return _made({"name": Path(place).stem, **table}, place)


def _made(told: Mapping[str, object], place: str) -> Calibration:
    """A calibration of labels and settings; `place` is that of the faults."""
    made = Calibration.__new__(Calibration)
    settings = {name: value for name, value in told.items() if name not in LABELS}
    made._take([told.get(name, "") for name in LABELS], settings, place)
    return made


def dumps(calibration: Calibration) -> str:
    """The calibration as a TOML file: every key, so that no default is left to a later version."""
    lines = [f"{name} = {text_of(getattr(calibration, name))}" for name in LABELS]
    lines += [f"{name} = {_written(value)}" for name, value in calibration.settings.items()]
    return "\n".join(lines) + "\n"


def text_of(text: str) -> str:
    """A text as TOML has it."""
    # JSON and TOML agree on escapes, but for DEL, which TOML wants escaped and JSON leaves.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _written(value: str | float | list[list[float]]) -> str:
    if isinstance(value, list):
        rows = "".join(f"    [{', '.join(map(repr, row))}],\n" for row in value)
        return f"[\n{rows}]" if value else "[]"
    if isinstance(value, str):
        return text_of(value)
    return '"none"' if math.isinf(value) else repr(value)


def save(calibration: Calibration, path: str | Path) -> None:
    """Writes it, whole or not at all.

    Raises
    ------
    NetloomError
        NL-X003 if it cannot be written.
    """
    files.write(path, dumps(calibration).encode())


def rows() -> list[Row]:
    """The shipped calibrations as rows of `netloom.catalogue`; the parameters are the settings that one can change."""
    return [
        {
            "name": name,
            "aliases": [],
            "summary": _shipped(name).description,
            "params": [*_core.machine_params()],
            "signature": name,
            "example": name,
            "restrictions": "",
            "source": _shipped(name).source,
        }
        for name in names()
    ]
