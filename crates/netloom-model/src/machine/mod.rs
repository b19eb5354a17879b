//! What jobs run on: a network, the nodes behind its endpoints, a routing, and the settings of wire and software.

mod message;
mod sharing;
mod software;
mod wire;

pub use message::{MessageCost, Near, Reach, SizeCost};
pub use sharing::{SMPI_CROSS_TRAFFIC, SMPI_TCP_WINDOW_BYTES, SMPI_WEIGHT_S_BYTES, Sharing, window_cap};
pub use software::{SOFTWARE, Software};
pub use wire::{Combining, Duplex, Factor, WIRE, Wire};

use std::sync::Arc;

use crate::call::Call;
use crate::distance::{Distances, HopCounts, HopMatrix};
use crate::fault::Outcome;
use crate::hosts::Hosts;
use crate::network::Network;
use crate::node::Node;
use crate::param::{Bound, Param};
use crate::progress::Progress;
use crate::routed::RoutingCall;

/// What the tables [`WIRE`] and [`SOFTWARE`] set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    pub wire: Wire,
    pub software: Software,
}

impl Settings {
    /// The parameters of [`WIRE`], then those of [`SOFTWARE`].
    pub fn params() -> impl Iterator<Item = &'static Param> {
        WIRE.iter().chain(SOFTWARE)
    }

    /// From named values of both tables, those of the wire and those of software together; the name of the call is
    /// the place of its faults.
    ///
    /// # Errors
    /// `NL-A003` for an unknown name, `NL-A007`, `NL-A008` for a value out of range.
    pub fn bind(call: &Call) -> Outcome<(Bound, Settings)> {
        let table: Vec<Param> = Settings::params().copied().collect();
        let bound = Bound::bind(&table, call)?;
        let wire = Wire::new(&bound);
        let software = Software::new(&bound, wire.envelope_bytes);
        Ok((bound, Settings { wire, software }))
    }
}

/// What jobs run on. Plain data: copies share large parts.
#[derive(Clone, Debug)]
pub struct Machine {
    pub network: Arc<Network>,
    /// The hop counts of the network, shared by all machines on it.
    pub distances: Arc<Distances>,
    /// What is behind the endpoints; `None`: every endpoint is a node without levels.
    pub node: Option<Arc<Node>>,
    /// The routing of jobs without their own, and of background flows; `None`: background flows follow the first job's.
    pub routing: Option<Arc<RoutingCall>>,
    pub wire: Wire,
    pub software: Software,
}

impl Machine {
    /// Endpoints without levels, no routing, and settings that correct nothing.
    pub fn new(network: Arc<Network>, distances: Arc<Distances>) -> Machine {
        let Settings { wire, software } = Settings::default();
        Machine { network, distances, node: None, routing: None, wire, software }
    }

    /// The same with these settings of wire and software.
    #[must_use]
    pub fn with(self, settings: Settings) -> Machine {
        let Settings { wire, software } = settings;
        Machine { wire, software, ..self }
    }

    /// The hosts inside which no message uses the network: nodes with several NICs, else hosts with several ports;
    /// `None` if each has one endpoint.
    pub fn closed_hosts(&self) -> Option<Arc<Hosts>> {
        closed_hosts(&self.network, self.node.as_deref())
    }

    /// The hosts that count as nodes: as [`Machine::closed_hosts`], and those whose endpoints the network itself joins.
    pub fn hosts(&self) -> Option<Arc<Hosts>> {
        hosts(&self.network, self.node.as_deref())
    }

    /// The same in the form that takes least memory; of large grids O(links).
    ///
    /// # Errors
    /// Those of measuring them.
    pub fn hop_counts(&self) -> Outcome<HopCounts> {
        self.distances.counts(&self.network, &Progress::new())
    }

    /// Hop counts between all switches. O(switches · links) at first, then O(1) if they are kept.
    ///
    /// # Errors
    /// Those of measuring them.
    pub fn hop_matrix(&self) -> Outcome<Arc<HopMatrix>> {
        self.distances.get(&self.network, &Progress::new())
    }
}

/// As [`Machine::closed_hosts`], of a node that [`Node::on`] put on the network.
pub fn closed_hosts(network: &Network, node: Option<&Node>) -> Option<Arc<Hosts>> {
    match node {
        Some(node) => node.hosts(network),
        None => network.closed_hosts().cloned(),
    }
    .filter(|hosts| hosts.share())
}

/// As [`Machine::hosts`].
pub fn hosts(network: &Network, node: Option<&Node>) -> Option<Arc<Hosts>> {
    let larger = |hosts: &&Arc<Hosts>| hosts.are_linked() && hosts.extremes().1 >= node.map_or(1, Node::nics);
    network.hosts().filter(larger).cloned().or_else(|| closed_hosts(network, node))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_correct_nothing() {
        let Settings { wire, software } = Settings::default();
        assert_eq!(wire.loopback_bandwidth_bytes_per_s, f64::INFINITY);
        assert_eq!((wire.moved_bytes(1000), wire.latency_factor(1000), wire.switch_latency_s), (1000.0, 1.0, 0.0));
        assert_eq!((software.send.seconds(1000), software.sender_returns_below_bytes), (0.0, 65536));
        assert_eq!(Settings::bind(&Call::bare("machine")).unwrap().1, Settings::default());
    }

    #[test]
    fn rows_count_above_their_threshold() {
        let call =
            Call::parse("m(latency_factors=[[0,2.0],[256,3]],envelope_bytes=16,send_overhead=[[100,1e-6,1e-9]])");
        let (_, Settings { wire, software }) = Settings::bind(&call.unwrap()).unwrap();
        let factors: Vec<f64> = [0, 1, 256, 257].map(|size| wire.latency_factor(size)).into();
        assert_eq!(factors, [1.0, 2.0, 2.0, 3.0]);
        assert_eq!((software.send.seconds(84), software.send.seconds(85)), (0.0, 1e-6 + 1e-9 * 101.0));
    }
}
