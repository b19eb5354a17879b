//! Schedules executed, and compared with the closed form of their algorithm.

use netloom_model::{Bound, Call, Fault, Outcome, Progress, Schedule};

use crate::codes;
use crate::collectives::{CollectiveRow, Job, schedule};
use crate::counts::{Closed, Proof};
use crate::proof::{verify, verify_watched};
use crate::registry::bind_collective;

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
        let Schedule { collective, root, size_bytes, .. } = *schedule;
        // The formula of an in-network collective is that of one switch a channel.
        if schedule.switches <= schedule.channels {
            agrees(row, &Job { collective, ranks: schedule.members(), root, size_bytes }, &bound, &proof)?;
        }
    }
    Ok(proof)
}

/// The counts of the proof equal the formulas.
fn agrees(row: &CollectiveRow, job: &Job, bound: &Bound, proof: &Proof) -> Outcome<()> {
    let closed = row.closed(job, bound)?;
    let sent = proof.max_bytes_sent;
    let as_said = if bound.is_given("channels") {
        // Who sends most differs from channel to channel.
        sent <= closed.max_bytes_sent
    } else if row.exact_bytes {
        sent == closed.max_bytes_sent
    } else {
        let whole = Job { size_bytes: job.size_bytes - job.size_bytes % (row.pieces)(job, bound), ..*job };
        (row.closed(&whole, bound)?.max_bytes_sent..=closed.max_bytes_sent).contains(&sent)
    };
    let most_ports = bound.is_given("channels") || (row.stages_meet)(bound);
    let as_said = as_said && (!most_ports || proof.max_ports <= closed.max_ports);
    let max_ports = if most_ports { proof.max_ports } else { closed.max_ports };
    if as_said && (Closed { max_bytes_sent: sent, max_ports, ..closed }) == *proof {
        return Ok(());
    }
    let Job { ranks, root, size_bytes, .. } = job;
    let sentence = format!("{ranks} ranks, root {root}, {size_bytes} bytes: executed {proof}; by formula {closed}");
    Err(Fault::say(&codes::CLOSED_FORM, bound.canonical().to_string(), sentence).into())
}
