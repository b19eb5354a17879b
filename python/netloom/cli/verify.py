"""`netloom verify`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from ..base.ahead import Estimate, announced
from ..base.stopping import Stopped
from ..scenario.axes import PROOF_SIZE
from .options import as_json, integer, no_progress, plugins, stop_after, threads, within
from .output import duration, emit_facts, emit_json, note, progress
from .stopped import say_stopped, stopped_s

if TYPE_CHECKING:
    from .._core import Schedule
    from ..base.errors import NetloomError

#: What a proof finds wrong with a schedule that it has examined; with any other fault it has examined nothing.
REFUTED = {f"NL-C{number:03}" for number in range(6, 12)}

#: Seconds that proofs take without being asked twice.
LONG_S = 600.0
#: Most numbers of ranks in one range.
MOST_COUNTS = 10_000

EPILOG = """\b
Examples:
  netloom verify allreduce:ring --ranks 48
  netloom verify broadcast:binomial --ranks 48 --root all --json
  netloom verify allreduce:rabenseifner --ranks 2:65
"""


@dataclass(frozen=True)
class Proof:
    """What was found on one number of ranks."""

    ranks: int
    #: Roots that were asked for, and steps of the schedule.
    roots: int = 0
    steps: int = 0
    proofs: list[dict[str, object]] = field(default_factory=list)
    wrong: list[dict[str, object]] = field(default_factory=list)
    #: Why there is no such schedule on this number of ranks.
    refused: str = ""


@click.command(epilog=EPILOG)
@click.argument("schedule", metavar="COLLECTIVE:ALGORITHM")
@click.option("--ranks", required=True, metavar="N|A:B", help="Number of ranks, or each number from A to B.")
@click.option(
    "--root",
    default="0",
    show_default=True,
    metavar="RANK|all",
    help="Root rank, or all of them one after another.",
)
@click.option(
    "--size", default=PROOF_SIZE, show_default=True, metavar="SIZE", help="Bytes of what MPI calls its count."
)
@click.option("--long", "long_", is_flag=True, help="Prove it even if that takes more than ten minutes.")
@stop_after
@threads
@no_progress
@plugins
@as_json
def command(schedule: str, ranks: str, root: str, size: str, long_: bool, quiet: bool, json_: bool) -> int:
    """Prove a collective's schedule by executing it on symbolic data.

    Exit code 0: every rank ends with exactly what MPI promises. 1: it does not, and the message says which rank lacks
    what, at which step. 2: nothing was examined, since the input is wrong or the schedule too large to prove, or
    --stop-after ended the work before everything was examined.

    With a range every number of ranks in it is proved. Numbers on which the algorithm is not defined are listed; they
    are no failure unless all are.
    """
    from ..base.quantities import parse_bytes

    size_bytes, several = parse_bytes(size, "--size"), ":" in ranks
    counts = _counts(ranks)
    estimate = _estimate(schedule, counts, root, size_bytes, several, long_)
    with within("prove fewer ranks, or one --root") as clock, announced(*estimate):
        found = _proofs(schedule, counts, root, size_bytes, several, quiet or json_)
    if several:
        say_stopped(clock, f"{len(found)} of {len(counts)} numbers of ranks were examined")
        _show_range(schedule, size_bytes, found, json_, stopped_s(clock))
    else:
        say_stopped(clock, f"{len(found[0].proofs) + len(found[0].wrong)} of {found[0].roots} roots were examined")
        _show(schedule, size_bytes, found[0], json_, stopped_s(clock))
    return 1 if any(one.wrong for one in found) else 2 if clock.stopped else 0


def _proofs(
    schedule: str, counts: Sequence[int], root: str, size_bytes: int, several: bool, quiet: bool
) -> list[Proof]:
    """One for each number of ranks that there is time for."""
    found: list[Proof] = []
    with progress("proof", quiet) as report:
        for number, count in enumerate(counts):
            each = (lambda *_, at=number: report(at, len(counts))) if several else report
            try:
                found.append(_prove(schedule, count, root, size_bytes, several, each))
            except Stopped:
                if not found:
                    raise
                break
    return found


def _counts(text: str) -> list[int]:
    """The numbers of ranks that `--ranks` asks for."""
    from ..base.errors import Fault, NetloomError

    first, colon, last = text.partition(":")
    low = integer("--ranks", first, 1)
    high = integer("--ranks", last, 1) if colon else low
    if high < low or high - low >= MOST_COUNTS:
        expected = f"a range A:B of at most {MOST_COUNTS:,} numbers of ranks, A <= B"
        raise NetloomError([Fault("NL-A007", "--ranks", expected, text, "for example 2:65")])
    return list(range(low, high + 1))


def _first(schedule: str, count: int, root: str, size_bytes: int) -> tuple[Schedule, Sequence[int]]:
    """The schedule of the first root, and all roots."""
    from ..base.registries import ROOTED

    made = _made(schedule, count, 0 if root == "all" else integer("--root", root, 0), size_bytes)
    return made, range(count) if root == "all" and made.collective in ROOTED else [made.root]


def _estimate(schedule: str, counts: Sequence[int], root: str, size_bytes: int, several: bool, long: bool) -> Estimate:
    """What all proofs take; refuses what would take very long unless that is asked for."""
    from ..base.errors import Fault, NetloomError
    from ..evaluate.ahead import of_proof, to_prove

    total = 0.0
    for count in counts:
        try:
            made, roots = _first(schedule, count, root, size_bytes)
        except NetloomError as error:
            if _refusal(error, several):
                continue
            raise
        total += to_prove(made) * len(roots)
        if not long and of_proof(total)[0] > LONG_S:
            words = f"{total:,.0f} messages take about {duration(of_proof(total)[0])} to prove"
            words += f" up to {count} ranks" * several
            hint = "prove it for fewer ranks, or give --long"
            raise NetloomError([Fault("NL-X016", "--ranks", words, "", hint)])
    return of_proof(total)


def _refusal(error: NetloomError, several: bool) -> str:
    """Why an algorithm is not defined on one of several numbers of ranks; "" if something else is wrong."""
    # A wrong name, parameter or root is wrong on every number of ranks.
    known = several and not any(fault.code.startswith("NL-A") for fault in error.faults)
    if not known:
        return ""
    return "no such root" if "root" in error.faults[0].place else f"needs {error.faults[0].expected}"


def _prove(
    schedule: str, count: int, root: str, size_bytes: int, several: bool, report: Callable[..., object]
) -> Proof:
    """Proves all roots on one number of ranks; what is wrong is noted as it is found."""
    from ..base.errors import NetloomError

    try:
        first, roots = _first(schedule, count, root, size_bytes)
    except NetloomError as error:
        if refused := _refusal(error, several):
            return Proof(count, refused=refused)
        raise
    found = Proof(count, len(roots), first.steps)
    for rank in roots:
        try:
            made = first if rank == first.root else _made(schedule, count, rank, size_bytes)
            found.proofs.append({"root": rank, **made.verify(progress=report)})
        except Stopped:
            if several or not (found.proofs or found.wrong):
                raise
            break
        except NetloomError as error:
            if any(fault.code not in REFUTED for fault in error.faults):
                raise
            found.wrong.append({"root": rank, "faults": [fault.expected for fault in error.faults]})
            for fault in error.faults[: 1 if several else 5]:
                where = f" on {count} ranks" if several else ""
                note(f"not proved{where}: {fault}".partition("\n")[0] if several else f"not proved: {fault}")
    return found


def _show(schedule: str, size_bytes: int, found: Proof, json_: bool, stopped: dict[str, object]) -> None:
    from ..base.quantities import counted

    result: dict[str, object] = {"schedule": schedule, "ranks": found.ranks, "size_bytes": size_bytes}
    if json_:
        proved = not (found.wrong or stopped)
        emit_json(result | {"proved": proved, "roots": found.proofs, "refuted": found.wrong} | stopped)
    elif found.proofs:
        one = {k: v for k, v in found.proofs[0].items() if k != "root"}
        what = f"{len(found.proofs)} of {found.roots} roots" if found.roots > 1 else "yes"
        facts = {"proved": f"{what}, {counted(found.ranks, 'rank')}, {counted(found.steps, 'step')}", **one}
        emit_facts({key.replace("_", " "): value for key, value in facts.items()})


def _show_range(
    schedule: str, size_bytes: int, found: Sequence[Proof], json_: bool, stopped: dict[str, object]
) -> None:
    from ..base.errors import Fault, NetloomError

    tried = [one for one in found if not one.refused]
    if not tried:
        raise NetloomError(
            [
                Fault(
                    "NL-D003",
                    "--ranks",
                    f"{schedule} is defined on none of them",
                    "",
                    f"{found[0].ranks} ranks: {found[0].refused}",
                )
            ]
        )
    if json_:
        cases = [
            {"ranks": one.ranks, "proved": bool(one.proofs) and not one.wrong, "refused": one.refused or None}
            | {"roots": one.proofs, "refuted": one.wrong}
            for one in found
        ]
        proved = not (stopped or any(one.wrong for one in tried))
        emit_json({"schedule": schedule, "size_bytes": size_bytes, "proved": proved, "cases": cases} | stopped)
        return
    wrong = [one.ranks for one in tried if one.wrong]
    span = f"{found[0].ranks} to {found[-1].ranks}"
    facts = {"proved": f"{len(tried) - len(wrong)} of {len(tried)} numbers of ranks, {span}"}
    if wrong:
        facts["not proved"] = _spans(wrong)
    for reason in dict.fromkeys(one.refused for one in found if one.refused):
        numbers = _spans([one.ranks for one in found if one.refused == reason])
        facts["not defined"] = "; ".join(filter(None, (facts.get("not defined", ""), f"{numbers}: {reason}")))
    emit_facts(facts)


def _spans(numbers: Sequence[int]) -> str:
    """`3, 5 to 7, 9, 10`."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(
        f"{low}{' to ' if high > low + 1 else ', '}{high}" if high > low else f"{low}" for low, high in spans
    )


