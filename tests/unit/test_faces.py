"""Networks, scenarios, answers and mappings as a notebook shows them, and on their way to other libraries."""

from __future__ import annotations

from pathlib import Path

import networkx
import numpy as np
import pandas
import pyarrow
import pytest

import netloom
from netloom.evaluate.drawn import PICTURES

HOSTILE = "<script>alert(1)</script>"


def found() -> netloom.Mapping:
    return netloom.map_ranks(
        "torus(4,4)", workload="stencil(4,8)", ranks=32, cores=2, order="random(seed=1)",
        objective="hops", optimiser="two-opt(swaps=3000,seed=1)",
    )  # fmt: skip


def test_short_forms() -> None:
    net = netloom.torus(4, 4)
    assert repr(net) == "<Network torus(4,4): 16 switches, 16 endpoints>"
    scenario = netloom.Scenario(net, mapping=np.arange(64), workload="allreduce:ring")
    assert repr(scenario) == f"Scenario(network={net!r}, mapping=<ndarray of 64>, workload='allreduce:ring')"
    assert repr(found()).startswith("<Mapping of 32 ranks on torus(4,4), hops: ") and "% less>" in repr(found())
    assert len(repr(netloom.Scenario("ring(4)", placement="x" * 500))) < 200


def test_html_names_the_facts_and_escapes_what_comes_from_outside() -> None:
    graph = networkx.path_graph(3)
    graph.graph["name"] = HOSTILE
    net = netloom.Network.from_networkx(graph)
    mapped = netloom.map_ranks(
        net, workload="broadcast:linear", ranks=3, objective="hops", optimiser="two-opt(swaps=10)"
    )
    for shown in (net, netloom.Scenario(net, workload=HOSTILE), mapped):
        page = shown._repr_html_()
        assert "<script>" not in page and "&lt;script&gt;" in page, page
    assert ">switches<" in net._repr_html_() and ">workload<" in netloom.Scenario(workload="x")._repr_html_()


def test_a_mapping_is_what_its_keys_say() -> None:
    mapped = found()
    assert mapped["value"] == mapped.value < mapped["start_value"] and mapped["bound"] is not None
    assert list(mapped) == [
        *("mapping", "seats", "value", "start_value", "bound", "evaluations", "accepted", "trace"),
        *("method", "decided_by"),
    ]
    assert dict(mapped)["method"] == mapped.method and len(mapped) == 10
    assert np.array_equal(np.asarray(mapped), mapped.mapping)
    with pytest.raises(KeyError):
        mapped["network"]


def test_a_mapping_writes_the_file_that_reads_back(tmp_path: Path) -> None:
    mapped = found()
    (path,) = mapped.write(tmp_path / "ranks.csv")
    slots = netloom.read(path, "mapping", network="torus(4,4)", cores=2)
    assert mapped.seats is not None
    assert slots.tolist() == (mapped.mapping * 2 + mapped.seats).tolist()


def test_tables_go_to_arrow_and_pandas() -> None:
    mapped = found()
    table = pyarrow.table(mapped)
    assert table.column_names == ["rank", "endpoint", "seat", "switch"] and table.num_rows == 32
    assert table["endpoint"].to_pylist() == mapped.mapping.tolist()
    loads = netloom.loads("torus(4,4)", workload="alltoall:pairwise")
    assert pyarrow.table(loads).to_pylist() == [loads.record]
    frame = loads.to_pandas("hottest")
    assert isinstance(frame, pandas.DataFrame) and frame["bytes"].tolist() == [
        row["bytes"] for row in loads.tables["hottest"]
    ]
    assert pandas.DataFrame.from_arrow(loads).shape[0] == 1
    timing = netloom.time_collective("ring(4)", "allreduce", sizes="1KiB:2KiB", algorithms=["allreduce:ring"])
    assert timing.to_pandas()["size_bytes"].tolist() == [1024, 2048]
    assert len(pyarrow.table(timing.table)) == 2
    with pytest.raises(netloom.NetloomError, match="NL-A002"):
        mapped.to_pandas("hottest")


