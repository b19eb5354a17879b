//! Collectives level by level. `inner(i)` is a plan for the teams of level `i` (with as many ranks as the level has
//! members), of the operation that the function names; levels with one member take none.
//!
//! Two ways to compose. *Led*: one rank per branch communicates on the levels above it (trees, HAN's allreduce). *Everybody*: all
//! ranks work on all levels, on a share that shrinks from level to level (BlueConnect).

use netloom_model::Outcome;
use netloom_model::schedule::BlockRange;

use super::hierarchy::{Composition, Hierarchy, Stage};
use crate::plan::Plan;

/// Makes the plan of one level.
pub(crate) type Inner<'a> = &'a dyn Fn(usize) -> Outcome<Plan>;

fn run(first: u32, count: u32) -> BlockRange {
    BlockRange { first, count }
}

/// Broadcasts from the root's branch to the others on the outermost level, then on the next.
pub(crate) fn down(h: &Hierarchy, root: u32, first_level: usize, inner: Inner) -> Outcome<Vec<Stage>> {
    let stage =
        |i: usize| Ok(Stage { plan: inner(i)?.rotated(h.digit(root, i), false), teams: h.led(i, root).collect() });
    (first_level..h.levels.len()).filter(|i| h.levels[*i] > 1).map(stage).collect()
}

/// Reductions the other way, innermost level first. Teams come last first, as in the broadcast read backwards.
pub(crate) fn up(h: &Hierarchy, root: u32, first_level: usize, inner: Inner) -> Outcome<Vec<Stage>> {
    let mut stages = down(h, root, first_level, inner)?;
    stages.reverse();
    stages.iter_mut().for_each(|stage| stage.teams.reverse());
    Ok(stages)
}

/// A plan among the ranks that lead on all levels below the outermost.
pub(crate) fn above(h: &Hierarchy, plan: Plan) -> Stage {
    Stage { plan, teams: h.led(0, 0).collect() }
}

/// All blocks to rank 0 of every branch, the allgather `top` among these, all that there is down to the other ranks.
pub(crate) fn led_allgather(h: &Hierarchy, up: Inner, top: Option<Plan>, down: Inner) -> Outcome<Plan> {
    let mut all = Composition::new(h.ranks(), h.ranks());
    for i in (1..h.levels.len()).rev().filter(|i| h.levels[*i] > 1) {
        branches(h, 0, i, up, &mut all)?;
    }
    if let Some(plan) = top {
        let width = h.width(0);
        all.run(plan, h.led(0, 0), |_, range, held| held.push(run(range.first * width, range.count * width)));
    }
    for i in (1..h.levels.len()).filter(|i| h.levels[*i] > 1) {
        all.run_alike(down(i)?, h.led(i, 0), |_| Some(0), |_, _, held| held.push(run(0, h.ranks())));
    }
    Ok(all.finish())
}

/// Barriers of the branches, innermost level first, of rank 0 of every branch on the outermost, and of the branches again: in
/// these a rank has heard of everybody once it has heard of its branch's rank 0.
pub(crate) fn led_barrier(h: &Hierarchy, inner: Inner) -> Outcome<Plan> {
    let mut all = Composition::new(h.ranks(), h.ranks());
    let used = || (0..h.levels.len()).filter(|i| h.levels[*i] > 1);
    for i in used().rev() {
        branches(h, 0, i, inner, &mut all)?;
    }
    for i in used().filter(|i| *i > 0) {
        all.run(inner(i)?, h.led(i, 0), |team, range, held| {
            if range.first == 0 {
                *held = vec![run(0, h.ranks())];
            } else if held.first().is_none_or(|all| all.count < h.ranks()) {
                held.push(run(team.first + range.first * team.stride, range.count * team.stride));
            }
        });
    }
    Ok(all.finish())
}

/// Every branch's blocks to its rank that leads, outermost level first.
pub(crate) fn scatter(h: &Hierarchy, root: u32, inner: Inner) -> Outcome<Plan> {
    let mut all = Composition::new(h.ranks(), h.ranks());
    for i in (0..h.levels.len()).filter(|i| h.levels[*i] > 1) {
        branches(h, root, i, inner, &mut all)?;
    }
    Ok(all.finish())
}

/// Blocks gather at the rank that leads, innermost level first.
pub(crate) fn gather(h: &Hierarchy, root: u32, inner: Inner) -> Outcome<Plan> {
    let mut all = Composition::new(h.ranks(), h.ranks());
    for i in (0..h.levels.len()).rev().filter(|i| h.levels[*i] > 1) {
        branches(h, root, i, inner, &mut all)?;
    }
    Ok(all.finish())
}

