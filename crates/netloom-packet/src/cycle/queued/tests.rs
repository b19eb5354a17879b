use std::sync::Arc;

use netloom_model::{Call, Network, NetworkBuilder, Progress, Routing};

use super::*;
use crate::cycle::engine::{Engine, Intake, Offer};
use crate::offered::open_loop::measure;
use crate::{Destinations, Hops, Point, Process, Protocol, Sources};

fn network(call: &str) -> Arc<Network> {
    Arc::new(netloom_net::build(&Call::parse(call).unwrap()).unwrap())
}

fn routing(network: &Arc<Network>, call: &str) -> Box<dyn Routing> {
    netloom_net::routing::build(network, &Call::parse(call).unwrap()).unwrap()
}

const NAVARIDAS: Settings = Settings {
    channels: 1,
    buffer_packets: 4,
    injection_packets: 8,
    packet_phits: 16,
    credit_delay: 0,
    once: false,
    taking: Taking::Adaptive,
    seed: 1,
};

fn point(network: &Arc<Network>, call: &str, classes: u8, settings: Settings, load: f64, window: [u64; 3]) -> Point {
    let routing = routing(network, call);
    let engine =
        Queued::new(network, Hops::new(network, &*routing, classes), settings, (Wires::named(network, |_| 0), false));
    let endpoint_of_rank: Arc<[u32]> = (0..network.endpoints()).collect();
    let destinations = Destinations::Uniform { ranks: network.endpoints(), itself: false };
    let sources = Sources {
        endpoint_of_rank,
        destinations: Arc::new(destinations),
        process: Process::Bernoulli,
        units: settings.packet_phits,
        seed: 5,
        watched: true,
        cycle_ps: 0.0,
        over_time: None,
    };
    let [warm_up, cycles, drain] = window;
    let progress = Progress::new();
    measure(engine, sources, load, Protocol::Window { warm_up, cycles, drain, packets: 0 }, &progress).unwrap()
}

#[test]
fn a_lone_packet_takes_a_cycle_per_link_and_its_length() {
    for (call, rule) in [
        ("k_ary_n_tree(4,3)", "minimal"),
        ("torus(4,4)", "dimension-ordered"),
        ("dragonfly(a=4,p=2,h=2,g=9)", "group-minimal"),
        ("mesh(3,3)", "dimension-ordered"),
    ] {
        let network = network(call);
        let routing = routing(&network, rule);
        let classes = routing.virtual_channels();
        let settings = Settings { channels: classes.into(), ..NAVARIDAS };
        let mut engine = Queued::new(
            &network,
            Hops::new(&network, &*routing, classes),
            settings,
            (Wires::named(&network, |_| 0), false),
        );
        let mut arrivals = Vec::new();
        for to in 1..network.endpoints() {
            let born = engine.now();
            engine.offer(Offer { from: 0, to, tag: to, units: 16 }).unwrap();
            while !engine.idle() {
                engine.cycle(&mut arrivals).unwrap();
            }
            let [arrival] = arrivals[..] else { panic!("{call}: {arrivals:?}") };
            arrivals.clear();
            // Injection, one per switch link, ejection; then the other 15 phits.
            assert_eq!(arrival.at - born, u64::from(arrival.hops) + 2 + 15, "{call} to {to}");
            assert_eq!((arrival.from, arrival.to, arrival.tag, arrival.born), (0, to, to, born));
        }
    }
}

/// Two endpoints, and so many switches between theirs, on cables of a share of an endpoint's bandwidth.
fn between(middle: u32, share: f64) -> Arc<Network> {
    let mut made = NetworkBuilder::new("between", 2 + middle);
    made.endpoint_link(16e9, 0.0);
    let class = made.class("cable", 16e9 * share, 0.0);
    for switch in 2..2 + middle {
        made.cable(0, switch, class);
        made.cable(switch, 1, class);
    }
    made.endpoint(0);
    made.endpoint(1);
    Arc::new(made.build().unwrap())
}

#[test]
fn a_packet_is_not_there_before_its_tail_has_come_over_a_slow_link() {
    for (share, cycles) in [(1.0, 16), (0.25, 64), (0.1, 160), (4.0, 16)] {
        let network = between(1, share);
        let routing = routing(&network, "minimal");
        let mut engine =
            Queued::new(&network, Hops::new(&network, &*routing, 1), NAVARIDAS, (Wires::named(&network, |_| 0), false));
        let mut arrivals = Vec::new();
        engine.offer(Offer { from: 0, to: 1, tag: 0, units: 16 }).unwrap();
        while !engine.idle() {
            engine.cycle(&mut arrivals).unwrap();
        }
        assert_eq!(arrivals[0].at, 4 + cycles - 1, "{share}");
    }
}

