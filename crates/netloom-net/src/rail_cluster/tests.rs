//! The tables of NVIDIA's reference architecture, and the routes that NCCL takes.

use std::sync::Arc;

use netloom_model::{Call, Network, Path};

use crate::registry::{TOPOLOGIES, build};
use crate::routing;

fn network(call: &str) -> Network {
    build(&Call::parse(call).unwrap()).unwrap()
}

/// Nodes, leaves, spines and cables of two and four scalable units of 32 nodes: table of larger systems of the reference
/// architecture (DGX B200 edition): 16 leaves, 8 spines, 512 + 512 cables; 32 leaves, 16 spines, 1024 + 1024 cables.
#[test]
fn scalable_units_as_published() {
    for (nodes, leaves, spines, cables) in [(64, 16, 8, 512), (128, 32, 16, 1024)] {
        let net = network(&format!("rail_cluster(nodes={nodes})"));
        let rails = net.structure().rails.unwrap();
        assert_eq!((rails.pods * rails.rails, rails.spines, rails.leaf_ports), (leaves, spines, 64));
        assert_eq!(rails.oversubscription, Some(1.0));
        let of = |name: &str| {
            net.class_of().iter().filter(|c| net.classes()[usize::from(**c)].name == name).count() as u32 / 2
        };
        assert_eq!([of("nvlink"), of("rail"), of("spine")], [nodes * 8, cables, cables]);
        assert_eq!(net.degree(net.switches() - 1), 64);
    }
}

/// Switches of all paths of `name` from GPU `a` to GPU `b`.
fn paths(call: &str, name: &str, a: u32, b: u32) -> Vec<Vec<u32>> {
    let net = Arc::new(network(call));
    let routing = routing::build(&net, &Call::parse(name).unwrap()).unwrap();
    let (from, to) = (net.endpoint_switch()[a as usize], net.endpoint_switch()[b as usize]);
    let mut found = Vec::new();
    routing.paths(from, to, &mut found).unwrap();
    let heads = |path: &Path| path.links.iter().map(|l| net.heads()[*l as usize]).collect();
    let mut all: Vec<Vec<u32>> = found.iter().map(heads).collect();
    all.sort();
    all.dedup();
    all
}

/// Two nodes of two GPUs: NVLink switches 0, 1, GPUs 2..6, leaves 6, 7, spine 8 where there is one.
#[test]
fn nvlink_first_as_nccl_does() {
    let apart = "rail_cluster(nodes=2,gpus=2,spine=absent)";
    // GPU 1 of node 0 to GPU 0 of node 1: over NVLink here, or over NVLink there.
    assert_eq!(paths(apart, "minimal", 1, 2), [vec![0, 2, 6, 4], vec![7, 5, 1, 4]]);
    assert_eq!(paths(apart, "single-minimal", 1, 2), [[0, 2, 6, 4]]);
    // Same rail: the leaf alone. Same node: NVLink alone.
    assert_eq!(paths(apart, "minimal", 1, 3), [[7, 5]]);
    assert_eq!(paths(apart, "minimal", 0, 1), [[0, 3]]);
    let joined = "rail_cluster(nodes=2,gpus=2,spines=1)";
    assert_eq!(paths(joined, "minimal", 1, 2), [[0, 2, 6, 4], [7, 5, 1, 4], [7, 8, 6, 4]]);
    assert_eq!(paths(joined, "single-minimal", 1, 2), [[0, 2, 6, 4]]);
}

#[test]
fn gpus_share_nics() {
    let net = network("rail_cluster(nodes=2,gpus=4,rails=2,spine=absent)");
    // 2 NVLink switches, 8 GPUs, 4 NICs, 2 leaves.
    assert_eq!((net.switches(), net.endpoints(), net.cables()), (16, 8, 8 + 8 + 4));
    assert_eq!(net.neighbours(10), [2, 3, 14]);
    assert_eq!(net.neighbours(13), [8, 9, 15]);
    assert_eq!(net.structure().rails.unwrap().oversubscription, None);
}

