"""Values of axes in canonical form: what is computed, independent of how it was written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from .. import _core, plugin
from ..base import files
from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..base.quantities import parse_bytes, parse_flops_per_s, parse_seconds, whole
from ..base.registries import catalogue
from ..library import library
from ..machine import load as load_machine
from ..network.tables import file_of, read_tables
from ..plugin import is_known, known
from ..workload import DEFAULT, FILES, by_collective, file_named, kind_of, left_to_library, own_program
from ..workload.traces import digest_of, is_large
from .axes import BY_NAME, Axis
from .parameters import axis_of, checked, input_of, is_parameter

#: The value of an axis in a file.
Scalar = str | int | float | bool

BAD_VALUE, CALL = "NL-A007", "NL-A002"
#: Of a count.
MOST = 2**31 - 1


def head(text: str) -> str:
    """The name of a call."""
    return text.partition("(")[0].strip()


class Calls:
    """Canonical forms, each found once.

    Parameters
    ----------
    folder
        Where the file names of a study start.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._found: dict[tuple[str, tuple[type, Scalar]], Scalar | NetloomError] = {}

    def canonical(self, kind: str, value: Scalar) -> Scalar:
        """The value of an axis of that kind in canonical form.

        Raises
        ------
        NetloomError
            With all that is wrong with it.
        """
        key = (kind, (type(value), value))
        if key not in self._found:
            try:
                self._found[key] = self._make(kind, value)
            except NetloomError as error:
                self._found[key] = error
        found = self._found[key]
        if isinstance(found, NetloomError):
            raise found
        return found

    def _make(self, kind: str, value: Scalar) -> Scalar:
        if kind in ("parameter", "setting"):
            return value
        if kind == "ranks":
            return value if value == "all" else _integer(kind, value, 1)
        if kind == "int":
            return _integer(kind, value, 0)
        if kind == "count":
            return _integer(kind, value, 1, MOST)
        if kind == "bytes":
            return parse_bytes(value if isinstance(value, (int, str)) else str(value), kind)
        if kind in ("seconds", "speed") and isinstance(value, (int, float)) and not isinstance(value, bool):
            value = repr(value)
        if not isinstance(value, str):
            raise NetloomError([Fault(BAD_VALUE, kind, "text", repr(value))])
        make: dict[str, Callable[[str], Scalar]] = {
            "network": self._network,
            "cost_model": self._file_or_text,
            "order": self._order,
            "workload": self._workload,
            "collective": lambda text: _collective(text) if text else "",
            "library": lambda text: library(text).name if text else "",
            "node": lambda text: _call("nodes", text) if text else "",
            "placement": lambda text: _call("placements", text),
            "routing": self._routing,
            "calibration": self._calibration,
            "seconds": lambda text: repr(seconds(text)),
            "speed": lambda text: repr(parse_flops_per_s(text, "speed")),
            "algorithms": lambda text: "; ".join(sorted(by_collective(text).values())),
            "duplex": _duplex,
            "variant": lambda text: _call("variants", text),
            "jobs": self._jobs,
            "file": lambda text: self._hash(text) if text else "",
            "failures": _failures,
            "machine": self._machine,
        }
        return make[kind](value) if kind in make else value

    def network_path(self, text: str) -> Path | None:
        """The file that a network text names, or None if it is a call."""
        if text.rstrip().endswith(")") or not text.strip():
            return None
        path = self.folder / text
        if files.is_file(path):
            return path
        return path if "/" in text or (Path(text).suffix and not is_known("topologies", text)) else None

    def _hash(self, text: str, read: Callable[[Path], bytes] = files.read) -> str:
        import hashlib

        # The content counts, not the name: an edited file is a different input.
        return f"file:{hashlib.sha256(read(self.folder / text)).hexdigest()}"

    def _network(self, text: str) -> str:
        if self.network_path(text) is not None:
            return self._hash(text)
        if not is_known("topologies", text):
            files.refuse_folder(self.folder / text)
        return _call("topologies", text)

    def _routing(self, text: str) -> str:
        call = text if text == "auto" else _call("routings", text)
        file = file_of(text)
        return call if file is None else f"{call} {self._hash(file, read_tables)}"

    def _order(self, text: str) -> str:
        """A call, and the hash of a file that it names as its model."""
        call = order_call(text)
        model = _core.parse_call(text)[2].get("model") if is_known("optimisers", text) else None
        return f"{call} {self._hash(model)}" if isinstance(model, str) and model else call

    def _file_or_text(self, text: str) -> str:
        return self._hash(text) if text.endswith(".toml") else text

    def _workload(self, text: str) -> str:
        if not text:
            return ""
        kind = kind_of(text, self.folder)
        if kind in FILES:
            name, format = file_named(text)
            there = self.folder / name
            digest = self._hash(name) if kind != "trace" or not is_large(there) else f"file:{digest_of(there)}"
            return f"{format}{' ' if format else ''}{digest}"
        if kind == "collective":
            return _collective(text)
        if own_program(text):
            _, positional, _ = _core.parse_call(text)
            models = [str(one).rpartition(":")[0] or str(one) for one in positional if ".toml" in str(one)]
            return " ".join([text, *map(self._hash, models)])
        return _call({"pattern": "patterns", "application": "applications"}[kind], text)

    def _jobs(self, text: str) -> str:
        # A list of the study itself, or none.
        return text if not text or "\n" in text else self._hash(text)

    def _machine(self, text: str) -> str:
        """The hash of its file; its values are checked as those of the inputs that they stand for."""
        if not text:
            return ""
        made, faults = load_machine(text, self.folder), []
        for name, value in made.inputs().items():
            if isinstance(value, (str, int, float)):
                try:
                    self.canonical(BY_NAME[name].kind, value)
                except NetloomError as error:
                    faults += [replace(fault, place=f"{text}: {fault.place}") for fault in error.faults]
        if faults:
            raise NetloomError(faults)
        return f"file:{made.digest}"

    def _calibration(self, text: str) -> str:
        from ..machine.calibration import load

        if not text:
            return ""
        return self._hash(text) if text.endswith(".toml") else load(text).name


