"""`netloom gained`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .options import as_json, integer, refused
from .output import emit_json, emit_table, note

if TYPE_CHECKING:
    from ..mpi.gain import Gain

EPILOG = """\b
Examples:
  netloom gained sent again
  netloom gained sent again --machine mine.toml --mapping maps/ranks.csv
"""


@click.command(epilog=EPILOG)
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="AFTER")
@click.option("--machine", metavar="NAME|FILE", help="Predict on this machine.")
@click.option("-n", "--network", metavar="NETWORK|FILE", help="Predict on this network.")
@click.option("--cores", metavar="N", help="With --machine or --network: ranks on an endpoint.")
@click.option("--mapping", metavar="FILE", help="With --machine or --network: the new order, as netloom map wrote it.")
@as_json
def command(before: str, after: str, mapping: str | None, json_: bool, **given: str | None) -> None:
    """Before, predicted and after: what another order of the ranks gained for an application.

    BEFORE and AFTER are folders of netloom record, of the program as it was and of the program in the new order. With a
    machine or a network the trace of BEFORE, which --depth order leaves, is simulated in both orders: predicted is the
    time before, less what the simulation saves.
    """
    from ..mpi.gain import gain

    inputs: dict[str, object] = {name: value for name, value in given.items() if value is not None and name != "cores"}
    if not inputs:
        for name, value in (("--mapping", mapping), ("--cores", given["cores"])):
            if value is not None:
                raise refused(name, "is about a prediction, and none is asked for", "add --machine or --network")
    elif mapping is None:
        raise refused("--mapping", "is missing", "give the order that the second run had, such as maps/ranks.csv")
    if given["cores"] is not None:
        inputs["cores"] = integer("--cores", given["cores"], 1)
    found = gain(before, after, inputs, mapping)
    if json_:
        emit_json(found.plain())
    else:
        _show(found)


def _show(found: Gain) -> None:
    from ..base.quantities import amount_text, time_text

    first, last = found.before.seconds(), found.after.seconds()
    predicted = found.predicted_s
    emit_table(
        ["", "before", "predicted", "after"],
        [
            ["time of the run", time_text(first["wall_s"]), "-" if predicted is None else time_text(predicted),
             time_text(last["wall_s"])],
            ["in MPI, all ranks", time_text(first["mpi_s"]), "-", time_text(last["mpi_s"])],
            ["between hosts", amount_text(found.before.bytes_between_hosts), "-",
             amount_text(found.after.bytes_between_hosts)],
        ],
    )  # fmt: skip
    if found.simulated_s is not None:
        was, is_ = found.simulated_s
        note(f"simulated: {time_text(was)} as it was, {time_text(is_)} in the new order")
    if found.before.bytes_between_hosts == found.after.bytes_between_hosts:
        note("no byte less goes between hosts: what changed is noise, or inside the hosts")
