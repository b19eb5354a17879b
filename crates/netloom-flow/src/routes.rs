//! The route of a message: its resources, latency and weight.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use netloom_model::stream::mix;
use netloom_model::{InnerLink, Network, Node, Outcome, PathList, Per, Place, Routing, destination};

use crate::fluid::Way;
use crate::max_min::Use;
use crate::ways::use_more;
use netloom_model::machine::window_cap;
use netloom_ranks::RoutedMachine;
use netloom_ranks::{Fold, Job, Spread};

/// Limit of the links of all cached routes; beyond it the cache is cleared. About 300 MB.
const KEPT: usize = 1 << 23;

/// A link with its share of the message's bytes.
pub type Part = (u32, f64);

/// The links of one message.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    first: usize,
    uses: usize,
    /// Of the network.
    pub links: (usize, usize),
    /// Mean over the paths.
    pub latency_s: f64,
    pub weight: f64,
    pub cap: f64,
    /// Greatest rate of the message alone.
    pub bandwidth: f64,
    /// Number of its way.
    way: u32,
}

/// The rule that decides the routes of a message.
type By<'a> = (&'a dyn Routing, Spread<'a>);

/// Numbers of routes by source and destination.
type Known = HashMap<u64, u32, BuildHasherDefault<Fold>>;

/// Routes between endpoints, computed on first use.
#[derive(Clone)]
pub struct Routes<'a> {
    machine: RoutedMachine<'a>,
    /// The machine's routing first, then those of jobs, each with its cached routes.
    routings: Vec<(By<'a>, Known)>,
    routes: Vec<Route>,
    of_job: Vec<u32>,
    generation: u32,
    /// The last route with these resources, weight and cap, by their hash, where places of one node share them.
    ways: HashMap<u64, Route, BuildHasherDefault<Fold>>,
    /// Numbers of ways that were given.
    numbers: u32,
    uses: Vec<Use>,
    links: Vec<Part>,
    paths: PathList,
    made: Vec<Use>,
    inner: Vec<u32>,
}

impl<'a> Routes<'a> {
    /// Number of the routing of background flows.
    pub const OF_BACKGROUND: u32 = 0;

