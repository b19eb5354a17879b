"""A machine: what a site has, as one TOML file, each value with its source."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from .. import _core
from ..base import files
from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..base.toml import read_toml
from . import codes
from .calibration import MAX_BYTES
from .faults import label, misplaced, of_setting
from .validated import TABLE, Validated
from .validated import read as read_validated

if TYPE_CHECKING:
    Value = str | int | float | bool | list[object]

#: How a value is known. A value without a kind counts as assumed.
KINDS = ("measured", "data sheet", "assumed")
#: Words for people.
LABELS = ("title", "summary", "source", "date")
#: Inputs of a scenario that belong to a machine.
INPUTS = ("network", "format", "part", "fail", "cores", "node", "routing", "variant", "calibration", "library")
#: Inputs that may be file names.
FILES = ("network", "calibration", "gpus")
#: What else is known of it, and is no input.
FACTS = ("nodes", "gpus", "accelerator")
#: Tables of settings of the core.
PARTS = ("wire", "software")
_OF_VALUE = ("value", "kind", "source", "date")
#: What a fact that is a name names.
_NAMED = {"gpus": "the name or the file of a machine", "accelerator": "the name of a GPU"}


@dataclass(frozen=True)
class Measured:
    """A value with where it comes from.

    Parameters
    ----------
    value
        In the unit that its name says.
    kind
        `measured` (on this machine), `data sheet` (of the vendor or the site) or `assumed`.
    source, date
        In words; of the file where the value says none of its own.
    """

    value: Value
    kind: str = "assumed"
    source: str = ""
    date: str = ""


@dataclass(frozen=True)
class Machine:
    """Network and what of it failed, node, routing, costs of the wire and of software.

    Parameters
    ----------
    name
        The stem of its file.
    title, summary, source, date
        For people.
    values
        By name: an input of a scenario (`network`, `node`, `routing`, ...) or a setting (`wire.duplex`,
        `software.combine_s_per_byte`, ...), or a fact (`nodes`).
    folder
        Where file names in it start.
    """

    name: str
    title: str = ""
    summary: str = ""
    source: str = ""
    date: str = ""
    values: Mapping[str, Measured] = field(default_factory=dict)
    folder: Path = Path()
    #: How well it was found to predict; None if nobody has looked.
    validated: Validated | None = None
    #: SHA-256 of its file.
    digest: str = ""

    @property
    def nodes(self) -> int | None:
        """How many nodes it has, where its file says so: its network may have places for more."""
        known = self.values.get("nodes")
        return None if known is None else int(str(known.value))

    @property
    def gpus(self) -> str | None:
        """The machine, a name or a file, whose ranks are the GPUs of this one; None if its file names none."""
        known = self.values.get("gpus")
        return None if known is None else str(self._placed("gpus", known.value))

    @property
    def accelerator(self) -> str | None:
        """Name of its GPU, of which a rank is one; None if its file names none."""
        known = self.values.get("accelerator")
        return None if known is None else str(known.value)

    def inputs(self) -> dict[str, object]:
        """The inputs of a scenario that it gives; `wire` and `software` as tables."""
        made: dict[str, object] = {}
        for name, known in self.values.items():
            part, dot, key = name.partition(".")
            if name in FACTS:
                continue
            if dot:
                table = made.setdefault(part, {})
                assert isinstance(table, dict)
                table[key] = known.value
            else:
                made[name] = self._placed(name, known.value)
        return made

    def facts(self) -> dict[str, object]:
        """Everything that its file says, as plain data."""
        labels = {name: getattr(self, name) for name in ("name", *LABELS)}
        known = None if self.validated is None else asdict(self.validated)
        return labels | {"validated": known, "values": {name: asdict(known) for name, known in self.values.items()}}

    def _placed(self, name: str, value: Value) -> Value:
        """A file name as seen from the working directory."""
        own = self.folder / str(value)
        is_file = name in FILES and isinstance(value, str) and files.is_file(own)
        return str(own) if is_file else value


def loads(data: bytes, place: str, folder: Path = Path()) -> Machine:
    """A machine from the bytes of its file; `place` is the file's name for messages.

    Raises
    ------
    NetloomError
        `NL-L003` if it is no TOML or too large, `NL-L002` for an unknown key, `NL-L001`, `NL-A007` for a bad value; all
        of one file together.
    """
    table = read_toml(data, place, codes.UNREADABLE, MAX_BYTES)
    faults: list[Fault] = []
    labels = {name: label(table.pop(name, ""), f"{place}: {name}", faults) for name in LABELS}
    validated = read_validated(table.pop(TABLE, None), f"{place}: {TABLE}", faults)
    values = dict(_values(table, place, labels, faults))
    settings = {name.partition(".")[2]: known.value for name, known in values.items() if "." in name}
    if "network" not in values:
        hint = 'for example network = "fat_tree(radix=40, levels=3)", or the name of a network file'
        faults.append(Fault(codes.UNREADABLE, place, "the key network is missing", "", hint))
    try:
        _core.machine_settings(place, settings)
    except NetloomError as error:
        faults += [of_setting(fault, place, values) for fault in error.faults]
    if faults:
        raise NetloomError(faults)
    digest = hashlib.sha256(data).hexdigest()
    return Machine(name=Path(place).stem, **labels, values=values, folder=folder, validated=validated, digest=digest)


def _values(
    table: Mapping[str, object], place: str, labels: Mapping[str, str], faults: list[Fault]
) -> Iterator[tuple[str, Measured]]:
    for key, said in table.items():
        if key in PARTS:
            if not isinstance(said, dict):
                faults.append(Fault(codes.BAD_VALUE, f"{place}: {key}", "a table", repr(said)[:200]))
                continue
            faults += misplaced(key, said, f"{place}: ")
            for inner, value in said.items():
                yield f"{key}.{inner}", _measured(value, f"{place}: {key}.{inner}", labels, faults)
        elif key in INPUTS:
            yield key, _measured(said, f"{place}: {key}", labels, faults)
        elif key in FACTS:
            known, where = _measured(said, f"{place}: {key}", labels, faults), f"{place}: {key}"
            yield key, _count(known, where, faults) if key == "nodes" else _name(known, where, _NAMED[key], faults)
        else:
            hint = did_you_mean(key, (*LABELS, *FACTS, *INPUTS, *PARTS, TABLE), "keys")
            faults.append(Fault(codes.UNKNOWN_NAME, place, "a key of a machine", repr(key)[:200], hint))


def _count(known: Measured, place: str, faults: list[Fault]) -> Measured:
    if type(known.value) is int and 1 <= known.value < 1 << 31:
        return known
    faults.append(Fault(codes.BAD_VALUE, place, "an integer >= 1", repr(known.value)[:200]))
    return replace(known, value=1)


def _name(known: Measured, place: str, words: str, faults: list[Fault]) -> Measured:
    if isinstance(known.value, str) and known.value:
        return known
    faults.append(Fault(codes.BAD_VALUE, place, words, repr(known.value)[:200]))
    return replace(known, value="")


def _measured(said: object, place: str, labels: Mapping[str, str], faults: list[Fault]) -> Measured:
    """A plain value, or a table of one with its source."""
    table = said if isinstance(said, dict) else {"value": said}
    for key in table:
        if key not in _OF_VALUE:
            hint = did_you_mean(key, _OF_VALUE, "keys")
            faults.append(Fault(codes.UNKNOWN_NAME, place, "a key of a value", repr(key)[:200], hint))
    kind = table.get("kind", "assumed")
    if kind not in KINDS:
        faults.append(Fault(codes.BAD_VALUE, f"{place}.kind", "one of " + ", ".join(KINDS), repr(kind)[:200]))
    value = table.get("value")
    if not isinstance(value, (str, int, float, bool, list)):
        faults.append(Fault(codes.BAD_VALUE, place, "text, a number or a list", repr(value)[:200]))
        value = ""
    own = {name: label(table.get(name, labels[name]), f"{place}.{name}", faults) for name in ("source", "date")}
    return Measured(value, str(kind), **own)
