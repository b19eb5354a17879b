"""What a key of `--vary` is in a scenario: an input, a parameter of a call, a setting, or an alias of one of these."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from .. import _core
from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..plot.style import unit_of
from ..scenario.axes import CALLS, PARTED, TABLES
from ..scenario.parameters import is_parameter
from .as_written import AsWritten
from .calls import argument, described, parameters_of
from .codes import BAD_RANGE, TWICE, UNKNOWN
from .parse import Typed, choice, ends, number, read
from .varied import Choice, Range, Value, Varied

if TYPE_CHECKING:
    from ..base.records import Param
    from ..evaluate import Evaluator
    from ..scenario import Scenario

#: Names of the field; each is the first of its keys that the scenario has.
ALIASES: dict[str, tuple[str, ...]] = {
    "link_bandwidth": ("network.bandwidth",),
    "link_latency": ("network.latency",),
    "injection_bandwidth": ("network.endpoint_bandwidth", "network.nic_bandwidth"),
    "injection_latency": ("network.endpoint_latency",),
    "router_delay": ("switch_latency",),
    "message_size": ("size_bytes",),
}
#: By kind of an input: its unit, and whether it is a whole number.
_AXES = {
    "seconds": ("s", False), "bytes": ("bytes", True), "speed": ("flop/s", False), "int": ("", True),
    "count": ("", True), "ranks": ("", True),
}  # fmt: skip
_QUANTITIES = (("bandwidth", "B/s"), ("time", "s"), ("size", "bytes"), ("speed", "flop/s"))


@dataclass(frozen=True)
class Kind:
    """What values a key takes.

    Attributes
    ----------
    unit
        None: whatever is written, of an input that is not known closer.
    number
        False: choices only.
    """

    unit: str | None = None
    integral: bool = False
    number: bool = True


def varied(texts: Iterable[str], row: Evaluator, scenario: Scenario) -> tuple[list[Varied], list[str]]:
    """What is varied in a scenario, from the texts of `--vary`, and notes on base points that nobody wrote.

    Raises
    ------
    NetloomError
        `NL-U001` to `NL-U003`: everything that is wrong with them.
    """
    faults: list[Fault] = []
    made: list[Varied] = []
    notes: list[str] = []
    before = AsWritten(row, scenario)
    for text in texts:
        try:
            one, note = _one(read(text), row, scenario, before)
            made.append(one)
            notes += [note] if note else []
        except NetloomError as error:
            faults += error.faults
    faults += _twice(made)
    if faults:
        raise NetloomError(faults)
    return made, notes


def plain(texts: Iterable[str]) -> list[Varied]:
    """What is varied of a function: any names, numbers in the units that are written."""
    made: list[Varied] = []
    for text in texts:
        asked = read(text)
        if asked.ends is None:
            chosen = [choice(one) for one in asked.choices]
            made.append(Choice(asked.name, asked.name, chosen, chosen[0]))
            continue
        low, high, unit = ends(asked, None, False)
        one = Range(asked.name, asked.name, low, high, unit, False, asked.log)
        made.append(_with_base(one, one.middle()))
    if faults := _twice(made):
        raise NetloomError(faults)
    return made


def _twice(made: list[Varied]) -> list[Fault]:
    keys = [one.key for one in made]
    names = {one.key: one.name for one in reversed(made)}
    return [
        Fault(TWICE, f"--vary {one.name}", f"{one.key} is varied twice", "", f"leave out one, such as {names[one.key]}")
        for at, one in enumerate(made)
        if one.key in keys[:at]
    ]


def _one(asked: Typed, row: Evaluator, scenario: Scenario, before: AsWritten) -> tuple[Varied, str]:
    key, kind = _key(asked, row, scenario)
    if asked.ends is None:
        chosen = [choice(one) if is_parameter(key) or kind.integral else one for one in asked.choices]
        if twice := [one for at, one in enumerate(chosen) if one in chosen[:at]]:
            sentence = f'the choice "{twice[0]}" stands there twice'
            raise NetloomError([Fault(BAD_RANGE, asked.place, sentence, "", "give it once")])
        base = _base_of(chosen, key, before, kind)
        one = Choice(asked.name, key, chosen, chosen[0] if base is None else base)
        why = "the first choice: the scenario names none"
        return one, "" if base is not None else _taken(one, why)
    if not kind.number:
        hint = f"give choices, such as {asked.name}=a|b"
        raise NetloomError([Fault(BAD_RANGE, asked.place, "is no number, and has no range", "", hint)])
    low, high, unit = ends(asked, kind.unit, kind.integral)
    made = Range(asked.name, key, low, high, unit, kind.integral, asked.log)
    found = _number(before.of(key), unit)
    if found is None:
        made = _with_base(made, made.middle())
        return made, _taken(made, "the middle of its range: the scenario gives no number for it")
    made = _with_base(made, int(found) if kind.integral and found == math.floor(found) else found)
    beyond = not low <= found <= high and not _given(key, scenario)
    return made, _taken(made, "outside of its range: nobody gave it, and so a run has it") if beyond else ""


def _given(key: str, scenario: Scenario) -> bool:
    """Whether the scenario itself says it."""
    return (argument(key, scenario) if is_parameter(key) else scenario.given(key)) is not None


def _taken(one: Varied, why: str) -> str:
    return f"{one.name} is {one.text(one.base)} at the base point, {why}."


def _base_of(chosen: list[Value], key: str, before: AsWritten, kind: Kind) -> Value | None:
    """The choice that the scenario has, or what it has in place of all of them; None where it has nothing."""
    said = before.meant(key)
    for one in chosen:
        if said is not None and _same(one, said, kind.unit or ""):
            return one
    return before.unchanged(key)


def _same(one: Value, other: Value, unit: str) -> bool:
    """Whether two texts are one value: 64 KiB and 65536, or two spellings of a call."""
    if one == other:
        return type(one) is type(other) or (not isinstance(one, bool) and not isinstance(other, bool))
    both = _number(one, unit), _number(other, unit)
    if None not in both:
        return both[0] == both[1]
    try:
        return _core.parse_call(str(one)) == _core.parse_call(str(other))
    except NetloomError:
        return False


def _with_base(one: Range, base: Value) -> Range:
    return Range(one.name, one.key, one.low, one.high, one.unit, one.integral, one.log, base)


def _number(before: Value | None, unit: str) -> float | None:
    """What the scenario says, as a number; None where it says none, such as `all`."""
    if before is None or isinstance(before, bool):
        return None
    try:
        return number(str(before), "", unit)[0]
    except NetloomError:
        return None


def _key(asked: Typed, row: Evaluator, scenario: Scenario) -> tuple[str, Kind]:
    """The key that a name stands for."""
    if (axis := row.axis(asked.name)) is not None and not is_parameter(asked.name):
        if axis.kind == "table":
            hint = f"vary one of its settings, such as {asked.name}.NAME" if asked.name in TABLES else "vary another"
            raise NetloomError([Fault(BAD_RANGE, asked.place, "is a table, not one value", "", hint)])
        return asked.name, Kind(*_AXES[axis.kind]) if axis.kind in _AXES else Kind(number=False)
    known = _parts(row, scenario)
    for key in ALIASES.get(asked.name, (asked.name,)):
        if key in known:
            return key, _kind(known[key])
        if key in {axis.name for axis in row.axes}:
            return _key(Typed(key), row, scenario)
        start = key.partition(".")[0]
        if is_parameter(key) and row.axis(start) is not None and start not in TABLES and not described(start, scenario):
            return key, Kind()
    candidates = [*(axis.name for axis in row.axes if axis.kind != "table"), *known]
    candidates += [name for name, keys in ALIASES.items() if any(key in candidates for key in keys)]
    ends_so = [key for key in known if key.partition(".")[2] == asked.name]
    hint = f'did you mean "{ends_so[0]}"?' if ends_so else did_you_mean(asked.name, candidates, "inputs")
    sentence = f"is nothing that {row.name} takes from this scenario"
    raise NetloomError([Fault(UNKNOWN, asked.place, sentence, "", hint)])


def _parts(row: Evaluator, scenario: Scenario) -> dict[str, Param]:
    """By key, the parameters of the calls and the settings that the scenario has and the evaluator takes."""
    starts = [start for start in PARTED if row.axis(start) is not None]
    made: dict[str, Param] = {}
    for start in starts:
        if start in TABLES:
            rows = [cast("Param", one) for one in _core.machine_params() if one["part"] == start]
        else:
            rows = parameters_of(start, scenario)
        made |= {f"{start}.{one['name']}": one for one in rows}
    return made


def _kind(param: Param) -> Kind:
    """What values a parameter of a call or a setting takes."""
    words, sort = param["kind"], param.get("type")
    if sort == "quantity":
        unit = next((unit for word, unit in _QUANTITIES if word in words.split(" such as")[0]), None)
        return Kind(unit, unit == "bytes")
    if sort in ("int", "float", "counts"):
        unit = unit_of(param["name"])
        return Kind({"B": "bytes", "": "", "s": "s", "bytes": "bytes", "B/s": "B/s"}.get(unit, ""), sort != "float")
    # Of a plug-in nothing is known; of others, what is no number.
    return Kind() if sort is None else Kind(number=False)


def followers(made: Iterable[Varied], scenario: Scenario) -> list[str]:
    """Sentences about parameters that are not given, and so follow one that is varied."""
    keys = {one.key for one in made}
    said = []
    for one in made:
        start, _, name = one.key.partition(".")
        for row in parameters_of(start, scenario) if start in CALLS and is_parameter(one.key) else ():
            other = f"{start}.{row['name']}"
            if f"as `{name}` if absent" in row["help"] and other not in keys and argument(other, scenario) is None:
                said.append(f"{other} is not given, so it is as {one.key} and varies with it.")
    return said
