//! Hierarchies of equal units as mixed-radix numbers (Swartvagher 2023, algorithms 1 and 2).
//!
//! The sizes of the levels are listed outermost first; the last level counts fastest in the original numbers. An order
//! lists levels too: its first level counts fastest in the new numbers. The reversed list of all levels is the identity.

use crate::fault::{Fault, Outcome, codes};

/// Most levels of a hierarchy.
pub const MOST_LEVELS: usize = 32;
/// Most units of the innermost level.
const MOST: u64 = 1 << 26;

/// Sizes of the levels of a hierarchy, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels {
    sizes: Vec<u32>,
    count: u32,
}

impl Levels {
    /// Sizes of 2 or more.
    ///
    /// # Errors
    /// `NL-A007` for no level, more than 32 or a size below 2; `NL-A009` for more than 2^26 units. `place` names the list.
    pub fn new(sizes: &[i64], place: &str) -> Outcome<Levels> {
        let given = || sizes.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        let hint = "leave out levels with one unit; 16,2,2,8 is 16 nodes of 2 sockets of 2 groups of 8 cores";
        if sizes.is_empty() || sizes.len() > MOST_LEVELS || sizes.iter().any(|size| *size < 2) {
            let expected = format!("1 to {MOST_LEVELS} sizes of 2 or more, outermost first");
            return Err(Fault::new(&codes::BAD_VALUE, place, expected, given()).hint(hint).into());
        }
        let count = sizes.iter().try_fold(1u64, |n, size| n.checked_mul(*size as u64)).filter(|n| *n <= MOST);
        let Some(count) = count else {
            let sentence = format!("{} has more than 2^26 units", given());
            return Err(Fault::say(&codes::TOO_LARGE, place, sentence).hint("use smaller levels").into());
        };
        Ok(Levels { sizes: sizes.iter().map(|size| *size as u32).collect(), count: count as u32 })
    }

    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }
    /// How many levels there are; at least one.
    pub fn depth(&self) -> usize {
        self.sizes.len()
    }
    /// Units of the innermost level: the product of the sizes.
    pub fn count(&self) -> u32 {
        self.count
    }
    /// The order that changes nothing: innermost level first.
    pub fn identity(&self) -> Vec<usize> {
        (0..self.depth()).rev().collect()
    }
    /// Units of the innermost level in a unit of each level; 1 for the innermost.
    pub fn strides(&self) -> Vec<u32> {
        let mut strides = vec![1; self.depth()];
        for level in (1..self.depth()).rev() {
            strides[level - 1] = strides[level] * self.sizes[level];
        }
        strides
    }

    /// Coordinates of a number, outermost level first: algorithm 1.
    pub fn coordinates(&self, number: u32) -> Vec<u32> {
        let mut left = number;
        let mut found = vec![0; self.depth()];
        for (digit, size) in found.iter_mut().zip(&self.sizes).rev() {
            *digit = left % size;
            left /= size;
        }
        found
    }

    /// The number of coordinates under an order: algorithm 2.
    pub fn number(&self, coordinates: &[u32], order: &[usize]) -> u32 {
        let (mut number, mut factor) = (0, 1);
        for level in order {
            number += coordinates[*level] * factor;
            factor *= self.sizes[*level];
        }
        number
    }

    /// The old number of each new one: the core of each rank. O(count).
    pub fn old_of_new(&self, order: &[usize]) -> Vec<u32> {
        let strides = self.strides();
        let mut found = Vec::with_capacity(self.count as usize);
        found.push(0);
        for level in order {
            let so_far = found.len();
            for digit in 1..self.sizes[*level] {
                let step = digit * strides[*level];
                found.extend_from_within(..so_far);
                let start = found.len() - so_far;
                found[start..].iter_mut().for_each(|old| *old += step);
            }
        }
        found
    }

    /// The new number of each old one. O(count).
    pub fn new_of_old(&self, order: &[usize]) -> Vec<u32> {
        let mut found = vec![0; self.count as usize];
        for (new, old) in self.old_of_new(order).into_iter().enumerate() {
            found[old as usize] = new as u32;
        }
        found
    }

    /// A list of levels as an order.
    ///
    /// # Errors
    /// `NL-A007` unless every level is there once.
    pub fn order(&self, levels: &[i64], place: &str) -> Outcome<Vec<usize>> {
        let mut seen = vec![false; self.depth()];
        let found: Vec<usize> = levels
            .iter()
            .filter_map(|level| usize::try_from(*level).ok().filter(|level| *level < self.depth()))
            .filter(|level| !std::mem::replace(&mut seen[*level], true))
            .collect();
        if found.len() == levels.len() && found.len() == self.depth() {
            return Ok(found);
        }
        let expected = format!("a permutation of the levels 0 to {}, each once", self.depth() - 1);
        let given = levels.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        let identity = self.identity().iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        let hint = format!("the first level counts fastest; {identity} is the original numbering");
        Err(Fault::new(&codes::BAD_VALUE, place, expected, given).hint(hint).into())
    }
}

