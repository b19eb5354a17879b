//! The basis of every routing: from this place, which links may follow, on which channels?
//!
//! Paths, draws and channel dependencies follow from it; the functions here derive them.

use std::cell::Cell;
use std::collections::HashMap;

use crate::paths::{Path, PathList};

/// One possible next hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub link: u32,
    pub channel: u8,
    /// The place that it leads to.
    pub place: u64,
}

/// How candidate paths share the traffic of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// The same share for every path from one start.
    Paths,
    /// At every place, the same share for every next hop.
    Hops,
}

/// A routing bound to a destination. A *place* is a switch together with the state of the routing there, such as a
/// drawn intermediate switch; no place repeats on a route.
pub trait Way {
    /// Appends the places where packets from `source` start, each with the same share of them; a place may repeat. None
    /// if there is no route.
    fn starts(&self, source: u32, out: &mut Vec<u64>);
    /// Appends the next hops in a fixed order; none at the destination.
    fn steps(&self, place: u64, out: &mut Vec<Step>);
    /// 0 at the destination and nowhere else; smaller after every step. In general the remaining hops.
    fn remaining(&self, place: u64) -> u32;
    /// Appends, per step from `place`, a number in proportion to the paths that begin with it, and returns true; the
    /// default has no formula.
    fn weights(&self, _place: u64, _steps: &[Step], _out: &mut Vec<u64>) -> bool {
        false
    }
    /// The place without what decides channels alone: places of one value have the same links ahead.
    fn on_links(&self, place: u64) -> u64 {
        place
    }
    /// One of the starts, chosen by `draw`, which keeps the unused randomness. The default lists them.
    fn start(&self, source: u32, draw: &mut u64) -> Option<u64> {
        let mut starts = Vec::with_capacity(1);
        self.starts(source, &mut starts);
        match starts[..] {
            [] => None,
            [only] => Some(only),
            _ => Some(starts[choose(draw, &[starts.len() as u64]).1 as usize]),
        }
    }
}

/// Why no paths are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    NoPath,
    /// More paths than the limit.
    TooMany,
}

/// The index of one of `weights`, each in proportion to itself, and the place within it. `draw` is read as a fraction of
/// 2^64 and left as the fraction within that place: the remaining randomness. The weights sum to less than 2^63.
#[inline]
pub fn choose(draw: &mut u64, weights: &[u64]) -> (usize, u64) {
    let sum: u64 = weights.iter().sum();
    let wide = u128::from(*draw) * u128::from(sum);
    let mut at = (wide >> 64) as u64;
    let last = weights.len().saturating_sub(1);
    for (i, &weight) in weights.iter().enumerate() {
        if at < weight || i == last {
            *draw = wide as u64;
            return (i, at);
        }
        at -= weight;
    }
    (0, 0)
}

/// Replaces `out` by all paths from `source`, start by start, depth first in the order of the steps. O(paths · hops).
///
/// # Errors
/// If a route does not end at the destination, or there are more than `limit`.
pub fn paths(way: &dyn Way, source: u32, split: Split, limit: usize, out: &mut Vec<Path>) -> Result<(), Refusal> {
    out.clear();
    let push = |out: &mut Vec<Path>, trail: &[Step], fraction: f64| {
        let links = trail.iter().map(|step| step.link).collect();
        let channels = trail.iter().map(|step| step.channel).collect();
        out.push(Path { links, channels, fraction });
    };
    let share = |out: &mut Vec<Path>, path: usize, each: f64| out[path].fraction = each;
    each(way, source, split, limit, (out, push, share))
}

/// As [`paths`], without channels; nothing is allocated for a path.
///
/// # Errors
/// As [`paths`].
pub fn list(way: &dyn Way, source: u32, split: Split, limit: usize, out: &mut PathList) -> Result<(), Refusal> {
    out.clear();
    let push = |out: &mut PathList, trail: &[Step], fraction: f64| {
        out.links.extend(trail.iter().map(|step| step.link));
        out.close(fraction);
    };
    let share = |out: &mut PathList, path: usize, each: f64| out.shares[path] = each;
    each(way, source, split, limit, (out, push, share))
}

