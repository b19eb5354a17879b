use std::collections::VecDeque;

use netloom_model::{HopMatrix, Network, NetworkBuilder, Progress};
use proptest::prelude::*;

use super::reach::reach_with;
use super::simd::Simd;
use super::*;

/// A network of these cables with `per_switch(s)` endpoints on switch `s`.
pub(crate) fn network(switches: u32, cables: &[(u32, u32)], per_switch: impl Fn(u32) -> u32) -> Network {
    let mut builder = NetworkBuilder::new("test", switches);
    let class = builder.class("link", 12.5e9, 1e-7);
    for &(a, b) in cables {
        builder.cable(a, b, class);
    }
    for s in 0..switches {
        for _ in 0..per_switch(s) {
            builder.endpoint(s);
        }
    }
    builder.build().unwrap()
}

/// Row-major grid, wrapped or not; a wrapped extent of 2 gets one cable.
pub(crate) fn grid(dims: &[u32], wrap: bool) -> Network {
    let n: u32 = dims.iter().product();
    let mut cables = Vec::new();
    let mut stride = 1;
    for &extent in dims.iter().rev() {
        for s in 0..n {
            let x = s / stride % extent;
            if x + 1 < extent {
                cables.push((s, s + stride));
            } else if wrap && extent > 2 {
                cables.push((s, s - stride * (extent - 1)));
            }
        }
        stride *= extent;
    }
    network(n, &cables, |_| 1)
}

/// Distances by the textbook.
pub(crate) fn slow_distances(network: &Network) -> Vec<Vec<Option<u32>>> {
    (0..network.switches())
        .map(|source| {
            let mut distance = vec![None; network.switches() as usize];
            distance[source as usize] = Some(0);
            let mut queue = VecDeque::from([source]);
            while let Some(at) = queue.pop_front() {
                for &u in network.neighbours(at) {
                    if distance[u as usize].is_none() {
                        distance[u as usize] = distance[at as usize].map(|d| d + 1);
                        queue.push_back(u);
                    }
                }
            }
            distance
        })
        .collect()
}

/// Every instruction set against the textbook: switches, endpoints, matrix.
fn check(net: &Network) {
    let slow = slow_distances(net);
    let n = net.switches() as usize;
    let mut switch_pairs = Vec::new();
    let mut endpoint_pairs = Vec::new();
    for (s, row) in slow.iter().enumerate() {
        for (v, d) in row.iter().enumerate() {
            let d = d.unwrap() as usize;
            for pairs in [&mut switch_pairs, &mut endpoint_pairs] {
                if pairs.len() <= d {
                    pairs.resize(d + 1, 0u64);
                }
            }
            switch_pairs[d] += 1;
            endpoint_pairs[d] += (net.endpoints_of(s as u32).len() * net.endpoints_of(v as u32).len()) as u64;
        }
    }
    while endpoint_pairs.len() > 1 && endpoint_pairs.last() == Some(&0) {
        endpoint_pairs.pop();
    }
    let expected = Reach { switch_pairs, endpoint_pairs, by_symmetry: false };
    for simd in Simd::available() {
        let got = reach_with(net, false, simd, &Progress::new()).unwrap();
        assert_eq!(got, expected, "{simd:?}");
    }
    let matrix = hop_matrix(net, &Progress::new());
    if expected.switch_pairs.len() > 255 {
        assert_eq!(matrix.unwrap_err().0[0].code, "NL-N010");
        return;
    }
    let flat: Vec<u8> = slow.iter().flatten().map(|d| d.unwrap() as u8).collect();
    let matrix = matrix.unwrap();
    assert_eq!(matrix, HopMatrix::from_rows(n as u32, flat).unwrap());
    let some: Vec<u32> = [n - 1, 0, n / 2, 0].iter().map(|s| *s as u32).collect();
    let mut rows = vec![0; 4 * n];
    hop_rows(net, &some, &mut rows, &Progress::new()).unwrap();
    for (row, &s) in rows.chunks(n).zip(&some) {
        assert_eq!(row, matrix.row(s));
    }
}

#[test]
fn grids_equal_the_textbook() {
    for (dims, wrap) in [
        (&[1u32][..], false),
        (&[2], false),
        (&[9], true),
        (&[130], false),
        (&[300], false),
        (&[5, 5], true),
        (&[4, 3, 5], false),
        (&[8, 9, 10], true),
        (&[2, 2, 2, 2, 2, 2, 2, 2, 2, 2], false),
        (&[12, 11, 10], true),
    ] {
        check(&grid(dims, wrap));
    }
}

