//! d-mod-k round failures: one path per destination over the ports that are left, as ftree of OpenSM.

use std::collections::BTreeSet;
use std::sync::Arc;

use netloom_model::deadlock::{Deadlock, deadlock, ends};
use netloom_model::{Network, NetworkBuilder, Progress, Routing, destination};

use super::legal::is_joined_by_levels;
use super::tests::{net, paths, routing};
use super::{build, default_routing};

const TREES: &[&str] = &[
    "k_ary_n_tree(k=3,n=3)",
    "fat_tree(radix=8,levels=2)",
    "fat_tree(radix=4,levels=3,top=full)",
    "thin_tree(down=4,up=2,levels=3)",
    "xgft(m=[3,4,2],w=[1,2,3],parallel=[1,2,1])",
];

/// The switches of the path from `source` to every endpoint, and the place of its links in full service.
fn routes(network: &Network, routing: &dyn Routing, source: u32) -> Vec<Option<Vec<(u32, u32)>>> {
    let of = |endpoint: u32| {
        let mut out = Vec::new();
        routing.paths(source, destination(routing, network, endpoint), &mut out).ok()?;
        assert_eq!(out.len(), 1);
        Some(out[0].links.iter().map(|l| (network.heads()[*l as usize], network.place(*l))).collect())
    };
    (0..network.endpoints()).map(of).collect()
}

fn free(network: &Network, routing: &dyn Routing) -> bool {
    matches!(deadlock(network, routing, &Progress::new()).unwrap(), Deadlock::Free { .. })
}

/// Each switch and each cable in turn: every pair has one path up and down where there is any, no circle of channels, and
/// what the failure does not touch keeps its path.
#[test]
fn each_failure_is_led_round_and_disturbs_nothing_else() {
    for call in TREES {
        let whole = net(call);
        let before = routing(&whole, "d-mod-k");
        let kept: Vec<_> = (0..whole.switches()).map(|s| routes(&whole, &*before, s)).collect();
        let switches = (0..whole.switches()).map(|s| (vec![], vec![s]));
        let cables = (0..whole.switch_links()).filter(|l| whole.tails()[*l as usize] < whole.heads()[*l as usize]);
        for (links, dead) in switches.chain(cables.map(|l| (vec![l], vec![]))) {
            let rest = Arc::new(whole.without(&links, &dead).unwrap());
            let Ok(way) = build(&rest, &netloom_model::Call::bare("d-mod-k")) else {
                assert!(rest.require_joined().is_err(), "{call} {links:?} {dead:?}");
                continue;
            };
            assert!(free(&rest, &*way));
            if is_joined_by_levels(&rest) {
                assert_eq!(default_routing(&rest), "d-mod-k");
            }
            for s in ends(&rest) {
                for (endpoint, (now, then)) in routes(&rest, &*way, s).into_iter().zip(&kept[s as usize]).enumerate() {
                    let to = rest.endpoint_switch()[endpoint];
                    if !rest.in_service(to) {
                        continue;
                    }
                    let then = then.as_ref().unwrap();
                    let intact = {
                        let mut at = s;
                        then.iter().all(|(head, place)| {
                            let alive = rest.out_links(at).any(|l| rest.place(l) == *place);
                            at = *head;
                            alive
                        })
                    };
                    match now {
                        Some(now) => {
                            assert!(!intact || now == *then, "{call} without {links:?} {dead:?}: {s} to {endpoint}")
                        }
                        None => {
                            assert!(!is_joined_by_levels(&rest), "{call} without {links:?} {dead:?}: {s} to {endpoint}")
                        }
                    }
                }
            }
        }
    }
}

/// Messages on the busiest link of a shift.
fn worst(network: &Network, routing: &dyn Routing, shift: u32) -> u32 {
    let mut on = vec![0u32; network.switch_links() as usize];
    let n = network.endpoints();
    for source in 0..n {
        let at = network.endpoint_switch()[source as usize];
        let to = destination(routing, network, (source + shift) % n);
        paths(routing, at, to)[0].links.iter().for_each(|link| on[*link as usize] += 1);
    }
    on.into_iter().max().unwrap_or(0)
}

#[test]
fn a_dead_top_switch_doubles_the_worst_link_of_a_shift_at_most() {
    for (call, tops) in [("k_ary_n_tree(k=8,n=2)", 8..16), ("fat_tree(radix=8,levels=3,top=full)", 64..80)] {
        let whole = net(call);
        assert_eq!(worst(&whole, &*routing(&whole, "d-mod-k"), whole.endpoints() / 2), 1);
        for dead in tops {
            let rest = Arc::new(whole.without(&[], &[dead]).unwrap());
            for way in ["d-mod-k", "single-minimal(tie=destination)"] {
                let most = if way == "d-mod-k" { 2 } else { 3 };
                let found = worst(&rest, &*routing(&rest, way), whole.endpoints() / 2);
                assert!((2..=most).contains(&found), "{call} without {dead}, {way}: {found}");
            }
        }
    }
}

