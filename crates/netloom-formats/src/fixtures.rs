//! Networks shared by tests, and the meaning of "the same network" after a round trip.

use netloom_model::network::Grid;
use netloom_model::{Network, NetworkBuilder};
use proptest::prelude::*;

/// Links as (tail, head, class name, bandwidth, latency), sorted: the order of parallel cables does not matter.
pub fn links(network: &Network) -> Vec<(u32, u32, String, u64, u64)> {
    let mut out: Vec<_> = (0..network.switch_links())
        .map(|l| {
            let class = network.class(l);
            let (bandwidth, latency) = (class.bandwidth_bytes_per_s.to_bits(), class.latency_s.to_bits());
            (network.tails()[l as usize], network.heads()[l as usize], class.name.clone(), bandwidth, latency)
        })
        .collect();
    out.sort();
    out
}

/// Ends of links without class, bandwidth and latency.
pub fn ends(network: &Network) -> Vec<(u32, u32)> {
    network.tails().iter().copied().zip(network.heads().iter().copied()).collect()
}

/// The parts of a network that a complete format keeps.
pub fn assert_same(a: &Network, b: &Network) {
    assert_eq!(a.switches(), b.switches());
    assert_eq!(a.endpoint_switch(), b.endpoint_switch());
    assert_eq!(links(a), links(b));
    let names = |n: &Network| -> Vec<String> {
        (0..n.switches()).map(|s| n.switch_name(s)).chain((0..n.endpoints()).map(|e| n.endpoint_name(e))).collect()
    };
    assert_eq!(names(a), names(b));
    if a.endpoints() > 0 {
        let (x, y) = (a.endpoint_class(), b.endpoint_class());
        assert_eq!((x.bandwidth_bytes_per_s, x.latency_s), (y.bandwidth_bytes_per_s, y.latency_s));
    }
}

/// `n` switches in a line, two endpoints each.
pub fn line(n: u32) -> Network {
    let mut b = NetworkBuilder::new(format!("line_{n}"), n);
    let class = b.class("link", 12.5e9, 1e-7);
    (1..n).for_each(|s| b.cable(s - 1, s, class));
    b.endpoints_everywhere(2);
    b.build().unwrap()
}

/// Three leaves of two endpoints under one switch of level 1; names as in a file.
pub fn tree_3x2() -> Network {
    let mut b = NetworkBuilder::new("tree_3x2", 4);
    let class = b.class("link", 12.5e9, 1e-7);
    (0..3).for_each(|s| b.cable(s, 3, class));
    (0..6).for_each(|e| b.endpoint(e / 2));
    b.switch_names(["leaf0", "leaf1", "leaf2", "spine"].map(String::from).to_vec());
    b.endpoint_names((1..=6).map(|e| format!("n{e:02}")).collect());
    b.structure().levels = Some(vec![0, 0, 0, 1]);
    b.build().unwrap()
}

/// Two levels: four leaves of two endpoints, each connected to both of two spines by two cables.
pub fn fat_tree_4x2() -> Network {
    let mut b = NetworkBuilder::new("fat_tree_4x2", 6);
    let class = b.class("up", 25e9, 2e-7);
    for leaf in 0..4 {
        for spine in 4..6 {
            b.cable(leaf, spine, class);
            b.cable(leaf, spine, class);
        }
        b.endpoint(leaf);
        b.endpoint(leaf);
    }
    b.structure().levels = Some(vec![0, 0, 0, 0, 1, 1]);
    b.build().unwrap()
}

/// A 3-dimensional mesh 2x3x2 with two endpoints per switch and its grid.
pub fn mesh_2x3x2() -> Network {
    let dims = [2u32, 3, 2];
    let mut b = NetworkBuilder::new("mesh_2x3x2", 12);
    let class = b.class("dim", 2e9, 4e-8);
    for s in 0..12u32 {
        let mut stride = 12;
        for extent in dims {
            stride /= extent;
            if s / stride % extent + 1 < extent {
                b.cable(s, s + stride, class);
            }
        }
    }
    b.endpoints_everywhere(2);
    b.structure().grid = Some(Grid { dims: dims.to_vec(), wrap: vec![false; 3], complete: false });
    b.build().unwrap()
}

/// Any connected multigraph of 2 to 12 switches with classes, names and endpoints; `parallel` allows repeated cables.
pub fn any_network(parallel: bool) -> impl Strategy<Value = Network> {
    let class = (prop::sample::select(vec!["a", "b <&\">", "local", "é"]), 1.0..1e12f64, 0.0..1e-3f64);
    (2u32..12, prop::collection::vec(class, 1..4), any::<u64>(), 0u32..3, 0usize..20, any::<bool>()).prop_map(
        move |(n, classes, seed, per, extra, named)| {
            let mut stream = netloom_model::Stream::new(seed, "fixture");
            let mut b = NetworkBuilder::new("any", n);
            let classes: Vec<u16> = classes.iter().map(|(name, bw, lat)| b.class(name, *bw, *lat)).collect();
            let mut pairs: Vec<(u32, u32)> = (1..n).map(|s| (stream.below(s), s)).collect();
            for _ in 0..extra {
                let (x, y) = (stream.below(n), stream.below(n));
                if x != y && (parallel || !pairs.contains(&(x.min(y), x.max(y)))) {
                    pairs.push((x.min(y), x.max(y)));
                }
            }
            for (x, y) in pairs {
                b.cable(x, y, classes[stream.below(classes.len() as u32) as usize]);
            }
            for _ in 0..per * n {
                b.endpoint(stream.below(n));
            }
            b.endpoint_link(stream.unit() * 1e11 + 1.0, stream.unit() * 1e-6);
            if named {
                b.switch_names((0..n).map(|s| format!("sw-{}.\"<{s}>", stream.below(100))).collect());
                b.endpoint_names((0..per * n).map(|e| format!("nid{e:05}")).collect());
            }
            b.build().unwrap()
        },
    )
}
