"""The same question for BookSim2 and for netloom: a run is a row of `tests/data/booksim.json`."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import netloom

#: Measured with BookSim2, and the options of all its runs.
FILE = Path(__file__).parents[2] / "tests" / "data" / "booksim.json"
#: Of its example for the dragonfly.
DRAGONFLY = {"hold_switch_for_packet": 0, "internal_speedup": 2.0}


@dataclass(frozen=True)
class Run:
    """Options of BookSim2 that differ between runs."""

    topology: str
    k: int
    n: int
    routing_function: str
    num_vcs: int
    vc_buf_size: int
    packet_size: int
    injection_rate: float

    def network(self) -> str:
        """The network in netloom."""
        if self.topology == "fattree":
            return f"k_ary_n_tree({self.k},{self.n})"
        if self.topology == "torus":
            return f"torus({','.join([str(self.k)] * self.n)})"
        return f"dragonfly(a={2 * self.k},p={self.k},h={self.k},g={2 * self.k**2 + 1})"

    def routing(self) -> str:
        return {"nca": "minimal", "dim_order": "dimension-ordered(tie=split)"}.get(
            self.routing_function, "group-minimal"
        )

    def switch(self) -> str:
        ugal = ",ugal=true" if self.routing_function == "ugal" else ""
        return (
            f"input-queued(model=booksim,channels={self.num_vcs},buffer_flits={self.vc_buf_size},"
            f"packet_flits={self.packet_size}{ugal})"
        )


@dataclass(frozen=True)
class Found:
    """Loads in flits per node and cycle, latency in cycles from a packet's birth to the arrival of its tail."""

    accepted: float
    latency: float


def ours(run: Run, warm_up: int, cycles: int, drain: int) -> Found:
    """netloom's answer."""
    scenario = {"network": run.network(), "routing": run.routing(), "workload": "uniform(self=true)"}
    answer = netloom.evaluate(
        scenario,
        "throughput",
        loads=str(run.injection_rate),
        switch=run.switch(),
        warm_up=warm_up,
        cycles=cycles,
        drain=drain,
        saturation=False,
        details=False,
    )
    (point,) = answer.tables["points"]
    accepted, latency = point["accepted"], point["latency_mean"]
    assert isinstance(accepted, float)
    assert isinstance(latency, float)
    return Found(accepted, latency)


def theirs(run: Run, program: str, common: dict[str, Any], **more: Any) -> Found:
    """The answer of a BookSim2 executable."""
    options = common | (DRAGONFLY if run.topology == "dragonflynew" else {}) | asdict(run) | more
    with tempfile.NamedTemporaryFile("w", suffix=".cfg") as file:
        file.write("".join(f"{key} = {value};\n" for key, value in options.items()))
        file.flush()
        text = subprocess.run([program, file.name], capture_output=True, text=True, check=False).stdout
    last = text[text.rfind("Overall Traffic") :]
    number = {
        name: re.search(rf"{name} average = ([0-9.e+-]+)", last) for name in ("Packet latency", "Accepted flit rate")
    }
    latency, accepted = number["Packet latency"], number["Accepted flit rate"]
    if latency is None or accepted is None:
        message = f"{program} gave no answer for {run}"
        raise RuntimeError(message)
    return Found(float(accepted[1]), float(latency[1]))


def measured() -> tuple[dict[str, Any], list[tuple[Run, Found]]]:
    """Options of all runs, and what BookSim2 found for each."""
    data = json.loads(FILE.read_text())
    width = len(Run.__dataclass_fields__)
    return data["common"], [(Run(*row[:width]), Found(*row[width:])) for row in data["runs"]]
