//! What stands in the buffers of switches over time: blocks of switches by bins of time, in memory that does not grow.

use netloom_model::Network;

use crate::wire::{Wire, as_bytes};

/// Blocks of switches, at most.
const BLOCKS: u32 = 128;
/// A buffer that belongs to no switch.
const NOWHERE: u16 = u16::MAX;

/// Changes in one bin of time: their sum, and the sum of each times what was left of the bin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cell {
    step: i64,
    area: i128,
}

/// Amounts in buffers, summed over the switches of a block. A bin is a power of two ticks; when time goes beyond the last
/// one, neighbours become one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occupancy {
    from: u64,
    /// Of each buffer.
    block_of: Vec<u16>,
    blocks: u16,
    switches: u32,
    bins: usize,
    shift: u32,
    /// Bin by bin.
    cells: Vec<Cell>,
}

as_bytes! { Cell { step, area } }

/// Without the blocks of single buffers: what crosses is only added up.
impl Wire for Occupancy {
    fn put(&self, out: &mut Vec<u8>) {
        ((self.from, u64::from(self.shift)), ((self.blocks, self.switches), self.cells.clone())).put(out);
    }
    fn take(from: &mut &[u8]) -> Option<Self> {
        let ((start, shift), ((blocks, switches), cells)) = Wire::take(from)?;
        let (shift, bins): (u64, _) = (shift, Vec::len(&cells).checked_div(usize::from(blocks))?);
        let shift = u32::try_from(shift).ok().filter(|shift| *shift < u64::BITS)?;
        Some(Occupancy { from: start, block_of: Vec::new(), blocks, switches, bins, shift, cells })
    }
}

/// Mean amount in the buffers of a switch, over the switches of a block and a bin of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stood {
    pub from: u64,
    pub to: u64,
    pub first_switch: u32,
    pub switches: u32,
    pub amount: f64,
}

impl Occupancy {
    /// From tick `from` on, in at most `bins` bins, at least 2. Buffers are those of the network's links, switch links first: at
    /// their tails (`outputs`), or at their heads.
    pub fn new(network: &Network, outputs: bool, from: u64, bins: u16) -> Occupancy {
        let (switches, ends) = (network.switches(), network.endpoint_switch());
        let size = switches.div_ceil(BLOCKS).max(1);
        let block = |switch: &u32| (switch / size) as u16;
        let endpoints = ends.iter().map(block);
        let of_endpoints = endpoints.clone().map(|block| if outputs { NOWHERE } else { block });
        let between = if outputs { network.tails() } else { network.heads() };
        let block_of = between.iter().map(block).chain(of_endpoints).chain(endpoints.filter(|_| outputs)).collect();
        let (blocks, bins) = (switches.div_ceil(size).max(1) as u16, usize::from(bins.max(2)));
        let cells = vec![Cell::default(); bins * usize::from(blocks)];
        Occupancy { from, block_of, blocks, switches, bins, shift: 0, cells }
    }

    /// The same for some of the buffers alone, which have other numbers: their place in `numbers`.
    pub fn of(mut self, numbers: impl Iterator<Item = u32>) -> Occupancy {
        self.block_of = numbers.map(|buffer| self.block_of.get(buffer as usize).copied().unwrap_or(NOWHERE)).collect();
        self
    }

    /// What both hold, of the same network in as many bins from the same time on.
    pub fn and(mut self, mut other: Occupancy) -> Occupancy {
        while self.shift < other.shift {
            self.fold();
        }
        while other.shift < self.shift {
            other.fold();
        }
        for (cell, more) in self.cells.iter_mut().zip(&other.cells) {
            *cell = Cell { step: cell.step + more.step, area: cell.area + more.area };
        }
        self
    }

    /// What a buffer holds grows by `amount`, or shrinks. In any order of times.
    #[inline]
    pub fn change(&mut self, buffer: usize, at: u64, amount: i64) {
        let block = self.block_of.get(buffer).copied().unwrap_or(NOWHERE);
        if block == NOWHERE {
            return;
        }
        let since = at.saturating_sub(self.from);
        while since >> self.shift >= self.bins as u64 {
            self.fold();
        }
        let left = (1u64 << self.shift) - (since & ((1 << self.shift) - 1));
        let cell = &mut self.cells[(since >> self.shift) as usize * usize::from(self.blocks) + usize::from(block)];
        cell.step += amount;
        cell.area += i128::from(amount) * i128::from(left);
    }

