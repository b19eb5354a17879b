//! To whom a rank sends in a cyclic round: all ranks look at the others in the same way.

/// Most axes of a [`RankGrid`].
pub const MOST_AXES: usize = 8;

/// How an axis of a [`RankGrid`] is stepped along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Turn {
    /// Around it, upwards.
    #[default]
    Around,
    /// Around it: even coordinates upwards, odd ones downwards. Its extent is even.
    Mirrored,
    /// By exclusive or. Its extent is a power of two.
    Xor,
}

impl Turn {
    pub const ALL: [Turn; 3] = [Turn::Around, Turn::Mirrored, Turn::Xor];

    fn takes(self, extent: u32) -> bool {
        match self {
            Turn::Around => true,
            Turn::Mirrored => extent == 1 || extent.is_multiple_of(2),
            Turn::Xor => extent.is_power_of_two(),
        }
    }
}

/// A grid of ranks, numbered with the last axis fastest. Steps on it are taken axis by axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RankGrid {
    axes: [(u32, Turn); MOST_AXES],
}

impl RankGrid {
    /// From the extents of the axes and how they are stepped along. `None` for an extent of 0, more than [`MOST_AXES`] axes or 2^32
    /// ranks, and an extent that does not fit its turn.
    pub fn new(axes: &[(u32, Turn)]) -> Option<RankGrid> {
        let mut made = [(1, Turn::Around); MOST_AXES];
        let from = MOST_AXES.checked_sub(axes.len())?;
        made[from..].copy_from_slice(axes);
        let points = made.iter().try_fold(1u32, |points, axis| points.checked_mul(axis.0))?;
        (points > 0 && made.iter().all(|(extent, turn)| turn.takes(*extent))).then_some(RankGrid { axes: made })
    }

    /// All axes: extent 1 where there is none.
    pub fn axes(&self) -> [(u32, Turn); MOST_AXES] {
        self.axes
    }

    pub fn ranks(&self) -> u32 {
        self.axes.iter().map(|axis| axis.0).product()
    }

    /// Axis by axis, coordinates of two numbers become one of a third.
    #[inline]
    fn by_axis(&self, mut a: u32, mut b: u32, with: impl Fn(u32, u32, u32, Turn) -> u32) -> u32 {
        let (mut made, mut below) = (0, 1);
        for &(extent, turn) in self.axes.iter().rev() {
            if extent > 1 {
                made += below * with(a % extent, b % extent, extent, turn);
                (a, b, below) = (a / extent, b / extent, below * extent);
            }
        }
        made
    }

    /// The rank at an offset of a rank.
    #[inline]
    pub fn placed(&self, rank: u32, offset: u32) -> u32 {
        self.by_axis(rank, offset, |a, o, extent, turn| {
            let sum = match turn {
                Turn::Xor => return a ^ o,
                Turn::Mirrored if a % 2 == 1 => a + extent - o,
                _ => a + o,
            };
            if sum >= extent { sum - extent } else { sum }
        })
    }

    /// At which offset of `rank` another one is.
    #[inline]
    pub fn offset(&self, rank: u32, other: u32) -> u32 {
        self.by_axis(rank, other, |a, b, extent, turn| {
            let ahead = match turn {
                Turn::Xor => return a ^ b,
                Turn::Mirrored if a % 2 == 1 => a + extent - b,
                _ => b + extent - a,
            };
            if ahead >= extent { ahead - extent } else { ahead }
        })
    }

    /// The number on this grid of the point that has another number where the first axis is the fastest.
    #[inline]
    pub fn reversed(&self, mut number: u32) -> u32 {
        let mut left = self.ranks();
        let mut made = 0;
        for &(extent, _) in self.axes.iter().filter(|axis| axis.0 > 1) {
            left /= extent;
            made += number % extent * left;
            number /= extent;
        }
        made
    }

    /// [`RankGrid::reversed`] backwards.
    #[inline]
    pub fn unreversed(&self, mut number: u32) -> u32 {
        let mut left = self.ranks();
        let mut made = 0;
        for &(extent, _) in self.axes.iter().rev().filter(|axis| axis.0 > 1) {
            left /= extent;
            made += number % extent * left;
            number /= extent;
        }
        made
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
        use Turn::{Around, Mirrored, Xor};
        let grid = |axes: &[(u32, Turn)], k| Partner::Grid(k, RankGrid::new(axes).unwrap());
        let cases = [
            (Partner::Shift(5), 12),
            (Partner::Xor(5), 16),
            (grid(&[(4, Around), (6, Around)], 15), 24),
            (grid(&[(12, Mirrored)], 5), 12),
            (grid(&[(12, Mirrored)], 4), 12),
            (grid(&[(4, Mirrored), (1, Mirrored), (2, Mirrored), (6, Mirrored)], 31), 48),
            (grid(&[(3, Around), (5, Around)], 7), 15),
            (grid(&[(3, Around), (8, Xor), (6, Mirrored)], 101), 144),
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
        let axes = |extent, turn, number| RankGrid::new(&vec![(extent, turn); number]);
        assert_eq!([axes(3, Mirrored, 1), axes(6, Xor, 1), axes(0, Around, 1), axes(2, Around, 9)], [None; 4]);
        assert_eq!(axes(1 << 20, Around, 2), None);
    }

    #[test]
    fn numbers_with_the_first_axis_fastest_are_reversed_and_back() {
        let grid = RankGrid::new(&[(2, Turn::Around), (3, Turn::Around), (4, Turn::Around)]).unwrap();
        // Digits 1, 2, 3 of the grid.
        assert_eq!((grid.reversed(1 + 2 * 2 + 6 * 3), grid.unreversed(23)), (23, 23));
        assert_eq!((grid.reversed(1), grid.unreversed(12)), (12, 1));
        (0..24).for_each(|number| assert_eq!(grid.unreversed(grid.reversed(number)), number));
    }
}
