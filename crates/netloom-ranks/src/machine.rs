//! The machine of a run: what times depend on, apart from the jobs.

use std::sync::Arc;

use netloom_model::hosts::{Hosts, NO_HOST};
use netloom_model::{Duplex, Machine, Network, Node, Per, Place, Reach, Routing, Software, Wire};

/// A machine whose routing is built, as a run reads it.
#[derive(Clone, Copy)]
pub struct RoutedMachine<'a> {
    pub network: &'a Network,
    /// What is behind the endpoints; `None`: ranks of one endpoint talk over the loopback of the wire.
    pub node: Option<&'a Node>,
    /// One path per pair; for background flows, and for jobs without their own routing.
    pub routing: &'a dyn Routing,
    pub wire: &'a Wire,
    pub software: &'a Software,
}

impl<'a> RoutedMachine<'a> {
    pub fn new(machine: &'a Machine, routing: &'a dyn Routing) -> RoutedMachine<'a> {
        let Machine { network, node, wire, software, .. } = machine;
        RoutedMachine { network, node: node.as_deref(), routing, wire, software }
    }

    /// The capacity that a directed link uses.
    #[inline(always)]
    pub fn resource(&self, link: u32) -> u32 {
        let is_own = link >= self.network.links() || self.network.class(link).per != Per::Cable;
        if self.wire.duplex == Duplex::Full && is_own { link } else { self.of_cable(link) }
    }

    /// That of a link which shares it with the link back.
    fn of_cable(&self, link: u32) -> u32 {
        let links = self.network.links();
        if link >= links {
            return links + self.node.map_or(link - links, |node| node.cable(link - links));
        }
        let switch_links = self.network.switch_links();
        match self.network.reverse().get(link as usize) {
            Some(&back) => link.min(back),
            None => switch_links + (link - switch_links) % self.network.endpoints(),
        }
    }

    /// True for a message that no link carries: of a rank to another at the same place, or, where no node is given, to another
    /// port of its host. It takes the time of the wire's loopback.
    #[inline]
    pub fn loops_back(&self, from: Place, to: Place) -> bool {
        from == to || (self.node.is_none() && self.network.keeps_inside(from.endpoint, to.endpoint))
    }

    /// How far a message goes: inside a node are ranks of one endpoint, and of endpoints that share a host.
    #[inline]
    pub fn reach(&self, from: Place, to: Place) -> Reach {
        let (a, b) = (from.endpoint, to.endpoint);
        let together = |hosts: &Arc<Hosts>| hosts.host(a) == hosts.host(b) && hosts.host(a) != NO_HOST;
        let of_node = self.node.is_some_and(|node| node.of(a) == node.of(b));
        if !(a == b || of_node || self.network.hosts().is_some_and(together)) {
            return Reach::Between;
        }
        let near = self.node.filter(|_| of_node && self.software.tells_near);
        Reach::Inside(near.and_then(|node| node.near(from, to)))
    }

    /// Bandwidth of every link: the network's, then those in nodes.
    pub fn bandwidths(&self) -> impl Iterator<Item = f64> {
        let of_network = (0..self.network.links()).map(|link| self.network.class(link).bandwidth_bytes_per_s);
        let links = |node: &Node| node.count(self.network.endpoints()) * node.links_per_node();
        let of_nodes = self
            .node
            .into_iter()
            .flat_map(move |node| (0..links(node)).map(|link| node.class_of(link).bandwidth_bytes_per_s));
        of_network.chain(of_nodes)
    }

    /// One number for each place.
    #[inline]
    pub fn number(&self, place: Place) -> u32 {
        self.node.map_or(place.endpoint, |node| place.endpoint * node.seats_per_endpoint() + place.seat)
    }
}
