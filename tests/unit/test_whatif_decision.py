"""The decision of a what-if question: runner-up, lead, a second rung, errors, what would change it, knees elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from netloom import plugin
from netloom.whatif import Settings, WhatIf, whatif
from netloom.whatif.knees import NOTHING

from . import whatif_functions as known

pytest.importorskip("sklearn")

#: 4 rounds of 1 MB at the narrower of 10 GB/s (injection) and 25 GB/s (links), and two switches of 5 ns in each.
MESH = {
    "network": 'full_mesh(5,bandwidth="200 Gbps",endpoint_bandwidth="80 Gbps",latency="0 ns",endpoint_latency="0 ns")',
    "workload": "alltoall:pairwise", "size_bytes": "1 MB", "switch_latency": "5 ns",
}  # fmt: skip
BOTH = ["injection_bandwidth=40..160 Gbps", "link_bandwidth=60..400 Gbps"]


def asked(function: Callable[..., float], vary: list[str], **how: Any) -> WhatIf:
    return whatif(function, vary, how=Settings(**how))


def decided(found: WhatIf) -> dict[str, Any]:
    made: Any = found.to_dict()["decision"]
    assert isinstance(made, dict)
    return made


@pytest.fixture(scope="module")
def mesh() -> WhatIf:
    return whatif(MESH | {"calibration": "pure"}, BOTH, how=Settings(samples=256))


def test_the_decision_and_its_lead_are_those_of_the_formula(mesh: WhatIf) -> None:
    def time(injection: float, link: float) -> float:
        return 4 * (1e6 / min(injection, link) + 1e-8)

    one, text = decided(mesh), mesh.explain()
    gain = time(10e9, 25e9) / time(20e9, 25e9)
    assert (one["parameter"], one["runner_up"]["parameter"]) == ("injection_bandwidth", "link_bandwidth")
    assert one["gain"]["times"] == pytest.approx(gain, rel=1e-6)
    assert (one["gain"]["from"], one["gain"]["to"]) == (10e9, 20e9)
    # Faster links gain nothing, so the last value that was tried stands for all of them.
    assert one["runner_up"]["gain"]["times"] == pytest.approx(1) and one["runner_up"]["gain"]["to"] == 50e9
    assert one["sure"]["lead"] == pytest.approx(gain - 1) and one["sure"]["apart"] is True
    assert text[0].startswith("Injection bandwidth decides (total index 0.")
    assert text[1].startswith("The runner-up is link bandwidth (total index 0.") and "lie apart" in text[1]
    assert "gives 2 times, and the best link bandwidth (50 GB/s) gives nothing" in text[2] and "100 % worse" in text[2]
    assert next(iter(mesh.to_dict())) == "version" and list(mesh.to_dict())[1] == "decision"


def test_packets_are_asked_at_the_points_of_the_decision(mesh: WhatIf) -> None:
    from netloom.evaluate import evaluate

    sure = decided(mesh)["sure"]
    assert list(sure["by_rung"]) == ["time", "packet"] and sure["rungs_agree"] is True and sure["not_checked"] is None
    flows, packets = sure["by_rung"].values()
    for name, key in (("base", ""), ("injection_bandwidth", "160 Gbps"), ("link_bandwidth", "400 Gbps")):
        more = {"network.endpoint_bandwidth" if name[0] == "i" else "network.bandwidth": key} if key else {}
        exact = evaluate({**MESH, "calibration": "pure", **more}, "packet")["time_s"]
        assert packets["results"][name] == pytest.approx(exact, rel=1e-9)
        assert packets["above_first"][name] == pytest.approx(exact / flows["results"][name] - 1, abs=1e-9)
    assert any(said.startswith("The rungs agree: by packets the two give ") for said in mesh.explain())


def test_what_would_change_it_was_run(mesh: WhatIf) -> None:
    """Links gain more where they are narrower than endpoints as written, and only there."""
    assert mesh.map is not None
    (value,) = [one for one in decided(mesh)["changes"] if one["kind"] == "value"]
    narrow = [one for one in mesh.map.columns if float(one) < 10e9 / 1.02]
    assert (value["of"], value["decides"]) == ("link_bandwidth", "link_bandwidth")
    assert sorted(value["values"]) == narrow and value["until"] == min(set(mesh.map.columns) - set(narrow))
    assert any("with link bandwidth at 7.5 GB/s (not yet at 12.8 GB/s) link bandwidth gains more" in said
               for said in mesh.explain())  # fmt: skip


def test_a_part_of_a_range_turns_the_order() -> None:
    """Above its knee the one that decides does nothing; of the rows of the sample, a quarter lies there."""
    found = asked(lambda p: 20 - 10 * min(p["a"], 0.5) - p["b"], ["a=0..1", "b=0..1"], samples=1024)
    ranges = [one for one in decided(found)["changes"] if one["kind"] == "range"]
    assert [(one["of"], one["values"], one["decides"]) for one in ranges] == [("a", [0.5, 1.0], "b")]
    assert ranges[0]["totals"]["decides"]["total"] == pytest.approx(1, abs=0.15)
    assert ranges[0]["totals"]["decision"]["total"] == 0
    assert any("asked of a from 0.5 to 1 alone, b decides (total index 1." in said for said in found.explain())


def test_a_choice_turns_the_order() -> None:
    found = asked(
        lambda p: 3 + (p["a"] - 2 if p["way"] == "on" else 0.0) + 0.3 * p["b"], ["way=on|off", "a=0..4", "b=0..2"]
    )
    changes = {(one["kind"], one["of"], *one["values"], one["decides"]) for one in decided(found)["changes"]}
    assert ("range", "way", "off", "b") in changes


def test_knees_move_with_the_best_of_the_others() -> None:
    """Links have more to carry once injection has 18 GB/s in place of 10."""
    found = asked(known.message, ["link=1e9..50e9", "injection=2e9..18e9"], samples=64)
    assert found.best is not None and found.best.result == pytest.approx(1e-6 + 1e6 / 18e9)
    one, again = found.knees[0], found.best.knees[0]
    for knee, injection in ((one, 10e9), (again, 18e9)):
        floor = 1e-6 + 1e6 / injection
        assert knee.value == pytest.approx(1e6 / ((1 + NOTHING) * floor - 1e-6), rel=0.03)
    said = next(said for said in found.explain() if said.startswith("Link above"))
    assert "with the best of the others it gives nothing above 17" in said
    made: Any = found.to_dict()["best_point"]
    assert made["values"] == {"link": 50e9, "injection": 18e9} and made["knees"][0]["value"] == again.value
    assert [found["parameter"] for found in made["curves"]] == ["link", "injection"]


def test_a_knee_that_stays_is_told_once() -> None:
    found = asked(lambda p: max(2.0, 10 - p["a"]) * (1 + p["b"]), ["a=0..20", "b=1..3"], samples=32)
    assert found.best is not None and found.best.knees[0].value == pytest.approx(found.knees[0].value, rel=0.02)
    assert not any("best of the others" in said for said in found.explain())


def test_what_is_best_alone_may_not_be_together() -> None:
    """Each choice alone is better than the base point, both together are the worst: the best run counts."""
    costs = {"ap": 10.0, "bp": 9.0, "aq": 9.5, "bq": 20.0}
    found = asked(lambda p: costs[p["x"] + p["y"]] + p["z"], ["x=a|b", "y=p|q", "z=0..1"], samples=64)
    assert found.best is not None and found.best.point[:2] == ("b", "p")


def test_intervals_that_overlap_are_said() -> None:
    found = asked(lambda p: 5 - p["a"] - 0.97 * p["b"], ["a=0..1", "b=0..1"], samples=32)
    sure, text = decided(found)["sure"], found.explain()
    assert sure["apart"] is False and "decide together" in text[0]
    assert any("the intervals overlap, so it is not sure which of the two decides" in said for said in text)
    # 5 - 1 - 0.485 and 5 - 0.5 - 0.97, whichever of the two the sample puts first.
    assert abs(sure["lead"]) == pytest.approx(3.53 / 3.515 - 1, rel=0.01) and sure["tie"] is True
    assert any("it is a tie: they differ by less than 2 %" in said for said in text)


def test_the_one_that_decides_may_gain_less_from_the_base_point() -> None:
    """It is nearly at its best there, and far worse elsewhere."""
    found = asked(lambda p: 1 + max(0.0, 5 - p["a"]) + 0.5 * p["b"], ["a=0..10", "b=0..1"], samples=64)
    one = decided(found)
    assert one["parameter"] == "a" and one["sure"]["lead"] == pytest.approx(1 / 1.25 - 1)
    assert any("b gains more there all the same, by 25 %" in said for said in found.explain())
    whole = asked(lambda p: -1 - p["a"], ["a=0..10", "b=0..1"], samples=16)
    assert decided(whole)["sure"]["lead"] is None
    assert any(said.startswith("No factor can be given") for said in whole.explain())


class Waiting(plugin.Evaluator):
    """Time of latency alone: bandwidth hardly counts."""

    name = "waiting"
    inputs = ("machine", "network", "format", "part", "workload", "size_bytes", "calibration", "switch_latency")
    columns = (("time_s", "s", "end of the last rank"),)
    rung = plugin.Rung("waiting", 1.2, "Latency alone", "waits", decides="time_s", number=("waits", "time of waits"),
                       model="waits")  # fmt: skip

    def evaluate(self, bound: Any, options: Any) -> dict[str, float]:
        of = bound.network.classes[0]
        return {"time_s": 1e-6 + 10 * of["latency_s"] + 100 / of["bandwidth_bytes_per_s"]}


def test_rungs_that_disagree_are_said_first() -> None:
    """By a rung of one's own latency decides; by flows, of messages of 1 MB, it is the bandwidth."""
    plugin.register(Waiting)
    network = 'full_mesh(5,bandwidth="40 Gbps",endpoint_bandwidth="400 Gbps",latency="500 ns")'
    mesh = MESH | {"calibration": "pure", "network": network}
    vary = ["link_latency=10..1000 ns", "link_bandwidth=20..400 Gbps"]
    found = whatif(mesh, vary, "waiting", target="time_s", how=Settings(samples=64))
    sure, first = decided(found)["sure"], found.explain()[0]
    assert sure["rungs_agree"] is False and list(sure["by_rung"]) == ["waiting", "time"]
    assert sure["by_rung"]["waiting"]["best"] == "link_latency" and sure["by_rung"]["waiting"]["lead"] > 0
    assert first.startswith("By waits link latency decides (total index ") and "but the rungs disagree" in first


