//! Latencies as a histogram of whole cycles.

/// Counts of latencies: exact below a bound, in a sorted list beyond it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Latencies {
    counts: Vec<u64>,
    beyond: Vec<u64>,
    number: u64,
    sum: u128,
    most: u64,
}

/// Packets with a latency of `from` or more and less than `to` cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    pub from: u64,
    pub to: u64,
    pub packets: u64,
}

impl Bin {
    /// The empty one that holds a latency.
    fn of(cycles: u64) -> Bin {
        let width = 1 << (u64::BITS - cycles.leading_zeros()).saturating_sub(4);
        let from = cycles & !(width - 1);
        Bin { from, to: from + width, packets: 0 }
    }
}

/// Latencies below it have a counter each.
const COUNTED: u64 = 1 << 16;

impl Latencies {
    #[inline]
    pub fn add(&mut self, cycles: u64) {
        if cycles < COUNTED {
            let at = cycles as usize;
            if at >= self.counts.len() {
                self.counts.resize((at + 1).next_power_of_two(), 0);
            }
            self.counts[at] += 1;
        } else {
            self.beyond.push(cycles);
        }
        self.number += 1;
        self.sum += u128::from(cycles);
        self.most = self.most.max(cycles);
    }

    pub fn number(&self) -> u64 {
        self.number
    }

    /// `None` without packets.
    pub fn mean(&self) -> Option<f64> {
        (self.number > 0).then(|| self.sum as f64 / self.number as f64)
    }

    pub fn max(&self) -> Option<u64> {
        (self.number > 0).then_some(self.most)
    }

    /// Numbers of latencies from one bound to below the next, without a gap from the least latency to the greatest. Bounds
    /// are whole below 8, then eight per doubling: a few hundred at most.
    pub fn bins(&self) -> Vec<Bin> {
        let mut bins: Vec<Bin> = Vec::new();
        let mut add = |cycles: u64, packets: u64| {
            if bins.is_empty() {
                bins.push(Bin::of(cycles));
            }
            while let Some(last) = bins.last_mut() {
                if cycles < last.to {
                    last.packets += packets;
                    break;
                }
                let next = Bin::of(last.to);
                bins.push(next);
            }
        };
        let counted = (0..).zip(self.counts.iter().copied());
        counted.filter(|(_, packets)| *packets > 0).for_each(|(cycles, packets)| add(cycles, packets));
        let mut beyond = self.beyond.clone();
        beyond.sort_unstable();
        beyond.into_iter().for_each(|cycles| add(cycles, 1));
        bins
    }

    /// The least latency that at least the share `q` of the packets do not exceed. O(distinct latencies).
    pub fn quantile(&mut self, q: f64) -> Option<u64> {
        let rank = ((q * self.number as f64).ceil() as u64).clamp(1, self.number.max(1));
        let mut seen = 0;
        for (cycles, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= rank {
                return Some(cycles as u64);
            }
        }
        self.beyond.sort_unstable();
        self.beyond.get((rank - seen).checked_sub(1)? as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_sorted_list() {
        let mut all: Vec<u64> = (0..1000).map(|i| i * i % 977 * 131).collect();
        let mut latencies = Latencies::default();
        assert_eq!((latencies.mean(), latencies.quantile(0.5)), (None, None));
        all.iter().for_each(|l| latencies.add(*l));
        all.sort_unstable();
        for (q, at) in [(0.0, 0), (0.001, 0), (0.5, 499), (0.99, 989), (0.999, 998), (1.0, 999)] {
            assert_eq!(latencies.quantile(q), Some(all[at]), "{q}");
        }
        let bins = latencies.bins();
        assert_eq!((bins[0].from, bins[1].to), (0, 2));
        assert!(bins.windows(2).all(|pair| pair[0].to == pair[1].from));
        assert!(bins.iter().all(|bin| (bin.to - bin.from) * 8 <= bin.from.max(8)));
        assert!(bins.last().is_some_and(|bin| (bin.from..bin.to).contains(&all[999])));
        for bin in &bins {
            let inside = all.iter().filter(|cycles| (bin.from..bin.to).contains(cycles)).count();
            assert_eq!(bin.packets, inside as u64, "{bin:?}");
        }
        assert_eq!(latencies.max(), all.last().copied());
        assert_eq!(latencies.mean(), Some(all.iter().sum::<u64>() as f64 / 1000.0));
    }
}
