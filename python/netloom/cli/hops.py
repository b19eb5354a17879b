"""`netloom hops`."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from .inputs import Asked, inputs
from .options import as_json, no_progress, plugins, stop_after, threads, within
from .output import emit_facts, emit_json, emit_table, model_of, note

if TYPE_CHECKING:
    from ..evaluate.answers import HopsAnswer

EPILOG = """\b
Examples:
  netloom hops --network 'circulant(1024,pow2)' --ranks 512 --placement ring \\
      --order ascending --collective allreduce:recursive-doubling
  netloom hops -n 'torus(8,8,8)' -t 'uniform(messages=100000,seed=1)' --json
  netloom hops -n 'torus(4,4,4)' -a 'lu(class=A)' --order 'two-opt(swaps=20000)'
"""

#: Most rows of steps on a screen.
ROWS = 16

SHOWN = {
    "messages": "messages",
    "total_hops": "hops, total",
    "mean_hops": "hops per message, mean",
    "max_hops": "hops per message, most",
    "hop_bytes": "bytes times hops",
    "inter_node_bytes": "bytes between nodes",
}


@click.command(epilog=EPILOG)
@inputs(
    *("network", "format", "part", "fail", "ranks", "cores", "node", "placement", "order", "mapping", "mapping_format"),
    *("workload", "library", "size_bytes", "root", "algorithms"),
    tables=("wire",),
)
@stop_after
@threads
@no_progress
@plugins
@as_json
def command(asked: Asked, quiet: bool, json_: bool) -> None:
    """Hop counts of a collective, traffic or application on a network."""
    from ..evaluate.base import SEARCH
    from ..mapping.rank_files import format_of

    with within("count fewer ranks, or fewer messages"):
        found = cast("HopsAnswer", asked.answer("hops", quiet or json_))
    if not json_:
        _show(found)
        return
    mapping, searched = str(asked.scenario["mapping"]), {column.name for column in SEARCH}
    format_ = str(asked.scenario["mapping_format"])
    facts = {
        "network": asked.network.label,
        "workload": found["workload"],
        "ranks": found["ranks"],
        "placement": mapping or asked.scenario["placement"],
        "order": format_of(Path(mapping), format_) if mapping else asked.scenario["order"],
    }
    numbers = {key: value for key, value in found.items() if value is not None or key not in searched}
    emit_json(facts | numbers | model_of(found))


def _show(found: HopsAnswer) -> None:
    emit_facts({words: found[key] for key, words in SHOWN.items() if found[key] is not None})
    for line in found.chosen:
        note(line)
    steps = found["steps"]
    if not steps:
        return
    # Steps alike, one after another, are one row.
    rows: list[list[object]] = []
    at = 1
    for (messages, hops), alike in groupby((step["messages"], step["hops"]) for step in steps):
        last = at + len(list(alike)) - 1
        rows.append([str(at) if at == last else f"{at} to {last}", messages, hops])
        at = last + 1
    emit_table(["steps", "messages", "hops"], rows[:ROWS])
    if len(rows) > ROWS:
        click.echo(f"... and more steps, {len(steps)} in all (--json has them)", err=True)
