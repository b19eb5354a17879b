//! The packets of sources, made when they leave their queues: what waits there is a count, whose draws are repeated later.

use std::sync::Arc;

use super::open_loop::Sources;
use super::source::{Destinations, Gaps};
use crate::cycle::engine::{Offer, Origin};

/// Draws of every source as far as its packets have left its queue.
pub struct Late {
    gaps: Gaps,
    /// Per endpoint, the cycle in which its next packet was born.
    born: Vec<u64>,
    ranks: Arc<[Vec<u32>]>,
    endpoint_of_rank: Arc<[u32]>,
    destinations: Arc<Destinations>,
    units: u32,
}

impl Late {
    /// `gaps` as the births have them at their start; `ranks` per endpoint, of which those of `senders` send.
    pub fn new(mut gaps: Gaps, senders: &[u32], sources: &Sources<'_>, ranks: Arc<[Vec<u32>]>) -> Late {
        let mut born = vec![0; ranks.len()];
        senders.iter().for_each(|source| born[*source as usize] = gaps.first(*source));
        Late {
            gaps,
            born,
            ranks,
            endpoint_of_rank: Arc::clone(&sources.endpoint_of_rank),
            destinations: Arc::clone(&sources.destinations),
            units: sources.units,
        }
    }
}

impl Origin for Late {
    fn next(&mut self, endpoint: u32) -> (Offer, u64) {
        let at = endpoint as usize;
        let rank = self.destinations.draw_of(&self.ranks[at], &mut self.gaps.draws[at]);
        let to = self.endpoint_of_rank[rank as usize];
        let born = self.born[at];
        self.born[at] += self.gaps.pause(endpoint);
        (Offer { from: endpoint, to, tag: 0, units: self.units }, born)
    }
}
