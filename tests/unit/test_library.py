"""Choices of libraries: thresholds from both sides, and every chosen call builds."""

from __future__ import annotations

import pytest

from netloom import _core
from netloom.base.errors import NetloomError
from netloom.base.quantities import time_text
from netloom.library import Communicator, choose, library, names, of_text
from netloom.library.nccl import NCCL, between
from netloom.library.rccl import _SIZES
from netloom.scenario.rates import rates_of

COLLECTIVES = ("allreduce", "allgather", "reduce-scatter", "broadcast", "reduce", "alltoall", "gather", "scatter")
MPI = ("openmpi", "openmpi-5", "mpich", "cray-mpich")
HGX = {"nics": 8, "nic_bytes_per_s": 50e9, "gpu_bytes_per_s": 450e9}


def call(name: str, collective: str, size: int, ranks: int) -> str:
    return choose(name, collective, size, Communicator(ranks)).call()


@pytest.mark.parametrize(
    ("name", "collective", "ranks", "limit", "below", "above"),
    [
        ("cray-mpich", "allreduce", 16, 2049, "allreduce:recursive-doubling", "allreduce:rabenseifner"),
        ("mpich", "reduce", 16, 2049, "reduce:binomial", "reduce:rabenseifner"),
        ("mpich", "broadcast", 16, 12289, "broadcast:binomial", "broadcast:scatter-allgather"),
        ("mpich", "broadcast", 16, 524289, "broadcast:scatter-allgather", "broadcast:scatter-ring"),
        ("mpich", "broadcast", 12, 12289, "broadcast:binomial", "broadcast:scatter-ring"),
        ("mpich", "allgather", 16, 32768, "allgather:recursive-doubling", "allgather:ring"),
        ("mpich", "allgather", 10, 8192, "allgather:bruck(k=2)", "allgather:ring"),
        ("mpich", "alltoall", 16, 257, "alltoall:bruck(k=2)", "alltoall:scattered(window=32)"),
        ("mpich", "alltoall", 16, 32769, "alltoall:scattered(window=32)", "alltoall:pairwise"),
        ("mpich", "reduce-scatter", 16, 32768, "reduce-scatter:recursive-halving", "reduce-scatter:pairwise"),
        ("openmpi", "allgather", 40, 1024, "allgather:bruck(k=2)", "allgather:neighbour-exchange"),
        ("openmpi", "allgather", 40, 65536, "allgather:neighbour-exchange", "allgather:ring"),
    ],
)
def test_thresholds(name: str, collective: str, ranks: int, limit: int, below: str, above: str) -> None:
    assert call(name, collective, limit - 1, ranks) == below
    assert call(name, collective, limit, ranks) == above


def test_cray_has_the_rules_of_its_origin_but_for_short_allreduces() -> None:
    for collective in COLLECTIVES:
        for size in (8, 1 << 12, 1 << 20, 1 << 26):
            assert call("cray-mpich", collective, size, 32) == call("mpich", collective, size, 32)
    assert call("cray-mpich", "allreduce", 1024, 16) != call("mpich", "allreduce", 1024, 16)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("local", [1, 4, 8])
def test_every_choice_builds(name: str, local: int) -> None:
    for ranks in range(1, 66):
        at = Communicator(ranks, min(local, ranks), local, 25e9, 450e9)
        for collective in COLLECTIVES:
            for size in (0, 1, 8, 1000, 1 << 14, 1 << 20, 1 << 28):
                made = choose(name, collective, size, at)
                assert made.call().startswith(f"{collective}:")
                # Beyond, all of them have been built once.
                if ranks in (1, 2, 3, 5, 8, 12, 16, 31, 32, 33, 64, 65) or size in (8, 1 << 20):
                    _core.Schedule.build(made.call(), ranks, 0, size)


def test_nearest_schedules_say_how_they_differ() -> None:
    made = choose("openmpi", "reduce-scatter", 1 << 16, Communicator(64))
    assert made.own and made.sentence().startswith("openmpi 4.1.4 chooses reduce-scatter:")
    assert choose("nccl", "allreduce", 1 << 30, Communicator(8, 8, **HGX)).note
    assert not choose("nccl", "allreduce", 8, Communicator(80, 8, **HGX)).note
    assert not choose("openmpi", "allreduce", 8, Communicator(16)).note
    inside = choose("mpich", "allreduce", 8, Communicator(64, 32))
    assert "ranks of one node" in inside.note
    # coll/tuned does not look at nodes.
    assert not choose("openmpi", "allgather", 8, Communicator(64, 32)).note


def test_nccl_takes_trees_and_ll_for_small_and_rings_and_simple_for_large_vectors() -> None:
    at = Communicator(80, 8, **HGX)
    small, large = (choose("nccl", "allreduce", size, at) for size in (1024, 1 << 30))
    assert (small.own, small.channels, small.protocol) == ("tree ll", 1, "ll")
    assert (large.own, large.channels, large.protocol) == ("ring simple", 8, "simple")
    assert large.call() == "allreduce:ring(channels=8,local=8,protocol=simple)"
    assert choose("nccl", "allreduce", 1 << 26, Communicator(8, 8, **HGX)).own == "nvls simple"
    # Without a switch that combines.
    ampere = Communicator(8, 8, 8, 25e9, 300e9)
    assert choose("nccl", "allreduce", 1 << 26, ampere).own == "ring simple"


