"""Values of axes: read from TOML, filled with other axes' values, shown by a label."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from ..base.errors import NetloomError
from ..scenario import Scalar as Scalar

PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")

#: Keys of a value written as a table, besides `value` and `label`: how an optimiser in the order axis is used.
ORDER_KEYS = {"start": str, "objective": str, "free": bool, "workload": str, "size_bytes": int}

#: Keys of an axis, or of a value of one, that is written as a table.
OF_AN_AXIS = {"range", "powers_of_two", "orders_of", "value", "label", *ORDER_KEYS}

LIMIT = 1_000_000
#: Characters of a value after its placeholders are filled, and axes that a placeholder may lead through.
MOST_FILLED = 1 << 16
MOST_STEPS = 64


@dataclass(frozen=True)
class AxisValue:
    """One value of an axis.

    Parameters
    ----------
    value
        As written, perhaps with placeholders.
    label
        How tables and charts show it.
    extra
        Further keys of a value written as a table.
    """

    value: Scalar
    label: Scalar
    extra: tuple[tuple[str, Scalar], ...] = ()
    #: Path below the experiment, for messages.
    at: tuple[str | int, ...] = field(default=(), compare=False)


def read_axis(raw: object) -> list[AxisValue]:
    """The values of an axis: a scalar, a list, `{range = [first, last]}`, `{powers_of_two = [first, last]}`, or
    `{orders_of = levels, communicator = ranks}`.

    Raises
    ------
    ValueError
        Saying what was expected.
    """
    if isinstance(raw, dict) and ("range" in raw or "powers_of_two" in raw):
        return [AxisValue(v, v) for v in _numbers(raw)]
    if isinstance(raw, dict) and "orders_of" in raw:
        return _orders(raw)
    items = raw if isinstance(raw, list) else [raw]
    if not items:
        raise ValueError("must have at least one value")
    values = [_read_one(item) for item in items]
    labels = [value.label for value in values]
    counts = Counter((type(label), label) for label in labels)
    for (_, label), count in counts.items():
        if count > 1:
            raise ValueError(
                f'has two values shown as "{label}"; write {{ value = ..., label = "..." }} to tell them apart'
            )
    return values


def _numbers(raw: dict[str, object]) -> list[int]:
    keys = set(raw) - {"step"}
    if len(keys) != 1:
        raise ValueError("takes one of range and powers_of_two")
    key = keys.pop()
    bounds, step = raw[key], raw.get("step", 1)
    wrong = ValueError(f"{key} takes [first, last], both included, first <= last, and step >= 1")
    if not isinstance(bounds, list) or len(bounds) != 2 or any(type(b) is not int for b in bounds):
        raise wrong
    if bounds[0] > bounds[1] or type(step) is not int or step < 1:
        raise wrong
    if key == "range":
        if (bounds[1] - bounds[0]) // step >= LIMIT:
            raise ValueError(f"range gives more than {LIMIT} values")
        return list(range(bounds[0], bounds[1] + 1, step))
    if step != 1 or bounds[0] < 1 or bounds[1] >= 2**62 or any(b & (b - 1) for b in bounds):
        raise ValueError("powers_of_two takes two powers of two, without step")
    return [1 << k for k in range(bounds[0].bit_length() - 1, bounds[1].bit_length())]


def _orders(raw: dict[str, object]) -> list[AxisValue]:
    """The orders of the levels of a hierarchy; of orders that put communicators on the same cores, the first."""
    from ..mapping.enumeration import enumerate_orders

    given, ranks = raw["orders_of"], raw.get("communicator")
    levels = [size for size in given if type(size) is int] if isinstance(given, list) else []
    good = bool(levels) and levels == given and (ranks is None or isinstance(ranks, int))
    if not good or set(raw) - {"orders_of", "communicator"}:
        raise ValueError("orders_of takes the sizes of levels, outermost first, and communicator an integer")
    try:
        found = enumerate_orders(levels, ranks if isinstance(ranks, int) else None)
    except NetloomError as error:
        fault = error.faults[0]
        words = f"{fault.expected}, got {fault.got}" if fault.got else fault.expected
        raise ValueError(f"orders_of: {fault.place} must be {words}") from None
    said = ",".join(map(str, levels))
    orders = [",".join(map(str, row["order"])) for row in found if row["same_as"] is None]
    return [AxisValue(f"mixed-radix({order},levels=[{said}])", f"[{order}]") for order in orders]


def _read_one(item: object) -> AxisValue:
    value: object = item
    label: Scalar | None = None
    extra: dict[str, Scalar] = {}
    if isinstance(item, dict):
        extra = dict(item)
        value, label = extra.pop("value", None), extra.pop("label", None)
        if value is None:
            raise ValueError("a value written as a table needs the key value")
        for key, entry in extra.items():
            if key not in ORDER_KEYS or type(entry) is not ORDER_KEYS[key]:
                raise ValueError(
                    "a value takes value, label, start, objective, workload (text), size_bytes (integer) and free "
                    f"(true or false), not {key}"
                )
    if not isinstance(value, (str, int, float, bool)) or isinstance(label, (dict, list)):
        raise ValueError("values are texts, numbers, or { value = ..., label = ... }")
    if isinstance(value, float) and value != value:
        raise ValueError("nan is no value")
    if label is None:
        label = short(value) if isinstance(value, str) else value
    return AxisValue(value, label, tuple(sorted(extra.items())))


def short(text: str) -> str:
    """A call without the arguments that other axes fill: those have columns of their own."""
    if not PLACEHOLDER.search(text) or PLACEHOLDER.fullmatch(text):
        return text
    # Possessive, and words only from their beginning: each is linear in the text.
    kept = re.sub(r"(?:(?<![\w-])[\w-]++\s*+=\s*+)?\"?\{[A-Za-z_]\w*+\}\"?", "", text)
    kept = re.sub(r",\s*+(?=[,)])", "", kept)
    kept = re.sub(r"\(\s*+,\s*+", "(", kept)
    return re.sub(r"\(\s*+\)", "", kept).strip()


def placeholders(value: Scalar) -> set[str]:
    """Names that a value refers to."""
    return set(PLACEHOLDER.findall(value)) if isinstance(value, str) else set()


def fill(chosen: dict[str, AxisValue]) -> dict[str, Scalar]:
    """All values with their placeholders filled.

    Raises
    ------
    KeyError
        Naming a placeholder without an axis, or one that leads back to itself.
    ValueError
        For a value that becomes too long, or a placeholder that leads through too many axes.
    """
    done: dict[str, Scalar] = {}

    def resolve(name: str, path: tuple[str, ...]) -> Scalar:
        if name in done:
            return done[name]
        if name in path or name not in chosen:
            raise KeyError(name)
        if len(path) > MOST_STEPS:
            raise ValueError(f"leads through more than {MOST_STEPS} axes")
        value = chosen[name].value
        if isinstance(value, str):
            alone = PLACEHOLDER.fullmatch(value)
            if alone:
                value = resolve(alone[1], (*path, name))
            else:
                value = filled(value, lambda other: resolve(other, (*path, name)))
        done[name] = value
        return value

    for name in chosen:
        resolve(name, ())
    return done


def filled(text: str, value_of: Callable[[str], Scalar]) -> str:
    """A text with its placeholders filled.

    Raises
    ------
    ValueError
        If it becomes longer than `MOST_FILLED`: placeholders that double need only a few lines for gigabytes.
    """
    room = MOST_FILLED - len(text)

    def one(found: re.Match[str]) -> str:
        nonlocal room
        written = _text(value_of(found[1]))
        room -= len(written) - len(found[0])
        if room < 0:
            raise ValueError(f"has more than {MOST_FILLED} characters when its placeholders are filled")
        return written

    return PLACEHOLDER.sub(one, text)


def _text(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
