"""Five kinds of study, of about a second each, and how netloom is started on them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

_AXES = """
[experiment.axes]
network = ["torus(6,6)", "k_ary_n_tree(k=6,n=2)"]
ranks = 36
order = {orders}
workload = {workloads}
"""
_HEAD = """title = "{name}"
[[experiment]]
name = "{name}"
evaluate = "{evaluate}"
"""
_CHART = """[[experiment.chart]]
title = "{name}"
kind = "bar"
x = "workload"
y = "{y}"
series = "order"
facet = "network"
"""
_KINDS = {
    "hops": (
        "total_hops",
        '["draw", "random(seed=1)", "cco"]',
        '["alltoall:pairwise", "nearest-ring", "allreduce:ring"]',
    ),
    "loads": ("max_bytes", '["draw", "random(seed=1)"]', '["alltoall:pairwise", "nearest-ring"]'),
    "time": ("time_s", '["draw", "random(seed=1)"]', '["alltoall:pairwise", "allreduce:ring"]'),
    "packet": ("time_s", '["draw", "random(seed=1)"]', '["allreduce:ring", "shift(k=1,bytes=65536)"]'),
}


def study(kind: str) -> tuple[str, list[str]]:
    """Text of a study and options of `netloom run`."""
    if kind == "search":
        orders = '["two-opt(swaps=20000,seed=1)", "auto(swaps=20000,seed=1)"]'
        text = _HEAD.format(name=kind, evaluate="hops") + _AXES.format(orders=orders, workloads='["allreduce:ring"]')
        return text + '[experiment.emit]\nformats = ["rankfile", "slurm-arbitrary"]\neach = ["network"]\n', [
            "--no-figures"
        ]
    y, orders, workloads = _KINDS[kind]
    text = _HEAD.format(name=kind, evaluate=kind) + _AXES.format(orders=orders, workloads=workloads)
    options = {"hops": ["--on", "processes", "--no-figures"], "loads": []}.get(kind, ["--no-figures"])
    return text + _CHART.format(name=kind, y=y), options


KINDS = (*_KINDS, "search")


def start(words: list[str], folder: Path, before: Callable[[], None] | None = None) -> subprocess.Popen[bytes]:
    """`netloom` in a process group of its own, which may be killed whole; `before` runs in it first."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("NETLOOM_")}
    return subprocess.Popen(
        [sys.executable, "-m", "netloom", *words],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=before,  # no threads here
    )


def content(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, hidden ones too."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