    pub fn new(machine: RoutedMachine<'a>, jobs: &[Job<'a>]) -> Self {
        let mut routings: Vec<(By<'a>, Known)> = vec![((machine.routing, Spread::Shares), Known::default())];
        let number = |job: &Job<'a>| {
            let own = (job.routing.unwrap_or(machine.routing), job.spread);
            let same = |(by, _): &(By<'a>, Known)| std::ptr::addr_eq(by.0, own.0) && by.1 == own.1;
            // Background flows start and end at NICs, ranks at seats.
            let first = usize::from(machine.node.is_some());
            let there = routings.iter().skip(first).position(same).map(|at| at + first);
            there.unwrap_or_else(|| {
                routings.push((own, Known::default()));
                routings.len() - 1
            }) as u32
        };
        Routes {
            machine,
            of_job: jobs.iter().map(number).collect(),
            routings,
            routes: Vec::new(),
            generation: 0,
            ways: HashMap::default(),
            numbers: 0,
            uses: Vec::new(),
            links: Vec::new(),
            paths: PathList::new(),
            made: Vec::new(),
            inner: Vec::new(),
        }
    }

    /// Changes when the cache of routes is cleared.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Number of a job's routing.
    pub fn of_job(&self, job: u32) -> u32 {
        self.of_job[job as usize]
    }

    /// Resources of a route, and the rate that a message with a cap of its own may have there.
    pub fn way(&self, route: &Route, cap: f64) -> Way<'_> {
        Way {
            uses: &self.uses[route.first..route.first + route.uses],
            weight: route.weight,
            cap: route.cap.min(cap),
            number: (route.cap <= cap).then_some(route.way),
        }
    }

    /// Directed links of the network on a route, injection and ejection included, with the share of the message on each.
    pub fn links(&self, route: &Route) -> &[Part] {
        &self.links[route.links.0..route.links.1]
    }

    /// The route of that number, valid for a generation.
    #[inline]
    pub fn of(&self, route: u32) -> &Route {
        &self.routes[route as usize]
    }

    /// Number of the route between two different places by the routing of that number.
    ///
    /// # Errors
    /// As [`Routing::paths`].
    pub fn number(&mut self, routing: u32, src: Place, dst: Place) -> Outcome<u32> {
        let key = u64::from(self.machine.number(src)) << 32 | u64::from(self.machine.number(dst));
        let (by, known) = &self.routings[routing as usize];
        if let Some(route) = known.get(&key) {
            return Ok(*route);
        }
        let (by, machine) = (*by, self.machine);
        if self.links.len().max(self.uses.len()) >= KEPT {
            self.forget();
        }
        let links = self.links.len();
        let node = machine.node.filter(|_| routing != Routes::OF_BACKGROUND);
        let leaves = node.is_none_or(|node| node.of(src.endpoint) != node.of(dst.endpoint));
        if leaves {
            parts(machine.network, by, (src.endpoint, dst.endpoint), &mut self.paths, &mut self.links)?;
        }
        let there = links..self.links.len();
        let (mut latency, mut inverse, mut bandwidth, mut passed) = (0.0, 0.0, f64::INFINITY, 0.0);
        let mut unshared = f64::INFINITY;
        self.made.clear();
        for &(link, share) in &self.links[there.clone()] {
            let class = machine.network.class(link);
            latency += share * class.latency_s;
            inverse += share / class.bandwidth_bytes_per_s;
            bandwidth = bandwidth.min(class.bandwidth_bytes_per_s / share);
            passed += share;
            if class.per == Per::Flow {
                unshared = unshared.min(class.bandwidth_bytes_per_s / share);
            } else {
                use_more(&mut self.made, machine.resource(link), share);
            }
        }
        if leaves {
            // Injection and ejection are links, each switch is between two of them.
            latency += machine.wire.switch_latency_s * (passed - 1.0);
        }
        for (level, times) in self.inside(node, (src, dst), 1.0) {
            latency += level.latency_s;
            inverse += 1.0 / level.bandwidth_bytes_per_s;
            bandwidth = bandwidth.min(level.bandwidth_bytes_per_s / times);
        }
        if machine.wire.cross_traffic > 0.0 {
            let back = self.links.len();
            if leaves {
                parts(machine.network, by, (dst.endpoint, src.endpoint), &mut self.paths, &mut self.links)?;
            }
            let shared = |part: &&Part| machine.network.class(part.0).per != Per::Flow;
            for &(link, share) in self.links[back..].iter().filter(shared) {
                use_more(&mut self.made, machine.resource(link), share * machine.wire.cross_traffic);
            }
            self.links.truncate(back);
            self.inside(node, (dst, src), machine.wire.cross_traffic).for_each(drop);
        }
        let mut route = Route {
            first: self.uses.len(),
            uses: self.made.len(),
            links: (there.start, there.end),
            latency_s: latency,
            weight: machine.wire.sharing.weight(latency, inverse),
            cap: window_cap(machine.wire.tcp_window_bytes, latency).min(unshared),
            bandwidth,
            way: self.numbers,
        };
        self.keep(&mut route, node.is_some());
        let number = self.routes.len() as u32;
        self.routes.push(route);
        self.routings[routing as usize].1.insert(key, number);
        Ok(number)
    }

    /// Keeps the resources of a new route, and gives it a number of its own, unless another route has the same.
    fn keep(&mut self, route: &mut Route, shared: bool) {
        if shared {
            let ends = [route.weight, route.cap].map(f64::to_bits);
            let of_uses = self.made.iter().flat_map(|of| [u64::from(of.resource), of.coefficient.to_bits()]);
            let key = of_uses.chain(ends).fold(0, |hash, word| mix(hash ^ word));
            let same = |there: &&Route| {
                let uses = &self.uses[there.first..there.first + there.uses];
                *uses == self.made[..] && [there.weight, there.cap].map(f64::to_bits) == ends
            };
            if let Some(there) = self.ways.get(&key).filter(same) {
                (route.first, route.way) = (there.first, there.way);
                return;
            }
            self.ways.insert(key, *route);
        }
        self.uses.extend_from_slice(&self.made);
        self.numbers += 1;
    }

    /// What a message's links in nodes have, and how many times it crosses each, whose use is added to the route at hand; a
    /// link of unlimited bandwidth is no resource.
    fn inside<'s>(
        &'s mut self,
        node: Option<&'s Node>,
        (src, dst): (Place, Place),
        share: f64,
    ) -> impl Iterator<Item = (InnerLink, f64)> + 's {
        self.inner.clear();
        if let Some(node) = node {
            node.route(src, dst, &mut self.inner);
        }
        let (machine, made, inner) = (&self.machine, &mut self.made, &self.inner);
        inner.iter().zip(node.into_iter().cycle()).map(move |(&link, node)| {
            let (own, links) = (node.class_of(link), machine.network.links());
            if own.bandwidth_bytes_per_s < f64::INFINITY {
                let resource = machine.resource(links + link);
                // In half duplex both ways take the time of one resource, each at its own bandwidth.
                let of = node.class_of(resource - links).bandwidth_bytes_per_s;
                use_more(made, resource, share * (of / own.bandwidth_bytes_per_s));
            }
            (own, inner.iter().filter(|there| **there == link).count() as f64)
        })
    }

    fn forget(&mut self) {
        self.routings.iter_mut().for_each(|(_, known)| known.clear());
        self.generation += 1;
        self.routes.clear();
        self.ways.clear();
        self.uses.clear();
        self.links.clear();
    }
}

