//! Time as objectives report it.

/// Picoseconds in a second.
pub const PS_PER_S: f64 = 1e12;

/// Time as objectives report it; infinite becomes the largest number, which is never the best.
pub fn picoseconds(time_s: f64) -> u64 {
    (time_s * PS_PER_S).round() as u64
}
