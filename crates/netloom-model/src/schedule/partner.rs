//! To whom a rank sends in a cyclic round: all ranks look at the others in the same way.

/// Most axes of a [`RankGrid`].
pub const MOST_AXES: usize = 8;

/// A grid of ranks, numbered with the last axis fastest. Steps on it are taken axis by axis, around each; on a mirrored one a
/// rank at an odd coordinate takes them to the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RankGrid {
    extents: [u32; MOST_AXES],
    mirrored: bool,
}

impl RankGrid {
    /// `None` for an extent of 0, more than [`MOST_AXES`] axes or 2^32 ranks, and an odd extent of a mirrored grid.
    pub fn new(extents: &[u32], mirrored: bool) -> Option<RankGrid> {
        let mut made = [1; MOST_AXES];
        let from = MOST_AXES.checked_sub(extents.len())?;
        made[from..].copy_from_slice(extents);
        let points = made.iter().try_fold(1u32, |points, extent| points.checked_mul(*extent))?;
        let odd = mirrored && made.iter().any(|extent| *extent > 1 && extent % 2 == 1);
        (points > 0 && !odd).then_some(RankGrid { extents: made, mirrored })
    }

    /// Extents of all axes, 1 where there is none, and whether the grid is mirrored.
    pub fn parts(&self) -> ([u32; MOST_AXES], bool) {
        (self.extents, self.mirrored)
    }

    pub fn ranks(&self) -> u32 {
        self.extents.iter().product()
    }

    /// Axis by axis, coordinates of two numbers become one of a third.
    #[inline]
    fn by_axis(&self, mut a: u32, mut b: u32, with: impl Fn(u32, u32, u32) -> u32) -> u32 {
        let (mut made, mut below) = (0, 1);
        for &extent in self.extents.iter().rev() {
            if extent > 1 {
                made += below * with(a % extent, b % extent, extent);
                (a, b, below) = (a / extent, b / extent, below * extent);
            }
        }
        made
    }

    /// The rank at an offset of a rank.
    #[inline]
    pub fn placed(&self, rank: u32, offset: u32) -> u32 {
        self.by_axis(rank, offset, |a, o, extent| {
            let sum = if self.mirrored && a % 2 == 1 { a + extent - o } else { a + o };
            if sum >= extent { sum - extent } else { sum }
        })
    }

    /// At which offset of `rank` another one is.
    #[inline]
    pub fn offset(&self, rank: u32, other: u32) -> u32 {
        self.by_axis(rank, other, |a, b, extent| {
            let ahead = if self.mirrored && a % 2 == 1 { a + extent - b } else { b + extent - a };
            if ahead >= extent { ahead - extent } else { ahead }
        })
    }
}

/// The destination of rank `r` of `p` in a cyclic round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Partner {
    /// `(r + k) mod p`
    Shift(u32),
    /// `r xor k`; `p` must be a power of two.
    Xor(u32),
    /// At this offset on a grid of `p` ranks.
    Grid(u32, RankGrid),
}

/// `sum` modulo `ranks`. Sums of two ranks need no division.
#[inline]
fn around(sum: u64, ranks: u32) -> u32 {
    let ranks = u64::from(ranks);
    let once = if sum >= ranks { sum - ranks } else { sum };
    (if once < ranks { once } else { once % ranks }) as u32
}

impl Partner {
    /// To whom a rank sends.
    #[inline]
    pub fn of(self, rank: u32, ranks: u32) -> u32 {
        match self {
            Partner::Shift(k) | Partner::Xor(k) | Partner::Grid(k, _) => self.placed(rank, k, ranks),
        }
    }

    /// Who sends to a rank.
    #[inline]
    pub fn back(self, rank: u32, ranks: u32) -> u32 {
        match self {
            Partner::Shift(k) => around(u64::from(rank) + u64::from(ranks - k), ranks),
            Partner::Xor(k) => rank ^ k,
            Partner::Grid(_, grid) => grid.placed(rank, self.seen(0, ranks)),
        }
    }

    /// What is at an offset of a rank.
    #[inline]
    pub fn placed(self, rank: u32, offset: u32, ranks: u32) -> u32 {
        match self {
            Partner::Shift(_) => around(u64::from(rank) + u64::from(offset), ranks),
            Partner::Xor(_) => rank ^ offset,
            Partner::Grid(_, grid) => grid.placed(rank, offset),
        }
    }

    /// The receiver's offset of what is at an offset of the sender.
    #[inline]
    pub fn seen(self, offset: u32, ranks: u32) -> u32 {
        match self {
            Partner::Shift(k) if offset >= k => offset - k,
            Partner::Shift(k) => offset + (ranks - k),
            Partner::Xor(k) => offset ^ k,
            // Rank 0 sends to rank k.
            Partner::Grid(k, grid) => grid.offset(k, offset),
        }
    }

    /// Messages in the other direction.
    pub fn reversed(self, ranks: u32) -> Partner {
        match self {
            Partner::Shift(k) => Partner::Shift(ranks - k),
            Partner::Xor(k) => Partner::Xor(k),
            Partner::Grid(_, grid) => Partner::Grid(self.seen(0, ranks), grid),
        }
    }

    /// True for a partner that is another rank, of so many.
    pub fn fits(self, ranks: u32) -> bool {
        match self {
            Partner::Shift(k) => k > 0 && k < ranks,
            Partner::Xor(k) => ranks.is_power_of_two() && k > 0 && k < ranks,
            Partner::Grid(k, grid) => grid.ranks() == ranks && k > 0 && k < ranks,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ranks_see_alike() {
        let grid = |extents: &[u32], mirrored, k| Partner::Grid(k, RankGrid::new(extents, mirrored).unwrap());
        let cases = [
            (Partner::Shift(5), 12),
            (Partner::Xor(5), 16),
            (grid(&[4, 6], false, 15), 24),
            (grid(&[12], true, 5), 12),
            (grid(&[12], true, 4), 12),
            (grid(&[4, 1, 2, 6], true, 31), 48),
            (grid(&[3, 5], false, 7), 15),
        ];
        for (partner, ranks) in cases {
            assert!(partner.fits(ranks));
            for rank in 0..ranks {
                let to = partner.of(rank, ranks);
                assert!(to != rank && to < ranks);
                assert_eq!((partner.back(to, ranks), partner.reversed(ranks).of(to, ranks)), (rank, rank));
                for offset in 0..ranks {
                    let what = partner.placed(rank, offset, ranks);
                    assert_eq!(partner.placed(to, partner.seen(offset, ranks), ranks), what, "{partner:?} {rank}");
                    if let Partner::Grid(_, grid) = partner {
                        assert_eq!(grid.offset(rank, what), offset);
                    }
                }
            }
        }
        assert_eq!(
            [RankGrid::new(&[3, 2], true), RankGrid::new(&[0], false), RankGrid::new(&[2; 9], false)],
            [None; 3]
        );
        assert_eq!(RankGrid::new(&[1 << 20, 1 << 20], false), None);
    }
}
