//! Simulated time: one type for every engine.
//!
//! A [`Time`] is a double of seconds, and engines take events in one fixed order, so that a run gives the same bytes
//! everywhere. Counts of picoseconds below 2^50 (18 minutes) pass through it unchanged. Why no ticks: the measurements in
//! `docs/concepts/simulated-time.md`, "One time type".

use std::cmp::Ordering;

/// Two times with a smaller relative difference are one instant: a few units in the last place of a double, so that
/// rounding does not separate simultaneous events.
const INSTANT: f64 = 1.0 / (1u64 << 50) as f64;

const PS_PER_S: f64 = 1e12;

/// Seconds since the start of a simulation: at least 0, [`Time::NEVER`] for an event that does not happen, never NaN.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Time(f64);

impl Time {
    pub const ZERO: Time = Time(0.0);
    /// After all other times.
    pub const NEVER: Time = Time(f64::INFINITY);

    /// A negative number or NaN becomes 0.
    #[inline]
    pub fn from_s(seconds: f64) -> Time {
        // The larger of a number and NaN is the number; adding 0 makes -0 a 0.
        Time(seconds.max(0.0) + 0.0)
    }

    #[inline]
    pub fn as_s(self) -> f64 {
        self.0
    }

    /// Different counts below 2^50 (18 minutes) stay different and in order.
    #[inline]
    pub fn from_ps(picoseconds: u64) -> Time {
        Time::from_s(picoseconds as f64 / PS_PER_S)
    }

    /// The nearest whole picosecond; gives back what [`Time::from_ps`] was given, below 2^50.
    #[inline]
    pub fn to_ps(self) -> u64 {
        (self.0 * PS_PER_S).round() as u64
    }

    /// That many seconds later.
    #[inline]
    pub fn after(self, seconds: f64) -> Time {
        Time(self.0 + seconds)
    }

    /// Seconds from `earlier` to this time; negative if it is later.
    #[inline]
    pub fn since(self, earlier: Time) -> f64 {
        self.0 - earlier.0
    }

    #[inline]
    pub fn is_finite(self) -> bool {
        self.0.is_finite()
    }

    /// The end of the instant that begins at this time: events until then are simultaneous.
    #[inline]
    pub fn instant_end(self) -> Time {
        Time(self.0 + self.0 * INSTANT)
    }
}

impl Eq for Time {}
impl Ord for Time {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}
impl PartialOrd for Time {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stream;

    #[test]
    fn picoseconds_survive_the_way_through_a_double() {
        let mut draw = Stream::new(1, "time");
        for bits in 1..=50 {
            for _ in 0..1000 {
                let ps = (u64::from(draw.below(u32::MAX)) << 32 | u64::from(draw.below(u32::MAX))) & ((1 << bits) - 1);
                assert_eq!(Time::from_ps(ps).to_ps(), ps);
                assert!(Time::from_ps(ps) < Time::from_ps(ps + 1));
            }
        }
    }

    /// Up to a quarter of an hour, different picoseconds are different instants.
    #[test]
    fn an_instant_is_shorter_than_a_picosecond() {
        for ps in [1, 999, 1_000_000_000_000, 900_000_000_000_000] {
            assert!(Time::from_ps(ps).instant_end() < Time::from_ps(ps + 1), "{ps}");
        }
    }

    #[test]
    fn what_is_no_time_is_none() {
        assert_eq!(Time::from_s(f64::NAN), Time::ZERO);
        assert_eq!(Time::from_s(-1.0), Time::ZERO);
        assert_eq!(Time::from_s(-0.0).as_s().to_bits(), 0);
        assert!(Time::from_s(1e300) < Time::NEVER && !Time::NEVER.is_finite());
        assert_eq!(Time::from_s(1.5).after(0.25).since(Time::from_s(1.0)), 0.75);
    }
}
