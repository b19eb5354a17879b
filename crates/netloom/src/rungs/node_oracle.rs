//! Nodes against the same machine with every unit a switch.

use std::collections::HashMap;
use std::sync::Arc;

use netloom_model::traffic::Flow;
use netloom_model::{
    Call, Duplex, Level, Network, NetworkBuilder, Node, Outcome, Path, PathList, Progress, Routing, RoutingCall,
    Scenario, Seats, Stream, Traffic, Value, Way,
};

use super::node_tests::{answer, column, scenario};

/// Of the expanded machine's endpoints: what no message notices.
const UNLIMITED: f64 = 1e30;

/// A machine whose network is a tree, so that every pair has one path.
struct Case {
    /// (switch, its parent, bandwidth, latency)
    cables: Vec<(u32, u32, f64, f64)>,
    switch_of_endpoint: Vec<u32>,
    node: Node,
    seats: Vec<(u32, u32)>,
    traffic: Traffic,
    duplex: Duplex,
}

const NIC: (f64, f64) = (3e9, 2e-7);

impl Case {
    fn random(seed: u64, nics: u32) -> Case {
        let mut draw = Stream::new(seed, "nodes");
        let mut below = |n: u32| draw.below(n);
        let switches = 1 + below(5);
        let cables = (1..switches).map(|s| (s, below(s), 1e9 * f64::from(1 + below(9)), 1e-8 * f64::from(below(9))));
        let cables = cables.collect();
        let switch_of_endpoint: Vec<u32> = (0..nics * (1 + below(6))).map(|_| below(switches)).collect();
        let (mut units, even) = (1, nics > 1 || below(2) == 0);
        let levels = (0..below(4)).map(|level| Level {
            name: format!("level {level}"),
            counts: {
                // Of the units around, one for each where they differ.
                let counts: Vec<u32> = (0..if even { 1 } else { units }).map(|_| 1 + below(3)).collect();
                units = if counts.len() == 1 { units * counts[0] } else { counts.iter().sum() };
                counts
            },
            bandwidth_bytes_per_s: if below(4) == 0 { f64::INFINITY } else { 1e9 * f64::from(1 + below(12)) },
            latency_s: 1e-8 * f64::from(below(5)),
            memory_bytes_per_s: f64::INFINITY,
        });
        let mut levels: Vec<Level> = levels.collect();
        if nics > 1 {
            // Anywhere, so that a unit may be the only one of its NIC, or use several.
            let level = Level {
                name: "own".into(),
                counts: vec![nics],
                bandwidth_bytes_per_s: 5e9,
                latency_s: 3e-8,
                memory_bytes_per_s: f64::INFINITY,
            };
            levels.insert(below(levels.len() as u32 + 1) as usize, level);
        }
        let node = Node::new(levels, nics).unwrap();
        let each = node.seats_per_endpoint();
        let mut seats: Vec<(u32, u32)> =
            (0..switch_of_endpoint.len() as u32).flat_map(|e| (0..each).map(move |s| (e, s))).collect();
        for at in (1..seats.len()).rev() {
            seats.swap(at, below(at as u32 + 1) as usize);
        }
        seats.truncate(1 + below(12) as usize);
        let ranks = seats.len() as u32;
        let flow = |_| Flow { src: below(ranks), dst: below(ranks), messages: 1, bytes: u64::from(1 + below(1 << 20)) };
        let flows = (0..20).map(flow).collect();
        let duplex = if seed.is_multiple_of(4) { Duplex::Half } else { Duplex::Full };
        Case { cables, switch_of_endpoint, node, seats, traffic: Traffic::new("random", ranks, flows), duplex }
    }

    fn cables(&self, builder: &mut NetworkBuilder) {
        for &(a, b, bandwidth, latency) in &self.cables {
            let class = builder.class("cable", bandwidth, latency);
            builder.cable(a, b, class);
        }
    }

    /// With nodes.
    fn folded(&self) -> Scenario {
        let mut builder = NetworkBuilder::new("folded", self.cables.len() as u32 + 1);
        self.cables(&mut builder);
        builder.endpoint_link(NIC.0, NIC.1);
        self.switch_of_endpoint.iter().for_each(|&s| builder.endpoint(s));
        let seats = Seats::new(self.seats.iter().map(|s| s.0).collect());
        let seats = seats.with_seats(self.seats.iter().map(|s| s.1).collect()).unwrap();
        let network = builder.build().unwrap();
        let mut made = scenario(network, Some(self.node.clone()), seats, self.traffic.clone().into());
        made.machine.wire.duplex = self.duplex;
        made
    }

