//! Drawn networks, routings, buffers and failures: what holds for all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use netloom_model::traffic::Flow;
use netloom_model::{Call, Network, NetworkBuilder, Progress, Routing, Seats, Traffic, Workload};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use crate::routes::channels::classes;
use crate::{Delivered, Engine, Hops, Input, Offer, Switch, Taking};
use netloom_loads::links::link_bytes;

/// A connected network: a tree of switches, further cables, endpoints; some of the further cables failed.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    parents: Vec<u32>,
    more: Vec<(u32, u32)>,
    /// Switch of each endpoint.
    places: Vec<u32>,
    failed: usize,
}

impl Drawn {
    fn switches(&self) -> u32 {
        self.parents.len() as u32 + 1
    }

    /// With switch `s` called `names[s]`, and this bandwidth.
    fn built(&self, names: &[u32], bandwidth: f64) -> Arc<Network> {
        let n = self.switches();
        let mut builder = NetworkBuilder::new("drawn", n);
        let class = builder.class("link", bandwidth, 1e-7);
        builder.endpoint_link(bandwidth, 1e-7);
        let name = |switch: u32| names[(switch % n) as usize];
        for (child, parent) in (1..).zip(&self.parents) {
            builder.cable(name(child), name(parent % child), class);
        }
        for &(a, b) in self.cables().skip(self.failed) {
            builder.cable(name(a), name(b), class);
        }
        self.places.iter().for_each(|place| builder.endpoint(name(*place)));
        Arc::new(builder.build().unwrap())
    }

    fn cables(&self) -> impl Iterator<Item = &(u32, u32)> {
        self.more.iter().filter(|(a, b)| a % self.switches() != b % self.switches())
    }

    /// As drawn; the failed cables are failed, not left out.
    pub(crate) fn network(&self) -> Arc<Network> {
        let names: Vec<u32> = (0..self.switches()).collect();
        let whole = Drawn { failed: 0, ..self.clone() }.built(&names, 12.5e9);
        let mut links = BTreeSet::new();
        for &(a, b) in self.cables().take(self.failed) {
            let (a, b) = (a % self.switches(), b % self.switches());
            let tree = self.parents.iter().zip(1..).any(|(p, c): (&u32, u32)| (p % c, c) == (a.min(b), a.max(b)));
            let between = |l: &u32| whole.tails()[*l as usize] == a && whole.heads()[*l as usize] == b;
            if let Some(link) = (0..whole.switch_links()).find(|l| !tree && between(l)) {
                links.extend([link, whole.reverse()[link as usize]]);
            }
        }
        let links: Vec<u32> = links.into_iter().collect();
        if links.is_empty() { whole } else { Arc::new(whole.without(&links, &[]).unwrap()) }
    }
}

pub(crate) fn drawn() -> impl Strategy<Value = Drawn> {
    let of = |n: usize| {
        (
            any::<bool>(),
            prop::collection::vec(0u32..100, n),
            prop::collection::vec((0u32..100, 0u32..100), 0..5),
            prop::collection::vec(0..n as u32 + 1, 2..16),
            0usize..3,
        )
    };
    (0usize..9).prop_flat_map(of).prop_map(|(ring, mut parents, mut more, mut places, failed)| {
        // Half of them hold a ring with an endpoint on every switch: there packets can wait for each other.
        if ring {
            parents = (0..parents.len() as u32).collect();
            places.extend(0..=parents.len() as u32);
            more.push((0, parents.len() as u32));
        }
        Drawn { parents, more, places, failed }
    })
}

pub(crate) fn routing(network: &Arc<Network>, call: &str) -> Box<dyn Routing> {
    netloom_net::routing::build(network, &Call::parse(call).unwrap()).unwrap()
}

pub(crate) fn switch(call: &str) -> Input {
    Switch::of(&Call::parse(call).unwrap()).unwrap().in_cycles()
}