#: Results by packets: as written, with the best injection, with the best links. By flows the gains are 2 and 1.
BY_PACKETS = {
    "the same order": ((2.0, 1.2, 2.0), True),
    "a smaller lead": ((2.0, 1.95, 2.0), True),
    "a tie where flows see none": ((2.0, 1.95, 1.97), False),
    "no gain but for a tiny one": ((2.0, 2.0, 2.0 + 1e-9), False),
    "the other order": ((2.0, 1.9, 1.2), False),
    "neither gains more": ((2.0, 1.9, 1.9), False),
    "a loss where flows gain": ((2.0, 2.5, 2.6), False),
}


@pytest.mark.parametrize("name", BY_PACKETS)
def test_rungs_agree_on_the_order_and_on_what_is_a_gain(mesh: WhatIf, name: str) -> None:
    results, agree = BY_PACKETS[name]
    one = mesh.decision
    assert one is not None and one.sure.checked.results is not None
    both = {at: (pair[0], by) for (at, pair), by in zip(one.sure.checked.results.items(), results, strict=True)}
    other = replace(one, sure=replace(one.sure, checked=replace(one.sure.checked, results=both)))
    assert other.rungs_agree is agree
    text = replace(mesh, decision=other).explain()
    assert ("the rungs disagree" in text[0]) is not agree and any("The rungs agree" in said for said in text) is agree
    assert ("by packets neither gains more" in text[0]) is (1 / 1.02 <= results[2] / results[1] <= 1.02 and not agree)