#[test]
fn a_plane_per_rail() {
    let net = network("rail_cluster(nodes=8,gpus=2,pod=4,spine=rails,oversubscription=2,spine_bandwidth=\"800 Gbps\")");
    let rails = net.structure().rails.unwrap();
    assert_eq!((rails.planes, rails.pods, rails.leaf_ports), (2, 2, 6));
    // Half the cables of twice the speed.
    assert_eq!(rails.oversubscription, Some(1.0));
    // Leaves 24..28: rail 0 and 1 of pod 0, of pod 1. A spine sees one rail.
    assert_eq!(net.neighbours(28), [24, 24, 26, 26]);
    assert_eq!(net.neighbours(29), [25, 25, 27, 27]);
}

#[test]
fn one_fault_each() {
    for (call, place) in [
        ("rail_cluster(gpus=8,rails=3)", "rail_cluster.rails"),
        ("rail_cluster(rails=16)", "rail_cluster.rails"),
        ("rail_cluster(spine=absent)", "rail_cluster.pod"),
        ("rail_cluster(nodes=4,pod=8)", "rail_cluster.pod"),
        ("rail_cluster(oversubscription=3)", "rail_cluster.oversubscription"),
        ("rail_cluster(oversubscription=64)", "rail_cluster.oversubscription"),
        ("rail_cluster(spines=3)", "rail_cluster.spines"),
        ("rail_cluster(nodes=4,spine=absent,spines=1)", "rail_cluster.spines"),
        ("rail_cluster(nic_bandwidth=0)", "rail_cluster.nic_bandwidth"),
    ] {
        let (row, bound) = TOPOLOGIES.bind(&Call::parse(call).unwrap()).unwrap();
        let faults = (row.network)(&bound).unwrap_err();
        assert_eq!(faults.0.len(), 1, "{call}: {faults}");
        assert_eq!(faults.0[0].place, place, "{call}");
    }
}

/// 16 scalable units of the same table: 128 leaves, 128 spines and 64 cores of 64 ports; 4 units need no cores.
#[test]
fn a_third_tier_where_two_do_not_reach() {
    let net = network("rail_cluster(nodes=512,gpus=8)");
    let rails = net.structure().rails.unwrap();
    assert_eq!((rails.pods * rails.rails, rails.spines, rails.cores), (128, 128, 64));
    assert_eq!((rails.leaf_ports, rails.spine_ports, rails.radix), (64, 64, 64));
    let first = net.switches() - rails.cores;
    assert!((first - rails.spines..net.switches()).all(|switch| net.degree(switch) == 64));
    // A core has as many cables to every group of spines.
    let group_of = |spine: &u32| (spine + rails.spines - first) / 32;
    let mut groups: Vec<u32> = net.neighbours(first).iter().map(group_of).collect();
    groups.dedup();
    assert_eq!((groups, net.neighbours(first).len()), (vec![0, 1, 2, 3], 64));
    assert_eq!(network("rail_cluster(nodes=256)").structure().rails.unwrap().cores, 0);
    assert_eq!(network("rail_cluster(nodes=2048,spine=rails)").structure().rails.unwrap().cores, 0);
}

/// No switch of a cluster of any size has more ports than `radix`, and every GPU reaches every other one.
#[test]
fn no_switch_has_more_ports_than_there_are() {
    for radix in [4, 6, 8, 16] {
        for nodes in 1..=40 {
            for (rails, spine) in [(1, "shared"), (3, "shared"), (2, "rails")] {
                let pod = nodes.min(radix / 2);
                let call = format!("rail_cluster(nodes={nodes},gpus={rails},pod={pod},radix={radix},spine={spine})");
                let Ok(net) = build(&Call::parse(&call).unwrap()) else { continue };
                let first = nodes * (1 + rails);
                assert!((first..net.switches()).all(|switch| net.degree(switch) <= radix), "{call}");
                assert!(net.unreached().is_empty(), "{call}");
            }
        }
    }
}

#[test]
fn switches_that_are_too_small_are_refused() {
    for (call, place) in [
        ("rail_cluster(nodes=128,pod=128)", "rail_cluster.radix"),
        ("rail_cluster(nodes=2048,spines=32)", "rail_cluster.radix"),
        ("rail_cluster(nodes=512,gpus=8,pod=2,radix=4)", "rail_cluster.nodes"),
    ] {
        let faults = build(&Call::parse(call).unwrap()).unwrap_err();
        assert_eq!((faults.0.len(), faults.0[0].place.as_str()), (1, place), "{call}: {faults}");
    }
}
