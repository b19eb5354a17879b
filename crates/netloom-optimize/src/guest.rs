//! The guest graph: which ranks communicate and how much, without direction.
//!
//! Hops do not depend on the direction of a message (cables are full-duplex), so both directions count together.

use netloom_model::fault::codes::TOO_LARGE;
use netloom_model::units::gcd;
use netloom_model::{Fault, Outcome, Traffic};

/// Weight of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weigh {
    Messages,
    Bytes,
}

/// Symmetric weighted adjacency in CSR form, with empty rows for fillers.
#[derive(Clone, Debug)]
pub struct Guest {
    pub offsets: Vec<u32>,
    pub neighbours: Vec<u32>,
    /// In multiples of `unit`.
    pub weights: Vec<i64>,
    /// Greatest common divisor of all weights, at least 1.
    pub unit: u64,
}

/// Flows that are held in memory here, 16 bytes each way.
const FLOW_LIMIT: usize = 1 << 26;

impl Guest {
    /// Rows for `rows` ranks and fillers. O(flows log flows).
    ///
    /// # Errors
    /// `NL-A009` for more than 2^26 flows, or weights whose hops could exceed 2^62.
    pub fn new(traffic: &Traffic, weigh: Weigh, rows: u32) -> Outcome<Guest> {
        let flows = traffic.flows();
        let weight = |f: &netloom_model::traffic::Flow| match weigh {
            Weigh::Messages => f.messages,
            Weigh::Bytes => f.bytes,
        };
        let total: u128 = flows.iter().map(|f| u128::from(weight(f))).sum();
        if flows.len() > FLOW_LIMIT || total * 255 >= 1 << 62 {
            let sentence = format!("{} flows of weight {total} are too many to search over", flows.len());
            return Err(Fault::say(&TOO_LARGE, &traffic.label, sentence).hint("use fewer ranks or bytes").into());
        }
        let mut edges: Vec<(u32, u32, i64)> = Vec::with_capacity(2 * flows.len());
        for f in flows.iter().filter(|f| weight(f) > 0) {
            edges.push((f.src, f.dst, weight(f) as i64));
            edges.push((f.dst, f.src, weight(f) as i64));
        }
        edges.sort_unstable();
        edges.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 += next.2;
            }
            same
        });
        Ok(Guest::from_edges(&edges, rows))
    }

    fn from_edges(edges: &[(u32, u32, i64)], rows: u32) -> Guest {
        let unit = edges.iter().fold(0, |g, e| gcd(g, e.2 as u64)).max(1);
        let mut offsets = vec![0u32; rows as usize + 1];
        for e in edges {
            offsets[e.0 as usize + 1] += 1;
        }
        for i in 0..rows as usize {
            offsets[i + 1] += offsets[i];
        }
        Guest {
            offsets,
            neighbours: edges.iter().map(|e| e.1).collect(),
            weights: edges.iter().map(|e| e.2 / unit as i64).collect(),
            unit,
        }
    }

    #[inline]
    pub fn row(&self, rank: u32) -> std::ops::Range<usize> {
        self.offsets[rank as usize] as usize..self.offsets[rank as usize + 1] as usize
    }
    /// Sum of the weights of one rank.
    pub fn strength(&self, rank: u32) -> i64 {
        self.weights[self.row(rank)].iter().sum()
    }
}
