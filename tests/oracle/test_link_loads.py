"""Bytes that the flow engine carries over every link, beside what the link-load model expects there."""

import numpy as np
import pytest

import netloom
from netloom.compare.models import compare_models

CASES = [
    ("torus(4,4)", "alltoall:pairwise", "single-minimal"),
    ("dragonfly(a=4,p=2,h=2)", "allreduce:ring", "single-minimal"),
    ("dragonfly(a=4,p=2,h=2)", "stencil(8,9,bytes=4096)", "group-minimal"),
    ("fat_tree(radix=4,levels=3)", "alltoall:bruck", "d-mod-k"),
    ("hyperx(3,3,p=2)", "permutation(bytes=100000)", "dimension-ordered"),
]


@pytest.mark.parametrize(("network", "work", "routing"), CASES)
def test_flows_carry_what_the_model_expects(network: str, work: str, routing: str) -> None:
    net = netloom.network(network)
    places = np.arange(net.endpoints)
    size = 1 << 14 if ":" in work else 1
    load = netloom.workload(work, net.endpoints, size_bytes=size)
    loads = netloom.loads(net, netloom.Job(load, name="job", mapping=places, routing=routing), hottest=0)
    jobs = [netloom.Job(load, mapping=places)]
    run = netloom.simulate(net, jobs=jobs, routing=routing, calibration="pure", trace=True)
    bins = run["trace"]["link_bins"]
    carried = np.zeros(net.switch_links * 2 + 2 * net.endpoints)
    carried[bins["links"]] = np.asarray(bins["bytes"]).reshape(len(bins["links"]), -1).sum(axis=1)
    expected = loads.link_bytes
    assert expected[: net.switch_links * 2].any()
    np.testing.assert_allclose(carried, expected, rtol=1e-9, atol=1e-3)


@pytest.mark.parametrize(("routing", "several"), [("dimension-ordered", False), ("minimal", True)])
def test_headers_are_no_other_paths(routing: str, several: bool) -> None:
    """By default bytes on links have headers, all alike: only where there are several paths do packets take others."""
    said = compare_models(
        netloom.Scenario("torus(4,4)", workload="alltoall:pairwise", size_bytes=65536, routing=routing)
    )
    assert 0.04 < said["rungs"][1]["apart"] < 0.05
    assert any("takes all paths" in line for line in said["says"]) == several
    assert "costs of software" in said["says"][-1]