    /// Every NIC, node and unit a switch; gives also the number of each unit's switch and of its parent's, by node link.
    /// Switches first, then NICs, nodes and units; an endpoint for every seat.
    fn expanded(&self) -> (Scenario, Vec<(u32, u32)>) {
        let (switches, endpoints) = (self.cables.len() as u32 + 1, self.switch_of_endpoint.len() as u32);
        let (first, nics, nodes) = (switches + endpoints, self.node.nics(), endpoints / self.node.nics());
        let linked: Vec<&Level> =
            self.node.levels().iter().filter(|level| level.counts.iter().any(|n| *n > 1)).collect();
        let (mut parents, mut next) = (Vec::new(), first + nodes);
        let mut leaves = Vec::new();
        for node in 0..nodes {
            let mut above = vec![first + node];
            for (at, level) in linked.iter().enumerate() {
                let count = |unit: usize| level.counts[unit % level.counts.len()] as usize;
                let of = |(unit, up): (usize, &u32)| std::iter::repeat_n(*up, count(unit));
                let here: Vec<(u32, u32)> = above.iter().enumerate().flat_map(of).zip(next..).collect();
                next += here.len() as u32;
                above = here.iter().map(|unit| unit.1).collect();
                parents.extend(here.into_iter().map(|(up, unit)| (unit, up, at)));
            }
            leaves.extend(above);
        }
        let mut builder = NetworkBuilder::new("expanded", next);
        self.cables(&mut builder);
        let nic = builder.class("nic", NIC.0, NIC.1);
        let inside = builder.class("inside", UNLIMITED, 0.0);
        for e in 0..endpoints {
            builder.cable(switches + e, self.switch_of_endpoint[e as usize], nic);
            builder.cable(switches + e, first + e / nics, inside);
        }
        for &(unit, up, at) in &parents {
            let Level { bandwidth_bytes_per_s, latency_s, .. } = linked[at];
            let class = builder.class("level", bandwidth_bytes_per_s.min(UNLIMITED), *latency_s);
            builder.cable(unit, up, class);
        }
        builder.endpoint_link(UNLIMITED, 0.0);
        leaves.iter().for_each(|&leaf| builder.endpoint(leaf));
        let each = self.node.seats_per_endpoint();
        let seats = Seats::new(self.seats.iter().map(|(e, s)| e * each + s).collect());
        let mut made = scenario(builder.build().unwrap(), None, seats, self.traffic.clone().into());
        if nics > 1 {
            // Shortest paths may take any NIC.
            let call = Call::parse(&format!("by-seat({switches},{first},{each})")).unwrap();
            made.jobs[0].routing = Some(Arc::new(RoutingCall::new(call, by_seat)));
        }
        made.machine.wire.duplex = self.duplex;
        (made, parents.into_iter().map(|(unit, up, _)| (unit, up)).collect())
    }
}

/// A message leaves and enters its nodes by the NICs of the two seats; a seat's switch is known by its endpoint.
struct BySeat {
    network: Arc<Network>,
    switches: u32,
    /// The first node.
    first: u32,
    /// Seats of a NIC.
    each: u32,
}

fn by_seat(network: &Arc<Network>, call: &Call) -> Outcome<Box<dyn Routing>> {
    let number =
        |at: usize| if let Value::Int(number) = call.positional[at] { number as u32 } else { panic!("{call}") };
    let network = Arc::clone(network);
    Ok(Box::new(BySeat { network, switches: number(0), first: number(1), each: number(2) }))
}

impl BySeat {
    /// From a switch to the top: a node's root, or switch 0 of the network. Whatever is above has a lower number.
    fn up(&self, from: u32) -> Vec<u32> {
        let mut chain = vec![from];
        loop {
            let at = chain[chain.len() - 1];
            let is_top =
                if from >= self.first { self.network.neighbours(at).iter().any(|n| *n < self.first) } else { at == 0 };
            if is_top {
                return chain;
            }
            chain.push(*self.network.neighbours(at).iter().min().unwrap());
        }
    }

    /// Up from one switch and down to another of the same tree.
    fn over(&self, from: u32, to: u32) -> Vec<u32> {
        let (mut up, mut down) = (self.up(from), self.up(to));
        let mut top = None;
        while up.last() == down.last() && !up.is_empty() {
            (top, _) = (up.pop(), down.pop());
        }
        up.into_iter().chain(top).chain(down.into_iter().rev()).collect()
    }

