"""A fabric of hosts with different numbers of ports, as text of ibnetdiscover."""

from __future__ import annotations

import random

import numpy as np
import pytest

import netloom
from netloom import _core
from netloom.evaluate.ask import bound_job
from netloom.jobs import read_jobs

LEAVES, SPINES = 2, 2


def fabric(ports: list[int]) -> str:
    """Hosts `g000`, `g001`, ... with so many ports, which go to the leaves in turn; two spines."""
    guid = {"leaf": 0x200010, "spine": 0x200020, "host": 0x300000}
    switches: dict[str, list[str]] = {f"leaf{n}": [] for n in range(LEAVES)} | {f"spine{n}": [] for n in range(SPINES)}
    number = {name: (guid[name[:-1]] + int(name[-1])) for name in switches}
    used = dict.fromkeys(switches, 0)
    adapters = []

    def port(name: str) -> int:
        used[name] += 1
        return used[name]

    for leaf in range(LEAVES):
        for spine in range(SPINES):
            a, b = f"leaf{leaf}", f"spine{spine}"
            here, there = port(a), port(b)
            switches[a].append(f'[{here}]\t"S-{number[b]:016x}"[{there}]\t\t# "{b}" lid {number[b] & 0xFFF} 4xEDR')
            switches[b].append(f'[{there}]\t"S-{number[a]:016x}"[{here}]\t\t# "{a}" lid {number[a] & 0xFFF} 4xEDR')
    turn = 0
    for host, count in enumerate(ports):
        for device in range(count):
            own, leaf = guid["host"] + 16 * host + device, f"leaf{turn % LEAVES}"
            turn += 1
            here, lid, name = port(leaf), 1000 + turn, f"g{host:03} mlx5_{device}"
            switches[leaf].append(f'[{here}]\t"H-{own:016x}"[1]({own + 0x1000:x}) \t\t# "{name}" lid {lid} 4xEDR')
            line = f'[1]({own + 0x1000:x}) \t"S-{number[leaf]:016x}"[{here}]\t\t# lid {lid} lmc 0 "{leaf}" lid 1 4xEDR'
            adapters.append(f'caguid=0x{own:x}\nCa\t1 "H-{own:016x}"\t\t# "{name}"\n{line}\n')
    blocks = [
        f"switchguid=0x{number[name]:x}({number[name]:x})\n"
        f'Switch\t64 "S-{number[name]:016x}"\t\t# "{name}" base port 0 lid {number[name] & 0xFFF} lmc 0\n'
        + "\n".join(lines)
        + "\n"
        for name, lines in switches.items()
    ]
    return "\n".join(blocks + adapters)


def network(ports: list[int]) -> _core.Network:
    """The same as a network."""
    return _core.Network.read(fabric(ports).encode(), "fabric", "ibnetdiscover")


def apart(net: _core.Network) -> _core.Network:
    """The same switches, cables and endpoints, each endpoint a host of its own."""
    lower = np.array([(a, b) for a, b in zip(net.tails, net.heads, strict=True) if a < b], dtype=np.int64)
    kind = net.classes[0]
    speed, latency = kind["bandwidth_bytes_per_s"], kind["latency_s"]
    ends = net.endpoint_switch.astype(np.int64)
    return _core.Network.from_edges("apart", net.switches, lower, ends, speed, latency)


PORTS = [1, 2, 8, 2, 1, 3]


def host_of(ports: list[int]) -> list[int]:
    """Host of every endpoint."""
    return [host for host, count in enumerate(ports) for _ in range(count)]


def flows(seed: int, ranks: int, count: int) -> list[tuple[int, int, int]]:
    """Random messages: source, destination, bytes."""
    draw = random.Random(seed)
    return [(draw.randrange(ranks), draw.randrange(ranks), 1000 * draw.randrange(1, 50)) for _ in range(count)]


def traffic(rows: list[tuple[int, int, int]], ranks: int) -> _core.Traffic:
    src, dst, size = (np.array(column) for column in zip(*rows, strict=True))
    return _core.Traffic.from_flows("drawn", ranks, src, dst, np.ones_like(src), size)


@pytest.fixture(scope="module")
def mixed() -> _core.Network:
    return network(PORTS)


@pytest.fixture(scope="module")
def separate(mixed: _core.Network) -> _core.Network:
    return apart(mixed)


class Drawn:
    """A mapping onto all endpoints, some messages, and those of them that leave their host."""

    def __init__(self, seed: int) -> None:
        ends = sum(PORTS)
        draw = random.Random(seed)
        self.mapping = draw.sample(range(ends), ends)
        self.home = [host_of(PORTS)[end] for end in self.mapping]
        rows = {(a, b): size for a, b, size in flows(seed, ends, 60) if a != b}
        self.rows = [(a, b, size) for (a, b), size in rows.items()]
        self.leaving = [row for row in self.rows if self.home[row[0]] != self.home[row[1]]]
        assert 0 < len(self.leaving) < len(self.rows)
        self.all, self.outside = traffic(self.rows, ends), traffic(self.leaving, ends)
        self.inputs = {"mapping": self.mapping, "routing": "single-minimal"}


