"""A netloom network, with netloom's own routes, as a SimGrid platform for one job.

Only the hosts of the job and the routes that its schedule uses are written (and their reverse, which cross-traffic
asks for), so that 512 ranks need 9,000 routes and not 262,144. One directed link is one SHARED link: what SimGrid
calls split-duplex. With half duplex the two directions of a cable are one link.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from netloom import Network, _core

HEAD = """<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="network" routing="Full">
"""


def links_of(network: Network, routing: _core.Routing, source: int, destination: int) -> list[int]:
    """Directed links from one endpoint to another: injection, switch links, ejection."""
    switches = network.endpoint_switch
    injection = len(network.tails)
    (path,) = routing.paths(int(switches[source]), int(switches[destination]))
    return [injection + source, *path["links"], injection + network.endpoints + destination]


def speeds(network: Network) -> list[tuple[float, float]]:
    """Bandwidth in bytes per second and latency in seconds of every directed link, those of the endpoints last."""
    classes = [(kind["bandwidth_bytes_per_s"], kind["latency_s"]) for kind in network.classes]
    # The speed of the endpoints' links is only in what netloom writes: the line of the first.
    line = re.search(rb'id="endpoint-link0" bandwidth="([^B]+)Bps" latency="([^s]+)s"', network.write("simgrid"))
    assert line is not None, "netloom's own platform has a link of endpoint 0"
    endpoint = (float(line[1]), float(line[2]))
    return [classes[kind] for kind in network.class_index.tolist()] + [endpoint] * (2 * network.endpoints)


def write(
    path: Path,
    network: Network,
    routing: str,
    mapping: Sequence[int],
    pairs: Iterable[tuple[int, int]],
    duplex: str = "full",
) -> None:
    """Write the platform of ranks on `mapping`, with the routes between the `pairs` of ranks, both ways."""
    rule = network.routing(routing)
    lines = [HEAD]
    lines += [f'    <host id="e{endpoint}" speed="1Gf"/>\n' for endpoint in mapping]
    wanted = {(int(mapping[a]), int(mapping[b])) for x, y in pairs for a, b in ((x, y), (y, x)) if x != y}
    routes = {pair: links_of(network, rule, *pair) for pair in sorted(wanted)}

    def written(link: int) -> int:
        """With half duplex both directions are the lower-numbered one."""
        if duplex == "full":
            return link
        switch_links = len(network.tails)
        if link < switch_links:
            return min(link, int(network.reverse[link]))
        return link if link < switch_links + network.endpoints else link - network.endpoints

    speed = speeds(network)
    for link in sorted({written(link) for route in routes.values() for link in route}):
        bandwidth, latency = speed[link]
        lines.append(f'    <link id="l{link}" bandwidth="{bandwidth!r}Bps" latency="{latency!r}s"/>\n')
    for (source, destination), route in routes.items():
        inside = "".join(f'<link_ctn id="l{written(link)}"/>' for link in route)
        lines.append(f'    <route src="e{source}" dst="e{destination}" symmetrical="NO">{inside}</route>\n')
    lines.append("  </zone>\n</platform>\n")
    path.write_text("".join(lines))
    path.with_suffix(".hosts").write_text("".join(f"e{endpoint}\n" for endpoint in mapping))
