//! Trees on rail clusters, fat-trees and tori, and the links that they use.

use netloom_model::paths::{PathList, Routing};
use netloom_model::{Call, Combining, Network};

use super::{Combined, combined};
use crate::registry::build;

fn network(call: &str) -> Network {
    build(&Call::parse(call).unwrap()).unwrap()
}

fn on(network: &Network, combining: Combining, channels: u32) -> Combined {
    let all: Vec<u32> = (0..network.endpoints()).collect();
    combined(network, combining, &all, channels).unwrap()
}

fn code(network: &Network, combining: Combining, endpoints: &[u32]) -> String {
    let Err(faults) = combined(network, combining, endpoints, 1) else { return String::new() };
    faults.0[0].code.into()
}

#[test]
fn one_node_is_a_star_on_its_switch() {
    let rails = network("rail_cluster(nodes=2,gpus=4)");
    let found = combined(&rails, Combining::Nodes, &[4, 5, 7], 2).unwrap();
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
    let alone = combined(&rails, Combining::All, &[0, 4, 8, 12], 1).unwrap();
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
