"""Random small cases for the witness of simulated time: network, places of the ranks, settings, workload."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import netloom

from .brute_force import Order, Program, Route, Run, Site
from .brute_node import draw_node, within
from .brute_workloads import draw_workload, threshold

Draw = np.random.Generator


@dataclass
class Case:
    """`inputs` for `netloom.simulate`, and the same for the witness."""

    inputs: dict[str, Any]
    site: Site
    program: Callable[[Run, int], Program]
    ranks: int

    def witness(self, order: Order = "first", whole_bytes: bool = False) -> tuple[list[float], Run]:
        """End of every rank in seconds, and the simulation."""
        run = Run(self.site, order, whole_bytes)

        def repeated(rank: int) -> Program:
            for _ in range(self.inputs["repetitions"]):
                yield from self.program(run, rank)

        return run.run([repeated(rank) for rank in range(self.ranks)]), run

    def is_decided(self) -> bool:
        """Does the order of what happens in one instant, which the definition leaves open, change nothing?"""
        ends, _ = self.witness()
        return all(np.allclose(self.witness(order)[0], ends, rtol=1e-12, atol=0) for order in ("last", *range(8)))


def draw_case(draw: Draw) -> Case:
    call, end_latency_s, endpoints = draw_network(draw)
    network = netloom.network(call)
    node = draw_node(draw) if "rail" not in call and draw.random() < 0.5 else None
    cores = node.seats if node else 1 if "rail" in call else int(draw.integers(1, 3))
    ranks = int(draw.integers(2, min(9, endpoints * cores) + 1))
    mapping = np.repeat(draw.permutation(network.endpoints), cores)[:ranks]
    wire, software = draw_wire(draw), draw_software(draw)
    work, program = draw_workload(draw, ranks)
    repetitions = int(draw.integers(1, 3))
    inputs = {
        "net": network, "workload": work, "mapping": mapping, "cores": cores, "routing": "single-minimal", "wire": wire,
        "software": software, "repetitions": repetitions, "calibration": "pure", "node": node.call() if node else None,
    }  # fmt: skip
    seats = [rank % cores for rank in range(ranks)]
    site = make_site(network, mapping.tolist(), end_latency_s, {**wire, **software})
    return Case(inputs, within(site, node, seats) if node else site, program, ranks)


def draw_network(draw: Draw) -> tuple[str, float, int]:
    """A call, the latency of the links of endpoints, and how many endpoints it has."""
    link, inside = draw.uniform(0.5, 12, 2).round(3)
    latency, inside_latency = draw.integers(0, 900, 2)
    if draw.random() < 0.2:
        gpus = draw.integers(1, 4)
        speeds = f"nvlink_bandwidth='{10 * inside} Gbps',nic_bandwidth='{link} Gbps'"
        call = f"rail_cluster(nodes=2,gpus={gpus},{speeds},latency='{latency} ns',gpu_latency='{inside_latency} ns')"
        return call, inside_latency * 1e-9, int(2 * gpus)
    shapes = ("complete(1,p=9", "ring(5", "torus(2,3", "torus(3,3", "star(4", "thin_tree(3,2,2")
    which = draw.integers(len(shapes))
    ends = f"endpoint_bandwidth='{inside} Gbps',endpoint_latency='{inside_latency} ns'"
    call = f"{shapes[which]},bandwidth='{link} Gbps',latency='{latency} ns',{ends})"
    return call, inside_latency * 1e-9, (9, 5, 6, 9, 4, 9)[which]


def make_site(network: netloom.Network, endpoint: list[int], end_latency_s: float, settings: dict[str, Any]) -> Site:
    """Routes by the paths of `single-minimal`; links of endpoints follow those of switches."""
    routing = network.routing("single-minimal")
    links, ends = len(network.tails), network.endpoints
    twin = [*network.reverse.tolist(), *range(links + ends, links + 2 * ends), *range(links, links + ends)]
    half = settings.get("duplex") == "half"
    shared = [min(link, twin[link]) if half else link for link in range(links + 2 * ends)]
    latency = [network.classes[c]["latency_s"] for c in network.class_index.tolist()]

    def route(src: int, dst: int) -> Route:
        a, b = endpoint[src], endpoint[dst]
        if a == b:
            return Route([], settings.get("loopback_latency_s", 0.0), loopback=True)
        here, there = (int(network.endpoint_switch[e]) for e in (a, b))
        path = [] if here == there else routing.paths(here, there)[0]["links"]
        passed = (len(path) + 1) * settings.get("switch_latency_s", 0.0)
        used = [links + a, *path, links + ends + b]
        return Route([shared[link] for link in used], sum(latency[link] for link in path) + 2 * end_latency_s + passed)

    bandwidth = dict(enumerate(network.link_bandwidth_bytes_per_s.tolist()))
    hosts = network.hosts
    node = endpoint if hosts is None else [hosts["of_endpoint"][e] for e in endpoint]
    return Site(endpoint, node, route, bandwidth, settings)


def rows(draw: Draw, *scales: float) -> list[list[float]]:
    """A table of one to three rows around the sizes of messages."""
    above = sorted({0, *(threshold(draw) for _ in range(draw.integers(0, 3)))})
    return [[a, *(float(scale * draw.uniform(0.1, 1)) for scale in scales)] for a in above]


def some(draw: Draw, given: dict[str, Callable[[], Any]], share: float) -> dict[str, Any]:
    return {name: make() for name, make in given.items() if draw.random() < share}


def number_or_rows(draw: Draw, scale: float) -> Any:
    return float(scale * draw.uniform(0.1, 1)) if draw.random() < 0.3 else rows(draw, scale)


def draw_wire(draw: Draw) -> dict[str, Any]:
    made = some(
        draw,
        {
            "envelope_bytes": lambda: int(draw.integers(1, 100)),
            "latency_factors": lambda: rows(draw, 3.0),
            "bandwidth_factors": lambda: rows(draw, 1.0),
            "switch_latency_s": lambda: float(draw.uniform(0, 3e-7)),
            "loopback_latency_s": lambda: float(draw.uniform(0, 1e-6)),
            "loopback_bandwidth_bytes_per_s": lambda: float(draw.uniform(1e8, 5e9)),
        },
        0.5,
    )
    if draw.random() < 0.2:
        made["duplex"] = "half"
    if draw.random() < 0.2:
        made["tcp_window_bytes"] = float(draw.uniform(1e2, 1e4))
    return {"sharing": "equal", **made}


def draw_software(draw: Draw) -> dict[str, Any]:
    overheads = ["send_overhead", "nonblocking_send_overhead", "receive_overhead", "message_latency", "inside_latency"]
    times = ("rendezvous_s", "message_gap_s", "nic_message_gap_s", "endpoint_message_s", "call_overhead_s", "launch_s")
    caps = ["flow_cap", "inside_flow_cap", "crossing_flow_cap", "rank_cap", "inside_rank_cap"]
    for unit in ("socket", "numa", "cache"):
        overheads.append(f"{unit}_message_latency")
        caps.append(f"{unit}_flow_cap")
    for protocol in ("ll", "ll128", "simple"):
        overheads += [f"{protocol}_{term}" for term in ("latency", "inside_latency", "gap")]
        caps += [f"{protocol}_{term}" for term in ("flow_cap", "inside_flow_cap")]
    limits = ("sender_returns_below_bytes", "starts_early_below_bytes")
    made: dict[str, Callable[[], Any]] = {
        **dict.fromkeys(overheads, lambda: rows(draw, 2e-6, 1e-10)),
        **dict.fromkeys(times, lambda: float(draw.uniform(0, 3e-6))),
        **dict.fromkeys(caps, lambda: number_or_rows(draw, 1e9)),
        **dict.fromkeys(
            ("combine_s_per_byte", "copy_s_per_byte", "eager_copy_s_per_byte"), lambda: number_or_rows(draw, 1e-9)
        ),
        "operation_factor": lambda: float(draw.uniform(0, 4)),
        "flops_per_s": lambda: float(draw.uniform(1e9, 1e10)),
        "bytes_per_flop": lambda: float(draw.uniform(0, 2)),
        **dict.fromkeys(limits, lambda: threshold(draw)),
    }
    return some(draw, made, draw.choice([0.3, 0.7, 1.0]))
