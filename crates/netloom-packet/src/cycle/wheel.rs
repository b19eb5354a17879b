//! A priority structure for whole cycles: a ring of buckets, and an ordered list for what lies beyond the ring.

use std::collections::BTreeMap;

/// Items due at cycles. Time never goes back; items of one cycle come in the order in which they were put.
#[derive(Debug)]
pub struct Wheel<T> {
    ring: Vec<Vec<T>>,
    mask: u64,
    now: u64,
    far: BTreeMap<u64, Vec<T>>,
    len: usize,
}

impl<T> Wheel<T> {
    /// `span`: delays below it, rounded up to a power of two, take the ring.
    pub fn new(span: u64) -> Wheel<T> {
        let size = span.clamp(2, 1 << 16).next_power_of_two();
        Wheel { ring: (0..size).map(|_| Vec::new()).collect(), mask: size - 1, now: 0, far: BTreeMap::new(), len: 0 }
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// `at` is the current cycle or later.
    #[inline]
    pub fn put(&mut self, at: u64, item: T) {
        debug_assert!(at >= self.now, "{at} is before {}", self.now);
        self.len += 1;
        if at - self.now <= self.mask {
            self.ring[(at & self.mask) as usize].push(item);
        } else {
            self.far.entry(at).or_default().push(item);
        }
    }

    /// Swaps the items of the current cycle into `out`, which must be empty, and keeps its memory for later.
    #[inline]
    pub fn take(&mut self, out: &mut Vec<T>) {
        std::mem::swap(&mut self.ring[(self.now & self.mask) as usize], out);
        self.len -= out.len();
    }

    /// The next cycle, after [`Wheel::take`].
    #[inline]
    pub fn advance(&mut self) {
        self.now += 1;
        let edge = self.now + self.mask;
        if !self.far.is_empty() {
            while let Some(entry) = self.far.first_entry().filter(|entry| *entry.key() <= edge) {
                let at = *entry.key();
                let items = entry.remove();
                self.ring[(at & self.mask) as usize].extend(items);
            }
        }
    }

    /// Goes to `to` while there is nothing before it.
    pub fn skip(&mut self, to: u64) {
        debug_assert!(self.next().is_none_or(|next| next >= to));
        if to > self.now {
            self.now = to - 1;
            // Whatever the ring holds lies at `to` or later: within the new ring as well.
            self.advance();
        }
    }

    /// Cycle of the next item. O(ring).
    pub fn next(&self) -> Option<u64> {
        let near = (0..=self.mask).map(|ahead| self.now + ahead);
        let found = near.into_iter().find(|at| !self.ring[(at & self.mask) as usize].is_empty());
        found.or_else(|| self.far.keys().next().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn items_come_at_their_cycle_in_order(delays in prop::collection::vec((0u64..50, 0u64..200), 1..200)) {
            let mut wheel = Wheel::new(16);
            let mut wanted: Vec<(u64, usize)> = Vec::new();
            let (mut now, mut found, mut due) = (0u64, Vec::new(), Vec::new());
            let mut step = |wheel: &mut Wheel<usize>, now: &mut u64, found: &mut Vec<(u64, usize)>| {
                wheel.take(&mut due);
                found.extend(due.drain(..).map(|item| (*now, item)));
                wheel.advance();
                *now += 1;
            };
            for (item, (wait, delay)) in delays.into_iter().enumerate() {
                for _ in 0..wait {
                    step(&mut wheel, &mut now, &mut found);
                }
                wanted.push((now + delay, item));
                wheel.put(now + delay, item);
                prop_assert_eq!(wheel.next(), wanted.iter().map(|w| w.0).filter(|at| *at >= now).min());
            }
            while !wheel.is_empty() {
                step(&mut wheel, &mut now, &mut found);
            }
            wanted.sort_unstable();
            prop_assert_eq!(found, wanted);
        }
    }

    #[test]
    fn a_skip_loses_nothing() {
        let mut wheel = Wheel::new(8);
        for at in [5, 9, 100, 1000] {
            wheel.put(at, at);
        }
        let mut out = Vec::new();
        for at in [5, 9, 100, 1000] {
            assert_eq!(wheel.next(), Some(at));
            wheel.skip(at);
            wheel.take(&mut out);
            assert_eq!(out, [at]);
            out.clear();
            wheel.advance();
        }
        assert!(wheel.is_empty());
    }
}
