"""What is measured: the runs of a study whose experiments name a measured file, as communicators of processes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ... import _core
from ...base.arrays import ndarray
from ...base.errors import Fault, NetloomError
from ...evaluate import bound_of
from ...scenario import Workshop
from ...study import codes

if TYPE_CHECKING:
    from ...results.rows import Cell
    from ...scenario import Question
    from ...study.plan import Part, Plan
    from ...study.runs import Run

#: The order of the levels that a run has, as a call.
_ORDER = "mixed-radix"


@dataclass(frozen=True)
class Communicator:
    """Processes that call one collective.

    Parameters
    ----------
    members
        Numbers of the processes in `MPI_COMM_WORLD`, in the order of their ranks in the communicator.
    size_bytes
        In the meaning of the collective.
    """

    number: int
    collective: str
    members: tuple[int, ...]
    size_bytes: int


@dataclass(frozen=True)
class Bench:
    """One run: its communicators work side by side.

    Parameters
    ----------
    alike
        Equal for runs whose communicators have the same cores up to an exchange of equal parts of the machine, in the
        same order (section 3.3): one of them is measured.
    """

    experiment: str
    labels: Mapping[str, Cell]
    communicators: tuple[Communicator, ...]
    alike: tuple[object, ...]


def experiments(plan: Plan, names: Sequence[str], ranks: int) -> list[Part]:
    """The experiments that are to be measured on a number of processes.

    Raises
    ------
    NetloomError
        `NL-S031` if there is none, and for a name that no such experiment has.
    """
    there = {part.spec.name: part for part in plan.parts if part.measured is not None}
    for name in names:
        if name not in there:
            known = ", ".join(there) or "none"
            fault = Fault(codes.MEASURED, "--experiment", "an experiment with a key measured", name, f"known: {known}")
            raise NetloomError([fault])
    chosen = [there[name] for name in names] if names else list(there.values())
    if not chosen:
        hint = 'write measured = "measured.csv" into an [[experiment]]'
        raise NetloomError([Fault(codes.MEASURED, plan.loaded.source.name, "has nothing to measure", "", hint)])
    fitting = [part for part in chosen if _ranks(plan, part) == ranks]
    if not fitting:
        wanted = ", ".join(f"{part.spec.name} {_ranks(plan, part)}" for part in chosen)
        hint = "start as many processes as an experiment has ranks"
        sentence = f"started {ranks} processes, and the experiments have other numbers of ranks: {wanted}"
        raise NetloomError([Fault(codes.MEASURED, "mpirun", sentence, "", hint)])
    return fitting


def _ranks(plan: Plan, part: Part) -> int:
    return _question(plan, part, part.runs[0], Workshop(plan.calls)).ranks


def _question(plan: Plan, part: Part, run: Run, workshop: Workshop) -> Question:
    return bound_of(part.evaluation, run.scenario(plan.loaded.source.folder), workshop, lambda *_: None)


def benches(plan: Plan, part: Part) -> Iterator[Bench]:
    """The runs of an experiment.

    Raises
    ------
    NetloomError
        `NL-S031` for a run whose ranks do anything but call one collective in each communicator.
    """
    workshop = Workshop(plan.calls)
    for run in part.runs:
        bound = _question(plan, part, run, workshop)
        found = _called(bound)
        if found is None:
            place = plan.loaded.source.at("experiment", part.index, "axes")
            words = f"{bound.workload.label}: only workloads that call one collective in each communicator are measured"
            hint = 'workload = "communicators(alltoall,16)" is one'
            raise NetloomError([Fault(codes.MEASURED, place, words, "", hint)])
        old = _old_numbers(bound)
        made = tuple(
            Communicator(number, collective, tuple(old[rank] for rank in members), size)
            for number, (collective, size, members) in enumerate(found)
        )
        labels = {name: label for name, label in run.labels.items() if len(part.labels[name]) > 1}
        yield Bench(part.spec.name, labels, made, _alike(run, found))


def _called(bound: Question) -> list[tuple[str, int, tuple[int, ...]]] | None:
    """Collective, size and members of each communicator."""
    load = bound.workload
    if isinstance(load, _core.Schedule):
        return [(load.collective, load.size_bytes, tuple(range(load.ranks)))]
    found = load.communicators() if isinstance(load, _core.Programs) else None
    return None if found is None else [(name, size, tuple(members)) for name, _, size, _, members in found]


def _old_numbers(bound: Question) -> list[int]:
    """The process behind each rank: processes are numbered as the slots that the ranks have, one after another."""
    slots = ndarray(bound.place.slot_of_rank).tolist()
    number = {slot: at for at, slot in enumerate(sorted(slots))}
    return [number[slot] for slot in slots]


def _alike(run: Run, found: list[tuple[str, int, tuple[int, ...]]]) -> tuple[object, ...]:
    """What is measured once: an order of levels stands for the first one with the same communicators."""
    calls = {name: value for name, value in run.calls.items() if name != "order"}
    order: object = run.values.get("order", "")
    text = str(order)
    if text.startswith(_ORDER) and len({len(members) for *_, members in found}) == 1:
        _, numbers, keys = _core.parse_call(text)
        levels = keys.get("levels")
        if isinstance(levels, list):
            sizes, wanted = [int(str(size)) for size in levels], [int(str(level)) for level in numbers]
            every = _core.Enumeration(sizes, len(found[0][2])).entries()
            same = next(row["same_as"] for row in every if row["order"] == wanted)
            order = (tuple(sizes), tuple(same or wanted))
    return (tuple(sorted((name, str(value)) for name, value in calls.items())), order, str(run.options))