/// The destinations of a dead spine are spread over the others evenly: by counting, not by the next one in order.
#[test]
fn displaced_destinations_spread_evenly() {
    let whole = net("k_ary_n_tree(k=6,n=2)");
    let rest = Arc::new(whole.without(&[], &[7]).unwrap());
    let way = routing(&rest, "d-mod-k");
    let up: Vec<u32> = (6..36).map(|e| paths(&*way, 0, rest.switches() + e)[0].links[0]).collect();
    let each: Vec<usize> = rest.out_links(0).map(|l| up.iter().filter(|u| **u == l).count()).collect();
    // 30 destinations on other leaves; 5 of them had the dead spine.
    assert_eq!(each, [6, 6, 6, 6, 6]);
}

/// A tree from a file, with its endpoints numbered across the leaves: shifts in the order of the leaves stay apart.
#[test]
fn a_tree_without_a_known_shape_is_routed_by_its_levels() {
    let mut b = NetworkBuilder::new("file", 8);
    let class = b.class("cable", 1.0, 0.0);
    for leaf in 0..4 {
        (4..8).for_each(|spine| b.cable(leaf, spine, class));
    }
    for endpoint in 0..16u32 {
        b.endpoint(endpoint % 4);
    }
    let network = Arc::new(b.build().unwrap().with_levels(vec![0, 0, 0, 0, 1, 1, 1, 1]));
    assert_eq!(default_routing(&network), "d-mod-k");
    let way = routing(&network, "d-mod-k");
    let mut on = vec![0u32; network.switch_links() as usize];
    for slot in 0..16u32 {
        // Place p in leaf order is endpoint (p % 4) of leaf p / 4, which the file calls p / 4 + 4 (p % 4).
        let to = (slot + 4) % 16;
        let endpoint = to / 4 + 4 * (to % 4);
        paths(&*way, slot / 4, network.switches() + endpoint)[0].links.iter().for_each(|l| on[*l as usize] += 1);
    }
    assert_eq!(on.iter().max(), Some(&1));
}

#[test]
fn levels_that_do_not_join_the_endpoints_are_no_tree() {
    // Two leaves meet in no spine: only the way over a third leaf joins them.
    let mut b = NetworkBuilder::new("file", 5);
    let class = b.class("cable", 1.0, 0.0);
    for (leaf, spine) in [(0, 3), (1, 3), (1, 4), (2, 4)] {
        b.cable(leaf, spine, class);
    }
    (0..3).for_each(|leaf| b.endpoint(leaf));
    let network = Arc::new(b.build().unwrap().with_levels(vec![0, 0, 0, 1, 1]));
    assert!(!is_joined_by_levels(&network));
    let default = default_routing(&network);
    assert_eq!(default, "single-minimal(tie=destination)");
    assert_eq!(paths(&*routing(&network, &default), 0, 2)[0].links.len(), 4);
    let refused = routing(&network, "d-mod-k").paths(0, 2, &mut Vec::new()).unwrap_err();
    assert_eq!(refused.0[0].code, "NL-R003");
}

#[test]
fn families_run_by_tables_have_one_path_per_destination() {
    for call in ["dragonfly_plus(leaves=4,spines=4,h=2,g=9,p=4)", "rail_cluster(nodes=8,gpus=4,pod=4)"] {
        let whole = net(call);
        let last = whole.switches() - 1;
        for network in [whole.clone(), Arc::new(whole.without(&[], &[last]).unwrap())] {
            let default = default_routing(&network);
            assert_eq!(default, "single-minimal(tie=destination)", "{call}");
            let way = routing(&network, &default);
            assert!(way.is_deterministic() && free(&network, &*way));
            // Endpoints of one switch leave a leaf by different links.
            let from = network.endpoint_switch()[0];
            let ways: BTreeSet<u32> = (0..network.endpoints())
                .filter(|e| network.endpoint_switch()[*e as usize] != from)
                .map(|e| paths(&*way, from, network.switches() + e)[0].links[0])
                .collect();
            assert!(ways.len() > 1, "{call}");
        }
    }
}

/// A leaf of a rail spreads the nodes of other pods over all its cables to the spines.
#[test]
fn a_rail_uses_every_uplink() {
    let network = net("rail_cluster(nodes=16,gpus=4,pod=8,nvlink_bandwidth=\"1 Tbps\")");
    let way = routing(&network, "single-minimal(tie=destination)");
    let leaf = |e: u32| network.endpoint_switch()[e as usize];
    let mut on = vec![0u32; network.switch_links() as usize];
    // GPU 0 of each node of pod 0 to GPU 0 of the same node of pod 1.
    for node in 0..8u32 {
        let (from, to) = (leaf(4 * node), 4 * (node + 8));
        paths(&*way, from, network.switches() + to)[0].links.iter().for_each(|l| on[*l as usize] += 1);
    }
    assert_eq!(on.iter().max(), Some(&1));
}

/// With a third tier the spines do not choose by what the leaves have chosen by.
#[test]
fn cores_of_a_rail_are_used_alike() {
    let network = net("rail_cluster(nodes=32,gpus=2,pod=4,radix=8)");
    assert!(network.structure().rails.is_some_and(|rails| rails.cores > 0));
    let way = routing(&network, "single-minimal(tie=destination)");
    let mut on = vec![0u32; network.switch_links() as usize];
    // Each GPU to the one of the node half of all nodes further.
    for gpu in 0..64u32 {
        let to = (gpu + 32) % 64;
        paths(&*way, network.endpoint_switch()[gpu as usize], network.switches() + to)[0]
            .links
            .iter()
            .for_each(|l| on[*l as usize] += 1);
    }
    assert_eq!(on.iter().max(), Some(&1));
}
