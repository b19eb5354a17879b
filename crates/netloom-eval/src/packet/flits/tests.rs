use std::sync::Arc;

use netloom_model::{Call, Network, Progress, Routing};

use super::*;
use crate::packet::{Destinations, Point, Protocol, Sources, measure};

fn network(call: &str) -> Arc<Network> {
    Arc::new(netloom_net::build(&Call::parse(call).unwrap()).unwrap())
}

fn routing(network: &Arc<Network>, call: &str) -> Box<dyn Routing> {
    netloom_net::routing::build(network, &Call::parse(call).unwrap()).unwrap()
}

const TREE: Settings = Settings {
    channels: 4,
    buffer_flits: 8,
    packet_flits: 1,
    link_latency: 1,
    global_latency: 1,
    credit_delay: 2,
    speedup: 1,
    hold: true,
    narrow: false,
    taking: Taking::Drawn,
    seed: 1,
};

const DRAGONFLY: Settings = Settings {
    channels: 2,
    buffer_flits: 256,
    link_latency: 10,
    global_latency: 100,
    speedup: 2,
    hold: false,
    narrow: true,
    ..TREE
};

fn point(network: &Arc<Network>, call: &str, classes: u8, settings: Settings, load: f64, window: [u64; 3]) -> Point {
    let routing = routing(network, call);
    let engine = Flits::new(network, Hops::new(network, &*routing, classes), settings);
    let endpoint_of_rank: Vec<u32> = (0..network.endpoints()).collect();
    let destinations = Destinations::Uniform { ranks: network.endpoints(), itself: true };
    let units = settings.packet_flits.into();
    let sources = Sources { endpoint_of_rank: &endpoint_of_rank, destinations: &destinations, units, seed: 5 };
    let [warm_up, cycles, drain] = window;
    let progress = Progress::new();
    measure(engine, sources, load, Protocol::Window { warm_up, cycles, drain }, &progress).unwrap()
}

#[test]
fn a_lone_packet_takes_four_cycles_per_switch_and_its_length() {
    for (call, rule, settings) in [
        ("k_ary_n_tree(4,3)", "minimal", TREE),
        ("torus(8,8)", "dimension-ordered(tie=split)", TREE),
        ("dragonfly(a=4,p=2,h=2,g=9)", "group-minimal", DRAGONFLY),
    ] {
        let network = network(call);
        let routing = routing(&network, rule);
        let global = |link: &u32| network.class(*link).name == "global";
        for flits in [1, 16] {
            let mut engine = Flits::new(&network, Hops::new(&network, &*routing, 1), settings);
            let mut arrivals = Vec::new();
            let mut before = engine.link_units().to_vec();
            for to in 0..network.endpoints() {
                let born = engine.now();
                engine.offer(Offer { from: 0, to, tag: to, units: flits }).unwrap();
                while !engine.idle() {
                    engine.cycle(&mut arrivals).unwrap();
                }
                let [arrival] = arrivals[..] else { panic!("{call}: {arrivals:?}") };
                arrivals.clear();
                let crossed = engine.link_units().iter().zip(&before).enumerate();
                let links: Vec<u32> = crossed.filter(|(_, (a, b))| a != b).map(|(link, _)| link as u32).collect();
                before = engine.link_units().to_vec();
                let links: Vec<u32> = links.into_iter().filter(|link| *link < network.switch_links()).collect();
                assert_eq!(arrival.hops as usize, links.len());
                let expected = if settings.speedup == 1 {
                    2 + 4 * (u64::from(arrival.hops) + 1)
                } else {
                    let far = links.iter().filter(|link| global(link)).count() as u64;
                    2 + 12 * (u64::from(arrival.hops) - far) + 102 * far + 3
                };
                assert_eq!(arrival.at - born, expected + u64::from(flits) - 1, "{call} to {to}");
            }
        }
    }
}

#[test]
#[ignore]
fn look() {
    for (channels, buffer, packet, load) in [
        (4, 8, 1, 0.02),
        (4, 8, 1, 0.2),
        (4, 8, 1, 0.5),
        (4, 8, 1, 0.7),
        (4, 8, 1, 0.9),
        (1, 8, 1, 0.2),
        (1, 8, 1, 0.5),
        (4, 16, 16, 0.02),
        (4, 16, 16, 0.5),
        (4, 16, 16, 0.9),
        (2, 8, 1, 0.6),
    ] {
        let settings = Settings { channels, buffer_flits: buffer, packet_flits: packet, ..TREE };
        let network = network("k_ary_n_tree(4,3)");
        let t = std::time::Instant::now();
        let p = point(&network, "minimal", 1, settings, load, [10_000, 50_000, if load < 0.65 { 10_000 } else { 0 }]);
        println!(
            "{channels} {buffer} {packet} {load}: {:?} {} {:.2} M/s",
            p.latencies.mean(),
            p.accepted,
            p.link_hops as f64 * packet as f64 / t.elapsed().as_secs_f64() / 1e6
        );
    }
}