/// One level of a scatter or gather: member `c` represents the blocks of all ranks below it.
fn branches(h: &Hierarchy, root: u32, i: usize, inner: Inner, all: &mut Composition) -> Outcome<()> {
    let plan = inner(i)?.rotated(h.digit(root, i), true);
    all.run(plan, h.led(i, root), |team, range, held| {
        held.push(run(team.first - team.first % team.stride + range.first * team.stride, range.count * team.stride));
    });
    Ok(())
}

/// Every rank's own block to its team of the outermost level, then all blocks held to the team of the next: no block
/// enters a branch twice.
pub(crate) fn allgather(h: &Hierarchy, inner: Inner) -> Outcome<Plan> {
    let mut all = Composition::new(h.ranks(), h.ranks());
    for i in (0..h.levels.len()).filter(|i| h.levels[*i] > 1) {
        columns(h, i, inner, &mut all)?;
    }
    Ok(all.finish())
}

/// Innermost level first: the vector is smallest where the links are fewest.
pub(crate) fn reduce_scatter(h: &Hierarchy, inner: Inner) -> Outcome<Plan> {
    let mut all = Composition::new(h.ranks(), h.ranks());
    for i in (0..h.levels.len()).rev().filter(|i| h.levels[*i] > 1) {
        columns(h, i, inner, &mut all)?;
    }
    Ok(all.finish())
}

/// One level in which member `c` represents the blocks of the ranks with its digit `i` and its digits below: the same ones
/// in all teams that differ above.
fn columns(h: &Hierarchy, i: usize, inner: Inner, all: &mut Composition) -> Outcome<()> {
    let (above, span) = (h.above(i), h.width(i) * h.levels[i]);
    all.run_alike(
        inner(i)?,
        h.teams(i),
        |team| Some(team.first % team.stride),
        |team, range, held| {
            let low = team.first % team.stride;
            for member in range.first..range.first + range.count {
                held.extend((0..above).map(|high| run(high * span + member * team.stride + low, 1)));
            }
        },
    );
    Ok(())
}

/// Reduce-scatter up and allgather down, `inner` being an allgather that brings no block twice. The chunks are numbered so
/// that the blocks of a message are one run: chunk of rank `(x0, x1, ..)` is `x0 + d0·(x1 + d1·(..))`.
pub(crate) fn blueconnect(h: &Hierarchy, inner: Inner) -> Outcome<Plan> {
    let mut down = Composition::new(h.ranks(), h.ranks());
    for i in (0..h.levels.len()).filter(|i| h.levels[*i] > 1) {
        let above = h.above(i);
        down.run(inner(i)?, h.teams(i), |team, range, held| {
            let (mut low, mut unit) = (0, above * h.levels[i]);
            for k in i + 1..h.levels.len() {
                low += h.digit(team.first, k) * unit;
                unit *= h.levels[k];
            }
            held.push(run(low + range.first * above, range.count * above));
        });
    }
    let down = down.finish();
    Ok(down.clone().reversed(true).then(down))
}

/// Digit by digit, innermost first: a rank sends to the member `b` of its team all that it holds for ranks with digit `b`.
pub(crate) fn alltoall(h: &Hierarchy, inner: Inner) -> Outcome<Plan> {
    let p = h.ranks();
    let mut all = Composition::new(p, p * p);
    for i in (0..h.levels.len()).rev().filter(|i| h.levels[*i] > 1) {
        let (d, span, above) = (h.levels[i], h.width(i) * h.levels[i], h.above(i));
        all.run(inner(i)?, h.teams(i), |team, range, held| {
            let low = team.first % team.stride;
            let branch = team.first - low;
            for block in range.first..range.first + range.count {
                let (from, to) = (block / d, block % d);
                for source in (0..team.stride).map(|k| branch + from * team.stride + k) {
                    held.extend((0..above).map(|high| run(source * p + high * span + to * team.stride + low, 1)));
                }
            }
        });
    }
    Ok(all.finish())
}

/// Every rank hears of its team of the innermost level, then of the next one out.
pub(crate) fn barrier(h: &Hierarchy, inner: Inner) -> Outcome<Plan> {
    let mut all = Composition::new(h.ranks(), h.ranks());
    for i in (0..h.levels.len()).rev().filter(|i| h.levels[*i] > 1) {
        all.run(inner(i)?, h.teams(i), |team, range, held| {
            let branch = team.first - team.first % team.stride;
            held.push(run(branch + range.first * team.stride, range.count * team.stride));
        });
    }
    Ok(all.finish())
}
