//! Parts have equal work, few packets between them, and stay together where latencies are short.

use std::sync::Arc;

use netloom_model::{Call, Network};
use proptest::prelude::*;

use super::division::{Tie, divide};
use super::layout::{Layout, ends};

fn network(text: &str) -> Arc<Network> {
    Arc::new(netloom_net::build(&Call::parse(text).unwrap()).unwrap())
}

/// Packets over each link, and one latency for all.
fn ties(network: &Network, packets: impl Fn(u32) -> u64) -> Vec<Tie> {
    let tie = |(link, ends): (u32, &(u32, u32))| Tie { ends: *ends, packets: packets(link), latency_ps: 100 };
    (0..).zip(&ends(network, None)).map(tie).collect()
}

fn sizes(of: &[u16], parts: u16) -> Vec<usize> {
    (0..parts).map(|part| of.iter().filter(|p| **p == part).count()).collect()
}

fn across(of: &[u16], ties: &[Tie]) -> usize {
    ties.iter().filter(|tie| of[tie.ends.0 as usize] != of[tie.ends.1 as usize]).count()
}

#[test]
fn every_link_has_one_place_and_parts_without_traffic_are_equal() {
    for text in
        ["torus(6,5)", "fat_tree(radix=4,levels=3)", "dragonfly(a=4,p=2,h=1,g=5)", "random_regular(24,degree=3,seed=1)"]
    {
        let network = network(text);
        let ends = ends(&network, None);
        for parts in [2u16, 3, 7] {
            let of = divide(network.switches(), &ties(&network, |_| 0), parts, 100).unwrap();
            let layout = Layout::new(&of, parts, &ends);
            let mut places: Vec<(u16, u32)> = (0..network.links()).map(|link| layout.of(link)).collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len() as u32, network.links());
            let sizes = sizes(&of, parts);
            assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{text} {sizes:?}");
        }
    }
}

#[test]
fn a_torus_is_cut_into_slabs() {
    let network = network("torus(8,4,4)");
    let ties = ties(&network, |_| 0);
    let of = divide(network.switches(), &ties, 2, 100).unwrap();
    assert_eq!(across(&of, &ties), 2 * 2 * 16);
}

#[test]
fn parts_share_what_is_busy() {
    // All traffic is in two of nine groups.
    let network = network("dragonfly(a=4,p=2,h=2,g=9)");
    let groups = network.structure().groups.clone().unwrap();
    let ends = ends(&network, None);
    let busy = |link: u32| if groups[ends[link as usize].0 as usize] < 2 { 1000 } else { 0 };
    let ties = ties(&network, busy);
    for parts in [2u16, 4] {
        let of = divide(network.switches(), &ties, parts, 100).unwrap();
        let work = |part: u16| -> u64 {
            ties.iter().filter(|tie| of[tie.ends.0 as usize] == part).map(|tie| tie.packets).sum()
        };
        let all: u64 = ties.iter().map(|tie| tie.packets).sum();
        for part in 0..parts {
            let share = work(part) as f64 / all as f64 * f64::from(parts);
            assert!((share - 1.0).abs() < 0.1, "{parts} parts: {part} has {share} of its share");
        }
    }
    // Two parts: each has one of the groups.
    let of = divide(network.switches(), &ties, 2, 100).unwrap();
    let of_group =
        |group: u32| of.iter().zip(&groups).filter(|(_, g)| **g == group).map(|(p, _)| *p).collect::<Vec<_>>();
    assert!(
        of_group(0).iter().all(|part| *part == of_group(0)[0])
            && of_group(1).iter().all(|part| *part != of_group(0)[0])
    );
}

#[test]
fn what_short_links_join_stays_together() {
    let network = network("dragonfly(a=4,p=2,h=2,g=9)");
    let groups = network.structure().groups.clone().unwrap();
    let mut ties = ties(&network, |_| 1);
    for tie in &mut ties {
        tie.latency_ps = if groups[tie.ends.0 as usize] == groups[tie.ends.1 as usize] { 10 } else { 100 };
    }
    let between = |of: &[u16], ties: &[Tie]| {
        ties.iter().filter(|tie| of[tie.ends.0 as usize] != of[tie.ends.1 as usize]).map(|tie| tie.latency_ps).min()
    };
    // Nine groups in three parts; in two, which would be five and four of them, and in thirty-six.
    assert_eq!(between(&divide(36, &ties, 3, 1000).unwrap(), &ties), Some(100));
    assert_eq!(between(&divide(36, &ties, 2, 1000).unwrap(), &ties), Some(100));
    assert_eq!(between(&divide(36, &ties, 36, 1000).unwrap(), &ties), Some(10));
    // Latencies beyond that of last links are worth no more.
    let short = divide(36, &ties, 2, 10).unwrap();
    assert_eq!(sizes(&short, 2), [18, 18]);
    // Nothing goes on alone without latency.
    ties.iter_mut().for_each(|tie| tie.latency_ps = if tie.latency_ps == 10 { 0 } else { 100 });
    assert_eq!(divide(36, &ties, 10, 1000), Err(9));
    assert_eq!(between(&divide(36, &ties, 9, 1000).unwrap(), &ties), Some(100));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_weights_give_a_part_to_every_switch(
        packets in prop::collection::vec(prop_oneof![Just(0u64), 0u64..1000, Just(u64::MAX)], 1..40),
        parts in 1u16..60,
        latency in 0u64..3,
    ) {
        let network = network("random_regular(60,degree=3,seed=3)");
        let mut ties = ties(&network, |link| packets[link as usize % packets.len()]);
        for (at, tie) in ties.iter_mut().enumerate() {
            tie.latency_ps = latency * (at as u64 % 3);
        }
        if let Ok(of) = divide(60, &ties, parts, 5) {
            prop_assert_eq!(of.len(), 60);
            prop_assert!(of.iter().all(|part| *part < parts));
            for tie in ties.iter().filter(|tie| tie.latency_ps == 0) {
                prop_assert_eq!(of[tie.ends.0 as usize], of[tie.ends.1 as usize]);
            }
        }
    }
}
