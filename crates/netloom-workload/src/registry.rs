//! Everything in this room that has a name.

use netloom_model::{Bound, Call, Fault, Outcome, Progress, Registry, Schedule};

use crate::codes;
use crate::collectives::{
    CollectiveRow, Job, Method, allgather, allreduce, alltoall, barrier, broadcast, gather, hierarchical, reduce,
    reduce_scatter, scan, schedule, two_tier,
};
use crate::counts::{Closed, Proof};
use crate::proof::{verify, verify_watched};

/// Every collective algorithm.
pub static COLLECTIVES: Registry<Method> = Registry {
    kind: "collectives",
    what: "collective",
    rows: &[
        broadcast::BINOMIAL,
        broadcast::K_NOMIAL,
        broadcast::K_ARY,
        broadcast::CHAIN,
        broadcast::LINEAR,
        broadcast::SCATTER_ALLGATHER,
        broadcast::SCATTER_RING,
        broadcast::BINE,
        broadcast::CIRCULANT,
        broadcast::DOUBLE_TREE,
        hierarchical::BROADCAST,
        two_tier::BROADCAST,
        reduce::BINOMIAL,
        reduce::K_NOMIAL,
        reduce::K_ARY,
        reduce::CHAIN,
        reduce::LINEAR,
        reduce::RABENSEIFNER,
        reduce::BINE,
        reduce::CIRCULANT,
        reduce::DOUBLE_TREE,
        hierarchical::REDUCE,
        two_tier::REDUCE,
        allreduce::RECURSIVE_DOUBLING,
        allreduce::RECURSIVE_EXCHANGE,
        allreduce::RECURSIVE_MULTIPLYING,
        allreduce::RABENSEIFNER,
        allreduce::RING,
        allreduce::SEGMENTED_RING,
        allreduce::CIRCULANT,
        allreduce::SWING,
        allreduce::SWING_ALL_PORTS,
        allreduce::BINE,
        allreduce::BUCKET,
        allreduce::BUCKET_ALL_PORTS,
        allreduce::DOUBLE_TREE,
        allreduce::REDUCE_BROADCAST,
        hierarchical::ALLREDUCE,
        hierarchical::BLUECONNECT,
        two_tier::ALLREDUCE,
        allgather::RING,
        allgather::RECURSIVE_DOUBLING,
        allgather::BRUCK,
        allgather::NEIGHBOUR_EXCHANGE,
        allgather::SPARBIT,
        allgather::CIRCULANT,
        allgather::CIRCULANT_SEGMENTS,
        allgather::PAT,
        allgather::SWING,
        allgather::SWING_ALL_PORTS,
        allgather::BUCKET,
        allgather::BUCKET_ALL_PORTS,
        allgather::LINEAR,
        hierarchical::ALLGATHER,
        two_tier::ALLGATHER,
        gather::GATHER_BINOMIAL,
        gather::GATHER_K_NOMIAL,
        gather::GATHER_BINE,
        gather::GATHER_LINEAR,
        hierarchical::GATHER,
        two_tier::GATHER,
        gather::SCATTER_BINOMIAL,
        gather::SCATTER_K_NOMIAL,
        gather::SCATTER_BINE,
        gather::SCATTER_LINEAR,
        hierarchical::SCATTER,
        two_tier::SCATTER,
        reduce_scatter::RING,
        reduce_scatter::PAIRWISE,
        reduce_scatter::RECURSIVE_HALVING,
        reduce_scatter::CIRCULANT,
        reduce_scatter::CIRCULANT_SEGMENTS,
        reduce_scatter::SWING,
        reduce_scatter::SWING_ALL_PORTS,
        reduce_scatter::PAT,
        reduce_scatter::BUCKET,
        reduce_scatter::BUCKET_ALL_PORTS,
        hierarchical::REDUCE_SCATTER,
        two_tier::REDUCE_SCATTER,
        alltoall::BRUCK,
        alltoall::PAIRWISE,
        alltoall::SCATTERED,
        alltoall::LINEAR,
        alltoall::RING,
        hierarchical::ALLTOALL,
        barrier::DISSEMINATION,
        barrier::RECURSIVE_DOUBLING,
        barrier::DOUBLE_RING,
        barrier::TREE,
        barrier::LINEAR,
        hierarchical::BARRIER,
        scan::RECURSIVE_DOUBLING,
        scan::LINEAR,
        scan::EXSCAN_RECURSIVE_DOUBLING,
        scan::EXSCAN_LINEAR,
    ],
};