def _made(schedule: str, ranks: int, root: int, size_bytes: int) -> Schedule:
    """The schedule of a call text.

    Raises
    ------
    NetloomError
        `NL-A002` for what is no `collective:algorithm`, with the algorithms of the operation that it names, if any.
    """
    from .. import _core
    from ..base.errors import Fault, NetloomError
    from ..workload import workload

    if ":" in schedule.partition("(")[0]:
        made = workload(schedule, ranks, root=root, size_bytes=size_bytes)
        if isinstance(made, _core.Schedule):
            return made
    raise NetloomError([Fault("NL-A002", "schedule", "collective:algorithm", schedule or '""', _proposal(schedule))])


def _proposal(schedule: str) -> str:
    import difflib

    from .. import plugin
    from ..base.registries import catalogue

    rows = [*catalogue("collectives"), *plugin.rows("collectives")]
    algorithms: dict[str, list[str]] = {}
    for row in rows:
        algorithms.setdefault(row["name"].partition(":")[0], []).append(row["name"])
    head = schedule.partition("(")[0].partition(":")[0].strip().replace("_", "-")
    head = {"bcast": "broadcast", "reduce-scatter-block": "reduce-scatter"}.get(head, head)
    for operation in difflib.get_close_matches(head[:100], algorithms, n=1):
        return f"algorithms of {operation}: {', '.join(algorithms[operation])}"
    return f"operations: {', '.join(algorithms)}; their algorithms: netloom list collectives"
