//! The dependencies between transfers of a schedule, without its steps.

use std::collections::BTreeSet;

use netloom_model::fault::codes as model_codes;
use netloom_model::schedule::Message;
use netloom_model::{Fault, Outcome, Schedule};
use rayon::prelude::*;

use super::expected::{combines, source};
use super::listed::List;
use super::{listed, validate};
use crate::codes;

/// Most blocks carried by all transfers, and most dependencies.
const WORK_LIMIT: u64 = 1 << 27;

/// Transfers in order of step, with the dependencies of each. A transfer waits for the transfers that brought its
/// sender what it carries, and for nothing else: neither for earlier sends of the same rank nor for the end of a step,
/// and what arrives later does not change what it carries (a sender copies, or a receiver keeps what comes too early).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dag {
    pub ranks: u32,
    pub messages: Vec<Message>,
    /// True where the receiver combines.
    pub combine: Vec<bool>,
    /// Transfer `i` waits for `before[offsets[i]..offsets[i+1]]`, all numbered below `i`.
    pub offsets: Vec<u32>,
    pub before: Vec<u32>,
}

impl Dag {
    /// Transfers that must have arrived before transfer `i` is sent, ascending.
    pub fn before(&self, i: usize) -> &[u32] {
        &self.before[self.offsets[i] as usize..self.offsets[i + 1] as usize]
    }
}

/// What came to one rank: `(block, step, transfer)`, sorted.
type Arrivals = Vec<(u32, u32, u32)>;

/// Transfers of one sender, each with those it waits for.
type Needs = Vec<(u32, Vec<u32>)>;

/// The dependency graph. O(Σ blocks carried × log).
///
/// # Errors
/// `NL-C005` malformed, `NL-C006` a sender lacks what it sends, `NL-A009` beyond 2^25 transfers or 2^27 carried blocks.
pub fn dag(schedule: &Schedule) -> Outcome<Dag> {
    let schedule = &listed(schedule)?;
    validate::check(schedule)?;
    let Some(list) = List::of(schedule) else { return Ok(empty(schedule.ranks)) };
    let carried: u64 = list.ranges.iter().map(|r| u64::from(r.count)).sum();
    limit(schedule, carried)?;
    let steps = step_numbers(&list);
    let (incoming, outgoing) = (by_rank(&list, |t| t.dst), by_rank(&list, |t| t.src));
    let per_rank: Vec<Outcome<Needs>> = (0..schedule.ranks as usize)
        .into_par_iter()
        .map(|rank| {
            let mut arrivals = Arrivals::new();
            for &i in &incoming[rank] {
                let t = &list.transfers[i as usize];
                arrivals.extend(list.blocks(t).map(|block| (block, steps[i as usize], i)));
            }
            arrivals.sort_unstable();
            outgoing[rank].iter().map(|&i| Ok((i, waits(&list, i, steps[i as usize], &arrivals)?))).collect()
        })
        .collect();
    let mut needs = vec![Vec::new(); list.transfers.len()];
    let mut edges = 0;
    for rank in per_rank {
        for (i, before) in rank? {
            edges += before.len() as u64;
            needs[i as usize] = before;
        }
    }
    limit(schedule, edges)?;
    let mut dag = empty(schedule.ranks);
    schedule.for_each_message(|m| dag.messages.push(m));
    dag.combine = list.transfers.iter().map(|t| t.combine).collect();
    for before in needs {
        dag.before.extend(before);
        dag.offsets.push(dag.before.len() as u32);
    }
    Ok(dag)
}

fn empty(ranks: u32) -> Dag {
    Dag { ranks, messages: Vec::new(), combine: Vec::new(), offsets: vec![0], before: Vec::new() }
}

fn limit(schedule: &Schedule, work: u64) -> Outcome<()> {
    if work <= WORK_LIMIT {
        return Ok(());
    }
    let sentence = format!("its dependencies come from {work} carried blocks, more than {WORK_LIMIT}");
    Err(Fault::say(&model_codes::TOO_LARGE, &schedule.label, sentence).hint("use fewer ranks").into())
}

fn step_numbers(list: &List) -> Vec<u32> {
    let widths = list.offsets.windows(2).map(|w| (w[1] - w[0]) as usize);
    widths.enumerate().flat_map(|(step, width)| std::iter::repeat_n(step as u32, width)).collect()
}

fn by_rank(list: &List, rank: impl Fn(&netloom_model::Transfer) -> u32) -> Vec<Vec<u32>> {
    let mut out = vec![Vec::new(); list.schedule.ranks as usize];
    for (i, t) in list.transfers.iter().enumerate() {
        out[rank(t) as usize].push(i as u32);
    }
    out
}

/// The transfers that made the blocks of transfer `i`, ascending.
fn waits(list: &List, i: u32, step: u32, arrivals: &Arrivals) -> Outcome<Vec<u32>> {
    let (schedule, t) = (list.schedule, &list.transfers[i as usize]);
    let combining = combines(schedule.collective);
    let mut before = BTreeSet::new();
    for block in list.blocks(t) {
        let first = arrivals.partition_point(|a| *a < (block, 0, 0));
        let end = arrivals.partition_point(|a| *a < (block, step, 0));
        let came = &arrivals[first..end];
        if combining {
            // A stored value replaces what was there; combined values add to it.
            let kept = came.iter().rposition(|a| !list.transfers[a.2 as usize].combine).unwrap_or(0);
            before.extend(came[kept..].iter().map(|a| a.2));
        } else if source(schedule, block) != t.src {
            let Some(bringer) = came.first() else {
                let sentence =
                    format!("rank {} sends block {block} to rank {} in step {step} but does not hold it", t.src, t.dst);
                return Err(Fault::say(&codes::NOT_HELD, &schedule.label, sentence).into());
            };
            before.insert(bringer.2);
        }
    }
    Ok(before.into_iter().collect())
}
