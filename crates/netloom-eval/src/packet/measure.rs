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
        assert_eq!(latencies.max(), all.last().copied());
        assert_eq!(latencies.mean(), Some(all.iter().sum::<u64>() as f64 / 1000.0));
    }
}
