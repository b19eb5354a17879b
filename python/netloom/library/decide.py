"""The default choice of an MPI library: the rule that fires, and the algorithm's fallback."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files as resources
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from .codes import BAD_ELEMENT, UNKNOWN
from .conditions import Case, is_power_of_two, walk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .decision_table import Algorithm, Collective, DecisionTable, Fallback

#: Other words for libraries and collectives.
_LIBRARY_ALIASES = {
    "openmpi": "ompi",
    "open-mpi": "ompi",
    **dict.fromkeys(("openmpi-5", "openmpi5", "open-mpi-5", "ompi5"), "ompi-5"),
    "smpi": "smpi-mpich",
}
_COLLECTIVE_ALIASES = {
    "broadcast": "bcast",
    "reduce-scatter": "reduce_scatter",
    "reduce-scatter-block": "reduce_scatter_block",
}


@dataclass(frozen=True)
class Decision:
    """The decision of a library for one call.

    Attributes
    ----------
    rule
        The conditions that held, in order; empty if the choice depends on nothing.
    algorithm
        The library's own name of what the rule chose.
    fallbacks
        `(algorithm, reason)` of every step that the algorithm then takes away from itself; the algorithm None stands
        for an abort.
    runs
        The library's name of what runs in the end, None if it aborts.
    netloom
        What to time for it: names of netloom algorithms run one after the other, with the factor on the size of each;
        None if no schedule here does the same.
    parts
        Decisions that it asks for in turn (a reduce and a broadcast, for example).
    differs
        Where `netloom` sends the same messages between other pairs of ranks: how.
    """

    library: str
    version: str
    collective: str
    case: Case
    rule: tuple[str, ...]
    algorithm: str
    fallbacks: tuple[tuple[str | None, str], ...]
    runs: str | None
    netloom: tuple[tuple[str, int], ...] | None
    parts: tuple[Decision, ...] = field(default=())
    differs: str = ""

    def facts(self) -> dict[str, object]:
        """As a JSON object."""
        return {
            "library": self.library,
            "version": self.version,
            "collective": self.collective,
            "ranks": self.case.ranks,
            "size_bytes": self.case.size_bytes,
            "element_bytes": self.case.element_bytes,
            "rule": list(self.rule),
            "algorithm": self.algorithm,
            "fallbacks": [{"algorithm": name, "because": reason} for name, reason in self.fallbacks],
            "runs": self.runs,
            "netloom": None if self.netloom is None else [name for name, _ in self.netloom],
            "differs": self.differs or None,
            "parts": [part.facts() for part in self.parts],
        }


@cache
def tables() -> dict[str, DecisionTable]:
    """The decision tables of the package by library name."""
    folder = resources(__package__) / "decisions"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".json"))
    loaded: list[DecisionTable] = [json.loads((folder / name).read_text(encoding="utf-8")) for name in names]
    found = {table["library"]: table for table in loaded}
    return {name: _whole(table, found) for name, table in found.items()}


def _whole(table: DecisionTable, others: Mapping[str, DecisionTable]) -> DecisionTable:
    """A table with the rules of the one that it is like, but for its own."""
    if "like" not in table:
        return table
    model = others[table["like"]]
    whole = table.copy()
    whole["collectives"] = {**model["collectives"], **table["collectives"]}
    if "selection" in model or "selection" in table:
        whole["selection"] = {**model.get("selection", {}), **table.get("selection", {})}
    return whole


def libraries() -> list[str]:
    """Names that `decide` takes."""
    return list(tables())


def table_of(library: str) -> DecisionTable:
    """The decision table of a library.

    Raises
    ------
    NetloomError
        `NL-D001`.
    """
    name = _LIBRARY_ALIASES.get(library.lower(), library.lower())
    if name not in tables():
        hint = did_you_mean(library, tables(), "libraries")
        raise NetloomError([Fault(UNKNOWN, "library", f'there is no decision table of "{library}"', "", hint)])
    return tables()[name]


def collective_of(table: DecisionTable, collective: str) -> str:
    """The library's word for a collective.

    Raises
    ------
    NetloomError
        `NL-D001`.
    """
    name = _COLLECTIVE_ALIASES.get(collective.lower(), collective.lower())
    if name not in table["collectives"]:
        hint = did_you_mean(collective, table["collectives"], "collectives")
        raise NetloomError([Fault(UNKNOWN, "collective", f'{table["title"]} decides no "{collective}"', "", hint)])
    return name


def decide(
    library: str, collective: str, ranks: int, size_bytes: int, *, element_bytes: int = 1, commutative: bool = True
) -> Decision:
    """The library's default decision for one call.

    Parameters
    ----------
    library
        One of `libraries()`: `ompi`, `ompi-5`, `mpich`, `cray-mpich`, `smpi-mpich`.
    collective
        The library's word or netloom's: `bcast` or `broadcast`, `reduce_scatter_block`, ...
    ranks
        Processes, 2 or more.
    size_bytes
        Count times type, as the MPI call takes them.
    element_bytes
        Bytes of one element. Fallbacks ask for the number of elements.
    commutative
        Whether the operation is.

    Raises
    ------
    NetloomError
        `NL-D001` unknown library or collective, `NL-D005` a size that is no whole number of elements, `NL-A007`.
    """
    for name, value, least in (("ranks", ranks, 2), ("size_bytes", size_bytes, 0), ("element_bytes", element_bytes, 1)):
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 2**63:
            raise NetloomError([Fault("NL-A007", f"decide.{name}", f"an integer >= {least}", str(value))])
    table = table_of(library)
    name = collective_of(table, collective)
    if size_bytes % element_bytes:
        expected = f"a multiple of {element_bytes}, the bytes of one element"
        raise NetloomError([Fault(BAD_ELEMENT, "size_bytes", expected, str(size_bytes), "give the datatype's size")])
    return _decide(table, name, Case(ranks, size_bytes, element_bytes, commutative))


def _decide(table: DecisionTable, name: str, case: Case) -> Decision:
    row = table["collectives"][name]
    selection = table.get("selection", {}).get(f"collective={name}")
    found = walk(row["tree"] if selection is None else selection, case)
    if found is None:
        raise ValueError(f"{table['library']} {name}: no branch matches")
    rule, leaf = found
    algorithm = leaf.rpartition("_intra_")[2] if selection is not None else leaf
    runs, fallbacks = _fall(row["fallbacks"], algorithm, case)
    steps, parts = _timed(table, row, runs, case)
    differs = "" if runs is None else differs_on(row["algorithms"][runs], case.ranks)
    return Decision(
        table["library"], table["version"], name, case, tuple(rule), algorithm, fallbacks, runs, steps, parts, differs
    )


def schedule_of(algorithm: Algorithm, ranks: int) -> str | list[str] | None:
    """What to run for an algorithm on this number of ranks: a call, a list of steps, or None."""
    turned = algorithm.get("pow2")
    return turned if turned is not None and is_power_of_two(ranks) else algorithm["netloom"]


def differs_on(algorithm: Algorithm, ranks: int) -> str:
    """How its pairs of ranks differ from those of `schedule_of`, "" if they do not."""
    turned = "pow2" in algorithm and is_power_of_two(ranks)
    return "" if turned else str(algorithm.get("differs", ""))


def _fall(
    fallbacks: list[Fallback], algorithm: str, case: Case
) -> tuple[str | None, tuple[tuple[str | None, str], ...]]:
    """The algorithm after all fallbacks; the chain ends, since a test shows that no table has a cycle."""
    from .conditions import holds

    runs: str | None = algorithm
    taken: list[tuple[str | None, str]] = []
    while runs is not None:
        for row in fallbacks:
            if row["algorithm"] == runs and all(holds(condition, case) for condition in row["when"]):
                runs = row["then"]
                taken.append((runs, row["because"]))
                break
        else:
            break
    return runs, tuple(taken)


def _timed(
    table: DecisionTable, row: Collective, runs: str | None, case: Case
) -> tuple[tuple[tuple[str, int], ...] | None, tuple[Decision, ...]]:
    """Netloom algorithms that do the same, with the factors on their sizes, and the nested decisions."""
    named = None if runs is None else schedule_of(row["algorithms"][runs], case.ranks)
    if named is None:
        return None, ()
    if isinstance(named, str):
        return ((named, 1),), ()
    steps: list[tuple[str, int]] = []
    parts: list[Decision] = []
    for step in named:
        factor = _factor(row["netloom"], step.lstrip("@").partition(":")[0], case.ranks)
        if not step.startswith("@"):
            steps.append((step, factor))
            continue
        inner = Case(case.ranks, case.size_bytes * factor, case.element_bytes, case.commutative)
        part = _decide(table, _COLLECTIVE_ALIASES.get(step[1:], step[1:]), inner)
        parts.append(part)
        if part.netloom is None:
            return None, tuple(parts)
        steps += [(call, factor * more) for call, more in part.netloom]
    return tuple(steps), tuple(parts)


def _factor(whole: str, part: str, ranks: int) -> int:
    """An allgather as gather and broadcast sends the whole result; so does a reduce-scatter as reduce and scatter."""
    return ranks if (whole, part) in {("allgather", "broadcast"), ("reduce-scatter", "reduce")} else 1