@pytest.fixture(scope="module", params=range(3))
def drawn(request: pytest.FixtureRequest) -> Drawn:
    return Drawn(request.param)


def test_the_hosts_of_a_fabric(mixed: _core.Network) -> None:
    hosts = mixed.hosts
    assert hosts is not None and list(hosts["of_endpoint"]) == host_of(PORTS)
    assert (hosts["count"], hosts["least_endpoints"], hosts["most_endpoints"], hosts["joined"]) == (6, 1, 8, False)
    assert network([1, 1, 1]).hosts is None and netloom.torus(4, 4).hosts is None


def test_loads_are_those_of_the_messages_that_leave(
    mixed: _core.Network, separate: _core.Network, drawn: Drawn
) -> None:
    here = netloom.loads(mixed, workload=drawn.all, **drawn.inputs)
    there = netloom.loads(separate, workload=drawn.outside, **drawn.inputs)
    assert here.bytes_sent == here.inter_node_bytes == sum(size for _, _, size in drawn.leaving)
    assert (np.asarray(here.link_bytes) == np.asarray(there.link_bytes)).all()


def test_hops_are_those_of_the_messages_that_leave(mixed: _core.Network, separate: _core.Network, drawn: Drawn) -> None:
    given = {"mapping": drawn.mapping}
    here = netloom.hops(mixed, workload=drawn.all, **given)
    there = netloom.hops(separate, workload=drawn.outside, **given)
    assert here["total_hops"] == there["total_hops"] and here["hop_bytes"] == there["hop_bytes"]
    assert here["inter_node_messages"] == len(drawn.leaving)
    assert here["inter_node_bytes"] == sum(size for _, _, size in drawn.leaving)


@pytest.mark.parametrize("model", ["time", "packet", 'packet(switch="input-queued")'])
def test_times_are_those_of_the_messages_that_leave(
    mixed: _core.Network, separate: _core.Network, drawn: Drawn, model: str
) -> None:
    name, _, option = model.partition("(switch=")
    options = {"switch": option.strip('")')} if option else {}
    # Without time of software, which messages inside a host would take too.
    inputs = {"calibration": "pure", **drawn.inputs}
    here = netloom.evaluate(netloom.Scenario(mixed, workload=drawn.all, **inputs), name, **options)
    there = netloom.evaluate(netloom.Scenario(separate, workload=drawn.outside, **inputs), name, **options)
    assert here["time_s"] == pytest.approx(there["time_s"], rel=1e-12) and here["time_s"] > 0


def test_packets_of_a_curve_leave_their_host(mixed: _core.Network, separate: _core.Network, drawn: Drawn) -> None:
    options = {"loads": "0.2", "cycles": 400, "warm_up": 100, "drain": 2000, "saturation": False}
    here = netloom.evaluate(netloom.Scenario(mixed, workload=drawn.all, **drawn.inputs), "throughput", **options)
    there = netloom.evaluate(
        netloom.Scenario(separate, workload=drawn.outside, **drawn.inputs), "throughput", **options
    )
    assert here["ideal"] == there["ideal"] and here["packet_hops"] == there["packet_hops"] > 0


def test_uniform_packets_leave_their_host(mixed: _core.Network) -> None:
    """All ranks on the eight ports of one host: nothing to send; on two hosts every packet crosses a link of both."""
    first = host_of(PORTS).index(2)
    options = {"loads": "0.2", "cycles": 400, "warm_up": 100, "drain": 2000, "saturation": False}

    def curve(mapping: list[int]) -> netloom.Answer:
        scenario = netloom.Scenario(mixed, workload="uniform(seed=1)", mapping=mapping, routing="single-minimal")
        return netloom.evaluate(scenario, "throughput", **options)

    assert curve(list(range(first, first + 8)))["packet_hops"] == 0
    assert curve(list(range(first, first + 10)))["packet_hops"] > 0


def test_contentions_are_counted_between_hosts(mixed: _core.Network, drawn: Drawn) -> None:
    """From the paths of the routing, message by message."""
    schedule = netloom.workload("alltoall:pairwise", sum(PORTS), size_bytes=64)
    routing = mixed.routing("single-minimal")
    ends = mixed.endpoint_switch
    expected = 0
    for step in range(1, sum(PORTS)):
        on: dict[int, int] = {}
        for rank in range(sum(PORTS)):
            other = (rank + step) % sum(PORTS)
            if drawn.home[rank] != drawn.home[other]:
                a, b = int(ends[drawn.mapping[rank]]), int(ends[drawn.mapping[other]])
                for link in routing.paths(a, b)[0]["links"] if a != b else []:
                    on[int(link)] = on.get(int(link), 0) + 1
        expected += sum(count - 1 for count in on.values())
    found = netloom.map_ranks(mixed, workload=schedule, objective="contentions", optimiser="two-opt", **drawn.inputs)
    assert found["start_value"] == expected
    scenario = _core.Scenario(mixed, [_core.Job("a", schedule, drawn.mapping, routing="single-minimal")])
    assert _core.evaluate(scenario, "contentions")["record"]["contentions"] == expected


