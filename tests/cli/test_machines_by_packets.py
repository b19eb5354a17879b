"""Every shipped machine moves packets, inside of nodes too, and takes about as long as by flows."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from netloom.machine import names

Run = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize("machine", names())
def test_packets_and_flows_agree(netloom: Run, machine: str) -> None:
    """Two nodes with two ranks each: some messages stay in a node, others leave it."""
    times = []
    for model in ("flow", "packet"):
        words = ("--machine", machine, "--nodes", "2", "--ranks-per-node", "2", "-c", "allreduce:ring")
        code, out, err = netloom("simulate", *words, "--size", "64 KiB", "--model", model, "-q", "--json")
        assert code == 0, err
        times.append(json.loads(out)["time_s"])
    assert 0.8 < times[1] / times[0] < 1.25, times
