//! What is below an endpoint: the levels of a node, such as sockets and cores, its NICs, and the links between them.
//!
//! Every unit of a level has an up link to the unit around it and a down link from it, of the level's bandwidth and
//! latency. A level with one unit in each unit around it has no link, so that removing it changes nothing. A message
//! goes up to just below the lowest unit that both seats are in, and down on the other side; between nodes it goes up
//! all levels, over the network, and down all levels. Two seats of a node that a direct link joins use it instead.
//! The units of a level may have memory, which a message reads at its source and writes at its destination, and of which
//! every rank in the unit has an equal share when it computes.

mod calls;
mod direct;
mod kept;
mod memory;
#[cfg(test)]
mod tests;
mod units;

use std::sync::Arc;

use crate::fault::{Fault, Outcome, codes};
use crate::hosts::Hosts;
use crate::machine::Near;
use crate::network::Network;
use crate::seats::Place;
use crate::units::gcd;

pub use calls::NODES;
pub use direct::Direct;
use units::Linked;

/// One level below a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    pub name: String,
    /// Units in each unit of the level around it: one number for all, or one for each of them in order.
    pub counts: Vec<u32>,
    /// Of each of a unit's two links; infinite if not given.
    pub bandwidth_bytes_per_s: f64,
    pub latency_s: f64,
    /// Of the memory of a unit, which all messages and ranks of its seats share; infinite if not given.
    pub memory_bytes_per_s: f64,
}

/// What a link inside a node does to a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InnerLink {
    pub bandwidth_bytes_per_s: f64,
    pub latency_s: f64,
}

/// A machine: its levels, outermost first, the direct links between its seats, and the endpoints that it has.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    levels: Vec<Level>,
    nics: u32,
    /// The machines of a network, which may have different numbers of endpoints; `None`: `nics` consecutive ones each.
    hosts: Option<Arc<Hosts>>,
    seats: u32,
    /// Levels that have links.
    linked: Vec<Linked>,
    /// In order of their seats.
    direct: Vec<Direct>,
    /// Levels that have memory; its links stand after those of the levels.
    memories: Vec<Linked>,
    /// Links of the levels and of their memory.
    of_levels: u32,
    /// Endpoints from this one on are inside switches, and have no node.
    ends: u32,
}

impl Node {
    /// `nics` endpoints, to which the seats are split evenly in order.
    ///
    /// # Errors
    /// `NL-A007` for a count of 0, counts that are not one for each unit around, a bandwidth that is not above 0, a
    /// latency below 0, and NICs that do not divide the seats; `NL-A009` for 2^31 seats, or 2^20 where units differ.
    pub fn new(mut levels: Vec<Level>, nics: u32) -> Outcome<Node> {
        for Level { name, counts, bandwidth_bytes_per_s, latency_s, memory_bytes_per_s } in &levels {
            if counts.is_empty() || counts.contains(&0) {
                return Err(wrong(name, "", "an integer >= 1", "0".to_string()).into());
            }
            if bandwidth_bytes_per_s.is_nan() || *bandwidth_bytes_per_s <= 0.0 {
                return Err(
                    wrong(name, "bandwidth", "bytes per second above 0", bandwidth_bytes_per_s.to_string()).into()
                );
            }
            if !latency_s.is_finite() || *latency_s < 0.0 {
                return Err(wrong(name, "latency", "seconds >= 0", latency_s.to_string()).into());
            }
            if memory_bytes_per_s.is_nan() || *memory_bytes_per_s <= 0.0 {
                return Err(wrong(name, "memory", "bytes per second above 0", memory_bytes_per_s.to_string()).into());
            }
        }
        units::settle(&mut levels)?;
        let (linked, memories, seats) = units::linked(&levels)?;
        if nics == 0 || !seats.is_multiple_of(nics) {
            return Err(wrong("nics", "", &format!("a divisor of its {seats} seats"), nics.to_string()).into());
        }
        memory::check(&linked, &memories)?;
        let links: u32 = linked.iter().map(|level| 2 * level.units).sum();
        let of_levels = links + memories.iter().map(|level| level.units).sum::<u32>();
        Ok(Node { levels, nics, seats, linked, memories, direct: Vec::new(), of_levels, hosts: None, ends: u32::MAX })
    }