@pytest.mark.parametrize("objective", ["hop-bytes", "inter-node", "max-link-load", "step-load", "time"])
def test_objectives_count_what_leaves(
    mixed: _core.Network, separate: _core.Network, drawn: Drawn, objective: str
) -> None:
    given = {"objective": objective, "optimiser": "two-opt", **drawn.inputs}
    here = netloom.map_ranks(mixed, workload=drawn.all, **given)
    there = netloom.map_ranks(separate, workload=drawn.outside, **given)
    if objective != "inter-node":
        # Loads are counted in parts that depend on all bytes.
        assert here["start_value"] == pytest.approx(there["start_value"], rel=1e-6 if objective == "step-load" else 0)
    else:
        assert here["start_value"] == sum(size for _, _, size in drawn.leaving)
    assert here["value"] <= here["start_value"]


@pytest.mark.parametrize("host", range(6))
def test_a_job_of_one_node_puts_nothing_on_the_network(mixed: _core.Network, host: int) -> None:
    jobs = f"one g{host:03}\nother g{(host + 1) % 6:03}\n"
    scenario = netloom.Scenario(mixed, jobs=jobs, workload="alltoall:pairwise", size_bytes="1 MB", cores=2)
    answer = netloom.evaluate(scenario, "loads")
    assert answer["bytes_sent"] == 0 and not np.asarray(answer.link_bytes).any()
    assert netloom.evaluate({**scenario, "calibration": "pure"}, "time")["time_s"] == 0.0


def seats_by_endpoint(seats: int) -> list[int]:
    """Of a node with so many seats: seat s is at port s * ports // seats of its host."""
    return [
        sum(1 for seat in range(seats) if seat * count // seats == port) for count in PORTS for port in range(count)
    ]


@pytest.mark.parametrize("seats", [2, 3, 6, 8])
def test_ranks_of_a_host_go_to_the_nearest_port(mixed: _core.Network, seats: int) -> None:
    """Hosts of 1, 2, 3 and 8 ports have as many seats each; a port has those that are nearest."""
    room = seats_by_endpoint(seats)
    node = f"node(cores={seats})"
    found = bound_job(netloom.Scenario(mixed, workload="shift(k=1)", node=node)).mapping
    assert np.bincount(found, minlength=sum(PORTS)).tolist() == room
    assert sum(room) == seats * len(PORTS)
    two = bound_job(netloom.Scenario(mixed, workload="shift(k=1)", node=node, ranks=seats * 2)).mapping
    assert {host_of(PORTS)[end] for end in two} == {0, 1}


def test_a_node_costs_what_its_levels_cost(mixed: _core.Network) -> None:
    """One message between two cores of the host with eight ports: over the links of both cores, 1 GB/s each."""
    rows = [(0, 5, 10**6)]
    first = host_of(PORTS).index(2)
    mapping = list(range(first, first + 8))
    node = "node(cores=8,core_bandwidth=1e9,core_latency=1e-6)"
    scenario = netloom.Scenario(mixed, workload=traffic(rows, 8), mapping=mapping, node=node)
    for model in ("time", "packet"):
        assert netloom.evaluate({**scenario, "calibration": "pure"}, model)["time_s"] == pytest.approx(
            1e-3 + 2e-6, rel=5e-3
        )
    answer = netloom.evaluate(scenario, "loads")
    assert (answer["bytes_sent"], answer["inside_bytes"]) == (0, 10**6)


def test_nics_must_be_those_of_the_file(mixed: _core.Network) -> None:
    with pytest.raises(netloom.NetloomError, match=r"NL-A007 node\.nics must be 1, or the 1 to 8 ports"):
        netloom.hops(mixed, workload="shift(k=1)", node="node(cores=8,nics=2)")
    even = network([2, 2, 2])
    for nics in (1, 2):
        given = {"workload": "shift(k=1)", "node": f"node(cores=8,nics={nics})"}
        assert netloom.hops(even, **given)["inter_node_messages"] == 3


def test_a_search_stays_on_the_seats_that_there_are(mixed: _core.Network) -> None:
    room = seats_by_endpoint(6)
    for free in (False, True):
        given = {"workload": "shift(k=7)", "node": "node(cores=6)", "ranks": 20, "optimiser": "two-opt"}
        found = netloom.map_ranks(mixed, objective="inter-node", free=free, **given)
        used = np.bincount(found["mapping"], minlength=sum(PORTS))
        assert (used <= room).all() and used.sum() == 20
        assert found["value"] <= found["start_value"]


def test_tasks_of_a_job_are_spread_over_hosts_then_ports(mixed: _core.Network) -> None:
    """Slurm gives nodes of any number of ports as many tasks each."""
    table = "JOBID|NAME|STATE|NODES|CPUS|TASKS|NODELIST\n7|wrf|RUNNING|3|24|12|g[000-002]\n"
    (job,) = read_jobs(table, mixed)
    ranks = np.bincount(job.endpoint_of_rank(), minlength=sum(PORTS))
    assert ranks[:3].tolist() == [4, 2, 2] and sorted(ranks[3:11].tolist()) == [0, 0, 0, 0, 1, 1, 1, 1]
