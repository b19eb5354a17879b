//! Mappings whose best value is known.

use netloom_model::{Progress, Traffic};

use super::parts::{ByTraffic, Parts};
use crate::contract::{Case, random_traffic, shuffled};
use crate::fixtures::{allreduce, both_ways, ring_with_matchings, stencil, torus};
use crate::guest::Weigh;
use crate::prepared::Prepared;

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

#[test]
fn whole_nodes_are_arranged_and_their_ranks_keep_their_seats() {
    // Pairs of ranks on a node, and the nodes in a ring of messages; the nodes are given in random order.
    let (nodes, seats) = (16u32, 4u32);
    let ring = (0..nodes).map(|node| (node * seats, (node + 1) % nodes * seats + 1, 1));
    let inside = (0..nodes).map(|node| (node * seats + 2, node * seats + 3, 100));
    let traffic = Traffic::new("ring of nodes", nodes * seats, both_ways(ring.chain(inside)));
    let order = shuffled(nodes, nodes, 3);
    let start: Vec<u32> = order.iter().flat_map(|node| (0..seats).map(move |seat| node * seats + seat)).collect();
    let case = Case::new(torus(&[nodes], 1).with_slots(seats).unwrap(), start, traffic, None).on_nodes(seats);
    let found = case.run(false, "bisection(nodes=true)", "hop-bytes").unwrap();
    // Every message between nodes takes one hop.
    assert_eq!(found.value, u64::from(2 * nodes));
    for (rank, slot) in found.mapping.endpoints().iter().enumerate() {
        let rank = rank as u32;
        assert_eq!(slot % seats, rank % seats, "rank {rank} on another seat");
        assert_eq!(slot / seats, found.mapping.endpoints()[(rank - rank % seats) as usize] / seats);
    }
}

#[test]
fn nodes_of_unequal_size_stay_where_they_are_or_fit() {
    // Three slots of the last node only.
    let (nodes, seats) = (8u32, 4u32);
    let ranks = nodes * seats - 1;
    let case = Case::new(
        torus(&[nodes], 1).with_slots(seats).unwrap(),
        (0..ranks).collect(),
        random_traffic(ranks, 90, 1),
        None,
    );
    let case = case.on_nodes(seats);
    let found = case.run(false, "bisection(nodes=true,tries=4)", "hop-bytes").unwrap();
    let node = |rank: u32| found.mapping.endpoints()[rank as usize] / seats;
    assert!((0..ranks).all(|rank| node(rank) == node(rank - rank % seats)));
    assert!(found.value <= found.start_value);
}

#[test]
fn whole_nodes_cannot_be_spread() {
    let case = Case::nodes_on_ring(4, 2, random_traffic(8, 20, 1));
    let faults = case.run(false, "bisection(nodes=true,spread=true)", "hops").unwrap_err();
    assert_eq!((faults.0[0].code, faults.0[0].place.as_str()), ("NL-A007", "bisection.spread"));
}
