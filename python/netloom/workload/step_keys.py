"""The keys of a file of steps: one table, which the reader and `docs/reference/steps.md` follow."""

from __future__ import annotations

from typing import NamedTuple


class Key(NamedTuple):
    """One key.

    Parameters
    ----------
    table
        Where it stands: the file, `groups`, a split in `groups`, or a step.
    types
        What it holds.
    takes, means
        For the reference.
    """

    table: str
    name: str
    types: tuple[type, ...]
    takes: str
    means: str


ROWS: tuple[Key, ...] = (
    Key("file", "ranks", (int,), "1 to 2^20", "number of ranks; by default the product of the levels"),
    Key(
        "file",
        "repeat",
        (int,),
        "1 to 1,000,000",
        "how often all steps are done, one pass after the other; by default once",
    ),
    Key("file", "groups", (dict,), "a table", "levels of the ranks, and splits of them"),
    Key("file", "step", (list,), "tables `[[step]]`", "what the ranks do, in order; at least one"),
    Key(
        "groups",
        "order",
        (list,),
        "names of the levels",
        "the first level varies fastest: its groups are consecutive ranks; by default as written",
    ),
    Key(
        "groups",
        "NAME",
        (int, dict),
        "size of a level, or a split",
        "a name for `on`; the sizes of all levels multiply to the ranks",
    ),
    Key(
        "split",
        "block",
        (int,),
        "a divisor of the ranks",
        "groups of n consecutive ranks: colour = rank // block",
    ),
    Key(
        "split",
        "stride",
        (int,),
        "a divisor of the ranks",
        "ranks equal modulo this form a group: colour = rank % stride",
    ),
    Key("split", "colour", (list,), "an integer per rank", "as of `MPI_Comm_split`; a negative colour is in no group"),
    Key("split", "key", (list,), "an integer per rank", "with `colour`: order within the group, ties by rank"),
    Key("split", "lists", (list,), "lists of ranks", "the groups, each in the order of its members"),
    Key(
        "step",
        "on",
        (str, list),
        "a name, or several levels",
        "every group does the step, side by side; by default all ranks are one group",
    ),
    Key(
        "step",
        "workload",
        (str,),
        "any workload",
        "collective, pattern, application, or a file of traffic or a trace; on as many ranks as a group has",
    ),
    Key("step", "size", (str, int), "bytes", "of a collective, in its own meaning; required for it"),
    Key("step", "root", (int,), "0 or more", "rank of the group that is the root of a rooted collective; by default 0"),
    Key("step", "compute", (str, int, float), "a time", "every rank computes for that time"),
    Key("step", "flops", (int, float), "0 or more", "every rank computes n floating-point operations"),
    Key("step", "barrier", (bool,), "true", "ranks of a group wait for each other (`barrier:dissemination`)"),
    Key("step", "steps", (list,), "steps", "a sequence of its own, such as for `repeat`"),
    Key(
        "step",
        "together",
        (list,),
        "steps, or lists of steps",
        "every rank does all of them at the same time, and goes on when they are done",
    ),
    Key("step", "repeat", (int,), "1 to 1,000,000", "how often the step is done; by default once"),
)

#: Exactly one of them defines a step.
KINDS = ("workload", "compute", "flops", "barrier", "steps", "together")
#: Keys allowed with each of them, besides `repeat`.
WITH = {"workload": ("on", "size", "root"), "compute": ("on",), "flops": ("on",), "barrier": ("on",)}


def of(table: str) -> dict[str, tuple[type, ...]]:
    """Keys of a table with the types that they hold."""
    return {row.name: row.types for row in ROWS if row.table == table}


def reference() -> str:
    """The tables of `docs/reference/steps.md`."""
    titles = {"file": "The file", "groups": "`[groups]`", "split": "A split", "step": "A step"}
    lines = []
    for table, title in titles.items():
        lines += [f"## {title}", "", "| key | takes | meaning |", "|---|---|---|"]
        lines += [f"| `{row.name}` | {row.takes} | {row.means} |" for row in ROWS if row.table == table]
        lines.append("")
    return "\n".join(lines)
