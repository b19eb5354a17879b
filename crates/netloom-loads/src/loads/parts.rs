//! A sum, or a list, cut into parts without losing a unit.

use std::ops::Range;

/// Part `at` of `of` of `whole` places.
pub fn part(whole: usize, at: usize, of: usize) -> Range<usize> {
    whole * at / of..whole * (at + 1) / of
}

/// A whole number of units in given proportions: the total assigned so far is the rounded running share, so the last
/// part completes the whole.
pub struct Parts {
    parts: u64,
    total: f64,
    so_far: f64,
    given: u64,
}

impl Parts {
    /// `total` is the sum of all arguments of `next`, added in the same order.
    pub fn new(parts: u64, total: f64) -> Parts {
        Parts { parts, total, so_far: 0.0, given: 0 }
    }

    pub fn next(&mut self, share: f64) -> u64 {
        self.so_far += share;
        let upto = upto(self.parts, self.so_far, self.total);
        upto - std::mem::replace(&mut self.given, upto)
    }
}

/// Units assigned after `so_far` of `total`.
#[inline]
pub fn upto(parts: u64, so_far: f64, total: f64) -> u64 {
    if so_far >= total { parts } else { ((parts as f64 * (so_far / total)) as u64).min(parts) }
}
