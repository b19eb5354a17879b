"""`netloom verify`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .options import as_json, integer, plugins
from .output import duration, emit_facts, emit_json, note, progress

if TYPE_CHECKING:
    from .._core import Schedule

#: What a proof finds wrong with a schedule that it has examined; with any other fault it has examined nothing.
REFUTED = {f"NL-C{number:03}" for number in range(6, 12)}

#: Messages that a proof executes in a second on one core, and seconds that it takes without being asked twice.
MESSAGES_PER_S, LONG_S = 2e7, 600.0

EPILOG = """\b
Examples:
  netloom verify allreduce:ring --ranks 48
  netloom verify broadcast:binomial --ranks 48 --root all --json
"""


@click.command(epilog=EPILOG)
@click.argument("schedule", metavar="COLLECTIVE:ALGORITHM")
@click.option("--ranks", required=True, metavar="N", help="Number of ranks.")
@click.option(
    "--root",
    default="0",
    show_default=True,
    metavar="RANK|all",
    help="Root rank, or all of them one after another.",
)
@click.option("--size", default="1 KiB", show_default=True, metavar="SIZE", help="Bytes of what MPI calls its count.")
@click.option("--long", "long_", is_flag=True, help="Prove it even if that takes more than ten minutes.")
@plugins
@as_json
def command(schedule: str, ranks: str, root: str, size: str, long_: bool, json_: bool) -> int:
    """Prove a collective's schedule by executing it on symbolic data.

    Exit code 0: every rank ends with exactly what MPI promises. 1: it does not, and the message says which rank lacks
    what, at which step. 2: nothing was examined, since the input is wrong or the schedule too large to prove.
    """
    from ..base.errors import Fault, NetloomError
    from ..base.quantities import counted, parse_bytes
    from ..base.registries import ROOTED

    count = integer("--ranks", ranks, 1)
    size_bytes = parse_bytes(size, "--size")
    first = _made(schedule, count, 0 if root == "all" else integer("--root", root, 0), size_bytes)
    roots = range(count) if root == "all" and first.collective in ROOTED else [first.root]
    estimate = first.messages * len(roots) / MESSAGES_PER_S
    if estimate > LONG_S and not long_:
        words = f"{first.messages * len(roots):,} messages take about {duration(estimate)} to prove"
        hint = "prove it for fewer ranks, or give --long"
        raise NetloomError([Fault("NL-X016", "--ranks", words, "", hint)])
    proofs: list[dict[str, object]] = []
    wrong: list[dict[str, object]] = []
    with progress("proof", json_) as report:
        for rank in roots:
            made = first if rank == first.root else _made(schedule, count, rank, size_bytes)
            try:
                proofs.append({"root": rank, **made.verify(progress=report)})
            except NetloomError as error:
                if any(fault.code not in REFUTED for fault in error.faults):
                    raise
                wrong.append({"root": rank, "faults": [fault.expected for fault in error.faults]})
                for fault in error.faults[:5]:
                    note(f"not proved: {fault}")
    result: dict[str, object] = {"schedule": schedule, "ranks": count, "size_bytes": size_bytes, "proved": not wrong}
    if json_:
        emit_json(result | {"roots": proofs, "refuted": wrong})
    elif proofs:
        one = {k: v for k, v in proofs[0].items() if k != "root"}
        what = f"{len(proofs)} of {len(roots)} roots" if len(roots) > 1 else "yes"
        facts = {"proved": f"{what}, {counted(count, 'rank')}, {counted(first.steps, 'step')}", **one}
        emit_facts({key.replace("_", " "): value for key, value in facts.items()})
    return 1 if wrong else 0


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
