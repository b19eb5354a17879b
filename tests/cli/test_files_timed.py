"""What a file of a network says of sharing, state and direction of its links, seen in simulated times."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[int, str, str]]
FACTS = ("--json", "--no-cost", "--no-bisection")
MB, GB, US = 10**6, 10**9, 1e-6


def seconds(run: Run, network: str, flows: list[tuple[int, int, int]], ranks: int) -> tuple[float, str]:
    """Simulated time of flows that start together, of links alone, and what is printed besides."""
    Path("flows.csv").write_text("src,dst,bytes\n" + "".join(f"{src},{dst},{size}\n" for src, dst, size in flows))
    more = ("--ranks", str(ranks), "--calibration", "pure", "--json")
    code, out, err = run("simulate", "-n", network, "-t", "flows.csv", *more)
    assert code == 0, err
    found = json.loads(out)
    return float(found["time_s"]), err + " ".join(found.get("notes", []))


def facts(run: Run, network: str, *keys: str) -> list[Any]:
    code, out, err = run("describe", network, *FACTS)
    assert code == 0, err
    return [json.loads(out)[key] for key in keys]


def platform(inside: str) -> None:
    Path("site.xml").write_text(f'<platform version="4.1">{inside}</platform>')


def routers(middle: dict[tuple[str, str], str], hosts: dict[str, str]) -> None:
    """A platform of routers joined by links of 1 GB/s and 5 us with these attributes, hosts at 8 GB/s and 2 us."""
    text = "".join(f'<host id="{name}" speed="1Gf"/>' for name in hosts)
    text += "".join(f'<router id="{name}"/>' for name in dict.fromkeys(end for pair in middle for end in pair))
    wires = [(*pair, "1GBps", "5us", attributes) for pair, attributes in middle.items()]
    wires += [(name, at, "8GBps", "2us", 'sharing_policy="SPLITDUPLEX"') for name, at in hosts.items()]
    for a, b, bandwidth, latency, more in wires:
        text += f'<link id="{a}{b}" bandwidth="{bandwidth}" latency="{latency}" {more}/>'
    text += "".join(f'<route src="{a}" dst="{b}"><link_ctn id="{a}{b}"/></route>' for a, b, *_ in wires)
    platform(f'<zone id="site" routing="Floyd">{text}</zone>')


@pytest.mark.parametrize(
    ("attributes", "sharing", "says"),
    [
        # Three flows each way: all have the bandwidth, each way has it, or both ways together.
        ('sharing_policy="FATPIPE"', 1, "FATPIPE"),
        ('sharing_policy="SPLITDUPLEX"', 3, ""),
        ('sharing_policy="SHARED"', 6, "half duplex (SHARED)"),
        ("", 6, "half duplex (SHARED)"),
    ],
)
def test_flows_that_share_a_link_between_routers(netloom: Run, attributes: str, sharing: int, says: str) -> None:
    routers({("r", "s"): attributes}, {f"h{i}": "rs"[i // 3] for i in range(6)})
    time_s, said = seconds(netloom, "site.xml", [(i, (i + 3) % 6, 4 * MB) for i in range(6)], ranks=6)
    assert time_s == pytest.approx(sharing * 4 * MB / GB + (2 + 5 + 2) * US)
    assert says in said and ("FATPIPE" in said, "SHARED" in said) == ("FATPIPE" in says, "SHARED" in says), said


@pytest.mark.parametrize(("policy", "sharing"), [("SPLITDUPLEX", 2), ("SHARED", 3), ("FATPIPE", 1)])
def test_flows_that_share_the_link_of_a_host_of_a_cluster(netloom: Run, policy: str, sharing: int) -> None:
    """Host 0 sends to two hosts and receives from a third."""
    size = 'prefix="c" suffix="" radical="0-4" speed="1Gf" bw="500MBps" lat="3us"'
    platform(f'<cluster id="c" {size} sharing_policy="{policy}"/>')
    time_s, said = seconds(netloom, "site.xml", [(0, 1, 2 * MB), (0, 2, 2 * MB), (3, 0, 2 * MB)], ranks=5)
    assert time_s == pytest.approx(sharing * 2 * MB / (0.5 * GB) + 2 * 3 * US)
    assert ("half duplex (SHARED)" in said) == (policy == "SHARED"), said


def test_a_link_that_is_off_carries_nothing(netloom: Run) -> None:
    """Of three routers in a triangle, two are joined by way of the third alone; without that there are two parts."""
    hosts = {"a": "r", "b": "s", "c": "t"}
    triangle = {("r", "s"): 'state="ON"', ("s", "t"): "", ("r", "t"): ""}
    for state, hops in (("ON", 1), ("OFF", 2)):
        routers(triangle | {("r", "s"): f'state="{state}"'}, hosts)
        assert facts(netloom, "site.xml", "diameter", "switch_links") == [hops, 4 - hops]
        time_s, said = seconds(netloom, "site.xml", [(0, 1, 3 * MB)], ranks=3)
        assert time_s == pytest.approx(3 * MB / GB + (2 + hops * 5 + 2) * US)
        assert ('state="OFF"' in said) == (state == "OFF"), said
    routers({("r", "s"): 'state="OFF"', ("s", "t"): ""}, hosts)
    code, _, err = netloom("describe", "site.xml", *FACTS)
    assert code == 2 and 'state="OFF"' in err and "in 2 parts" in err, err


def test_hosts_of_a_cluster_zone_have_the_links_that_it_gives_them(netloom: Run) -> None:
    text = "".join(f'<host id="h{i}" speed="1Gf"/>' for i in range(3)) + '<router id="core"/>'
    wire = 'bandwidth="250MBps" latency="7us" sharing_policy="SPLITDUPLEX"'
    text += "".join(f'<link id="w{i}" {wire}/>' for i in range(3))
    text += "".join(f'<host_link id="h{i}" up="w{i}_UP" down="w{i}_DOWN"/>' for i in range(3))
    platform(f'<zone id="pod" routing="Cluster">{text}</zone>')
    assert facts(netloom, "site.xml", "switches", "endpoints") == [1, 3]
    time_s, _ = seconds(netloom, "site.xml", [(0, 1, MB), (1, 2, MB), (2, 0, MB)], ranks=3)
    assert time_s == pytest.approx(MB / (0.25 * GB) + 2 * 7 * US)


#: Cables of three switches in a row with a host each: ends, Gbit/s there, Gbit/s back (None: one link for both).
ROW = [("x", "y", 80, 16), ("y", "z", 40, None), ("hx", "x", 200, None), ("hy", "y", 200, None), ("hz", "z", 200, None)]


def node_link() -> None:
    """The row, every link in its own direction."""
    nodes = [{"id": name} for name in "xyz"] + [{"id": f"h{name}", "kind": "endpoint"} for name in "xyz"]
    edges = [
        {"source": src, "target": dst, "bandwidth": f"{gbps} Gbps", "latency": "1 us"}
        for a, b, there, back in ROW
        for src, dst, gbps in ((a, b, there), (b, a, back or there))
    ]
    Path("row.json").write_text(json.dumps({"directed": True, "nodes": nodes, "edges": edges}))


def graphml(default: str) -> None:
    """The row, with a direction on the cable alone whose directions differ; each edge says so itself where it must."""
    edges = ""
    for a, b, there, back in ROW:
        directed = back is not None
        word = "" if directed == (default == "directed") else f' directed="{str(directed).lower()}"'
        for src, dst, gbps in [(a, b, there), (b, a, back)][: 1 + directed]:
            edges += f'<edge source="{src}" target="{dst}"{word}><data key="b">{gbps} Gbps</data></edge>'
    Path("row.graphml").write_text(
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
        '<key id="k" for="node" attr.name="kind" attr.type="string"/>'
        '<key id="b" for="edge" attr.name="bandwidth" attr.type="string"/>'
        '<key id="l" for="edge" attr.name="latency" attr.type="string"><default>1 us</default></key>'
        f'<graph edgedefault="{default}">'
        + "".join(f'<node id="{name}"/><node id="h{name}"><data key="k">endpoint</data></node>' for name in "xyz")
        + f"{edges}</graph></graphml>"
    )


@pytest.mark.parametrize("written", ["node-link", "graphml, directed", "graphml, undirected"])
def test_each_direction_of_a_cable_has_its_own_bandwidth(netloom: Run, written: str) -> None:
    name = "row.json" if written == "node-link" else "row.graphml"
    node_link() if written == "node-link" else graphml(written.split(", ")[1])
    assert facts(netloom, name, "switches", "switch_links", "endpoints") == [3, 2, 3]
    # Each with the slowest link of its way: two links of hosts, and one or two cables.
    for src, dst, gbps, links in (
        (0, 1, 80, 3),
        (1, 0, 16, 3),
        (0, 2, 40, 4),
        (2, 0, 16, 4),
        (1, 2, 40, 3),
        (2, 1, 40, 3),
    ):
        time_s, said = seconds(netloom, name, [(src, dst, 5 * MB)], ranks=3)
        assert time_s == pytest.approx(5 * MB / (gbps * GB / 8) + links * US), (src, dst)
        assert "1 cables differ in bandwidth, latency or class by direction" in said
