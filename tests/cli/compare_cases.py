"""Command lines on which each option of `compare` shows what it does."""

from __future__ import annotations

from .option_case import COLLECTIVE, SOCKETS, Case

TRAFFIC = "-t uniform(seed=1)"
PAIR = f"torus(4,4) hypercube(4) {COLLECTIVE}"

CASES: dict[tuple[str, str], Case] = {
    ("compare", "--machine"): Case(f"torus(4,4) {COLLECTIVE}", "--machine near/near.toml"),
    ("compare", "--machines"): Case("--machine near", "--machines near", "mends"),
    ("compare", "--traffic"): Case("torus(4,4) hypercube(4)", TRAFFIC),
    ("compare", "--collective"): Case("torus(4,4) hypercube(4)", COLLECTIVE),
    ("compare", "--set"): Case("torus(4,4) ring(16) -c allreduce:ring --size 1MiB", "--set wire.duplex=half"),
    ("compare", "--size"): Case(f"torus(4,4) hypercube(4) {COLLECTIVE}", "--size 1MiB"),
    ("compare", "--library"): Case("torus(4,4) hypercube(4) -c allreduce:default", "--library mpich", "mends"),
    ("compare", "--part"): Case("islands.conf ring(4)", "--part 1", "mends"),
    ("compare", "--ranks"): Case(f"torus(4,4) hypercube(4) {COLLECTIVE}", "--ranks 8"),
    ("compare", "--fail"): Case(PAIR, "--fail link:0-1"),
    ("compare", "--nodes"): Case(f"torus(4,4) hypercube(4) {COLLECTIVE}", "--nodes 8"),
    ("compare", "--ranks-per-node"): Case(f"torus(4,4) hypercube(4) {COLLECTIVE} --nodes 8", "--ranks-per-node 2"),
    ("compare", "--cores"): Case(f"{PAIR} --ranks 16", "--cores 4"),
    ("compare", "--node"): Case("star(4) torus(2,2) -c allreduce:ring --ranks 16 --cores 4", SOCKETS),
    ("compare", "--placement"): Case(f"{PAIR} --ranks 8", "-p random(seed=3)"),
    ("compare", "--root"): Case("torus(4,4) ring(16) -c broadcast:binomial --ranks 13", "--root 3"),
    ("compare", "--variant"): Case(PAIR, "-v static-indirect"),
    ("compare", "--calibration"): Case(PAIR, "--calibration simgrid-smpi"),
    ("compare", "--duplex"): Case("torus(4,4) ring(16) -c allreduce:ring --size 1MiB", "--duplex half"),
    ("compare", "--switch-latency"): Case(PAIR, "--switch-latency 1us"),
    ("compare", "--model"): Case("torus(4,4) hypercube(4)", "--model jain-2016"),
    ("compare", "--baseline"): Case("torus(4,4) hypercube(4)", "--baseline torus(4,4)"),
    ("compare", "--weight"): Case(
        "torus(4,4) ring(16) -t shift(k=1) -t shift(k=8) --baseline ring(16) --no-spread -q", "--weight shift(k=8)=3"
    ),
    ("compare", "--routing"): Case(PAIR, "--routing hashed"),
    ("compare", "--spread"): Case(PAIR, "--no-spread"),
    ("compare", "--picture"): Case("torus(4,4) hypercube(4)", "--picture pareto.svg", "files"),
    ("compare", "--output"): Case("torus(4,4) hypercube(4)", "-o made", "files"),
}