    /// The same node with direct links between seats, in place of those that it had.
    ///
    /// # Errors
    /// `NL-A007` for seats that the node does not have, a link from a seat to itself, two links of one pair, and
    /// bandwidths and latencies as in [`Node::new`].
    pub fn with_links(mut self, mut links: Vec<Direct>) -> Outcome<Node> {
        links.sort_by_key(|link| link.seats);
        direct::check(&links, self.seats)?;
        self.direct = links;
        Ok(self)
    }

    pub fn levels(&self) -> &[Level] {
        &self.levels
    }
    /// Direct links, in order of their seats.
    pub fn direct(&self) -> &[Direct] {
        &self.direct
    }
    /// The same node behind the endpoints of a network: where that says which of them are ports of one host, hosts are
    /// the nodes, and the seats of each go to its nearest port ([`Hosts::first_seat`]). O(endpoints).
    ///
    /// # Errors
    /// `NL-A007` for a number of NICs that is not that of every host.
    pub fn on(&self, network: &Network) -> Outcome<Node> {
        let inside = network.combining();
        let ends = if inside.is_empty() { u32::MAX } else { inside.start };
        let Some(hosts) = network.closed_hosts() else {
            let even = || Hosts::even(inside.start, self.nics).with_more(&vec![None; inside.len()]);
            let hosts = (self.nics > 1).then(|| Arc::new(even()));
            return Ok(Node { hosts, ends, ..self.clone() });
        };
        let (least, most) = hosts.extremes();
        if self.nics > 1 && inside.is_empty() && (least, most) != (self.nics, self.nics) {
            let expected = format!("1, or the {least} to {most} ports that the hosts of {} have", network.label());
            let hint = "leave nics out: the network says which ports are one host";
            return Err(Fault::new(&codes::BAD_VALUE, "node.nics", expected, self.nics).hint(hint).into());
        }
        Ok(Node { hosts: Some(Arc::clone(hosts)), ends, ..self.clone() })
    }
    /// Endpoints of a node where all have as many: node `n` has the endpoints `n * nics .. (n + 1) * nics` unless the
    /// network says otherwise ([`Node::on`]).
    pub fn nics(&self) -> u32 {
        self.nics
    }
    /// Which endpoints are those of one node; `None` if each has one.
    pub fn hosts(&self, network: &Network) -> Option<Arc<Hosts>> {
        let even = || (self.nics > 1).then(|| Arc::new(Hosts::even(network.endpoints(), self.nics)));
        self.hosts.clone().or_else(even)
    }
    /// Number of nodes behind so many endpoints.
    pub fn count(&self, endpoints: u32) -> u32 {
        self.hosts.as_ref().map_or(endpoints / self.nics, |hosts| hosts.count())
    }
    /// Places for ranks on a node: units of the innermost level.
    pub fn seats(&self) -> u32 {
        self.seats
    }
    /// Most places for ranks behind one NIC: what a seat of a [`Place`] counts.
    pub fn seats_per_endpoint(&self) -> u32 {
        match &self.hosts {
            Some(hosts) => self.seats().div_ceil(hosts.extremes().0.max(1)),
            None => self.seats() / self.nics,
        }
    }
    /// Places for ranks behind an endpoint.
    pub fn room(&self, endpoint: u32) -> u32 {
        match &self.hosts {
            Some(hosts) => {
                let (ports, port) = (hosts.ports(hosts.host(endpoint)), hosts.port(endpoint));
                let first = |port: u32| Hosts::first_seat(self.seats(), ports, port);
                first(port + 1) - first(port)
            }
            None => self.seats() / self.nics,
        }
    }
    /// Consecutive seats of an endpoint between which nothing tells ranks apart: those of an innermost unit.
    pub fn alike(&self) -> u32 {
        if !self.direct.is_empty() || self.linked.iter().any(|level| !level.is_even()) {
            return 1;
        }
        let innermost = self.linked.last().map_or(1, |level| self.levels[level.level].counts[0]);
        let own = match &self.hosts {
            Some(hosts) => hosts.divisor(self.seats()),
            None => self.seats_per_endpoint(),
        };
        gcd(innermost.into(), own.into()) as u32
    }
    /// The node of an endpoint.
    #[inline]
    pub fn of(&self, endpoint: u32) -> u32 {
        match &self.hosts {
            Some(hosts) => hosts.host(endpoint),
            None => endpoint / self.nics,
        }
    }
    /// The first endpoint of an endpoint's node.
    pub fn first(&self, endpoint: u32) -> u32 {
        match &self.hosts {
            Some(hosts) => hosts.endpoints(hosts.host(endpoint))[0],
            None => endpoint - endpoint % self.nics,
        }
    }
    /// The seat on its node, counted through all NICs.
    #[inline]
    pub fn seat(&self, place: Place) -> u32 {
        match &self.hosts {
            Some(hosts) => {
                let ports = hosts.ports(hosts.host(place.endpoint));
                Hosts::first_seat(self.seats(), ports, hosts.port(place.endpoint)) + place.seat
            }
            None => place.endpoint % self.nics * self.seats_per_endpoint() + place.seat,
        }
    }

