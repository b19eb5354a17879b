"""A scenario: the inputs of one question as plain data, with a TOML and a JSON form of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sized
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Unpack, cast

from ..base import files
from ..base.arrays import same
from ..base.errors import Fault, NetloomError
from ..base.html import facts
from ..base.toml import MOST_BYTES, check_tree, decoded, read_toml
from ..jobs import Job
from ..machine import Machine, load
from ..network import as_network
from ..workload import as_traffic
from .axes import AXES, BY_NAME, TABLES, Axes, require_axes
from .codes import NOT_PLAIN, UNREADABLE
from .parameters import input_of, is_parameter, with_parameters
from .usual import GPUS, HOSTS, LIBRARY, has_gpus

if TYPE_CHECKING:
    from ..network import NetworkLike

    #: Values of JSON and TOML.
    Plain = str | int | float | bool | list["Plain"] | dict[str, "Plain"]

MAX_BYTES = MOST_BYTES
#: Jobs and background flows are separate tables in a file.
_TABLES = {"job": "jobs", "background": "background"}


class Scenario(Mapping[str, object]):
    """The input of evaluators: a machine (network, failures, node, routing, costs), and jobs, placed, with workloads.

    Parameters
    ----------
    network
        Call text, a network file, a `Network`, or a graph of NetworkX.
    axes
        The other inputs by name, see `netloom.scenario.AXES`; omitted ones are those of `machine`, or have the table's
        default. `jobs` is a file, or a list of `Job` or of mappings with the keys of a ``[[job]]``. A name such as
        `node.nics` or `wire.duplex` sets one parameter of another input.

    Notes
    -----
    A mapping from axis to value. Nothing is read or built before an evaluator asks; `netloom.evaluate` reports what
    is wrong.

    Examples
    --------
    >>> from netloom import Scenario, evaluate
    >>> scenario = Scenario("torus(4,4)", ranks=16, workload="allreduce:ring")
    >>> evaluate(scenario, "hops")["total_hops"]
    600
    >>> Scenario.from_toml(scenario.to_toml()) == scenario
    True
    """

    def __init__(self, network: NetworkLike | None = None, /, *, folder: str | Path = "", **axes: Unpack[Axes]) -> None:
        given: dict[str, object] = dict(axes)
        if network is not None:
            given = {"network": network} | given
        require_axes(given, "scenario")
        #: Folder to which file names of the scenario are relative.
        self.folder = Path(folder)
        self._given = _taken(given)

    def __getitem__(self, name: str) -> object:
        if is_parameter(name):
            return self._given[name]
        own = {key.partition(".")[2]: value for key, value in self._given.items() if input_of(key) == name != key}
        return with_parameters(name, self._whole(name), own)

    def _whole(self, name: str) -> object:
        """The value of an input without what is said of its parameters."""
        if name in TABLES:
            # A calibration that is given replaces all costs of the machine.
            kept = {} if self.machine is None or "calibration" in self._given else self.machine.inputs().get(name, {})
            return {**cast("dict[str, object]", kept), **cast("dict[str, object]", self._given.get(name) or {})}
        if name in self._given:
            return self._given[name]
        if self.machine is not None and name in (inputs := self.machine.inputs()):
            return inputs[name]
        return self._usual(name) if name in ("calibration", "library") else BY_NAME[name].default

    def _usual(self, name: str) -> str:
        """What real machines of this kind run; nothing that costs time where a machine or a calibration is given."""
        known = self.machine is not None or "calibration" in self._given
        gpus = not known and has_gpus(self["network"], self["node"])
        if name == "library":
            return LIBRARY if gpus else ""
        return "pure" if known else GPUS if gpus else HOSTS

    @cached_property
    def machine(self) -> Machine | None:
        """The machine that is given.

        Raises
        ------
        NetloomError
            If nothing is called so, or what is wrong with its file.
        """
        said = self._given.get("machine")
        return load(cast("str | Machine", said), self.folder) if said else None

    def given(self, name: str) -> object:
        """What was given for an input, without its machine, its parameters and its default; None for nothing."""
        return self._given.get(name)

    def says(self, name: str) -> bool:
        """True for inputs that were given, or that the machine gives."""
        return name in self._given or (self.machine is not None and name in self.machine.inputs())

    def __contains__(self, name: object) -> bool:
        """True for inputs that were given; others still have a value, the default."""
        return name in self._given

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scenario):
            return NotImplemented
        mine, others = self._given, other._given
        return mine.keys() == others.keys() and all(same(mine[name], others[name]) for name in mine)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Scenario({', '.join(f'{name}={_short(value)}' for name, value in self._given.items())})"

    def _repr_html_(self) -> str:
        rows = {name: _short(value) for name, value in self._given.items()}
        return f"<p><b>Scenario</b></p>{facts(rows)}"

    def but(self, **axes: Unpack[Axes]) -> Scenario:
        """The same scenario with other values."""
        made = Scenario(folder=self.folder, **axes)
        # A value of the whole input leaves nothing of its parameters.
        kept = {name: value for name, value in self._given.items() if input_of(name) not in made._given}
        made._given = kept | made._given
        return made

    def only(self, *names: str) -> Scenario:
        """The same scenario with these inputs alone."""
        made = Scenario(folder=self.folder)
        made._given = {name: value for name, value in self._given.items() if name in names or input_of(name) in names}
        return made

    def without(self, *names: str) -> Scenario:
        """The same scenario without these inputs."""
        return self.only(*(name for name in self._given if name not in names))

    def to_dict(self) -> dict[str, Plain]:
        """The inputs given, in JSON and TOML form; jobs as a list of tables under `job`.

        Raises
        ------
        NetloomError
            `NL-H001` for objects that have no text, such as a schedule of one's own.
        """
        made: dict[str, Plain] = {}
        tables: dict[str, Plain] = {}
        for axis in AXES:
            if axis.name not in self._given:
                continue
            value = _plain(self._given[axis.name], axis.name)
            if axis.name in _TABLES.values() and isinstance(value, list):
                tables[next(key for key, name in _TABLES.items() if name == axis.name)] = value
            elif isinstance(value, dict):
                tables[axis.name] = value
            else:
                made[axis.name] = value
        made |= {name: _plain(value, name) for name, value in self._given.items() if is_parameter(name)}
        return made | tables

    def to_json(self) -> str:
        """One JSON object; `from_json` reads it back."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n"

    def to_toml(self) -> str:
        """TOML with ``[[job]]`` and ``[[background]]`` tables; `from_toml` reads it back."""
        lines: list[str] = []
        tables = {}
        for key, value in self.to_dict().items():
            if key in _TABLES or isinstance(value, dict):
                tables[key] = value
            else:
                lines.append(f"{_toml(key) if is_parameter(key) else key} = {_toml(value)}")
        for key, value in tables.items():
            for row in value if isinstance(value, list) else [value]:
                assert isinstance(row, dict)
                lines.append(f"\n[[{key}]]" if isinstance(value, list) else f"\n[{key}]")
                lines += [f"{name} = {_toml(item)}" for name, item in row.items()]
        return "\n".join(lines) + "\n"

    @classmethod
    def from_dict(cls, table: Mapping[str, object], folder: str | Path = "", place: str = "scenario") -> Scenario:
        """The inverse of `to_dict`.

        Raises
        ------
        NetloomError
            `NL-A003` for a key that is no input.
        """
        given = {_TABLES.get(key, key): value for key, value in table.items()}
        require_axes(given, place)
        made = cls(folder=folder)
        made._given = _taken(given)
        return made

    @classmethod
    def from_json(cls, text: str, folder: str | Path = "", place: str = "scenario") -> Scenario:
        """The inverse of `to_json`.

        Raises
        ------
        NetloomError
            `NL-H002` if it is no JSON object, `NL-A003` for a key that is no input.
        """
        try:
            table = json.loads(text.removeprefix("\ufeff"))
        except (ValueError, RecursionError) as error:
            raise _unreadable(place, "JSON", error) from None
        if not isinstance(table, dict):
            raise NetloomError([Fault(UNREADABLE, place, "a JSON object", type(table).__name__)])
        check_tree(table, place, UNREADABLE)
        return cls.from_dict(table, folder, place)

    @classmethod
    def from_toml(cls, text: str, folder: str | Path = "", place: str = "scenario") -> Scenario:
        """The inverse of `to_toml`.

        Raises
        ------
        NetloomError
            `NL-H002` if it is no TOML, `NL-A003` for a key that is no input.
        """
        return cls.from_dict(read_toml(text, place, UNREADABLE), folder, place)

    @classmethod
    def read(cls, path: str | Path) -> Scenario:
        """A scenario from a ``.toml`` or ``.json`` file; file names in it are relative to its folder.

        Raises
        ------
        NetloomError
            `NL-X001`, `NL-X002`, `NL-H002`, `NL-A003`.
        """
        data = files.read(path)
        if len(data) > MAX_BYTES:
            raise NetloomError([Fault("NL-X002", str(path), f"is larger than {MAX_BYTES >> 20} MiB")])
        text = decoded(data, str(path), UNREADABLE, MAX_BYTES)
        read = cls.from_json if Path(path).suffix == ".json" else cls.from_toml
        return read(text, Path(path).parent, str(path))


