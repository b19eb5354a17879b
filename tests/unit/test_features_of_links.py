"""Features of Jain 2016, table 4.2, from what was counted on each link: the same by NumPy and SciPy alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import rankdata

import netloom
from netloom.evaluate.features import FEATURES

CASES = [
    ("torus(4,4)", 'stencil(4,4,bytes="64 KiB")', "dimension-ordered"),
    ("torus(3,5)", 'uniform(messages=300,bytes="20 KiB",seed=4)', "dimension-ordered"),
    ("random_regular(20,degree=4,seed=2)", 'uniform(messages=300,bytes="33 KiB",seed=1)', "single-minimal"),
]


def spread(counted: np.ndarray[tuple[int], np.dtype[np.float64]], name: str) -> dict[str, float]:
    """Mean, most, mean and number of those above the mean, both means of top outliers."""
    mean, most = float(counted.mean()), float(counted.max())
    above = counted[counted > mean * (1 + 1e-12)]
    # The 5 % of links with most, by rank from above; ties share no place.
    top = counted[rankdata(-counted, method="ordinal") <= np.ceil(0.05 * len(counted))]
    near = counted[counted >= 0.95 * most]
    return {
        f"{name}_mean": mean,
        f"{name}_max": most,
        f"{name}_ao_mean": float(above.mean()) if len(above) else 0.0,
        f"{name}_ao_links": float(len(above)),
        f"{name}_to_mean": float(top.mean()),
        f"{name}_near_mean": float(near.mean()),
    }


@pytest.mark.parametrize(("network", "workload", "routing"), CASES)
def test_features_are_those_of_the_counted_links(network: str, workload: str, routing: str) -> None:
    scenario = {
        "network": network, "workload": workload, "routing": routing, "calibration": "pure", "order": "random(seed=2)",
    }  # fmt: skip
    found = netloom.evaluate(
        scenario, "packet", features=True, link_counts=True, switch="output-queued(packet_bytes=4096)"
    )
    rows = found.tables["link_counts"][: 2 * netloom.network(network).switch_links]
    of = {name: np.array([row[name] for row in rows], dtype=float) for name in ("chunks", "packets", "stalls")}
    expected = spread(32 * of["chunks"], "bytes") | spread(of["stalls"], "stalls")
    # A link without packets has no stalls either.
    expected |= spread(of["stalls"] / np.maximum(of["packets"], 1), "stallsp")
    assert of["stalls"].sum() > 0
    assert {name: found[name] for name in FEATURES if name in expected} == pytest.approx(expected, rel=1e-12)
    counted = {name for name in FEATURES if name.partition("_")[0] in ("bytes", "stalls", "stallsp")}
    assert counted == set(expected)


def test_counts_of_links_stand_without_features() -> None:
    """And what is counted is what was sent over each link."""
    scenario = {"network": "ring(4)", "workload": 'shift(k=1,bytes="10 KiB")', "calibration": "pure"}
    found = netloom.evaluate(scenario, "packet", link_counts=True, switch="output-queued(packet_bytes=4096)")
    assert found["bytes_max"] is None
    used = [row for row in found.tables["link_counts"] if row["packets"]]
    # One link between switches, one of injection and one of ejection for each of four messages.
    assert len(used) == 12
    assert {(row["bytes"], row["packets"]) for row in used} == {(10240.0, 3.0)}
    assert {row["chunks"] for row in used} == {320.0}
