//! Numbers of ranks that an application takes, and grids of ranks.

use netloom_model::Bound;

/// Most ranks of a NAS benchmark: what MG's arrays are declared for (`maxprocs`).
pub const RANK_LIMIT: u32 = 1 << 17;
/// Most ranks of the other applications.
pub const MOST_RANKS: u32 = 1 << 20;
/// Numbers of ranks that the arguments of an application allow.
pub(crate) enum Legal {
    /// These, ascending.
    List(Vec<u32>),
    /// The multiples of `of`, up to `most`.
    Multiples { of: u32, most: u32 },
}

/// Ranks along each axis by the parameter `grid`, if it is given.
pub(crate) fn given_grid(bound: &Bound) -> Option<Vec<u32>> {
    let given: Vec<u32> = bound.ints("grid").iter().map(|d| *d as u32).collect();
    (!given.is_empty()).then_some(given)
}

impl Legal {
    /// The product of the parameter `grid`; without one any number.
    pub fn of_grid(bound: &Bound) -> Legal {
        let Some(grid) = given_grid(bound) else { return Legal::Multiples { of: 1, most: MOST_RANKS } };
        Legal::only(grid.iter().fold(1u64, |product, d| product.saturating_mul((*d).into())))
    }

    /// This number, unless it is above [`MOST_RANKS`].
    pub fn only(ranks: u64) -> Legal {
        Legal::List(u32::try_from(ranks).ok().filter(|r| *r <= MOST_RANKS).into_iter().collect())
    }

    pub fn takes(&self, ranks: u32) -> bool {
        match self {
            Legal::List(all) => all.binary_search(&ranks).is_ok(),
            Legal::Multiples { of, most } => ranks > 0 && ranks <= *most && ranks.is_multiple_of(*of),
        }
    }

    /// The nearest below and above a number that is not taken.
    pub fn near(&self, ranks: u32) -> Vec<u32> {
        match self {
            Legal::List(all) => {
                let at = all.partition_point(|taken| *taken < ranks);
                let below = at.checked_sub(1).and_then(|below| all.get(below));
                [below, all.get(at)].into_iter().flatten().copied().collect()
            }
            Legal::Multiples { of, most } => {
                let last = most / of;
                let below = (ranks / of).min(last);
                [below, below + 1].into_iter().filter(|n| (1..=last).contains(n)).map(|n| n * of).collect()
            }
        }
    }

    /// All of them, ascending, up to `most`.
    #[cfg(test)]
    pub fn up_to(&self, most: u32) -> Vec<u32> {
        (1..=most).filter(|ranks| self.takes(*ranks)).collect()
    }
}

/// Powers of two up to `most`.
pub(crate) fn powers(most: u64) -> Vec<u32> {
    (0..=RANK_LIMIT.ilog2()).map(|l| 1 << l).filter(|p| u64::from(*p) <= most).collect()
}

/// A grid of `ranks` ranks over a box of these extents: the prime factors of `ranks`, largest first, each cut the axis
/// whose pieces are longest (the first of equals). O(sqrt(ranks)).
pub(crate) fn cut<const N: usize>(extents: [u64; N], ranks: u32) -> [u32; N] {
    let mut grid = [1u32; N];
    for prime in primes(ranks).into_iter().rev() {
        let mut longest = 0;
        for axis in 1..N {
            // extents / grid, compared without a division.
            let [here, best] =
                [(axis, longest), (longest, axis)].map(|(a, other)| u128::from(extents[a]) * u128::from(grid[other]));
            if here > best {
                longest = axis;
            }
        }
        grid[longest] *= prime;
    }
    grid
}

/// The prime factors of a number, ascending.
fn primes(number: u32) -> Vec<u32> {
    let (mut left, mut found, mut prime) = (number, Vec::new(), 2);
    while u64::from(prime) * u64::from(prime) <= u64::from(left) {
        while left.is_multiple_of(prime) {
            found.push(prime);
            left /= prime;
        }
        prime += 1;
    }
    if left > 1 {
        found.push(left);
    }
    found
}
