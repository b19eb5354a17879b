use netloom_model::{Call, Network, Progress, Stream};
use proptest::prelude::*;

use super::*;
use crate::metrics::reach;
use crate::metrics::tests::{grid, multigraph, network, slow_distances};

/// Network of a call, as if read from a file.
fn bare(call: &str) -> Network {
    crate::build(&Call::parse(call).unwrap()).unwrap().without_structure()
}

fn weights(net: &Network) -> Vec<u32> {
    (0..net.switches()).map(|s| net.endpoints_of(s).len() as u32).collect()
}

/// The same cables after switch `s` became `number(s)`, with `per_switch` endpoints on the new numbers.
fn renumbered(net: &Network, number: impl Fn(u32) -> u32, per_switch: impl Fn(u32) -> u32) -> Network {
    network(net.switches(), &cables(net).iter().map(|&(a, b)| (number(a), number(b))).collect::<Vec<_>>(), per_switch)
}

/// Every cable once, parallel ones each.
fn cables(net: &Network) -> Vec<(u32, u32)> {
    net.tails().iter().copied().zip(net.heads().iter().copied()).filter(|(a, b)| a < b).collect()
}

fn shuffle(switches: u32, seed: u64) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..switches).collect();
    Stream::new(seed, "numbers").shuffle(&mut numbers);
    numbers
}

/// Sources that are left. Checks every proved permutation and every count against distances by the textbook.
fn sources(net: &Network) -> usize {
    let (slow, weights) = (slow_distances(net), weights(net));
    let n = net.switches() as usize;
    let graph = Graph::of(net);
    let mut orbits = Orbits::new(n);
    unite(&graph, &weights, &mut orbits, |images| {
        let mut sorted = images.to_vec();
        sorted.sort_unstable();
        assert!(sorted.iter().enumerate().all(|(i, v)| i as u32 == *v), "not a permutation");
        for a in 0..n {
            assert_eq!(weights[a], weights[images[a] as usize]);
            for b in 0..n {
                assert_eq!(slow[a][b], slow[images[a] as usize][images[b] as usize]);
            }
        }
    });
    let sizes = orbits.sizes();
    assert_eq!(sizes.iter().sum::<u32>() as usize, n);
    let (by, all) = (reach(net, true, &Progress::new()).unwrap(), reach(net, false, &Progress::new()).unwrap());
    assert_eq!((&by.switch_pairs, &by.endpoint_pairs), (&all.switch_pairs, &all.endpoint_pairs));
    let mut switch_pairs = vec![0u64; all.switch_pairs.len()];
    let mut endpoint_pairs = switch_pairs.clone();
    for (a, row) in slow.iter().enumerate() {
        for (b, d) in row.iter().enumerate() {
            switch_pairs[d.unwrap() as usize] += 1;
            endpoint_pairs[d.unwrap() as usize] += u64::from(weights[a] * weights[b]);
        }
    }
    endpoint_pairs.truncate(by.endpoint_pairs.len());
    assert_eq!((by.switch_pairs, by.endpoint_pairs), (switch_pairs, endpoint_pairs));
    let sources = sizes.iter().filter(|s| **s > 0).count();
    assert_eq!((by.by_symmetry, all.by_symmetry), (sources < n, false));
    sources
}

#[test]
fn one_source_is_left_where_all_are_alike() {
    for dims in [&[9u32][..], &[16], &[5, 7], &[2, 2], &[4, 2, 3], &[8, 8], &[6, 2, 5], &[3, 3, 3, 3], &[4, 4, 4, 2]] {
        assert_eq!(sources(&grid(dims, true)), 1, "{dims:?}");
    }
    for call in [
        "circulant(64,1,5,9)",
        "circulant(256,pow2)",
        "circulant(37,2,3)",
        "hypercube(7)",
        "complete(30)",
        "hyperx(6,5,4)",
        "torus(2,2,2)",
        "ring(11)",
    ] {
        assert_eq!(sources(&bare(call)), 1, "{call}");
    }
}

/// One switch of a group, one of a level and so on: what shifting digits of the usual numbering leaves.
#[test]
fn few_sources_are_left_where_parts_are_alike() {
    for (call, left) in [
        ("dragonfly(a=4,p=2,h=2,g=8,arrangement=\"circulant\")", 4),
        ("k_ary_n_tree(k=4,n=3)", 3),
        ("slim_fly(q=5)", 10),
        ("mesh(4,5,6)", 2 * 3 * 3),
        ("mesh(7)", 4),
    ] {
        assert_eq!(sources(&bare(call)), left, "{call}");
    }
}

