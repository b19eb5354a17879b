"""What a key of `--vary` is in a scenario: an input, a parameter of a call, a setting, or an alias of one of these."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from .. import _core
from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..base.registries import catalogue
from ..plot.style import unit_of
from ..scenario.axes import CALLS, PARTED, TABLES
from ..scenario.parameters import is_parameter
from .codes import BAD_RANGE, TWICE, UNKNOWN
from .parse import Typed, choice, ends, number, read
from .varied import Choice, Listed, Range, Value, Varied

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


def varied(texts: Iterable[str], row: Evaluator, scenario: Scenario) -> list[Varied]:
    """What is varied in a scenario, from the texts of `--vary`.

    Raises
    ------
    NetloomError
        `NL-U001` to `NL-U003`: everything that is wrong with them.
    """
    faults: list[Fault] = []
    made: list[Varied] = []
    for text in texts:
        try:
            made.append(_one(read(text), row, scenario))
        except NetloomError as error:
            faults += error.faults
    faults += _twice(made)
    if faults:
        raise NetloomError(faults)
    return made


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


def _one(asked: Typed, row: Evaluator, scenario: Scenario) -> Varied:
    key, kind = _key(asked, row, scenario)
    before = _before(key, scenario)
    if asked.ends is None:
        chosen = [choice(one) if is_parameter(key) or kind.integral else one for one in asked.choices]
        if twice := [one for at, one in enumerate(chosen) if one in chosen[:at]]:
            sentence = f'the choice "{twice[0]}" stands there twice'
            raise NetloomError([Fault(BAD_RANGE, asked.place, sentence, "", "give it once")])
        return Choice(asked.name, key, chosen, chosen[0] if before is None else before)
    if not kind.number:
        hint = f"give choices, such as {asked.name}=a|b"
        raise NetloomError([Fault(BAD_RANGE, asked.place, "is no number, and has no range", "", hint)])
    low, high, unit = ends(asked, kind.unit, kind.integral)
    one = Range(asked.name, key, low, high, unit, kind.integral, asked.log)
    found = _number(before, unit)
    if found is not None and kind.integral and found == math.floor(found):
        found = int(found)
    return _with_base(one, one.middle() if found is None else found)


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
        if (
            is_parameter(key)
            and row.axis(start) is not None
            and start not in TABLES
            and not _described(start, scenario)
        ):
            return key, Kind()
    candidates = [*(axis.name for axis in row.axes if axis.kind != "table"), *known]
    candidates += [name for name, keys in ALIASES.items() if any(key in candidates for key in keys)]
    ends_so = [key for key in known if key.partition(".")[2] == asked.name]
    hint = f'did you mean "{ends_so[0]}"?' if ends_so else did_you_mean(asked.name, candidates, "inputs")
    sentence = f"is nothing that {row.name} takes from this scenario"
    raise NetloomError([Fault(UNKNOWN, asked.place, sentence, "", hint)])


def _call(start: str, scenario: Scenario) -> tuple[str, list[object], Mapping[str, object]] | None:
    """The call that an input is; None for a file, an object, or nothing."""
    text = scenario[start]
    if not isinstance(text, str) or not text:
        return None
    try:
        return _core.parse_call(text)
    except NetloomError:
        return None


def _rows(start: str, scenario: Scenario) -> list[Param]:
    """The parameters of the call that an input is."""
    found = _call(start, scenario)
    for registry in CALLS[start] if found is not None else ():
        for row in catalogue(registry):
            if found is not None and found[0] in (row["name"], *row["aliases"]):
                return list(row["params"])
    return []


def _described(start: str, scenario: Scenario) -> bool:
    """Whether all parameters of that call are known, so that another name is wrong."""
    return _call(start, scenario) is None or bool(_rows(start, scenario))


def _parts(row: Evaluator, scenario: Scenario) -> dict[str, Param]:
    """By key, the parameters of the calls and the settings that the scenario has and the evaluator takes."""
    starts = [start for start in PARTED if row.axis(start) is not None]
    made: dict[str, Param] = {}
    for start in starts:
        if start in TABLES:
            rows = [cast("Param", one) for one in _core.machine_params() if one["part"] == start]
        else:
            rows = _rows(start, scenario)
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


def _before(key: str, scenario: Scenario) -> Value | None:
    """What the scenario says of it; None for nothing."""
    if not is_parameter(key):
        return _value(scenario[key] if scenario.says(key) else None)
    if (said := _value(scenario.given(key))) is not None:
        return said
    start, _, name = key.partition(".")
    if start in TABLES:
        table = scenario[start]
        return _value(table.get(name) if isinstance(table, Mapping) else None)
    found = _call(start, scenario)
    return _value(_argument(name, found, _rows(start, scenario)) if found is not None else None)


def _value(said: object) -> Value | None:
    if isinstance(said, list):
        return Listed(said)
    return said if isinstance(said, (str, int, float)) else None


def _argument(name: str, call: tuple[str, list[object], Mapping[str, object]], rows: list[Param]) -> object:
    """An argument of a call, by name or by place."""
    _, positional, named = call
    if name in named:
        return named[name]
    placed = [row for row in rows if not row.get("keyword_only")]
    if any(row.get("variadic") for row in placed):
        return None
    by_name = {row["name"]: value for row, value in zip(placed, positional, strict=False)}
    return by_name.get(name)


def followers(made: Iterable[Varied], scenario: Scenario) -> list[str]:
    """Sentences about parameters that are not given, and so follow one that is varied."""
    keys = {one.key for one in made}
    said = []
    for one in made:
        start, _, name = one.key.partition(".")
        for row in _rows(start, scenario) if start in CALLS and is_parameter(one.key) else ():
            other = f"{start}.{row['name']}"
            if f"as `{name}` if absent" in row["help"] and other not in keys and _before(other, scenario) is None:
                said.append(f"{other} is not given, so it is as {one.key} and varies with it.")
    return said
