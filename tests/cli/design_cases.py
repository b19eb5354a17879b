"""Options of `netloom design`, on a catalogue of small switches."""

from __future__ import annotations

from .option_case import Case

LAYOUT = """[layout]
cabinet_width_m = 1.0
cabinet_depth_m = 2.0
switches_per_cabinet = 4
intra_cabinet_m = 1.0
inter_cabinet_overhead_m = 2.0
endpoint_m = 1.0
"""


def switch(ports: int, usd: float, watts: float = 100.0, gbps: float = 100.0) -> str:
    """A table of the catalogue."""
    return (
        f'[[switch]]\nname = "{ports} x {gbps:g}"\nports = {ports}\ngbps = {gbps}\nusd = {usd}\nwatts = {watts}\n'
        'date = "2026"\nsource = "a test"\n'
    )


def cable(
    name: str, usd: float, usd_per_m: float = 0.0, watts: float = 0.0, max_m: float | None = None, gbps: float = 100.0
) -> str:
    """A table of the catalogue."""
    reach = "" if max_m is None else f"max_m = {max_m}\n"
    return (
        f'[[cable]]\nname = "{name}"\ngbps = {gbps}\nusd = {usd}\nusd_per_m = {usd_per_m}\nwatts = {watts}\n{reach}'
        'date = "2026"\nsource = "a test"\n'
    )


def parts(*tables: str) -> str:
    """A catalogue."""
    return 'title = "Parts of a test"\n' + LAYOUT + "".join(tables)


SMALL = parts(
    switch(8, 1000.0),
    switch(16, 2500.0, 180.0),
    cable("copper", 50.0, 10.0, 0.0, 3.0),
    cable("optical", 300.0, 5.0, 4.0),
)
FILES = {"parts.toml": SMALL, "no-prices.toml": SMALL.replace("usd = 1000.0\n", "")}
DESIGN = (
    "--endpoints 32 --workload alltoall:pairwise --workload 'shift(k=5,bytes=9000)=2' --catalogue parts.toml -q -j 1"
)

CASES = {
    ("design", "--endpoints"): Case("--workload shift(k=1) --catalogue parts.toml -q", "--endpoints 32", "mends"),
    ("design", "--workload"): Case(DESIGN, "--workload 'shift(k=9,bytes=70000)'"),
    ("design", "--catalogue"): Case(DESIGN.replace("--catalogue parts.toml", ""), "--catalogue parts.toml"),
    ("design", "--output"): Case(DESIGN, "-o made", "files"),
    ("design", "--show-catalogue"): Case(DESIGN, "--show-catalogue"),
    ("design", "--nvlink"): Case(f"{DESIGN} --json", "--nvlink"),
    ("design", "--jobs"): Case(DESIGN.removesuffix(" -j 1"), "-j 1", "speed"),
    ("design", "--all-rungs"): Case(f"{DESIGN} --json", "--all-rungs"),
    ("design", "--machines"): Case(DESIGN, "--machines near", "runs"),
    ("design", "--seed"): Case(f"{DESIGN} --failed-links 3", "--seed 5"),
    **{
        ("design", added.partition(" ")[0]): Case(DESIGN, added)
        for added in (
            "--budget 30000", "--family torus", "--goal time", "--size 9KiB", "--routing one-path",
            "--calibration pure",
            "--failed-links 3", "--failed-switches 2", "--least-ports 10", "--most-ports 10",
        )
    },
}  # fmt: skip
