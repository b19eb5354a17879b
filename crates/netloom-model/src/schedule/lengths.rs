//! Bytes of the messages of a cyclic round where blocks differ by a byte: how many of the longer blocks, which come first, a
//! rank sends. On a grid the numbers of a rank's blocks lie scattered; counts of offsets by leading coordinates find those
//! below a bound without looking at each.

use super::{Blocks, CyclicRound, Partner, RankGrid, RelativeRange, Turn};

/// Rounds with fewer blocks in a message are added up block by block.
const FEW: u64 = 64;

/// The bytes that every rank sends in a round, by position.
#[derive(Clone, Debug)]
pub struct Lengths {
    /// By channel, without what `cut` adds.
    fixed: Vec<u64>,
    /// The channel in which the longer blocks end within a part, and how to count those of a rank there.
    cut: Option<(u32, Below)>,
}

impl Lengths {
    /// `None` where another way is as quick: no grid, equal blocks, few blocks in a message. O(ranks + blocks sent) time, 4
    /// to 8 bytes a rank.
    pub fn of(round: &CyclicRound, (blocks, channels): (Blocks, u32), ranks: u32) -> Option<Lengths> {
        let (Partner::Grid(_, grid), Blocks::Split { total_bytes, count }) = (round.partner, blocks) else {
            return None;
        };
        let sent: u64 = round.ranges.iter().map(|range| u64::from(range.count)).sum();
        if blocks.are_even() || sent < FEW || count == u64::from(channels) {
            return None;
        }
        let (each, longer) = (total_bytes / count, total_bytes % count);
        let (own, row) = (count / u64::from(channels), u64::from(ranks));
        let in_part = |channel: u32, part: u32| {
            let first = u64::from(channel) * own + u64::from(part) * row;
            longer.saturating_sub(first).min(row)
        };
        let (mut fixed, mut cut) = (Vec::new(), None);
        for channel in 0..channels {
            let mut bytes = 0;
            for range in &round.ranges {
                let all = in_part(channel, range.part) == row;
                bytes += (each + u64::from(all)) * u64::from(range.count);
            }
            fixed.push(bytes);
            let within = |range: &&RelativeRange| (1..row).contains(&in_part(channel, range.part));
            if let Some(part) = round.ranges.iter().find(within).map(|range| range.part) {
                let offsets = round.ranges.iter().filter(|range| range.part == part);
                cut = Some((channel, Below::new(grid, offsets, in_part(channel, part) as u32)));
            }
        }
        Some(Lengths { fixed, cut })
    }

    /// Bytes that the rank at a position of a channel sends. O(axes).
    #[inline]
    pub fn bytes_at(&self, channel: u32, position: u32) -> u64 {
        let more = match &self.cut {
            Some((at, below)) if *at == channel => below.count(position),
            _ => 0,
        };
        self.fixed[channel as usize] + u64::from(more)
    }

    /// Bytes of memory.
    pub fn memory(&self) -> u64 {
        let numbers: usize = self.cut.iter().flat_map(|(_, below)| &below.upto).map(Vec::len).sum();
        4 * numbers as u64
    }
}

/// How many of a set of offsets are, from a rank, numbers below a bound.
#[derive(Clone, Debug)]
struct Below {
    axes: Vec<(u32, Turn)>,
    /// The coordinates of the bound.
    bound: Vec<u32>,
    /// By axis: how many offsets have these coordinates on the axes before, and this one or a smaller one here.
    upto: Vec<Vec<u32>>,
}

