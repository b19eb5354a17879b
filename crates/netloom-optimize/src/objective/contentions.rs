//! Messages of one step that share a directed switch link: `m` messages count `m - 1`.

use std::sync::Arc;

use netloom_model::{Outcome, Schedule};

use super::paths::{PathTable, Touching, after};
use super::{FOLLOWED, Objective, too_large};
use crate::places::Places;

/// Most counters (steps × links).
const COUNTER_LIMIT: u64 = 1 << 28;
const MESSAGE_LIMIT: u64 = 1 << 26;

#[derive(Clone)]
pub struct Contentions {
    paths: PathTable,
    /// Source and destination of every message.
    ends: Arc<Vec<(u32, u32)>>,
    /// First counter of each message's step.
    base: Arc<Vec<u32>>,
    touching: Arc<Touching>,
    /// Messages on each link in each step.
    count: Vec<u32>,
    total: i64,
    /// Counters that the move under evaluation lowered and raised, to take it back without looking up paths again.
    lowered: Vec<u32>,
    raised: Vec<u32>,
}

impl Contentions {
    /// # Errors
    /// `NL-A009` beyond 2^26 messages or 2^28 counters.
    pub fn new(schedule: &Schedule, paths: PathTable, places: &Places) -> Outcome<Contentions> {
        let messages = schedule.messages();
        if messages > MESSAGE_LIMIT {
            return Err(too_large(&schedule.label, "messages", messages).into());
        }
        let (mut ends, mut steps) = (Vec::with_capacity(messages as usize), Vec::with_capacity(messages as usize));
        schedule.for_each_message(|m| {
            if m.src != m.dst {
                ends.push((m.src, m.dst));
                steps.push(m.step);
            }
        });
        let last = steps.iter().max().map_or(0, |s| u64::from(*s) + 1);
        let counters = last * paths.links as u64;
        if counters > COUNTER_LIMIT {
            return Err(too_large(&schedule.label, "counters of links in steps", counters).into());
        }
        let base = steps.iter().map(|s| s * paths.links as u32).collect();
        let touching = Arc::new(Touching::new(&ends, places.slots()));
        let (ends, base) = (Arc::new(ends), Arc::new(base));
        let count = vec![0; counters as usize];
        let mut made =
            Contentions { paths, ends, base, touching, count, total: 0, lowered: Vec::new(), raised: Vec::new() };
        for i in 0..made.ends.len() {
            let (src, dst) = made.ends[i];
            made.total += made.put(i, places.site(src), places.site(dst));
        }
        Ok(made)
    }

    /// Adds message `i` on the path between two sites; the contentions that makes.
    #[inline]
    fn put(&mut self, i: usize, from: u32, to: u32) -> i64 {
        let mut more = 0;
        for &link in self.paths.between(from, to) {
            self.raised.push(self.base[i] + link);
            let count = &mut self.count[(self.base[i] + link) as usize];
            more += i64::from(*count > 0);
            *count += 1;
        }
        more
    }

    /// Takes message `i` off the path between two sites; the contentions that ends.
    #[inline]
    fn take(&mut self, i: usize, from: u32, to: u32) -> i64 {
        let mut fewer = 0;
        for &link in self.paths.between(from, to) {
            self.lowered.push(self.base[i] + link);
            let count = &mut self.count[(self.base[i] + link) as usize];
            *count -= 1;
            fewer += i64::from(*count > 0);
        }
        fewer
    }

    /// Moves all messages of `a` and `b` to where they go after the exchange. O(messages × path length).
    fn shift(&mut self, places: &Places, a: u32, b: u32) -> i64 {
        let (ends, touching, sites) = (Arc::clone(&self.ends), Arc::clone(&self.touching), places.sites());
        let then = |rank: u32| after(sites, rank, a, b);
        self.lowered.clear();
        self.raised.clear();
        let mut change = 0;
        touching.each(&ends, a, b, |i| change -= self.take(i, sites[ends[i].0 as usize], sites[ends[i].1 as usize]));
        touching.each(&ends, a, b, |i| change += self.put(i, then(ends[i].0), then(ends[i].1)));
        change
    }
}

impl Objective for Contentions {
    fn value(&self) -> u64 {
        self.total as u64
    }
    fn energy(&self, places: &Places) -> f64 {
        let mut fresh = Contentions { count: vec![0; self.count.len()], ..self.clone() };
        let ends = Arc::clone(&self.ends);
        let sum: i64 = (0..ends.len()).map(|i| fresh.put(i, places.site(ends[i].0), places.site(ends[i].1))).sum();
        sum as f64
    }
    fn swap_delta(&mut self, places: &Places, a: u32, b: u32) -> f64 {
        let change = self.shift(places, a, b);
        self.raised.iter().for_each(|&i| self.count[i as usize] -= 1);
        self.lowered.iter().for_each(|&i| self.count[i as usize] += 1);
        change as f64
    }
    fn swap(&mut self, places: &Places, a: u32, b: u32) {
        self.total += self.shift(places, a, b);
    }
    fn relative_cost(&self) -> u64 {
        FOLLOWED
    }
    fn boxed<'s>(&self) -> Box<dyn Objective + 's>
    where
        Self: 's,
    {
        Box::new(self.clone())
    }
}
