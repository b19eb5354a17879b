"""Texts of a study brought to their canonical form: what a run computes, independent of how it was written."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .. import _core, files, matrices, plugin
from ..errors import Fault, NetloomError
from ..nearest import did_you_mean
from ..quantities import parse_bytes, parse_seconds
from ..registries import catalogue
from . import codes
from .values import Scalar

#: Of a count.
MOST = 2**31 - 1


def head(text: str) -> str:
    """The name of a call."""
    return text.partition("(")[0].strip()


def known(kind: str) -> list[str]:
    """Registered names and aliases of a kind, plug-ins included."""
    return [name for row in catalogue(kind) for name in (row["name"], *row["aliases"])] + plugin.names(kind)


def is_known(kind: str, text: str) -> bool:
    """True if the call names something of that kind; `_` and `-` are the same in names."""
    name = head(text).replace("_", "-")
    return any(name == other.replace("_", "-") for other in known(kind))


class Calls:
    """Canonical forms, each found once.

    Parameters
    ----------
    folder
        Where the file names of a study start.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._found: dict[tuple[str, Any], Scalar | NetloomError] = {}

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
        if kind == "ranks":
            return value if value == "all" else _integer(kind, value, 1)
        if kind == "int":
            return _integer(kind, value, 0)
        if kind == "count":
            return _integer(kind, value, 1, MOST)
        if kind == "bytes":
            return parse_bytes(value if isinstance(value, (int, str)) else str(value))
        if not isinstance(value, str):
            raise NetloomError([Fault(codes.BAD_VALUE, kind, "text", repr(value))])
        make: dict[str, Callable[[str], str]] = {
            "network": self._network,
            "cost_model": self._cost_model,
            "order": order_call,
            "workload": workload_call,
            "collective": lambda text: _call("collectives", text),
            "placement": lambda text: _call("placements", text),
            "routing": lambda text: _call("routings", text),
            "calibration": self._calibration,
            "seconds": lambda text: repr(seconds(text)),
            "duplex": _duplex,
            "traffic": self._traffic,
            "path_choice": lambda text: text if text == "auto" else _call("routings", text),
            "variant": _variant,
            "jobs": self._jobs,
            "failures": _failures,
        }
        return make[kind](value) if kind in make else value

    def network_path(self, text: str) -> Path | None:
        """The file that a network text names, or None if it is a call."""
        if text.rstrip().endswith(")") or not text.strip():
            return None
        path = self.folder / text
        try:
            if path.is_file():
                return path
        except (OSError, ValueError):
            return None
        return path if "/" in text or (Path(text).suffix and not is_known("topologies", text)) else None

    def _network(self, text: str) -> str:
        path = self.network_path(text)
        if path is None:
            return _call("topologies", text)
        # The content counts, not the name: an edited file is another network.
        return f"file:{hashlib.sha256(files.read(path)).hexdigest()}"

    def _cost_model(self, text: str) -> str:
        if not text.endswith(".toml"):
            return text
        return f"file:{hashlib.sha256(files.read(self.folder / text)).hexdigest()}"

    def _traffic(self, text: str) -> str:
        if not matrices.is_traffic_file(text):
            return workload_call(text) if text else ""
        return f"file:{hashlib.sha256(files.read(self.folder / text)).hexdigest()}"

    def _jobs(self, text: str) -> str:
        # A list of the study itself, or none.
        if not text or "\n" in text:
            return text
        return f"file:{hashlib.sha256(files.read(self.folder / text)).hexdigest()}"

    def _calibration(self, text: str) -> str:
        from .. import calibration

        if text.endswith(".toml"):
            return f"file:{hashlib.sha256(files.read(self.folder / text)).hexdigest()}"
        return calibration.load(text).name


def _duplex(text: str) -> str:
    if text not in ("full", "half"):
        raise NetloomError([Fault(codes.BAD_VALUE, "duplex", '"full" or "half"', f'"{text}"')])
    return text


def _variant(text: str) -> str:
    from ..link_load import SHORT, VARIANTS

    name = SHORT.get(text.upper(), text)
    if name not in VARIANTS:
        expected = f"one of {', '.join(VARIANTS)}, or {', '.join(SHORT)}"
        raise NetloomError([Fault(codes.BAD_VALUE, "variant", expected, text, did_you_mean(text, VARIANTS))])
    return name


def _failures(text: str) -> str:
    """One failure per line; a study writes them behind each other with semicolons."""
    lines = [line.strip() for line in text.replace(";", "\n").splitlines()]
    kept = [] if text.strip() == "none" else [line for line in lines if line]
    # Whether the network has it is known when the run has a network.
    wrong = [line for line in kept if not _core.is_failure(line)]
    if wrong:
        expected = "none, link:A-B, link:A-B#0, switch:A, links:0.5%,seed=3 or switches:4,seed=3"
        raise NetloomError([Fault(codes.BAD_VALUE, "failures", expected, line) for line in wrong[:20]])
    return "\n".join(kept)


def seconds(text: str) -> float:
    """A time from `"100 ns"`; 0 needs no unit."""
    return parse_seconds(text, "seconds", least=0.0)


def _integer(kind: str, value: Scalar, least: int, most: int = 2**63 - 1) -> int:
    if isinstance(value, str) and value.strip().lstrip("-").isdecimal() and len(value) < 20:
        value = int(value)
    if type(value) is not int or not least <= value <= most:
        words = f"in {least}..{most}" if most == MOST else f">= {least}"
        expected = f"an integer {words}" + (' or "all"' if kind == "ranks" else "")
        raise NetloomError([Fault(codes.BAD_VALUE, kind, expected, repr(value))])
    return value


def _call(kind: str, text: str) -> str:
    if plugin.find(kind, text) is not None:
        _core.parse_call(text)
        return text
    return _core.canonical(kind, text)


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
    raise NetloomError([Fault(codes.CALL, "order", f'nothing is called "{name}"', "", hint)])


def workload_call(text: str) -> str:
    """A collective, an application or a pattern in canonical form."""
    name = head(text)
    if is_known("applications", text):
        return _call("applications", text)
    if ":" in name:
        return _call("collectives", text)
    if is_known("patterns", text):
        return _call("patterns", text)
    _core.parse_call(text)
    hint = did_you_mean(name, known("patterns") + known("collectives") + known("applications"), "workloads")
    raise NetloomError([Fault(codes.CALL, "workload", f'nothing is called "{name}"', "", hint)])
