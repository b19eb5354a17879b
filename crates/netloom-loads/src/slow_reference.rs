//! The definitions, written as directly as possible, and tests that the fast code agrees with them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use netloom_model::schedule::{Blocks, Partner};
use netloom_model::traffic::Flow;
use netloom_model::{HopMatrix, HopProduct, Network, Progress, Schedule, Seats, Stream, Traffic, Workload};
use proptest::prelude::*;

use crate::fixtures::{FirstLink, binomial, matrix, ring_with_chords, rounds};
use crate::hops;
use crate::hops::Hops;
use crate::links::{contentions, link_bytes};
use netloom_model::Routing;

/// Breadth-first search from every switch.
pub fn distances(network: &Network) -> Vec<u8> {
    let n = network.switches();
    let mut all = Vec::new();
    for source in 0..n {
        let mut row = vec![u8::MAX; n as usize];
        row[source as usize] = 0;
        let mut queue = VecDeque::from([source]);
        while let Some(at) = queue.pop_front() {
            for &to in network.neighbours(at) {
                if row[to as usize] == u8::MAX {
                    row[to as usize] = row[at as usize] + 1;
                    queue.push_back(to);
                }
            }
        }
        all.extend(row);
    }
    all
}

fn compare(fast: &Hops, distance: &HopMatrix, place: &[u32], schedule: &Schedule, links: u32) {
    let between = |a: u32, b: u32| u64::from(distance.get(place[a as usize], place[b as usize]));
    let (mut messages, mut total, mut bytes, mut hop_bytes, mut max) = (0u64, 0u64, 0u128, 0u128, 0u64);
    let mut steps: BTreeMap<u32, (u64, u64, u64)> = BTreeMap::new();
    let mut pairs = BTreeSet::new();
    let mut histogram: BTreeMap<u64, u64> = BTreeMap::new();
    schedule.for_each_message(|m| {
        let d = between(m.src, m.dst);
        messages += 1;
        total += d;
        bytes += u128::from(m.bytes);
        hop_bytes += u128::from(m.bytes) * u128::from(d);
        max = max.max(d);
        let step = steps.entry(m.step).or_default();
        *step = (step.0 + 1, step.1 + d, step.2.max(d));
        pairs.insert((m.src, m.dst));
        *histogram.entry(d).or_default() += 1;
    });
    assert_eq!((fast.messages, fast.total_hops, u64::from(fast.max_hops)), (messages, total, max));
    assert_eq!((fast.bytes, fast.hop_bytes), (bytes, hop_bytes));
    for (step, s) in steps {
        let f = fast.steps[step as usize];
        assert_eq!((f.messages, f.hops, u64::from(f.max)), s);
    }
    assert_eq!(fast.steps.iter().map(|s| s.hop_bytes).sum::<u128>(), hop_bytes);
    for (d, count) in histogram {
        assert_eq!(fast.histogram[d as usize], count);
    }
    assert_eq!(fast.histogram.iter().sum::<u64>(), messages);
    let dilation: u64 = pairs.iter().map(|p| between(p.0, p.1)).sum();
    assert_eq!(fast.pairs, pairs.len() as u64);
    let near = |a: Option<f64>, b: f64| assert!((a.unwrap() - b).abs() < 1e-12, "{a:?} {b}");
    near(fast.average_dilation, dilation as f64 / pairs.len() as f64);
    near(fast.mean_hops, total as f64 / messages as f64);
    near(fast.average_bytes_per_link, hop_bytes as f64 / f64::from(links));
    if bytes > 0 {
        near(fast.average_hops_per_byte, hop_bytes as f64 / bytes as f64);
    }
}

/// Shifts, xors, both kinds, with repeats; even and uneven blocks.
fn some_schedules(ranks: u32, bytes: u64) -> Vec<Schedule> {
    use Partner::{Shift, Xor};
    let each = Blocks::Each { bytes, count: ranks.into() };
    let split = Blocks::Split { total_bytes: bytes, count: ranks.into() };
    let mut made = vec![binomial(ranks, bytes)];
    for blocks in [each, split] {
        made.push(rounds(ranks, blocks, &(1..ranks).map(Shift).collect::<Vec<_>>()));
        made.push(rounds(ranks, blocks, &[Shift(1), Shift(2), Shift(1), Shift(ranks - 1)]));
        if ranks.is_power_of_two() {
            made.push(rounds(ranks, blocks, &(1..ranks).map(Xor).collect::<Vec<_>>()));
            made.push(rounds(ranks, blocks, &[Xor(1), Shift(1), Xor(ranks / 2), Shift(ranks / 2)]));
        }
    }
    made
}

