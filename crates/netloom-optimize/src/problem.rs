//! The input and the result of an optimisation.

use netloom_model::{Clock, HopMatrix, Mapping, Network, Node, Place, Routing, Schedule, Traffic};

/// A mapping to improve.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    pub network: &'a Network,
    /// Endpoints of `network` that represent one endpoint of the machine, numbered one after another; 1 if each is its
    /// own.
    pub slots: u32,
    /// What is behind the endpoints of the machine: their slots are its seats. `None`: every endpoint is a node without
    /// levels.
    pub node: Option<&'a Node>,
    /// Hops between all switches of `network`.
    pub distance: &'a HopMatrix,
    /// Where the search starts; its endpoints are the slots unless `free`.
    pub start: &'a Mapping,
    /// All messages between the same number of ranks.
    pub traffic: &'a Traffic,
    /// The steps of that traffic, for the objective `contentions`.
    pub schedule: Option<&'a Schedule>,
    /// Routing of the machine, for objectives over links; `contentions` and `max-link-load` need one path per pair.
    pub routing: Option<&'a dyn Routing>,
    /// One path per pair where `routing` has several, so that `max-link-load` can propose what time decides.
    pub one_path: Option<&'a dyn Routing>,
    /// Times that workload, for the objectives `time` and `auto`.
    pub clock: Option<&'a dyn Clock>,
    /// True: ranks may move to any endpoint of the network, not only to those of `start`.
    pub free: bool,
}

impl Problem<'_> {
    /// Endpoint of the machine that a slot is on.
    fn endpoint(&self, slot: u32) -> u32 {
        slot / self.slots.max(1)
    }

    /// The machine that a slot is in and that counts as a node: with all endpoints of its node or host, and with those that
    /// the network itself joins.
    pub fn machine_of(&self, slot: u32) -> u32 {
        match self.network.hosts() {
            Some(hosts) if hosts.are_linked() && self.joins() => hosts.host(slot),
            _ => self.node_of(slot),
        }
    }

    /// The node of a slot, as it was given, or its host: their messages take no hop.
    pub fn node_of(&self, slot: u32) -> u32 {
        match (self.node, self.network.closed_hosts()) {
            (Some(node), _) => node.of(self.endpoint(slot)),
            (None, Some(hosts)) => hosts.host(slot),
            (None, None) => self.endpoint(slot),
        }
    }

    /// Number of a slot in its machine, from 0.
    pub fn seat_of(&self, slot: u32) -> u32 {
        let (slots, nics) = (self.slots.max(1), self.node.map_or(1, Node::nics));
        self.network.hosts().filter(|hosts| !hosts.are_linked()).map_or(slot % (slots * nics), |hosts| hosts.port(slot))
    }

    /// True if a machine of the network is no smaller than a node.
    fn joins(&self) -> bool {
        self.network
            .hosts()
            .is_some_and(|hosts| hosts.extremes().1 >= self.slots.max(1) * self.node.map_or(1, Node::nics))
    }

    /// Most slots of a machine.
    pub fn per_node(&self) -> u32 {
        let given = self.slots.max(1) * self.node.map_or(1, Node::nics);
        self.network.hosts().map_or(given, |hosts| hosts.extremes().1.max(given))
    }

    /// A number that the slots of one unit share, on one of the levels of the node that have links. O(levels).
    pub fn unit(&self, node: &Node, slot: u32, level: usize) -> u32 {
        let slots = self.slots.max(1);
        node.ups(Place { endpoint: slot / slots, seat: slot % slots }).nth(level).unwrap_or(0)
    }

    /// True if some node or host has its endpoints on several switches: a message between these takes no hop.
    pub fn spans_switches(&self) -> bool {
        let closed = self.network.closed_hosts();
        if closed.is_none() && self.node.is_none_or(|node| node.nics() <= 1) {
            return false;
        }
        let mut first = std::collections::HashMap::new();
        let switches = self.network.endpoint_switch().iter();
        (0..).zip(switches).any(|(slot, switch)| first.entry(self.node_of(slot)).or_insert(switch) != &switch)
    }

    /// Most sites that the ranks are on: places that a message can tell apart.
    pub fn most_sites(&self) -> u32 {
        let ranks = self.start.ranks();
        if self.spans_switches() { ranks } else { ranks.min(self.network.switches()) }
    }
}

/// When a search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// It ends after the method's own number of swaps: always the same result.
    Swaps,
    /// It ends when the caller's stop flag is set, which the caller must ensure; at once if the bound is reached.
    UntilStopped,
}

/// The best value after a number of evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TracePoint {
    pub evaluations: u64,
    pub value: u64,
}

/// The best mapping that a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    pub mapping: Mapping,
    /// Objective of `mapping`.
    pub value: u64,
    /// Objective of the start.
    pub start_value: u64,
    /// No mapping onto these slots has a lower value.
    pub bound: u64,
    /// Moves that were evaluated.
    pub evaluations: u64,
    /// Moves that were made.
    pub accepted: u64,
    /// Best value at evaluations 0, 1, 2, 3, 4, 5, 7, ... (each about a fifth more), then at the end.
    pub trace: Vec<TracePoint>,
    /// The call in full, with every parameter that decided the result.
    pub method: String,
    /// The objective of `value` and `start_value`: what `auto` stands for.
    pub decided_by: &'static str,
}
