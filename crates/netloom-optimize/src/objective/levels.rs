//! Links inside nodes, for objectives that follow bytes over links: only those whose bandwidth somebody said.

use netloom_model::Place;

use crate::prepared::Prepared;

/// Up and down links of the units that slots are in, numbered after all other links.
pub struct Levels {
    /// Levels with such links.
    pub depth: usize,
    /// Per slot the up link of its unit on each level; the down link is the next number.
    ups: Vec<u32>,
    /// Seconds per byte of every link, in order of number.
    pub seconds: Vec<f64>,
}

impl Levels {
    /// Links from number `first` on. O(slots × levels × log).
    pub fn new(prepared: &Prepared<'_>, first: u32) -> Levels {
        let Some(node) = prepared.problem.node else {
            return Levels { depth: 0, ups: Vec::new(), seconds: Vec::new() };
        };
        let slots = prepared.problem.slots.max(1);
        let finite = |up: &u32| node.class_of(*up).bandwidth_bytes_per_s < f64::INFINITY;
        let place = |e: &u32| Place { endpoint: e / slots, seat: e % slots };
        let ups: Vec<u32> = prepared.endpoints.iter().flat_map(|e| node.ups(place(e))).filter(finite).collect();
        let mut used = ups.clone();
        used.sort_unstable();
        used.dedup();
        let seconds = used.iter().flat_map(|up| [1.0 / node.class_of(*up).bandwidth_bytes_per_s; 2]).collect();
        let depth = ups.len() / prepared.endpoints.len().max(1);
        let number = |up: &u32| first + 2 * used.partition_point(|u| u < up) as u32;
        Levels { depth, ups: ups.iter().map(number).collect(), seconds }
    }

    /// Replaces `out` by the links inside nodes of a message from slot to slot.
    pub fn between(&self, from: u32, to: u32, out: &mut Vec<u32>) {
        out.clear();
        let of = |slot: u32| &self.ups[slot as usize * self.depth..(slot as usize + 1) * self.depth];
        let apart = of(from).iter().zip(of(to)).filter(|(up, down)| up != down);
        out.extend(apart.flat_map(|(up, down)| [*up, down + 1]));
    }
}
