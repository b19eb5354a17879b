"""What repeats the runs of an experiment, in few bytes: distinct values once, numbers of them for every run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from ..base.errors import Fault, NetloomError
from . import codes
from .arrays import packed
from .sections import Runs

#: Most bytes that the inputs of one experiment may take on the page; beyond that a click shows the axes alone.
MAX_BYTES = 4 * 2**20


def repeats(runs: Runs) -> dict[str, object]:
    """Columns of the inputs and of the axes' values for the script. O(runs).

    Raises
    ------
    NetloomError
        NL-X111 if there are not as many inputs and options as labels.
    """
    if not len(runs.options) == len(runs.inputs) == len(runs.labels):
        got = f"{len(runs.inputs)}, {len(runs.options)} and {len(runs.labels)}"
        raise NetloomError([Fault(codes.BAD_SECTION, "runs", "as many inputs and options as labels", got)])
    inputs, size = _columns(runs.inputs)
    said = [{name: value for name, value in options.items() if value is not None} for options in runs.options]
    return {
        "evaluator": runs.evaluator,
        "options": _columns(said)[0],
        "inputs": inputs if size <= MAX_BYTES else None,
        "labels": _columns(runs.labels)[0],
    }


def _columns(rows: Sequence[Mapping[str, object]]) -> tuple[list[dict[str, object]], int]:
    """Per name its distinct values as JSON and the number of each row's value, -1 + 1 = 0 where it is missing."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    out: list[dict[str, object]] = []
    size = 0
    for name in names:
        seen: dict[str, int] = {}
        index = []
        for row in rows:
            if name not in row:
                index.append(0)
                continue
            text = json.dumps(row[name], ensure_ascii=False, sort_keys=True)
            index.append(seen.setdefault(text, len(seen)) + 1)
        size += sum(map(len, seen)) + 4 * len(index)
        out.append({"name": name, "values": list(seen), "index": packed(index, "u4")})
    return out, size
