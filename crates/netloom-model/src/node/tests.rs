use super::*;
use crate::call::Call;

fn node(text: &str) -> Outcome<Node> {
    let (row, bound) = NODES.bind(&Call::parse(text)?)?;
    (row.build)(&bound)
}

fn route(node: &Node, src: (u32, u32), dst: (u32, u32)) -> Vec<u32> {
    let (mut out, place) = (Vec::new(), |(endpoint, seat)| Place { endpoint, seat });
    node.route(place(src), place(dst), &mut out);
    out
}

#[test]
fn links_of_two_sockets_of_four_cores() {
    let node = node("node(sockets=2,numa=1,cores=4,core_latency=\"1 ns\")").unwrap();
    assert_eq!((node.seats(), node.links_per_node(), node.nics()), (8, 4 + 16, 1));
    assert!(route(&node, (0, 3), (0, 3)).is_empty());
    // Cores 1 and 2 of socket 0: up from one, down to the other.
    assert_eq!(route(&node, (0, 1), (0, 2)), [4 + 2, 4 + 5]);
    // Core 3 of socket 0 to core 0 of socket 1.
    assert_eq!(route(&node, (0, 3), (0, 4)), [4 + 6, 0, 3, 4 + 9]);
    // The same seats on nodes 0 and 2: all levels on both sides.
    assert_eq!(route(&node, (0, 3), (2, 4)), [4 + 6, 0, 40 + 3, 40 + 4 + 9]);
    let ups = |endpoint, seat| node.ups(Place { endpoint, seat }).collect::<Vec<_>>();
    assert_eq!((ups(0, 3), ups(2, 4)), (vec![0, 4 + 6], vec![40 + 2, 40 + 4 + 8]));
    assert_eq!(
        [0, 3, 4, 19, 20, 24].map(|link| node.levels()[node.level_of(link).unwrap()].name.as_str()),
        ["socket", "socket", "core", "core", "socket", "core"]
    );
    assert_eq!((node.class_of(0).latency_s, node.class_of(4).latency_s), (0.0, 1e-9));
}

#[test]
fn seats_are_split_over_the_nics() {
    let node = node("node(gpus=8,nics=4)").unwrap();
    assert_eq!((node.seats_per_endpoint(), node.of(7), node.of(8)), (2, 1, 2));
    // Endpoint 5 is NIC 1 of node 1: its seat 1 is GPU 3.
    assert_eq!(route(&node, (5, 1), (7, 0)), [16 + 6, 16 + 13]);
}

#[test]
fn levels_of_one_change_nothing() {
    let (full, bare) =
        (node("node(sockets=1,numa=3,caches=1,cores=2)").unwrap(), node("node(numa=3,cores=2)").unwrap());
    for (src, dst) in (0..6).flat_map(|a| (0..12).map(move |b| ((0, a), (b / 6, b % 6)))) {
        assert_eq!(route(&full, src, dst), route(&bare, src, dst));
    }
    for link in 0..2 * full.links_per_node() {
        assert_eq!(full.class_of(link), bare.class_of(link));
    }
}

#[test]
fn bad_nodes_are_refused() {
    for (text, place) in [
        ("node(cores=3,nics=2)", "node.nics"),
        ("node(cores=0)", "node.cores"),
        ("node(cores=3,core_bandwidth=0)", "node.core_bandwidth"),
        ("node(cores=3,socket_latency=\"1 ns\")", "node.socket_latency"),
        ("node(sockets=1000000,numa=1000000,caches=1000000,cores=1000000)", "node"),
    ] {
        assert_eq!(node(text).unwrap_err().0[0].place, place, "{text}");
    }
}

