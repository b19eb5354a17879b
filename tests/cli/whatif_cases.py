"""Options of `netloom whatif`, and the scenario that is asked about."""

from __future__ import annotations

from .option_case import Case

VARY = "--vary 'link_bandwidth=50..200 Gbps' --vary 'size_bytes=1 KiB..1 MiB log'"
WHATIF = f"ask.toml {VARY} --samples 16 -q"
FILES = {
    "ask.toml": 'network = "torus(2,2)"\nworkload = "alltoall:pairwise"\nsize_bytes = "64 KiB"\n',
    "near.toml": 'machine = "near"\nworkload = "alltoall:pairwise"\n',
}

CASES = {
    ("whatif", "--vary"): Case(WHATIF, "--vary 'link_latency=10..900 ns'"),
    ("whatif", "--option"): Case(f"{WHATIF} --target latency_s", "--option critical_path=true", "mends"),
    ("whatif", "--jobs"): Case(WHATIF, "-j 1", "speed"),
    ("whatif", "--machines"): Case("near.toml --vary 'size_bytes=1..9 KiB' -q", "--machines near", "mends"),
    **{
        ("whatif", added.partition(" ")[0]): Case(WHATIF, added)
        for added in (
            "--evaluator loads", "--target mean_s", "--best greatest", "--samples 32", "--seed 2", "--runs 80",
        )
    },
}  # fmt: skip
