//! Simulated time: one type for every engine.
//!
//! A [`Time`] is a whole number of ticks of 0.2 fs, kept as the double of seconds that is nearest to it. What a
//! computation gives is rounded to the nearest tick, so that what happens together stays together and rounding of
//! doubles does not travel. A picosecond is 5,000 ticks. Sums of times are exact up to 0.4 s; from 0.9 s on doubles are
//! their own, soon coarser, ticks. In the first microsecond ticks are of 1 as. The measurements behind it: `docs/concepts/simulated-time.md`, "One time type".

use std::cmp::Ordering;

/// Two times closer than this share of them are one instant: a few units in the last place of a double, so that rounding
/// does not tear apart what happens together.
const INSTANT: f64 = 1.0 / (1u64 << 50) as f64;

const PS_PER_S: f64 = 1e12;

const TICKS_PER_S: f64 = 5e15;

/// In the first microsecond, so that a run of nanoseconds is right to 1e-9 too.
const EARLY_TICKS_PER_S: f64 = 1e18;
const EARLY_S: f64 = 1e-6;

#[inline]
fn ticks_per_s(seconds: f64) -> f64 {
    if seconds < EARLY_S { EARLY_TICKS_PER_S } else { TICKS_PER_S }
}

/// Doubles from here on have no fraction.
const WHOLE: f64 = (1u64 << 52) as f64;

/// The nearest whole number of ticks, in seconds. Adding the least double without fraction rounds the fraction away.
#[inline]
fn tick(seconds: f64) -> f64 {
    let per_s = ticks_per_s(seconds);
    let ticks = seconds * per_s;
    if ticks < WHOLE { ((ticks + WHOLE) - WHOLE) / per_s } else { seconds }
}

/// Seconds since the start of a simulation: at least 0, [`Time::NEVER`] for what does not happen, never NaN.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Time(f64);

impl Time {
    pub const ZERO: Time = Time(0.0);
    /// After all other times.
    pub const NEVER: Time = Time(f64::INFINITY);
    pub const TICK_S: f64 = 1.0 / TICKS_PER_S;

    /// The nearest tick; a negative number or one that is none becomes 0.
    #[inline]
    pub fn from_s(seconds: f64) -> Time {
        // The larger of a number and NaN is the number.
        Time(tick(seconds.max(0.0)))
    }

    #[inline]
    pub fn as_s(self) -> f64 {
        self.0
    }

    /// The nearest tick; different counts below 2^50 (18 minutes) stay different and in order.
    #[inline]
    pub fn from_ps(picoseconds: u64) -> Time {
        Time::from_s(picoseconds as f64 / PS_PER_S)
    }

    /// The nearest whole picosecond; gives back what [`Time::from_ps`] was given, below 2^50.
    #[inline]
    pub fn to_ps(self) -> u64 {
        (self.0 * PS_PER_S).round() as u64
    }

    /// The time nearest to that many seconds later.
    #[inline]
    pub fn after(self, seconds: f64) -> Time {
        Time(tick(self.0 + seconds))
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

    /// Half the distance to the next tick: what a time may be away from what was computed.
    #[inline]
    pub fn half_tick_s(self) -> f64 {
        0.5 / ticks_per_s(self.0)
    }

    /// The end of the instant that begins at this time: what happens until then happens together.
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

    /// Up to a quarter of an hour no two picoseconds are taken for one instant.
    #[test]
    fn an_instant_is_shorter_than_a_picosecond() {
        for ps in [1, 999, 1_000_000_000_000, 900_000_000_000_000] {
            assert!(Time::from_ps(ps).instant_end() < Time::from_ps(ps + 1), "{ps}");
        }
    }

    /// Doubles that differ by rounding are one time, and times add up exactly, in any order.
    #[test]
    fn rounding_ends_at_a_tick() {
        let mut draw = Stream::new(2, "time");
        for _ in 0..10_000 {
            let seconds = f64::from(10_000 + draw.below(1 << 30)) * 1e-10;
            let time = Time::from_s(seconds);
            assert!((time.as_s() - seconds).abs() <= 0.7 * Time::TICK_S);
            assert_eq!(Time::from_s(time.as_s()), time);
            let other = Time::from_s(f64::from(10_000 + draw.below(1 << 30)) * 1e-10);
            let sum = time.after(other.as_s());
            assert_eq!(Time::from_s(sum.since(other)), time);
            assert_eq!(sum, other.after(time.as_s()));
        }
        // What is written with digits keeps them.
        assert_eq!(Time::from_s(0.1 + 0.2).as_s(), 0.3);
        assert_eq!(Time::from_s(1e-3).as_s(), 1e-3);
        assert_eq!(Time::from_s(1e3 + 1e-13).as_s(), 1e3 + 1e-13);
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
