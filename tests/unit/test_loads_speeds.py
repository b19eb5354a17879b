"""Link loads where links differ in speed, in name, or not at all: times decide, and words follow them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import netloom
from netloom.base.errors import NetloomError
from netloom.evaluate.loads.columns import of_class
from netloom.evaluate.loads.ranking import rank

#: Global links eight times as slow as local ones.
SLOW = 'dragonfly(a=8,p=1,h=8,g=33,bandwidth="200 Gbps",global_bandwidth="25 Gbps")'


def test_times_of_every_class_are_bytes_over_bandwidth() -> None:
    net = netloom.network('dragonfly(a=4,p=2,h=1,g=5,bandwidth="10 Gbps",global_bandwidth="400 Gbps")')
    found = netloom.loads(net, netloom.Job("all-pairs(bytes=1000)", name="job", mapping=range(40)))
    times = found.link_bytes / net.link_bandwidth_bytes_per_s
    switch = len(net.tails)
    assert found.classes["all"]["max_s"] == pytest.approx(times[:switch].max())
    assert found.classes["all"]["mean_s"] == pytest.approx(times[:switch].mean())
    assert found.classes["injection"]["max_s"] == pytest.approx(times[switch : switch + 40].max())
    for number, row in enumerate(net.classes):
        own = times[:switch][net.class_index[:switch] == number]
        assert found.classes[str(row["name"])]["max_s"] == pytest.approx(own.max())
    # Global links carry most bytes, local ones take longest.
    assert found.classes["global"]["max_bytes"] > found.classes["local"]["max_bytes"]
    assert "the hottest are local links" in found.explain()[0] and "average time" in found.explain()[0]
    assert found.hottest[0]["class"] == "local"


def test_the_ranking_is_by_time() -> None:
    net = netloom.network(SLOW)
    results = {}
    for place, way in (("rdr", "SD"), ("rdn", "AH")):
        job = netloom.Job('spread(bytes="64 KiB")', name="job", mapping=netloom.place(net, 264, place))
        results[f"{place} {way}"] = netloom.loads(net, job, variant=way)
    rows = rank(results)
    first, last = rows
    assert first["name"] == "rdn AH" and first["max_bytes"] > last["max_bytes"] and first["max_s"] < last["max_s"]
    assert last["ratio"] == pytest.approx(last["max_s"] / first["max_s"])
    assert first["held_by"] == "global" and "µs on a global link" in first["reason"]
    # Rows without times, as of older tables, are ranked by bytes.
    bytes_only = {
        name: {c: {k: v for k, v in row.items() if not k.endswith("_s")} for c, row in found.classes.items()}
        for name, found in results.items()
    }
    assert rank(bytes_only)[0]["name"] == "rdr SD"


def test_level_classes_are_not_told_apart_by_rounding() -> None:
    found = netloom.loads("torus(4,4)", netloom.Job("all-pairs(bytes=1000)", name="job", mapping=range(16)))
    assert found.explain()[0].endswith("at most 8 kB, 8 kB on average. All carry the same.")
    cube = netloom.Job("all-pairs(bytes=1000)", name="job", mapping=range(8))
    rows = rank({way: netloom.loads("hypercube(3)", cube, variant=way) for way in ("SD", "SI")})
    assert "the best is limited" not in rows[1]["reason"]


GRAPHML = """<graphml><key id="c" for="edge" attr.name="class" attr.type="string"/>
<key id="b" for="edge" attr.name="bandwidth" attr.type="string"/>
<graph edgedefault="undirected"><node id="A"/><node id="B"/><node id="C"/>
<edge source="A" target="B"><data key="c">{first}</data><data key="b">10 Gbps</data></edge>
<edge source="B" target="C"><data key="c">{second}</data><data key="b">40 Gbps</data></edge></graph></graphml>"""


def graphml(folder: Path, first: str, second: str) -> Path:
    path = folder / "three.graphml"
    path.write_text(GRAPHML.format(first=first, second=second))
    return path


@pytest.mark.parametrize("name", ["all", "injection", "ejection"])
def test_no_class_of_a_file_takes_a_name_of_the_answers(tmp_path: Path, name: str) -> None:
    with pytest.raises(NetloomError, match=f'NL-N002.*no class of links can be called "{name}"'):
        netloom.network(graphml(tmp_path, "copper", name))


def test_links_of_one_class_may_differ_in_speed(tmp_path: Path) -> None:
    net = netloom.network(graphml(tmp_path, "copper", "copper"))
    found = netloom.loads(net, netloom.Job("all-pairs(bytes=1000)", name="job", mapping=range(3)))
    row = found.classes["copper"]
    assert row["links"] == 4 and row["total_bytes"] == found.classes["all"]["total_bytes"] == 8000
    assert of_class(found.network, found.link_bytes, "copper").tolist() == [2000.0] * 4
    assert row["max_s"] == pytest.approx(2000 / 1.25e9) and row["mean_s"] == pytest.approx(
        (2 + 0.5) * 1000 / 1.25e9 / 2
    )


def test_links_are_named_as_the_user_names_them(tmp_path: Path) -> None:
    path = tmp_path / "topology.conf"
    path.write_text("SwitchName=leaf1 Nodes=n[1-2]\nSwitchName=leaf2 Nodes=n[3-4]\nSwitchName=top Switches=leaf[1-2]\n")
    said = netloom.loads(path, netloom.Job("all-pairs(bytes=1000)", name="job", mapping=range(4))).explain()
    assert any(line.startswith("The link from switch leaf1 to top carries") for line in said), said


def test_endpoints_out_of_service_have_no_links() -> None:
    net = netloom.network("torus(4,4,p=2)").without("switch:10")
    found = netloom.loads(net, netloom.Job("all-pairs(bytes=10)", name="job", mapping=[0, 1, 2, 3]))
    assert (found.classes["injection"]["links"], len(of_class(found.network, found.link_bytes, "ejection"))) == (30, 30)
    assert len(found.link_bytes) == len(net.tails) + 64


@pytest.mark.parametrize(
    ("call", "routing"),
    [
        ("torus(8,8,4)", "dimension-ordered(tie=split)"),
        ("torus(7,7,3)", "minimal"),
        ("ring(600)", "dimension-ordered(tie=split)"),
        ("mesh(8,8)", "minimal"),
        ("hypercube(6)", "minimal"),
        ("hypercube(7)", "dimension-ordered(tie=split)"),
        ("hyperx(5,5,5)", "minimal"),
        ("dragonfly(a=4,p=2,h=2,g=9)", "group-minimal"),
    ],
)
def test_the_default_routing_takes_every_network(call: str, routing: str) -> None:
    net = netloom.network(call)
    assert net.default_routing == routing
    far = netloom.Job("opposite" if call == "ring(600)" else "all-pairs", name="job", mapping=range(net.endpoints))
    assert netloom.loads(net, far, hottest=0).switch_bytes > 0


def test_collectives_have_the_size_of_the_call_or_their_own() -> None:
    def sent(**own: Any) -> int:
        return netloom.loads(
            "torus(4,4)", netloom.Job("allreduce:ring", name="job", mapping=range(16), **own), size_bytes=1600
        ).bytes_sent

    assert (sent(), sent(size_bytes=16), sent(size_bytes=0)) == (2 * 15 * 1600, 2 * 15 * 16, 0)


@pytest.mark.parametrize(
    ("jobs", "words"),
    [
        (None, "NL-H004 workload: nothing is sent"),
        (["x"], "jobs: job 1 must be a table, got str"),
        (netloom.Job("uniform", name="a", mapping=range(4), variant=7), "job 1.variant must be text, got 7"),  # type: ignore[arg-type]
        (netloom.Job("uniform", name="a", mapping=range(4), routing=7), "job 1.routing must be text, got 7"),  # type: ignore[arg-type]
        (netloom.Job("uniform", name="a", mapping=[0, 1, 2, -1]), "must be endpoint numbers >= 0, got -1"),
        (netloom.Job("stencil(3,3)", name="a", mapping=range(4)), 'job "a".workload: ranks of stencil'),
        (netloom.Job("unifrom", name="a", mapping=range(4)), 'job "a".workload: .*unifrom'),
    ],
)
def test_bad_jobs_are_refused_by_name(jobs: Any, words: str) -> None:
    with pytest.raises(NetloomError, match=words):
        netloom.loads("ring(4)", jobs)


def test_too_many_ranks_are_refused_before_they_are_listed() -> None:
    job = netloom.PlacedJob("huge", np.arange(4, dtype=np.uint32), 1 << 28, 1 << 30, "uniform")
    with pytest.raises(NetloomError, match='NL-J004 job "huge" must be at most 16777216 ranks'):
        netloom.loads("ring(4)", job)
