//! Messages that share a directed switch link: `m` messages count `m - 1`, by step or over the whole workload.
//!
//! Over the workload this is the hops of all messages less the links in use.

use std::sync::Arc;

use netloom_model::{Bound, Fault, Kind, Outcome, Param, Schedule, Traffic};

use super::paths::{Ends, PathTable, SharedPaths, Touching, after};
use super::row::{Followed, Goal, Needs, ObjectiveRow};
use super::score::{FOLLOWED, Objective, too_large};
use crate::codes;
use crate::guest::Weigh;
use crate::places::Places;
use crate::prepared::Prepared;

/// Which messages may share a link at the same time.
const OVER: Param = Param::optional(
    "over",
    Kind::Choice(&["step", "workload"]),
    "step",
    "step: messages of one step share links; workload: all messages do, whatever their steps",
)
.keyword_only();

pub const CONTENTIONS: ObjectiveRow = ObjectiveRow {
    name: "contentions",
    aliases: &[],
    summary: "Messages beyond the first on their directed switch link, summed over links; counted in each step, or over the whole workload.",
    params: &[OVER],
    example: "contentions",
    restrictions: "the routing has one path per pair; over=step: the workload has steps",
    source: "Cui 2024 §3.3.2, which leaves open whether steps are told apart",
    build: Goal {
        needs: Needs { paths: Followed::OnePath, schedule: true, ..Needs::NOTHING },
        weigh: |_| Weigh::Messages,
        make,
        bound: |_| 0,
        moves: None,
        every: false,
    },
};

fn make<'p>(
    prepared: &'p Prepared<'p>,
    args: &Bound,
    places: &Places,
    _: &SharedPaths,
) -> Outcome<Box<dyn Objective + 'p>> {
    if args.text("over") == "workload" {
        let paths = PathTable::new(prepared)?;
        return Ok(Box::new(Contentions::together(prepared.problem.traffic, paths, places)?));
    }
    let Some(schedule) = prepared.problem.schedule else {
        let sentence = "contentions of steps need steps, which this workload does not have";
        return Err(Fault::say(&codes::NEEDS_SCHEDULE, &prepared.problem.traffic.label, sentence)
            .hint("use contentions(over=workload), or the objective max-link-load")
            .into());
    };
    Ok(Box::new(Contentions::in_steps(schedule, PathTable::new(prepared)?, places)?))
}

/// Most counters (steps × links).
const COUNTER_LIMIT: u64 = 1 << 28;
const MESSAGE_LIMIT: u64 = 1 << 26;

/// Where a message counts.
#[derive(Clone, Copy)]
struct Base {
    /// The first counter of its step.
    first: u32,
    /// How often it is sent in that step.
    times: u32,
}

#[derive(Clone)]
struct Contentions {
    paths: PathTable,
    /// Source and destination of every message.
    ends: Arc<Vec<Ends>>,
    base: Arc<Vec<Base>>,
    touching: Arc<Touching>,
    /// Messages on each link in each step.
    count: Vec<u32>,
    total: i64,
    /// Counters that the move under evaluation changed, and what they were before, in order: to take it back without
    /// looking up paths again.
    changed: Vec<(u32, u32)>,
}

impl Contentions {
    /// Messages of one step share links.
    ///
    /// # Errors
    /// `NL-A009` beyond 2^26 messages or 2^28 counters.
    pub fn in_steps(schedule: &Schedule, paths: PathTable, places: &Places) -> Outcome<Contentions> {
        let messages = schedule.messages();
        if messages > MESSAGE_LIMIT {
            return Err(too_large(&schedule.label, "messages", messages).into());
        }
        let (mut ends, mut steps) = (Vec::with_capacity(messages as usize), Vec::with_capacity(messages as usize));
        schedule.for_each_message(|m| {
            if m.src != m.dst {
                ends.push(Ends { src: m.src, dst: m.dst });
                steps.push(m.step);
            }
        });
        let last = steps.iter().max().map_or(0, |s| u64::from(*s) + 1);
        let counters = last * paths.links as u64;
        if counters > COUNTER_LIMIT {
            return Err(too_large(&schedule.label, "counters of links in steps", counters).into());
        }
        let base = steps.iter().map(|s| Base { first: s * paths.links as u32, times: 1 }).collect();
        Ok(Contentions::new(ends, base, counters as usize, paths, places))
    }

