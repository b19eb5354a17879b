"""A rail cluster as its NICs see it: one switch for each node, with the links of NICs for those of GPUs."""

from __future__ import annotations

import json

import numpy as np

from .. import _core


def whole_nodes(net: _core.Network) -> _core.Network:
    """The network outside of nodes.

    Parameters
    ----------
    net
        With rails, in service.

    Returns
    -------
    Network
        A node is a switch with an endpoint for each GPU; together their links have the bandwidth of the node's NICs.
        Leaves, spines and cores follow in the same order.

    Notes
    -----
    O(links).
    """
    rails = net.rails
    assert rails is not None
    nodes, gpus = rails["nodes"], rails["gpus_per_node"]
    shared = nodes * rails["rails"] if rails["rails"] < gpus else 0
    node = np.arange(nodes, dtype=np.int64)
    rest = net.switches - nodes * (1 + gpus) - shared
    # NVLink switches, GPUs, NICs where they are shared, and what is outside of nodes.
    home = np.concatenate(
        [node, np.repeat(node, gpus), np.repeat(node, shared // nodes), nodes + np.arange(rest, dtype=np.int64)]
    )
    tails, heads = home[np.asarray(net.tails)], home[np.asarray(net.heads)]
    speed = np.asarray(net.link_bandwidth_bytes_per_s)[: len(tails)]
    share = float(speed[(tails < nodes) & (heads >= nodes)].sum()) / (nodes * gpus)
    edges = [
        {"source": f"s{tail}", "target": f"s{head}", "key": int(key), "bandwidth": float(bandwidth), "latency": 0.0}
        for key, (tail, head, bandwidth) in enumerate(zip(tails, heads, speed, strict=True))
        if tail < head
    ]
    edges += [
        {"source": f"s{one // gpus}", "target": f"e{one}", "key": 0, "bandwidth": share, "latency": 0.0}
        for one in range(nodes * gpus)
    ]
    names = [{"id": f"s{one}", "kind": "switch"} for one in range(nodes + rest)]
    names += [{"id": f"e{one}", "kind": "endpoint"} for one in range(nodes * gpus)]
    text = {"directed": False, "multigraph": True, "graph": {}, "nodes": names, "edges": edges}
    return _core.Network.read(json.dumps(text).encode(), "nodes", "node-link")
