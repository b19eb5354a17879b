//! Bounds compared with the values reached, and with all mappings of tiny cases.

use netloom_model::traffic::Flow;
use netloom_model::{Mapping, Traffic};

use crate::contract::{Case, random_traffic, shuffled, sockets};
use crate::fixtures::{broadcast, ring_with_matchings, stencil, torus};

/// The least value over all mappings of `ranks` ranks onto the slots of `case`.
fn exhaustive(case: &Case, free: bool, objective: &str) -> u64 {
    let slots = if free { (0..case.network.endpoints()).collect() } else { case.start.endpoints().to_vec() };
    let mut best = u64::MAX;
    let mut chosen = Vec::new();
    choose(&slots, case.start.ranks() as usize, &mut chosen, &mut |list| {
        let mapping = Mapping::new(list.to_vec(), &case.network).unwrap();
        let value = match objective {
            "hops" => case.weighted_hops(&mapping, false),
            "hop-bytes" => case.weighted_hops(&mapping, true),
            "inter-node" => case.inter_node(&mapping),
            _ => case.moved(mapping).run(free, "two-opt(swaps=0)", objective).unwrap().value,
        };
        best = best.min(value);
    });
    best
}

fn choose(slots: &[u32], left: usize, chosen: &mut Vec<u32>, visit: &mut impl FnMut(&[u32])) {
    if left == 0 {
        return visit(chosen);
    }
    for &slot in slots {
        if !chosen.contains(&slot) {
            chosen.push(slot);
            choose(slots, left - 1, chosen, visit);
            chosen.pop();
        }
    }
}

#[test]
fn bounds_hold_and_searches_find_the_optimum_of_tiny_cases() {
    for seed in 0..6 {
        let ring =
            Case::new(ring_with_matchings(8, 1, 1, seed), shuffled(8, 5, seed), random_traffic(5, 9, seed), None);
        let shared = Case::new(torus(&[4], 2), shuffled(8, 6, seed), random_traffic(6, 10, seed), None);
        let nodes =
            Case::new(torus(&[3], 1).with_slots(3).unwrap(), shuffled(9, 6, seed), random_traffic(6, 6, seed), None);
        let nodes = nodes.on_nodes(3);
        let pairs = Case::new(torus(&[2], 4), shuffled(8, 6, seed), stencil(&[6]), None).on_nodes(2);
        // The two endpoints of a node on one switch, and on two.
        let (traffic, start) = (random_traffic(4, 9, seed), || shuffled(8, 4, seed));
        let near = Case::behind(torus(&[2], 2), sockets(2), 2, start(), traffic.clone());
        let apart = Case::behind(torus(&[4], 1), sockets(2), 2, start(), traffic);
        let tree = Case::of_schedule(ring_with_matchings(6, 0, 1, seed), shuffled(6, 4, seed), broadcast(4));
        assert_eq!(
            tree.run(false, "auto(swaps=400)", "time").unwrap().value,
            exhaustive(&tree, false, "time"),
            "time, seed {seed}"
        );
        for (case, objectives) in [
            (&ring, &["hops", "hop-bytes", "max-link-load"][..]),
            (&shared, &["hops", "hop-bytes"]),
            (&tree, &["hops", "contentions", "contentions(over=workload)"]),
            (&nodes, &["inter-node", "hop-bytes"]),
            (&pairs, &["inter-node", "hop-bytes"]),
            (&near, &["inter-node", "hop-bytes", "max-link-load", "step-load"]),
            (&apart, &["inter-node", "hop-bytes", "max-link-load", "step-load"]),
        ] {
            for objective in objectives {
                for free in [false, true] {
                    let least = exhaustive(case, free, objective);
                    let solution = case.run(free, "auto(swaps=30000)", objective).unwrap();
                    assert!(solution.bound <= least, "bound {} above the optimum {least}: {objective}", solution.bound);
                    assert_eq!(solution.value, least, "{objective}, free {free}, seed {seed}");
                }
            }
        }
    }
}

#[test]
fn bounds_are_tight_where_they_can_be() {
    // A stencil on its own torus: every partner is one hop away, and no mapping does better.
    let case = Case::new(torus(&[4, 4, 4], 1), shuffled(64, 64, 1), stencil(&[4, 4, 4]), None);
    let solution = case.run(false, "grid", "hops").unwrap();
    assert_eq!((solution.bound, solution.value), (64 * 6, 64 * 6));
    // Twice the degree: on a ring of switches the six partners cannot all be near.
    let ring = Case::new(torus(&[64], 1), shuffled(64, 64, 1), stencil(&[4, 4, 4]), None);
    assert_eq!(ring.run(false, "two-opt(swaps=0)", "hops").unwrap().bound, 64 * (1 + 1 + 2 + 2 + 3 + 3));
}