def test_a_second_rung_that_does_not_answer_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def why(vary: list[str], target: str | None = None) -> str:
        scenario, how = MESH | {"calibration": "pure"}, Settings(samples=16)
        found = whatif(scenario, vary, target=target, best="least", how=how)
        sure = decided(found)["sure"]
        assert sure["by_rung"] == {} and sure["rungs_agree"] is None
        assert f"No second rung checks it: {sure['not_checked']}." in found.explain()
        return str(sure["not_checked"])

    assert why(["workload=alltoall:pairwise|alltoall:bruck", BOTH[0]], "solves") == "packet has no column solves"
    monkeypatch.setattr(import_module("netloom.whatif.referee"), "MOST_S", 0.0)
    assert why(BOTH).startswith("3 runs of packet would take about ")
    found = asked(known.additive, ["a=0..1", "b=0..1", "c=0..1"], samples=16)
    assert "No second rung checks it: it is a function of one's own, which has no other rung." in found.explain()


def test_loads_are_checked_by_flows() -> None:
    """Loads let all rounds share the links at once: the busiest link is one of the mesh, not of an endpoint."""
    found = whatif({name: value for name, value in MESH.items() if name != "switch_latency"}, BOTH, "loads",
                   how=Settings(samples=64))  # fmt: skip
    sure = decided(found)["sure"]
    assert list(sure["by_rung"]) == ["loads", "time"]
    assert sure["by_rung"]["time"]["results"]["base"] > sure["by_rung"]["loads"]["results"]["base"]