const ROUTINGS: [&str; 5] =
    ["minimal", "single-minimal", "up-down", "minimal(vc=one)", "single-minimal(tie=seeded,vc=one)"];
const MODELS: [(&str, Taking); 6] = [
    ("input-queued(channels={c},buffer_packets=1,injection_packets=1,packet_phits=3)", Taking::Drawn),
    ("input-queued(channels={c},buffer_packets=2,injection_packets=3,packet_phits=4,credit_delay=3)", Taking::Adaptive),
    ("input-queued(channels={c},packet_phits=1,link_delay=2,choice=once)", Taking::Adaptive),
    ("input-queued(channels={c},buffer_packets=3)", Taking::Hashed { seed: 3 }),
    ("input-queued(model=booksim,channels={c},buffer_flits=1,packet_flits=4)", Taking::Drawn),
    ("input-queued(model=booksim,channels={c},buffer_flits=8,packet_flits=3,stages=dragonfly)", Taking::Drawn),
];

/// The channels of a link, so many that most routings are admitted.
fn channels(routing: &dyn Routing) -> u32 {
    u32::from(routing.virtual_channels()).max(2)
}

/// The engine, and the units of a packet.
fn engine<'a>(
    network: &'a Network,
    routing: &'a dyn Routing,
    model: usize,
    (classes, channels): (u8, u32),
) -> (Box<dyn Engine + 'a>, u32) {
    let (call, taking) = MODELS[model];
    let input = switch(&call.replace("{c}", &channels.to_string()));
    (input.engine(network, Hops::new(network, routing, classes), (taking, 7), None), input.units())
}

/// Offers all packets, some cycles apart, and follows them to the end.
pub(crate) fn follow(
    engine: &mut dyn Engine,
    packets: &[(u32, u32)],
    units: u32,
    every: u64,
) -> Result<Vec<Delivered>, String> {
    let mut arrivals = Vec::new();
    for (tag, (from, to)) in (0..).zip(packets) {
        engine.offer(Offer { from: *from, to: *to, tag, units }).unwrap();
        for _ in 0..every {
            engine.cycle(&mut arrivals).map_err(|faults| faults.to_string())?;
        }
    }
    // Nobody waits longer than all others take one after another.
    let last = engine.now() + 1000 + packets.len() as u64 * 64 * u64::from(units);
    while !engine.idle() {
        assert!(engine.now() < last, "packets live on without an end");
        engine.cycle(&mut arrivals).map_err(|faults| faults.to_string())?;
    }
    Ok(arrivals)
}

pub(crate) fn pairs(network: &Network, wanted: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let n = network.endpoints();
    wanted.iter().map(|(from, to)| (from % n, to % n)).collect()
}

