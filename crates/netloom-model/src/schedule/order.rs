//! The order in which channels go through the ranks.

use super::RankGrid;

/// The order in which channels go through the ranks, node by node: channel `c` of `n` enters a node of `m` ranks, numbered one
/// after another, at its rank `c m / n`. A *position* is where a rank stands in that order, or, with `levels`, in the order of the ranks' numbers
/// with the first level as the fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankOrder {
    /// Ranks of a node; the last one may have fewer.
    pub local: u32,
    /// Every other node is walked backwards.
    pub back_and_forth: bool,
    pub levels: Option<RankGrid>,
}

impl Default for RankOrder {
    /// The ranks in the order of their numbers.
    fn default() -> RankOrder {
        RankOrder { local: 1, back_and_forth: false, levels: None }
    }
}

impl RankOrder {
    /// The first rank of the node of a position or rank, how many it has, where the channel enters, and if backwards.
    #[inline]
    fn node(self, (channel, channels): (u32, u32), ranks: u32, at: u32) -> (u32, u32, u32, bool) {
        let node = at / self.local;
        let first = node * self.local;
        let members = self.local.min(ranks - first);
        let entry = (u64::from(channel) * u64::from(members) / u64::from(channels)) as u32 % members;
        (first, members, entry, self.back_and_forth && node % 2 == 1)
    }

    /// True if all positions are those of the ranks' numbers.
    pub fn is_plain(self) -> bool {
        self.local == 1 && self.levels.is_none()
    }

    /// The rank at a position of a channel, of so many. O(1).
    #[inline]
    pub fn rank_at(self, channel: (u32, u32), ranks: u32, position: u32) -> u32 {
        let position = self.levels.map_or(position, |levels| levels.reversed(position));
        if self.local == 1 {
            return position;
        }
        let (first, members, entry, backwards) = self.node(channel, ranks, position);
        let at = position - first;
        first + if backwards { entry + members - 1 - at } else { entry + at } % members
    }

    /// The position of a rank in a channel, of so many. O(1).
    #[inline]
    pub fn position_of(self, channel: (u32, u32), ranks: u32, rank: u32) -> u32 {
        let walked = self.walked(channel, ranks, rank);
        self.levels.map_or(walked, |levels| levels.unreversed(walked))
    }

    #[inline]
    fn walked(self, channel: (u32, u32), ranks: u32, rank: u32) -> u32 {
        if self.local == 1 {
            return rank;
        }
        let (first, members, entry, backwards) = self.node(channel, ranks, rank);
        let at = (rank - first + members - entry) % members;
        first + if backwards { members - 1 - at } else { at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Turn;

    #[test]
    fn ranks_and_positions_are_inverse() {
        for (ranks, local, channels) in [(16, 8, 8), (17, 4, 2), (23, 8, 3), (5, 7, 4), (9, 1, 3)] {
            for (channel, back_and_forth) in (0..channels).flat_map(|c| [(c, false), (c, true)]) {
                let levels = if ranks == 16 { RankGrid::new(&[(2, Turn::Around), (8, Turn::Around)]) } else { None };
                let order = RankOrder { local, back_and_forth, levels };
                let at: Vec<u32> = (0..ranks).map(|at| order.rank_at((channel, channels), ranks, at)).collect();
                for (position, rank) in (0..).zip(&at) {
                    assert_eq!(order.position_of((channel, channels), ranks, *rank), position);
                }
                let mut sorted = at.clone();
                sorted.sort_unstable();
                assert_eq!(sorted, (0..ranks).collect::<Vec<_>>());
            }
        }
        // Channel 1 of 2 enters a node of four at its third rank; back and forth, the next node is left there.
        let order = RankOrder { local: 4, back_and_forth: true, levels: None };
        let at: Vec<u32> = (0..8).map(|at| order.rank_at((1, 2), 8, at)).collect();
        assert_eq!(at, [2, 3, 0, 1, 5, 4, 7, 6]);
    }
}
