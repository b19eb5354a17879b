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
}

impl Forwarding {
    /// At the destination's own switch, and where no packet passes, there is no next link.
    pub const NONE: u32 = u32::MAX;
    /// Most entries: 2^26, for 256 MiB.
    pub const LIMIT: u64 = 1 << 26;

    /// `links` has a column of the network's switches per number in `column_of`, which has one per endpoint.
    pub fn new(name: impl Into<String>, switches: u32, column_of: Vec<u32>, links: Vec<u32>) -> Forwarding {
        Forwarding { name: name.into(), switches, column_of, links }
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

    /// The same with `slots` endpoints in place of each one, as [`Network::with_slots`] numbers them.
    #[must_use]
    pub fn with_slots(&self, slots: u32) -> Forwarding {
        let each = self.column_of.iter().flat_map(|&column| std::iter::repeat_n(column, slots as usize));
        Forwarding { column_of: each.collect(), ..self.clone() }
    }
}