/// True if some packet can hold one of these channels and wait for the next, around a cycle: from the listed paths of all
/// pairs.
fn has_cycle(network: &Network, routing: &dyn Routing, by_channel: bool) -> bool {
    let mut next: BTreeMap<(u32, u8), BTreeSet<(u32, u8)>> = BTreeMap::new();
    let switches: BTreeSet<u32> = network.endpoint_switch().iter().copied().collect();
    let mut paths = Vec::new();
    for (from, to) in switches.iter().flat_map(|from| switches.iter().map(move |to| (*from, *to))) {
        routing.paths(from, to, &mut paths).unwrap();
        for path in &paths {
            let channel = |at: usize| if by_channel { path.channels[at] } else { 0 };
            let all: Vec<(u32, u8)> = path.links.iter().enumerate().map(|(at, link)| (*link, channel(at))).collect();
            for (at, channel) in all.iter().enumerate() {
                next.entry(*channel).or_default().extend(all.get(at + 1));
            }
        }
    }
    // Takes away what leads nowhere, until nothing does.
    loop {
        let ends: Vec<(u32, u8)> = next.iter().filter(|(_, to)| to.is_empty()).map(|(c, _)| *c).collect();
        if ends.is_empty() {
            return !next.is_empty();
        }
        for end in &ends {
            next.remove(end);
        }
        next.values_mut().for_each(|to| to.retain(|channel| !ends.contains(channel)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_packet_arrives_once_where_it_should(
        drawn in drawn(), by in 0..ROUTINGS.len(), model in 0..MODELS.len(), every in 0u64..4,
        wanted in prop::collection::vec((0u32..100, 0u32..100), 1..120),
    ) {
        let network = drawn.network();
        let routing = routing(&network, ROUTINGS[by]);
        let channels = channels(&*routing);
        let Ok((classes, _)) = classes(&network, &*routing, Some(channels), &Progress::new()) else { return Ok(()) };
        let (mut engine, units) = engine(&network, &*routing, model, (classes, channels));
        let packets = pairs(&network, &wanted);
        let arrivals = follow(&mut *engine, &packets, units, every).unwrap();
        let mut tags: Vec<u32> = arrivals.iter().map(|arrival| arrival.tag).collect();
        tags.sort_unstable();
        prop_assert!(tags.into_iter().eq(0..packets.len() as u32));
        let mut paths = Vec::new();
        for arrival in &arrivals {
            prop_assert_eq!((arrival.from, arrival.to), packets[arrival.tag as usize]);
            let at = |endpoint: u32| network.endpoint_switch()[endpoint as usize];
            routing.paths(at(arrival.from), netloom_model::destination(&*routing, &network, arrival.to), &mut paths).unwrap();
            prop_assert!(paths.iter().any(|path| path.links.len() == arrival.hops as usize) || at(arrival.from) == at(arrival.to));
            prop_assert!(arrival.at - arrival.born > u64::from(arrival.hops + units));
        }
        let crossed: u64 = arrivals.iter().map(|arrival| u64::from(arrival.hops + 2) * u64::from(units)).sum();
        prop_assert_eq!(engine.link_units().iter().sum::<u64>(), crossed);
        prop_assert_eq!(engine.under_way(), 0);
    }

    #[test]
    fn other_numbers_of_switches_change_labels_alone(
        drawn in drawn(), model in 0..MODELS.len(), order in any::<u64>(),
        wanted in prop::collection::vec((0u32..100, 0u32..100), 1..40),
    ) {
        // On a tree there is one path, whatever the numbers are.
        let tree = Drawn { more: Vec::new(), failed: 0, ..drawn };
        let plain: Vec<u32> = (0..tree.switches()).collect();
        let mut names = plain.clone();
        netloom_model::Stream::new(order, "names").shuffle(&mut names);
        let run = |names: &[u32], lone: bool| {
            let network = tree.built(names, 12.5e9);
            let routing = routing(&network, "minimal");
            let (mut engine, units) = engine(&network, &*routing, model, (1, channels(&*routing)));
            // Packets that meet draw lots by the number of their switch; lone ones do not.
            let mut found = follow(&mut *engine, &pairs(&network, &wanted), units, if lone { 400 } else { 0 }).unwrap();
            found.sort_by_key(|arrival| arrival.tag);
            let ends = |link: u32| (network.tails()[link as usize], network.heads()[link as usize]);
            let own = |name: u32| names.iter().position(|own| *own == name).unwrap();
            let used: BTreeMap<(usize, usize), u64> = (0..network.switch_links())
                .map(|link| ((own(ends(link).0), own(ends(link).1)), engine.link_units()[link as usize]))
                .collect();
            (found, used)
        };
        prop_assert_eq!(run(&plain, true), run(&names, true));
        let ((one, used), (other, again)) = (run(&plain, false), run(&names, false));
        prop_assert_eq!(used, again);
        prop_assert!(one.iter().zip(&other).all(|(a, b)| (a.tag, a.from, a.to, a.hops) == (b.tag, b.from, b.to, b.hops)));
    }

    #[test]
    fn twice_the_bandwidth_is_the_same_number_of_cycles(
        drawn in drawn(), model in 0..MODELS.len(),
        wanted in prop::collection::vec((0u32..100, 0u32..100), 1..100),
    ) {
        let names: Vec<u32> = (0..drawn.switches()).collect();
        let run = |bandwidth: f64| {
            let network = drawn.built(&names, bandwidth);
            let routing = routing(&network, "up-down");
            let (mut engine, units) = engine(&network, &*routing, model, (1, channels(&*routing)));
            follow(&mut *engine, &pairs(&network, &wanted), units, 1).unwrap()
        };
        prop_assert_eq!(run(12.5e9), run(25e9));
    }

    #[test]
    fn links_of_deterministic_routings_carry_what_link_loads_say(
        drawn in drawn(), model in 0..MODELS.len(),
        wanted in prop::collection::vec((0u32..100, 0u32..100), 1..100),
    ) {
        let network = drawn.network();
        let routing = routing(&network, "single-minimal");
        let (mut engine, units) = engine(&network, &*routing, model, (routing.virtual_channels(), channels(&*routing)));
        let packets = pairs(&network, &wanted);
        let apart = |(from, to): &&(u32, u32)| from != to;
        let packets: Vec<(u32, u32)> = packets.iter().filter(apart).copied().collect();
        follow(&mut *engine, &packets, units, 0).unwrap();
        let flow = |&(src, dst): &(u32, u32)| Flow { src, dst, messages: 1, bytes: units.into() };
        let ranks = network.endpoints();
        let traffic = Workload::from(Traffic::new("flows", ranks, packets.iter().map(flow).collect()));
        let seats = Seats::new((0..ranks).collect());
        let loads = link_bytes(&network, &*routing, &seats, &traffic, &Progress::new()).unwrap();
        let carried: Vec<f64> = engine.link_units().iter().map(|units| *units as f64).collect();
        prop_assert_eq!(carried, loads.bytes);
    }
}

#[test]
fn channels_are_refused_if_and_only_if_they_form_a_cycle() {
    let packets = prop::collection::vec((0u32..100, 0u32..100), 50..200);
    // Cases without a cycle, with one among links alone, among channels, and those that stood still.
    let seen = std::cell::Cell::new([0u32; 4]);
    let count = |kind: usize| {
        let mut counts = seen.get();
        counts[kind] += 1;
        seen.set(counts);
    };
    let mut runner =
        TestRunner::new_with_rng(ProptestConfig::with_cases(768), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let strategy = (drawn(), 0..ROUTINGS.len(), 0..MODELS.len(), packets);
    let found = runner.run(&strategy, |(drawn, by, model, wanted)| {
        let network = drawn.network();
        let routing = routing(&network, ROUTINGS[by]);
        let channels = channels(&*routing);
        let free = |by_channel: bool| !has_cycle(&network, &*routing, by_channel);
        match classes(&network, &*routing, Some(channels), &Progress::new()) {
            // Any channel of a link may be used.
            Ok((1, _)) => {
                count(0);
                prop_assert!(free(false));
            }
            Ok(_) => {
                count(1);
                prop_assert!(free(true) && !free(false));
            }
            Err(faults) => {
                count(2);
                prop_assert_eq!(faults.0[0].code, "NL-E019");
                prop_assert!(!free(true));
            }
        }
        // Without the check, packets wait for each other forever only where there is a cycle; it is said, not waited for.
        let (mut engine, units) = engine(&network, &*routing, model, (1, 1));
        if let Err(fault) = follow(&mut *engine, &pairs(&network, &wanted), units, 0) {
            count(3);
            prop_assert!(fault.contains("NL-E018"), "{}", fault);
            prop_assert!(!free(false));
        }
        Ok(())
    });
    found.unwrap();
    assert!(seen.get().iter().all(|count| *count > 4), "{:?}", seen.get());
}
