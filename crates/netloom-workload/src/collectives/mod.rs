//! Collective algorithms. One file per operation holds its registry rows: generator and closed form side by side. The
//! generators are shared ([`crate::generate`]); the closed forms never use the output of a generator.

mod allgather;
mod allreduce;
mod allreduce_counts;
mod alltoall;
mod barrier;
mod broadcast;
pub(crate) mod channels;
pub(crate) mod flat;
mod gather;
pub(crate) mod hierarchical;
pub(crate) mod in_network;
mod job;
mod largest;
pub(crate) mod led;
mod levels;
mod limits;
mod reduce;
mod reduce_scatter;
mod row;
mod scan;
pub(crate) mod two_tier;
mod two_tier_counts;

use netloom_model::schedule::{Copied, Protocol, RankOrder};
use netloom_model::{Bound, Collective, CombiningTree, Outcome, Schedule};

use crate::plan::Plan;
use channels::Channels;
pub use in_network::{placed, shape_of};
pub use job::{Job, RANK_LIMIT};
pub(crate) use largest::Largest;
pub use limits::ROW_LIMIT;
pub(crate) use limits::check_rows;
use limits::{check_listed_pairs, check_ranges, check_rounds};
#[cfg(test)]
pub(crate) use row::Walk;
use row::accepts;
pub use row::{CollectiveRow, Form, Method, algorithm};

/// The schedule of a row. O(its messages), or O(the rounds of one rank) where all do the same.
///
/// # Errors
/// As [`Method::closed`]; `NL-A009` beyond [`ROW_LIMIT`] rows; `NL-X011` without the memory; `NL-C004` if the algorithm or an option does not take this
/// number of ranks.
pub fn schedule(row: &CollectiveRow, job: &Job, bound: &Bound) -> Outcome<Schedule> {
    let closed = row.closed(job, bound)?;
    accepts(row, job, bound)?;
    if job.collective == Collective::Alltoall && !row.is_cyclic(job, bound) {
        check_listed_pairs(row.name, job)?;
    }
    let channels = Channels::of(bound, row)?;
    let count = channels.map_or(1, |channels| channels.count);
    let is_woven = channels.is_some_and(|channels| channels.weaves(row, job, bound));
    let (messages, ranks) = (u128::from(closed.messages), u128::from(job.ranks));
    let (rows, rounds) = match (channels, row.form) {
        (None, Form::ListThenCyclic) => (ranks, messages / ranks),
        (None, _) if row.is_cyclic(job, bound) => (0, messages / ranks),
        (Some(_), _) if is_woven => (0, messages / ranks / u128::from(count)),
        _ => (messages, 0),
    };
    let lists = if is_woven { 1 } else { u128::from(count) };
    check_rounds(row.name, job, rounds)?;
    check_rows(row.name, job, rows)?;
    check_ranges(row.name, job, (row.ranges)(job, bound) * lists)?;
    let (plan, woven) = match channels {
        _ if row.on_tree.is_some() => {
            (in_network::plan(row, job, bound, &vec![CombiningTree::star(job.ranks); count as usize])?, None)
        }
        Some(channels) => channels.plan(row, job, bound)?,
        None => ((row.plan)(job, bound)?, None),
    };
    match woven {
        Some(woven) => Ok(Schedule {
            order: woven.order,
            ..schedule_of(row, job, bound, Plan { blocks: plan.blocks * u64::from(count), ..plan }, count)?
        }),
        None => schedule_of(row, job, bound, plan, count),
    }
}

/// A plan with its bytes, for so many channels.
fn schedule_of(row: &CollectiveRow, job: &Job, bound: &Bound, plan: Plan, channels: u32) -> Outcome<Schedule> {
    let protocol = Protocol::called(bound.text("protocol"));
    // GPU libraries combine what arrives on its way, and results are where the input was.
    let copied = if protocol.is_some() { Copied::default() } else { (row.copied)(job) };
    let channels = channels * row.strands;
    let levels = if row.is_cyclic(job, bound) { (row.levels)(job, bound) } else { None };
    let order = RankOrder { levels, ..RankOrder::default() };
    Ok(Schedule { protocol, order, ..job.schedule(bound.canonical().to_string(), (plan, channels), copied) })
}