    /// The innermost socket, NUMA domain or cache that two places of one node are in. O(levels).
    pub fn near(&self, a: Place, b: Place) -> Option<Near> {
        let (a, b) = (self.seat(a), self.seat(b));
        let mut linked = self.linked.iter().peekable();
        // Units of a level without links are one in each unit around.
        let shared = self.levels.iter().enumerate().take_while(|(number, _)| {
            linked.next_if(|level| level.level == *number).is_none_or(|level| level.unit(a) == level.unit(b))
        });
        shared.filter_map(|(_, level)| Near::named(&level.name)).last()
    }

    /// Links of a node: an up and a down link for every unit of every level with more than one, one for the memory of every
    /// unit that has some, then two for every pair of seats with a direct link.
    pub fn links_per_node(&self) -> u32 {
        self.of_levels + 2 * self.direct.len() as u32
    }

    /// The first direct link among those of a node.
    pub fn first_direct(&self) -> u32 {
        self.of_levels
    }

    /// The number in [`Node::levels`] of the level that a node link belongs to; none for a direct link.
    pub fn level_of(&self, link: u32) -> Option<usize> {
        let number = link % self.links_per_node().max(1);
        let mut levels = self.linked.iter().chain(&self.memories);
        levels.rfind(|level| level.first <= number).filter(|_| number < self.of_levels).map(|l| l.level)
    }

    /// Bandwidth and latency of a node link.
    pub fn class_of(&self, link: u32) -> InnerLink {
        let number = link % self.links_per_node().max(1);
        if let Some(at) = number.checked_sub(self.of_levels)
            && let Some(direct) = self.direct.get(at as usize / 2)
        {
            return direct.way(at % 2 == 1);
        }
        let of = |level: usize| {
            let Level { bandwidth_bytes_per_s, latency_s, memory_bytes_per_s, .. } = self.levels[level];
            if self.is_memory(link) {
                return InnerLink { bandwidth_bytes_per_s: memory_bytes_per_s, latency_s: 0.0 };
            }
            InnerLink { bandwidth_bytes_per_s, latency_s }
        };
        self.level_of(link).map_or(InnerLink { bandwidth_bytes_per_s: f64::INFINITY, latency_s: 0.0 }, of)
    }

