"""Bytes that the flow engine carries over every link, beside what the link-load model expects there."""

import numpy as np
import pytest

import netloom

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