#[test]
fn the_least_maximum_is_found_where_the_sum_of_powers_misleads() {
    // Bruck's alltoall on a ring of five, by routes that break ties to one side.
    let steps: Vec<Vec<(u32, u32)>> = [1, 2, 4].map(|h| (0..5).map(|r| (r, (r + h) % 5)).collect()).to_vec();
    let flow = |(step, list): (usize, &Vec<(u32, u32)>)| {
        let blocks = [2, 2, 1][step];
        list.iter().map(|&(src, dst)| Flow { src, dst, messages: 1, bytes: 60 * blocks }).collect::<Vec<_>>()
    };
    let traffic = Traffic::new("bruck", 5, steps.iter().enumerate().flat_map(flow).collect());
    let case = Case::new(torus(&[5], 1), (0..5).collect(), traffic, None);
    let least = exhaustive(&case, false, "max-link-load");
    for method in ["auto", "two-opt", "two-opt(move=reversal)", "two-opt(pairs=2)", "anneal", "guided(swaps=5000)"] {
        assert_eq!(case.run(false, method, "max-link-load").unwrap().value, least, "{method}");
    }
    // Whoever allows fewer moves gets fewer.
    assert_eq!(case.run(false, "two-opt(swaps=7)", "max-link-load").unwrap().evaluations, 7);
}

#[test]
fn what_does_not_fit_on_a_node_is_cut() {
    let value = |objective: &str, slots: u32, traffic: Traffic| {
        let network = torus(&[8], 2).with_slots(slots).unwrap();
        let ranks = traffic.ranks;
        let case = Case::new(network, shuffled(16 * slots, ranks, 3), traffic, None).on_nodes(slots);
        let found = case.run(true, "auto(swaps=200000)", objective).unwrap();
        (found.bound, found.value)
    };
    // A chain of 16 ranks, both ways: four on a node leave three edges to cut, which is a forest's number.
    let chain = |ranks: u32| (1..ranks).flat_map(|r| [(r - 1, r), (r, r - 1)]);
    let flows = |ranks| chain(ranks).map(|(src, dst)| Flow { src, dst, messages: 1, bytes: 10 }).collect();
    assert_eq!(value("inter-node", 4, Traffic::new("chain", 16, flows(16))), (60, 60));
    // Eight on a switch: one hop is left.
    assert_eq!(value("hop-bytes", 4, Traffic::new("chain", 16, flows(16))), (20, 20));
    // Every one of 12 ranks talks with the 11 others, of which 3 can be at home.
    let all = (0..12).flat_map(|a| (0..12).map(move |b| Flow { src: a, dst: b, messages: 1, bytes: 1 })).collect();
    assert_eq!(value("inter-node", 4, Traffic::new("all", 12, all)), (96, 96));
}

#[test]
fn grids_map_onto_grids() {
    let value = |dims: &[u32], p, guest: &[u32], free: bool| {
        let ranks: u32 = guest.iter().product();
        let case = Case::new(torus(dims, p), (0..ranks).collect(), stencil(guest), None);
        case.run(free, "grid", "hop-bytes").unwrap().value
    };
    // Axes in another order; an axis folded over two; two axes of the host for one of the guest.
    assert_eq!(value(&[8, 4, 2], 1, &[2, 8, 4], false), 64 * 6);
    assert_eq!(value(&[4, 4], 1, &[16], false), 32);
    assert_eq!(value(&[4, 6], 1, &[24], false), 48);
    // Four ranks on a switch: a 4-ring inside each switch costs nothing.
    assert_eq!(value(&[4, 4], 4, &[4, 4, 4], false), 64 * 4);
    // A box of a larger torus, chosen freely: the wraps of its axes cost three hops instead of one.
    assert_eq!(value(&[8, 8], 1, &[4, 4], true), 16 * 4 + 4 * 2 * 2 * 2);
}

#[test]
fn the_four_dimensional_stencil_reaches_its_optimum() {
    let case = Case::new(torus(&[8, 8, 8, 16], 1), (0..8192).collect(), stencil(&[16, 8, 8, 8]), None);
    let solution = case.run(false, "grid", "hop-bytes").unwrap();
    // 32,768 edges, each in both directions, one hop each.
    assert_eq!((solution.start_value, solution.value, solution.bound), (2 * 161_792, 65_536, 65_536));
}