def _taken(given: Mapping[str, object]) -> dict[str, object]:
    """What was given, graphs and matrices of other packages as networks and traffic, also in jobs."""
    made = {name: value for name, value in given.items() if value is not None}
    for name, convert in (("network", as_network), ("workload", as_traffic), ("jobs", _jobs)):
        if name in made:
            made[name] = convert(made[name])
    return made


def _jobs(value: object) -> object:
    return [_job(row) for row in value] if isinstance(value, (list, tuple)) else value


def _job(row: object) -> object:
    if isinstance(row, Job) and row.workload is not None:
        return replace(row, workload=as_traffic(row.workload))  # type: ignore[arg-type]  # checked where it is used
    if isinstance(row, Mapping) and row.get("workload") is not None:
        return {**row, "workload": as_traffic(row["workload"])}
    return row


def _short(value: object) -> str:
    """A value in one line; of a long list or array its length."""
    text = repr(value)
    if len(text) <= 80 and "\n" not in text:
        return text
    size = f" of {len(value)}" if isinstance(value, Sized) and not isinstance(value, str) else ""
    return f"<{type(value).__name__}{size}>" if size else f"{' '.join(text.split())[:76]} ..."


def _unreadable(place: str, what: str, error: Exception) -> NetloomError:
    words = "is nested too deeply" if isinstance(error, RecursionError) else " ".join(str(error).split())[:120]
    return NetloomError([Fault(UNREADABLE, place, f"is not {what}: {words}")])


def _plain(value: object, name: str) -> Plain:
    """Texts, numbers, lists and tables; objects that were made from a text as that text."""
    if isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "to_row"):
        return {key: _plain(item, f"{name}.{key}") for key, item in value.to_row().items()}
    if isinstance(value, Mapping):
        return {str(key): _plain(item, f"{name}.{key}") for key, item in value.items()}
    if hasattr(value, "tolist"):
        numbers: list[Plain] = value.tolist()
        return numbers
    if isinstance(value, (list, tuple)):
        return [_plain(item, f"{name}[{at}]") for at, item in enumerate(value)]
    words = f"a {type(value).__name__}"
    hint = "give it as call text or as a file where the scenario is to be written"
    raise NetloomError([Fault(NOT_PLAIN, f"scenario.{name}", "text, a number or a table", words, hint)])


def _toml(value: object) -> str:
    """What JSON writes of a text, a number or a list is TOML too; tables inside are inline ones."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    return json.dumps(value, ensure_ascii=False)
