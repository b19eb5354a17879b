//! A flow of the solver.

use super::shift::Stops;

/// A relative change of a level below this is ignored: four units in the last place. It keeps rounding errors from
/// propagating. The relative error of a rate is at most this times the number of flows on its bottleneck.
pub const TOLERANCE: f64 = 1.0 / (1u64 << 50) as f64;

/// A flow, in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Flow {
    /// The least offer on the route, which is the flow's level, and the resource that makes it ([`CAP`] for the flow's
    /// own cap).
    pub least: f64,
    /// The least offer of the others; if `stale`, a lower bound of it.
    pub second: f64,
    pub weight: f64,
    pub cap_level: f64,
    /// Level before the current solve, if it was touched in it.
    pub before: f64,
    pub by: u32,
    /// Its route is `ways[first..first + uses]`; `room` entries are reserved.
    pub first: u32,
    pub uses: u32,
    pub room: u32,
    /// True if all coefficients are 1.
    pub plain: bool,
    pub touched: bool,
    pub alive: bool,
    pub stale: bool,
}

impl Flow {
    pub fn way(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.uses as usize
    }

    #[inline]
    pub fn stops(&self) -> Stops {
        Stops { first: self.first, uses: self.uses, weight: self.weight, plain: self.plain }
    }
}

/// Marks a flow's own cap instead of a resource.
pub const CAP: u32 = u32::MAX;

pub const NOBODY: Flow = Flow {
    least: 0.0,
    second: 0.0,
    weight: 1.0,
    cap_level: 0.0,
    before: 0.0,
    by: CAP,
    first: 0,
    uses: 0,
    room: 0,
    plain: true,
    touched: false,
    alive: false,
    stale: false,
};

pub fn moved(from: f64, to: f64) -> bool {
    // Infinity minus infinity is NaN, which counts as no change.
    (to - from).abs() > TOLERANCE * if to < from { to } else { from }
}
