//! From the integer units of loads to bytes.

/// Loads are counted in 2^-shift bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    pub shift: u32,
}

/// Least significant distance from a whole number of bytes, where units are fine enough: 2^-20 byte. A message
/// that is split in `d` equal parts is at least 1 / `d` away.
const FINEST: f64 = 1.0 / 1_048_576.0;
/// And where they are coarse: 2^-6 byte.
const COARSEST: f64 = 1.0 / 64.0;
/// Units by which a sum may miss a whole number: each part is rounded to a unit.
const UNITS: f64 = 16.0;
/// Share of a load by which it may miss: the shares of paths are doubles, 1/3 + 1/3 + 1/3 of which may not be 1. 2^-43.
const RELATIVE: f64 = 1.0 / (1u64 << 43) as f64;

impl Unit {
    pub const WHOLE: Unit = Unit { shift: 0 };

    /// Bytes of `load` units. A value that is a whole number up to the rounding of its parts becomes that number.
    pub fn bytes(self, load: impl Into<u128>) -> f64 {
        self.whole(load.into() as f64 / (1u64 << self.shift) as f64)
    }

    /// `bytes`, a sum of loads or of parts of them, rounded likewise.
    pub fn whole(self, bytes: f64) -> f64 {
        let slack = (UNITS / (1u64 << self.shift) as f64).clamp(FINEST, COARSEST).max(bytes * RELATIVE);
        let whole = bytes.round();
        if (bytes - whole).abs() <= slack { whole } else { bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_bytes_are_whole_and_fractions_stay() {
        let unit = Unit { shift: 40 };
        let one = 1u64 << 40;
        assert_eq!(unit.bytes(8 * one + 5000), 8.0);
        assert_eq!(unit.bytes(8 * one - 5000), 8.0);
        assert_eq!(unit.bytes(0u64), 0.0);
        for parts in [2u64, 3, 7, 1000, 4096, 100_000] {
            let part = unit.bytes(one / parts);
            assert!((part - 1.0 / parts as f64).abs() < 1e-11 && part > 0.0, "{parts}: {part}");
        }
        assert_eq!(Unit { shift: 0 }.bytes(7u64), 7.0);
        assert_eq!(Unit { shift: 10 }.bytes(1u64 << 9), 0.5);
        // A third of 2^40 bytes, three times, each a hair short.
        assert_eq!(Unit { shift: 20 }.whole(1_099_511_627_775.999_8), 1_099_511_627_776.0);
    }
}