    /// All messages share links, whatever their steps.
    ///
    /// # Errors
    /// `NL-A009` beyond 2^32 messages or 2^26 pairs of ranks.
    pub fn together(traffic: &Traffic, paths: PathTable, places: &Places) -> Outcome<Contentions> {
        let flows = traffic.flows();
        if flows.len() as u64 > MESSAGE_LIMIT {
            return Err(too_large(&traffic.label, "pairs of ranks", flows.len() as u64).into());
        }
        let messages = flows.iter().fold(0u64, |sum, flow| sum.saturating_add(flow.messages));
        if messages > u64::from(u32::MAX) {
            return Err(too_large(&traffic.label, "messages", messages).into());
        }
        let sent = flows.iter().filter(|flow| flow.messages > 0);
        let (ends, base) = sent
            .map(|flow| (Ends { src: flow.src, dst: flow.dst }, Base { first: 0, times: flow.messages as u32 }))
            .unzip();
        let counters = paths.links;
        Ok(Contentions::new(ends, base, counters, paths, places))
    }

    fn new(ends: Vec<Ends>, base: Vec<Base>, counters: usize, paths: PathTable, places: &Places) -> Contentions {
        let touching = Arc::new(Touching::new(&ends, places.slots()));
        let (ends, base) = (Arc::new(ends), Arc::new(base));
        let count = vec![0; counters];
        let mut made = Contentions { paths, ends, base, touching, count, total: 0, changed: Vec::new() };
        for i in 0..made.ends.len() {
            let Ends { src, dst } = made.ends[i];
            made.total += made.put(i, places.site(src), places.site(dst));
        }
        made.changed = Vec::new();
        made
    }

    /// Adds message `i` on the path between two sites; the contentions that makes.
    #[inline]
    fn put(&mut self, i: usize, from: u32, to: u32) -> i64 {
        let Base { first, times } = self.base[i];
        let mut more = 0;
        for &link in self.paths.between(from, to) {
            let count = &mut self.count[(first + link) as usize];
            self.changed.push((first + link, *count));
            more += i64::from(times) - i64::from(*count == 0);
            *count += times;
        }
        more
    }

    /// Takes message `i` off the path between two sites; the contentions that ends.
    #[inline]
    fn take(&mut self, i: usize, from: u32, to: u32) -> i64 {
        let Base { first, times } = self.base[i];
        let mut fewer = 0;
        for &link in self.paths.between(from, to) {
            let count = &mut self.count[(first + link) as usize];
            self.changed.push((first + link, *count));
            *count -= times;
            fewer += i64::from(times) - i64::from(*count == 0);
        }
        fewer
    }

    /// Moves all messages of `a` and `b` to where they go after the exchange. O(messages × path length).
    fn shift(&mut self, places: &Places, a: u32, b: u32) -> i64 {
        let (ends, touching, sites) = (Arc::clone(&self.ends), Arc::clone(&self.touching), places.sites());
        let then = |rank: u32| after(sites, rank, a, b);
        self.changed.clear();
        let mut change = 0;
        touching
            .each(&ends, a, b, |i| change -= self.take(i, sites[ends[i].src as usize], sites[ends[i].dst as usize]));
        touching.each(&ends, a, b, |i| change += self.put(i, then(ends[i].src), then(ends[i].dst)));
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
        let sum: i64 = (0..ends.len()).map(|i| fresh.put(i, places.site(ends[i].src), places.site(ends[i].dst))).sum();
        sum as f64
    }
    fn swap_delta(&mut self, places: &Places, a: u32, b: u32) -> f64 {
        let change = self.shift(places, a, b);
        self.changed.iter().rev().for_each(|&(i, before)| self.count[i as usize] = before);
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
