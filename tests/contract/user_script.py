"""A script that uses the whole API; a type checker sees no Any in it."""

from pathlib import Path

import netloom

network = netloom.torus(4, 4, bandwidth="100 Gbps")
facts = netloom.describe(network)
print(
    facts["switches"] + facts["diameter"],
    facts["bisection"]["upper"],
    facts["endpoint_bisection"]["bytes_per_s"]["value"],
)
print(
    network.label.upper(),
    network.switches,
    len(network.tails),
    network.hop_matrix().shape[0],
    network.classes[0]["latency_s"],
)
print(network.without("link:0-1").failed, [path["switches"] for path in network.routing("minimal").paths(0, 5)])

hops = netloom.hops(network, workload="allreduce:ring")
print(hops["total_hops"] / 2, hops.mean_hops or 0.0, hops.steps[0]["hops"], hops["histogram"][1:])

loads = netloom.loads(network, workload="alltoall:pairwise", size_bytes="1 MiB")
worst = loads["hottest"][0]
print(
    worst["bytes"] / worst["seconds"],
    worst["from_switch"],
    loads.jobs[0]["links"]["max_bytes"],
    max(loads.link_bytes.tolist()),
)

answer = netloom.simulate(network, workload="allreduce:ring", size_bytes="1 MiB", trace=True)
print(
    answer["time_s"] * 1e6, answer.jobs[0]["last_s"], answer["critical_path"]["shares_s"]["latency"], answer.explain()
)
print([row["job"] for row in answer.tables["jobs"]], answer.record["messages"], answer.to_dict()["model"])
ends = answer.finish_s
if not isinstance(ends, list):
    print(ends.shape[0])
watch = netloom.TimeLeft("packets", after_s=60)
packets = netloom.simulate(network, workload="allreduce:ring", switch="output-queued", progress=watch)
print(packets.waits + packets["packets"])
watched = netloom.evaluate(netloom.Scenario(network, workload="allreduce:ring"), "packet", details=True)
print([row["p99_s"] for row in watched.tables["latency"]], watched.queue_mean, watched.stalls_per_packet_s)
curve = netloom.evaluate(
    netloom.Scenario(network, workload="uniform"), "throughput", loads="0.1", warm_up=100, cycles=200, saturation=False
)
print((curve.accepted or 0.0) * 2, curve["deadlock_free"] + 1, [row["latency_mean"] for row in curve.tables["points"]])
print(curve.draw().get_xlabel(), watched.draw().figure, curve.evaluator)

scenario = netloom.Scenario("torus(4,4)", workload="allreduce:ring", ranks=16)
bare = netloom.Scenario(network)
print(netloom.evaluate(bare, "metrics").aspl, netloom.evaluate(scenario.but(ranks=8), "time").time_s)
print(netloom.evaluate({"network": "torus(4,4)"}, "cost")["total_usd"] + 1.0)
proved = netloom.evaluate({"collective": "allreduce:ring", "ranks": 4}, "verify")
print(proved.proved, proved.fault)
print(
    scenario["ranks"],
    scenario.to_toml(),
    scenario.to_dict(),
    netloom.Scenario.from_toml(scenario.to_toml()) == scenario,
)

found = netloom.map_ranks(network, workload="stencil(4,4)", ranks=16, optimiser="two-opt(swaps=100)", objective="hops")
print(found["value"] <= found["start_value"], found.bound, found.mapping.tolist()[0], found.seats, found.trace[0][1])
print(found.write("ranks.csv")[0].name, found.draw().get_xlabel(), network.draw().figure, answer.draw("timeline"))

proof = netloom.verify("allreduce:swing", ranks=8)
print(proof["steps"] + proof["messages"], netloom.place(network, 4, "random(seed=1)").tolist())
print([row["name"] for row in netloom.catalogue("topologies")], netloom.enumerate_orders("2,2,4")[0]["ring_cost"])
print(netloom.choose_cores("2,4", 4, "0,1", nodes=2)["srun"])

decided = netloom.whatif(scenario, "link_bandwidth=50..200 Gbps")
print(decided.ranked[0].upper(), decided.indices["link_bandwidth"].total + 1, decided.explain()[0].lower())
designed = netloom.design(16, ["alltoall:pairwise"], families=["fat-tree"])
print(designed.explain()[0].lower(), [one.usd + 1 for one in designed.front], designed.decision is None)
timing = netloom.time_collective(network, "allreduce", sizes="1KiB:4KiB", algorithms=["allreduce:ring"])
print(
    timing.time_s("allreduce:ring", 1024),
    timing.table.rows[0]["busbw_bytes_per_s"],
    timing.left_out,
    timing.bound["time_s"],
)
print(netloom.cut_bound(network, range(16), "allreduce", 1024)["time_s"] * 2)

written = netloom.write(network, Path("machine.graphml"))
print(written[0], netloom.read("machine.graphml", "network").endpoints)
print(netloom.read("ranks.csv", "mapping", network=network).shape[0])
schedule = netloom.workload("allreduce:ring", 8)
traffic = netloom.workload("stencil(4,4)", 16)
own = netloom.programs([[("send", 1, 100)], [("receive", 0, 100)]])
print(schedule.label, traffic.label, own.ranks, netloom.application("cg(class=S)", 4).actions)
try:
    netloom.torus(-1)
except netloom.NetloomError as error:
    print([(fault.code, fault.place, fault.hint) for fault in error.faults])
