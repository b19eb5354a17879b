"""`fast` of packets: a part of a run stands for the whole, within an error that the answer states."""

from __future__ import annotations

import random
from typing import Any

import pytest

from netloom import NetloomError, Scenario, evaluate
from netloom.evaluate import Answer

SWITCH = "output-queued(packet_bytes=64,buffer_bytes=256{more})"
#: A packet takes 512 ns on a link, ten times as long as the latency of one.
LINKS = 'bandwidth="1 Gbps",latency="50 ns"'


def asked(network: str, workload: str, fast: bool = True, more: str = "", **given: Any) -> Answer:
    options = {name: given.pop(name) for name in ("threads", "trace", "details", "stop_after_s") if name in given}
    scenario = Scenario(network, workload=workload, **({"calibration": "pure"} | given))
    return evaluate(scenario, "packet", switch=SWITCH.format(more=more), fast=fast, **options)


def both(network: str, workload: str, more: str = "", **given: Any) -> tuple[dict[str, Any], float]:
    """The record of a fast run, and the time of the whole."""
    part = asked(network, workload, more=more, **given).record
    whole = asked(network, workload, fast=False, more=more, **given).record
    assert all(whole[f"fast_{name}"] is None for name in ("over", "share", "error", "error_s", "packets"))
    assert [part[name] for name in ("messages", "total_bytes")] == [whole[name] for name in ("messages", "total_bytes")]
    return dict(part), float(str(whole["time_s"]))


def test_one_long_message_takes_its_bytes_over_its_bandwidth() -> None:
    part, whole = both(f"star(2,{LINKS})", "shift(k=1,bytes=640000)")
    # By way of the hub: four links.
    alone = 640000 / 125e6 + 4 * 50e-9
    assert part["time_s"] == pytest.approx(alone, rel=1e-9) and whole == pytest.approx(alone, rel=1e-9)
    assert part["fast_over"] == "bytes" and part["fast_packets"] == 10_000
    assert part["fast_share"] == pytest.approx(7 * 71 / 10_000)
    assert 0 < part["fast_error"] < 0.05


@pytest.mark.parametrize("collective", ["gather:linear", "allreduce:ring"])
def test_collectives_without_contention_are_exact(collective: str) -> None:
    part, whole = both(f"star(9,{LINKS})", collective, size_bytes=9 * 64 * 500)
    assert part["time_s"] == pytest.approx(whole, rel=1e-6)
    assert part["fast_share"] < 0.26


def test_costs_of_software_grow_with_bytes_as_links_do() -> None:
    # The ranks of an endpoint are bound by their own rate, by what they compute and copy, and by their links in turn.
    costs = {
        "rank_cap": [[0, 2e8]], "send_overhead": [[0, 1e-6, 1e-9]], "copy_s_per_byte": [[0, 2e-9]],
        "message_latency": [[0, 1e-6, 4e-9]],
    }  # fmt: skip
    for cores in (1, 4):
        given = {"size_bytes": 64 * 600, "cores": cores, "ranks": 4 * cores, "software": costs}
        part, whole = both(f"star(4,{LINKS})", "alltoall:pairwise", **given)
        assert part["fast_over"] == "bytes"
        assert part["time_s"] == pytest.approx(whole, abs=part["fast_error_s"]) and part["fast_error"] < 0.2


def test_of_many_repetitions_some_are_done() -> None:
    given: dict[str, Any] = {"size_bytes": 4096, "repetitions": 1400}
    part, whole = both(f"torus(4,4,{LINKS})", "allreduce:ring", **given)
    assert part["fast_over"] == "repetitions" and part["fast_share"] == pytest.approx(0.05)
    # Ranks drift apart a little in the first repetitions.
    assert abs(part["time_s"] - whole) <= part["fast_error_s"] and part["fast_error"] < 0.01
    assert part["repetition_s"] == part["time_s"] / 1400


DRAWN = 64


def drawn(seed: int) -> tuple[str, str, str, dict[str, Any]]:
    """A network, a workload, more of the switch, and the rest of a scenario."""
    draw = random.Random(seed)
    network, routing, variants, ranks = draw.choice(
        [
            (f"torus(4,4,{LINKS})", "minimal", ("static-direct", "adaptive-direct"), 16),
            (f"torus(3,3,3,{LINKS})", "dimension-ordered(tie=split)", ("static-direct",), 27),
            (f"xgft(m=[4,4],w=[1,2],{LINKS})", "minimal", ("static-direct", "adaptive-direct"), 16),
            (f"dragonfly(a=2,p=2,h=2,g=5,{LINKS})", "group-minimal", ("static-direct", "adaptive-hybrid"), 20),
        ]
    )
    cores, size = draw.choice((1, 2)), 64 * draw.choice((300, 700))
    workload = draw.choice(
        [
            f"permutation(seed={seed + 1},bytes={size})", f"spread(least=2,most=4,seed={seed + 1},bytes={size})",
            f"stencil({ranks},{cores},bytes={size})", "alltoall:pairwise", "allreduce:ring",
        ]
    )  # fmt: skip
    given = {"routing": routing, "variant": draw.choice(variants), "cores": cores, "ranks": ranks * cores}
    if ":" in workload:
        given |= {"ranks": 8, "cores": 1, "size_bytes": size * (8 if workload.startswith("allreduce") else 1)}
    return network, workload, draw.choice(("", ",injection=fcfs")), given