fn drawn(switches: u32, ranks: u32, seed: u64) -> Vec<u32> {
    let mut stream = Stream::new(seed, "places");
    (0..ranks).map(|_| stream.below(switches)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn hops_agree(n in 4u32..40, ranks in 3u32..70, bytes in 0u64..5000, seed in 0u64..1000) {
        let network = ring_with_chords(n, n / 2, 1, seed);
        let distance = matrix(&network);
        for ranks in [ranks, ranks.next_power_of_two()] {
            let place = drawn(n, ranks, seed);
            for schedule in some_schedules(ranks, bytes) {
                let load = Workload::from(schedule.clone());
                let fast = hops(&distance, network.switch_links(), &place, None, &load, &Progress::new()).unwrap();
                compare(&fast, &distance, &place, &schedule, network.switch_links());
                let traffic = load.traffic().unwrap().into();
                let summed = hops(&distance, network.switch_links(), &place, None, &traffic, &Progress::new()).unwrap();
                prop_assert_eq!(&summed, &Hops { steps: Vec::new(), ..fast.clone() });
            }
        }
    }

    #[test]
    fn a_product_of_two_graphs_counts_as_its_matrix(n in 3u32..9, m in 3u32..9, ranks in 3u32..70, bytes in 0u64..5000, seed in 0u64..1000) {
        let [outer, inner] = [n, m].map(|size| matrix(&ring_with_chords(size, 2, 1, seed)));
        let apart = |a: u32, b: u32| outer.get(a / m, b / m) + inner.get(a % m, b % m);
        let whole = (0..n * m).flat_map(|a| (0..n * m).map(move |b| (a, b))).map(|(a, b)| apart(a, b)).collect();
        let whole = HopMatrix::from_rows(n * m, whole).unwrap();
        let product = HopProduct::new(outer.clone(), inner.clone()).unwrap();
        for ranks in [ranks, ranks.next_power_of_two()] {
            let (place, nodes) = (drawn(n * m, ranks, seed), drawn(5, ranks, seed + 1));
            for (schedule, nodes) in some_schedules(ranks, bytes).into_iter().flat_map(|s| [(s.clone(), None), (s, Some(&nodes[..]))]) {
                let load = Workload::from(schedule);
                let one = hops(&product, 16, &place, nodes, &load, &Progress::new()).unwrap();
                prop_assert_eq!(one, hops(&whole, 16, &place, nodes, &load, &Progress::new()).unwrap());
            }
        }
    }

    #[test]
    fn link_bytes_and_contentions_agree(n in 4u32..24, ranks in 3u32..24, bytes in 0u64..5000, seed in 0u64..1000) {
        let network = ring_with_chords(n, n / 2, 2, seed);
        let distance = matrix(&network);
        let routing = FirstLink { network: &network, distance: distance.clone(), halves: false };
        let mut endpoints: Vec<u32> = (0..2 * n).collect();
        Stream::new(seed, "endpoints").shuffle(&mut endpoints);
        endpoints.truncate(ranks as usize);
        let mapping = Seats::new(endpoints);
        let ranks = mapping.ranks();
        for schedule in some_schedules(ranks, bytes) {
            let mut load = vec![0u64; network.links() as usize];
            let mut together: BTreeMap<(u32, u32), u64> = BTreeMap::new();
            let workload = Workload::from(schedule.clone());
            let switch = mapping.switches(&network);
            let mut paths = Vec::new();
            schedule.for_each_message(|m| {
                routing.paths(switch[m.src as usize], switch[m.dst as usize], &mut paths).unwrap();
                for &link in &paths[0].links {
                    load[link as usize] += m.bytes;
                    *together.entry((m.step, link)).or_default() += 1;
                }
                load[network.injection_link(mapping.endpoint(m.src)) as usize] += m.bytes;
                load[network.ejection_link(mapping.endpoint(m.dst)) as usize] += m.bytes;
            });
            let fast = link_bytes(&network, &routing, &mapping, &workload, &Progress::new()).unwrap();
            let slow: Vec<f64> = load.iter().map(|l| *l as f64).collect();
            prop_assert_eq!(&fast.bytes, &slow);
            let halves = FirstLink { network: &network, distance: distance.clone(), halves: true };
            prop_assert_eq!(&link_bytes(&network, &halves, &mapping, &workload, &Progress::new()).unwrap(), &fast);
            let traffic = workload.traffic().unwrap().into();
            prop_assert_eq!(&link_bytes(&network, &routing, &mapping, &traffic, &Progress::new()).unwrap(), &fast);
            let h = hops(&distance, network.switch_links(), &switch, None, &workload, &Progress::new()).unwrap();
            let on_switch_links: f64 = slow[..network.switch_links() as usize].iter().sum();
            prop_assert_eq!(h.hop_bytes as f64, on_switch_links);
            let counted = contentions(&network, &routing, (&mapping, None), &schedule, &Progress::new()).unwrap();
            prop_assert_eq!(counted.total, together.values().map(|m| m - 1).sum::<u64>());
            prop_assert_eq!(u64::from(counted.max_messages), together.values().copied().max().unwrap_or(0));
            prop_assert_eq!(counted.steps.iter().map(|s| s.contentions).sum::<u64>(), counted.total);
        }
    }
}

#[test]
fn contentions_by_hand() {
    // Path 0-1-2-3 (a ring's links with the wrap unused): 0->2 and 1->3 in one step share the link 1->2.
    let network = ring_with_chords(8, 0, 1, 0);
    let routing = FirstLink { network: &network, distance: matrix(&network), halves: false };
    let mapping = Seats::new((0..8).collect());
    let shift = |k| rounds(8, Blocks::Each { bytes: 1, count: 1 }, &[Partner::Shift(k)]);
    let count = |k| contentions(&network, &routing, (&mapping, None), &shift(k), &Progress::new()).unwrap();
    assert_eq!((count(1).total, count(1).max_messages), (0, 1));
    assert_eq!((count(2).total, count(2).max_messages), (8, 2));
    assert_eq!((count(3).total, count(3).max_messages), (16, 3));
}

#[test]
fn refusals() {
    let network = ring_with_chords(8, 0, 1, 0);
    let distance = matrix(&network);
    let tree = Workload::from(binomial(8, 1));
    let place: Vec<u32> = (0..8).collect();
    let code = |d: &HopMatrix, place: &[u32], p: &Progress| hops(d, 16, place, None, &tree, p).unwrap_err().0[0].code;
    assert_eq!(code(&distance, &place[..7], &Progress::new()), "NL-E001");
    assert_eq!(code(&distance, &[0, 1, 2, 3, 4, 5, 6, 8], &Progress::new()), "NL-E002");
    let stop = Progress::new();
    stop.request_stop();
    assert_eq!(code(&distance, &place, &stop), "NL-E004");
    let mut cut = distance.clone().into_vec();
    (cut[4], cut[32]) = (255, 255);
    assert_eq!(code(&HopMatrix::from_rows(8, cut).unwrap(), &place, &Progress::new()), "NL-E003");
    let routing = FirstLink { network: &network, distance, halves: true };
    let mapping = Seats::new(place);
    let faults =
        contentions(&network, &routing, (&mapping, None), tree.schedule().unwrap(), &Progress::new()).unwrap_err();
    assert_eq!(faults.0[0].code, "NL-E005");
    let empty = Traffic::new("silence", 8, Vec::new()).into();
    let none =
        hops(&HopMatrix::from_rows(8, vec![0; 64]).unwrap(), 16, &[0; 8], None, &empty, &Progress::new()).unwrap();
    assert_eq!((none.messages, none.mean_hops, none.max_hops, none.average_hops_per_byte), (0, None, 0, None));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let network = ring_with_chords(64, 40, 4, 7);
    let distance = matrix(&network);
    let routing = FirstLink { network: &network, distance: distance.clone(), halves: true };
    let mapping = Seats::new((0..256).collect());
    let flows = (0..60_000u32).map(|i| Flow { src: i % 256, dst: (i * 7 + 1) % 256, messages: 1, bytes: u64::from(i) });
    let traffic = Traffic::new("many", 256, flows.collect()).into();
    let place = mapping.switches(&network);
    let ring = Workload::from(rounds(256, Blocks::Split { total_bytes: 1001, count: 256 }, &[Partner::Shift(5); 9]));
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let progress = Progress::new();
            let loads = link_bytes(&network, &routing, &mapping, &traffic, &progress).unwrap();
            (loads, hops(&distance, 1, &place, None, &ring, &progress).unwrap())
        })
    };
    assert_eq!(run(1), run(3));
}
