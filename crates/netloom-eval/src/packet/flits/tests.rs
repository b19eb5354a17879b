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

/// Offered load, mean latency, accepted load of BookSim 2 at commit 28f43299.
type Known = (f64, f64, f64);

fn agrees(network: &str, rule: &str, classes: u8, switch: &str, known: &[Known]) {
    for &(load, latency, accepted) in known {
        let found = point(network, rule, classes, switch, load);
        let place = format!("{network} {switch} {load}");
        assert!((found.accepted / accepted - 1.0).abs() < 0.03, "{place}: {} for {accepted}", found.accepted);
        if accepted > 0.98 * load {
            let mean = found.latencies.mean().unwrap();
            assert!((mean / latency - 1.0).abs() < 0.03, "{place}: {mean} for {latency}");
        }
    }
}

#[test]
fn a_tree_accepts_what_booksim_accepts() {
    // fattree, k = 4, n = 3, nca, uniform.
    let switch = |channels: u32, buffer: u32, flits: u32| {
        format!("input-queued(model=booksim,channels={channels},buffer_flits={buffer},packet_flits={flits})")
    };
    let tree = |switch: &str, known: &[Known]| agrees("k_ary_n_tree(4,3)", "minimal", 1, switch, known);
    tree(&switch(4, 8, 1), &[(0.2, 19.9913, 0.200512), (0.5, 23.0904, 0.4999), (0.9, 6516.34, 0.713804)]);
    tree(&switch(1, 8, 1), &[(0.2, 23.5214, 0.200516), (0.5, 17898.2, 0.28252)]);
    tree(&switch(4, 16, 16), &[(0.2, 43.4086, 0.198655), (0.9, 5581.0, 0.736761)]);
    tree(&switch(2, 8, 1), &[(0.4, 21.5997, 0.399992)]);
}
