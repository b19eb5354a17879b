"""`netloom hops`."""

from __future__ import annotations

from typing import Any

import click

from .options import Job, as_json, job, plugins
from .output import emit_facts, emit_json, emit_table, progress

EPILOG = """\b
Examples:
  netloom hops --network 'circulant(1024,pow2)' --ranks 512 --placement ring \\
      --order ascending --collective allreduce:recursive-doubling
  netloom hops -n 'torus(8,8,8)' -t 'uniform(messages=100000,seed=1)' --json
  netloom hops -n 'torus(4,4,4)' -a 'lu(class=A)'
"""

SHOWN = {
    "messages": "messages",
    "total_hops": "hops, total",
    "mean_hops": "hops per message, mean",
    "max_hops": "hops per message, most",
    "hop_bytes": "bytes times hops",
}


@click.command(epilog=EPILOG)
@job
@click.option("--mapping", metavar="FILE", help="A rank file in place of --placement and --order.")
@click.option("--mapping-format", metavar="FORMAT", help="Format of that file, where its content does not tell.")
@plugins
@as_json
def command(
    network: str, format_: str | None, ranks: str | None, placement: str, order: str, collective: str | None,
    traffic: str | None, application: str | None, size: str, root: str,
    mapping: str | None, mapping_format: str | None, json_: bool,
) -> None:  # fmt: skip
    """Hop counts of a collective, traffic or application on a network."""
    from .. import _core, api

    endpoints: Any
    if mapping is not None:
        from .. import files

        net = api.network(network, format_)
        content = files.read(mapping)
        endpoints = _core.read_mapping(content, mapping, mapping_format, net)
        order = mapping_format or _core.detect_format(mapping, content, "mapping") or ""
        ranks = ranks or str(len(endpoints))
    asked = Job(network, format_, ranks, placement, collective, traffic, application, size, root)
    if mapping is None:
        endpoints = api.placed(asked.network, asked.ranks, placement, order)
    with progress("hops", quiet=json_) as callback:
        found = _core.hops(asked.network, endpoints, asked.workload, progress=callback)
    result: dict[str, Any] = {
        "network": asked.network.label,
        "workload": asked.workload.label,
        "ranks": asked.ranks,
        "placement": placement if mapping is None else mapping,
        "order": order,
        **found,
    }
    result.setdefault("steps", [])
    if json_:
        emit_json(result)
        return
    emit_facts({words: result[key] for key, words in SHOWN.items() if key in result})
    steps = result["steps"] or []
    if steps:
        shown = steps if len(steps) <= 40 else steps[:40]
        emit_table(["step", "messages", "hops"], [[i, s["messages"], s["hops"]] for i, s in enumerate(shown, start=1)])
        if len(shown) < len(steps):
            click.echo(f"... {len(steps) - len(shown)} more steps (--json has all)", err=True)
