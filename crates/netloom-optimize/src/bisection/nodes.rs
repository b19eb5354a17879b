//! Whole nodes halved: who shares a node at the start stays together.

use netloom_model::Stream;
use netloom_model::halves::{Aim, contracted, cut};

use super::parts::{Part, Parts, Scratch};
use super::splits::Split;

/// Halves of the nodes' ranks with little across and short routes to partners elsewhere.
pub struct ByNodes {
    stream: Stream,
    scratch: Scratch,
    whole: bool,
}

impl ByNodes {
    pub fn new(seed: u64, guests: u32) -> ByNodes {
        ByNodes { stream: Stream::new(seed, "bisection of nodes"), scratch: Scratch::new(guests as usize), whole: true }
    }

    /// True if no node had to be parted.
    pub fn whole(&self) -> bool {
        self.whole
    }
}

impl Split for ByNodes {
    /// O(guests log guests + edges).
    fn split(&mut self, parts: &Parts<'_, '_>, part: u32, near: &Part, far: &Part) -> Vec<u32> {
        let prepared = parts.prepared;
        let node = |guest: &u32| prepared.node_of_slot[parts.given(*guest) as usize];
        let mut guests = parts.of(part).to_vec();
        // Seats of a node keep their order.
        guests.sort_by_key(|guest| (prepared.endpoints[parts.given(*guest) as usize], parts.given(*guest)));
        let units: Vec<&[u32]> = guests.chunk_by(|a, b| node(a) == node(b)).collect();
        if units.len() == 1 {
            return guests;
        }
        parts.graph(&guests, [part; 2], near.samples(), far.samples(), &mut self.scratch);
        let parents: Vec<u32> =
            units.iter().enumerate().flat_map(|(unit, own)| own.iter().map(move |_| unit as u32)).collect();
        let graph = contracted(&self.scratch.graph, &parents, units.len() as u32);
        let wanted = near.range.len();
        let far = cut(&graph, Aim { near: wanted as u64, slack: 0 }, &mut self.stream);
        let of = |side: bool| units.iter().zip(&far).filter(move |(_, far)| **far == side).flat_map(|(own, _)| *own);
        self.whole &= of(false).count() == wanted;
        of(false).chain(of(true)).copied().collect()
    }
}