def test_the_time_of_the_whole_lies_within_the_error_but_for_one_in_sixteen() -> None:
    beyond = []
    for seed in range(DRAWN):
        network, workload, more, given = drawn(seed)
        part, whole = both(network, workload, more, **given)
        assert part["fast_over"] == "bytes" and part["fast_share"] < 0.26
        assert part["fast_error"] == pytest.approx(part["fast_error_s"] / part["time_s"])
        beyond.append((abs(part["time_s"] - whole) - 1e-9 * whole) / part["fast_error_s"])
    # The error is an estimate: what only a longer part shows is not in it.
    assert 16 * sum(one > 1 for one in beyond) <= DRAWN and max(beyond) < 2, beyond


def test_any_number_of_threads_gives_the_same_bytes() -> None:
    network, workload, more, given = drawn(3)
    one, two = (asked(network, workload, more=more, threads=threads, **given) for threads in (1, 2))
    assert one.record == two.record and one.tables == two.tables
    assert [float(end) for end in one["finish_s"]] == [float(end) for end in two["finish_s"]]


def test_ranks_end_no_later_than_the_run() -> None:
    network, workload, more, given = drawn(5)
    found = asked(network, workload, more=more, **given)
    ends = [float(end) for end in found["finish_s"]]
    assert max(ends) == found["time_s"] and min(ends) > 0
    assert found["mean_bytes"] is None and found.tables["classes"] == []


def test_several_jobs_begin_as_much_sooner() -> None:
    jobs = [
        {"workload": "shift(k=1,bytes=64000)", "ranks": 4},
        {"workload": "shift(k=1,bytes=64000)", "ranks": 4, "start": 1e-3},
    ]
    scenario = {"jobs": jobs, "calibration": "pure"}
    made = [
        evaluate(Scenario(f"star(8,{LINKS})", **scenario), "packet", switch=SWITCH.format(more=""), fast=fast)
        for fast in (False, True)
    ]
    whole, part = (float(str(one["time_s"])) for one in made)
    assert part == pytest.approx(whole, rel=1e-6) and whole == pytest.approx(1e-3 + 512e-6, rel=1e-2)


def test_where_messages_are_short_nothing_is_skipped_and_a_note_says_so() -> None:
    given: dict[str, Any] = {"network": f"torus(4,4,{LINKS})", "workload": "shift(k=3,bytes=8000)"}
    part, whole = asked(**given), asked(**given, fast=False)
    own = {
        "fast_over": None, "fast_share": 1.0, "fast_error": 0.0, "fast_error_s": 0.0,
        "fast_packets": 125, "fast_ranks": 16,
    }  # fmt: skip
    assert part.record == {**whole.record, **own} and part.tables == whole.tables
    assert any("nothing is skipped" in line and "125 packets" in line for line in part.explain())
    assert not any("skipped" in line for line in whole.explain())


def test_the_answer_says_how_far_it_may_be_off() -> None:
    said = asked(f"star(4,{LINKS})", "shift(k=1,bytes=640000)").explain()
    assert any(line.startswith("Extrapolated from 4.97 % of the packets") for line in said)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"trace": True}, "no record of messages and ranks"),
        ({"details": True}, "no details of packets"),
        ({"stop_after_s": 100.0}, "no answer before the last"),
        ({"background": [{"src": 0, "dst": 1}]}, "background flows go on"),
    ],
)
def test_what_a_part_cannot_tell_is_refused(more: dict[str, Any], words: str) -> None:
    with pytest.raises(NetloomError, match=words) as error:
        asked(f"star(4,{LINKS})", "shift(k=1,bytes=64000)", **more)
    assert [fault.place for fault in error.value.faults] == ["packet.fast"]


@pytest.mark.parametrize("option", ["histogram", "link_counts", "features", "counts"])
def test_what_links_carry_is_refused(option: str) -> None:
    scenario = Scenario(f"star(4,{LINKS})", workload="shift(k=1,bytes=64000)")
    with pytest.raises(NetloomError, match=r"simulates a part of the run|several runs"):
        evaluate(scenario, "packet", fast=True, **{option: True})  # type: ignore[call-overload]


def test_only_output_queued_switches_are_simulated_in_part() -> None:
    scenario = Scenario("star(4)", workload="shift(k=1,bytes=64000)", calibration="pure")
    with pytest.raises(NetloomError, match="output-queued"):
        evaluate(scenario, "packet", fast=True, switch="input-queued")
