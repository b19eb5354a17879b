"""Sentences of sections 3.2.4 and 3.2.5 of Jain 2016 that no study asks.

The small machine is that of the study `linkload`: 30 groups of 2 x 5 switches, 28,800 ranks. What the numbers at full
size say is taken from the claims that the studies keep.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise, product

import netloom
from netloom import plugin
from netloom.study import prepare

from ..findings import ROOT, Found, load
from ..measured import finding

TITLE = "Sentences about single jobs"
NETWORK, CORES = "dragonfly(group=[2,5],p=4,h=3,g=30)", 24
PLACED = {"RDN": "rdn(seed=1)", "RDR": "rdr(seed=1)"}
DIRECT, INDIRECT = ("SD", "AD"), ("SI", "AI", "AH")
SIZES = {"100 %": 3, "66 %": 2, "33 %": 1}
POINTS = ("min_bytes", "q1_bytes", "median_bytes", "mean_bytes", "q3_bytes", "max_bytes")
#: Of the paths that are drawn.
SEEDS = (1, 2, 3)
RUNS = len(SIZES) * len(PLACED) * 5 + 4 + 2 * 2 * len(SEEDS) + 16
Six = dict[str, float]


@cache
def loads(
    workload: str, ranks: int, placement: str, variant: str, f: int = 10, tolerance: float = 0.01, seed: int = 1
) -> tuple[float, ...]:
    """The six numbers of bytes on links between switches."""
    scenario = netloom.Scenario(
        NETWORK, workload=workload, ranks=ranks, cores=CORES, placement=placement, variant=variant, seed=seed
    )
    answer = netloom.evaluate(scenario, "loads", increments=f, tolerance=tolerance, hottest=0)
    return tuple(float(answer.record[name]) for name in POINTS)


def six(*asked: object) -> Six:
    """The same by name."""
    return dict(zip(POINTS, loads(*asked), strict=True))  # type: ignore[arg-type]


def many(size: str, placement: str, variant: str) -> Six:
    """Many-to-many on a part of the cores."""
    lines = SIZES[size]
    work = f'many-to-many({lines},80,120,axis=1,bytes="100 KiB")'
    return six(work, lines * 80 * 120, PLACED[placement], variant)


def measure() -> Iterator[Found]:
    """One claim for each sentence."""
    yield near()
    yield from falling()
    yield from direct()
    yield from alike()
    yield skewed()
    yield less()
    yield from drawn()
    yield from closer()


def megabytes(number: float) -> str:
    """Three digits."""
    return f"{number / 1e6:.3g} MB"


def near() -> Found:
    """M2M: minimum, quartiles and median of direct routing are lower and nearer to each other than of indirect."""
    cases = []
    for placement, variant in product(PLACED, DIRECT):
        ours = many("100 %", placement, variant)
        others = [many("100 %", placement, other) for other in INDIRECT]
        lower = all(ours[name] < other[name] for other in others for name in ("min_bytes", *POINTS[1:3], "q3_bytes"))
        apart, theirs = (one["q3_bytes"] - one["min_bytes"] for one in (ours, min(others, key=width)))
        text = f"{megabytes(apart)} from least to third quartile, {megabytes(theirs)}"
        cases.append((f"{placement}, {variant}", text, lower and apart < theirs))
    return finding("3.2.4 M2M near", "lower and nearer to each other than under indirect routing", cases)


def width(one: Six) -> float:
    """From the minimum to the third quartile."""
    return one["q3_bytes"] - one["min_bytes"]


def kept(study: str, name: str) -> dict[str, tuple[float, ...]]:
    """Numbers of each case of a claim, in MB where they are bytes."""
    claim = next(claim for claim in load(study).claims if claim.id == name)
    found = {}
    for case in claim.cases:
        units = {"GB": 1e3, "MB": 1.0, "kB": 1e-3, "": 1.0}
        parts = re.findall(r"(\d[\d.]*) ?(GB|MB|kB)?", case["got"])
        found[case["label"]] = tuple(float(number) * units[unit] for number, unit in parts)
    return found


def falling() -> Iterator[Found]:
    """M2M: the numbers fall from all cores to a third of them."""
    m2m = "linkload-full-m2m"
    whole = {variant: kept(m2m, f"J13 {variant}") for variant in ("SI", "AI", "AH")}
    part = {variant: kept(m2m, f"J15 {variant}") for variant in ("SD", "SI", "AD", "AI")}
    by_placement = kept(m2m, "3.2.4 M2M max")
    placements = ("placement RDN", "placement RDR")
    all_ = {("SD", p): by_placement["variant SD"][i] for i, p in enumerate(placements)}
    all_ |= {("AD", p): whole["SI"][p][0] for p in placements}
    all_ |= {(variant, p): numbers[p][1] for variant, numbers in whole.items() for p in numbers}
    third = {(variant, p): numbers[p][1] for variant, numbers in part.items() for p in placements}
    third |= {("AH", p): part["SD"][p][0] for p in placements}
    cases = []
    for (variant, placement), most in sorted(all_.items()):
        fell = third[variant, placement]
        label = f"{variant}, {placement.removeprefix('placement ')}"
        cases.append((label, f"{most:.4g} to {fell:.4g} MB", fell < most))
    yield finding("3.2.4 M2M falls", "a lower maximum on a third of the cores", cases)
    cases = []
    for placement, variant, name in product(PLACED, (*DIRECT, *INDIRECT), POINTS[1:]):
        numbers = [many(size, placement, variant)[name] for size in SIZES]
        text = ", ".join(megabytes(number) for number in numbers)
        good = all(then < now for now, then in pairwise(numbers))
        cases.append((f"{placement}, {variant}, {name.removesuffix('_bytes')}", text, good))
    yield finding("small 3.2.4 M2M falls", "lower from step to step", cases)


def direct() -> Iterator[Found]:
    """M2M on a part of the cores: the maximum of AD is below that of SI and AI."""
    ours = kept("linkload-full-m2m", "J15 AD")
    cases = []
    for variant in ("SI", "AI"):
        for placement, (_, most) in kept("linkload-full-m2m", f"J15 {variant}").items():
            mine = ours[placement][1]
            label = f"{placement.removeprefix('placement ')}, {variant}"
            cases.append((label, f"{mine:.4g} and {most:.4g} MB", mine < most))
    yield finding("3.2.4 M2M direct", "a lower maximum of AD on a third of the cores", cases)
    cases = []
    for size, placement, variant in product(("66 %", "33 %"), PLACED, ("SI", "AI")):
        mine, most = (many(size, placement, routing)["max_bytes"] for routing in ("AD", variant))
        cases.append((f"{size}, {placement}, {variant}", f"{megabytes(mine)} and {megabytes(most)}", mine < most))
    yield finding("small 3.2.4 M2M direct", "a lower maximum of AD", cases)


def alike() -> Iterator[Found]:
    """Spread: adaptive routing gives the distribution of static routing, but for the maximum."""
    cases = []
    spread = 'spread(bytes="512 KiB")'
    for static, adaptive in (("SD", "AD"), ("SI", "AI")):
        one, other = (six(spread, 28800, PLACED["RDN"], variant) for variant in (static, adaptive))
        ratios = {name: other[name] / one[name] for name in POINTS[1:5]}
        text = ", ".join(f"{name.removesuffix('_bytes')} {ratio:.3g}" for name, ratio in ratios.items())
        cases.append((f"{adaptive} over {static}", text, all(abs(ratio - 1) <= 0.1 for ratio in ratios.values())))
    yield finding("3.2.4 Spread alike", "quartiles, median and mean within a tenth", cases)


def skewed() -> Found:
    """4D Stencil: AH has the distribution of AI, with a mean a little farther above the median."""
    means, medians = (kept("linkload-full", f"X20 4D Stencil {name}") for name in ("mean", "median"))
    cases, ties = [], []
    for placement, (mean,) in means.items():
        more = mean / medians[placement][0]
        label = placement.removeprefix("placement ")
        cases.append((label, f"{more:.3f} times", more > 1))
        ties += [label] if more > 0.98 else []
    return finding("3.2.4 stencil skewed", "mean over median above that of AI", cases, ties=ties)


def less() -> Found:
    """X21: the mean of M2M falls less from RDN to RDG than that of 4D Stencil."""
    found = {}
    for study, name in (("linkload-full-m2m", "M2M"), ("linkload-full", "stencil")):
        found[name] = {
            variant: 100 * (1 - means[0] / means[3]) for variant, means in kept(study, f"3.2.4 {name} mean").items()
        }
    cases = [
        (
            variant.removeprefix("variant "),
            f"{fell:.3g} and {found['stencil'][variant]:.3g} %",
            0 < fell < found["stencil"][variant],
        )
        for variant, fell in found["M2M"].items()
    ]
    return finding("X21 less", "a smaller fall of the mean than of 4D Stencil", cases)


def drawn() -> Iterator[Found]:
    """UMesh with RDC and RDG: what steps beyond 50 change of the maximum of AI, and what other drawings of paths do."""
    cases = []
    mesh, tolerance = 'unstructured-mesh(bytes="512 KiB")', 0.001
    for placement in ("rdc", "rdg"):
        most = {
            (f, seed): six(mesh, 28800, f"{placement}(seed=1)", "AI", f, tolerance, seed)["max_bytes"]
            for f, seed in product((50, 100), SEEDS)
        }
        fifty = [most[50, seed] for seed in SEEDS]
        steps = [100 * (most[100, seed] / most[50, seed] - 1) for seed in SEEDS]
        drawings = 100 * (max(fifty) / min(fifty) - 1)
        text = f"{min(steps):.2g} to {max(steps):.2g} % by steps, {drawings:.2g} % between drawings"
        cases.append((placement.upper(), text, max(map(abs, steps)) <= max(2.0, drawings)))
    yield finding("small J06 drawings", "no more by steps than between drawings, or 2 %", cases)


def closer() -> Iterator[Found]:
    """X27 under AI and AH: quartiles, median and mean of workload 2 next to those of workload 1."""
    path = ROOT / "examples" / "linkload.toml"
    plugin.trust(path.parent)
    made: dict[tuple[str, str, str], Six] = {}
    for part, run in prepare(path).runs():
        asked = run.labels
        if part.spec.name != "workloads" or asked["jobs"] not in ("W1", "W2") or asked["variant"] not in ("AI", "AH"):
            continue
        if asked["placement"] not in ("RDN", "RDR", "RRN", "RRR"):
            continue
        names = ("network", "jobs", "placement", "variant")
        network, jobs, placement, variant = (str(run.calls[name]) for name in names)
        scenario = netloom.Scenario(
            network, jobs=jobs, cores=CORES, placement=placement, variant=variant, seed=int(str(asked["seed"]))
        )
        record = netloom.evaluate(scenario, "loads", increments=10, tolerance=0.01, hottest=0).record
        key = (str(asked["jobs"]), str(asked["placement"]), str(asked["variant"]))
        made[key] = {name: float(record[name]) for name in POINTS}
    for variant in ("AI", "AH"):
        quartiles, medians = [], []
        for placement in ("RDN", "RDR", "RRN", "RRR"):
            two, one = (made[jobs, placement, variant] for jobs in ("W2", "W1"))
            apart = [(six_["q3_bytes"] - six_["q1_bytes"]) / six_["mean_bytes"] for six_ in (two, one)]
            near_ = [abs(six_["median_bytes"] / six_["mean_bytes"] - 1) for six_ in (two, one)]
            quartiles.append((placement, f"{apart[0]:.3g} and {apart[1]:.3g}", apart[0] < apart[1]))
            medians.append((placement, f"{near_[0]:.3g} and {near_[1]:.3g}", near_[0] < near_[1]))
        yield finding(f"small X27 quartiles {variant}", "quartiles nearer than in workload 1", quartiles)
        yield finding(f"small X27 median {variant}", "median nearer to the mean than in workload 1", medians)
