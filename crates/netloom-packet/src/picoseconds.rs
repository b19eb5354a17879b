//! Time as a whole number of picoseconds.

use netloom_model::Time;

pub const PS_PER_S: f64 = 1e12;

/// The nearest whole number: an instruction, where `round` is a call; by way of `i64`, which takes half as many as `u64`.
#[inline]
pub fn whole(picoseconds: f64) -> u64 {
    (picoseconds + 0.5) as i64 as u64
}

/// The first whole picosecond that is not before a time.
pub fn not_before(time: Time) -> u64 {
    let near = time.to_ps();
    near + u64::from(Time::from_ps(near) < time)
}