#[test]
fn units_that_differ_have_their_own_seats() {
    // Four cores on socket 0, three on socket 1.
    let odd = node("node(sockets=2,cores=[4,3],core_bandwidth=1e9)").unwrap();
    assert_eq!((odd.seats(), odd.links_per_node(), odd.alike()), (7, 4 + 14, 1));
    assert_eq!(route(&odd, (0, 3), (0, 4)), [4 + 6, 0, 3, 4 + 9]);
    assert_eq!(route(&odd, (0, 4), (0, 6)), [4 + 8, 4 + 13]);
    assert_eq!(route(&odd, (1, 6), (0, 0)), [18 + 4 + 12, 18 + 2, 1, 4 + 1]);
    // The only GPU of a socket has its link.
    let gpus = node("node(sockets=2,gpus=[3,1],nics=2)").unwrap();
    assert_eq!((gpus.seats_per_endpoint(), gpus.links_per_node()), (2, 4 + 8));
    assert_eq!(route(&gpus, (1, 1), (0, 0)), [4 + 6, 2, 1, 4 + 1]);
    // A list of equal numbers is the number.
    let (listed, plain) = (node("node(sockets=2,numa=[2,2],cores=3)"), node("node(sockets=2,numa=2,cores=3)"));
    let (listed, plain) = (listed.unwrap(), plain.unwrap());
    for (a, b) in (0..12).flat_map(|a| (0..12).map(move |b| ((0, a), (0, b)))) {
        assert_eq!(route(&listed, a, b), route(&plain, a, b));
    }
    assert_eq!(listed.alike(), plain.alike());
}

#[test]
fn seats_with_a_direct_link_take_it() {
    let mesh = node(
        "node(sockets=2,gpus=2,gpu_bandwidth=\"256 Gbps\",links=\"0-1,3-2:640 Gbps; 0>2:80 Gbps; 2>0:1e9\",link_latency=\"1 us\")",
    )
    .unwrap();
    let levels = 4 + 8;
    assert_eq!((mesh.links_per_node(), mesh.first_direct(), mesh.alike()), (levels + 6, levels, 1));
    // In the order of their seats: 0-1, 0-2, 2-3; there, then back.
    for (src, dst, link, bandwidth) in
        [(0, 1, 0, 80e9), (1, 0, 1, 80e9), (0, 2, 2, 10e9), (2, 0, 3, 1e9), (2, 3, 4, 80e9), (3, 2, 5, 80e9)]
    {
        assert_eq!(route(&mesh, (0, src), (0, dst)), [levels + link], "{src} {dst}");
        assert_eq!(route(&mesh, (3, src), (3, dst)), [3 * (levels + 6) + levels + link]);
        let class = mesh.class_of(levels + link);
        assert_eq!((class.bandwidth_bytes_per_s, class.latency_s), (bandwidth, 1e-6));
        assert_eq!(mesh.level_of(levels + link), None);
    }
    // Without one, and between nodes, over the levels.
    let bare = node("node(sockets=2,gpus=2)").unwrap();
    assert_eq!(route(&mesh, (0, 1), (0, 2)), route(&bare, (0, 1), (0, 2)));
    assert_eq!(route(&mesh, (0, 0), (1, 1)).len(), 4);
    assert_eq!((mesh.level_of(0), mesh.level_of(4)), (Some(0), Some(1)));
    // One way only: back over the levels.
    let one = node("node(gpus=4,links=\"2>1:8 Gbps\")").unwrap();
    assert_eq!(route(&one, (0, 2), (0, 1)), [8 + 1]);
    assert_eq!(route(&one, (0, 1), (0, 2)), [2, 5]);
    // Across the endpoints of a node too.
    let rails = node("node(gpus=4,nics=4,links=\"1-2:8 Gbps\")").unwrap();
    assert_eq!(route(&rails, (5, 0), (6, 0)), [10 + 8]);
}

#[test]
fn bad_links_and_lists_are_refused() {
    for (text, place) in [
        ("node(gpus=4,links=\"0-4:1 Gbps\")", "node.links"),
        ("node(gpus=4,links=\"0-0:1 Gbps\")", "node.links"),
        ("node(gpus=4,links=\"0-1:1 Gbps;1-0:2 Gbps\")", "node.links"),
        ("node(gpus=4,links=\"0-1:1 Gbps;1>0:2 Gbps\")", "node.links"),
        ("node(gpus=4,links=\"0-1:0 Gbps\")", "node.links"),
        ("node(gpus=4,links=\"0-1:fast\")", "node.links"),
        ("node(gpus=4,links=\"0-1\")", "node.links"),
        ("node(gpus=4,links=\"0+1:1 Gbps\")", "node.links"),
        ("node(gpus=4,links=\"-1-2:1 Gbps\")", "node.links"),
        ("node(gpus=4,links=\"0-99999999999:1 Gbps\")", "node.links"),
        ("node(gpus=4,link_latency=\"1 ns\")", "node.link_latency"),
        ("node(sockets=2,cores=4,socket_memory=0)", "node.socket_memory"),
        ("node(cores=4,numa_memory=1e9)", "node.numa_memory"),
        ("node(sockets=2,cores=[4,3,2])", "node.cores"),
        ("node(cores=[4,3])", "node.cores"),
        ("node(sockets=2,cores=[4,0])", "node.cores"),
        ("node(sockets=2,cores=[4,3],nics=2)", "node.nics"),
        ("node(sockets=2,cores=[1000000,1000001])", "node"),
    ] {
        assert_eq!(node(text).unwrap_err().0[0].place, place, "{text}");
    }
    assert!(node("node(gpus=4,links=\"\")").unwrap().direct().is_empty());
}

