"""`netloom verify`."""

from __future__ import annotations

from typing import Any

import click

from .options import as_json, integer, plugins
from .output import emit_facts, emit_json, note

EPILOG = """\b
Examples:
  netloom verify allreduce:ring --ranks 48
  netloom verify broadcast:binomial --ranks 48 --root all --json
"""


@click.command(epilog=EPILOG)
@click.argument("schedule", metavar="COLLECTIVE:ALGORITHM")
@click.option("--ranks", required=True, metavar="N", help="Number of ranks.")
@click.option("--root", default="0", show_default=True, metavar="RANK|all", help="Root rank, or all of them in turn.")
@click.option(
    "--size", default="1 KiB", show_default=True, metavar="SIZE", help="Bytes, in MPI's meaning of its count."
)
@plugins
@as_json
def command(schedule: str, ranks: str, root: str, size: str, json_: bool) -> int:
    """Prove a collective's schedule by executing it on symbolic data.

    Exit code 0: every rank ends with exactly what MPI promises. 1: it does not, and the message says which rank lacks
    what, at which step.
    """
    from .. import _core, api
    from ..errors import Fault, NetloomError
    from ..quantities import parse_bytes

    count = integer("--ranks", ranks, 1)
    size_bytes = parse_bytes(size, "--size")
    roots = list(range(count)) if root == "all" else [integer("--root", root, 0)]
    proofs: list[dict[str, Any]] = []
    wrong: list[dict[str, Any]] = []
    for rank in roots:
        made = api.workload(schedule, count, root=rank, size_bytes=size_bytes)
        if not isinstance(made, _core.Schedule):
            raise NetloomError([Fault("NL-X010", "verify", "a collective:algorithm", schedule)])
        try:
            proofs.append({"root": rank, **made.verify()})
        except NetloomError as error:
            wrong.append({"root": rank, "faults": [fault.expected for fault in error.faults]})
            for fault in error.faults[:5]:
                note(f"not proved: {fault}")
    result: dict[str, Any] = {"schedule": schedule, "ranks": count, "size_bytes": size_bytes, "proved": not wrong}
    if json_:
        emit_json(result | {"roots": proofs, "refuted": wrong})
    elif proofs:
        one = {k: v for k, v in proofs[0].items() if k != "root"}
        facts = {"proved": f"{len(proofs)} of {len(roots)} roots" if len(roots) > 1 else not wrong, **one}
        emit_facts({key.replace("_", " "): value for key, value in facts.items()})
    return 1 if wrong else 0
