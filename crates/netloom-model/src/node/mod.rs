//! What is below an endpoint: the levels of a node, such as sockets and cores, its NICs, and the links between them.
//!
//! Every unit of a level has an up link to the unit around it and a down link from it, of the level's bandwidth and
//! latency. A level with one unit in each unit around it has no link, so that removing it changes nothing. A message
//! goes up to just below the lowest unit that both seats are in, and down on the other side; between nodes it goes up
//! all levels, over the network, and down all levels.

mod calls;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::fault::{Fault, Outcome, codes};
use crate::hosts::Hosts;
use crate::network::Network;
use crate::seats::Place;
use crate::units::gcd;

pub use calls::NODES;

/// One level below a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    pub name: String,
    /// Units in each unit of the level around it.
    pub count: u32,
    /// Of each of a unit's two links; infinite if not given.
    pub bandwidth_bytes_per_s: f64,
    pub latency_s: f64,
}

/// A machine: its levels, outermost first, and the endpoints that it has.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    levels: Vec<Level>,
    nics: u32,
    /// The machines of a network, which may have different numbers of endpoints; `None`: `nics` consecutive ones each.
    hosts: Option<Arc<Hosts>>,
}

impl Node {
    /// `nics` endpoints, to which the seats are split evenly in order.
    ///
    /// # Errors
    /// `NL-A007` for a count of 0, a bandwidth that is not above 0, a latency below 0, and NICs that do not divide the
    /// seats; `NL-A009` for 2^31 seats.
    pub fn new(levels: Vec<Level>, nics: u32) -> Outcome<Node> {
        let wrong = |name: &str, what: &str, expected: &str, got: String| {
            let place = if what.is_empty() { format!("node.{name}") } else { format!("node.{name}_{what}") };
            Fault::new(&codes::BAD_VALUE, place, expected, got)
        };
        for Level { name, count, bandwidth_bytes_per_s, latency_s } in &levels {
            if *count == 0 {
                return Err(wrong(name, "", "an integer >= 1", count.to_string()).into());
            }
            if bandwidth_bytes_per_s.is_nan() || *bandwidth_bytes_per_s <= 0.0 {
                return Err(
                    wrong(name, "bandwidth", "bytes per second above 0", bandwidth_bytes_per_s.to_string()).into()
                );
            }
            if !latency_s.is_finite() || *latency_s < 0.0 {
                return Err(wrong(name, "latency", "seconds >= 0", latency_s.to_string()).into());
            }
        }
        let seats = levels.iter().map(|level| u64::from(level.count)).try_fold(1u64, u64::checked_mul);
        let Some(seats) = seats.filter(|seats| *seats < 1 << 31) else {
            return Err(Fault::say(&codes::TOO_LARGE, "node", "has 2^31 seats or more").into());
        };
        if nics == 0 || seats % u64::from(nics) != 0 {
            return Err(wrong("nics", "", &format!("a divisor of its {seats} seats"), nics.to_string()).into());
        }
        Ok(Node { levels, nics, hosts: None })
    }

