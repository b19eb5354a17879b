//! Shpiner et al. 2017: leaves hold the endpoints, spines the global cables.

use netloom_model::Call;

use crate::registry::build;

#[test]
fn a_small_one() {
    let net = build(&Call::parse("dragonfly_plus(leaves=2,spines=2,h=1,p=3)").unwrap()).unwrap();
    // Three groups (spines·h + 1) of four switches.
    assert_eq!((net.switches(), net.endpoints()), (12, 18));
    assert_eq!(net.endpoints_of(5), [9, 10, 11]);
    assert!(net.endpoints_of(2).is_empty());
    assert_eq!(net.neighbours(0), [2, 3]);
    // Spine 0 of group 0 leads to group 1, spine 1 to group 2; group 1 and 2 answer from their first spine.
    assert_eq!(net.neighbours(2), [0, 1, 6]);
    assert_eq!(net.neighbours(3), [0, 1, 10]);
    assert_eq!(net.neighbours(7), [4, 5, 11]);
    assert_eq!(net.structure().groups.as_ref().unwrap()[4..9], [1, 1, 1, 1, 2]);
}