impl Below {
    /// O(ranks + offsets).
    fn new<'a>(grid: RankGrid, ranges: impl Iterator<Item = &'a RelativeRange>, bound: u32) -> Below {
        let axes: Vec<(u32, Turn)> = grid.axes().into_iter().filter(|axis| axis.0 > 1).collect();
        let ranks = grid.ranks();
        let mut counts = vec![0u32; ranks as usize];
        for offset in ranges.flat_map(|range| range.first..range.first + range.count) {
            counts[(offset % ranks) as usize] += 1;
        }
        let (mut upto, mut digits, mut rest) = (Vec::new(), Vec::new(), bound);
        for (extent, _) in axes.iter().rev() {
            let fewer = counts.chunks(*extent as usize).map(|row| row.iter().sum()).collect();
            for row in counts.chunks_mut(*extent as usize) {
                (1..row.len()).for_each(|at| row[at] += row[at - 1]);
            }
            upto.push(std::mem::replace(&mut counts, fewer));
            digits.push(rest % extent);
            rest /= extent;
        }
        upto.reverse();
        digits.reverse();
        Below { axes, bound: digits, upto }
    }

    fn count(&self, position: u32) -> u32 {
        let (mut below, mut row, mut left) = (0, 0u32, position);
        let mut unit: u32 = self.axes.iter().map(|axis| axis.0).product();
        for ((&(extent, turn), &bound), upto) in self.axes.iter().zip(&self.bound).zip(&self.upto) {
            unit /= extent;
            let at = left / unit;
            left %= unit;
            let first = (row * extent) as usize;
            let before = |offset: u32| if offset == 0 { 0 } else { upto[first + offset as usize - 1] };
            // Of the offsets `from .. from + number`, round the axis.
            let around = |from: u32, number: u32| {
                let head = number.min(extent - from);
                before(from + head) - before(from) + before(number - head)
            };
            let to = |coordinate: u32| match turn {
                Turn::Xor => at ^ coordinate,
                Turn::Mirrored if at % 2 == 1 => (at + extent - coordinate) % extent,
                _ => (coordinate + extent - at) % extent,
            };
            below += match turn {
                _ if bound == 0 => 0,
                Turn::Xor => (0..u32::BITS - bound.leading_zeros())
                    .filter(|bit| bound >> bit & 1 == 1)
                    .map(|bit| around(to(bound >> (bit + 1) << (bit + 1)) >> bit << bit, 1 << bit))
                    .sum(),
                // Downwards from the rank: the offset of the last coordinate is the first.
                Turn::Mirrored if at % 2 == 1 => around(to(bound - 1), bound),
                _ => around(to(0), bound),
            };
            row = row * extent + to(bound);
        }
        below
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stream;

    /// Against the sum over blocks, on random grids, sets and sizes.
    #[test]
    fn lengths_are_sums_of_blocks() {
        let mut draw = Stream::new(7, "lengths");
        let mut seen = [0; 3];
        for _ in 0..400 {
            let axes: Vec<(u32, Turn)> = (0..1 + draw.below(3))
                .map(|_| match draw.below(3) {
                    0 => (2 + draw.below(9), Turn::Around),
                    1 => (2 * (1 + draw.below(6)), Turn::Mirrored),
                    _ => (2 << draw.below(4), Turn::Xor),
                })
                .collect();
            let grid = RankGrid::new(&axes).unwrap();
            let (ranks, channels, parts) = (grid.ranks(), 1 + draw.below(3), 1 + draw.below(3));
            let partner = Partner::Grid(1, grid);
            let ranges: Vec<RelativeRange> = (0..200)
                .map(|_| {
                    let (first, part) = (draw.below(ranks), draw.below(parts));
                    RelativeRange { part, first, count: 1 + draw.below((ranks - first).min(5)) }
                })
                .collect();
            let round = CyclicRound { step: 0, partner, ranges, combine: false, bytes: 0 };
            let count = u64::from(ranks) * u64::from(channels) * u64::from(parts);
            let blocks = Blocks::Split { total_bytes: u64::from(draw.below(5 * count as u32)), count };
            let Some(lengths) = Lengths::of(&round, (blocks, channels), ranks) else { continue };
            for (channel, position) in (0..channels).flat_map(|channel| (0..ranks).map(move |at| (channel, at))) {
                let slow = round.bytes_at(position, (blocks, channel, channels), ranks);
                assert_eq!(lengths.bytes_at(channel, position), slow, "{axes:?} {blocks:?} {channel} {position}");
            }
            axes.iter().for_each(|axis| seen[axis.1 as usize] += 1);
        }
        assert!(seen.iter().all(|number| *number > 50), "{seen:?}");
    }
}
