//! Groups on cases whose best groups are known.

use netloom_model::Traffic;

use crate::contract::{Case, random_traffic};
use crate::fixtures::{allreduce, both_ways, stencil};

fn gathered(case: &Case) -> u64 {
    let found = case.run(false, "gather", "inter-node").unwrap();
    assert_eq!(found.value, case.inter_node(&found.mapping));
    found.value
}

#[test]
fn pairs_that_are_far_apart_meet_on_a_node() {
    let shift = Traffic::new("shift", 32, both_ways((0..16).map(|r| (r, r + 16, 7))));
    assert_eq!(gathered(&Case::nodes_on_ring(8, 4, shift)), 0);
}

#[test]
fn the_heaviest_dimensions_of_a_hypercube_stay_inside() {
    // Halving: the farthest partners exchange the most.
    let edges = (0..64u32).flat_map(|r| (0..6).map(move |i| (r, r ^ (1 << i), 1u64 << i)));
    let halving = Traffic::new("halving", 64, both_ways(edges.filter(|(a, b, _)| a < b)));
    // Three dimensions of 32, 16 and 8 bytes inside nodes of eight; those of 4, 2 and 1 byte leave.
    assert_eq!(gathered(&Case::nodes_on_ring(8, 8, halving)), 64 * 7);
}

#[test]
fn a_stencil_becomes_blocks() {
    // Nodes of 16 ranks as blocks of 4x4: each sends 16 bytes out.
    assert_eq!(gathered(&Case::nodes_on_ring(4, 16, stencil(&[8, 8]))), 4 * 16);
}

#[test]
fn groups_of_a_size_that_is_no_power_of_two() {
    // Rank r talks to all ranks that leave the same remainder: four cliques of six.
    let cliques = (0..24).flat_map(|a| (a + 1..24).filter(move |b| b % 4 == a % 4).map(move |b| (a, b, 5)));
    assert_eq!(gathered(&Case::nodes_on_ring(4, 6, Traffic::new("cliques", 24, both_ways(cliques)))), 0);
}

#[test]
fn any_number_of_ranks_and_size_gives_a_mapping() {
    for (ranks, size) in [(1, 1), (2, 5), (7, 3), (13, 4), (29, 30)] {
        let case = Case::nodes_on_ring(8, 4, random_traffic(ranks, 40, u64::from(ranks)));
        let found = case.run(false, &format!("gather(size={size})"), "inter-node").unwrap();
        assert!(found.value <= found.start_value);
    }
}

#[test]
fn the_default_is_never_behind_groups_where_these_are_found() {
    let hypercube = Traffic::of_schedule(&allreduce(64)).unwrap();
    for traffic in [hypercube, stencil(&[8, 8]), random_traffic(64, 300, 3)] {
        let case = Case::nodes_on_ring(8, 8, traffic);
        for objective in ["inter-node", "hop-bytes", "max-link-load"] {
            let value = |method: &str| case.run(false, method, objective).unwrap().value;
            assert!(value("auto(swaps=500)") <= value("gather"), "{objective}");
        }
    }
}