def test_nccl_expects_what_its_table_says() -> None:
    """One case by hand: 8 B on 64 nodes of 4, tree with LL: 6.8 + 2 (3 x 0.6 + 6 x 5.0) = 70.4 µs."""
    at = Communicator(256, 4, 4, 25e9, 450e9)
    made = choose("nccl", "allreduce", 8, at)
    assert made.own == "tree ll" and "70.4 µs" in made.rule
    # Ring, Simple, 1 GiB: base, 138 steps of 3.4 inside and 20 of 14 between, times 1.4; of 8 x 48 GB/s the 360
    # that its search finds inside a node, 80 / 158 of it.
    large = choose("nccl", "allreduce", 1 << 30, Communicator(80, 8, **HGX))
    expected = 1.4 * (8.4 + 138 * 3.4 + 20 * 14.0) + (1 << 30) / (360e3 * 80 / 158)
    assert large.rule.startswith(f"it expects {time_text(1e-6 * expected)}, and ")


def test_sends_of_nccl_are_ll_up_to_16_kib() -> None:
    at = Communicator(16, 8, **HGX)
    assert choose("nccl", "alltoall", 16384, at).call() == "alltoall:linear(protocol=ll)"
    assert choose("nccl", "alltoall", 16385, at).call() == "alltoall:linear(protocol=simple)"


def test_channels_grow_with_the_vector() -> None:
    at = Communicator(80, 8, **HGX)
    assert [choose("nccl", "allreduce", size, at).channels for size in (4096, 8191, 8192, 32768)] == [1, 1, 2, 8]


def test_rccl_has_27_sizes() -> None:
    assert {len(row) for rows in _SIZES.values() for row in rows} == {27}


def test_names() -> None:
    assert library("OMPI").name == library("open-mpi").name == "openmpi"
    assert library("ompi5").name == library("OMPI-5").name == library("open-mpi-5").name == "openmpi-5"
    words = {
        "Open MPI 5.0.2": "openmpi-5",
        "ompi 5": "openmpi-5",
        "openmpi-5": "openmpi-5",
        "Open MPI v5.0": "openmpi-5",
    }
    words |= {"Open MPI": "openmpi", "Open MPI 1.10": "openmpi"}
    words |= {"Open MPI 4.1.6": "openmpi", "ompi 4.1.5": "openmpi", "cray-mpich 8.1.29": "cray-mpich"}
    words["Cray_MPICH"] = "cray-mpich"
    words |= {
        "MPICH 4.0": "mpich",
        "nccl": "nccl",
        "NCCL 2.19": "nccl",
        "fujitsu-mpi 4": "",
        "": "",
        "pico on ompi": "",
    }
    assert {text: of_text(text) for text in words} == words
    with pytest.raises(NetloomError, match='did you mean "openmpi"'):
        library("openmp")


@pytest.mark.parametrize(("name", "collective"), [("nccl", "barrier"), ("rccl", "scan"), ("openmpi", "scan")])
def test_an_operation_that_a_library_has_not(name: str, collective: str) -> None:
    with pytest.raises(NetloomError, match=f"{name} has no {collective}"):
        choose(name, collective, 8, Communicator(16))


def test_the_tuner_is_a_table() -> None:
    assert set(NCCL.algorithms) == {"allreduce", "allgather", "reduce-scatter", "broadcast", "reduce"}


def test_nvls_is_where_a_switch_joins_the_gpus() -> None:
    size = 1 << 26
    assert choose("nccl", "allreduce", size, Communicator(4, 4, **HGX)).own == "nvls simple"
    assert choose("nccl", "allreduce", size, Communicator(4, 4, **HGX, is_switched=False)).own != "nvls simple"
    # The ring stands in with the protocol that it would have itself.
    assert choose("nccl", "allreduce", 1 << 25, Communicator(8, 8, **HGX)).protocol == "ll128"


@pytest.mark.parametrize(
    ("network", "node", "found"),
    [
        ("rail_cluster(nodes=2)", "", (8, 50e9, 450e9, True, False)),
        ("rail_cluster(nodes=2,gpus=4)", "", (4, 50e9, 450e9, False, False)),
        ("star(16)", 'node(gpus=8,nics=8,gpu_bandwidth="450 GBps")', (8, 12.5e9, 450e9, True, False)),
        # A, B, C, D joined by links of their own, and by PCIe.
        (
            "star(8)",
            'node(gpus=4,nics=4,gpu_bandwidth="32 GBps",links="0-1,0-2,0-3,1-2,1-3,2-3:800 Gbps")',
            (4, 12.5e9, 300e9, False, False),
        ),
        # A rack that NVLink joins is one node.
        (
            'complete(1,p=8,endpoint_bandwidth="900 GBps")',
            'node(gpus=4,nics=4,gpu_bandwidth="900 GBps")',
            (4, 900e9, 900e9, True, True),
        ),
        ("torus(4,4)", "", (1, 12.5e9, 0.0, True, False)),
        ("torus(4,4)", "node(sockets=2,cores=4)", (1, 12.5e9, 0.0, True, False)),
    ],
)
def test_rates_of_a_node(network: str, node: str, found: tuple[int, float, float, bool, bool]) -> None:
    assert tuple(rates_of(_core.Network.build(network), node, found[0])) == pytest.approx(found)


def test_a_channel_through_a_nic_has_a_rate_of_the_search() -> None:
    rates = {50e9: 48, 48.5e9: 48, 25e9: 24, 12.5e9: 12, 100e9: 96}
    for nic, expected in rates.items():
        assert between(Communicator(16, 8, 1, nic)) == pytest.approx(expected)