    /// The number of the direct link of a message inside a node, if there is one. O(log links).
    #[inline]
    pub fn direct_link(&self, src: Place, dst: Place) -> Option<u32> {
        let node = self.of(src.endpoint);
        if self.direct.is_empty() || node != self.of(dst.endpoint) {
            return None;
        }
        let (here, there) = (self.seat(src), self.seat(dst));
        let pair = (here.min(there), here.max(there));
        let at = self.direct.binary_search_by_key(&pair, |link| link.seats).ok()?;
        let back = here > there;
        self.direct[at].bytes_per_s[usize::from(back)]?;
        Some(node * self.links_per_node() + self.of_levels + 2 * at as u32 + u32::from(back))
    }

    /// Appends the node links of a message: the direct one, or the memory of `src` and those up from it, then those down to
    /// `dst` and its memory. They are numbered from 0, node by node, level by level, unit by unit, up then down, then memory,
    /// then the direct ones, there then back; in a list of all links they stand after the network's; an endpoint inside a
    /// switch has none. Within one node these are all links of the message, between nodes the network's come after as many as
    /// this returns. Memory that both sides share is there twice. O(levels + log links).
    pub fn route(&self, src: Place, dst: Place, out: &mut Vec<u32>) -> usize {
        if let Some(link) = self.direct_link(src, dst) {
            out.push(link);
            return 0;
        }
        let before = out.len();
        let (from, to) = (self.of(src.endpoint), self.of(dst.endpoint));
        let (here, there, per_node) = (self.seat(src), self.seat(dst), self.links_per_node());
        let apart = |level: &&Linked| from != to || level.unit(here) != level.unit(there);
        if src.endpoint < self.ends {
            self.read(src, dst, out);
            let ups = self.linked.iter().rev().filter(apart);
            out.extend(ups.map(|level| from * per_node + level.first + 2 * level.unit(here)));
        }
        let ups = out.len() - before;
        if dst.endpoint < self.ends {
            let downs = self.linked.iter().filter(apart);
            out.extend(downs.map(|level| to * per_node + level.first + 2 * level.unit(there) + 1));
            self.written(src, dst, out);
        }
        ups
    }

    /// The up link of each unit that a place is in, outermost first, numbered as by [`Node::route`].
    pub fn ups(&self, place: Place) -> impl Iterator<Item = u32> + '_ {
        let seat = self.seat(place);
        let first = self.of(place.endpoint) * self.links_per_node();
        self.linked.iter().map(move |level| first + level.first + 2 * level.unit(seat))
    }

    /// Levels that have links: as many as [`Node::ups`] gives.
    pub fn depth(&self) -> usize {
        self.linked.len()
    }

    /// Whether a network's endpoints are those of whole nodes.
    ///
    /// # Errors
    /// `NL-A007` unless the NICs divide its endpoints, `NL-A009` if its links and those of the nodes, or all seats,
    /// cannot be numbered.
    pub fn check(&self, network: &Network) -> Outcome<()> {
        let endpoints = network.endpoints();
        let own = self.hosts.is_some() && self.hosts.as_deref() == network.closed_hosts().map(Arc::as_ref);
        if !(own || endpoints.min(self.ends).is_multiple_of(self.nics)) {
            let expected = format!("a divisor of the network's {endpoints} endpoints");
            return Err(Fault::new(&codes::BAD_VALUE, "node.nics", expected, self.nics).into());
        }
        let nodes = u64::from(self.count(endpoints));
        let links = u64::from(network.links()) + nodes * u64::from(self.links_per_node());
        if links.max(nodes * u64::from(self.seats())) >= u64::from(u32::MAX) {
            let sentence = format!("has {links} links on this network, which are too many to be numbered");
            return Err(Fault::say(&codes::TOO_LARGE, "node", sentence).hint("leave out levels").into());
        }
        Ok(())
    }
}

fn wrong(name: &str, what: &str, expected: &str, got: String) -> Fault {
    let place = if what.is_empty() { format!("node.{name}") } else { format!("node.{name}_{what}") };
    Fault::new(&codes::BAD_VALUE, place, expected, got)
}
