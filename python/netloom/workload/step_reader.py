"""Steps of one job on groups of its ranks, from a TOML file or from plain data: one program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .. import _core
from ..base import files
from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..base.quantities import parse_bytes, parse_seconds
from ..base.toml import decoded, read_toml
from . import codes
from .groups import MAX_RANKS, Groups, Lists
from .matrix import as_traffic
from .step_keys import KINDS, WITH, of

#: A workload from call text or a file name, ranks, root and size; None where the text is neither.
Build = Callable[[str, int, int, int], object]
Keys = tuple[str | int, ...]

MAX_TEXT = 1 << 20
MAX_STEPS = 1000
#: Of steps within steps.
MAX_DEPTH = 8
MAX_TIMES = 1_000_000
MAX_FAULTS = 20
_WORDS = {str: "text", int: "an integer", float: "a number", list: "a list", dict: "a table", bool: "true"}


def load(path: Path, place: str) -> tuple[dict[str, object], dict[str, tuple[int, int]]]:
    """The table of a file, and the positions of its keys.

    Raises
    ------
    NetloomError
        `NL-W001`, `NL-X001`.
    """
    text = decoded(files.read(path), place, codes.UNREADABLE, MAX_TEXT)
    return read_toml(text, place, codes.UNREADABLE, MAX_TEXT), _core.toml_spans(text)


class Reader:
    """Brings a table of steps to programs, and collects what is wrong with it.

    Parameters
    ----------
    place
        What messages call the table: its file.
    spans
        Line and column of every key, if it is of a file.
    build
        Makes the workloads of the steps.
    """

    def __init__(self, place: str, spans: Mapping[str, tuple[int, int]], build: Build) -> None:
        self.place, self.spans, self.build = place, spans, build
        self.faults: list[Fault] = []
        self.steps = 0
        self._on: dict[object, Lists] = {}

    def programs(self, table: Mapping[str, object], ranks: int | None) -> _core.Programs:
        """One program of all steps.

        Raises
        ------
        NetloomError
            `NL-W001` for another number of `ranks`; `NL-W002`, `NL-W003`: all that is wrong with the table.
        """
        made = self.sequence(table, ranks)
        return _core.Programs.compose(Path(self.place).name, self.groups.ranks, made)

    def sequence(self, table: Mapping[str, object], ranks: int | None) -> list[tuple[object, ...]]:
        """The steps in the form that `Programs.compose` takes; raises as `programs`."""
        table = self._known(table, "file", ())
        self._done()
        said = table.get("ranks", 0)
        if "ranks" in table and not 1 <= said <= MAX_RANKS:
            self._bad(("ranks",), f"an integer in 1..{MAX_RANKS}", said)
            self._done()
        self.groups = Groups(said, table.get("groups", {}), self._groups)
        if not self.groups.ranks and not self.faults:
            self._bad(("ranks",), "is missing", hint="say ranks = 64, or the sizes of levels in [groups]")
        self._done()
        steps = self._sequence(table.get("step"), ("step",), 0)
        times = self._times(table, ())
        self._done()
        if ranks is not None and ranks != self.groups.ranks:
            sentence = f"the steps are of {self.groups.ranks} ranks, not {ranks}"
            hint = "leave the number of ranks out, or map as many ranks as the steps have"
            raise NetloomError([Fault(codes.UNREADABLE, self.place, sentence, "", hint)])
        return [("repeat", times, steps)] if times > 1 else steps

    def _sequence(self, given: object, path: Keys, depth: int) -> list[tuple[object, ...]]:
        if not isinstance(given, list) or not given:
            self._bad(path, 'at least one step, such as [[step]] compute = "1 ms"')
            return []
        if depth > MAX_DEPTH:
            self._bad(path, f"steps nested at most {MAX_DEPTH} deep")
            return []
        return [made for at, step in enumerate(given) for made in self._step(step, (*path, at), depth)]

    def _step(self, given: object, path: Keys, depth: int) -> list[tuple[object, ...]]:
        self.steps += 1
        if self.steps > MAX_STEPS or len(self.faults) >= MAX_FAULTS:
            if self.steps == MAX_STEPS + 1:
                self._bad(path, f"one of at most {MAX_STEPS} steps")
            return []
        if not isinstance(given, dict):
            self._bad(path, "a table", given)
            return []
        before = len(self.faults)
        step = self._known(given, "step", path)
        kinds = [key for key in step if key in KINDS]
        if len(kinds) != 1:
            if len(self.faults) == before:
                self._bad(path, f"needs exactly one of {', '.join(KINDS)}, has {', '.join(kinds) or 'none'}")
            return []
        (kind,) = kinds
        for key in step:
            if key not in (kind, "repeat", *WITH.get(kind, ())):
                self._bad((*path, key), f"does not go with {kind}", hint="leave it out")
        if not 0 <= step.get("root", 0) < MAX_RANKS:
            self._bad((*path, "root"), "a rank of the group", step["root"])
        times = self._times(step, path)
        if len(self.faults) > before:
            return []
        made = self._made(kind, step, path, depth)
        return [("repeat", times, made)] if times > 1 and made else made

    def _made(self, kind: str, step: dict[str, Any], path: Keys, depth: int) -> list[tuple[Any, ...]]:
        if kind == "steps":
            return self._sequence(step["steps"], (*path, "steps"), depth + 1)
        if kind == "together":
            return self._together(step["together"], (*path, "together"), depth + 1)
        groups = self._lists(step, path)
        if groups is None:
            return []
        if kind == "flops":
            return self._amount("flops", float(step["flops"]), groups, (*path, kind))
        if kind == "compute":
            value = step["compute"]
            try:
                seconds = parse_seconds(value if isinstance(value, str) else repr(value), "compute", least=0.0)
            except NetloomError as error:
                self._take(error, (*path, kind))
                return []
            return self._amount("seconds", seconds, groups, (*path, kind))
        if kind == "barrier":
            if not step["barrier"]:
                return []
            step = {"workload": "barrier:dissemination", "size": 0}
        return self._work(step, groups, path)

    def _amount(self, name: str, amount: float, groups: Lists, path: Keys) -> list[tuple[object, ...]]:
        if not 0 <= amount < float("inf"):
            self._bad(path, "a finite amount of at least 0", amount)
            return []
        return [(name, amount, groups)]

    def _together(self, given: object, path: Keys, depth: int) -> list[tuple[object, ...]]:
        if not isinstance(given, list) or not given:
            self._bad(path, "a list of at least one step")
            return []
        branches = []
        for at, branch in enumerate(given):
            here = (*path, at)
            several = isinstance(branch, list)
            branches.append(self._sequence(branch, here, depth) if several else self._step(branch, here, depth))
        return [("together", branches)]

    def _work(self, step: dict[str, Any], groups: Lists, path: Keys) -> list[tuple[Any, ...]]:
        source, made, size = step["workload"], [], 0
        try:
            if "size" in step:
                size = parse_bytes(step["size"], "size")
            # Groups of one size have one workload; a group of one rank has no partner.
            for count in sorted({len(group) for group in groups} - {0}):
                work = source if not isinstance(source, str) else None
                if work is None and count > 1:
                    work = self.build(source, count, step.get("root", 0), size if "size" in step else -1)
                if work is not None and count > 1:
                    made.append(("work", work, [group for group in groups if len(group) == count]))
        except NetloomError as error:
            self._take(error, path)
        return made

    def _lists(self, step: dict[str, Any], path: Keys) -> Lists | None:
        on = step.get("on")
        key = on if on is None or isinstance(on, str) else tuple(map(str, on))
        try:
            if key not in self._on:
                self._on[key] = self.groups.all() if key is None else self.groups.lists(key)
        except KeyError as error:
            self._bad((*path, "on"), str(error.args[0]), on, str(error.args[1]))
            return None
        return self._on[key]

    def _known(self, given: Mapping[str, Any], table: str, path: Keys) -> dict[str, Any]:
        """The keys of a table that are known and hold what they may."""
        known, made = of(table), {}
        for key, value in ((str(key), value) for key, value in given.items()):
            here = (*path, key)
            if key == "workload" and (hasattr(value, "shape") or hasattr(value, "columns")):
                value = as_traffic(value, self._at(here))
            if key not in known:
                self._bad(here, "is not a key of this table", hint=did_you_mean(key, known, "keys"))
            elif key == "workload" and isinstance(value, (_core.Schedule, _core.Traffic, _core.Programs, _core.Sends)):
                made[key] = value
            elif type(value) not in known[key]:
                self._bad(here, " or ".join(dict.fromkeys(_WORDS[kind] for kind in known[key])), value)
            else:
                made[key] = value
        return made

    def _times(self, table: dict[str, Any], path: Keys) -> int:
        times = table.get("repeat", 1)
        if not 1 <= times <= MAX_TIMES:
            self._bad((*path, "repeat"), f"an integer in 1..{MAX_TIMES}", times)
        return int(times)

    def _at(self, path: Keys) -> str:
        for end in range(len(path), 0, -1):
            span = self.spans.get(".".join(map(str, path[:end])))
            if span:
                return f"{self.place}:{span[0]}:{span[1]} {_dotted(path)}"
        return f"{self.place} {_dotted(path)}".rstrip()

    def _bad(self, path: Keys, expected: str, got: object = None, hint: str = "") -> None:
        shown = "" if got is None else ascii(got)[:60]
        self.faults.append(Fault(codes.BAD_KEY, self._at(path), expected, shown, hint))

    def _groups(self, path: Keys, expected: str, got: str = "", hint: str = "") -> None:
        self.faults.append(Fault(codes.GROUPS, self._at(("groups", *path)), expected, got, hint))

    def _take(self, error: NetloomError, path: Keys) -> None:
        """Faults of a workload, at the step that names it."""
        for fault in error.faults:
            self.faults.append(
                Fault(fault.code, f"{self._at(path)}: {fault.place}", fault.expected, fault.got, fault.hint)
            )

    def _done(self) -> None:
        if self.faults:
            raise NetloomError(self.faults[:MAX_FAULTS])


def _dotted(path: Keys) -> str:
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")
