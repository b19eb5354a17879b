//! Collectives level by level in which all ranks do the same: one rank stands for all, as in cyclic rounds of one level.
//! What a rank holds is, on each level, either its own or that of all members, or what the level's rounds say.

use netloom_model::Outcome;
use netloom_model::schedule::{CyclicRound, MOST_AXES, Partner, RankGrid, RelativeRange, Rounds, Turn};

use super::hierarchy::Hierarchy;
use super::hierarchy_plans::Inner;
use crate::plan::{Plan, round, runs};

/// A run of an inner plan's blocks that does not wrap.
#[derive(Clone, Copy)]
struct Run {
    part: u32,
    first: u32,
    count: u32,
}

/// True if rounds of this plan are cyclic, with partners on so few axes that there is room for `others` more.
pub(crate) fn fits(plan: &Plan, others: usize) -> bool {
    let Rounds::Cyclic(rounds) = &plan.rounds else { return false };
    rounds.iter().all(|round| axes(round.partner, plan.ranks).len() + others <= MOST_AXES)
}

/// The axes along which a partner is reached.
fn axes(partner: Partner, ranks: u32) -> Vec<(u32, Turn)> {
    match partner {
        Partner::Shift(_) => vec![(ranks, Turn::Around)],
        Partner::Xor(_) => vec![(ranks, Turn::Xor)],
        Partner::Grid(_, grid) => grid.axes().into_iter().filter(|axis| axis.0 > 1).collect(),
    }
}

/// Rounds of levels, one after the other.
struct LevelRounds<'a> {
    h: &'a Hierarchy,
    rounds: Vec<CyclicRound>,
    step: u32,
}

impl<'a> LevelRounds<'a> {
    fn new(h: &'a Hierarchy) -> LevelRounds<'a> {
        LevelRounds { h, rounds: Vec::new(), step: 0 }
    }

    /// The rounds of `inner` on all teams of level `i`; `bundle` gives what stands for a run of its blocks.
    fn run(&mut self, i: usize, inner: &Plan, bundle: impl Fn(Run) -> Vec<RelativeRange>) {
        let Rounds::Cyclic(rounds) = &inner.rounds else { return };
        let around = |levels: &[u32]| levels.iter().filter(|d| **d > 1).map(|d| (*d, Turn::Around)).collect::<Vec<_>>();
        let (outer, within) = (around(&self.h.levels[..i]), around(&self.h.levels[i + 1..]));
        for own in rounds {
            let all = [outer.clone(), axes(own.partner, inner.ranks), within.clone()].concat();
            let grid = RankGrid::new(&all).expect("its axes were counted");
            let to = own.partner.of(0, inner.ranks) * self.h.width(i);
            let held = own.ranges.iter().flat_map(|range| unwrapped(range, inner.ranks)).flat_map(&bundle).collect();
            self.rounds.push(round(self.step + own.step, Partner::Grid(to, grid), held, own.combine));
        }
        self.step += inner.steps;
    }
}

fn unwrapped(range: &RelativeRange, ranks: u32) -> impl Iterator<Item = Run> {
    let head = range.count.min(ranks - range.first);
    let pieces = [(range.first, head), (0, range.count - head)];
    let part = range.part;
    pieces.into_iter().filter(|(_, count)| *count > 0).map(move |(first, count)| Run { part, first, count })
}

fn levels(h: &Hierarchy) -> impl DoubleEndedIterator<Item = usize> {
    let used: Vec<usize> = (0..h.levels.len()).filter(|i| h.levels[*i] > 1).collect();
    used.into_iter()
}

/// What a member of level `i` stands for where the levels above are done: all that differ from it above.
fn column(h: &Hierarchy, i: usize, run: Run) -> Vec<u32> {
    let (stride, span) = (h.width(i), h.width(i) * h.levels[i]);
    let members = move |high| (run.first..run.first + run.count).map(move |o| high * span + o * stride);
    (0..h.above(i)).flat_map(members).collect()
}

/// What a member of level `i` stands for where the levels below are done: all ranks below it.
fn branch(h: &Hierarchy, i: usize, run: Run) -> Vec<RelativeRange> {
    let stride = h.width(i);
    vec![RelativeRange { part: run.part, first: run.first * stride, count: run.count * stride }]
}

/// [`super::hierarchy_plans::allgather`].
pub(crate) fn allgather(h: &Hierarchy, inner: Inner) -> Outcome<Plan> {
    columns(h, levels(h), inner)
}

/// [`super::hierarchy_plans::reduce_scatter`].
pub(crate) fn reduce_scatter(h: &Hierarchy, inner: Inner) -> Outcome<Plan> {
    columns(h, levels(h).rev(), inner)
}

fn columns(h: &Hierarchy, levels: impl Iterator<Item = usize>, inner: Inner) -> Outcome<Plan> {
    let mut all = LevelRounds::new(h);
    for i in levels {
        all.run(i, &inner(i)?, |run| runs(run.part, &mut column(h, i, run)));
    }
    Ok(Plan::cyclic(h.ranks(), h.ranks(), all.step, all.rounds))
}

/// [`super::hierarchy_plans::blueconnect`], over positions of which the first level is the fastest: what a message
/// carries is one run there.
pub(crate) fn blueconnect(h: &Hierarchy, inner: Inner) -> Outcome<Plan> {
    let turned = Hierarchy { levels: h.levels.iter().rev().copied().collect() };
    let mut down = LevelRounds::new(&turned);
    for i in levels(h) {
        let at = h.levels.len() - 1 - i;
        down.run(at, &inner(i)?, |run| branch(&turned, at, run));
    }
    let down = Plan::cyclic(h.ranks(), h.ranks(), down.step, down.rounds);
    Ok(down.clone().reversed(true).then(down))
}

/// [`super::hierarchy_plans::alltoall`].
pub(crate) fn alltoall(h: &Hierarchy, inner: Inner) -> Outcome<Plan> {
    let mut all = LevelRounds::new(h);
    for i in levels(h).rev() {
        let stride = h.width(i);
        all.run(i, &inner(i)?, |run| {
            let parts = run.part * stride..(run.part + 1) * stride;
            let mut to = column(h, i, run);
            let to = runs(0, &mut to);
            parts.flat_map(|part| to.iter().map(move |range| RelativeRange { part, ..*range })).collect()
        });
    }
    Ok(Plan::cyclic_of_pairs(h.ranks(), all.step, all.rounds))
}

/// [`super::hierarchy_plans::barrier`].
pub(crate) fn barrier(h: &Hierarchy, inner: Inner) -> Outcome<Plan> {
    let mut all = LevelRounds::new(h);
    for i in levels(h).rev() {
        all.run(i, &inner(i)?, |run| branch(h, i, run));
    }
    Ok(Plan::cyclic(h.ranks(), h.ranks(), all.step, all.rounds))
}
