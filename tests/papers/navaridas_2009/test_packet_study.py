"""The packet study of Navaridas 2009: what is kept is whole and of this engine, and its findings are what they seem."""

from __future__ import annotations

from dataclasses import replace

from netloom.base.ahead import announced

from ..findings import Found, load
from ..measured import measure
from . import packets
from .packet_runs import TASKS, lines, phi, sizes, times


def found() -> dict[str, Found]:
    return {claim.id: claim for claim in measure("packet_study").claims}


def test_the_study_is_whole_and_of_this_engine() -> None:
    """All runs are there; those of the smallest trees give the same cycles again."""
    kept = times()
    assert {(n, w, t) for t, n in kept for w in kept[t, n]} == set(packets.runs(list(TASKS)))
    for family in (packets.same_size, packets.same_radix):
        assert sizes("once", family) == list(TASKS)
        assert {64, 512} <= set(sizes("again", family))
    for choice in packets.CHOICES:
        for network in ("thin_tree(8,1,2)", "thin_tree(8,5,2)", "thin_tree(11,1,2)"):
            for load_ in ("BU", "M3", "WF"):
                ran = packets.cycles(network, load_, 64, switch=packets.switch(choice))
                assert round(ran) == times(choice)[64, network][load_]
    # A point of half a minute, by estimate.
    with announced():
        row = lines("curves.jsonl")[0]
        assert packets.curve(str(row["net"]), int(row["vc"]), float(row["load"])) == row


def test_the_page_has_what_the_runs_give() -> None:
    """Findings computed again from the kept cycles are those kept for the page, on whichever day by whichever core."""
    kept = {claim.id: replace(claim, made="", version="") for claim in load("packet_study").claims}
    assert kept == {name: replace(claim, made="", version="") for name, claim in found().items()}


def test_only_exchanges_on_the_largest_trees_leave_the_bounds() -> None:
    """Section 5.2: what breaks the bounds of 8:6 and 8:5 is BU on 4,096 nodes."""
    for name in ("T14", "T15"):
        (broken,) = [case for case in found()[name].cases if case["verdict"] == "refuted"]
        assert broken["label"] == "BU" and broken["got"].endswith("on 4,096 nodes")


def test_choosing_again_turns_8_4_and_7_5() -> None:
    """Table 5, section 5.3: 8:4 is ahead of 7:5 on 512 nodes if packets choose again, on 64 nodes always."""
    for tasks, choice, ahead in ((64, "once", True), (64, "again", True), (512, "once", False), (512, "again", True)):
        *_, four, five, _ = phi(tasks, packets.same_radix(tasks), choice)
        assert (four > five) == ahead
    assert found()["T20 again"].verdict == "confirmed" and found()["T20"].verdict == "refuted"


def test_wider_trees_are_faster() -> None:
    """Tables 4 and 5: phi rises with the tree's width where a packet chooses once, but for 8:4 and 7:5 on 64 nodes."""
    for tasks in TASKS:
        for networks in (packets.same_size(tasks), packets.same_radix(tasks)):
            found_phi = phi(tasks, networks)
            if (tasks, networks) == (64, packets.same_radix(64)):
                found_phi[3:5] = reversed(found_phi[3:5])
            assert found_phi == sorted(found_phi)
