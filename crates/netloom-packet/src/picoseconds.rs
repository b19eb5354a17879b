//! Time as a whole number of picoseconds.

pub const PS_PER_S: f64 = 1e12;

/// The nearest whole number: an instruction, where `round` is a call; by way of `i64`, which takes half as many as `u64`.
#[inline]
pub fn whole(picoseconds: f64) -> u64 {
    (picoseconds + 0.5) as i64 as u64
}
