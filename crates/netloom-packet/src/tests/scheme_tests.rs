//! Escapes, detours and sprayed packets: what holds for all of them on drawn networks, and the channels that they need.

use std::cell::Cell;
use std::sync::Arc;

use netloom_model::{Call, Network, Routing};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use super::property_tests::{drawn, follow, pairs, routing, switch};
use crate::routes::channels::Plan;
use crate::routes::legs::{is_free, of};
use crate::routes::taking::Legs;
use crate::{Delivered, Engine, Hops, Input, Sees, Taking};

fn network(call: &str) -> Arc<Network> {
    Arc::new(netloom_net::build(&Call::parse(call).unwrap()).unwrap())
}

/// The engine of a plan.
fn engine<'a>(network: &'a Network, plan: &Plan<'a>, input: Input, taking: Taking) -> Box<dyn Engine + 'a> {
    input.engine(network, plan.hops(), (taking, 7), None)
}

fn every_packet_is_there(packets: &[(u32, u32)], arrivals: &[Delivered]) -> Result<(), TestCaseError> {
    let mut tags: Vec<u32> = arrivals.iter().map(|arrival| arrival.tag).collect();
    tags.sort_unstable();
    prop_assert!(tags.into_iter().eq(0..packets.len() as u32));
    for arrival in arrivals {
        prop_assert_eq!((arrival.from, arrival.to), packets[arrival.tag as usize]);
    }
    Ok(())
}

const ESCAPES: [&str; 5] =
    ["up-down", "single-minimal", "single-minimal(vc=one)", "up-down(root=0,choice=single)", "minimal(vc=one)"];

