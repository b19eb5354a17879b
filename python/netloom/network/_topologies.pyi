"""Generated from the registry (`python -m netloom.reference.constructors`); a test keeps it current."""

from collections.abc import Sequence
from typing import Literal

from .._core import Network

def ring(
    n: int,
    *,
    p: int = 1,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Ring: switch i is joined to i+1 mod n.

    Parameters
    ----------
    n : an integer in 2..67108864
        number of switches
    p : an integer in 1..67108864, default 1
        endpoints per switch
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Restrictions
    ------------
    ring(2) has one cable.

    Source
    ------
    Cui 2024 section 2.1.2 with n = 1; Dally and Towles, Principles and Practices of Interconnection Networks, 2004,
    chapter 5

    Example: `ring(8)`
    """

cycle = ring

def mesh(
    *dims: int,
    p: int = 1,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Mesh: a grid without wrap-around links.

    Parameters
    ----------
    dims : one or more integers in 1..67108864
        extent of each dimension
    p : an integer in 1..67108864, default 1
        endpoints per switch
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Source
    ------
    Cui 2024 section 2.1.2; bisection: Aroca and Fernandez Anta, Bisection (band)width of product networks, IEEE TPDS
    25(3), 2014

    Example: `mesh(4,4)`
    """

grid = mesh

def torus(
    *dims: int,
    wrap: bool | Sequence[bool] = True,
    double: bool | Sequence[bool] = False,
    p: int = 1,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Torus: a grid whose dimensions close into rings, each or all of them.

    Parameters
    ----------
    dims : one or more integers in 1..67108864
        extent of each dimension
    wrap : a list of true and false, default true
        does the dimension close into a ring? one value or one for each
    double : a list of true and false, default false
        two cables in a wrapped dimension of extent 2? one or each
    p : an integer in 1..67108864, default 1
        endpoints per switch
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Restrictions
    ------------
    A dimension of extent 2 has one cable per pair of switches, two where `double` is true.

    Source
    ------
    Cui 2024 section 2.1.2; bisection: Aroca and Fernandez Anta, Bisection (band)width of product networks, IEEE TPDS
    25(3), 2014

    Example: `torus(4,4,2)`
    """

def hypercube(
    n: int,
    *,
    p: int = 1,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Hypercube: 2^n switches, joined if their numbers differ in one bit.

    Parameters
    ----------
    n : an integer in 1..31
        dimensions; 2^n switches
    p : an integer in 1..67108864, default 1
        endpoints per switch
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Restrictions
    ------------
    Dimension 0 is the most significant bit of a switch number.

    Source
    ------
    Cui 2024 section 2.1.2 with errata E0-04, E0-05

    Example: `hypercube(4)`
    """

binary_n_cube = hypercube

def complete(
    n: int,
    *,
    p: int = 1,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Complete graph: every switch is joined to every other; complete(1) is one crossbar.

    Parameters
    ----------
    n : an integer in 1..67108864
        number of switches
    p : an integer in 1..67108864, default 1
        endpoints per switch
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Source
    ------
    Jain 2016 section 2.1, the full topology

    Example: `complete(6)`
    """

full_mesh = complete
crossbar = complete

def hyperx(
    *dims: int,
    parallel: int | Sequence[int] = 1,
    p: int = 1,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""HyperX: a grid whose lines are complete graphs, with parallel cables per dimension.

    Parameters
    ----------
    dims : one or more integers in 1..67108864
        extent of each dimension
    parallel : one or more integers in 1..67108864, default 1
        parallel cables in each dimension; one value or one for each
    p : an integer in 1..67108864, default 1
        endpoints per switch
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Source
    ------
    Ahn, Binkert, Davis, McLaren, Schreiber, HyperX: topology, routing, and packaging of efficient large-scale networks,
    SC 2009

    Example: `hyperx(4,3,parallel=[1,2])`
    """

hamming = hyperx

def flattened_butterfly(
    k: int,
    n: int,
    *,
    p: int | None = None,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Flattened butterfly: the k-ary n-flat, k^(n-1) switches with k endpoints each.

    Parameters
    ----------
    k : an integer in 1..67108864
        extent of each dimension
    n : an integer in 1..67108864
        stages of the butterfly: the network has n-1 dimensions
    p : an integer in 1..67108864
        endpoints per switch; k if absent, as in the paper
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Source
    ------
    Kim, Dally, Abts, Flattened butterfly: a cost-efficient topology for high-radix networks, ISCA 2007

    Example: `flattened_butterfly(k=4,n=3)`
    """

k_ary_n_flat = flattened_butterfly

def butterfly(
    k: int,
    n: int,
    *,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Butterfly: the k-ary n-fly, n stages of k^(n-1) switches whose links go one way; one path between two endpoints.

    Parameters
    ----------
    k : an integer in 2..67108864
        inputs of a switch, and outputs
    n : an integer in 1..26
        stages of switches; k^n endpoints
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Restrictions
    ------------
    Every endpoint is a switch of its own, with a cable to the first stage and one from the last.

    Source
    ------
    Dally and Towles, Principles and Practices of Interconnection Networks, 2004, chapter 4

    Example: `butterfly(k=2,n=3)`
    """

k_ary_n_fly = butterfly

def star(
    n: int,
    *,
    p: int = 1,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Star: n leaf switches with the endpoints, joined to one hub, which is switch n.

    Parameters
    ----------
    n : an integer in 1..67108864
        number of leaf switches
    p : an integer in 1..67108864, default 1
        endpoints per leaf switch
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Restrictions
    ------------
    A single crossbar with endpoints is complete(1,p=...).

    Source
    ------
    Jain 2016 section 2.1, star

    Example: `star(6)`
    """

def k_ary_n_tree(
    k: int,
    n: int,
    *,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""k-ary n-tree: n levels of k^(n-1) switches, k^n endpoints, full bandwidth at every level.

    Parameters
    ----------
    k : an integer in 1..67108864
        children of a switch, and parents
    n : an integer in 1..32
        levels of switches; k^n endpoints
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Source
    ------
    Navaridas 2009 section 3.2 with errata E1-05, E1-06; Petrini and Vanneschi, k-ary n-trees, IPPS 1997

    Example: `k_ary_n_tree(k=4,n=3)`
    """

def thin_tree(
    down: int,
    up: int,
    levels: int,
    *,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Thin tree: the k:k'-ary n-thin-tree, k children and only k' parents per switch.

    Parameters
    ----------
    down : an integer in 1..67108864
        downward ports of a switch (k)
    up : an integer in 1..67108864
        upward ports of a switch (k')
    levels : an integer in 1..32
        levels of switches (n); down^levels endpoints
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Restrictions
    ------------
    up must not exceed down.

    Source
    ------
    Navaridas 2009 sections 3.2, 3.3, table 1 with errata E1-01 to E1-08

    Example: `thin_tree(down=4,up=2,levels=3)`
    """

def fat_tree(
    radix: int,
    levels: int = 3,
    *,
    top: Literal["doubled", "full"] = "doubled",
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Fat tree of switches of one radix: half of the ports go down, half go up.

    Parameters
    ----------
    radix : an integer in 2..67108864
        ports of a switch
    levels : an integer in 2..32, default 3
        levels of switches
    top : one of doubled, full, default doubled
        doubled: half as many top switches, two cables per pair; full: twice as many endpoints, one cable per pair
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Restrictions
    ------------
    radix must be a multiple of 4 with top="doubled", even with top="full".

    Source
    ------
    Jain 2016 section 5.3.1; top="full": Al-Fares, Loukissas, Vahdat, A scalable, commodity data center network
    architecture, SIGCOMM 2008

    Example: `fat_tree(radix=8,levels=3)`
    """

folded_clos = fat_tree

def xgft(
    m: int | Sequence[int],
    w: int | Sequence[int],
    parallel: int | Sequence[int] = 1,
    *,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Extended generalised fat tree: children, parents and parallel cables for every level.

    Parameters
    ----------
    m : one or more integers in 1..67108864
        children of a node at level 1, 2, ...; m[0] endpoints per leaf switch
    w : one or more integers in 1..67108864
        parents of a node at level 0, 1, ...; w[0] = 1 belongs to the endpoints
    parallel : one or more integers in 1..67108864, default 1
        cables to each of those parents; parallel[0] = 1
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Restrictions
    ------------
    m, w and parallel have one entry per level; w[0] and parallel[0] are 1 (an endpoint has one link).

    Source
    ------
    Ohring, Ibel, Das, Kumar, On generalized fat trees, IPPS 1995; parallel cables as in Zahavi's PGFT (2010) and
    SimGrid's FAT_TREE

    Example: `xgft(m=[4,4,8],w=[1,2,2],parallel=[1,1,2])`
    """

def dragonfly(
    a: int | None = None,
    p: int = 1,
    g: int | None = None,
    *,
    h: int,
    arrangement: Literal["absolute", "relative", "circulant", "round-robin"] = "absolute",
    group: int | Sequence[int] | None = None,
    local_parallel: int | Sequence[int] = 1,
    global_parallel: int | None = None,
    global_bandwidth: float | str | None = None,
    global_latency: float | str | None = None,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Dragonfly: g groups of a switches with h global ports each; groups are complete graphs or grids of them.

    Parameters
    ----------
    a : an integer in 1..67108864
        switches per group; may be left out if `group` is given
    p : an integer in 1..67108864, default 1
        endpoints per switch
    h : an integer in 1..67108864
        global ports per switch
    g : an integer in 1..67108864
        groups; as many as the global ports can join if absent
    arrangement : one of absolute, relative, circulant, round-robin, default absolute
        which global port leads to which group
    group : one or more integers in 1..67108864
        extents of a group whose lines are complete graphs; [a] if absent
    local_parallel : one or more integers in 1..67108864, default 1
        cables per pair inside a group; one value or one per extent
    global_parallel : an integer in 1..67108864
        cables per pair of groups; as many as fit if absent
    global_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of a global link; as `bandwidth` if absent
    global_latency : a time such as "100 ns"
        latency of a global link; as `latency` if absent
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Restrictions
    ------------
    g must not exceed a*h+1 (a*h with round-robin). Global ports that cannot be spread evenly over the pairs of groups
    stay free.

    Source
    ------
    Kim, Dally, Scott, Abts, Technology-driven, highly-scalable dragonfly topology, ISCA 2008; arrangements: Hastings et
    al., Comparing global link arrangements for dragonfly networks, CLUSTER 2015; round-robin: Jain 2016 section 8.1.1;
    grids: section 3.2.1; formulas of Cui 2024 corrected by E0-08 to E0-12

    Example: `dragonfly(a=4,p=2,h=2,g=9)`
    """

def dragonfly_plus(
    leaves: int,
    spines: int,
    h: int,
    g: int | None = None,
    p: int = 1,
    *,
    arrangement: Literal["absolute", "relative", "circulant", "round-robin"] = "absolute",
    local_parallel: int = 1,
    global_parallel: int | None = None,
    global_bandwidth: float | str | None = None,
    global_latency: float | str | None = None,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Dragonfly+: groups of leaf and spine switches; every pair of groups is joined spine to spine.

    Parameters
    ----------
    leaves : an integer in 1..67108864
        leaf switches per group, with the endpoints
    spines : an integer in 1..67108864
        spine switches per group, with the global ports
    h : an integer in 1..67108864
        global ports per spine
    g : an integer in 1..67108864
        groups; as many as the global ports can join if absent
    p : an integer in 1..67108864, default 1
        endpoints per leaf
    arrangement : one of absolute, relative, circulant, round-robin, default absolute
        which global port leads to which group
    local_parallel : an integer in 1..67108864, default 1
        cables per leaf and spine
    global_parallel : an integer in 1..67108864
        cables per pair of groups; as many as fit if absent
    global_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of a global link; as `bandwidth` if absent
    global_latency : a time such as "100 ns"
        latency of a global link; as `latency` if absent
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Restrictions
    ------------
    g must not exceed spines*h+1 (spines*h with round-robin). Global ports that cannot be spread evenly over the pairs
    of groups stay free.

    Source
    ------
    Shpiner, Haramaty, Eliad, Zdornov, Gafni, Zahavi, Dragonfly+: low cost topology for scaling datacenters, HiPINEB
    2017; Flajslik, Borch, Parker, Megafly, ISC 2018

    Example: `dragonfly_plus(leaves=4,spines=4,h=2,g=9,p=4)`
    """

megafly = dragonfly_plus

def rail_cluster(
    nodes: int = 128,
    gpus: int = 8,
    rails: int | None = None,
    pod: int | None = None,
    *,
    oversubscription: float = 1,
    spine: Literal["shared", "rails", "absent"] = "shared",
    spines: int | None = None,
    radix: int = 64,
    nvlink_bandwidth: float | str = "3.6 Tbps",
    nvlink_latency: float | str = "100 ns",
    nic_bandwidth: float | str = "400 Gbps",
    spine_bandwidth: float | str | None = None,
    latency: float | str = "130 ns",
    pcie_bandwidth: float | str = "512 Gbps",
    pcie_latency: float | str = "100 ns",
    gpu_bandwidth: float | str = "26.8 Tbps",
    gpu_latency: float | str = "0 ns",
) -> Network:
    r"""Rail-optimised GPU cluster: NVLink inside a node, GPU i of every node on the leaf switches of rail i.

    Parameters
    ----------
    nodes : an integer in 1..67108864, default 128
        nodes
    gpus : an integer in 1..67108864, default 8
        GPUs per node, each of them an endpoint
    rails : an integer in 1..67108864
        rails, which are NICs per node: a divisor of gpus, which is the default
    pod : an integer in 1..67108864
        nodes per pod, which share the leaf of each rail; 32 or all nodes if absent
    oversubscription : a number in 0.001..1000000, default 1
        cables of a leaf to the nodes of a full pod over its cables to the spines
    spine : one of shared, rails, absent, default shared
        shared: one plane joins all leaves; rails: a plane of its own per rail; absent: one pod, no spines
    spines : an integer in 1..67108864
        spines of a plane: if absent as few as have no more ports than a leaf, or than radix; a third tier where there
        are none
    radix : an integer in 2..65536, default 64
        ports that a leaf, spine or core has at most; 64 of 400 Gb/s: QM9700
    nvlink_bandwidth : a bandwidth such as "100 Gbps", default "3.6 Tbps"
        of a GPU to its NVLink switch, per direction: NVLink 4
    nvlink_latency : a time such as "100 ns", default "100 ns"
        of a GPU to its NVLink switch: an assumption, no vendor gives it
    nic_bandwidth : a bandwidth such as "100 Gbps", default "400 Gbps"
        of a NIC to its leaf: ConnectX-7, NDR
    spine_bandwidth : a bandwidth such as "100 Gbps"
        of a leaf to a spine; as `nic_bandwidth` if absent
    latency : a time such as "100 ns", default "130 ns"
        of a link to or from a leaf; port to port of a QM8700
    pcie_bandwidth : a bandwidth such as "100 Gbps", default "512 Gbps"
        of a GPU to the NIC it shares: PCIe 5.0 x16
    pcie_latency : a time such as "100 ns", default "100 ns"
        of a GPU to the NIC it shares: an assumption
    gpu_bandwidth : a bandwidth such as "100 Gbps", default "26.8 Tbps"
        of a GPU's injection and ejection: its memory, HBM3 of an H100 SXM
    gpu_latency : a time such as "100 ns", default "0 ns"
        of a GPU's injection and ejection

    Restrictions
    ------------
    rails must divide gpus; pod / oversubscription must be an integer, which spines must divide; spine=absent needs one
    pod; no switch has more than radix ports, in three tiers at most.

    Source
    ------
    NVIDIA DGX SuperPOD reference architecture DGX H100, RA-11333-001 (2023); NVIDIA H100 data sheet (2023)

    Example: `rail_cluster(nodes=8,gpus=4,pod=4)`
    """

rail_optimised = rail_cluster
superpod = rail_cluster

def slim_fly(
    q: int,
    *,
    p: int = 1,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Slim Fly (MMS graph): 2q^2 switches, diameter 2, close to the Moore bound.

    Parameters
    ----------
    q : an integer in 3..512
        prime power with q mod 4 in 0, 1, 3
    p : an integer in 1..67108864, default 1
        endpoints per switch
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Restrictions
    ------------
    q must be a prime power of the form 4w-1, 4w or 4w+1. The paper's balanced network has p = ceil(degree/2).

    Source
    ------
    Besta and Hoefler, Slim Fly: a cost effective low-diameter network topology, SC 2014; McKay, Miller, Siran, A note
    on large graphs of diameter two and given maximum degree, J. Combin. Theory B 74, 1998; Hafner, Geometric
    realisation of the graphs of McKay-Miller-Siran, 2004

    Example: `slim_fly(q=5)`
    """

mms = slim_fly

def circulant(
    n: int,
    *jumps: int | Literal["pow2"],
    p: int = 1,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Circulant: switch i is joined to i+c and i-c mod n for every jump c; pow2 is the G(n,k) of the thesis.

    Parameters
    ----------
    n : an integer in 2..67108864
        number of switches
    jumps : one or more integers in 1..67108864, or pow2
        distances that are joined, up to n/2; pow2: 1, 2, 4, ...
    p : an integer in 1..67108864, default 1
        endpoints per switch
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Restrictions
    ------------
    Jumps are different, at most n/2, and without a divisor in common with n (else the network falls apart).

    Source
    ------
    Cui 2024 section 4.2; Wong and Coppersmith, J. ACM 21(3), 1974

    Example: `circulant(16,1,3)`
    """

multi_ring = circulant
distributed_loop = circulant

def recursive_circulant(
    n: int,
    d: int,
    *,
    p: int = 1,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Recursive circulant G(n,d): the circulant with jumps 1, d, d^2, ...

    Parameters
    ----------
    n : an integer in 2..67108864
        number of switches, c*d^m with 1 <= c < d
    d : an integer in 2..67108864
        ratio of consecutive jumps
    p : an integer in 1..67108864, default 1
        endpoints per switch
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Restrictions
    ------------
    n must be c*d^m with 1 <= c < d.

    Source
    ------
    Park and Chwa, Recursive circulant: a new topology for multicomputer networks, ISPAN 1994

    Example: `recursive_circulant(16,4)`
    """

def de_bruijn(
    b: int,
    n: int,
    *,
    p: int = 1,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""De Bruijn: b^n switches; v is joined to v*b+s mod b^n for s in 0..b; degree at most 2b.

    Parameters
    ----------
    b : an integer in 2..67108864
        arcs that leave a switch
    n : an integer in 1..31
        length of the words, the directed diameter
    p : an integer in 1..67108864, default 1
        endpoints per switch
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Restrictions
    ------------
    Loops and doubled cables of the digraph are left out.

    Source
    ------
    de Bruijn, A combinatorial problem, 1946; Samatham and Pradhan, The de Bruijn multiprocessor network, IEEE TC 38(4),
    1989

    Example: `de_bruijn(2,4)`
    """

debruijn = de_bruijn

def kautz(
    b: int,
    n: int,
    *,
    p: int = 1,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Kautz: b^n+b^(n-1) switches; v is joined to -(v*b+s) mod that for s in 1..b; degree at most 2b.

    Parameters
    ----------
    b : an integer in 2..67108864
        arcs that leave a switch
    n : an integer in 1..31
        length of the words, the directed diameter
    p : an integer in 1..67108864, default 1
        endpoints per switch
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Restrictions
    ------------
    Doubled cables of the digraph are left out.

    Source
    ------
    Kautz, Bounds on directed (d,k) graphs, 1968; numbering: Imase and Itoh, A design for directed graphs with minimum
    diameter, IEEE TC 32(8), 1983

    Example: `kautz(2,3)`
    """

def random_shortcut(
    n: int,
    degree: int,
    seed: int = 1,
    base: int | Sequence[int] | Literal["ring"] = "ring",
    *,
    p: int = 1,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Random shortcuts: a ring (or torus) and random links, every switch of the same degree.

    Parameters
    ----------
    n : an integer in 3..67108864
        number of switches
    degree : an integer in 2..67108864
        switch-to-switch ports, those of the base included
    seed : an integer >= 0, default 1
        seed of the random draws
    base : one or more integers in 1..67108864, or ring, default ring
        regular network that the shortcuts are added to: ring, or the extents of a torus
    p : an integer in 1..67108864, default 1
        endpoints per switch
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Restrictions
    ------------
    degree includes the base links and is below n; if n*degree is odd the last switch has one link less.

    Source
    ------
    Cui 2024 sections 2.1.3, 3.4.1; Koibuchi, Matsutani, Amano, Hsu, Casanova, A case for random shortcut topologies for
    HPC interconnects, ISCA 2012

    Example: `random_shortcut(32,degree=5,seed=1)`
    """

dln = random_shortcut

def random_regular(
    n: int,
    degree: int,
    seed: int = 1,
    *,
    p: int = 1,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Random regular graph (Jellyfish): every switch of the same degree, links drawn at random.

    Parameters
    ----------
    n : an integer in 4..67108864
        number of switches
    degree : an integer in 3..67108864
        switch-to-switch ports
    seed : an integer >= 0, default 1
        seed of the random draws
    p : an integer in 1..67108864, default 1
        endpoints per switch
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Restrictions
    ------------
    3 <= degree < n, and n*degree is even. Draws that fall apart are repeated.

    Source
    ------
    Singla, Hong, Popa, Godfrey, Jellyfish: networking data centers randomly, NSDI 2012; McKay and Wormald, Uniform
    generation of random regular graphs of moderate degree, J. Algorithms 11, 1990

    Example: `random_regular(32,degree=4,seed=1)`
    """

jellyfish = random_regular

def xpander(
    degree: int,
    lift: int,
    seed: int = 1,
    *,
    p: int = 1,
    bandwidth: float | str = "100 Gbps",
    latency: float | str = "100 ns",
    endpoint_bandwidth: float | str | None = None,
    endpoint_latency: float | str | None = None,
) -> Network:
    r"""Xpander: degree+1 groups of `lift` switches; a random perfect matching joins every pair of groups.

    Parameters
    ----------
    degree : an integer in 2..67108864
        switch-to-switch ports
    lift : an integer in 1..67108864
        switches per group; (degree+1)*lift in all
    seed : an integer >= 0, default 1
        seed of the random draws
    p : an integer in 1..67108864, default 1
        endpoints per switch
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        bandwidth of a link between switches
    latency : a time such as "100 ns", default "100 ns"
        latency of a link between switches
    endpoint_bandwidth : a bandwidth such as "100 Gbps"
        bandwidth of an endpoint's link; as `bandwidth` if absent
    endpoint_latency : a time such as "100 ns"
        latency of an endpoint's link; as `latency` if absent

    Restrictions
    ------------
    One random lift; the paper's repeated 2-lifts chosen by their eigenvalue are not built. Draws that fall apart are
    repeated.

    Source
    ------
    Valadarsky, Shahaf, Dinitz, Schapira, Xpander: towards optimal-performance datacenters, CoNEXT 2016; Bilu and
    Linial, Lifts, discrepancy and nearly optimal spectral gap, Combinatorica 26, 2006

    Example: `xpander(degree=4,lift=6,seed=1)`
    """

def simple(
    n: int,
    *,
    alpha: float | str = "1 us",
    bandwidth: float | str = "100 Gbps",
    serial: bool = False,
) -> Network:
    r"""Simple: no topology; a message of b bytes takes alpha + b / bandwidth, alone or with its sender's others.

    Parameters
    ----------
    n : an integer in 1..67108864
        endpoints
    alpha : a time such as "100 ns", default "1 us"
        latency of every message
    bandwidth : a bandwidth such as "100 Gbps", default "100 Gbps"
        rate of every message, whatever else moves
    serial : true or false, default false
        the messages that an endpoint sends share its bandwidth

    Restrictions
    ------------
    For simulated time, by flows and packets: it has no links to count, and hops, loads and offered load refuse it.

    Source
    ------
    Culler et al., LogP, 1993; Alexandrov et al., LogGP, 1995; Jain 2016, sections 2.5 and 5.3

    Example: `simple(4)`
    """

alpha_beta = simple
loggp = simple
