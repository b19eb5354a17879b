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
    /// Of the machine, for objectives over links; `contentions` and `max-link-load` need one path per pair.
    pub routing: Option<&'a dyn Routing>,
    /// One path per pair where `routing` has several, so that `max-link-load` can propose what time decides.
    pub one_path: Option<&'a dyn Routing>,
    /// Times that workload, for the objectives `time` and `auto`.
    pub clock: Option<&'a dyn Clock>,
    /// True: ranks may move to any endpoint of the network, not only to those of `start`.
    pub free: bool,
}

impl Problem<'_> {
    /// Slots of a machine: of all endpoints of its node, and of those that the network itself puts there.
    pub fn per_node(&self) -> u32 {
        self.slots.max(1) * self.node.map_or(1, Node::nics).max(self.network.endpoints_per_node())
    }

    /// Slots of a node as it was given, whose messages take no hop.
    pub fn per_given_node(&self) -> u32 {
        self.slots.max(1) * self.node.map_or(1, Node::nics)
    }

    /// A number that the slots of one unit share, on one of the levels of the node that have links. O(levels).
    pub fn unit(&self, node: &Node, slot: u32, level: usize) -> u32 {
        let slots = self.slots.max(1);
        node.ups(Place { endpoint: slot / slots, seat: slot % slots }).nth(level).unwrap_or(0)
    }

    /// True if some node has its endpoints on several switches: a message between these takes no hop.
    pub fn spans_switches(&self) -> bool {
        self.node.is_some_and(|node| node.nics() > 1)
            && self
                .network
                .endpoint_switch()
                .chunks(self.per_given_node() as usize)
                .any(|own| own.iter().any(|s| *s != own[0]))
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
    /// After the method's own number of swaps: always the same result.
    Swaps,
    /// When the caller's stop flag is set, which the caller must ensure; at once if the bound is reached.
    UntilStopped,
}

/// The best value after so many evaluations.
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
