"""`netloom describe`."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypedDict

import click

from ..base.errors import NetloomError, printable
from ..base.stopping import Stopped
from ..network.endpoint_bisection import EndpointBisection, endpoint_bisection
from .describe_trace import format_of
from .describe_trace import show as show_trace
from .inputs import Asked, inputs
from .options import as_json, no_progress, plugins, refused, stop_after, threads, within
from .output import emit_facts, emit_json, emit_table, note, progress
from .pages import report, write
from .stopped import say_stopped, stopped_s
from .switches import show as list_switches

if TYPE_CHECKING:
    from .. import _core
    from ..base.records import Bisection, Rails
    from ..cost import CostModel
    from ..machine import Machine
    from ..network.findings import Finding, Routes
    from ..report import AnswerPage

EPILOG = """\b
Examples:
  netloom describe 'torus(8,8,8)'
  netloom describe 'dragonfly(a=16,p=1,h=4,g=64)' --json
  netloom describe 'thin_tree(8,3,2)' --model per-port
  netloom describe machine.conf --from slurm
  netloom describe fabric.txt --switches
  netloom describe schedule.goal --json
  netloom describe --machine generic-hdr
  netloom describe fabric.txt --from ibnetdiscover --lft opensm-lfts.dump --expect 'fat_tree(radix=36,levels=2)'