#[test]
fn slow_links_into_one_endpoint_fill_its_link() {
    // Four ways of a quarter of the speed: what arrives over them together is what the endpoint's link can take.
    let network = between(4, 0.25);
    let routing = routing(&network, "minimal");
    let settings = Settings { channels: 4, ..NAVARIDAS };
    let mut engine =
        Queued::new(&network, Hops::new(&network, &*routing, 1), settings, (Wires::named(&network, |_| 0), false));
    let mut arrivals = Vec::new();
    for _ in 0..400 {
        engine.offer(Offer { from: 0, to: 1, tag: 0, units: 16 }).unwrap();
    }
    while !engine.idle() {
        engine.cycle(&mut arrivals).unwrap();
    }
    let last = arrivals.last().unwrap().at;
    assert!((400 * 16..=410 * 16).contains(&last), "{last}");
}

#[test]
fn one_link_is_a_queue_with_constant_service() {
    // Two endpoints that send to each other: Bernoulli arrivals of packets of 16 cycles, one server. The mean wait of
    // Geo/D/1 with S cycles of service and load r is r (S - 1) / (2 (1 - r)).
    let network = network("complete(1,p=2)");
    for load in [0.2, 0.5, 0.8] {
        let settings = Settings { buffer_packets: 64, injection_packets: 64, ..NAVARIDAS };
        let found = point(&network, "minimal", 1, settings, load, [20_000, 2_000_000, 100_000]);
        let wait = found.latencies.mean().unwrap() - (2.0 + 15.0);
        let expected = load * 15.0 / (2.0 * (1.0 - load));
        assert!((wait / expected - 1.0).abs() < 0.04, "{load}: {wait} for {expected}");
        assert!((found.accepted / load - 1.0).abs() < 0.02 && found.drained, "{load}: {}", found.accepted);
    }
}

#[test]
fn head_of_line_blocking_leaves_586_permille_of_a_crossbar() {
    // Karol, Hluchyj and Morgan, IEEE Trans. Communications 35 (1987): 2 - sqrt(2) for many ports, 0.6013 for 32.
    let network = network("complete(1,p=64)");
    let settings = Settings { packet_phits: 1, buffer_packets: 512, injection_packets: 512, ..NAVARIDAS };
    let found = point(&network, "minimal", 1, settings, 1.0, [5_000, 20_000, 0]);
    assert!((found.accepted - 0.5935).abs() < 0.006, "{}", found.accepted);
}

#[test]
fn links_carry_what_was_sent_and_nothing_is_lost() {
    for (call, rule, classes) in [("thin_tree(4,2,3)", "minimal", 1), ("torus(4,4)", "dimension-ordered", 2)] {
        let network = network(call);
        let routing = routing(&network, rule);
        for taking in [Taking::Drawn, Taking::Adaptive] {
            let settings = Settings { channels: 2, taking, ..NAVARIDAS };
            let mut engine = Queued::new(
                &network,
                Hops::new(&network, &*routing, classes),
                settings,
                (Wires::named(&network, |_| 0), false),
            );
            let (mut arrivals, mut sent) = (Vec::new(), 0);
            for from in 0..network.endpoints() {
                for to in 0..network.endpoints() {
                    engine.offer(Offer { from, to, tag: sent, units: 16 }).unwrap();
                    sent += 1;
                }
            }
            while !engine.idle() {
                engine.cycle(&mut arrivals).unwrap();
            }
            let mut tags: Vec<u32> = arrivals.iter().map(|a| a.tag).collect();
            tags.sort_unstable();
            assert!(tags.into_iter().eq(0..sent), "{call}");
            let hops: u64 = arrivals.iter().map(|a| u64::from(a.hops) + 2).sum();
            assert_eq!(engine.link_units().iter().sum::<u64>(), hops * 16, "{call}");
        }
    }
}

#[test]
fn thin_trees_reach_their_ideal_with_channels() {
    // Navaridas 2009, figure 4 at a small size: 4:2,3 has an ideal of 4 levels of uniform traffic through half the links.
    let network = network("thin_tree(4,2,3)");
    let mut last = 0.0;
    for channels in [1, 2, 4, 8] {
        let settings = Settings { channels, ..NAVARIDAS };
        let found = point(&network, "minimal", 1, settings, 1.0, [5_000, 20_000, 0]);
        assert!(found.accepted > last);
        last = found.accepted;
    }
    // A quarter of the links to the top: (1/4) / (48/63) of the traffic crosses.
    let ideal = 0.25 / (48.0 / 63.0);
    assert!(last <= ideal * 1.001 && last > 0.93 * ideal, "{last} of {ideal}");
}

#[test]
fn a_ring_without_a_dateline_stalls_and_says_so() {
    let network = network("ring(6)");
    let routing = routing(&network, "dimension-ordered(vc=one)");
    let mut engine =
        Queued::new(&network, Hops::new(&network, &*routing, 1), NAVARIDAS, (Wires::named(&network, |_| 0), false));
    for round in 0..40 {
        for from in 0..6 {
            engine.offer(Offer { from, to: (from + 3) % 6, tag: round, units: 16 }).unwrap();
        }
    }
    let mut arrivals = Vec::new();
    let fault = (0..100_000).find_map(|_| engine.cycle(&mut arrivals).err()).unwrap().to_string();
    assert!(fault.contains("NL-E018") && fault.contains("(channel 0)"), "{fault}");
}
