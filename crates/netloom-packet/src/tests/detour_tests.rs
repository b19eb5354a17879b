//! What routings that choose between the direct way and detours accept on a dragonfly.

use std::sync::Arc;

use netloom_model::{Call, Draws, Network, Progress};

use super::property_tests::{routing, switch};
use crate::offered::open_loop::measure;
use crate::routes::legs::middle;
use crate::{Destinations, Plan, Process, Protocol, Sees, Sources, Taking};

/// Of the injection bandwidth, when so much is offered and every endpoint sends to the one a group further.
fn accepted(network: &Arc<Network>, call: &str, sees: Sees, load: f64) -> f64 {
    let by = routing(network, "group-minimal");
    let taking = Taking::Hybrid { detours: 2, direct: true, sees };
    let input = switch(call);
    let plan = Plan::new(network, (&*by, None), taking, (Some(input.channels()), input.buffer())).unwrap();
    let ends = network.endpoints();
    let endpoint_of_rank: Arc<[u32]> = (0..ends).collect();
    let to: Vec<u32> = (0..ends).map(|rank| (rank + 8) % ends).collect();
    let destinations = Destinations::Table { starts: (0..=ends).collect(), to, weights: vec![1; ends as usize] };
    let sources = Sources {
        endpoint_of_rank,
        destinations: Arc::new(destinations),
        process: Process::Bernoulli,
        units: input.units(),
        seed: 3,
        watched: false,
        cycle_ps: 0.0,
        over_time: None,
    };
    let protocol = Protocol::Window { warm_up: 10_000, cycles: 10_000, drain: 0, packets: 0 };
    let engine = input.engine(network, plan.hops(), (taking, 1), None);
    measure(engine, sources, load, protocol, &Progress::new()).unwrap().accepted
}

const INPUT: &str = "input-queued(channels=5,buffer_packets=8)";
const OUTPUT: &str = "output-queued(packet_bytes=256,buffer_bytes=4096)";

#[test]
fn choosing_again_accepts_what_choosing_once_does() {
    let network = Arc::new(netloom_net::build(&Call::parse("dragonfly(a=4,p=2,h=2,g=9)").unwrap()).unwrap());
    let accepted = |call, sees, load| accepted(&network, call, sees, load);
    // Minimal routes stop at 1/8, and so did most packets whose detour had its middle in the group that they came from.
    for call in [INPUT, OUTPUT] {
        for sees in [Sees::First, Sees::Again] {
            let found = accepted(call, sees, 0.4);
            assert!(found > 0.98 * 0.4, "{call} {sees:?}: {found}");
        }
    }
    let [once, again] = [Sees::First, Sees::Again].map(|sees| accepted(OUTPUT, sees, 0.5));
    assert!(again > once && again > 0.98 * 0.5, "{again} for {once}");
    // Five channels are one for each class here; packets that choose once have four classes.
    let [once, again] = [Sees::First, Sees::Again].map(|sees| accepted(INPUT, sees, 0.5));
    assert!(again > 0.95 * once, "{again} for {once}");
}

#[test]
fn middles_are_in_third_groups_where_there_are_any() {
    let of = |call: &str| netloom_net::build(&Call::parse(call).unwrap()).unwrap();
    let network = of("dragonfly(a=4,p=2,h=2,g=9)");
    let (groups, ends) = (network.structure().groups.as_deref().unwrap(), network.endpoint_switch());
    let mut seen = std::collections::BTreeSet::new();
    for key in 0..2000 {
        let found = middle(&network, &mut Draws::from_key(key), 0, 4);
        seen.insert(groups[ends[found as usize] as usize]);
    }
    assert!(seen.len() == 7 && !seen.contains(&groups[0]) && !seen.contains(&groups[4]), "{seen:?}");
    // Within a group, of two groups, and without any: anywhere.
    for (call, to) in [("dragonfly(a=4,p=2,h=2,g=9)", 1), ("dragonfly(a=2,p=2,h=1,g=2)", 2), ("torus(4,4)", 5)] {
        let network = of(call);
        let found: std::collections::BTreeSet<u32> =
            (0..4000).map(|key| middle(&network, &mut Draws::from_key(key), 0, to)).collect();
        assert_eq!(found.len() as u32, network.endpoints(), "{call}");
    }
}