"""

#: What people see first; `--json` has everything.
SHOWN = {
    "network": "network",
    "switches": "switches",
    "endpoints": "endpoints",
    "switch_links": "cables between switches",
    "endpoint_links": "cables to endpoints",
    "degree_min": "degree, least",
    "degree_max": "degree, most",
    "diameter": "diameter (hops)",
    "aspl": "average distance (hops)",
    "endpoint_aspl": "average distance between endpoints (hops)",
    "moore_bound": "most switches possible (Moore bound)",
}

#: Names that a line shows.
NAMED = 8


@click.command(epilog=EPILOG)
@inputs("network", "format", "part", "fail", "model", argument=True)
@click.option(
    "--switches", is_flag=True, help="List the switches instead: number, name, GUID, level, ports, endpoints."
)
@click.option("--no-bisection", is_flag=True, help="Leave out the bisection, which takes longest on large networks.")
@click.option("--cost/--no-cost", default=True, show_default=True, help="Price of switches and cables.")
@click.option("--lft", metavar="FILE", help="Forwarding tables to check: routes, loops, deadlock, balance.")
@click.option("--expect", metavar="CALL", help="The tree that was planned; cables that differ are listed.")
@stop_after
@threads
@no_progress
@report
@plugins
@as_json
def command(
    asked: Asked, switches: bool, no_bisection: bool, cost: bool, lft: str | None, expect: str | None, quiet: bool,
    json_: bool,
) -> None:  # fmt: skip
    """Size, distances, cut and price of a network; of a fabric also what is wrong with it.

    Of a trace: ranks, calls, bytes, communicators, who sends to whom, and what was left out.
    """
    said = {"--lft": lft is not None, "--expect": expect is not None, "--no-bisection": no_bisection}
    if (trace := format_of(asked.said.get("network"), str(asked.said.get("format", "")))) is not None:
        others = {f"--{name.partition('.')[0]}": True for name in asked.said if name not in ("network", "format")}
        show_trace(str(asked.said["network"]), trace, {**said, "--switches": switches, **others}, json_)
        return
    net = asked.network
    if switches:
        said |= {"--no-cost": not cost, "--model": "model" in asked.said}
        list_switches(net, said, json_)
        return
    model = _model(asked, cost)
    found, routes = findings_of(net, lft, expect)
    machine = asked.scenario.machine
    facts: dict[str, object] = {"network": net.label}
    facts |= {} if machine is None else {"machine": machine.facts()}
    facts |= _measured(net, not no_bisection, model, quiet or json_)
    facts |= {} if routes is None else {"routes": routes}
    facts |= {} if found is None else {"findings": found}
    write(lambda: _page(net, facts))
    if json_:
        emit_json(facts)
        return
    emit_facts(shown(facts))
    if machine is not None:
        click.echo()
        show_machine(machine)
    for one in found or ():
        click.echo(
            f"{one['severity']}: {one['kind']}: {printable(one['where'])} {printable(one['what'])}; {one['remedy']}"
        )


def _model(asked: Asked, cost: bool) -> CostModel | None:
    """The cost model that is asked for, or the default one; None where no price is wanted."""
    from ..cost import cost_model

    name = str(asked.said.get("model", "")) or None
    if name is not None and not cost:
        raise refused("--model", "asks for a price, and --no-cost for none", "leave one of them out")
    return cost_model(name) if cost else None


def _measured(net: _core.Network, bisection: bool, model: CostModel | None, quiet: bool) -> dict[str, object]:
    """Distances, cut and price; without the cut where there is no time for it."""
    from ..cost.of_network import price
    from ..evaluate.ahead import of_cut, say

    with within("a smaller network of the family, or --switches alone") as clock:
        facts = distances(net, quiet)
        if net.failed is not None:
            facts["out_of_service"] = out_of_service(net)
        if net.rails is not None:
            facts["rails"] = net.rails
        if bisection and "diameter" in facts:
            with suppress(Stopped):
                say(of_cut(net))
                cut = net.bisection()
                facts |= {"bisection": cut, "endpoint_bisection": endpoint_bisection(net, cut)}
    say_stopped(clock, "the bisection is not known")
    if model is not None:
        facts["cost"], facts["price"] = price(net, model)
    return facts | stopped_s(clock)


def show_machine(machine: Machine) -> None:
    """Each value of a machine with how it is known."""
    click.echo(f"{machine.name}: {machine.title or machine.summary}")
    found = machine.validated
    if found is None:
        click.echo("predictions: never held against measurements")
    else:
        click.echo(
            f"predictions: {100 * found.median:.3g} % median error, nine tenths within {100 * found.p90:.3g} %, on "
            f"{found.measurements} measurements of {', '.join(found.collectives)} on {found.nodes[0]} to "
            f"{found.nodes[1]} nodes: {found.source}"
        )
    emit_table(
        ["value of the machine", "is", "kind", "source"],
        [[name, str(one.value), one.kind, one.source] for name, one in machine.values.items()],
    )


def distances(net: _core.Network, quiet: bool) -> dict[str, object]:
    """Sizes and distances; sizes alone of a network that failures cut apart, with the reason."""
    try:
        with progress("distances", quiet=quiet) as callback:
            return dict(net.metrics(progress=callback))
    except NetloomError as wrong:
        if net.failed is None or wrong.faults[0].code != "NL-N001":
            raise
        cut = wrong.faults[0].expected
    note(f"note: the failures cut the network apart, so it has no distances and no bisection: {cut}")
    gone = out_of_service(net)
    ends = net.endpoints - len(gone["endpoints"])
    sizes = {"switches": net.switches - len(gone["switches"]), "endpoints": ends, "switch_links": net.switch_links}
    return {**sizes, "endpoint_links": ends, "cut_apart": cut}


class Gone(TypedDict):
    """What `out_of_service` gives."""

    switches: list[str]
    endpoints: list[str]
    cables: int


def out_of_service(net: _core.Network) -> Gone:
    """What has failed, by name: switches, their endpoints, the number of cables."""
    gone = set(net.failed["switches"] if net.failed else ())
    switches, endpoints = net.switch_names, net.endpoint_names
    return {
        "switches": [switches[switch] for switch in sorted(gone)],
        "endpoints": [endpoints[at] for at, switch in enumerate(net.endpoint_switch.tolist()) if switch in gone],
        "cables": len(net.failed["cables"] if net.failed else ()),
    }


def lost(what: Gone) -> str:
    """Out of service as text: cables by number, switches and endpoints by name."""
    said = [f"{what['cables']} cables"]
    for kind, names in (("switches", what["switches"]), ("endpoints", what["endpoints"])):
        if names:
            more = ", ..." if len(names) > NAMED else ""
            said.append(f"{len(names)} {kind} ({', '.join(map(printable, names[:NAMED]))}{more})")
    return ", ".join(said) + "; all numbers are of the rest"


def shown(facts: dict[str, Any]) -> dict[str, object]:
    """What people see."""
    hidden = {"endpoint_aspl"} if facts.get("endpoint_aspl") == facts.get("aspl") else set()
    lines = {words: facts[key] for key, words in SHOWN.items() if facts.get(key) is not None and key not in hidden}
    if "out_of_service" in facts:
        lines["out of service"] = lost(facts["out_of_service"])
    if (routes := facts.get("routes")) is not None:
        lines |= {
            "routes of the tables, mean (hops)": routes["hops_mean"],
            "routes, longest (hops)": routes["hops_max"],
        }
    if "rails" in facts:
        lines |= rails(facts["rails"])
    if "bisection" in facts:
        lines["bisection (cables)"] = bisection(facts["bisection"])
        lines["bisection between endpoints"] = between_endpoints(facts["endpoint_bisection"])
    if "price" in facts:
        priced, words = facts["cost"], facts["price"]
        unit = "USD" if priced is None else priced["unit"]
        if priced is not None:
            if priced["cable_length_total_m"] is not None:
                lines["cable length (m)"] = round(priced["cable_length_total_m"], 1)
            each = f", {priced['total_usd'] / facts['endpoints']:,.2f} per endpoint" if facts["endpoints"] else ""
            words = f"{priced['total_usd']:,.0f} ({priced['model']}){each}"
        lines[f"price of switches and cables ({unit})"] = words
        if priced is not None and priced["outside"]:
            lines["what the price is not"] = " ".join(priced["outside"])
    if "findings" in facts:
        lines["findings"] = len(facts["findings"])
    return lines


def _page(net: _core.Network, facts: dict[str, object]) -> AnswerPage:
    from .answer_pages import described

    return described(net, facts)


def findings_of(net: _core.Network, lft: str | None, expect: str | None) -> tuple[list[Finding] | None, Routes | None]:
    """What is wrong with a fabric, and its routes; None for a network that is none, and without tables."""
    from .. import _core
    from ..network import network as network_of
    from ..network.findings import Fabric, Followed, findings
    from ..network.tables import read_tables

    if lft is None and expect is None and _core.subnet(net) is None:
        return None, None
    followed = None
    if lft is not None:
        net = net.with_tables(read_tables(lft), lft)
        followed = Followed(Fabric(net), lft)
    found = findings(net, lft, None if expect is None else network_of(expect), followed)
    return found, None if followed is None else followed.summary()


def rails(what: Rails) -> dict[str, str]:
    """Rails, planes and oversubscription of a GPU cluster as text."""
    planes = {0: "none: rails meet over NVLink only", 1: "1, which joins all rails"}
    over = what["oversubscription"]
    tiers = 1 + (what["spines"] > 0) + (what["cores"] > 0)
    return {
        "nodes": f"{what['nodes']} of {what['gpus_per_node']} GPUs, pods: {what['pods']}",
        "rails": f"{what['rails']}, with a leaf of {what['leaf_ports']} ports in every pod",
        "planes of spines": planes.get(what["planes"], f"{what['planes']}, one per rail")
        + (f"; {what['spines']} spines of {what['spine_ports']} ports" if what["spines"] else ""),
        "tiers of switches": f"{tiers}, each with at most {what['radix']} ports"
        + (f"; {what['cores']} core switches join the spines" if what["cores"] else ""),
        "oversubscription (NICs of a pod over its uplinks)": "no uplinks" if over is None else f"{over:g}",
    }


def bisection(cut: Bisection) -> str:
    """A number, or the bounds that are known."""
    low, high = cut.get("lower"), cut.get("upper")
    if low == high:
        return str(low)
    return f"{low} to {high}"


def between_endpoints(cut: EndpointBisection) -> str:
    """Cables and bandwidth between halves of the endpoints, or the bounds that are known."""
    speed = cut["bytes_per_s"]
    low, high = cut.get("lower", cut["value"]), cut["value"]
    slow, fast = (8e-9 * rate for rate in (speed.get("lower", speed["value"]), speed["value"]))
    cables = f"{high}" if cut["exact"] else f"{low} to {high}"
    rate = f"{fast:,.0f}" if speed["exact"] else f"{slow:,.0f} to {fast:,.0f}"
    return f"{cables} cables, {rate} Gb/s"
