//! Zahavi's properties of d-mod-k.

use std::collections::BTreeSet;

use netloom_model::destination;

use super::tests::{net, paths, routing};

/// Zahavi's property: all packets to one destination descend from one top switch, and no two destinations share one.
#[test]
fn d_mod_k_gives_every_destination_a_top_switch_of_its_own() {
    let tree = net("k_ary_n_tree(k=3,n=3)");
    let routing = routing(&tree, "d-mod-k(by=switch)");
    let levels = tree.structure().levels.clone().unwrap();
    let mut tops = BTreeSet::new();
    for d in 0..9 {
        // Leaves of other subtrees: those whose way goes over the top.
        let over: BTreeSet<u32> = (0..9)
            .flat_map(|s| paths(&*routing, s, d)[0].links.clone())
            .map(|l| tree.heads()[l as usize])
            .filter(|s| levels[*s as usize] == 2)
            .collect();
        assert_eq!(over.len(), 1, "destination {d}");
        tops.extend(over);
    }
    assert_eq!(tops.len(), 9);
}

/// Zahavi's theorem: by endpoint, no two messages of a shift share a link of a tree that has the bandwidth for it.
#[test]
fn d_mod_k_by_endpoint_is_free_of_contention_for_shifts() {
    for call in [
        "k_ary_n_tree(k=2,n=3)",
        "k_ary_n_tree(k=3,n=3)",
        "fat_tree(radix=8,levels=2)",
        "fat_tree(radix=4,levels=3)",
        "fat_tree(radix=6,levels=3,top=full)",
    ] {
        let tree = net(call);
        let routing = routing(&tree, "d-mod-k");
        let n = tree.endpoints();
        for shift in 1..n {
            let mut on = vec![0u32; tree.switch_links() as usize];
            for source in 0..n {
                let at = tree.endpoint_switch()[source as usize];
                let to = destination(&*routing, &tree, (source + shift) % n);
                paths(&*routing, at, to)[0].links.iter().for_each(|link| on[*link as usize] += 1);
            }
            assert_eq!(on.iter().max(), Some(&1), "{call}, shift {shift}");
        }
    }
}