#[test]
fn doubled_cables_change_no_distance() {
    let torus = grid(&[6, 4, 5], true);
    let mut twice = cables(&torus);
    twice.extend(cables(&torus).iter().step_by(7));
    assert_eq!(sources(&network(120, &twice, |_| 1)), 1);
}

#[test]
fn endpoints_are_part_of_the_symmetry() {
    let torus = grid(&[6, 4, 5], true);
    // By the digit of the last dimension, of the first, of none.
    assert_eq!(sources(&renumbered(&torus, |s| s, |s| s % 5)), 5);
    assert_eq!(sources(&renumbered(&torus, |s| s, |s| s / 20)), 6);
    assert_eq!(sources(&renumbered(&torus, |s| s, |s| if s == 77 { 0 } else { 3 })), 120);
    assert_eq!(sources(&renumbered(&torus, |s| s, |_| 0)), 1);
}

/// The first check does not see the difference.
#[test]
fn one_cable_in_another_place_breaks_the_symmetry() {
    for dims in [&[8u32, 8, 8][..], &[5, 7, 4], &[200]] {
        let torus = grid(dims, true);
        let (mut list, n) = (cables(&torus), torus.switches());
        let at = list.iter().position(|&(a, b)| a == n * 2 / 5 && b == a + 1).unwrap();
        list[at].1 = n * 2 / 5 + 3;
        assert_eq!(sources(&network(n, &list, |_| 1)), n as usize, "{dims:?}");
    }
    // A reversal that maps the one cable more onto itself is left.
    let mut list = cables(&grid(&[12], true));
    list.push((4, 7));
    assert_eq!(sources(&network(12, &list, |_| 1)), 6);
}

#[test]
fn other_numberings_and_random_graphs_fall_back() {
    let torus = grid(&[8, 8, 4], true);
    let numbers = shuffle(256, 3);
    assert_eq!(sources(&renumbered(&torus, |s| numbers[s as usize], |_| 1)), 256);
    assert_eq!(sources(&bare("random_regular(256,degree=5,seed=2)")), 256);
    assert_eq!(sources(&bare("random_shortcut(128,degree=5,seed=2)")), 128);
}

#[test]
fn corners() {
    for (n, cables) in [(1u32, &[][..]), (2, &[(0, 1)])] {
        assert_eq!(sources(&network(n, cables, |_| 1)), 1);
    }
    assert_eq!(orbit_sizes(&Graph::of(&network(0, &[], |_| 0)), &[]), [0u32; 0]);
    assert_eq!(divisors(1), [1]);
    assert_eq!(divisors(36), [1, 2, 3, 4, 6, 9, 12, 18, 36]);
    assert_eq!(divisors(1 << 31).len(), 32);
    assert_eq!(digits(8).collect::<Vec<_>>(), [(1, 8), (1, 4), (1, 2), (2, 4), (2, 2), (4, 2)]);
}

/// Torus, mesh or circulant of any extents, sometimes with one more cable, sometimes with different endpoints.
fn nearly_symmetric() -> impl Strategy<Value = Network> {
    let shape = prop_oneof![
        (prop::collection::vec(1u32..7, 1..5), any::<bool>()).prop_map(|(dims, wrap)| cables_of(&grid(&dims, wrap))),
        (3u32..200, 2u32..90).prop_map(|(n, jump)| {
            let ring = (0..n).map(|s| (s, (s + 1) % n));
            (n, ring.chain((0..n).map(|s| (s, (s + jump) % n))).filter(|c| c.0 != c.1).collect())
        }),
        multigraph().prop_map(|(n, cables)| if n < 200 { (n, cables) } else { (1, Vec::new()) }),
    ];
    (shape, any::<[u32; 2]>(), 0u32..3, 1u32..4).prop_map(|((n, mut cables), [a, b], more, every)| {
        if more == 0 && a % n != b % n {
            cables.push((a % n, b % n));
        }
        network(n, &cables, |s| if s % every == 0 { 2 } else { 1 })
    })
}

fn cables_of(net: &Network) -> (u32, Vec<(u32, u32)>) {
    (net.switches(), cables(net))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn what_is_united_is_alike(net in nearly_symmetric()) {
        sources(&net);
    }
}
