//! Forwarding tables: at every switch, the link that packets to an endpoint take.

use crate::fault::{Fault, Outcome, codes};
use crate::network::Network;

/// The next link by switch and destination endpoint. Endpoints whose packets take the same links share a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forwarding {
    name: String,
    switches: u32,
    /// Column of each endpoint.
    column_of: Vec<u32>,
    /// Column by column, the next link of every switch.
    links: Vec<u32>,
    /// Where packets are lost, by endpoint, then switch.
    lost: Vec<Lost>,
    /// Switches of which the file has no whole table, ascending.
    absent: Vec<u32>,
}

/// Packets to an endpoint that a switch does not lead on: there is no next link, or it is the endpoint's own switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lost {
    pub endpoint: u32,
    pub switch: u32,
    pub why: Why,
}

/// Why a switch loses packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    NoEntry,
    /// The port has no cable, or none in service.
    NoCable {
        port: u32,
    },
    /// No cable in service leads to this switch.
    NoCableTo {
        switch: u32,
    },
    /// The port leads to another endpoint.
    Wrong {
        port: u32,
        endpoint: u32,
    },
    /// At the endpoint's own switch, the port leads to another switch.
    Away {
        port: u32,
        switch: u32,
    },
    /// Port 0 is the switch itself.
    Itself,
}

impl Why {
    /// What the switch does, before and behind the names of the endpoints.
    pub fn words(self, network: &Network) -> (&'static str, String) {
        let sends = "sends packets to";
        match self {
            Why::NoEntry => ("has no entry for", String::new()),
            Why::NoCable { port } => (sends, format!(" out of port {port}, which has no cable in service")),
            Why::NoCableTo { switch } => {
                (sends, format!(" to {}, to which no such cable is in service", network.switch_name(switch)))
            }
            Why::Wrong { port, endpoint } => {
                (sends, format!(" out of port {port}, where {} is", network.endpoint_name(endpoint)))
            }
            Why::Away { port, switch } => {
                (sends, format!(" out of port {port} to {}, and not to its own port", network.switch_name(switch)))
            }
            Why::Itself => (sends, " to itself (port 0)".to_string()),
        }
    }
}

impl Forwarding {
    /// At the destination's own switch, and where no packet passes, there is no next link.
    pub const NONE: u32 = u32::MAX;
    /// Most entries: 2^26, for 256 MiB.
    pub const LIMIT: u64 = 1 << 26;

    /// `links` has a column of the network's switches per number in `column_of`, which has one per endpoint.
    pub fn new(name: impl Into<String>, switches: u32, column_of: Vec<u32>, links: Vec<u32>) -> Forwarding {
        Forwarding { name: name.into(), switches, column_of, links, lost: Vec::new(), absent: Vec::new() }
    }
    /// The same with what a file's tables do not lead on, and the switches that it leaves out. O(lost log lost).
    #[must_use]
    pub fn with_lost(mut self, mut lost: Vec<Lost>, absent: Vec<u32>) -> Forwarding {
        lost.sort_unstable();
        (self.lost, self.absent) = (lost, absent);
        self
    }

    /// Checks the size before memory is taken.
    ///
    /// # Errors
    /// `NL-A009` for more than [`Forwarding::LIMIT`] entries; `NL-N002` for a network without endpoints.
    pub fn require_size(network: &Network, columns: u64) -> Outcome<()> {
        if columns == 0 {
            let sentence = "has no endpoints, and forwarding tables lead to endpoints";
            return Err(Fault::say(&codes::NETWORK_INVALID, network.label(), sentence).into());
        }
        let entries = u64::from(network.switches()) * columns;
        if entries > Forwarding::LIMIT {
            let sentence = format!("{entries} entries of forwarding tables exceed {}", Forwarding::LIMIT);
            return Err(Fault::say(&codes::TOO_LARGE, network.label(), sentence).into());
        }
        Ok(())
    }

    /// What the tables are called: their file, or the routing that they were made of.
    pub fn name(&self) -> &str {
        &self.name
    }
    pub fn switches(&self) -> u32 {
        self.switches
    }
    pub fn endpoints(&self) -> u32 {
        self.column_of.len() as u32
    }
    /// Column of each endpoint.
    pub fn column_of(&self) -> &[u32] {
        &self.column_of
    }
    /// Number of columns.
    pub fn columns(&self) -> u32 {
        (self.links.len() / (self.switches as usize).max(1)) as u32
    }
    /// Next links of all switches: the part of the tables that one route reads.
    #[inline]
    pub fn column(&self, column: u32) -> &[u32] {
        let n = self.switches as usize;
        &self.links[column as usize * n..(column as usize + 1) * n]
    }
    /// Next links of all switches towards `endpoint`.
    #[inline]
    pub fn towards(&self, endpoint: u32) -> &[u32] {
        self.column(self.column_of[endpoint as usize])
    }

    /// Where packets are lost though the file has an entry, or at the endpoint's own switch; by endpoint, then switch.
    pub fn lost(&self) -> &[Lost] {
        &self.lost
    }
    /// Why `switch` does not lead packets to `endpoint` on, if the file says more than nothing. O(log lost).
    pub fn why(&self, endpoint: u32, switch: u32) -> Option<Why> {
        let place = |lost: &Lost| (lost.endpoint, lost.switch).cmp(&(endpoint, switch));
        self.lost.binary_search_by(place).ok().map(|at| self.lost[at].why)
    }
    /// Switches of which the file has no whole table, ascending.
    pub fn absent(&self) -> &[u32] {
        &self.absent
    }

    /// The same with `slots` endpoints in place of each one, as [`Network::with_slots`] numbers them.
    #[must_use]
    pub fn with_slots(&self, slots: u32) -> Forwarding {
        let each = self.column_of.iter().flat_map(|&column| std::iter::repeat_n(column, slots as usize));
        let why = |why: Why| match why {
            Why::Wrong { port, endpoint } => Why::Wrong { port, endpoint: endpoint * slots },
            other => other,
        };
        let slot = |lost: &Lost, slot| Lost { endpoint: lost.endpoint * slots + slot, why: why(lost.why), ..*lost };
        let lost = self.lost.iter().flat_map(|lost| (0..slots).map(move |at| slot(lost, at))).collect();
        let same = Forwarding { column_of: each.collect(), lost: Vec::new(), ..self.clone() };
        same.with_lost(lost, self.absent.clone())
    }
}
