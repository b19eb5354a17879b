//! A lift keeps degrees, and joins every pair of groups by one matching.

use netloom_model::Call;

use crate::registry::build;

#[test]
fn every_pair_of_groups_has_a_perfect_matching() {
    let net = build(&Call::parse("xpander(degree=5,lift=7,seed=3)").unwrap()).unwrap();
    assert_eq!((net.switches(), net.cables()), (42, 105));
    for s in 0..42u32 {
        let mut groups: Vec<u32> = net.neighbours(s).iter().map(|t| t / 7).collect();
        groups.push(s / 7);
        groups.sort_unstable();
        assert_eq!(groups, [0, 1, 2, 3, 4, 5], "switch {s}");
    }
}