#[test]
fn locality_order_changes_nothing() {
    // A long ladder with scrambled switch numbers, endpoints on every third switch.
    let n = 1500;
    let scramble = |s: u32| s * 601 % n;
    let mut cables: Vec<_> = (1..n).map(|s| (scramble(s - 1), scramble(s))).collect();
    cables.extend((10..n).map(|s| (scramble(s - 10), scramble(s))));
    check(&network(n, &cables, |s| s % 3));
}

/// Closed forms of Cui 2024 section 2.1.2 as corrected by errata E0-01 to E0-05.
#[test]
fn closed_forms() {
    let ask = |net: &Network| metrics(net, Options::default(), &Progress::new()).unwrap();
    for (k, n) in [(5u32, 2u32), (4, 3), (7, 3), (6, 4)] {
        let (kf, nf, size) = (f64::from(k), f64::from(n), f64::from(k).powi(n as i32));
        let torus = ask(&grid(&vec![k; n as usize], true));
        assert_eq!(torus.diameter, n * (k / 2));
        let with_self = if k % 2 == 0 { nf * kf / 4.0 } else { nf * (kf / 4.0 - 1.0 / (4.0 * kf)) };
        assert!((torus.aspl.unwrap() - with_self * size / (size - 1.0)).abs() < 1e-12);
        let mesh = ask(&grid(&vec![k; n as usize], false));
        assert_eq!(mesh.diameter, n * (k - 1));
        let with_self = nf * (kf * kf - 1.0) / (3.0 * kf);
        assert!((mesh.aspl.unwrap() - with_self * size / (size - 1.0)).abs() < 1e-12);
    }
    let cube = ask(&grid(&[2; 10], false));
    assert_eq!((cube.diameter, cube.degree_min, cube.degree_max), (10, 10, 10));
    assert!((cube.aspl.unwrap() - 10.0 * 512.0 / 1023.0).abs() < 1e-12);
    assert_eq!(cube.hop_histogram[3], 1024 * 120);
}

#[test]
fn endpoints_of_one_switch_are_zero_hops_apart() {
    let net = network(3, &[(0, 1), (1, 2)], |s| if s == 1 { 0 } else { 2 });
    let m = metrics(&net, Options::default(), &Progress::new()).unwrap();
    assert_eq!(m.endpoint_hop_histogram, [4, 0, 8]);
    assert_eq!((m.endpoint_diameter, m.endpoint_aspl), (Some(2), Some(16.0 / 12.0)));
    let lone = network(1, &[], |_| 1);
    let m = metrics(&lone, Options::default(), &Progress::new()).unwrap();
    assert_eq!((m.diameter, m.aspl, m.endpoint_diameter, m.endpoint_aspl), (0, None, None, None));
    let empty = network(0, &[], |_| 1);
    assert_eq!(metrics(&empty, Options::default(), &Progress::new()).unwrap().aspl, None);
}

#[test]
fn moore_and_lower_bounds() {
    assert_eq!(moore_bound(3, 2), 10);
    assert_eq!(moore_bound(7, 2), 50);
    assert_eq!(moore_bound(2, u32::MAX), 1 + 2 * u64::from(u32::MAX));
    assert_eq!(moore_bound(3, u32::MAX), u64::MAX);
    assert_eq!(lower_bounds(10, 3), Some((2, 15.0 / 9.0)));
    assert_eq!(lower_bounds(9, 2), Some((4, 2.5)));
    assert_eq!(lower_bounds(8, 2), Some((4, 16.0 / 7.0)));
    assert_eq!(lower_bounds(3, 1), None);
    assert_eq!(lower_bounds(1, 5), None);
    let ring = metrics(&grid(&[8], true), Options::default(), &Progress::new()).unwrap();
    assert_eq!((ring.diameter_gap, ring.aspl_gap), (Some(0), Some(0.0)));
}