#[test]
fn packets_that_may_escape_arrive_where_others_stand_still() {
    let packets = prop::collection::vec((0u32..100, 0u32..100), 50..200);
    // Refused, proved by rings, by an order, and cases in which packets without an escape stood still.
    let seen = Cell::new([0u32; 4]);
    let count = |kind: usize| {
        let mut counts = seen.get();
        counts[kind] += 1;
        seen.set(counts);
    };
    let mut runner =
        TestRunner::new_with_rng(ProptestConfig::with_cases(512), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let strategy = (drawn(), 0..ESCAPES.len(), 1u32..4, 0u32..4, packets);
    let found = runner.run(&strategy, |(drawn, by, buffer, more, wanted)| {
        let network = drawn.network();
        let (adaptive, escape) = (routing(&network, "minimal(vc=one)"), routing(&network, ESCAPES[by]));
        let channels = u32::from(escape.virtual_channels()) + 1 + more;
        let input = switch(&format!(
            "input-queued(channels={channels},buffer_packets={buffer},injection_packets=1,packet_phits=3)"
        ));
        let packets = pairs(&network, &wanted);
        let tight = switch("input-queued(channels=1,buffer_packets=1,injection_packets=1,packet_phits=3)");
        let mut alone = tight.engine(&network, Hops::new(&network, &*adaptive, 1), (Taking::Adaptive, 7), None);
        if let Err(fault) = follow(&mut *alone, &packets, input.units(), 0) {
            prop_assert!(fault.contains("NL-E018"), "{}", fault);
            count(3);
        }
        let plan = Plan::new(&network, (&*adaptive, Some(&*escape)), Taking::Adaptive, (Some(channels), buffer));
        let plan = match plan {
            Err(faults) => {
                prop_assert!(!escape.is_ordered());
                prop_assert_eq!(faults.0[0].code, "NL-E019");
                count(0);
                return Ok(());
            }
            Ok(plan) => plan,
        };
        count(if escape.is_ordered() { 2 } else { 1 });
        let mut engine = engine(&network, &plan, input, Taking::Adaptive);
        let arrivals = follow(&mut *engine, &packets, input.units(), 0).unwrap();
        every_packet_is_there(&packets, &arrivals)
    });
    found.unwrap();
    assert!(seen.get().iter().all(|count| *count > 4), "{:?}", seen.get());
}

#[test]
fn a_bubble_keeps_the_rings_of_tori_open() {
    for call in ["torus(5,4)", "torus(8)", "torus(3,4,4)"] {
        let network = network(call);
        let (adaptive, escape) = (routing(&network, "minimal"), routing(&network, "dimension-ordered(vc=one)"));
        let n = network.endpoints();
        // Half-way round every ring, and to all others in turn.
        let far = network.switches() / 2 + 1;
        let packets: Vec<(u32, u32)> =
            (0..40).flat_map(|k| (0..n).map(move |at| (at, (at + far + k / 8) % n))).collect();
        for buffer in [2, 3] {
            let input = switch(&format!("input-queued(channels=2,buffer_packets={buffer},packet_phits=4)"));
            let mut plain = input.engine(&network, Hops::new(&network, &*escape, 1), (Taking::Drawn, 7), None);
            let stood = follow(&mut *plain, &packets, input.units(), 0).unwrap_err();
            assert!(stood.contains("NL-E018"), "{call}: {stood}");
            let plan = Plan::new(&network, (&*adaptive, Some(&*escape)), Taking::Adaptive, (Some(2), buffer)).unwrap();
            let mut engine = engine(&network, &plan, input, Taking::Adaptive);
            let arrivals = follow(&mut *engine, &packets, input.units(), 0).unwrap();
            every_packet_is_there(&packets, &arrivals).unwrap();
        }
        let refused = |channels, buffer| {
            let plan = Plan::new(&network, (&*adaptive, Some(&*escape)), Taking::Adaptive, (Some(channels), buffer));
            plan.map(|_| ()).unwrap_err().to_string()
        };
        assert!(refused(1, 4).contains("needs 2 virtual channels"), "{}", refused(1, 4));
        assert!(refused(2, 1).contains("room for 2"), "{}", refused(2, 1));
    }
}

#[test]
fn escapes_that_are_no_rings_are_refused_with_their_cycle() {
    let network = network("torus(5,5)");
    let (adaptive, escape) = (routing(&network, "minimal"), routing(&network, "minimal(vc=one)"));
    let plan = Plan::new(&network, (&*adaptive, Some(&*escape)), Taking::Adaptive, (Some(4), 4));
    let refused = plan.map(|_| ()).unwrap_err().to_string();
    assert!(
        refused.contains("NL-E019") && refused.contains("which are no ring") && refused.contains(" to "),
        "{refused}"
    );
}

#[test]
fn a_lone_packet_with_an_escape_takes_the_latency_of_one_without() {
    for (call, escape) in
        [("torus(4,4)", "dimension-ordered(vc=one)"), ("random_regular(16,degree=3,seed=2)", "up-down")]
    {
        let network = network(call);
        let (adaptive, escape) = (routing(&network, "minimal"), routing(&network, escape));
        let plan = Plan::new(&network, (&*adaptive, Some(&*escape)), Taking::Adaptive, (Some(2), 4)).unwrap();
        let mut engine = engine(&network, &plan, switch("input-queued(channels=2)"), Taking::Adaptive);
        for to in 1..network.endpoints() {
            let arrivals = follow(&mut *engine, &[(0, to)], 16, 0).unwrap();
            assert_eq!(arrivals[0].at - arrivals[0].born, u64::from(arrivals[0].hops) + 2 + 15);
        }
    }
}

const TAKINGS: [Taking; 5] = [
    Taking::Detour,
    Taking::Hybrid { detours: 2, direct: true, sees: Sees::First },
    Taking::Hybrid { detours: 2, direct: true, sees: Sees::Path },
    Taking::Hybrid { detours: 2, direct: true, sees: Sees::Again },
    Taking::Sprayed,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn every_packet_with_detours_arrives_once_where_it_should(
        drawn in drawn(), which in 0usize..3, takes in 0..TAKINGS.len(), buffer in 1u32..4, every in 0u64..3,
        wanted in prop::collection::vec((0u32..100, 0u32..100), 1..150),
    ) {
        let (network, by) = match which {
            0 => (drawn.network(), "minimal"),
            1 => (drawn.network(), "up-down"),
            _ => (network("dragonfly(a=4,p=2,h=1,g=5)"), "group-minimal"),
        };
        let taking = match TAKINGS[takes] {
            Taking::Hybrid { sees: Sees::Again, .. } if which < 2 => TAKINGS[1],
            taking => taking,
        };
        let routing = routing(&network, by);
        let plan = Plan::new(&network, (&*routing, None), taking, (Some(64), buffer)).unwrap();
        let channels = plan.classes();
        let input = switch(&format!("input-queued(channels={channels},buffer_packets={buffer},injection_packets=2,packet_phits=3)"));
        let mut engine = engine(&network, &plan, input, taking);
        let packets = pairs(&network, &wanted);
        let arrivals = follow(&mut *engine, &packets, input.units(), every).unwrap();
        every_packet_is_there(&packets, &arrivals)?;
        let crossed: u64 = arrivals.iter().map(|arrival| u64::from(arrival.hops + 2) * u64::from(input.units())).sum();
        prop_assert_eq!(engine.link_units().iter().sum::<u64>(), crossed);
    }
}

/// Channels of dragonflies, each scheme with one less than it needs.
#[test]
fn detours_on_dragonflies_need_four_channels_and_progressive_ones_five() {
    for call in ["dragonfly(a=4,p=2,h=2,g=9)", "dragonfly(a=4,p=1,h=1,g=5)"] {
        let network = network(call);
        let again = TAKINGS[3];
        for (by, classes, early, late) in [("group-minimal", 2, 4, 5), ("group-minimal(vc=hops)", 3, 6, 7)] {
            let routing = routing(&network, by);
            assert_eq!(routing.virtual_channels(), classes);
            let legs = of(&network, &*routing, classes, Taking::Detour).unwrap();
            assert_eq!(legs.total, early);
            assert!(is_free(&network, &*routing, legs).unwrap());
            let legs = of(&network, &*routing, classes, again).unwrap();
            assert_eq!(legs.total, late);
            assert!(is_free(&network, &*routing, legs).unwrap());
        }
        // One class less between the legs closes a cycle.
        let routing: Box<dyn Routing> = routing(&network, "group-minimal");
        for legs in [
            Legs { first: [1, 0, 1], total: 3 },
            Legs { first: [0, 1, 2], total: 4 },
            Legs { first: [0, 0, 2], total: 4 },
        ] {
            assert!(!is_free(&network, &*routing, legs).unwrap(), "{legs:?} on {call}");
        }
        for (taking, channels) in [(Taking::Detour, 3), (again, 4)] {
            let refused = Plan::new(&network, (&*routing, None), taking, (Some(channels), 4)).map(|_| ()).unwrap_err();
            assert_eq!(refused.0[0].code, "NL-E019");
            assert!(
                refused.to_string().contains(&format!("needs {} virtual channels with detours", channels + 1)),
                "{refused}"
            );
        }
    }
}

#[test]
fn sprayed_packets_spread_evenly() {
    let network = network("k_ary_n_tree(4,2)");
    let routing = routing(&network, "minimal");
    let input = switch("input-queued(channels=1)");
    let used = |taking: Taking| {
        let mut engine = input.engine(&network, Hops::new(&network, &*routing, 1), (taking, 7), None);
        follow(&mut *engine, &[(0, 15); 64], input.units(), 0).unwrap();
        let up = network.out_links(network.endpoint_switch()[0]);
        up.map(|link| engine.link_units()[link as usize] / u64::from(input.units())).collect::<Vec<u64>>()
    };
    let sprayed = used(Taking::Sprayed);
    assert!(sprayed.iter().all(|packets| packets.abs_diff(16) <= 1), "{sprayed:?}");
    assert!(used(Taking::Drawn).iter().any(|packets| packets.abs_diff(16) > 1));
}
