//! Mappings whose best value is known.

use netloom_model::halves::Aim;
use netloom_model::{Network, NetworkBuilder, Progress, Stream, Traffic};

use super::links::Links;
use super::machine::Machine;
use super::parts::Parts;
use super::recursion::{After, Recursion};
use super::splits::ByTraffic;
use crate::contract::{Case, cases, random_traffic, shuffled};
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
        let how = Recursion { seed: 1, links: false, pieces: 2, after: After::Nothing };
        let mut parts = Parts::new(&prepared, how);
        parts.cut(&mut ByTraffic::new(1, prepared.slots(), true), &Progress::new());
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

/// Values of all parameters, on their own and together.
const WAYS: [&str; 12] = [
    "bisection(machine=links)",
    "bisection(parts=3)",
    "bisection(parts=64)",
    "bisection(after=nothing)",
    "bisection(after=match)",
    "bisection(ranks=given)",
    "bisection(ranks=given,parts=4,after=match)",
    "bisection(machine=links,parts=4,after=match,tries=3)",
    "bisection(machine=links,parts=3,spread=true)",
    "bisection(spread=true,after=match)",
    "bisection(nodes=true,after=match,parts=4)",
    "bisection(nodes=true,machine=links)",
];

#[test]
fn every_way_gives_a_mapping_no_worse_than_the_start() {
    for (i, case) in cases().iter().enumerate() {
        for way in WAYS {
            for free in [false, true] {
                let found = case.run(free, way, "hop-bytes").unwrap();
                let again = case.run(free, way, "hop-bytes").unwrap();
                let place = format!("case {i}, {way}, free {free}");
                assert_eq!(found, again, "{place}");
                assert!(found.value <= found.start_value, "{place}");
                assert_eq!(found.value, case.weighted_hops(&found.mapping, true), "{place}");
                let sorted = |all: &[u32]| {
                    let mut all = all.to_vec();
                    all.sort_unstable();
                    all
                };
                let (own, start) = (sorted(found.mapping.endpoints()), sorted(case.start.endpoints()));
                assert!(own.windows(2).all(|pair| pair[0] < pair[1]), "{place}");
                assert!(free || own == start, "{place}");
            }
        }
    }
}

#[test]
fn both_cuts_of_the_machine_keep_to_the_share() {
    let networks = [(torus(&[60], 1), 0), (torus(&[10, 6], 1), 6), (ring_with_matchings(30, 2, 4, 1), 4)];
    for (network, off) in networks {
        let endpoints = network.endpoints();
        let case = Case::new(network, (0..endpoints).collect(), random_traffic(endpoints, 90, 1), None);
        for (share, links) in [([1, 2], true), ([1, 3], true), ([2, 5], true), ([1, 3], false), ([2, 5], false)] {
            let at = case.with(false, |problem| {
                let prepared = Prepared::new(&problem, Weigh::Bytes).unwrap();
                let mut slots: Vec<u32> = (0..prepared.slots()).collect();
                let how = Recursion { seed: 1, links, pieces: share[1], after: After::Nothing };
                Machine::new(&prepared, &slots, how).halve(&mut slots, share)
            });
            let wanted = endpoints * share[0] / share[1];
            assert!((at as u32).abs_diff(wanted) <= off, "{at} of {endpoints}, {share:?}, links {links}");
        }
    }
}

/// Two clusters of four leaves with two endpoints and a hub without one; leaves of both take turns.
fn two_clusters() -> Network {
    let mut b = NetworkBuilder::new("two clusters", 10);
    let class = b.class("link", 12.5e9, 1e-7);
    (0..8).for_each(|leaf| b.cable(leaf, 8 + leaf % 2, class));
    b.cable(8, 9, class);
    (0..16).for_each(|endpoint| b.endpoint(endpoint / 2));
    b.build().unwrap()
}

#[test]
fn links_tell_clusters_apart_that_numbers_do_not() {
    let network = two_clusters();
    let slots: Vec<(u32, u32)> = (0..8).map(|leaf| (leaf, 2)).collect();
    let far = Links::new(&network).halve(&slots, Aim { near: 8, slack: 1 }, &mut Stream::new(0, "cut"));
    assert!((0..8).all(|leaf| far[leaf] == far[leaf % 2]) && far[0] != far[1], "{far:?}");
    // Two cliques of ranks: nothing crosses the cable between the hubs.
    let pairs = (0..16).flat_map(|a| (a + 1..16).filter(move |b| a / 8 == b / 8).map(move |b| (a, b, 1)));
    let case = Case::new(network, shuffled(16, 16, 2), Traffic::new("cliques", 16, both_ways(pairs)), None);
    for way in ["bisection(machine=links,after=nothing,tries=1)", "bisection(machine=links,after=match,tries=1)"] {
        let found = case.run(false, way, "hop-bytes").unwrap();
        let cluster = |rank: usize| found.mapping.endpoints()[rank] / 2 % 2;
        assert!((0..16).all(|rank| cluster(rank) == cluster(rank / 8 * 8)), "{way}");
    }
}