def test_the_error_of_the_model_stands_next_to_the_lead() -> None:
    """Default costs were off by 34 %: twice as fast is more, a tenth is not."""
    scenario = {name: value for name, value in MESH.items() if name != "switch_latency"}
    found = whatif(scenario, BOTH, how=Settings(samples=64))
    sure = decided(found)["sure"]
    assert sure["model_error"] == 0.34 and sure["model_error_as_written"] is False
    assert sure["tie"] is (sure["lead"] <= 0.34)
    less = whatif(scenario, ["injection_bandwidth=75..85 Gbps", "link_bandwidth=90..95 Gbps"], how=Settings(samples=64))
    assert decided(less)["sure"]["tie"] is True
    assert any("less than the median error of such predictions, 34 %" in said for said in less.explain())


def test_the_error_of_a_machine_is_of_what_was_measured() -> None:
    scenario = {"machine": "leonardo", "workload": "allreduce:ring", "nodes": 8, "size_bytes": "1 MiB"}
    found = whatif(scenario, ["link_bandwidth=50..400 Gbps", "link_latency=100..900 ns"], how=Settings(samples=16))
    sure = decided(found)["sure"]
    assert sure["model_error_as_written"] is True and 0 < sure["model_error"] < 1


def test_the_error_of_an_emulator_is_compared_with_the_lead() -> None:
    found = asked(known.additive, ["a=0..1", "b=0..1", "c=0..1"], runs=200, points=9)
    sure = decided(found)["sure"]
    assert found.emulator is not None and sure["emulator_unexplained"] == 1 - found.emulator.r2
    assert sure["emulator_covers_lead"] is False
    text = " ".join(found.explain())
    assert "less than the 57 % between both total indices" in text
    assert "What would change the decision is not known from runs" in text
    assert len(found.points) <= 200 and found.best is not None


def test_few_runs_leave_none_for_other_knees() -> None:
    found = asked(known.additive, ["a=0..1", "b=0..1", "c=0..1"], samples=16, runs=60)
    assert found.best is None and any("No knees with the best of the others" in note for note in found.notes)


def test_one_parameter_has_no_runner_up() -> None:
    found = whatif(MESH | {"calibration": "pure"}, BOTH[:1])
    one = decided(found)
    assert one["runner_up"] is None and one["changes"] == [] and one["sure"]["lead"] is None
    assert set(one["sure"]["by_rung"]["packet"]["gains"]) == {"injection_bandwidth"}
    assert asked(lambda p: 5.0, ["a=1..3", "b=1..3"], samples=16).to_dict()["decision"] is None


def test_the_decision_is_the_same_with_any_number_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("netloom.whatif.runs"), "WORTH_S", 0.0)
    scenario = MESH | {"calibration": "pure"}
    found = [whatif(scenario, BOTH, how=Settings(samples=16, workers=workers)) for workers in (1, 2)]
    assert json.dumps(found[0].to_dict()) == json.dumps(found[1].to_dict())
    assert decided(found[0])["sure"]["by_rung"]


def test_a_gain_by_loads_that_flows_do_not_see_is_no_agreement() -> None:
    """The busiest link takes half as long with faster links; flows wait for the software of messages of 1 B."""
    scenario = {"network": 'torus(4,4,p=2,bandwidth="200 Gbps")', "workload": "alltoall:pairwise"}
    found = whatif(scenario, ["placement=linear|random(seed=1)", BOTH[1]], "loads", how=Settings(samples=16))
    sure, text = decided(found)["sure"], found.explain()
    assert sure["rungs_agree"] is False and "the rungs disagree" in text[0] and "by flows neither gains more" in text[0]
    assert not any("The rungs agree" in said for said in text)
