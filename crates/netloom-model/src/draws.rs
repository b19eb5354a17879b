//! Random numbers per item, for values that are drawn again on every use (the partners of one rank of millions), where
//! starting a [`Stream`] would cost more than using it.

use crate::stream::{Stream, mix};

/// A family of short random streams, one per index, each started in O(1) and independent of the others.
#[derive(Clone, Copy, Debug)]
pub struct Family(u64);

/// The stream of one index: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) from a start that the index is mixed into, so
/// that neighbours' sequences are not shifted copies of each other.
#[derive(Clone, Debug)]
pub struct Draws(u64);

const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

impl Family {
    /// `seed` from the study; `name` says what the numbers are for, as with [`Stream::new`].
    pub fn new(seed: u64, name: &str) -> Family {
        Family(Stream::new(seed, name).next_u64())
    }

    /// The numbers of `index`. Different indices start differently: `mix` is a bijection.
    #[inline]
    pub fn of(self, index: u64) -> Draws {
        Draws::from_key(self.0 ^ mix(index.wrapping_add(GAMMA)))
    }
}

impl Draws {
    /// The numbers of a key that the caller has mixed from the identity of the item.
    #[inline]
    pub fn from_key(key: u64) -> Draws {
        Draws(mix(key))
    }

    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GAMMA);
        mix(self.0)
    }

    /// Uniform in `0..bound`, unbiased (Lemire's multiply-and-reject on 64 bits: a rejection happens once in 2^32 draws or
    /// less, so its division is rare). `bound` must be at least 1; 0 gives 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        let bound = u64::from(bound);
        let mut wide = u128::from(self.next_u64()) * u128::from(bound);
        if (wide as u64) < bound {
            let threshold = bound.wrapping_neg() % bound.max(1);
            while (wide as u64) < threshold {
                wide = u128::from(self.next_u64()) * u128::from(bound);
            }
        }
        (wide >> 64) as u32
    }

    /// Calls `visit` with `count` different numbers of `0..bound` (all of them where there are fewer), each subset as
    /// likely: Floyd's sampling (Bentley and Floyd, CACM 30(9), 1987), one draw per number. What is remembered of the
    /// numbers depends on how many there are, the numbers do not: O(count), and O(count²) compares for more than 32 of
    /// more than 128, which for tens of numbers cost less than hashing.
    #[inline]
    pub fn distinct(&mut self, bound: u32, count: u32, visit: impl FnMut(u32)) {
        let count = count.min(bound);
        if bound <= u128::BITS {
            self.floyd(bound, count, 0u128, visit);
        } else if count as usize <= FEW {
            self.floyd(bound, count, ([u32::MAX; FEW], 0), visit);
        } else {
            self.floyd(bound, count, Vec::with_capacity(count as usize), visit);
        }
    }

    #[inline]
    fn floyd(&mut self, bound: u32, count: u32, mut taken: impl Drawn, mut visit: impl FnMut(u32)) {
        for last in bound - count..bound {
            let drawn = self.below(last + 1);
            let new = if taken.holds(drawn) { last } else { drawn };
            taken.add(new);
            visit(new);
        }
    }
}

/// Numbers that are compared with all at once, without a branch per number.
const FEW: usize = 32;

/// The numbers drawn so far.
trait Drawn {
    fn holds(&self, number: u32) -> bool;
    fn add(&mut self, number: u32);
}

impl Drawn for u128 {
    #[inline]
    fn holds(&self, number: u32) -> bool {
        self >> number & 1 == 1
    }
    #[inline]
    fn add(&mut self, number: u32) {
        *self |= 1 << number;
    }
}

/// Free places hold a number that is never drawn.
impl Drawn for ([u32; FEW], usize) {
    #[inline]
    fn holds(&self, number: u32) -> bool {
        self.0.iter().fold(false, |any, held| any | (*held == number))
    }
    #[inline]
    fn add(&mut self, number: u32) {
        self.0[self.1 % FEW] = number;
        self.1 += 1;
    }
}