def check(axes: Mapping[str, Axis], given: Mapping[str, object], calls: Calls) -> None:
    """Every text and number of a scenario in the form of its axis; objects are checked where they are used.

    Raises
    ------
    NetloomError
        All that is wrong, each fault at the name of its axis.
    """
    faults: list[Fault] = []
    for name, value in given.items():
        axis = axis_of(name) if is_parameter(name) and input_of(name) in axes else axes.get(name)
        if axis is None or axis.kind in ("table", "jobs", "file") or not isinstance(value, (str, int, float)):
            continue
        try:
            calls.canonical(axis.kind, value)
            if axis.kind == "setting":
                checked(name, value)
            elif axis.kind == "parameter" and input_of(name) not in given:
                # The whole call, with this parameter.
                calls.canonical(axes[input_of(name)].kind, str(given[input_of(name)]))
        except NetloomError as error:
            faults += at_axis(error, axis)
    if faults:
        raise NetloomError(faults)


def at_axis(error: NetloomError, axis: Axis) -> list[Fault]:
    """Faults of a value of no call are called by its axis; those of a call by the call."""
    return [
        Fault(f.code, axis.name if f.place == axis.kind else f.place, f.expected, f.got, f.hint) for f in error.faults
    ]


def _duplex(text: str) -> str:
    if text not in ("full", "half"):
        raise NetloomError([Fault(BAD_VALUE, "duplex", '"full" or "half"', f'"{text}"')])
    return text


def _failures(text: str) -> str:
    """One failure per line; a study writes them behind each other with semicolons."""
    kept = [] if text.strip() == "none" else _core.failure_lines(text)
    # Whether the network has it is checked once the network is built.
    wrong = [line for line in kept if not _core.is_failure(line)]
    if wrong:
        expected = "none, link:A-B, link:A-B#0, switch:A, links:0.5%,seed=3 or switches:4,seed=3"
        raise NetloomError([Fault(BAD_VALUE, "failures", expected, line) for line in wrong[:20]])
    return "\n".join(kept)


def seconds(text: str) -> float:
    """A time >= 0 from `"100 ns"`; a bare number is seconds."""
    return parse_seconds(text, "seconds", least=0.0)


def _integer(kind: str, value: Scalar, least: int, most: int = 2**63 - 1) -> int:
    if isinstance(value, str):
        value = value if (number := whole(value)) is None else number
    if type(value) is not int or not least <= value <= most:
        words = f"in {least}..{most}" if most == MOST or (type(value) is int and value > most) else f">= {least}"
        expected = f"an integer {words}" + (' or "all"' if kind == "ranks" else "")
        raise NetloomError([Fault(BAD_VALUE, kind, expected, repr(value))])
    return value


def _call(kind: str, text: str) -> str:
    if plugin.find(kind, text) is not None:
        _core.parse_call(text)
        return text
    with plugin.suggesting(kind, text):
        return _core.canonical(kind, text)


def _collective(text: str) -> str:
    """A call; one that a library chooses stays open, since its choice depends on the other inputs."""
    collective = left_to_library(text)
    return _call("collectives", text) if collective is None else f"{collective}:{DEFAULT}"


def variant_text(text: str) -> str:
    """A variant by its own name, as Jain 2016 abbreviates them too; its arguments as written."""
    name = head(text)
    for row in catalogue("variants"):
        if name in row["aliases"]:
            return str(row["name"]) + text.strip()[len(name) :]
    return text


def is_optimiser(text: str) -> bool:
    """True if an order text names an optimiser."""
    return not is_known("orders", text) and is_known("optimisers", text)


def order_call(text: str) -> str:
    """An order, or an optimiser, in canonical form."""
    name = head(text)
    for kind in ("orders", "optimisers"):
        if is_known(kind, text):
            return _call(kind, text)
    _core.parse_call(text)
    hint = did_you_mean(name, known("orders") + known("optimisers"), "orders and optimisers")
    raise NetloomError([Fault(CALL, "order", f'nothing is called "{name}"', "", hint)])
