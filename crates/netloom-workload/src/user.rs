//! Schedules from outside: transfers as a user lists them, checked and put into the model's form.

use netloom_model::fault::{codes as model_codes, nearest};
use netloom_model::{Collective, Fault, Faults, Outcome, Schedule};

use crate::codes;
use crate::collectives::{Job, ROW_LIMIT};
use crate::plan::Builder;
use netloom_model::schedule::BlockRange;

/// `(source rank, destination rank, blocks, combine)`.
pub type UserTransfer = (i64, i64, Vec<i64>, bool);

/// The operation called `name` (`bcast` and underscores are understood).
///
/// # Errors
/// `NL-C013`.
pub fn collective_named(name: &str) -> Outcome<Collective> {
    let wanted = match name.replace('_', "-").as_str() {
        "bcast" => "broadcast".to_string(),
        "reduce-scatter-block" => "reduce-scatter".to_string(),
        other => other.to_string(),
    };
    if let Some(found) = Collective::ALL.iter().find(|c| c.name() == wanted) {
        return Ok(*found);
    }
    let names = Collective::ALL.iter().map(|c| c.name());
    let hint = match nearest(name, names.clone()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("known: {}", names.collect::<Vec<_>>().join(", ")),
    };
    Err(Fault::say(&codes::COLLECTIVE, "collective", format!("no operation is called \"{name}\"")).hint(hint).into())
}

/// A schedule of listed transfers, called `label` in faults and results. All transfers of a step happen at once, on what their senders held when it began.
/// Blocks are numbered as in [`netloom_model::Blocks`]: one per rank (allgather, gather, scatter, reduce-scatter,
/// barrier), `source·ranks + destination` (alltoall); broadcast, reduce, allreduce and scans cut their vector into as
/// many parts as the largest block number needs. The result is well formed; [`crate::verify`] checks that it is
/// correct.
///
/// # Errors
/// `NL-C001`..`NL-C003` ranks, root, size; `NL-C005` every transfer that names a rank or a block that does not exist, goes
/// from a rank to itself, carries nothing (the first 16 by name), or combines in an operation that only moves blocks; `NL-A009` too many transfers.
pub fn from_transfers(
    label: String,
    collective: Collective,
    ranks: i64,
    root: i64,
    size_bytes: i64,
    steps: &[Vec<UserTransfer>],
) -> Outcome<Schedule> {
    let job = Job::new(collective, ranks, root, size_bytes)?;
    let rows: u128 = steps.iter().flatten().map(|t| 1 + t.2.len() as u128).sum();
    if rows > ROW_LIMIT || steps.len() as u128 > ROW_LIMIT {
        let sentence = format!("{rows} transfers and blocks exceed {ROW_LIMIT}");
        return Err(Fault::say(&model_codes::TOO_LARGE, label, sentence).into());
    }
    let blocks = block_count(&job, &label, steps)?;
    let mut faults = Faults::none();
    let mut builder = Builder::new(job.ranks, blocks);
    for (step, transfers) in steps.iter().enumerate() {
        for (at, (src, dst, held, combine)) in transfers.iter().enumerate() {
            if faults.0.len() >= 16 {
                return Err(faults);
            }
            match ranges(&job, blocks, *src, *dst, held) {
                Ok(held) => builder.send(step as u32, *src as u32, *dst as u32, &held, *combine),
                Err(trouble) => {
                    let sentence = format!("transfer {at} of step {step} ({src} to {dst}) {trouble}");
                    faults.push(Fault::say(&codes::MALFORMED, &label, sentence));
                }
            }
        }
    }
    faults.or(())?;
    let schedule = job.schedule(label, (builder.finish(steps.len() as u32), 1), job.own_copy());
    crate::proof::check(&schedule)?;
    Ok(schedule)
}

fn block_count(job: &Job, label: &str, steps: &[Vec<UserTransfer>]) -> Outcome<u32> {
    let p = job.p();
    let count = match job.collective {
        Collective::Alltoall => p * p,
        Collective::Broadcast | Collective::Reduce | Collective::Allreduce | Collective::Scan | Collective::Exscan => {
            let largest = steps.iter().flatten().flat_map(|t| &t.2).max().copied().unwrap_or(0);
            largest.clamp(0, i64::MAX - 1) as u64 + 1
        }
        _ => p,
    };
    if count <= ROW_LIMIT as u64 || (job.collective == Collective::Alltoall && count <= u64::from(u32::MAX)) {
        return Ok(count as u32);
    }
    let sentence = format!("{count} blocks are too many");
    Err(Fault::say(&model_codes::TOO_LARGE, label, sentence).hint("number the blocks from 0 without gaps").into())
}

fn ranges(job: &Job, blocks: u32, src: i64, dst: i64, held: &[i64]) -> Result<Vec<BlockRange>, String> {
    let ranks = 0..i64::from(job.ranks);
    if !ranks.contains(&src) || !ranks.contains(&dst) {
        return Err(format!("names a rank that is not in 0..{} (inclusive)", job.ranks - 1));
    }
    if src == dst {
        return Err("goes from a rank to itself".into());
    }
    if held.is_empty() {
        return Err("carries no block".into());
    }
    let mut sorted = held.to_vec();
    sorted.sort_unstable();
    if let Some(outside) = sorted.iter().find(|b| !(0..i64::from(blocks)).contains(b)) {
        return Err(format!("carries block {outside}, but blocks are 0..{} (inclusive)", blocks - 1));
    }
    if let Some(twice) = sorted.windows(2).find(|w| w[0] == w[1]) {
        return Err(format!("carries block {} twice", twice[0]));
    }
    Ok(sorted.into_iter().map(|b| BlockRange { first: b as u32, count: 1 }).collect())
}
