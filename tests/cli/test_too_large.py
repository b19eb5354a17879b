"""What can never fit is one line and exit code 2, at once: ranks and nodes by the trillion, more bytes than 2^63."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

Run = Callable[..., tuple[int, str, str]]

TRILLION = "1000000000000"
RING = ("-c", "allreduce:ring")
ALLTOALL = ("-c", "alltoall:pairwise")
CLUSTER = "rail_cluster(nodes=128)"
JOB = ("simulate", "loads", "hops", "map", "compare-models")

LINES: dict[str, tuple[str, ...]] = {
    **{f"{name}, ranks": (name, "-n", "torus(8,8)", *RING, "--ranks", TRILLION) for name in JOB},
    **{f"{name}, nodes": (name, "-n", f"rail_cluster(nodes={TRILLION})", *RING) for name in JOB},
    **{f"{name}, 8 EiB": (name, "-n", CLUSTER, *ALLTOALL, "--size", "8EiB") for name in JOB},
    **{f"{name}, 1 EiB": (name, "-n", CLUSTER, *ALLTOALL, "--size", "1EiB") for name in JOB},
    "collectives, ranks": ("collectives", "-n", "torus(8,8)", "--ranks", TRILLION),
    "collectives, nodes": ("collectives", "-n", f"rail_cluster(nodes={TRILLION})"),
    "collectives, 8 EiB": ("collectives", "-n", CLUSTER, "-c", "alltoall", "--sizes", "8EiB"),
    "collectives, 1 EiB": ("collectives", "-n", CLUSTER, "-c", "alltoall", "--sizes", "1EiB"),
    "compare, ranks": ("compare", "torus(8,8)", *RING, "--ranks", TRILLION),
    "compare, nodes": ("compare", "torus(8,8)", f"rail_cluster(nodes={TRILLION})", *RING),
    "compare, 8 EiB": ("compare", CLUSTER, *ALLTOALL, "--size", "8EiB"),
    "compare, 1 EiB": ("compare", CLUSTER, *ALLTOALL, "--size", "1EiB"),
    "verify, ranks": ("verify", "allreduce:ring", "--ranks", TRILLION),
    "verify, more ranks": ("verify", "allreduce:recursive-doubling", "--ranks", TRILLION),
    "verify, 8 EiB": ("verify", "alltoall:pairwise", "--ranks", "1024", "--size", "8EiB"),
    "verify, 1 EiB": ("verify", "alltoall:pairwise", "--ranks", "1024", "--size", "1EiB"),
}
#: What the line says of each.
SAYS = {
    "ranks": f"got {TRILLION}",
    "more ranks": f"got {TRILLION}",
    "nodes": f"rail_cluster.nodes must be an integer in 1..67108864, got {TRILLION}",
    "8 EiB": 'must be a whole number of bytes below 2^63, got "8EiB"',
    "1 EiB": "bytes together, beyond 2^63",
}


@pytest.mark.parametrize("case", LINES)
def test_it_is_refused_at_once(netloom: Run, case: str) -> None:
    begun = time.process_time()
    code, out, err = netloom(*LINES[case])
    assert (code, out) == (2, "")
    assert time.process_time() - begun < 1.0
    fault, *hints = [line for line in err.splitlines() if not line.startswith("note:")]
    assert fault.startswith("error: NL-") and SAYS[case.partition(", ")[2]] in fault
    assert all(line.startswith("  hint: ") for line in hints) and len(hints) <= 1


@pytest.mark.parametrize("case", ["simulate, ranks", "loads, 1 EiB", "map, nodes", "collectives, 1 EiB"])
def test_it_takes_little_memory(case: str) -> None:
    words = [sys.executable, "-m", "netloom", *LINES[case]]
    few = 1 << 30

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (few, few))

    ended = subprocess.run(words, capture_output=True, text=True, preexec_fn=limit)
    assert ended.returncode == 2 and "error: NL-" in ended.stderr and "NL-X011" not in ended.stderr


@pytest.mark.parametrize(
    ("text", "size_bytes"), [("1EiB", 1 << 60), ("2 EB", 2 * 10**18), ("0.5EiB", 1 << 59), ("7.5 EiB", 15 << 59)]
)
def test_exabytes_are_sizes(text: str, size_bytes: int) -> None:
    from netloom.base.quantities import parse_bytes

    assert parse_bytes(text) == size_bytes