#[test]
fn refusals() {
    let apart = network(4, &[(0, 1), (2, 3)], |_| 1);
    let progress = Progress::new();
    assert_eq!(metrics(&apart, Options::default(), &progress).unwrap_err().0[0].code, "NL-N001");
    assert_eq!(hop_matrix(&apart, &progress).unwrap_err().0[0].code, "NL-N001");
    let ring = grid(&[6], true);
    assert_eq!(hop_rows(&ring, &[6], &mut [0; 6], &progress).unwrap_err().0[0].code, "NL-N012");
    assert_eq!(hop_rows(&ring, &[1], &mut [0; 5], &progress).unwrap_err().0[0].code, "NL-N013");
    let far = grid(&[400], true);
    hop_matrix(&far, &progress).unwrap();
    assert_eq!(hop_matrix(&grid(&[512], true), &progress).unwrap_err().0[0].code, "NL-N010");
    progress.request_stop();
    assert_eq!(metrics(&ring, Options::default(), &progress).unwrap_err().0[0].code, "NL-N011");
}

fn topology(call: &str) -> Network {
    crate::build(&netloom_model::Call::parse(call).unwrap()).unwrap()
}

#[test]
fn one_source_stands_for_all_where_the_structure_says_so() {
    for (call, symmetric) in [
        ("torus(5,4,3)", true),
        ("hypercube(6)", true),
        ("circulant(64,1,5,9)", true),
        ("random_regular(64,degree=5,seed=1)", false),
    ] {
        let net = topology(call);
        let one = reach(&net, true, &Progress::new()).unwrap();
        let all = reach(&net, false, &Progress::new()).unwrap();
        assert_eq!((one.by_symmetry, all.by_symmetry), (symmetric, false), "{call}");
        assert_eq!((one.switch_pairs, one.endpoint_pairs), (all.switch_pairs, all.endpoint_pairs), "{call}");
    }
}

/// Navaridas 2009 section 4.1: 0.42, 0.125 and 1.6e-2 of the capacity of a full tree.
#[test]
fn thin_trees_carry_what_their_narrowest_level_does() {
    for (up, share) in [(8, 1.0), (6, 0.421875), (4, 0.125), (2, 0.015625)] {
        let net = topology(&format!("thin_tree(down=8,up={up},levels=4)"));
        let m = metrics(&net, Options::default(), &Progress::new()).unwrap();
        assert_eq!(m.uniform_throughput, Some(share));
    }
    let torus = metrics(&topology("torus(4,4)"), Options::default(), &Progress::new()).unwrap();
    assert_eq!(torus.uniform_throughput, None);
}

/// A ring with 17 random matchings on 1024 switches: diameter 4, ASPL from 2.680 to 2.682 when rounded to three places.
#[test]
fn random_shortcuts_are_short() {
    for seed in 1..6 {
        let net = topology(&format!("random_shortcut(1024,degree=19,seed={seed})"));
        let m = metrics(&net, Options::default(), &Progress::new()).unwrap();
        assert_eq!((m.diameter, m.degree_min, m.degree_max), (4, 19, 19));
        let thousandths = (m.aspl.unwrap() * 1000.0).round() as u32;
        assert!((2680..=2682).contains(&thousandths), "{:?}", m.aspl);
        assert_eq!((m.diameter_lower, m.moore_bound), (Some(3), 117_326));
    }
}

/// Cables of a connected multigraph: a random tree, then anything.
pub(crate) fn multigraph() -> impl Strategy<Value = (u32, Vec<(u32, u32)>)> {
    (1u32..700, 0usize..1500, any::<u64>()).prop_map(|(n, extra, seed)| {
        let mut stream = netloom_model::Stream::new(seed, "multigraph");
        // Windows of different width give paths as well as bushes.
        let window = 1 + stream.below(40);
        let mut cables: Vec<_> = (1..n).map(|s| (s, s - 1 - stream.below(window.min(s)))).collect();
        for _ in 0..extra {
            let (a, b) = (stream.below(n), stream.below(n));
            if a != b {
                cables.push((a, b));
            }
        }
        (n, cables)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn multigraphs_equal_the_textbook((n, cables) in multigraph(), every in 1u32..4) {
        check(&network(n, &cables, |s| if s % every == 0 { 2 } else { 0 }));
    }
}

#[test]
fn distances_round_a_failed_switch() {
    let ring = network(6, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)], |_| 1);
    for failed in [0, 3] {
        let left = ring.without(&[], &[failed]).unwrap();
        let found = hop_matrix(&left, &Progress::new()).unwrap();
        let (before, after) = ((failed + 5) % 6, (failed + 1) % 6);
        assert_eq!(found.get(before, after), 4);
        assert_eq!(found.get(after, (failed + 2) % 6), 1);
        assert_eq!(found.get(failed, after), netloom_model::distance::UNREACHED);
        assert_eq!(found.get(failed, failed), 0);
    }
}