/// The next permutation in lexicographic order, or false after the last.
pub fn next_order(order: &mut [usize]) -> bool {
    let Some(i) = order.windows(2).rposition(|w| w[0] < w[1]) else { return false };
    let j = order.iter().rposition(|&v| v > order[i]).unwrap_or(i + 1);
    order.swap(i, j);
    order[i + 1..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn levels(sizes: &[i64]) -> Levels {
        Levels::new(sizes, "levels").unwrap()
    }

    /// Swartvagher 2023, table 1.
    #[test]
    fn rank_10_of_two_nodes_of_two_sockets_of_four_cores() {
        let levels = levels(&[2, 2, 4]);
        assert_eq!(levels.coordinates(10), [1, 0, 2]);
        let table = [([0, 1, 2], 9), ([0, 2, 1], 5), ([1, 0, 2], 10), ([1, 2, 0], 12), ([2, 0, 1], 6), ([2, 1, 0], 10)];
        for (order, rank) in table {
            assert_eq!(levels.number(&[1, 0, 2], &order), rank, "{order:?}");
            assert_eq!(levels.new_of_old(&order)[10], rank, "{order:?}");
        }
    }

    /// Swartvagher 2023, §3.1: 3 weeks, 2 days, 9 hours, 22 minutes and 32 seconds (E2-03: five coordinates).
    #[test]
    fn time_is_a_mixed_radix_number() {
        let levels = levels(&[4, 7, 24, 60, 60]);
        assert_eq!(levels.coordinates(2_020_952), [3, 2, 9, 22, 32]);
        assert_eq!(levels.number(&[3, 2, 9, 22, 32], &levels.identity()), 2_020_952);
    }

    #[test]
    fn bad_levels_and_orders_are_refused() {
        let code = |sizes: &[i64]| Levels::new(sizes, "levels").unwrap_err().0[0].code;
        assert_eq!([code(&[]), code(&[2, 1]), code(&[-2]), code(&[2; 33])], ["NL-A007"; 4]);
        assert_eq!([code(&[1 << 27]), code(&[i64::MAX, i64::MAX])], ["NL-A009"; 2]);
        let two = levels(&[2, 3]);
        for bad in [&[][..], &[0], &[0, 0], &[0, 2], &[-1, 0], &[0, 1, 1], &[0, 1, 2]] {
            assert_eq!(two.order(bad, "order").unwrap_err().0[0].code, "NL-A007", "{bad:?}");
        }
        assert_eq!(two.order(&[1, 0], "order").unwrap(), two.identity());
    }

    proptest! {
        #[test]
        fn every_order_is_a_bijection_that_the_algorithms_agree_on(sizes in prop::collection::vec(2i64..5, 1..5)) {
            let levels = levels(&sizes);
            let mut order: Vec<usize> = (0..levels.depth()).collect();
            let mut orders = 0;
            loop {
                orders += 1;
                let (old, new) = (levels.old_of_new(&order), levels.new_of_old(&order));
                for rank in 0..levels.count() {
                    prop_assert_eq!(new[rank as usize], levels.number(&levels.coordinates(rank), &order));
                    prop_assert_eq!(old[new[rank as usize] as usize], rank);
                }
                if !next_order(&mut order) {
                    break;
                }
            }
            prop_assert_eq!(orders, (1..=levels.depth()).product::<usize>());
            prop_assert_eq!(levels.new_of_old(&levels.identity()), (0..levels.count()).collect::<Vec<_>>());
        }
    }
}