/// All paths into a list: what appends one with the share by hops, and what changes the share of one.
fn each<T>(
    way: &dyn Way,
    source: u32,
    split: Split,
    limit: usize,
    (out, push, share): (&mut T, impl Fn(&mut T, &[Step], f64), impl Fn(&mut T, usize, f64)),
) -> Result<(), Refusal> {
    let mut walk = WALK.take();
    walk.clear();
    way.starts(source, &mut walk.starts);
    let of_start = 1.0 / walk.starts.len() as f64;
    let mut count = 0;
    for nth in 0..walk.starts.len() {
        let first = count;
        walk.from(way, walk.starts[nth], of_start, |trail, fraction| {
            if count == limit {
                return Err(Refusal::TooMany);
            }
            count += 1;
            push(out, trail, fraction);
            Ok(())
        })?;
        if split == Split::Paths {
            let fraction = of_start / (count - first) as f64;
            (first..count).for_each(|path| share(out, path, fraction));
        }
    }
    WALK.set(walk);
    if count == 0 { Err(Refusal::NoPath) } else { Ok(()) }
}

thread_local! {
    /// The memory of the last walk: a run asks for the paths of millions of pairs.
    static WALK: Cell<Walk> = Cell::default();
}

/// A depth-first walk; its memory serves the next one.
#[derive(Default)]
struct Walk {
    starts: Vec<u64>,
    trail: Vec<Step>,
    /// The steps of all places on the trail, one place after another.
    steps: Vec<Step>,
    /// Per place of the trail: where its steps begin and end, the next of them, the share that arrives there.
    levels: Vec<(usize, usize, usize, f64)>,
}

impl Walk {
    fn clear(&mut self) {
        self.starts.clear();
        self.trail.clear();
        self.steps.clear();
        self.levels.clear();
    }

    /// All paths from one start, with fractions as of [`Split::Hops`].
    fn from(
        &mut self,
        way: &dyn Way,
        start: u64,
        share: f64,
        mut found: impl FnMut(&[Step], f64) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let (mut place, mut share) = (start, share);
        loop {
            let first = self.steps.len();
            way.steps(place, &mut self.steps);
            if self.steps.len() == first {
                if way.remaining(place) != 0 {
                    return Err(Refusal::NoPath);
                }
                found(&self.trail, share)?;
                self.trail.pop();
            } else {
                self.levels.push((first, self.steps.len(), first, share));
            }
            let step = loop {
                let Some((first, end, next, arrives)) = self.levels.last_mut() else { return Ok(()) };
                if next < end {
                    *next += 1;
                    share = *arrives / (*end - *first) as f64;
                    break self.steps[*next - 1];
                }
                self.steps.truncate(*first);
                self.levels.pop();
                self.trail.pop();
            };
            self.trail.push(step);
            place = step.place;
        }
    }
}

/// Calls `visit` once with each two consecutive hops of a route from one of `sources`, as (link, channel), for each
/// place between them. O(places on the routes · degree²).
///
/// # Errors
/// A source without a route.
pub fn dependencies(
    way: &dyn Way,
    sources: impl IntoIterator<Item = u32>,
    visit: &mut dyn FnMut((u32, u8), (u32, u8)),
) -> Result<(), u32> {
    let mut number: HashMap<u64, usize> = HashMap::new();
    let (mut places, mut starts) = (Vec::new(), Vec::new());
    for source in sources {
        starts.clear();
        way.starts(source, &mut starts);
        if starts.is_empty() {
            return Err(source);
        }
        for &start in &starts {
            number.entry(start).or_insert_with(|| {
                places.push(start);
                places.len() - 1
            });
        }
    }
    // Steps of each place, one place after another, with the number of the place that each leads to.
    let (mut steps, mut ends, mut found): (Vec<(Step, usize)>, Vec<usize>, Vec<Step>) = Default::default();
    let mut next = 0;
    while let Some(&place) = places.get(next) {
        next += 1;
        found.clear();
        way.steps(place, &mut found);
        for &step in &found {
            let to = *number.entry(step.place).or_insert_with(|| {
                places.push(step.place);
                places.len() - 1
            });
            steps.push((step, to));
        }
        ends.push(steps.len());
    }
    let of = |place: usize| if place == 0 { 0..ends[0] } else { ends[place - 1]..ends[place] };
    for &(held, to) in &steps {
        for &(asked, _) in &steps[of(to)] {
            visit((held.link, held.channel), (asked.link, asked.channel));
        }
    }
    Ok(())
}
