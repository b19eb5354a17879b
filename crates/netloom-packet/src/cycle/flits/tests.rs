use std::sync::Arc;

use netloom_model::{Call, Network, Progress, Routing};

use super::*;
use crate::cycle::engine::{Engine, Intake, Offer};
use crate::offered::open_loop::measure;
use crate::{Destinations, Point, Process, Protocol, Sources};

fn network(call: &str) -> Arc<Network> {
    Arc::new(netloom_net::build(&Call::parse(call).unwrap()).unwrap())
}

fn routing(network: &Arc<Network>, call: &str) -> Box<dyn Routing> {
    netloom_net::routing::build(network, &Call::parse(call).unwrap()).unwrap()
}

const TREE: FlitSettings = FlitSettings {
    channels: 4,
    buffer_flits: 8,
    packet_flits: 1,
    credit_delay: 2,
    speedup: 1,
    hold: true,
    narrow: false,
    ugal: false,
    taking: Taking::Drawn,
    seed: 1,
};

const DRAGONFLY: FlitSettings =
    FlitSettings { channels: 2, buffer_flits: 256, speedup: 2, hold: false, narrow: true, ..TREE };

/// As BookSim2 has them.
fn wires(network: &Network, settings: &FlitSettings) -> Wires {
    Wires::named(network, |class| match (settings.narrow, class) {
        (false, _) => 1,
        (true, "global") => 100,
        (true, _) => 10,
    })
}

fn point(
    network: &Arc<Network>,
    call: &str,
    classes: u8,
    settings: FlitSettings,
    load: f64,
    window: [u64; 3],
) -> Point {
    let routing = routing(network, call);
    let engine = Flits::new(network, Hops::new(network, &*routing, classes), settings, &wires(network, &settings));
    let endpoint_of_rank: Arc<[u32]> = (0..network.endpoints()).collect();
    let destinations = Destinations::Uniform { ranks: network.endpoints(), itself: true };
    let units = settings.packet_flits.into();
    let sources = Sources {
        endpoint_of_rank,
        destinations: Arc::new(destinations),
        process: Process::Bernoulli,
        units,
        seed: 5,
        watched: false,
        cycle_ps: 0.0,
        over_time: None,
    };
    let [warm_up, cycles, drain] = window;
    let progress = Progress::new();
    measure(engine, sources, load, Protocol::Window { warm_up, cycles, drain, packets: 0 }, &progress).unwrap()
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
            let mut engine =
                Flits::new(&network, Hops::new(&network, &*routing, 1), settings, &wires(&network, &settings));
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
                let now = engine.link_units().to_vec();
                let crossed = now.iter().zip(&before).enumerate();
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
fn every_packet_arrives_once_and_credits_come_back() {
    for (call, rule, classes, settings) in [
        ("k_ary_n_tree(2,3)", "minimal", 1, FlitSettings { channels: 1, ..TREE }),
        ("torus(4,4)", "dimension-ordered(tie=split)", 2, FlitSettings { channels: 2, buffer_flits: 3, ..TREE }),
        ("dragonfly(a=4,p=2,h=2,g=9)", "group-minimal", 2, DRAGONFLY),
        ("dragonfly(a=4,p=2,h=2,g=9)", "group-minimal", 2, FlitSettings { channels: 3, ugal: true, ..DRAGONFLY }),
    ] {
        let network = network(call);
        let routing = routing(&network, rule);
        let mut engine =
            Flits::new(&network, Hops::new(&network, &*routing, classes), settings, &wires(&network, &settings));
        let (mut arrivals, mut sent) = (Vec::new(), 0);
        for from in 0..network.endpoints() {
            for to in 0..network.endpoints() {
                engine.offer(Offer { from, to, tag: sent, units: 1 + sent % 5 }).unwrap();
                sent += 1;
            }
        }
        while !engine.idle() {
            engine.cycle(&mut arrivals).unwrap();
        }
        let mut tags: Vec<u32> = arrivals.iter().map(|a| a.tag).collect();
        tags.sort_unstable();
        assert!(tags.into_iter().eq(0..sent), "{call}");
        let hops: u64 = arrivals.iter().map(|a| u64::from(a.hops + 2) * u64::from(a.units)).sum();
        assert_eq!(engine.link_units().iter().sum::<u64>(), hops, "{call}");
        let full = vec![settings.buffer_flits; engine.state.credits.len()];
        assert_eq!(engine.state.credits, full, "{call}");
        assert!(engine.state.inputs.iter().all(|input| input.flits == 0 && input.packets == 0), "{call}");
    }
}

#[test]
fn one_channel_passes_a_packet_of_one_flit_every_second_cycle() {
    // BookSim2 (28f43299): 0.2825 of one channel, 0.5283 of four on a torus; 0.3952 of packets of 16 flits.
    let tree = network("k_ary_n_tree(4,3)");
    let torus = network("torus(8,8)");
    let long = FlitSettings { channels: 1, buffer_flits: 16, packet_flits: 16, ..TREE };
    for (network, rule, classes, settings, load, expected) in [
        (&tree, "minimal", 1, FlitSettings { channels: 1, ..TREE }, 0.5, 0.2825),
        (&torus, "dimension-ordered(tie=split)", 2, TREE, 0.8, 0.5283),
        (&tree, "minimal", 1, long, 0.9, 0.3952),
    ] {
        let found = point(network, rule, classes, settings, load, [5_000, 20_000, 0]);
        assert!((found.accepted / expected - 1.0).abs() < 0.02, "{}: {}", network.label(), found.accepted);
    }
}

#[test]
fn a_ring_without_a_dateline_stalls_and_says_so() {
    let network = network("ring(6)");
    let routing = routing(&network, "dimension-ordered(vc=one)");
    let settings = FlitSettings { channels: 1, packet_flits: 16, ..TREE };
    let mut engine = Flits::new(&network, Hops::new(&network, &*routing, 1), settings, &wires(&network, &settings));
    for round in 0..40 {
        for from in 0..6 {
            engine.offer(Offer { from, to: (from + 3) % 6, tag: round, units: 16 }).unwrap();
        }
    }
    let mut arrivals = Vec::new();
    let fault = (0..100_000).find_map(|_| engine.cycle(&mut arrivals).err()).unwrap().to_string();
    assert!(fault.contains("NL-E018") && fault.contains("(channel 0)"), "{fault}");
}
