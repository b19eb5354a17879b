use netloom_model::traffic::Flow;
use netloom_model::{Call, Progress, Traffic, machine::Settings as Costs};
use netloom_net::routing;
use proptest::prelude::*;

use super::*;
use crate::OutputSettings;
use crate::event::tests::{PLAIN, network};
use crate::event::{PacketRun, execute};
use crate::parallel::process_group::ProcessGroup;
use netloom_ranks::{RoutedMachine, Spread};

/// Finish times of all ranks, and of those that act; each with how many acted.
fn both(call: &str, taking: Taking, flows: Vec<Flow>, settings: OutputSettings) -> ([Vec<f64>; 2], u64) {
    let (network, costs) = (network(call), Costs::default());
    let routing = routing::build(&network, &Call::parse("minimal").unwrap()).unwrap();
    let traffic = Traffic::new("flows", network.endpoints(), flows);
    let places: Vec<u32> = (0..network.endpoints()).collect();
    let job = Job {
        work: Load::Traffic(&traffic),
        endpoint_of_rank: &places,
        seat_of_rank: &[],
        routing: None,
        spread: Spread::Shares,
        start_s: 0.0,
        repetitions: 1,
    };
    let (wire, software) = (&costs.wire, &costs.software);
    let machine = RoutedMachine { network: &network, node: None, routing: &*routing, wire, software };
    let (jobs, progress) = ([(job, taking)], Progress::new());
    let together = || (&progress, ProcessGroup::alone());
    let asked = PacketRun::new(machine, &jobs, settings);
    let mut whole = execute(&asked, together()).unwrap().0;
    let whole = whole.finish_s.remove(0);
    let Some(alike) = Alike::of(&machine, &jobs, &[], settings).unwrap() else {
        return ([whole.clone(), whole], u64::from(network.endpoints()));
    };
    let acting = Some(Arc::clone(&alike.acting));
    let mut some = execute(&PacketRun { acting, ..asked }, together()).unwrap().0;
    alike.spread(&mut some.finish_s);
    ([whole, some.finish_s.remove(0)], alike.ranks())
}

/// The same flows, or longer ones, among the four endpoints of each leaf.
fn of_leaves(leaves: u32, flows: &[(u32, u32, u64)], longer: &[u32]) -> Vec<Flow> {
    let of = |leaf: u32| {
        flows.iter().map(move |&(src, dst, bytes)| {
            let bytes = if longer.contains(&leaf) { 2 * bytes } else { bytes };
            Flow { src: 4 * leaf + src % 4, dst: 4 * leaf + dst % 4, messages: 1, bytes }
        })
    };
    let mut all: Vec<Flow> = (0..leaves).flat_map(of).filter(|flow| flow.src != flow.dst).collect();
    all.sort_by_key(|flow| (flow.src, flow.dst));
    all.dedup_by_key(|flow| (flow.src, flow.dst));
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn parts_that_are_alike_take_the_same_time(
        flows in prop::collection::vec((0u32..4, 0u32..4, 1u64..60_000), 1..8),
        longer in prop::collection::vec(0u32..4, 0..3),
        looks in any::<bool>(),
        threads in prop::sample::select(vec![1u16, 3]),
    ) {
        let taking = if looks { Taking::Adaptive } else { Taking::Drawn };
        let settings = OutputSettings { threads: Some(threads), buffer_bytes: 8192, ..PLAIN };
        let flows = of_leaves(4, &flows, &longer);
        prop_assume!(!flows.is_empty());
        let ([whole, some], acted) = both("k_ary_n_tree(4,2)", taking, flows, settings);
        prop_assert_eq!(whole, some);
        prop_assert!(acted < 16, "{} ranks acted", acted);
    }
}

#[test]
fn one_part_of_each_kind_acts() {
    let ([whole, some], acted) =
        both("k_ary_n_tree(4,2)", Taking::Drawn, of_leaves(4, &[(0, 1, 50_000), (2, 1, 9_000)], &[2]), PLAIN);
    assert_eq!(whole, some);
    // Of the leaves 0, 1 and 3 the first, and leaf 2; of the four ranks that send and receive nothing one.
    assert_eq!(acted, 3 + 3 + 1);
}

#[test]
fn what_has_a_choice_is_like_nothing() {
    // Between leaves of a tree there are four ways up, on a ring with an even number of switches two to the other side.
    let far: Vec<Flow> = (0..4).map(|at| Flow { src: at, dst: at + 4, messages: 1, bytes: 9_000 }).collect();
    let ([whole, some], acted) = both("k_ary_n_tree(4,2)", Taking::Drawn, far.clone(), PLAIN);
    assert_eq!(whole, some);
    assert_eq!(acted, 8 + 1);
    let ([whole, some], acted) = both("torus(8)", Taking::Adaptive, far, PLAIN);
    assert_eq!(whole, some);
    assert_eq!(acted, 8);
}

#[test]
fn paths_that_share_a_link_are_one_part() {
    // 0 to 2 crosses the link from 1 to 2, as 1 to 2 does; 4 to 5 and 6 to 7 are alone.
    let flows = [(0, 2), (1, 2), (4, 5), (6, 7)].map(|(src, dst)| Flow { src, dst, messages: 1, bytes: 40_000 });
    let ([whole, some], acted) = both("torus(8)", Taking::Drawn, flows.to_vec(), PLAIN);
    assert_eq!(whole, some);
    assert_eq!(acted, 3 + 2 + 1);
}
