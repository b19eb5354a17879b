//! A resource's state, and when it is to be filled anew.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A resource that is used to less than this share is not looked at: its sum of rates, kept by differences, is right to
/// some 1e-16 per change since it was last added up.
const SLACK: f64 = 1.0 - 1.0 / (1u64 << 20) as f64;

/// The `look_at` of a resource that waits.
pub const WAITS: f64 = f64::INFINITY;

/// What is asked of a resource all the time, half a line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Resource {
    /// Sum of the finite rates, wherever the offer is infinite: also where rounding carries it beyond the capacity.
    pub used: f64,
    /// At this sum it is to be filled anew: nearly its capacity if it offers infinity, always if it offers less, never
    /// while it waits for that already.
    pub look_at: f64,
    pub offer: f64,
    pub capacity: f64,
}

impl Resource {
    pub fn waits(&self) -> bool {
        self.look_at == WAITS
    }

    /// To be looked at as its offer says.
    pub fn settle(&mut self) {
        self.look_at = if self.offer == f64::INFINITY { self.capacity * SLACK } else { f64::NEG_INFINITY };
    }

    /// Adds to the sum of rates; says whether nothing needs to be done about it. A sum that is no number needs it.
    #[inline(always)]
    pub fn has_room_for(&mut self, more: f64) -> bool {
        self.used += more;
        self.has_room()
    }

    /// Whether nothing needs to be done about the sum as it is.
    #[inline(always)]
    pub fn has_room(&self) -> bool {
        self.used < self.look_at
    }

    /// As if no flow used it.
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

/// Resources to be filled anew, the lowest level first.
pub type Waiting = BinaryHeap<Reverse<Level>>;

/// A resource is to be filled anew, in the order of levels, if it is not already.
#[inline]
pub fn wait(r: &mut Resource, waiting: &mut Waiting, resource: u32, level: f64) {
    if !r.waits() {
        r.look_at = WAITS;
        waiting.push(Reverse(Level(level.min(r.offer), resource)));
    }
}
