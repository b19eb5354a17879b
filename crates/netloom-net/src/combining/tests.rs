//! Trees on rail clusters, fat-trees and tori, and the links that they use.

use netloom_model::paths::{PathList, Routing};
use netloom_model::{Call, Combining, CombiningShape, Network};

use super::{Combined, combined};
use crate::registry::build;

fn network(call: &str) -> Network {
    build(&Call::parse(call).unwrap()).unwrap()
}

fn on(network: &Network, combining: Combining, channels: u32) -> Combined {
    let all: Vec<u32> = (0..network.endpoints()).collect();
    combined(network, combining, &all, (CombiningShape::Central, 0), channels).unwrap()
}

fn code(network: &Network, combining: Combining, endpoints: &[u32]) -> String {
    let Err(faults) = combined(network, combining, endpoints, (CombiningShape::Central, 0), 1) else {
        return String::new();
    };
    faults.0[0].code.into()
}

#[test]
fn one_node_is_a_star_on_its_switch() {
    let rails = network("rail_cluster(nodes=2,gpus=4)");
    let found = combined(&rails, Combining::Nodes, &[4, 5, 7], (CombiningShape::Central, 0), 2).unwrap();
    assert_eq!(found.switches, [[1], [1]]);
    assert_eq!((found.trees[0].height(), found.trees[0].ranks()), (1, 3));
    // A GPU, then the NVLink switch.
    let gpu = rails.endpoint_switch()[4];
    assert_eq!(found.routing.links(gpu, 1).map(<[u32]>::len).collect::<Vec<_>>(), [1]);
}

#[test]
fn channels_of_a_rail_cluster_go_by_their_own_rails() {
    let rails = network("rail_cluster(nodes=4,gpus=4,pod=4)");
    let found = on(&rails, Combining::All, 4);
    for (channel, (tree, switches)) in found.trees.iter().zip(&found.switches).enumerate() {
        assert_eq!((tree.height(), tree.switches()), (2, 5));
        // NVLink switches, then the leaf of the rail.
        assert_eq!(switches[..4], [0, 1, 2, 3]);
        let leaf = switches[4];
        for node in 0..4 {
            let paths: Vec<&[u32]> = found.routing.links(node, leaf).collect();
            let gpu = rails.endpoint_switch()[node as usize * 4 + channel];
            assert_eq!(paths.len(), 1);
            assert_eq!(paths[0].iter().map(|l| rails.heads()[*l as usize]).collect::<Vec<_>>(), [gpu, leaf]);
        }
    }
    // Without NVLink SHARP the GPUs hang below the leaves of their rails, which need spines to meet.
    let fabric = on(&rails, Combining::Fabric, 1);
    assert_eq!((fabric.trees[0].height(), fabric.trees[0].switches()), (2, 5));
    // One GPU of each node: NVLink would be a detour.
    let alone = combined(&rails, Combining::All, &[0, 4, 8, 12], (CombiningShape::Central, 0), 1).unwrap();
    assert_eq!((alone.trees[0].height(), alone.trees[0].switches()), (1, 1));
    assert_eq!(code(&rails, Combining::Nodes, &[0, 1, 4, 5]), "NL-N018");
    assert_eq!(code(&rails, Combining::Nodes, &[0, 4]), "NL-N018");
    assert_eq!(code(&rails, Combining::Absent, &[0, 1]), "NL-N018");
}

#[test]
fn shared_nics_pass_on() {
    let rails = network("rail_cluster(nodes=4,gpus=4,rails=2,pod=4)");
    let found = on(&rails, Combining::All, 2);
    // NVLink switch, GPU, NIC, leaf.
    assert!(found.switches.iter().all(|own| own.len() == 5));
    assert!(found.routing.links(0, found.switches[0][4]).all(|path| path.len() == 3));
}

#[test]
fn trees_of_fabrics_are_low_and_share_the_top() {
    let tree = network("fat_tree(radix=4,levels=3)");
    let found = on(&tree, Combining::Fabric, 4);
    let roots: Vec<u32> = found
        .trees
        .iter()
        .zip(&found.switches)
        .map(|(tree, own)| {
            assert_eq!(tree.height(), 3);
            let root = (tree.ranks()..).find(|node| tree.parent(*node).is_none()).unwrap();
            own[(root - tree.ranks()) as usize]
        })
        .collect();
    let levels = tree.structure().levels.clone().unwrap();
    let tops = levels.iter().filter(|level| *level == levels.iter().max().unwrap()).count();
    assert_eq!(roots.iter().collect::<std::collections::BTreeSet<_>>().len(), tops.min(4));
    let torus = on(&network("torus(5,5)"), Combining::All, 1);
    assert_eq!(torus.trees[0].height(), 1 + 4);
}

