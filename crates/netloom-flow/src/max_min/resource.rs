//! State of a resource, and the condition for filling it again.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A resource used below this share is skipped: its sum of rates, kept by differences, has an error of about 1e-16 per
/// change since it was last added up.
const SLACK: f64 = 1.0 - 1.0 / (1u64 << 20) as f64;

/// The `look_at` of a resource that waits.
pub const WAITS: f64 = f64::INFINITY;

/// The fields of a resource that are read all the time, half a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Resource {
    /// Sum of the finite rates where the offer is infinite, even if rounding carries it beyond the capacity.
    pub used: f64,
    /// At this sum it must be filled again: nearly its capacity if it offers infinity, always if it offers less, never
    /// while it is queued already.
    pub look_at: f64,
    pub offer: f64,
    pub capacity: f64,
}

impl Resource {
    pub fn waits(&self) -> bool {
        self.look_at == WAITS
    }

    /// Sets the threshold according to its offer.
    pub fn settle(&mut self) {
        self.look_at = if self.offer == f64::INFINITY { self.capacity * SLACK } else { f64::NEG_INFINITY };
    }

    /// Adds to the sum of rates; true if nothing more needs to be done. A NaN sum needs filling.
    #[inline(always)]
    pub fn has_room_for(&mut self, more: f64) -> bool {
        self.used += more;
        self.has_room()
    }

    /// True if the current sum needs no filling.
    #[inline(always)]
    pub fn has_room(&self) -> bool {
        self.used < self.look_at
    }

    /// Resets it, as without flows.
    pub fn empty(&mut self) {
        (self.used, self.offer) = (0.0, f64::INFINITY);
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level(pub f64, pub u32);

impl Eq for Level {}
impl Ord for Level {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}
impl PartialOrd for Level {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Resources to be filled again, the lowest level first.
pub type Waiting = BinaryHeap<Reverse<Level>>;

/// Queues a resource to be filled again, in the order of levels, unless it is queued already.
#[inline]
pub fn wait(r: &mut Resource, waiting: &mut Waiting, resource: u32, level: f64) {
    if !r.waits() {
        r.look_at = WAITS;
        waiting.push(Reverse(Level(level.min(r.offer), resource)));
    }
}