    pub fn levels(&self) -> &[Level] {
        &self.levels
    }
    /// The same node behind the endpoints of a network: where that says which of them are ports of one host, hosts are
    /// the nodes, and the seats of each go to its nearest port ([`Hosts::first_seat`]). O(endpoints).
    ///
    /// # Errors
    /// `NL-A007` for a number of NICs that is not that of every host.
    pub fn on(&self, network: &Network) -> Outcome<Node> {
        let Some(hosts) = network.closed_hosts() else {
            let hosts = (self.nics > 1).then(|| Arc::new(Hosts::even(network.endpoints(), self.nics)));
            return Ok(Node { hosts, ..self.clone() });
        };
        let (least, most) = hosts.extremes();
        if self.nics > 1 && (least, most) != (self.nics, self.nics) {
            let expected = format!("1, or the {least} to {most} ports that the hosts of {} have", network.label());
            let hint = "leave nics out: the network says which ports are one host";
            return Err(Fault::new(&codes::BAD_VALUE, "node.nics", expected, self.nics).hint(hint).into());
        }
        Ok(Node { hosts: Some(Arc::clone(hosts)), ..self.clone() })
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
        self.levels.iter().map(|level| level.count).product()
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
        let innermost = self.levels.iter().rev().map(|level| level.count).find(|count| *count > 1).unwrap_or(1);
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
    fn seat(&self, place: Place) -> u32 {
        match &self.hosts {
            Some(hosts) => {
                let ports = hosts.ports(hosts.host(place.endpoint));
                Hosts::first_seat(self.seats(), ports, hosts.port(place.endpoint)) + place.seat
            }
            None => place.endpoint % self.nics * self.seats_per_endpoint() + place.seat,
        }
    }

    /// Levels that have links, each with its units per node.
    fn linked(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        let units = self.levels.iter().scan(1, |units, level| {
            *units *= level.count;
            Some(*units)
        });
        units.enumerate().filter(|(level, _)| self.levels[*level].count > 1)
    }

    /// Links of a node: an up and a down link for every unit of every level with more than one.
    pub fn links_per_node(&self) -> u32 {
        self.linked().map(|(_, units)| 2 * units).sum()
    }

    /// The number in [`Node::levels`] of the level that a node link belongs to.
    pub fn level_of(&self, link: u32) -> usize {
        let mut left = link % self.links_per_node().max(1);
        for (level, units) in self.linked() {
            if left < 2 * units {
                return level;
            }
            left -= 2 * units;
        }
        0
    }

    /// The level whose bandwidth and latency a node link has.
    pub fn class_of(&self, link: u32) -> &Level {
        &self.levels[self.level_of(link)]
    }

    /// Appends the node links of a message: those up from `src`, then those down to `dst`. They are numbered from 0, node
    /// by node, level by level, unit by unit, up then down; in a list of all links they stand after the network's. Within
    /// one node these are all links of the message, between nodes the network's come between. O(levels).
    pub fn route(&self, src: Place, dst: Place, out: &mut Vec<u32>) {
        let (from, to) = (self.of(src.endpoint), self.of(dst.endpoint));
        let (here, there, seats, per_node) = (self.seat(src), self.seat(dst), self.seats(), self.links_per_node());
        let start = out.len();
        let mut first = 0;
        for (_, units) in self.linked() {
            let of = |seat: u32| seat / (seats / units);
            if from != to || of(here) != of(there) {
                out.push(from * per_node + first + 2 * of(here));
            }
            first += 2 * units;
        }
        out[start..].reverse();
        first = 0;
        for (_, units) in self.linked() {
            let of = |seat: u32| seat / (seats / units);
            if from != to || of(here) != of(there) {
                out.push(to * per_node + first + 2 * of(there) + 1);
            }
            first += 2 * units;
        }
    }

    /// The up link of each unit that a place is in, outermost first, numbered as by [`Node::route`].
    pub fn ups(&self, place: Place) -> impl Iterator<Item = u32> + '_ {
        let (seat, seats) = (self.seat(place), self.seats());
        let first = self.of(place.endpoint) * self.links_per_node();
        self.linked().scan(first, move |first, (_, units)| {
            let up = *first + 2 * (seat / (seats / units));
            *first += 2 * units;
            Some(up)
        })
    }

    /// Whether a network's endpoints are those of whole nodes.
    ///
    /// # Errors
    /// `NL-A007` unless the NICs divide its endpoints, `NL-A009` if its links and those of the nodes, or all seats,
    /// cannot be numbered.
    pub fn check(&self, network: &Network) -> Outcome<()> {
        let endpoints = network.endpoints();
        let own = self.hosts.as_deref() == network.closed_hosts().map(Arc::as_ref);
        if !(own || endpoints.is_multiple_of(self.nics)) {
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
