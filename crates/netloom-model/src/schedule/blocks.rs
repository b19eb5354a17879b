//! The blocks into which the data of a schedule is cut.

/// How the data of a schedule is cut into numbered blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// `total_bytes` in `count` parts: the first `total_bytes mod count` parts are one byte longer.
    Split { total_bytes: u64, count: u32 },
    /// `count` parts of `bytes` each. In an alltoall, block `s·p + d` goes from rank `s` to rank `d`.
    Each { bytes: u64, count: u32 },
    /// `bytes` for each of `units` ranks, cut like [`Blocks::Split`] into `parts`: block `c·units + v` is part `c` of rank
    /// `v`, so that the parts of neighbours touch. Listed schedules only.
    Parts { bytes: u64, parts: u32, units: u32 },
}

impl Blocks {
    pub fn count(self) -> u32 {
        match self {
            Blocks::Split { count, .. } | Blocks::Each { count, .. } => count,
            Blocks::Parts { parts, units, .. } => parts.saturating_mul(units),
        }
    }
    /// True if all blocks have the same size.
    pub fn are_even(self) -> bool {
        match self {
            Blocks::Each { .. } => true,
            Blocks::Split { total_bytes, count } => total_bytes.is_multiple_of(u64::from(count)),
            Blocks::Parts { bytes, parts, .. } => bytes.is_multiple_of(u64::from(parts)),
        }
    }
    /// Bytes of blocks `0..end`.
    fn prefix(self, end: u32) -> u64 {
        match self {
            Blocks::Each { bytes, .. } => bytes * u64::from(end),
            Blocks::Split { total_bytes, count } => {
                let (each, longer) = (total_bytes / u64::from(count), total_bytes % u64::from(count));
                each * u64::from(end) + u64::from(end).min(longer)
            }
            Blocks::Parts { bytes, parts, units } => {
                let of_one = Blocks::Split { total_bytes: bytes, count: parts };
                let (whole, more) = (end / units, end % units);
                let next = if more > 0 { of_one.bytes(BlockRange { first: whole, count: 1 }) } else { 0 };
                of_one.prefix(whole) * u64::from(units) + next * u64::from(more)
            }
        }
    }
    /// Bytes of a range that does not wrap.
    pub fn bytes(self, range: BlockRange) -> u64 {
        self.prefix(range.first + range.count) - self.prefix(range.first)
    }
}

/// Blocks `first .. first + count`; never wraps in explicit transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockRange {
    pub first: u32,
    pub count: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_one_rank_are_its_bytes() {
        for (bytes, parts, units) in [(0u64, 3u32, 4u32), (7, 3, 4), (1009, 6, 5), (4, 8, 3), (12, 1, 9)] {
            let blocks = Blocks::Parts { bytes, parts, units };
            let one = |b| blocks.bytes(BlockRange { first: b, count: 1 });
            for unit in 0..units {
                assert_eq!((0..parts).map(|c| one(c * units + unit)).sum::<u64>(), bytes);
            }
            for first in 0..blocks.count() {
                for count in 0..=blocks.count() - first {
                    let sum = (first..first + count).map(one).sum::<u64>();
                    assert_eq!(blocks.bytes(BlockRange { first, count }), sum);
                }
            }
        }
    }
}
