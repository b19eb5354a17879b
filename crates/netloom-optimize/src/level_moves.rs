//! Moves of whole units: what is on the places of a unit is numbered anew with two levels changed (Swartvagher 2023), or goes to
//! another unit of the same size.

use netloom_model::{Levels, Outcome, Stream};

use crate::enumeration::{ORDERS, listed, of_start, split};
use crate::places::{Exchange, Places};
use crate::prepared::Prepared;

/// The places level by level.
pub struct LevelMoves {
    /// Slots in the order of their endpoints.
    slots: Vec<u32>,
    /// Outermost first.
    sizes: Vec<i64>,
}

impl LevelMoves {
    pub fn new(prepared: &Prepared<'_>) -> LevelMoves {
        let slots = listed(prepared);
        LevelMoves { sizes: split(of_start(prepared, &slots), ORDERS), slots }
    }

    /// True if there is a unit of several places.
    pub fn any(&self) -> bool {
        !self.sizes.is_empty()
    }

    /// Exchanges of a random move. O(places of the unit × levels).
    pub fn draw(&self, places: &Places, stream: &mut Stream, moves: &mut Vec<Exchange>) -> Outcome<()> {
        moves.clear();
        let depth = self.sizes.len() as u32;
        let level = stream.below(depth) as usize;
        let unit: usize = self.sizes[level..].iter().map(|s| *s as usize).product();
        let first = stream.below((self.slots.len() / unit) as u32) as usize * unit;
        let rank = |at: usize| places.rank_at(self.slots[first + at]);
        if level + 1 < depth as usize && stream.below(2) == 0 {
            let inside = Levels::new(&self.sizes[level..], "levels")?;
            let mut order = inside.identity();
            // The outermost of these levels, and one inside it.
            let (a, b) = (0, 1 + stream.below(inside.depth() as u32 - 1) as usize);
            let at = |wanted: usize| order.iter().position(|l| *l == wanted).unwrap_or(0);
            let (a, b) = (at(a), at(b));
            order.swap(a, b);
            cycles(&inside.old_of_new(&order), rank, moves);
        } else {
            let size = self.sizes[level] as u32;
            let each = unit / size as usize;
            let a = stream.below(size);
            let b = (a + 1 + stream.below(size - 1)) % size;
            let pair = |at| Exchange { a: rank(a as usize * each + at), b: rank(b as usize * each + at) };
            moves.extend((0..each).map(pair));
        }
        Ok(())
    }
}

/// Exchanges, one after another, that bring who is at each place to the one given.
fn cycles(to: &[u32], rank: impl Fn(usize) -> u32, moves: &mut Vec<Exchange>) {
    let mut seen = vec![false; to.len()];
    for first in 0..to.len() {
        let mut at = first;
        seen[at] = true;
        while !seen[to[at] as usize] {
            let next = to[at] as usize;
            moves.push(Exchange { a: rank(at), b: rank(next) });
            seen[next] = true;
            at = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::contract::{Case, random_traffic, shuffled};
    use crate::fixtures::{stencil, torus};

    #[test]
    fn changed_levels_make_blocks_of_rows() {
        // A row of sixteen ranks on each node. Blocks of 4x4, which are whole columns, need two changes of two levels.
        let network = torus(&[4], 1).with_slots(16).unwrap();
        let case = Case::new(network, (0..64).collect(), stencil(&[4, 16]), None).on_nodes(16);
        let value = |method: &str| case.run(false, method, "inter-node").unwrap().value;
        assert_eq!(value("two-opt(move=levels,swaps=300)"), 4 * 8);
        assert!(value("two-opt(swaps=300)") > 4 * 8);
    }

    #[test]
    fn any_number_of_ranks_stays_a_mapping() {
        for (ranks, free) in [(13, true), (12, false), (1, true), (7, false)] {
            let network = torus(&[3, 2], 1).with_slots(4).unwrap();
            let case = Case::new(network, shuffled(24, ranks, 2), random_traffic(ranks, 80, 3), None).on_nodes(4);
            let found = case.run(free, "two-opt(move=levels,accept=ties,swaps=500)", "hop-bytes").unwrap();
            assert_eq!(found.value, case.weighted_hops(&found.mapping, true));
            assert!(found.value <= found.start_value);
        }
    }
}