#[test]
fn thin_links_are_cut_before_thick_ones() {
    // A ring of eight whose links between 2 and 3 and between 6 and 7 are ten times slower.
    let mut b = NetworkBuilder::new("ring", 8);
    let (thick, thin) = (b.class("thick", 10e9, 1e-7), b.class("thin", 1e9, 1e-7));
    (0..8).for_each(|s| b.cable(s, (s + 1) % 8, if [2, 6].contains(&s) { thin } else { thick }));
    b.endpoints_everywhere(1);
    let network = b.build().unwrap();
    let slots: Vec<(u32, u32)> = (0..8).map(|switch| (switch, 1)).collect();
    let far = Links::new(&network).halve(&slots, Aim { near: 4, slack: 0 }, &mut Stream::new(0, "cut"));
    assert!((3..7).all(|s| far[s] == far[3]) && [7, 0, 1, 2].iter().all(|s| far[*s] != far[3]), "{far:?}");
}

#[test]
fn four_parts_at_once_on_a_grid() {
    let case = Case::new(torus(&[4, 4], 1), shuffled(16, 16, 2), stencil(&[4, 4]), None);
    for way in ["geometric(parts=4)", "geometric(parts=4,after=match)", "bisection(ranks=coordinates,parts=4)"] {
        // Every neighbour one hop away.
        assert_eq!(case.run(false, way, "hop-bytes").unwrap().value, 64, "{way}");
    }
    let found = case.run(false, "bisection(parts=4,after=match)", "hop-bytes").unwrap();
    assert!(found.value < found.start_value);
}

#[test]
fn geometric_is_bisection_by_coordinates() {
    let case = Case::new(torus(&[4, 8], 1), shuffled(32, 32, 2), stencil(&[8, 2, 2]), None);
    let run = |way: &str| case.run(false, way, "hop-bytes").unwrap();
    let (one, other) = (run("geometric"), run("bisection(ranks=coordinates,tries=24,after=nothing)"));
    assert_eq!((&one.mapping, one.value, one.evaluations), (&other.mapping, other.value, other.evaluations));
    assert!(run("bisection(ranks=coordinates,tries=24)").value <= one.value);
}

#[test]
fn matching_puts_parts_of_the_ranks_in_their_order() {
    // Blocks of four ranks of a line along a line of switches, given as 2, 0, 3, 1.
    let line = Traffic::new("line", 16, both_ways((0..15).map(|a| (a, a + 1, 1))));
    let start: Vec<u32> = [2, 0, 3, 1].iter().flat_map(|block| (0..4).map(move |i| 4 * block + i)).collect();
    let case = Case::new(torus(&[16], 1), start, line, None);
    let found = case.run(false, "bisection(ranks=given,parts=4,after=match)", "hop-bytes").unwrap();
    // Blocks of a ring in order: three times from block to block, each one hop or, turned round, seven.
    assert!(found.value < found.start_value, "{} {}", found.value, found.start_value);
    let block = |rank: usize| found.mapping.endpoints()[rank] / 4;
    let steps: Vec<u32> = (0..3).map(|i| block(4 * i).abs_diff(block(4 * i + 4))).collect();
    assert!(steps.iter().all(|step| *step == 1 || *step == 3), "{steps:?}");
}

#[test]
fn what_has_no_effect_is_refused() {
    let case = Case::nodes_on_ring(4, 2, random_traffic(8, 20, 1));
    for (way, code, place) in [
        ("bisection(nodes=true,ranks=given)", "NL-A007", "bisection.nodes"),
        ("bisection(spread=true,ranks=coordinates)", "NL-A007", "bisection.spread"),
        ("bisection(spread=true,after=exchange)", "NL-A007", "bisection.after"),
        ("bisection(ranks=given,after=nothing)", "NL-A007", "bisection.after"),
        ("bisection(parts=1)", "NL-A007", "bisection.parts"),
        ("bisection(machine=metis)", "NL-A007", "bisection.machine"),
        ("geometric(after=always)", "NL-A007", "geometric.after"),
    ] {
        let faults = case.run(false, way, "hops").unwrap_err();
        assert_eq!((faults.0[0].code, faults.0[0].place.as_str()), (code, place), "{way}");
    }
    let faults = case.run(false, "bisection(ranks=coordinates)", "hops").unwrap_err();
    assert!(faults.0[0].hint.contains("ranks=traffic"), "{faults}");
}
