"""In which order messages that start together begin: over one ideal switch nothing is lost by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from netloom import Scenario, evaluate

BYTES = 1024
SWITCH = f"output-queued(packet_bytes={BYTES})"
#: Bytes per second of an endpoint, and seconds of the two links of a message.
RATE, LATENCY_S = 12.5e9, 200e-9


def star(endpoints: int) -> str:
    return f'complete(1,p={endpoints},endpoint_bandwidth="12.5 GBps",endpoint_latency="100 ns")'


def by_packets(scenario: Scenario) -> float:
    return float(str(evaluate(scenario, "packet", switch=SWITCH)["time_s"]))


def pure(workload: str, ranks: int, **more: object) -> Scenario:
    given = {"network": star(ranks), "ranks": ranks, "calibration": "pure"} | more
    return Scenario(workload=workload, **given)  # type: ignore[arg-type]


def takes(messages: int) -> float:
    """Seconds of so many messages that an endpoint sends one after another, none of which waits elsewhere."""
    return LATENCY_S + messages * BYTES / RATE


@pytest.mark.parametrize("first", ["sends", "receives", "each in turn"])
def test_it_does_not_matter_whether_sends_or_receives_are_posted_first(first: str, tmp_path: Path) -> None:
    ranks = 16
    lines = [f"{rank} init" for rank in range(ranks)]
    for rank in range(ranks):
        sends = [f"{rank} isend {(rank + k) % ranks} 0 {BYTES} 6" for k in range(1, ranks)]
        receives = [f"{rank} irecv {other} 0 {BYTES} 6" for other in range(ranks) if other != rank]
        both = [line for pair in zip(receives, sends, strict=True) for line in pair]
        lines += {"sends": sends + receives, "receives": receives + sends, "each in turn": both}[first]
        lines += [f"{rank} waitall {2 * ranks - 2}", f"{rank} finalize"]
    (tmp_path / "a.trace").write_text("\n".join(lines) + "\n")
    scenario = pure(f'trace("{tmp_path / "a.trace"}")', ranks)
    assert by_packets(scenario) == pytest.approx(takes(ranks - 1), rel=1e-6)


@pytest.mark.parametrize(
    ("workload", "messages"),
    [("all-pairs", 63), ("stencil(4,4,4,{})", 6), ("stencil-corners(4,4,4,{})", 14), ("wave-front(8,8,{})", 4)],
)
def test_patterns_take_what_an_endpoint_needs_to_send(workload: str, messages: int) -> None:
    size = f"bytes={BYTES}"
    call = workload.format(size) if "{}" in workload else f"{workload}({size})"
    assert by_packets(pure(call, 64)) == pytest.approx(takes(messages), rel=1e-6)


def test_an_fft_by_messages_takes_as_long_as_by_alltoall() -> None:
    call = "fft3d(n=[64,64,64],decomposition=[8,8],d3=grid,exchange={})"
    times = [
        by_packets(pure(call.format(exchange), 64, software={"flops_per_s": 1e18}))
        for exchange in ("messages", "alltoall")
    ]
    assert times[0] == pytest.approx(times[1], rel=1e-6)


def test_jobs_on_the_same_endpoints_take_turns() -> None:
    """Each endpoint has a rank of both jobs; alone a job takes 15 messages, together both need about 30."""
    work = {"workload": f"all-pairs(bytes={BYTES})", "ranks": 16}
    jobs = [work | {"mapping": list(range(16))}, work | {"mapping": list(range(15, -1, -1))}]
    found = evaluate(Scenario(star(16), jobs=jobs, calibration="pure"), "packet", switch=SWITCH)
    first, second = (float(job["time_s"]) for job in found.tables["jobs"])
    assert takes(28) < first <= second == pytest.approx(takes(30), rel=1e-6)


@pytest.mark.parametrize("ranks_a_node", [2, 8])
def test_ranks_of_an_endpoint_take_turns(ranks_a_node: int) -> None:
    """Next to flows, which share every link all the time; in 24 drawn orders at most 8 % are lost."""
    for seed in range(4):
        for call in ("many-to-many(8,8,axis=1,{})", "stencil(4,4,4,{})", "all-pairs({})"):
            scenario = pure(
                call.format(f"bytes={BYTES}"), 64, network=star(64 // ranks_a_node), cores=ranks_a_node,
                order=f"random(seed={seed})",
            )  # fmt: skip
            flows = float(str(evaluate(scenario, "time")["time_s"]))
            assert flows * (1 - 1e-6) <= by_packets(scenario) <= 1.08 * flows


@pytest.mark.parametrize("model", ["hops", "time", "packet"])
def test_a_line_without_messages_and_bytes_sends_nothing(model: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("src,dst,bytes,messages\n0,1,0,0\n1,0,8,1\n")
    found = evaluate(Scenario(star(2), ranks=2, workload=str(tmp_path / "t.csv")), model)
    assert found["messages"] == 1