    fn switches_between(&self, source: u32, destination: u32) -> Vec<u32> {
        let nic = |leaf: u32| self.switches + self.network.endpoints_of(leaf)[0] / self.each;
        let port = |nic: u32| *self.network.neighbours(nic).iter().min().unwrap();
        let (out, back) = (self.up(source), self.up(destination));
        if out.last() == back.last() {
            return self.over(source, destination);
        }
        let (from, to) = (nic(source), nic(destination));
        let between = self.over(port(from), port(to));
        let ends = |chain: Vec<u32>, nic: u32| chain.into_iter().chain([nic]);
        let back: Vec<u32> = ends(back, to).collect();
        ends(out, from).chain(between).chain(back.into_iter().rev()).collect()
    }
}

impl Routing for BySeat {
    fn label(&self) -> &str {
        "by-seat"
    }
    fn towards(&self, _: u32) -> Box<dyn Way + '_> {
        panic!("paths are made whole")
    }
    fn virtual_channels(&self) -> u8 {
        1
    }
    fn is_deterministic(&self) -> bool {
        true
    }
    fn paths(&self, source: u32, destination: u32, out: &mut Vec<Path>) -> Outcome<()> {
        let link = |pair: &[u32]| {
            let heads = self.network.heads();
            self.network.out_links(pair[0]).find(|link| heads[*link as usize] == pair[1]).unwrap()
        };
        let links: Vec<u32> = self.switches_between(source, destination).windows(2).map(link).collect();
        *out = vec![Path { channels: vec![0; links.len()], links, fraction: 1.0 }];
        Ok(())
    }
    fn list(&self, source: u32, destination: u32, out: &mut PathList) -> Outcome<()> {
        let mut paths = Vec::new();
        self.paths(source, destination, &mut paths)?;
        out.clear();
        paths.iter().for_each(|path| out.push(&path.links, path.fraction));
        Ok(())
    }
}

/// Bytes on every link equal, times of every rank to 1e-9.
fn compare(case: &Case, seed: u64) {
    let (folded, (expanded, units)) = (case.folded(), case.expanded());
    let (mine, plain) = (answer(&folded, "loads(hottest=0)"), answer(&expanded, "loads(hottest=0)"));
    let links = column(&plain, "links", "bytes");
    let network = &expanded.machine.network;
    let of: HashMap<(u32, u32), f64> =
        (0..network.switch_links() as usize).map(|l| ((network.tails()[l], network.heads()[l]), links[l])).collect();
    let (here, base) = (column(&mine, "links", "bytes"), &folded.machine.network);
    for l in 0..base.switch_links() as usize {
        assert_eq!(here[l], of[&(base.tails()[l], base.heads()[l])], "seed {seed}, link {l}");
    }
    for (e, &switch) in (0..).zip(&case.switch_of_endpoint) {
        let nic = base.switches() + e;
        assert_eq!(here[base.injection_link(e) as usize], of[&(nic, switch)], "seed {seed}, injection {e}");
        assert_eq!(here[base.ejection_link(e) as usize], of[&(switch, nic)], "seed {seed}, ejection {e}");
    }
    let (sends, places) = (folded.jobs[0].workload.sends().unwrap(), folded.places().unwrap());
    let inner =
        netloom_loads::loads::inside(&case.node, base.endpoints(), &[(&*sends, &places[0])], &Progress::new()).unwrap();
    let both = units.iter().flat_map(|&(unit, up)| [of[&(unit, up)], of[&(up, unit)]]);
    assert_eq!(inner.bytes.iter().map(|b| *b as f64).collect::<Vec<_>>(), both.collect::<Vec<_>>(), "seed {seed}");
    let (mine, plain) = (answer(&folded, "time"), answer(&expanded, "time"));
    let pairs = column(&mine, "ranks", "finish_s").into_iter().zip(column(&plain, "ranks", "finish_s"));
    for (rank, (a, b)) in pairs.enumerate() {
        assert!((a - b).abs() <= 1e-9 * b + 1e-15, "seed {seed}, rank {rank}: {a} {b}");
    }
}

#[test]
fn nodes_are_switches_and_links() {
    (0..1200).for_each(|seed| compare(&Case::random(seed, 1), seed));
}

#[test]
fn nodes_of_several_nics_are_switches_and_links() {
    (0..900).for_each(|seed| compare(&Case::random(seed, 2 + (seed % 3) as u32), seed));
}
