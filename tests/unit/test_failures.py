"""Networks with cables and switches out of service, as Python sees them."""

import numpy as np
import pytest

import netloom
from netloom.base.errors import NetloomError


def codes(error: pytest.ExceptionInfo[NetloomError]) -> list[str]:
    return [fault.code for fault in error.value.faults]


def test_text_and_list_say_the_same() -> None:
    whole = netloom.network("dragonfly(a=4,p=2,h=2,g=9)")
    lines = ["switch:17", "link:0-1", "links:2%,seed=3"]
    damaged = whole.without(lines)
    assert damaged == whole.without("\n".join(lines))
    assert (damaged.switches, damaged.endpoints) == (whole.switches, whole.endpoints)
    assert whole.failed is None
    assert damaged.failed is not None
    assert damaged.failed["switches"] == [17]
    assert (0, 1) in damaged.failed["cables"]
    assert len(damaged.failed["cables"]) == whole.switch_links - damaged.switch_links
    assert damaged.label.startswith(whole.label)
    assert damaged.chassis is not None
    assert damaged.chassis.tolist() == [s // 4 for s in range(36)]


def test_routings_lead_round() -> None:
    whole = netloom.network("dragonfly(a=4,p=2,h=1,g=5)")
    before = whole.routing("group-minimal").paths(0, 4)
    crossing = next(
        (a, b) for a, b in zip(before[0]["switches"], before[0]["switches"][1:], strict=False) if a // 4 != b // 4
    )
    damaged = whole.without(f"link:{crossing[0]}-{crossing[1]}")
    after = damaged.routing("group-minimal").paths(0, 4)
    assert sum(path["fraction"] for path in after) == pytest.approx(1)
    for path in after:
        groups = [s // 4 for s in path["switches"]]
        assert len(set(groups)) == 3
        assert (path["switches"][0], path["switches"][-1]) == (0, 4)


def test_what_cannot_be_is_said() -> None:
    whole = netloom.network("torus(4,4)")
    with pytest.raises(NetloomError) as bad:
        whole.without(["switch:16", "link:0-5"])
    assert codes(bad) == ["NL-N014", "NL-N014"]
    dead = whole.without("switch:3")
    dead.require_in_service(np.array([0, 1], dtype=np.uint32))
    with pytest.raises(NetloomError) as lost:
        dead.require_in_service(np.array([2, 3], dtype=np.uint32))
    assert codes(lost) == ["NL-N003"]
    apart = whole.without(["link:0-1", "link:0-3", "link:0-4", "link:0-12"])
    with pytest.raises(NetloomError) as cut:
        apart.routing("minimal")
    assert codes(cut) == ["NL-N001"]
    assert "15 pairs" in str(cut.value)
    assert "link:0-1" in str(cut.value)


@pytest.mark.parametrize(("rung", "sharing"), [("time", "equal"), ("time", "rtt"), ("packet", "equal")])
def test_a_detour_gets_its_share_of_a_busy_nic(rung: str, sharing: str) -> None:
    """The leaf of a rail fails. The way round takes NVLink to a neighbour, whose NIC streams to the same node then:
    two equal flows, as packets have it too. Weights of 1 / latency leave 260 / (260 + 660) to 660 ns of detour."""
    nodes = netloom.network("rail_cluster(nodes=4,spine=absent)")
    job = {"network": nodes, "fail": "switch:36", "workload": "shift(k=1,bytes='8 MiB')", "ranks": 2, "mapping": [0, 8]}
    stream = [{"src": 2, "dst": 10, "bytes": "1 GiB"}]
    took = netloom.evaluate({**job, "background": stream, "calibration": "pure", "wire": {"sharing": sharing}}, rung)[
        "time_s"
    ]
    alone_s = (8 << 20) / 50e9
    factor = 2 if sharing == "equal" else 1 + 660 / 260
    assert took == pytest.approx(factor * alone_s + 660e-9, rel=1e-9 if rung == "time" else 1e-3)