    /// Bins twice as wide.
    #[cold]
    fn fold(&mut self) {
        let (blocks, width) = (usize::from(self.blocks), i128::from(1u64 << self.shift));
        for bin in 0..self.bins {
            for block in 0..blocks {
                let of = |bin: usize| self.cells.get(bin * blocks + block).copied().unwrap_or_default();
                let (first, second) = (of(2 * bin), of(2 * bin + 1));
                let area = first.area + second.area + width * i128::from(first.step);
                self.cells[bin * blocks + block] = Cell { step: first.step + second.step, area };
            }
        }
        self.shift += 1;
    }

    /// Every bin that begins before `until`, block by block. O(bins · blocks).
    pub fn stood(&self, until: u64) -> Vec<Stood> {
        let (blocks, width) = (usize::from(self.blocks), 1u64 << self.shift);
        let size = self.switches.div_ceil(BLOCKS).max(1);
        let mut held = vec![0i64; blocks];
        let mut rows = Vec::new();
        for (bin, cells) in self.cells.chunks_exact(blocks).enumerate() {
            let from = self.from + bin as u64 * width;
            if from >= until {
                break;
            }
            let to = (from + width).min(until);
            for ((block, cell), held) in (0u32..).zip(cells).zip(&mut held) {
                // Changes beyond the end are none: what they take from the rest of the bin comes back.
                let beyond = i128::from(from + width - to) * i128::from(*held + cell.step);
                let area = cell.area + i128::from(width) * i128::from(*held) - beyond;
                *held += cell.step;
                let first_switch = block * size;
                let switches = size.min(self.switches - first_switch);
                let amount = area as f64 / (to - from) as f64 / f64::from(switches);
                rows.push(Stood { from, to, first_switch, switches, amount });
            }
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use netloom_model::Call;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bins_hold_the_mean_of_every_tick(
            changes in prop::collection::vec((0usize..40, 0u64..200, 1i64..9, 0u64..300), 0..60), bins in 2u16..9,
        ) {
            let network = netloom_net::build(&Call::parse("torus(4,2)").unwrap()).unwrap();
            let mut found = Occupancy::new(&network, true, 7, bins);
            let links = network.links() as usize;
            let mut slow = vec![[0i64; 1024]; network.switches() as usize];
            let until = 507;
            for (link, at, amount, stay) in changes {
                let link = link % links;
                let of = match link as u32 {
                    between if between < network.switch_links() => Some(network.tails()[link]),
                    end if end >= network.ejection_link(0) => {
                        Some(network.endpoint_switch()[(end - network.ejection_link(0)) as usize])
                    }
                    _ => None,
                };
                found.change(link, 7 + at + stay, -amount);
                found.change(link, 7 + at, amount);
                if let Some(switch) = of {
                    (at..at + stay).for_each(|tick| slow[switch as usize][tick as usize] += amount);
                }
            }
            for Stood { from, to, first_switch, switches, amount } in found.stood(until) {
                prop_assert_eq!(switches, 1);
                let sum: i64 = (from - 7..to - 7).map(|tick| slow[first_switch as usize][tick as usize]).sum();
                prop_assert!((amount - sum as f64 / (to - from) as f64).abs() < 1e-9, "{}..{}: {} {}", from, to, amount, sum);
            }
        }
    }

    #[test]
    fn many_switches_share_blocks() {
        let network = netloom_net::build(&Call::parse("torus(30,30)").unwrap()).unwrap();
        let mut found = Occupancy::new(&network, false, 0, 4);
        (0..network.switch_links() as usize).for_each(|link| found.change(link, 0, 2));
        let rows = found.stood(3);
        assert_eq!(rows.iter().map(|row| row.switches).sum::<u32>(), 3 * 900);
        assert!(rows.iter().all(|row| row.amount == 8.0), "{rows:?}");
    }
}