#[test]
fn the_routing_has_the_paths_of_the_trees_only() {
    let rails = network("rail_cluster(nodes=4,gpus=4,pod=4)");
    let found = on(&rails, Combining::All, 4);
    let (routing, leaf) = (&*found.routing, found.switches[0][4]);
    let mut list = PathList::new();
    routing.list(2, leaf, &mut list).unwrap();
    assert_eq!((list.len(), list.get(0).0.len(), list.get(0).1), (1, 2, 1.0));
    routing.list(2, 2, &mut list).unwrap();
    assert_eq!((list.len(), list.get(0).0.len()), (1, 0));
    assert!(routing.is_deterministic());
    assert!(routing.list(0, 1, &mut list).is_err());
    // One spine: the paths of all channels between the same switches share the load.
    let shared = network("rail_cluster(nodes=4,gpus=4,pod=2,spines=1)");
    let found = on(&shared, Combining::All, 4);
    assert_eq!(
        found.switches.iter().map(|own| own.last().copied()).collect::<std::collections::BTreeSet<_>>().len(),
        1
    );
}

/// Hops of what one rank sends to all, and the links of the tree, by (tail, head).
fn copied(network: &Network, endpoints: &[u32], shape: CombiningShape, root: u32) -> Vec<(u32, u32)> {
    let found = combined(network, Combining::All, endpoints, (shape, root), 1).unwrap();
    let (tree, own) = (&found.trees[0], &found.switches[0]);
    let at = |node: u32| own[(node - tree.ranks()) as usize];
    let mut links = Vec::new();
    for node in tree.ranks()..tree.ranks() + tree.switches() {
        let Some(above) = tree.parent(node) else { continue };
        let path: Vec<_> = found.routing.links(at(above), at(node)).collect();
        assert_eq!(path.len(), 1);
        links.extend(path[0].iter().map(|l| (network.tails()[*l as usize], network.heads()[*l as usize])));
    }
    links
}

/// Every rank of a network of switches that all have ranks: a link to each switch but the first.
#[test]
fn a_multicast_crosses_each_link_of_a_tree_once() {
    for (call, hops) in [("ring(8)", 7), ("star(6)", 6), ("circulant(16,pow2)", 15), ("torus(4,4)", 15)] {
        let network = network(call);
        let all: Vec<u32> = (0..network.endpoints()).collect();
        for root in [0, 1, network.endpoints() - 1] {
            let links = copied(&network, &all, CombiningShape::Shortest, root);
            let heads: std::collections::BTreeSet<_> = links.iter().map(|link| link.1).collect();
            assert_eq!((links.len(), heads.len()), (hops, hops), "{call} from {root}");
        }
    }
}

/// As `single-minimal`: the links of its paths from the root to all ranks, no others.
#[test]
fn a_multicast_takes_the_links_of_single_minimal() {
    for call in ["torus(4,5)", "circulant(21,pow2)", "random_regular(40,4,seed=3)", "fat_tree(radix=4,levels=3)"] {
        let network = std::sync::Arc::new(network(call));
        let routing = crate::routing::build(&network, &Call::bare("single-minimal")).unwrap();
        let some: Vec<u32> = (0..network.endpoints()).step_by(3).collect();
        let from = network.endpoint_switch()[some[1] as usize];
        let (mut list, mut links) = (PathList::new(), std::collections::BTreeSet::new());
        for endpoint in &some {
            routing.list(from, network.endpoint_switch()[*endpoint as usize], &mut list).unwrap();
            let path = list.get(0).0.iter();
            links.extend(path.map(|link| (network.tails()[*link as usize], network.heads()[*link as usize])));
        }
        let made = copied(&network, &some, CombiningShape::Shortest, 1);
        assert_eq!(made.len(), links.len(), "{call}");
        assert!(made.iter().all(|link| links.contains(link)), "{call}");
    }
}

/// Rings and circulants by their ring, from any root; others visit every switch once where neighbours are left.
#[test]
fn a_path_visits_all_switches() {
    for (call, hops) in [("ring(8)", 7), ("circulant(16,pow2)", 15), ("torus(4,4)", 15), ("hypercube(5)", 31)] {
        let network = network(call);
        let all: Vec<u32> = (0..network.endpoints()).collect();
        for root in 0..3 {
            let links = copied(&network, &all, CombiningShape::Path, root);
            assert_eq!(links.len(), hops, "{call} from {root}");
            assert!(links.iter().all(|link| link.1 != network.endpoint_switch()[root as usize]));
        }
    }
    // Over switches without ranks by shortest paths: leaf to leaf over the hub.
    let star = network("star(6)");
    let all: Vec<u32> = (0..star.endpoints()).collect();
    assert!(
        copied(&star, &all, CombiningShape::Path, 0).len() >= copied(&star, &all, CombiningShape::Shortest, 0).len()
    );
    let ring = network("ring(8)");
    let found = combined(&ring, Combining::All, &[1, 3, 6], (CombiningShape::Path, 0), 1).unwrap();
    assert_eq!(copied(&ring, &[1, 3, 6], CombiningShape::Path, 0), [(1, 2), (2, 3), (3, 4), (4, 5), (5, 6)]);
    assert!(!found.routing.is_ordered());
    let whole = combined(&ring, Combining::All, &[0, 1, 2, 3, 4, 5, 6, 7], (CombiningShape::Path, 0), 1).unwrap();
    assert!(whole.routing.is_ordered());
}
