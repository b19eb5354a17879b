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
        [0, 3, 4, 19, 20, 24].map(|link| node.class_of(link).name.as_str()),
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