/// The row of a name or alias (`bcast:binomial`, `reduce_scatter:ring`, `ompi:bcast:binomial`).
///
/// # Errors
/// `NL-A002` with the nearest name.
pub fn find_collective(name: &str) -> Outcome<&'static CollectiveRow> {
    let full = match name.split_once(':') {
        Some(("bcast", algorithm)) => format!("broadcast:{algorithm}"),
        Some(("reduce_scatter_block" | "reduce-scatter-block", algorithm)) => format!("reduce-scatter:{algorithm}"),
        _ => name.to_string(),
    };
    COLLECTIVES.find(&full)
}

/// Row and arguments of a call, under the registered name.
///
/// # Errors
/// `NL-A002` unknown name, `NL-A003`..`NL-A008` arguments.
pub fn bind_collective(call: &Call) -> Outcome<(&'static CollectiveRow, Bound)> {
    let row = find_collective(&call.name)?;
    Ok((row, row.bind(call)?))
}

/// The schedule of `call` on `ranks` ranks. `size_bytes` has the meaning of
/// [`netloom_model::Collective::size_meaning`]; `root` is 0 for operations without one. O(rows of the schedule).
///
/// # Errors
/// All of the call's, and those of [`Job::new`] and [`schedule`](crate::collectives::schedule).
///
/// ```
/// use netloom_model::Call;
/// let schedule = netloom_workload::build(&Call::parse("bcast:binomial")?, 8, 0, 1024)?;
/// assert_eq!((schedule.steps, schedule.messages()), (3, 7));
/// # Ok::<(), netloom_model::Faults>(())
/// ```
pub fn build(call: &Call, ranks: i64, root: i64, size_bytes: i64) -> Outcome<Schedule> {
    let (row, bound) = bind_collective(call)?;
    schedule(row, &Job::new(row.collective, ranks, root, size_bytes)?, &bound)
}

/// Steps, messages, bytes and ports of `call` by formula. O(log ranks), or O(depth) for chains.
///
/// # Errors
/// As [`build`], except that no list has to fit.
pub fn closed(call: &Call, ranks: i64, root: i64, size_bytes: i64) -> Outcome<Closed> {
    let (row, bound) = bind_collective(call)?;
    row.closed(&Job::new(row.collective, ranks, root, size_bytes)?, &bound)
}

/// Builds, executes and compares with the closed form.
///
/// # Errors
/// Those of [`schedule`](crate::collectives::schedule) and [`verify`]; `NL-C011` if the counts differ from the formula.
pub fn verify_row(row: &CollectiveRow, job: &Job, bound: &Bound) -> Outcome<Proof> {
    let proof = verify(&schedule(row, job, bound)?)?;
    agrees(row, job, bound, &proof)?;
    Ok(proof)
}

/// Executes `schedule`; one that a registered algorithm made must also agree with the closed form.
///
/// # Errors
/// As [`verify_row`].
pub fn verify_schedule(schedule: &Schedule, progress: &Progress) -> Outcome<Proof> {
    let proof = verify_watched(schedule, progress)?;
    if let Ok((row, bound)) = Call::parse(&schedule.label).and_then(|call| bind_collective(&call)) {
        let Schedule { collective, ranks, root, size_bytes, .. } = *schedule;
        agrees(row, &Job { collective, ranks, root, size_bytes }, &bound, &proof)?;
    }
    Ok(proof)
}

/// The counts of the proof equal the formulas.
fn agrees(row: &CollectiveRow, job: &Job, bound: &Bound, proof: &Proof) -> Outcome<()> {
    let closed = row.closed(job, bound)?;
    let sent = proof.max_bytes_sent;
    let as_said = if row.exact_bytes {
        sent == closed.max_bytes_sent
    } else {
        let whole = Job { size_bytes: job.size_bytes - job.size_bytes % (row.pieces)(job, bound), ..*job };
        (row.closed(&whole, bound)?.max_bytes_sent..=closed.max_bytes_sent).contains(&sent)
    };
    if as_said && (Closed { max_bytes_sent: sent, ..closed }) == *proof {
        return Ok(());
    }
    let Job { ranks, root, size_bytes, .. } = job;
    let sentence = format!("{ranks} ranks, root {root}, {size_bytes} bytes: executed {proof}; by formula {closed}");
    Err(Fault::say(&codes::CLOSED_FORM, bound.canonical().to_string(), sentence).into())
}
