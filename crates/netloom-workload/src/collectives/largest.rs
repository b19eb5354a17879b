//! The largest message of a cyclic round where blocks differ by a byte.

use std::collections::HashMap;

use netloom_model::CyclicRound;
use netloom_model::schedule::{Blocks, Lengths, Partner, RankGrid, Turn};

/// Blocks of a round as a grid has them, counted from the first: runs of so many.
type Shape = (RankGrid, u32, Vec<(u32, u32)>);

/// Bytes of the messages of rounds: where block sizes differ, those of the rank that sends most.
pub(crate) struct Largest {
    blocks: Blocks,
    channels: u32,
    ranks: u32,
    /// Rounds whose blocks lie alike have one maximum.
    known: HashMap<Shape, u64>,
}

impl Largest {
    pub fn new((blocks, channels): (Blocks, u32), ranks: u32) -> Largest {
        Largest { blocks, channels, ranks, known: HashMap::new() }
    }

    pub fn of(&mut self, round: &CyclicRound) -> u64 {
        let one = self.blocks.count() == u64::from(self.channels);
        let alike = self.blocks.are_even() || one || matches!(self.blocks, Blocks::Parts { .. });
        match round.ranges.as_slice() {
            _ if alike => self.at(round, 0),
            // Longer blocks come first, so the heaviest run starts a part, and some rank sends that one.
            [run] if !matches!(round.partner, Partner::Grid(..)) => {
                self.blocks.run_bytes(u64::from(run.part) * u64::from(self.ranks), run.count.into())
            }
            _ => match shape(round) {
                Some(shape) => match self.known.get(&shape) {
                    Some(known) => *known,
                    None => {
                        let most = self.over_ranks(round);
                        self.known.insert(shape, most);
                        most
                    }
                },
                None => self.over_ranks(round),
            },
        }
    }

    /// The first channel has the longer blocks.
    fn at(&self, round: &CyclicRound, position: u32) -> u64 {
        round.bytes_at(position, (self.blocks, 0, self.channels), self.ranks)
    }

    fn over_ranks(&self, round: &CyclicRound) -> u64 {
        let most = match Lengths::of(round, (self.blocks, self.channels), self.ranks) {
            Some(lengths) => (0..self.ranks).map(|position| lengths.bytes_at(0, position)).max(),
            None => (0..self.ranks).map(|position| self.at(round, position)).max(),
        };
        most.unwrap_or(0)
    }
}

/// What holds for one rank in a round holds for another in each round of the same shape, where all axes are stepped around.
fn shape(round: &CyclicRound) -> Option<Shape> {
    let Partner::Grid(_, grid) = round.partner else { return None };
    let (first, count) = round.ranges.first().map(|range| (range.first, range.count))?;
    if grid.axes().iter().any(|axis| axis.1 != Turn::Around) {
        return None;
    }
    // Runs of all coordinates of the last axes move as one.
    let mut whole = 1;
    let mut rows = grid.axes().into_iter().rev().map(|axis| {
        whole *= axis.0;
        whole
    });
    let together = count == 1 || rows.any(|row| row == count);
    let aligned = round.ranges.iter().all(|range| range.count == count && range.first.is_multiple_of(count));
    (together && aligned).then(|| {
        let moved = round.ranges.iter().map(|range| (range.part, grid.offset(first, range.first)));
        (grid, count, moved.collect())
    })
}
