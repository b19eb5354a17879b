//! Cuts against all cuts of small graphs, and mappings whose best value is known.

use netloom_model::{Progress, Stream, Traffic};
use proptest::prelude::*;

use super::graph::{Graph, Sides};
use super::multilevel::cut;
use super::parts::{ByTraffic, Parts};
use super::refine::Aim;
use crate::contract::{Case, random_traffic, shuffled};
use crate::fixtures::{allreduce, both_ways, ring_with_matchings, stencil, torus};
use crate::guest::Weigh;
use crate::prepared::Prepared;

fn graph(vertices: u32, edges: &[(u32, u32, i64)], leans: &[i64]) -> Graph {
    let mut made = Graph::default();
    for v in 0..vertices {
        made.push(1, leans.get(v as usize).copied().unwrap_or(0));
        for &(a, b, weight) in edges.iter().filter(|e| e.0 != e.1) {
            if a == v {
                made.edge(b, weight);
            } else if b == v {
                made.edge(a, weight);
            }
        }
    }
    made
}

/// The least cost of all cuts with so many vertices on the near side.
fn least(graph: &Graph, near: u32) -> i64 {
    let sides = |mask: u32| (0..graph.vertices()).map(|v| mask >> v & 1 == 1).collect();
    let all = (0u32..1 << graph.vertices()).filter(|mask| mask.count_ones() == graph.vertices() - near);
    all.map(|mask| Sides::new(graph, sides(mask)).cost).min().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn cuts_have_the_size_asked_for_and_gains_add_up(
        edges in prop::collection::vec((0u32..60, 0u32..60, 1i64..50), 0..200),
        leans in prop::collection::vec(-40i64..40, 60),
        near in 1u64..60,
        seed in 0u64..1000,
    ) {
        let graph = graph(60, &edges, &leans);
        let far = cut(&graph, Aim { near, slack: 0 }, &mut Stream::new(seed, "cut"));
        let mut sides = Sides::new(&graph, far);
        prop_assert_eq!(sides.near_size, near);
        // Turning every vertex one after another, by gains, ends at the cost of the opposite cut.
        for v in 0..60 {
            let gain = sides.gain(&graph, v);
            sides.turn(&graph, v, gain);
        }
        prop_assert_eq!(sides.cost, Sides::new(&graph, sides.far.clone()).cost);
        prop_assert_eq!(sides.near_size, 60 - near);
    }
}

/// No cut of a heuristic is near the best of every graph; of these few hundred, most are the best.
#[test]
fn cuts_of_small_graphs_are_mostly_the_best() {
    let (mut best, mut excess) = (0, 0.0);
    for number in 0..300 {
        let mut draw = Stream::new(number, "small graphs");
        let count = draw.below(40);
        let edges: Vec<(u32, u32, i64)> =
            (0..count).map(|_| (draw.below(12), draw.below(12), 1 + i64::from(draw.below(49)))).collect();
        let leans: Vec<i64> = (0..12).map(|_| i64::from(draw.below(80)) - 40).collect();
        let near = 1 + draw.below(11);
        let graph = graph(12, &edges, &leans);
        let sides = Sides::new(&graph, cut(&graph, Aim { near: near.into(), slack: 0 }, &mut Stream::new(1, "cut")));
        let (least, total) =
            (least(&graph, near), edges.iter().map(|e| e.2).chain(leans.iter().map(|l| l.abs())).sum());
        assert!(sides.cost >= least, "graph {number}");
        best += u32::from(sides.cost == least);
        excess += (sides.cost - least) as f64 / i64::max(total, 1) as f64;
    }
    assert!(best >= 290 && excess / 300.0 < 1e-3, "{best} of 300, {:.5} of the weight too much", excess / 300.0);
}

#[test]
fn groups_that_exchange_bytes_share_a_node() {
    let cliques = (0..48).flat_map(|a| (a + 1..48).filter(move |b| b % 8 == a % 8).map(move |b| (a, b, 5)));
    let case = Case::nodes_on_ring(8, 6, Traffic::new("cliques", 48, both_ways(cliques)));
    assert_eq!(case.run(false, "bisection(tries=1)", "inter-node").unwrap().value, 0);
}

#[test]
fn the_heaviest_dimensions_of_a_hypercube_stay_inside() {
    let edges = (0..64u32).flat_map(|r| (0..6).map(move |i| (r, r ^ (1 << i), 1u64 << i)));
    let halving = Traffic::new("halving", 64, both_ways(edges.filter(|(a, b, _)| a < b)));
    let found = Case::nodes_on_ring(8, 8, halving).run(false, "bisection", "inter-node").unwrap();
    assert_eq!(found.value, 64 * 7);
}

#[test]
fn a_ring_lies_along_a_ring_and_a_grid_on_its_torus() {
    // Every neighbour one hop away.
    let ring = Case::new(torus(&[16], 1), shuffled(16, 16, 2), stencil(&[16]), None);
    assert_eq!(ring.run(false, "bisection", "hop-bytes").unwrap().value, 32);
    assert_eq!(ring.run(false, "geometric", "hop-bytes").unwrap().value, 32);
    let grid = Case::new(torus(&[4, 8], 1), shuffled(32, 32, 2), stencil(&[8, 4]), None);
    assert_eq!(grid.run(false, "geometric", "hop-bytes").unwrap().value, 128);
}

#[test]
fn places_without_a_rank_are_left_together() {
    // A clique of nine ranks on two switches, of the sixteen that it may choose.
    let clique = (0..9).flat_map(|a| (a + 1..9).map(move |b| (a, b, 1)));
    let case = Case::new(torus(&[16], 6), shuffled(96, 9, 3), Traffic::new("clique", 9, both_ways(clique)), None);
    let found = case.run(true, "bisection", "hop-bytes").unwrap();
    // Six on one switch and three on the next: 18 pairs apart, both ways.
    assert_eq!(found.value, 36);
}

#[test]
fn spread_ranks_take_their_share_of_every_switch() {
    let clique = (0..24).flat_map(|a| (a + 1..24).map(move |b| (a, b, 1)));
    let case = Case::new(torus(&[8], 6), shuffled(48, 24, 3), Traffic::new("clique", 24, both_ways(clique)), None);
    let found = case.with(true, |problem| {
        let prepared = Prepared::new(&problem, Weigh::Bytes).unwrap();
        let mut parts = Parts::new(&prepared, 1);
        parts.halve(&mut ByTraffic::new(1, prepared.slots(), true), &Progress::new());
        parts.slot_of_rank()
    });
    let on = |switch: u32| found.iter().filter(|slot| **slot / 6 == switch).count();
    assert_eq!((0..8).map(on).collect::<Vec<_>>(), [3; 8]);
}

#[test]
fn the_same_on_any_number_of_threads() {
    let case = Case::new(ring_with_matchings(64, 3, 2, 1), shuffled(128, 100, 4), random_traffic(100, 700, 4), None);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| case.run(true, "bisection(tries=5)", "hop-bytes").unwrap())
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn better_than_the_start_on_networks_without_structure() {
    let traffic = Traffic::of_schedule(&allreduce(64)).unwrap();
    let case = Case::new(ring_with_matchings(64, 2, 1, 1), shuffled(64, 64, 5), traffic, None);
    let found = case.run(false, "bisection", "hops").unwrap();
    assert!(found.value * 10 < found.start_value * 8, "{} of {}", found.value, found.start_value);
}
