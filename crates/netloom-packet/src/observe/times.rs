//! Times as a histogram that grows with their range, not with their number.

use crate::wire::{Wire, as_bytes};

/// Bins per doubling: as a power of two.
const FINE: u32 = 8;

/// Counts of times in whole picoseconds: exact below 512, in bins of 1/256 to 1/512 of their time above.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times {
    counts: Vec<u64>,
    number: u64,
    sum: u128,
    most: u64,
}

as_bytes! { Times { counts, number, sum, most } }

/// Times from `from` to below `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub from: u64,
    pub to: u64,
    pub number: u64,
}

/// The number of a time's bin.
#[inline]
fn bin(time: u64) -> usize {
    let shift = (u64::BITS - time.leading_zeros()).saturating_sub(FINE + 1);
    ((shift as usize) << FINE) + (time >> shift) as usize
}

/// Where a bin begins.
fn begin(bin: usize) -> u64 {
    let shift = (bin >> FINE).saturating_sub(1);
    ((bin - (shift << FINE)) as u64) << shift
}

impl Times {
    #[inline]
    pub fn add(&mut self, time: u64) {
        let at = bin(time);
        if at >= self.counts.len() {
            self.counts.resize(at + 1, 0);
        }
        self.counts[at] += 1;
        self.number += 1;
        self.sum += u128::from(time);
        self.most = self.most.max(time);
    }

    /// Those of both.
    pub fn merge(&mut self, other: &Times) {
        self.counts.resize(self.counts.len().max(other.counts.len()), 0);
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
        self.number += other.number;
        self.sum += other.sum;
        self.most = self.most.max(other.most);
    }

    pub fn number(&self) -> u64 {
        self.number
    }

    /// `None` without times.
    pub fn mean(&self) -> Option<f64> {
        (self.number > 0).then(|| self.sum as f64 / self.number as f64)
    }

    pub fn max(&self) -> Option<u64> {
        (self.number > 0).then_some(self.most)
    }

    /// A time that at least the share `q` of all does not exceed, at most 1/256 above the least such one. O(bins).
    pub fn quantile(&self, q: f64) -> Option<u64> {
        let rank = ((q * self.number as f64).ceil() as u64).clamp(1, self.number.max(1));
        let mut seen = 0;
        let at = self.counts.iter().position(|count| {
            seen += count;
            seen >= rank
        })?;
        Some((begin(at + 1) - 1).min(self.most))
    }

    /// Eight bins per doubling, without a gap from the least time to the greatest.
    pub fn spans(&self) -> Vec<Span> {
        let coarse = |at: usize| at >> (FINE - 3) << (FINE - 3);
        let mut spans: Vec<Span> = Vec::new();
        for (at, count) in self.counts.iter().enumerate() {
            let first = coarse(at);
            match spans.last_mut() {
                Some(last) if last.from == begin(first) => last.number += count,
                None if *count == 0 => {}
                _ => spans.push(Span { from: begin(first), to: begin(first + (1 << (FINE - 3))), number: *count }),
            }
        }
        spans
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_narrow_and_without_gaps() {
        for time in (0..3000u64).chain((10..64).flat_map(|bits| [(1 << bits) - 1, 1 << bits, (1 << bits) + 12345])) {
            let (from, to) = (begin(bin(time)), begin(bin(time) + 1).wrapping_sub(1));
            assert!(from <= time && time <= to, "{time}: {from}..={to}");
            assert!((to - from) <= time / 256, "{time}: {from}..={to}");
        }
    }

    #[test]
    fn quantiles_are_those_of_the_sorted_list_or_a_little_more() {
        let mut all: Vec<u64> = (0..1000).map(|i| i * i % 977 * 131_071).collect();
        let (mut times, mut rest) = (Times::default(), Times::default());
        assert_eq!((times.mean(), times.quantile(0.5), times.spans()), (None, None, Vec::new()));
        all.iter().enumerate().for_each(|(at, time)| if at % 3 == 0 { times.add(*time) } else { rest.add(*time) });
        times.merge(&rest);
        all.sort_unstable();
        for (q, at) in [(0.0, 0), (0.001, 0), (0.5, 499), (0.99, 989), (0.999, 998), (1.0, 999)] {
            let (found, exact) = (times.quantile(q).unwrap(), all[at]);
            assert!(found >= exact && found - exact <= exact / 256, "{q}: {found} for {exact}");
        }
        assert_eq!((times.number(), times.max()), (1000, all.last().copied()));
        assert_eq!(times.mean(), Some(all.iter().sum::<u64>() as f64 / 1000.0));
        let spans = times.spans();
        assert!(spans.windows(2).all(|pair| pair[0].to == pair[1].from));
        for span in &spans {
            let inside = all.iter().filter(|time| (span.from..span.to).contains(time)).count();
            assert_eq!(span.number, inside as u64, "{span:?}");
        }
    }
}
