//! Memory of the units of levels: messages share it, among themselves and with what comes and goes by the NIC; ranks that
//! compute have equal shares of it.

use std::collections::HashMap;

use super::units::Linked;
use super::{Node, wrong};
use crate::fault::Outcome;
use crate::seats::Place;

/// Most links inside a node on the route of a message.
const MOST: usize = 14;

/// A message may not cross more links than packets count.
pub(super) fn check(linked: &[Linked], memories: &[Linked]) -> Outcome<()> {
    let links = 2 * (linked.len() + memories.len());
    if links > MOST && !memories.is_empty() {
        let expected = format!("memory on fewer levels: at most {MOST} links on the route of a message in a node");
        return Err(wrong("memory", "", &expected, links.to_string()).into());
    }
    Ok(())
}

impl Node {
    /// True for the link of a unit's memory.
    pub fn is_memory(&self, link: u32) -> bool {
        let number = link % self.links_per_node().max(1);
        self.memories.first().is_some_and(|first| first.first <= number) && number < self.first_direct()
    }

    /// Seconds that a byte of memory takes each of these ranks when all of them compute: the most, over the units that a rank
    /// is in, of the ranks there over the bandwidth of its memory. 0 without memory. O(ranks · levels).
    pub fn memory_s_per_byte(&self, places: &[Place]) -> Vec<f64> {
        let mut most = vec![0.0f64; places.len()];
        for level in &self.memories {
            let unit = |place: &Place| (self.of(place.endpoint), level.unit(self.seat(*place)));
            let mut ranks: HashMap<(u32, u32), u32> = HashMap::new();
            places.iter().for_each(|place| *ranks.entry(unit(place)).or_default() += 1);
            let bandwidth = self.levels[level.level].memory_bytes_per_s;
            for (most, place) in most.iter_mut().zip(places) {
                *most = most.max(f64::from(ranks[&unit(place)]) / bandwidth);
            }
        }
        most
    }

    /// The lower number of the two links of a cable; a memory's own.
    pub fn cable(&self, link: u32) -> u32 {
        let number = link % self.links_per_node().max(1);
        if self.is_memory(link) {
            return link;
        }
        let odd = if number < self.first_direct() { number % 2 } else { (number - self.first_direct()) % 2 };
        link - odd
    }

    /// Appends what a message reads: the memory of each unit of its source.
    pub(super) fn read(&self, src: Place, dst: Place, out: &mut Vec<u32>) {
        self.touched(src, src != dst, out);
    }

    /// Appends what a message writes.
    pub(super) fn written(&self, src: Place, dst: Place, out: &mut Vec<u32>) {
        self.touched(dst, src != dst, out);
    }

    fn touched(&self, place: Place, moves: bool, out: &mut Vec<u32>) {
        if moves && !self.memories.is_empty() {
            let (seat, first) = (self.seat(place), self.of(place.endpoint) * self.links_per_node());
            out.extend(self.memories.iter().map(|level| first + level.first + level.unit(seat)));
        }
    }
}
