use std::sync::Arc;

use netloom_model::Call;

use super::*;
use crate::packet::{Destinations, Point, Protocol, Sources, Switch, measure};

fn point(network: &str, rule: &str, classes: u8, switch: &str, load: f64) -> Point {
    let network = Arc::new(netloom_net::build(&Call::parse(network).unwrap()).unwrap());
    let routing = netloom_net::routing::build(&network, &Call::parse(rule).unwrap()).unwrap();
    let switch = Switch::of(&Call::parse(switch).unwrap()).unwrap();
    let engine = switch.engine(&network, Hops::new(&network, &*routing, classes), Taking::Drawn, 1);
    let endpoint_of_rank: Vec<u32> = (0..network.endpoints()).collect();
    let destinations = Destinations::Uniform { ranks: network.endpoints(), itself: true };
    let sources =
        Sources { endpoint_of_rank: &endpoint_of_rank, destinations: &destinations, units: switch.units(), seed: 5 };
    let protocol = Protocol::Window { warm_up: 2_000, cycles: 10_000, drain: 20_000 };
    measure(engine, sources, load, protocol, &netloom_model::Progress::new()).unwrap()
}

#[test]
fn a_lone_packet_takes_four_cycles_per_switch() {
    for (network, rule, flits) in [("k_ary_n_tree(4,3)", "minimal", 1), ("torus(4,4)", "dimension-ordered", 16)] {
        let network = Arc::new(netloom_net::build(&Call::parse(network).unwrap()).unwrap());
        let routing = netloom_net::routing::build(&network, &Call::parse(rule).unwrap()).unwrap();
        let text = format!("input-queued(model=booksim,channels=2,buffer_flits=16,packet_flits={flits})");
        let switch = Switch::of(&Call::parse(&text).unwrap()).unwrap();
        let mut engine = switch.engine(&network, Hops::new(&network, &*routing, 2), Taking::Drawn, 1);
        let mut arrivals = Vec::new();
        for to in 0..network.endpoints() {
            let born = engine.now();
            engine.offer(Offer { from: 1, to, tag: to, units: flits }).unwrap();
            while !engine.idle() {
                engine.cycle(&mut arrivals).unwrap();
            }
            let [arrival] = arrivals[..] else { panic!("{arrivals:?}") };
            arrivals.clear();
            assert_eq!(arrival.at - born, 2 + 4 * u64::from(arrival.hops + 1) + u64::from(flits) - 1);
        }
    }
}

#[test]
fn a_tree_of_64_endpoints_accepts_what_booksim_accepts() {
    // BookSim 2 at commit 28f43299: fattree, k = 4, n = 3, nca, uniform.
    for (channels, load, latency, accepted) in
        [(4, 0.2, 19.9913, 0.200512), (4, 0.5, 23.0904, 0.4999), (4, 0.7, 50.06, 0.7)]
    {
        let switch = format!("input-queued(model=booksim,channels={channels},buffer_flits=8)");
        let found = point("k_ary_n_tree(4,3)", "minimal", 1, &switch, load);
        println!("{channels} {load}: {:?} {latency}; {} {accepted}", found.latencies.mean(), found.accepted);
    }
    let found = point("k_ary_n_tree(4,3)", "minimal", 1, "input-queued(model=booksim,channels=4,buffer_flits=8)", 0.9);
    println!("0.9: {:?} {}", found.latencies.mean(), found.accepted);
}
