//! One deterministic next hop for every pair, as a table for loops that walk millions of paths.

use rayon::prelude::*;

use netloom_model::fault::{Fault, Outcome, codes as model};
use netloom_model::{Network, Progress};

use super::distances::{Distances, KEEP_LIMIT};
use super::minimal::{Chooser, Tie};
use crate::metrics;

/// Most switches of a table: 2^13, for 268 MB.
pub const NEXT_HOP_LIMIT: u32 = KEEP_LIMIT;

/// The first link of the path from each switch to each other one: that of `single-minimal` with the same tie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextHops {
    switches: u32,
    links: Vec<u32>,
}

impl NextHops {
    /// At the destination there is none.
    pub const NONE: u32 = u32::MAX;

    pub fn switches(&self) -> u32 {
        self.switches
    }
    /// Link number from `from` towards `to`, [`NextHops::NONE`] if they are the same.
    #[inline]
    pub fn get(&self, from: u32, to: u32) -> u32 {
        self.links[to as usize * self.switches as usize + from as usize]
    }
    /// Next links of all switches towards `to`: the part of the table that one route reads.
    #[inline]
    pub fn towards(&self, to: u32) -> &[u32] {
        let n = self.switches as usize;
        &self.links[to as usize * n..(to as usize + 1) * n]
    }
    /// Entry `to * switches + from`.
    pub fn as_slice(&self) -> &[u32] {
        &self.links
    }
    pub fn into_vec(self) -> Vec<u32> {
        self.links
    }
}

/// O(switches · links) time, 4 · switches² bytes.
///
/// # Errors
/// `NL-N001` if disconnected, `NL-A009` beyond [`NEXT_HOP_LIMIT`] switches, `NL-N011` if `progress` was stopped.
pub fn next_hop_table(network: &Network, tie: Tie, progress: &Progress) -> Outcome<NextHops> {
    let n = network.switches();
    if n > NEXT_HOP_LIMIT {
        let sentence = format!("a next-hop table of {n} x {n} exceeds {NEXT_HOP_LIMIT} x {NEXT_HOP_LIMIT}");
        return Err(Fault::say(&model::TOO_LARGE, network.label(), sentence).hint("use `single-minimal`").into());
    }
    let distances = Distances::of(network)?;
    let chooser = Chooser::new(tie);
    let mut links = vec![NextHops::NONE; n as usize * n as usize];
    progress.set_total(u64::from(n));
    links.par_chunks_mut((n as usize).max(1)).enumerate().for_each(|(to, towards)| {
        if progress.stopped() {
            return;
        }
        let row = distances.to(network, to as u32);
        for (from, slot) in towards.iter_mut().enumerate() {
            *slot = chooser.next(network, &row, from as u32, to as u32).unwrap_or(NextHops::NONE);
        }
        progress.add(1);
    });
    if progress.stopped() {
        let sentence = "the next-hop table was stopped";
        return Err(Fault::say(&metrics::codes::INTERRUPTED, network.label(), sentence).into());
    }
    Ok(NextHops { switches: n, links })
}
