//! The blocks into which the data of a schedule is cut.

/// How the data of a schedule is cut into numbered blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// `total_bytes` in `count` parts: the first `total_bytes mod count` parts are one byte longer.
    Split { total_bytes: u64, count: u64 },
    /// `count` parts of `bytes` each. In an alltoall, block `s·p + d` goes from rank `s` to rank `d`.
    Each { bytes: u64, count: u64 },
    /// `bytes` for each of `units` ranks, cut like [`Blocks::Split`] into `parts`: block `c·units + v` is part `c` of rank
    /// `v`, so that the parts of neighbours touch.
    Parts { bytes: u64, parts: u32, units: u32 },
}

impl Blocks {
    pub fn count(self) -> u64 {
        match self {
            Blocks::Split { count, .. } | Blocks::Each { count, .. } => count,
            Blocks::Parts { parts, units, .. } => u64::from(parts) * u64::from(units),
        }
    }
    /// True if all blocks have the same size.
    pub fn are_even(self) -> bool {
        match self {
            Blocks::Each { .. } => true,
            Blocks::Split { total_bytes, count } => total_bytes.is_multiple_of(count),
            Blocks::Parts { bytes, parts, .. } => bytes.is_multiple_of(u64::from(parts)),
        }
    }
    /// The next larger number of bytes whose blocks are all of one size; `None` where these are already, or above 2^64.
    pub fn next_even(self) -> Option<u64> {
        let (bytes, count) = match self {
            Blocks::Each { .. } => return None,
            Blocks::Split { total_bytes, count } => (total_bytes, count),
            Blocks::Parts { bytes, parts, .. } => (bytes, parts.into()),
        };
        bytes.checked_next_multiple_of(count).filter(|even| *even > bytes)
    }
    /// Bytes of blocks `0..end`.
    fn prefix(self, end: u64) -> u64 {
        match self {
            Blocks::Each { bytes, .. } => bytes * end,
            Blocks::Split { total_bytes, count } => {
                let (each, longer) = (total_bytes / count, total_bytes % count);
                each * end + end.min(longer)
            }
            Blocks::Parts { bytes, parts, units } => {
                let of_one = Blocks::Split { total_bytes: bytes, count: parts.into() };
                let (whole, more) = (end / u64::from(units), end % u64::from(units));
                let next = if more > 0 { of_one.run_bytes(whole, 1) } else { 0 };
                of_one.prefix(whole) * u64::from(units) + next * more
            }
        }
    }
    /// Bytes of a range that does not wrap.
    pub fn bytes(self, range: BlockRange) -> u64 {
        self.run_bytes(range.first.into(), range.count.into())
    }
    /// Bytes of the blocks `first .. first + count`.
    pub fn run_bytes(self, first: u64, count: u64) -> u64 {
        self.prefix(first + count) - self.prefix(first)
    }
}

/// Blocks `first .. first + count` of a listed transfer; never wraps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockRange {
    pub first: u32,
    pub count: u32,
}

impl RelativeRange {
    /// True for a power of two blocks at a multiple of their number, which an exclusive or leaves together.
    pub fn is_aligned(&self) -> bool {
        self.count.is_power_of_two() && self.first.is_multiple_of(self.count)
    }
}

/// Blocks relative to the rank that sends them in a cyclic round: `count` of part `part`, from offset `first` on. In an
/// alltoall there is a part for each rank that data comes from, so that no number is above that of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelativeRange {
    pub part: u32,
    pub first: u32,
    pub count: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_beyond_2_32_have_bytes() {
        let blocks = Blocks::Each { bytes: 3, count: 1 << 40 };
        assert_eq!((blocks.count(), blocks.run_bytes(1 << 39, 5)), (1 << 40, 15));
        let parts = Blocks::Parts { bytes: 5, parts: 1 << 20, units: 1 << 20 };
        assert_eq!((parts.count(), parts.run_bytes(0, 1 << 40)), (1 << 40, 5 << 20));
    }

    #[test]
    fn the_next_even_size_is_cut_evenly() {
        for (total_bytes, count, even) in [(10, 4, Some(12)), (12, 4, None), (0, 4, None), (u64::MAX, 2, None)] {
            assert_eq!(Blocks::Split { total_bytes, count }.next_even(), even);
            assert!(even.is_none_or(|bytes| Blocks::Split { total_bytes: bytes, count }.are_even()));
        }
        assert_eq!(Blocks::Each { bytes: 7, count: 3 }.next_even(), None);
        assert_eq!(Blocks::Parts { bytes: 7, parts: 3, units: 2 }.next_even(), Some(9));
    }

    #[test]
    fn parts_of_one_rank_are_its_bytes() {
        for (bytes, parts, units) in [(0u64, 3u32, 4u32), (7, 3, 4), (1009, 6, 5), (4, 8, 3), (12, 1, 9)] {
            let blocks = Blocks::Parts { bytes, parts, units };
            let one = |b: u64| blocks.bytes(BlockRange { first: b as u32, count: 1 });
            for unit in 0..units {
                assert_eq!((0..parts).map(|c| one((c * units + unit).into())).sum::<u64>(), bytes);
            }
            for first in 0..blocks.count() {
                for count in 0..=blocks.count() - first {
                    let sum = (first..first + count).map(one).sum::<u64>();
                    assert_eq!(blocks.run_bytes(first, count), sum);
                }
            }
        }
    }
}
