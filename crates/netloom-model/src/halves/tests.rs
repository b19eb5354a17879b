//! Cuts against all cuts of small graphs.

use proptest::prelude::*;

use super::{Aim, Graph, Sides, cut};
use crate::Stream;

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
