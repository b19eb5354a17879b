//! Collectives level by level. `inner(i)` is a plan for the teams of level `i` (with as many ranks as the level has
//! members), of the operation that the function names; levels with one member take none.
//!
//! Two ways to compose. *Led*: one rank per branch communicates on the levels above it (trees, HAN's allreduce). *Everybody*: all
//! ranks work on all levels, on a share that shrinks from level to level (BlueConnect).

use netloom_model::Outcome;
use netloom_model::schedule::BlockRange;

use super::hierarchy::{Composition, Hierarchy};
use crate::plan::Plan;

/// Makes the plan of one level.
pub(crate) type Inner<'a> = &'a dyn Fn(usize) -> Outcome<Plan>;

fn run(first: u32, count: u32) -> BlockRange {
    BlockRange { first, count }
}

/// Whole messages of `blocks` blocks from the root's branch to the others on the outermost level, then on the next.
pub(crate) fn broadcast(h: &Hierarchy, root: u32, blocks: u32, first_level: usize, inner: Inner) -> Outcome<Plan> {
    let mut all = Composition::new(h.ranks(), blocks);
    for i in (first_level..h.levels.len()).filter(|i| h.levels[*i] > 1) {
        let plan = inner(i)?.rotated(h.digit(root, i), false);
        all.run(plan, h.led(i, root), |_, _, held| held.push(run(0, blocks)));
    }
    Ok(all.finish())
}

/// Reduce to rank 0 of every branch, allreduce among them, broadcast down (as Open MPI's HAN does). `top` is the plan of
/// the outermost level and settles the number of blocks.
pub(crate) fn led_allreduce(h: &Hierarchy, top: Option<Plan>, inner: Inner) -> Outcome<Plan> {
    let blocks = top.as_ref().map_or(1, |plan| plan.blocks);
    let down = broadcast(h, 0, blocks, 1, inner)?;
    let mut middle = Composition::new(h.ranks(), blocks);
    if let Some(plan) = top {
        middle.run(plan, h.led(0, 0), |_, range, held| held.push(range));
    }
    Ok(down.clone().reversed(true).then(middle.finish()).then(down))
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
