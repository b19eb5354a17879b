//! Ranks that send, receive, wait and compute in simulated time, over any [`Transport`]: actors, matching, stuck
//! detection, the record of a run and its critical path. Nothing here depends on how a network carries a message.

mod check;
pub mod codes;
mod contention_causes;
mod critical_path;
mod engine;
mod flows;
mod folded;
mod job;
mod line;
mod machine;
mod matching;
mod part;
mod periods;
mod rank;
mod repeats;
mod room;
pub mod runs;
mod source;
mod stopwatch;
mod stuck;
#[cfg(test)]
mod tests;
mod trace;
mod transport;
mod utilisation;

use std::sync::Arc;

use netloom_model::{Outcome, Progress, Software, Time};

pub use check::check;
pub use critical_path::{CriticalPath, Segment, Stretch, critical_path};
pub use folded::{Actor, Folded, NO_PAIR, PairClass};
pub use job::{Job, Load, Spread};
pub use machine::RoutedMachine;
pub use matching::Fold;
pub use source::share_of_rounds;
pub use stopwatch::Stopwatch;
pub use trace::{Activity, Interval, LinkBins, MessageTrace, Routine, Trace};
pub use transport::{Passage, Payload, Transport};
pub use utilisation::{BACKGROUND, Utilisation, split};

/// The result; `W` is the transport's count of its work.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Execution<W> {
    /// When each rank of each job ended; NaN for one that had not when the run was stopped.
    pub finish_s: Vec<Vec<f64>>,
    /// Simulated time at which the run was stopped, if it was.
    pub stopped_s: Option<f64>,
    /// Messages that arrived and their payload.
    pub messages: u64,
    pub bytes: u64,
    pub work: W,
    /// Classes of ranks of which one rank each was simulated; `None` where all were.
    pub folded_ranks: Option<u64>,
    /// Periods of rounds, steps, iterations or repetitions that were not simulated since they repeat earlier ones.
    pub periods_skipped: u64,
    pub trace: Option<Trace>,
    /// Transfer time of each message of the trace if it were alone.
    pub alone_s: Vec<f64>,
}

impl<W> Execution<W> {
    /// The same with a part of its work, and the rest.
    pub fn divide<V, R>(self, of: impl FnOnce(W) -> (V, R)) -> (Execution<V>, R) {
        let Execution { finish_s, stopped_s, messages, bytes, work, folded_ranks, periods_skipped, trace, alone_s } =
            self;
        let (work, rest) = of(work);
        (Execution { finish_s, stopped_s, messages, bytes, work, folded_ranks, periods_skipped, trace, alone_s }, rest)
    }

    /// When the last rank of all jobs ended, of those that did.
    pub fn end_s(&self) -> f64 {
        self.finish_s.iter().flatten().copied().fold(0.0, f64::max)
    }
}

/// How a run is done.
#[derive(Clone, Debug, Default)]
pub struct Manner {
    /// Messages, ranks and links are recorded.
    pub record: bool,
    /// Classes of the ranks of the only job, of which one rank each runs. The transport has to know the classes of pairs.
    pub folded: Option<Arc<Folded>>,
    /// What the only job does again, beginning as an earlier time, is not simulated again.
    pub periods: bool,
    /// The ranks that act, numbered through all jobs, and no message of theirs is from or to another one; `None`: all.
    pub acting: Option<Arc<[bool]>>,
}

/// Runs jobs together over one transport, which has checked them. If it is stopped, the result is what there is by then.
///
/// # Errors
/// `NL-E012` for a deadlock, with the cycle; `NL-E013` for a message without partner; `NL-E014` for one longer than its
/// receive; `NL-X011` without the memory, `NL-A009` if the record would be too long, both before the run; `NL-E016` if time overflows; `NL-E004` if stopped and the transport
/// has no part of a result; as the transport.
pub fn run<T: Transport>(
    transport: T,
    software: Software,
    jobs: &[Job<'_>],
    Manner { record, folded, periods, acting }: Manner,
    progress: &Progress,
) -> Outcome<Execution<T::Work>> {
    let share = acting
        .as_ref()
        .map_or(1.0, |acting| acting.iter().filter(|acts| **acts).count() as f64 / acting.len().max(1) as f64);
    let _held = if folded.is_none() { Some(room::hold(jobs, record, share)?) } else { None };
    let parts = jobs.iter().map(part::Part::new).collect::<Outcome<Vec<_>>>()?;
    let expected: u64 = jobs.iter().map(Job::expected_messages).sum();
    progress.expect((expected as f64 * share) as u64);
    let mut engine = engine::Engine::new(transport, software, jobs.into(), Arc::new(parts), folded);
    if let Some(acting) = acting {
        engine.leave_out(&acting);
    }
    if record {
        engine.record();
    } else if periods {
        engine.skip_periods();
    }
    let ran = engine.run(Time::NEVER, |arrived, now| {
        progress.add(arrived);
        progress.set_simulated_ps(now.to_ps());
        progress.stopped()
    });
    match ran {
        Err(faults) if progress.stopped() && faults.0.iter().all(|fault| fault.code == codes::STOPPED.code) => {
            if !engine.stop()? {
                return Err(faults);
            }
        }
        ran => _ = ran?,
    }
    engine.execution()
}