@pytest.mark.parametrize("call", ["torus(3,4)", "dragonfly(a=2,p=1,h=1,g=3)", "fat_tree(radix=4,levels=3)"])
def test_networks_go_to_networkx_and_back(call: str) -> None:
    net = netloom.network(call)
    graph = net.to_networkx()
    assert isinstance(graph, networkx.MultiGraph) and len(graph) == net.switches + net.endpoints
    switches = graph.subgraph(node for node, kind in graph.nodes(data="kind") if kind == "switch")
    assert networkx.diameter(switches) == netloom.describe(net, bisection=False)["diameter"]
    back = netloom.Network.from_networkx(graph)
    assert np.array_equal(back.heads, net.heads) and np.array_equal(back.offsets, net.offsets)
    assert np.array_equal(back.endpoint_switch, net.endpoint_switch) and sorted(map(str, back.classes)) == sorted(
        map(str, net.classes)
    )


def test_other_peoples_graphs() -> None:
    peterson = netloom.Network.from_networkx(networkx.petersen_graph())
    assert (peterson.switches, peterson.endpoints, peterson.label) == (10, 10, "Petersen Graph")
    grid = netloom.Network.from_networkx(networkx.grid_2d_graph(3, 3))
    assert netloom.describe(grid)["diameter"] == 4
    weighted = networkx.Graph()
    weighted.add_edge("a", "b", bandwidth=np.float64(1e9), latency="2 us")
    assert netloom.Network.from_networkx(weighted).classes[0]["bandwidth_bytes_per_s"] == 1e9
    odd = networkx.Graph()
    odd.add_edge("a", "b", bandwidth=object())
    for graph in (3, None, odd, networkx.Graph(), networkx.DiGraph([(0, 1)])):
        with pytest.raises(netloom.NetloomError, match="NL-"):
            netloom.Network.from_networkx(graph)  # type: ignore[arg-type]


def test_every_picture_is_drawn_or_refused_with_its_reason() -> None:
    ring = netloom.Scenario("dragonfly(a=2,p=1,h=1,g=3)", ranks=6, workload="allreduce:ring", size_bytes="1 MiB")
    more = {
        "time": {"trace": True},
        "packet": {"trace": True},
        "throughput": {"saturation": False, "loads": "0.2", "occupancy": 16},
    }
    own = {"metrics": ring.only("network"), "throughput": ring.only("network").but(workload="uniform")}
    refused = []
    for evaluator, kinds in PICTURES.items():
        answer = netloom.evaluate(own.get(evaluator, ring), evaluator, **more.get(evaluator, {}))
        for kind in kinds:
            try:
                axes = answer.draw(kind)
            except netloom.NetloomError as error:
                refused.append(f"{evaluator} {kind}: {error.faults[0].code}")
            else:
                assert axes.figure is not None and axes.figure.axes[0] is axes
        assert answer.draw().figure is not None
    assert refused == ["loads slices: NL-X105", "loads minimaps: NL-X105", "loads jobs: NL-X105"]
    for call, kind in (("cost", None), ("hops", "timeline"), ("time", "timeline")):
        answer = netloom.evaluate(ring.only("network") if call == "cost" else ring, call)
        with pytest.raises(netloom.NetloomError, match=r"NL-(A002|X105)"):
            answer.draw(kind)


def test_networks_and_mappings_draw() -> None:
    for call in ("torus(3,3)", "fat_tree(radix=4,levels=3)", "torus(20,20)"):
        axes = netloom.network(call).draw()
        assert axes.get_title() == call
    assert netloom.torus(3, 3).draw("matrix").get_xlabel() == "switch"
    assert netloom.torus(3, 3).draw(layout="circle").figure.axes
    with pytest.raises(netloom.NetloomError, match="NL-X102"):
        netloom.torus(3, 3).draw("pie")  # type: ignore[arg-type]
    axes = found().draw()
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("rank", "endpoint")


def test_pyplot_shows_what_is_drawn_where_it_is_loaded() -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    before = set(pyplot.get_fignums())
    axes = netloom.torus(3, 3).draw()
    (number,) = set(pyplot.get_fignums()) - before
    assert pyplot.figure(number) is axes.figure
    pyplot.close(axes.figure)
