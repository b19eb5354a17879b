//! Whether a run fits, before it begins: what fails in the middle loses all that was simulated.

use netloom_model::fault::codes::TOO_LARGE;
use netloom_model::memory::Held;
use netloom_model::{CyclicRound, Fault, Outcome, Schedule, memory};

use crate::{Job, Load};

/// Most messages of a record.
pub const RECORDED: usize = 1 << 24;
/// Bytes of a message under way, with its requests and its flow, and of one in the record, with what its two ranks did
/// meanwhile. Measured: 740 to 1400, and 140.
const UNDER_WAY: u64 = 512;
/// Of a flow under way, which has no requests. Measured: 150 as packets, to 270.
const FLOW: u64 = 256;
const IN_RECORD: u64 = 140;

/// Holds the memory of a run until it has ended. `share`: of the ranks that act.
///
/// # Errors
/// `NL-A009` for a record of more messages than it can hold, `NL-X011` without the memory.
pub fn hold(jobs: &[Job<'_>], record: bool, share: f64) -> Outcome<Held> {
    let messages = jobs.iter().map(Job::expected_messages).fold(0, u64::saturating_add);
    if record && messages > RECORDED as u64 {
        return Err(too_long(messages).into());
    }
    let at_once = jobs.iter().map(at_once).fold(0, u64::saturating_add);
    let bytes = at_once.saturating_add(if record { IN_RECORD * messages } else { 0 });
    Ok(memory::hold((bytes as f64 * share) as u64, "simulation", &format!("a run of {messages} messages"))?)
}

/// A record with so many messages.
pub fn too_long(messages: u64) -> Fault {
    let sentence = format!("{messages} messages cannot be recorded, at most {RECORDED} can");
    Fault::say(&TOO_LARGE, "trace", sentence).hint("simulate without a trace, or fewer repetitions")
}

/// Bytes of the messages that are under way together at least once, as far as that is known without a run.
fn at_once(job: &Job<'_>) -> u64 {
    match job.work {
        Load::Schedule(schedule) => UNDER_WAY.saturating_mul(longest_step(schedule)),
        Load::Traffic(traffic) if traffic.starts().is_empty() => {
            let each = if job.repetitions == 1 { FLOW } else { UNDER_WAY };
            each * traffic.flows().len() as u64
        }
        Load::Traffic(_) | Load::Programs(_) => 0,
    }
}

fn longest_step(schedule: &Schedule) -> u64 {
    let of_step = |step: &[CyclicRound]| step.len() as u64;
    let cyclic = schedule.rounds.cyclic().chunk_by(|a, b| a.step == b.step).map(of_step).max();
    let list = schedule.rounds.listed();
    let listed = (0..list.steps()).map(|step| list.of_step(step).len() as u64).max();
    let all = u64::from(schedule.ranks) * u64::from(schedule.channels);
    listed.unwrap_or(0).max(cyclic.unwrap_or(0) * all)
}

#[cfg(test)]
mod tests {
    use netloom_model::Traffic;
    use netloom_model::traffic::Flow;

    use super::*;

    fn job<'a>(work: Load<'a>, places: &'a [u32], repetitions: u32) -> Job<'a> {
        Job {
            work,
            endpoint_of_rank: places,
            seat_of_rank: &[],
            routing: None,
            spread: Default::default(),
            start_s: 0.0,
            repetitions,
        }
    }

    #[test]
    fn a_record_that_is_too_long_is_refused_before_the_run() {
        let flow = |src, dst| Flow { src, dst, messages: 1, bytes: 8 };
        let traffic = Traffic::new("two", 2, vec![flow(0, 1), flow(1, 0)]);
        let fits = job(Load::Traffic(&traffic), &[0, 1], 1 << 23);
        assert!(hold(&[fits], true, 1.0).is_ok());
        let long = job(Load::Traffic(&traffic), &[0, 1], (1 << 23) + 1);
        assert_eq!(hold(&[long], true, 1.0).unwrap_err().0[0].code, "NL-A009");
        assert!(hold(&[long], false, 1.0).is_ok());
        assert_eq!(at_once(&job(Load::Traffic(&traffic), &[0, 1], 1)), 2 * FLOW);
        assert_eq!(at_once(&long), 2 * UNDER_WAY);
    }
}
