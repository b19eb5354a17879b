"""`netloom explain`."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from .options import as_json, integer, together
from .output import emit_facts, emit_json

if TYPE_CHECKING:
    from ..library.decide import Decision
    from ..tuning.cost import CostHere


@dataclass(frozen=True)
class TimedOn:
    """Where the choice is timed, as typed; nowhere without a network."""

    network: str | None
    placement: str
    order: str

    def cost(self, made: Decision) -> CostHere | None:
        """Times of the choice and of the best here."""
        if self.network is None:
            return None
        from ..tuning.cost import cost_here

        return cost_here(made, self.network, self.placement, self.order)


timed_on = together(
    "timed_on",
    TimedOn,
    click.option("-n", "--network", metavar="CALL|FILE", help="Also time the choice and the best on this network."),
    click.option(
        "--placement", default="linear", show_default=True, metavar="CALL", help="Which endpoints the job gets."
    ),
    click.option(
        "--order", default="draw", show_default=True, metavar="CALL", help="Which rank runs on which of them."
    ),
)

EPILOG = """\b
Examples:
  netloom explain NL-A007
  netloom explain ompi allreduce --ranks 128 --bytes 4
  netloom explain ompi allreduce --ranks 65536 --bytes 32KiB --type-bytes 1
  netloom explain mpich broadcast --ranks 16 --bytes 64KiB --network 'torus(4,4)'
"""


@click.command(epilog=EPILOG)
@click.argument("subject", metavar="CODE|LIBRARY")
@click.argument("collective", required=False)
@click.option("--ranks", metavar="P", help="Processes of the communicator.")
@click.option("--bytes", "size", metavar="SIZE", help="Bytes of the call: count times datatype.")
@click.option("--type-bytes", metavar="N", help="Bytes of one element; by default 4, or 1 if the size is no multiple.")
@click.option("--non-commutative", is_flag=True, help="The reduction operation is not commutative.")
@timed_on
@as_json
def command(
    subject: str, collective: str | None, ranks: str | None, size: str | None, type_bytes: str | None,
    non_commutative: bool, timed_on: TimedOn, json_: bool,
) -> None:  # fmt: skip
    """What an error code means, or what an MPI library chooses by itself.

    With a code: cause and remedy. With a library and a collective: which rule of the library's own decision holds for
    --ranks and --bytes, and which fallback the algorithm then takes.
    """
    if collective is None:
        _code(subject, json_)
        return
    from .. import __version__
    from ..base.errors import Fault, NetloomError
    from ..base.quantities import parse_bytes
    from ..library.decide import collective_of, decide, table_of

    table = table_of(subject)
    word = collective_of(table, collective)
    if ranks is None or (size is None and word != "barrier"):
        hint = f"for example netloom explain {subject} {shlex.quote(collective)} --ranks 128 --bytes 4"
        raise NetloomError([Fault("NL-X010", "--ranks, --bytes", "both are needed", "", hint)])
    count, bytes_ = integer("--ranks", ranks, 2), 0 if size is None else parse_bytes(size, "--bytes")
    element = integer("--type-bytes", type_bytes, 1) if type_bytes else 4 if bytes_ % 4 == 0 else 1
    made = decide(subject, word, count, bytes_, element_bytes=element, commutative=not non_commutative)
    facts: dict[str, object] = {**made.facts(), "source": table["source"], "note": table["note"]}
    # `version` is the library's.
    facts["netloom_version"] = __version__
    here = timed_on.cost(made)
    if here is not None:
        facts["here"] = here
    if json_:
        emit_json(facts)
        return
    emit_facts(_shown(made, table))
    if here is not None:
        emit_facts(_here(here))


def _shown(made: Decision, table: Mapping[str, object], prefix: str = "") -> dict[str, str]:
    """The decision as text."""
    shown = {
        f"{prefix}library": f"{table['title']} {made.version}",
        f"{prefix}rule": " and ".join(made.rule) or "always",
        f"{prefix}chooses": made.algorithm,
    }
    for number, (name, reason) in enumerate(made.fallbacks, start=1):
        shown[f"{prefix}falls back {number}"] = f"{name or 'abort'}: {reason}"
    if made.fallbacks:
        shown[f"{prefix}runs"] = made.runs or "nothing: the call aborts"
    for part in made.parts:
        inner = _shown(part, table, f"its {part.collective}: ")
        del inner[f"its {part.collective}: library"]
        shown.update(inner)
    shown[f"{prefix}as a schedule here"] = (
        "none does the same" if made.netloom is None else ", then ".join(name for name, _ in made.netloom)
    )
    if made.differs:
        shown[f"{prefix}which differs"] = made.differs
    return shown


def _here(cost: CostHere) -> dict[str, str]:
    """Times on the network as text."""
    from ..base.quantities import time_text
    from ..base.winner import MARGIN, is_tie

    shown = {"time here": "no schedule does the same"}
    if cost["choice_s"] is not None:
        shown = {"time here": time_text(cost["choice_s"])}
    shown["fastest here"] = f"{cost['best']}: {time_text(cost['best_s'])}"
    if cost["choice_s"] is not None and is_tie(cost["best_s"], cost["choice_s"]):
        shown["fastest here"] += f", with which the choice ties (within {100 * MARGIN:g} %)"
    elif cost["slower_by"] is not None:
        shown["slower by"] = f"{cost['slower_by']:.3g} times"
    shown["none is faster than"] = time_text(cost["bound_s"])
    return shown


def _code(code: str, json_: bool) -> None:
    from ..base.errors import Fault, NetloomError
    from ..base.nearest import did_you_mean
    from ..reference.errors import all_rows

    rows = {row[0]: row for row in all_rows()}
    wanted = code.upper() if code.upper().startswith("NL-") else f"NL-{code.upper()}"
    if wanted not in rows:
        fault = Fault("NL-A002", "explain", f'there is no code "{code}"', "", did_you_mean(wanted, rows, "codes"))
        raise NetloomError([fault])
    facts = dict(zip(("code", "title", "cause", "action"), rows[wanted], strict=True))
    if json_:
        emit_json(facts)
    else:
        emit_facts(facts)
