"""Networks are compared under one policy of routing, and a lead within what routing and luck decide is a tie."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import netloom
import netloom.calibration
from netloom.cli.app import main
from netloom.compare import compare
from netloom.compare.policy import POLICIES
from netloom.compare.rows import Asked, Compared, Spread
from netloom.compare.ties import mark, tied
from netloom.compare.words import notes, verdict
from netloom.machine.presets import load
from netloom.network.capacity import capacity
from netloom.network.size import size
from netloom.study.run import run_study

TREE = "fat_tree(radix=8,levels=2,top=full)"
GROUPS = "dragonfly_plus(leaves=2,spines=4,h=1,g=4,p=4)"
SHIFT = 'shift(k=9,bytes="100 kB")'


def rows_of(*networks: str, workload: str = SHIFT, **inputs: object) -> list[Compared]:
    return compare(networks, [workload], **inputs)  # type: ignore[arg-type]


def asked(row: Compared) -> Asked:
    (one,) = row["workloads"]
    return one


@pytest.mark.parametrize("workload", [SHIFT, 'shift(k=16,bytes="100 kB")'])
def test_a_few_ranks_less_do_not_turn_the_verdict(workload: str) -> None:
    """Two networks of 32 endpoints: with 32 and with 31 ranks the same one is first, or the words say that they tie."""
    said = [verdict(rows_of(TREE, GROUPS, workload=workload, ranks=ranks))[0] for ranks in (32, 31)]
    first = {line.partition("fastest on `")[2].partition("`")[0] for line in said if "is fastest on" in line}
    assert len(first) <= 1, said
    assert all("is fastest on" in line or "tie within the spread over routing policies" in line for line in said)


@pytest.mark.parametrize("policy", POLICIES)
def test_every_network_has_the_same_policy(policy: str) -> None:
    rows = rows_of(TREE, GROUPS, "torus(4,4,p=2)", routing=policy, spread=False)
    assert {row["policy"] for row in rows} == {policy}
    own = {"one-path": "static-direct", "hashed": "hashed", "adaptive": "adaptive-direct", "spray": "static-direct"}
    assert {row["variant"] for row in rows} == {own[policy]}
    for row in rows:
        net = netloom.network(row["network"])
        assert net.routing(row["routing"]).is_deterministic == (policy == "one-path"), row["routing"]
        seeds = [f"hashed(seed={seed})" for seed in (1, 2, 3)] if policy == "hashed" else [row["variant"]]
        times = [
            netloom.simulate(net, workload=SHIFT, routing=row["routing"], variant=variant)["time_s"]
            for variant in seeds
        ]
        assert asked(row)["time_s"] == pytest.approx(sum(times) / len(times), rel=1e-12)
        assert "least_s" not in asked(row)


def test_the_spread_is_over_policies_and_placements() -> None:
    (row,) = rows_of(TREE)
    one = asked(row)
    names = ["adaptive", "adaptive, other placements", "one-path", "hashed", "spray"]
    assert [way["policy"] for way in one["policies"]] == names
    assert one["least_s"] == min(way["least_s"] for way in one["policies"])
    assert one["most_s"] == max(way["most_s"] for way in one["policies"])
    way: dict[str, Any] = {"routing": "minimal", "variant": "adaptive-direct"}
    shuffled = [
        netloom.simulate(TREE, workload=SHIFT, placement=f"random(seed={seed})", **way)["time_s"] for seed in (1, 2, 3)
    ]
    other = one["policies"][1]
    assert (other["runs"], other["least_s"], other["most_s"]) == (3, min(shuffled), max(shuffled))
    fixed = asked(rows_of(TREE, placement="linear")[0])
    assert "adaptive, other placements" not in [one["policy"] for one in fixed["policies"]]


def test_ranks_that_leave_one_network_in_part_are_placed_at_random_on_all() -> None:
    rows = rows_of(TREE, "star(8,p=8)", ranks=32, spread=False)
    assert all(row["draws"] == [f"placement=random(seed={seed})" for seed in (1, 2, 3)] for row in rows)
    assert any("random(seed=2)" in line for line in notes(rows))
    full = rows_of(TREE, "star(8,p=4)", ranks=32, spread=False)
    assert all(row["draws"] == [] for row in full)


@pytest.mark.parametrize(
    ("inputs", "changed"),
    [
        ({"fail": "link:0-8"}, "time_s"),
        ({"calibration": "infiniband-ndr-example"}, "time_s"),
        ({"cores": 2, "node": 'node(cores=2,core_bandwidth="8 Gbps")'}, "time_s"),
        ({"variant": "static-indirect"}, "time_s"),
        ({"duplex": "half"}, "time_s"),
        ({"switch_latency": "10 us"}, "time_s"),
        ({"model": "jain-2016"}, "usd"),
    ],
)
def test_every_input_counts(inputs: dict[str, object], changed: str) -> None:
    if "calibration" in inputs:
        inputs = {"calibration": next(name for name in netloom.calibration.names() if name != "pure")}
    base = {"cores": inputs["cores"]} if "cores" in inputs else {}
    (before,), (after,) = (
        rows_of(TREE, workload="alltoall:pairwise", size_bytes="1 MB", spread=False, **more) for more in (base, inputs)
    )
    if changed == "usd":
        assert before["usd"] != after["usd"] and after["price"] == "jain-2016"
    else:
        assert asked(before)["time_s"] != asked(after)["time_s"]


def test_random_failures_are_drawn_several_times() -> None:
    (row,) = rows_of("torus(4,4)", fail="links:10%,seed=5", spread=False)
    assert row["draws"] == [f"fail=links:10%,seed={seed}" for seed in (5, 6, 7)]
    way: dict[str, Any] = {"routing": row["routing"], "variant": "adaptive-direct"}
    times = [
        netloom.simulate("torus(4,4)", workload=SHIFT, fail=f"links:10%,seed={seed}", **way)["time_s"]
        for seed in (5, 6, 7)
    ]
    assert asked(row)["time_s"] == pytest.approx(sum(times) / 3, rel=1e-12)


def test_a_variant_without_effect_is_named() -> None:
    rows = rows_of(TREE, routing="one-path", variant="adaptive-direct", spread=False)
    assert any("Without effect: adaptive-direct" in line for line in notes(rows))


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(netloom.NetloomError, match="one-path, hashed, adaptive, spray"):
        compare([TREE], [SHIFT], routing="fastest")
    with pytest.raises(netloom.NetloomError, match="needs a workload"):
        compare([TREE], ranks=4)
    with pytest.raises(netloom.NetloomError, match="nonsense"):
        compare([TREE], [SHIFT], nonsense=4)


def by_hand(*ends: tuple[float, float, float], sizes: tuple[int, ...] = (8, 8, 8)) -> list[Compared]:
    """Networks a, b, ... whose times are mean, least and most."""
    rows: list[Compared] = []
    for at, (mean, least, most) in enumerate(ends):
        ends_s = {"time_s": mean, "least_s": mean, "most_s": mean}
        way: Spread = {"policy": "adaptive", "routing": "r", "variant": "v", "runs": 1, **ends_s}  # type: ignore[typeddict-item]
        one: Asked = {"workload": "w", "max_link_s": None, "time_s": mean, "least_s": least, "most_s": most}
        rows.append(
            {
                "network": "abc"[at],
                "endpoints": sizes[at],
                "switches": 2,
                "radix": 3,
                "diameter": 1,
                "aspl": 1.0,
                "bisection": {
                    "value": 2,
                    "exact": True,
                    "bytes_per_s": {"value": 2.0, "exact": True},
                    "cut_from_switch": 0,
                    "method": "by hand",
                },
                "bisection_per_endpoint": 0.5,
                "usd": 1.0,
                "usd_per_endpoint": 1.0 + at,
                "price": "by hand",
                "workloads": [{**one, "policies": [way]}],
            }
        )
    return rows


def test_a_lead_within_the_spread_is_a_tie() -> None:
    apart = verdict(by_hand((1e-6, 0.9e-6, 1.1e-6), (2e-6, 1.2e-6, 3e-6)))[0]
    assert apart.startswith("`w` is fastest on `a`") and "ahead of all others over the whole spread" in apart
    meet = verdict(by_hand((1e-6, 0.9e-6, 1.3e-6), (2e-6, 1.2e-6, 3e-6), (9e-6, 8e-6, 9e-6)))[0]
    assert meet.startswith("`w`: `a` (1 µs, 900 ns to 1.3 µs) and `b` (2 µs, 1.2 µs to 3 µs) tie within the spread")
    assert "`a` is ahead under each policy alone" in meet and "`c`" not in meet


def test_prices_of_unlike_sizes_are_no_verdict_alone() -> None:
    times = ((1e-6, 1e-6, 1e-6), (2e-6, 2e-6, 2e-6))
    like, unlike = verdict(by_hand(*times))[1], verdict(by_hand(*times, sizes=(8, 64)))[1]
    assert like == "`a` is the cheapest per endpoint (1.00 USD)."
    assert unlike.startswith(like) and "8 to 64 endpoints" in unlike


def test_prices_say_what_they_are_not() -> None:
    plain, fast = (netloom.evaluate({"network": f'star(4,bandwidth="{speed} Gbps")'}, "cost") for speed in (40, 800))
    assert plain.explain() == ["Not priced: NICs, and the cables to endpoints."]
    assert fast.explain()[0].startswith("Extrapolated: prices of 2014 for parts of 40 Gb/s stand for 800 Gb/s")
    assert any(line.startswith("Extrapolated") for line in notes(compare(['star(4,bandwidth="800 Gbps")'])))


def test_cables_to_endpoints_have_the_speed_of_endpoints() -> None:
    slow, fast = (
        netloom.evaluate({"network": f'star(4,endpoint_bandwidth="{speed} Gbps")'}, "cost", endpoint_cables=True)
        for speed in (100, 400)
    )
    # The default prices are in proportion to the speed.
    assert fast["endpoint_cable_cost_usd"] == pytest.approx(4 * slow["endpoint_cable_cost_usd"])


def test_what_failed_was_paid_for() -> None:
    whole, hurt = (netloom.evaluate({"network": TREE, "fail": fail}, "cost") for fail in ("none", "switch:8"))
    assert whole["total_usd"] == hurt["total_usd"]
    assert "fail" in hurt.without_effect and not whole.without_effect


def test_sizes_are_chosen_by_taper_and_bisection() -> None:
    # By hand: 16 endpoints of a leaf over 8 cables, and half of the bandwidth crosses the middle.
    assert capacity(netloom.network("xgft(m=[16,32],w=[1,8])")) == {
        "taper": 2.0, "bisection": 0.5, "bisection_per_endpoint": 0.25, "exact": True,
    }  # fmt: skip
    wide = size("xgft", 512, most=4, taper=1.0, bisection=1.0)
    assert wide and all(row["taper"] <= 1 and row["bisection"] >= 1 for row in wide)
    halved = [row["network"] for row in size("xgft", 512, most=50, taper=2.0)]
    assert "xgft(m=[16,32],w=[1,8])" in halved and "xgft(m=[16,32],w=[1,5])" not in halved
    with pytest.raises(netloom.NetloomError, match="NL-A007"):
        size("xgft", 512, taper=-1.0)


def test_as_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["compare", TREE, GROUPS, "-t", SHIFT, "--routing", "hashed", "--fail", "switch:9", "--json"])
    assert end.value.code == 0
    rows = [{key: row[key] for key in row if key != "version"} for row in json.loads(capsys.readouterr().out)]
    assert {(row["policy"], row["variant"]) for row in rows} == {("hashed", "hashed")}
    assert rows == json.loads(json.dumps(rows_of(TREE, GROUPS, routing="hashed", fail="switch:9")))
    with pytest.raises(SystemExit) as end:
        main(["size", "fat_tree", "--endpoints", "128", "--bisection", "1", "--most", "2"])
    assert end.value.code == 0 and "bisection" in capsys.readouterr().out


def test_a_study_says_what_it_compares_unasked(tmp_path: Path) -> None:
    """Default routings of other kinds beside each other."""
    head = 'title = "t"\n[[experiment]]\nname = "e"\nevaluate = "time"\n[experiment.axes]\n'
    asked = head + 'network = ["k_ary_n_tree(k=2,n=2)", "torus(2,2)"]\nworkload = "shift(k=1)"\n'
    for more, told in (("", ["own default routing"]), ('routing = "minimal"\n', [])):
        (tmp_path / "study.toml").write_text(asked + more)
        found = run_study(tmp_path / "study.toml", tmp_path / f"out{len(more)}", figures=False).as_dict()
        says = [str(one["says"]) for one in found["cautions"]]  # type: ignore[attr-defined]
        assert [any(text in line for line in says) for text in told] == [True] * len(told), says
        assert any("default routing" in line for line in says) == bool(told)
        page = (tmp_path / f"out{len(more)}" / "report.html").read_text()
        assert ("own default routing" in page) == bool(told)


def test_times_within_the_known_error_tie(capsys: pytest.CaptureFixture[str]) -> None:
    asked: dict[str, Any] = {"workload": "allreduce:ring", "size_bytes": "1 MiB", "spread": False}
    rows = rows_of("torus(4,4)", "hypercube(4)", 'star(16,bandwidth="1 Gbps")', **asked)
    assert [row["error"] for row in rows] == [0.34] * 3
    assert [row["workloads"][0]["tie"] for row in rows] == [True, True, False]
    said = "within 34 %, the median error of such predictions: torus(4,4), hypercube(4) tie"
    assert tied(rows) == [f"allreduce:ring: {said}"]
    first = "`allreduce:ring`: `torus(4,4)` and `hypercube(4)` tie as the fastest within 34 %, the median error of such"
    assert verdict(rows)[0].startswith(first)
    pure = rows_of("torus(4,4)", "hypercube(4)", calibration="pure", **asked)
    assert not tied(pure) and all("error" not in row and "tie" not in row["workloads"][0] for row in pure)
    words = ["compare", "torus(4,4)", "hypercube(4)", "-c", "allreduce:ring", "--size", "1MiB", "--no-spread"]
    with pytest.raises(SystemExit) as left:
        main(words)
    out = capsys.readouterr().out
    assert left.value.code == 0 and f"* allreduce:ring: {said}" in out
    assert sum(" µs*" in line for line in out.splitlines()) == 2


def test_one_alone_and_an_unknown_error_are_no_tie() -> None:
    asked: dict[str, Any] = {"workload": "allreduce:ring", "size_bytes": "1 MiB", "spread": False}
    fast, slow = rows_of("torus(4,4)", 'star(16,bandwidth="1 Gbps")', **asked)
    assert not fast["workloads"][0]["tie"] and not slow["workloads"][0]["tie"] and not tied([fast, slow])
    # The error that counts is that of the fastest.
    for row in (fast, slow):
        row["workloads"][0].pop("tie")
    fast.pop("error")
    mark([fast, slow])
    assert "tie" not in slow["workloads"][0] and not tied([fast, slow])


def test_the_error_is_that_of_a_machine_as_it_is() -> None:
    asked: dict[str, Any] = {"nodes": 4, "ranks_per_node": 1, "size_bytes": 1024, "spread": False}
    lumi = load("lumi-g").validated
    assert lumi is not None
    rows = compare([], ["allreduce:ring"], machines=["lumi-g"], **asked)
    assert rows[0]["error"] == lumi.median
    rows = compare(["torus(4,4)"], ["allreduce:ring"], machines=["lumi-g"], **asked)
    assert rows[0]["error"] == lumi.median and "error" not in rows[1]
    rows = compare([], ["allreduce:ring"], machines=["lumi-g"], calibration="pure", **asked)
    assert "error" not in rows[0]
