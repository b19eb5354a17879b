"""`netloom explain`."""

from __future__ import annotations

import click

from .options import as_json
from .output import emit_facts, emit_json


@click.command(epilog="\b\nExample:\n  netloom explain NL-A007")
@click.argument("code")
@as_json
def command(code: str, json_: bool) -> None:
    """What an error code means and what to do."""
    from ..errors import Fault, NetloomError
    from ..errors_reference import all_rows
    from ..nearest import did_you_mean

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
