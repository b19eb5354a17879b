"""Refusals of scenarios that several places share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import _core
from ..base.errors import Fault, NetloomError
from ..jobs import PlacedJob
from .axes import BY_NAME
from .codes import NO_WORKLOAD, NOT_USED
from .parameters import input_of


def require_known(given: Mapping[str, object], axes: Mapping[str, object], evaluator: str) -> None:
    """Refuses given inputs that the evaluator does not take.

    Raises
    ------
    NetloomError
        `NL-H003`, each with its name.
    """
    wrong = [
        name
        for name in given
        if input_of(name) not in axes and (input_of(name) != name or given[name] != BY_NAME[name].default)
    ]
    if wrong:
        hint = f"{evaluator} takes {', '.join(axes)}"
        raise NetloomError([Fault(NOT_USED, name, f"is not known to {evaluator}", "", hint) for name in wrong])


def refuse_switches(load: object) -> None:
    """Refuses to look for better places for a collective in which switches take part: `NL-E030`."""
    if isinstance(load, _core.Schedule) and load.switches:
        sentence = "has its trees where the ranks are: a search, which moves ranks, cannot follow them"
        raise NetloomError([Fault("NL-E030", load.label, sentence, "", "take another algorithm")])


def refuse_next_to_mapping(given: Mapping[str, object]) -> None:
    """Refuses a placement or an order next to a mapping, which says where every rank runs: `NL-H003`."""
    wrong = [name for name in ("placement", "order") if given.get(name, BY_NAME[name].default) != BY_NAME[name].default]
    if wrong:
        sentence = "has no effect: the mapping says where every rank runs"
        raise NetloomError([Fault(NOT_USED, name, sentence, "", "leave it or the mapping out") for name in wrong])


#: Inputs of a single job, which a list of jobs says for each of its own.
OF_ONE_JOB = (
    "ranks",
    "nodes",
    "ranks_per_node",
    "order",
    "search",
    "mapping",
    "mapping_format",
    "seats",
    "root",
    "repetitions",
)


def refuse_next_to_jobs(given: Mapping[str, object]) -> None:
    """Refuses inputs of a single job next to a list of jobs: `NL-H003`."""
    wrong = [name for name in OF_ONE_JOB if name in given and differs(given[name], BY_NAME[name].default)]
    if wrong:
        sentence = "has no effect: it applies to a single job"
        raise NetloomError([Fault(NOT_USED, name, sentence, "", "set it per job in the list") for name in wrong])


def differs(value: object, default: object) -> bool:
    """True for a value other than the default; arrays and tables are."""
    return not isinstance(value, (str, int, float)) or value != default


def require_known_keys(jobs: Sequence[PlacedJob], evaluator: str, keys: Mapping[str, object]) -> None:
    """Refuses job keys that the evaluator does not take; `keys` has the neutral values.

    Raises
    ------
    NetloomError
        `NL-H003`, each with its job and key.
    """
    faults = []
    for job in jobs:
        for key, plain in keys.items():
            if getattr(job, key) not in (None, plain):
                place = f'job "{job.name[:60]}".{key.removesuffix("_s")}'
                faults.append(Fault(NOT_USED, place, f"is not known to {evaluator}", "", "leave it out"))
    if faults:
        raise NetloomError(faults[:20])


def nothing_sent(place: str) -> NetloomError:
    """`NL-H004` where a question about one job has no workload."""
    hint = "for example workload = allreduce:ring, or uniform(seed=1)"
    return NetloomError([Fault(NO_WORKLOAD, place, "nothing is sent", "", hint)])


def named(error: NetloomError, place: str) -> NetloomError:
    """The same faults with a place before theirs."""
    return NetloomError([Fault(f.code, f"{place}: {f.place}", f.expected, f.got, f.hint) for f in error.faults])
