//! Units are whole, availability is respected, draws depend on the seed.

use std::collections::BTreeSet;

use netloom_model::{Call, Network};
use proptest::prelude::*;

use crate::fixtures::{circulant, dragonfly, pods};
use crate::registry::{PLACEMENTS, place};

/// 6 groups of 2 chassis of 3 switches of 4 endpoints.
const P: u32 = 4;
const CHASSIS: u32 = 3 * P;
const GROUP: u32 = 2 * CHASSIS;

fn machine() -> Network {
    dragonfly(6, 2, 3, P)
}
fn placed(net: &Network, ranks: u32, text: &str) -> Vec<u32> {
    place(net, i64::from(ranks), &Call::parse(text).unwrap()).unwrap()
}
fn words(list: &[u32]) -> String {
    list.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

/// Each run of `size` entries is one unit, ascending.
fn assert_units(list: &[u32], size: u32) {
    for unit in list.chunks(size as usize) {
        let first = unit[0] / size * size;
        assert_eq!(unit, (first..).take(unit.len()).collect::<Vec<_>>(), "units of {size} in {list:?}");
    }
    let units: BTreeSet<u32> = list.iter().map(|e| e / size).collect();
    assert_eq!(units.len(), list.len().div_ceil(size as usize));
}

#[test]
fn drawn_units_are_whole_and_the_seed_matters() {
    let net = machine();
    for (name, size) in [("rdr", P), ("random-routers", P), ("random-chassis", CHASSIS), ("rdg", GROUP)] {
        for ranks in [1, 5, 48, 71, 144] {
            assert_units(&placed(&net, ranks, &format!("{name}(seed=5)")), size);
        }
        let firsts: BTreeSet<u32> = (0..200).map(|seed| placed(&net, 1, &format!("{name}(seed={seed})"))[0]).collect();
        assert_eq!(firsts.len() as u32, net.endpoints() / size, "{name}: every unit may come first");
    }
}

#[test]
fn whole_units_come_before_parts() {
    let net = machine();
    // One endpoint of switches 0, 7, 14, 21, 28, 35 is taken, so of each group and of half of the chassis.
    let free: Vec<u32> = (0..144).filter(|e| e % 28 != 0).collect();
    let taken = |e: &u32| [0, 7, 14, 21, 28, 35].contains(&(e / P));
    for seed in 0..20 {
        let list = placed(&net, free.len() as u32, &format!("rdr(seed={seed},available=[{}])", words(&free)));
        assert_units(&list[..30 * P as usize], P);
        assert!(list[..30 * P as usize].iter().all(|e| !taken(e)) && list[30 * P as usize..].iter().all(taken));
        let list = placed(&net, 72, &format!("rdc(seed={seed},available=[{}])", words(&free)));
        assert_units(&list, CHASSIS);
    }
    let list = placed(&net, 138, &format!("rrr(available=[{}])", words(&free)));
    assert!(list[..120].iter().all(|e| !taken(e)) && list[120..].iter().all(taken));
    let list = placed(&net, 20, &format!("blocked(5,available=[{}])", words(&free)));
    // Blocks of 5 switches that lost none: only 15..20 (the others hold 0, 7, 14, 21, 28, 35).
    assert_eq!(list, (60..80).collect::<Vec<u32>>());
}

#[test]
fn round_robin_visits_each_group_in_turn() {
    let net = machine();
    let list = placed(&net, 144, "rrn");
    assert_eq!(list[..8], [0, 24, 48, 72, 96, 120, 1, 25]);
    assert!(list.iter().enumerate().all(|(i, e)| e / GROUP == i as u32 % 6));
    let list = placed(&net, 144, "round-robin-routers");
    assert_units(&list, P);
    assert!(list.iter().enumerate().all(|(i, e)| e / GROUP == i as u32 / P % 6));
    // A full group is skipped.
    assert_eq!(placed(&net, 7, "rrn(available=[0,1,2,3,30,31,140])"), [0, 30, 140, 1, 31, 2, 3]);
}

#[test]
fn blocks_keep_their_boundaries() {
    let net = machine();
    for unit in ["endpoints", "switches", "chassis", "groups"] {
        assert_eq!(placed(&net, 144, &format!("blocked(4,{unit})")), (0..144).collect::<Vec<u32>>());
    }
    // Endpoint 1 is taken: the whole block 4..8 comes before the rest of 0..4.
    assert_eq!(placed(&net, 6, "blocked(4,endpoints,available=[0,2,3,4,5,6,7])"), [4, 5, 6, 7, 0, 2]);
    assert_eq!(placed(&net, 3, "blocked(2,groups,available=[143,96,1])"), [1, 96, 143]);
    assert!(place(&net, 3, &Call::parse("blocked(0)").unwrap()).is_err());
}

#[test]
fn a_pod_is_what_hangs_together_below_the_top() {
    // Leaf s is in pod s mod 3: a pod's endpoints are not consecutive.
    let net = pods(3, 4, 2);
    let pod = |e: u32| e / 2 % 3;
    for text in ["rdg(seed=4)", "rdc(seed=4)", "blocked(1,groups)"] {
        let list = placed(&net, 24, text);
        for part in list.chunks(8) {
            assert!(part.iter().all(|&e| pod(e) == pod(part[0])) && part.is_sorted(), "{text}: {list:?}");
        }
    }
    assert!(placed(&net, 24, "rrn").iter().enumerate().all(|(i, &e)| pod(e) == i as u32 % 3));
    assert_eq!(placed(&net, 4, "rrr"), [0, 1, 2, 3]);
}

#[test]
fn networks_without_parts_are_refused_with_the_reason() {
    let net = circulant(16, 1);
    for text in ["rdc", "rdg", "rrn", "rrr", "blocked(1,groups)", "blocked(1,chassis)"] {
        let faults = place(&net, 4, &Call::parse(text).unwrap()).unwrap_err();
        assert_eq!(faults.0[0].code, "NL-M016", "{text}");
        assert!(faults.to_string().contains("random-switches"), "{faults}");
    }
}

proptest! {
    #[test]
    fn every_placement_takes_free_endpoints_once(seed in 0u32..1000, free in 1u32..=144, share in 0.0f64..=1.0) {
        let net = machine();
        let available = placed(&net, free, &format!("random(seed={seed})"));
        let ranks = ((f64::from(free) * share) as u32).max(1);
        for row in PLACEMENTS.rows {
            let call = format!("{}(available=[{}])", row.name, words(&available));
            let list = match place(&net, i64::from(ranks), &Call::parse(&call).unwrap()) {
                Ok(list) => list,
                Err(faults) => {
                    prop_assert!(["ring", "circulant"].contains(&row.name), "{} {faults}", row.name);
                    continue;
                }
            };
            let distinct: BTreeSet<u32> = list.iter().copied().collect();
            prop_assert_eq!(distinct.len() as u32, ranks, "{}", row.name);
            prop_assert!(list.iter().all(|e| available.contains(e)), "{}", row.name);
        }
    }
}