#[test]
fn memory_is_read_at_the_source_and_written_at_the_destination() {
    let node = node("node(sockets=2,numa=2,cores=2,socket_memory=2e9,numa_memory=1e9,core_bandwidth=8e9)").unwrap();
    // Two sockets, four domains and eight cores have two links each; then two memories of sockets, four of domains.
    let (levels, sockets, domains) = (4 + 8 + 16, 28, 30);
    assert_eq!((node.links_per_node(), node.first_direct()), (levels + 6, levels + 6));
    // Within a domain both memories are there twice.
    assert_eq!(route(&node, (0, 0), (0, 1)), [sockets, domains, 12, 15, sockets, domains]);
    // To the other socket of another node: up from core 1, down to core 7.
    let (mut out, place) = (Vec::new(), |endpoint, seat| Place { endpoint, seat });
    assert_eq!(node.route(place(0, 1), place(1, 7), &mut out), 5);
    let there = 34;
    assert_eq!(out[..5], [sockets, domains, 14, 4, 0]);
    assert_eq!(out[5..], [there + 3, there + 11, there + 27, there + sockets + 1, there + domains + 3]);
    assert!(route(&node, (0, 1), (0, 1)).is_empty());
    let bandwidth = |link| node.class_of(link).bandwidth_bytes_per_s;
    assert_eq!([12, sockets, domains, there + domains].map(bandwidth), [8e9, 2e9, 1e9, 1e9]);
    assert_eq!([5, 27, sockets + 1, domains + 2].map(|link| node.cable(link)), [4, 26, sockets + 1, domains + 2]);
    assert_eq!([27, 28, 33].map(|link| node.is_memory(link)), [false, true, true]);
    // On one socket it needs no link.
    let single = self::node("node(sockets=1,cores=2,socket_memory=1e9)").unwrap();
    assert_eq!((route(&single, (0, 0), (0, 1)), single.links_per_node()), (vec![4, 0, 3, 4], 5));
}

#[test]
fn ranks_are_near_in_the_innermost_unit_that_they_share() {
    let node = node("node(sockets=2,numa=2,caches=2,cores=2)").unwrap();
    let near = |a, b| node.near(Place { endpoint: 0, seat: a }, Place { endpoint: 0, seat: b });
    assert_eq!([1, 2, 4, 8].map(|b| near(0, b)), [Some(Near::Cache), Some(Near::Numa), Some(Near::Socket), None]);
    // A level of one unit in each around it is as near as that.
    let one = self::node("node(sockets=2,numa=1,cores=2)").unwrap();
    assert_eq!(one.near(Place { endpoint: 0, seat: 0 }, Place { endpoint: 0, seat: 1 }), Some(Near::Numa));
}

#[test]
fn ranks_that_compute_share_every_memory_around_them() {
    let made = node("node(sockets=2,numa=2,cores=2,socket_memory=\"10 Bps\",numa_memory=\"8 Bps\")").unwrap();
    let at = |endpoint: u32, seat: u32| Place { endpoint, seat };
    // Seats 0 and 1 are one inner unit, 0 to 3 an outer one; another node has its own.
    let all = [at(0, 0), at(0, 1), at(0, 2), at(0, 4), at(1, 0)];
    assert_eq!(made.memory_s_per_byte(&all), [0.3, 0.3, 0.3, 0.125, 0.125]);
    assert_eq!(made.memory_s_per_byte(&all[..2]), [0.25, 0.25]);
    let without = node("node(cores=2)").unwrap();
    assert_eq!(without.memory_s_per_byte(&all[..2]), [0.0, 0.0]);
}