impl Drawn for Vec<u32> {
    fn holds(&self, number: u32) -> bool {
        self.contains(&number)
    }
    fn add(&mut self, number: u32) {
        self.push(number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pearson's statistic of `counts` against equal shares.
    fn chi_square(counts: &[u32]) -> f64 {
        let mean = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
        counts.iter().map(|&c| (f64::from(c) - mean).powi(2) / mean).sum()
    }

    /// Mean k - 1 and variance 2(k - 1): six standard deviations.
    fn bound(cells: usize) -> f64 {
        let free = (cells - 1) as f64;
        free + 6.0 * (2.0 * free).sqrt()
    }

    #[test]
    fn numbers_are_uniform_within_and_across_indices() {
        let family = Family::new(1, "test");
        for cells in [2usize, 15, 60, 1000] {
            let (mut within, mut across) = (vec![0; cells], vec![0; cells]);
            let mut one = family.of(7);
            for index in 0..200_000 {
                within[one.below(cells as u32) as usize] += 1;
                across[family.of(index).below(cells as u32) as usize] += 1;
            }
            assert!(chi_square(&within) < bound(cells), "{cells}");
            assert!(chi_square(&across) < bound(cells), "{cells}");
        }
        // Pairs of consecutive draws, and the same draw of neighbours.
        let mut cells = vec![0; 400];
        let mut neighbours = vec![0; 400];
        for index in 0..200_000 {
            let mut draws = family.of(index);
            let (a, b) = (draws.below(20), draws.below(20));
            cells[(a * 20 + b) as usize] += 1;
            neighbours[(a * 20 + family.of(index + 1).below(20)) as usize] += 1;
        }
        assert!(chi_square(&cells) < bound(400) && chi_square(&neighbours) < bound(400));
    }

    #[test]
    fn every_subset_is_as_likely() {
        let family = Family::new(3, "test");
        let mut counts = [0u32; 32];
        for index in 0..100_000 {
            let mut subset = 0u32;
            family.of(index).distinct(5, 2, |x| subset |= 1 << x);
            assert_eq!(subset.count_ones(), 2);
            counts[subset as usize] += 1;
        }
        let pairs: Vec<u32> = counts.into_iter().filter(|c| *c > 0).collect();
        assert_eq!(pairs.len(), 10);
        assert!(chi_square(&pairs) < bound(10));
    }

    #[test]
    fn what_is_remembered_changes_nothing() {
        let family = Family::new(5, "test");
        for index in 0..2000 {
            let mut all: [Vec<u32>; 3] = Default::default();
            let [bits, few, many] = &mut all;
            family.of(index).floyd(100, 31, 0u128, |x| bits.push(x));
            family.of(index).floyd(100, 31, ([u32::MAX; FEW], 0), |x| few.push(x));
            family.of(index).floyd(100, 31, Vec::new(), |x| many.push(x));
            assert!(all[0] == all[1] && all[1] == all[2] && all[0].len() == 31);
        }
    }

    #[test]
    fn ends_of_the_range() {
        let mut draws = Family::new(1, "test").of(0);
        assert_eq!((draws.below(0), draws.below(1)), (0, 0));
        let mut all = Vec::new();
        draws.distinct(3, 9, |x| all.push(x));
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2]);
        draws.distinct(0, 9, |_| unreachable!());
        let wide: Vec<u32> = (0..1000).map(|_| draws.below(u32::MAX)).collect();
        assert!(wide.iter().any(|w| *w > 3 << 30) && wide.iter().any(|w| *w < 1 << 30));
        let again = |seed, name| Family::new(seed, name).of(5).next_u64();
        assert_eq!(again(1, "a"), again(1, "a"));
        assert!(again(1, "a") != again(2, "a") && again(1, "a") != again(1, "b"));
    }
}
