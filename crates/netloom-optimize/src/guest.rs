//! The guest graph: which ranks communicate and how much, without direction.
//!
//! Hops do not depend on the direction of a message (cables are full-duplex), so both directions count together.

use netloom_model::fault::codes::TOO_LARGE;
use netloom_model::traffic::Flow;
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
    /// Weights in multiples of `unit`.
    pub weights: Vec<i64>,
    /// Greatest common divisor of all weights, at least 1.
    pub unit: u64,
}

/// Flows that are held in memory here, 16 bytes each way.
const FLOW_LIMIT: usize = 1 << 26;

impl Guest {
    /// Rows for `rows` ranks and fillers. O(flows + rows).
    ///
    /// # Errors
    /// `NL-A009` for more than 2^26 flows, or weights whose hops could exceed 2^62.
    pub fn new(traffic: &Traffic, weigh: Weigh, rows: u32) -> Outcome<Guest> {
        let flows = traffic.flows();
        let weight = |f: &Flow| match weigh {
            Weigh::Messages => f.messages,
            Weigh::Bytes => f.bytes,
        };
        let total: u128 = flows.iter().map(|f| u128::from(weight(f))).sum();
        if flows.len() > FLOW_LIMIT || total * 255 >= 1 << 62 {
            let sentence = format!("{} flows of weight {total} are too many to search over", flows.len());
            return Err(Fault::say(&TOO_LARGE, &traffic.label, sentence).hint("use fewer ranks or bytes").into());
        }
        let sent = flows.iter().filter(|f| weight(f) > 0).map(|f| (f.src, f.dst, weight(f) as i64));
        let received = reversed(sent.clone(), rows);
        let (mut sent, mut received) = (sent.peekable(), received.into_iter().peekable());
        let (mut offsets, mut neighbours, mut weights) = (vec![0u32], Vec::new(), Vec::new());
        for rank in 0..rows {
            // Both are sorted: the next partner is the lower one of theirs.
            let partner = |edge: Option<&GuestEdge>| edge.filter(|edge| edge.0 == rank).map(|edge| edge.1);
            loop {
                let (to, from) = (partner(sent.peek()), partner(received.peek()));
                let Some(next) = [to, from].into_iter().flatten().min() else { break };
                let mut weight = 0;
                if to == Some(next) {
                    weight += sent.next().map_or(0, |edge| edge.2);
                }
                if from == Some(next) {
                    weight += received.next().map_or(0, |edge| edge.2);
                }
                neighbours.push(next);
                weights.push(weight);
            }
            offsets.push(neighbours.len() as u32);
        }
        let unit = weights.iter().fold(0, divisor).max(1);
        if unit.is_power_of_two() {
            weights.iter_mut().for_each(|weight| *weight >>= unit.trailing_zeros());
        } else {
            weights.iter_mut().for_each(|weight| *weight /= unit as i64);
        }
        Ok(Guest { offsets, neighbours, weights, unit })
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

/// The greatest common divisor with another weight. Mostly it is a power of two, which divides without a division.
fn divisor(of: u64, weight: &i64) -> u64 {
    let weight = *weight as u64;
    if of.is_power_of_two() && weight & (of - 1) == 0 { of } else { gcd(of, weight) }
}

/// One rank, its partner, and the weight.
type GuestEdge = (u32, u32, i64);

/// Edges that are sorted by both ranks the other way round, sorted again. O(edges + rows).
fn reversed(edges: impl Iterator<Item = GuestEdge> + Clone, rows: u32) -> Vec<GuestEdge> {
    let mut next = vec![0u32; rows as usize + 1];
    edges.clone().for_each(|edge| next[edge.1 as usize + 1] += 1);
    for row in 0..rows as usize {
        next[row + 1] += next[row];
    }
    let mut sorted = vec![(0, 0, 0); next[rows as usize] as usize];
    for (from, to, weight) in edges {
        sorted[next[to as usize] as usize] = (to, from, weight);
        next[to as usize] += 1;
    }
    sorted
}