/// Appends the links from one endpoint to another, each once, with its share of the bytes.
fn parts(
    network: &Network,
    (routing, spread): By<'_>,
    (src, dst): (u32, u32),
    paths: &mut PathList,
    links: &mut Vec<Part>,
) -> Outcome<()> {
    let (from, to) = (network.endpoint_switch()[src as usize], destination(routing, network, dst));
    links.push((network.injection_link(src), 1.0));
    let first = links.len();
    match spread {
        Spread::Solved(table) if let Some(found) = table.between(from, to) => links.extend(found),
        Spread::Shares | Spread::Solved(_) if !routing.is_deterministic() => {
            routing.list(from, to, paths)?;
            links.extend(paths.iter().flat_map(|(path, share)| path.iter().map(move |&link| (link, share))));
            if paths.len() > 1 {
                merge(links, first);
            }
        }
        _ => {
            let word = if let Spread::Hashed { seed } = spread { hash(seed, src, dst) } else { 0 };
            paths.clear();
            routing.draw(from, to, word, &mut paths.links)?;
            links.extend(paths.links.iter().map(|&link| (link, 1.0)));
        }
    }
    links.push((network.ejection_link(dst), 1.0));
    Ok(())
}

/// The word by which a pair of endpoints chooses its path.
fn hash(seed: u64, src: u32, dst: u32) -> u64 {
    mix(mix(seed ^ mix(u64::from(src) + 1)) ^ u64::from(dst))
}

/// Adds up the shares of each link from `first` on. O(n log n).
fn merge(links: &mut Vec<Part>, first: usize) {
    links[first..].sort_by_key(|part| part.0);
    let mut kept = first;
    for at in first + 1..links.len() {
        if links[at].0 == links[kept].0 {
            links[kept].1 += links[at].1;
        } else {
            kept += 1;
            links[kept] = links[at];
        }
    }
    links.truncate((kept + 1).max(first).min(links.len()));
}
