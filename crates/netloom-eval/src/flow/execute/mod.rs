//! Runs programs and schedules on a network in simulated time.

mod check;
mod engine;
mod matching;
mod ranks;
mod routes;
mod source;
mod stopwatch;
mod stuck;
#[cfg(test)]
mod tests;

use netloom_model::{Network, Outcome, Programs, Progress, Routing, Schedule, Traffic};

pub use netloom_model::{Background, Duplex};
pub use stopwatch::Stopwatch;

use super::calibration::Calibration;
use super::max_min::Work;
use super::trace::Trace;

/// What the jobs run on.
pub struct Machine<'a> {
    pub network: &'a Network,
    /// One path per pair.
    pub routing: &'a dyn Routing,
    pub duplex: Duplex,
    /// Added for every switch that a message passes, on top of the latency of the links.
    pub switch_latency_s: f64,
    /// Speed of a rank.
    pub flops_per_s: f64,
    pub calibration: &'a Calibration,
}

impl Machine<'_> {
    /// The capacity that a directed link draws on.
    fn resource(&self, link: u32) -> u32 {
        if self.duplex == Duplex::Full {
            return link;
        }
        let switch_links = self.network.switch_links();
        match self.network.reverse().get(link as usize) {
            Some(&back) => link.min(back),
            None => switch_links + (link - switch_links) % self.network.endpoints(),
        }
    }
}

/// What a job communicates.
#[derive(Clone, Copy, Debug)]
pub enum Load<'a> {
    Schedule(&'a Schedule),
    Programs(&'a Programs),
    /// All flows at once, each one message.
    Traffic(&'a Traffic),
}

/// One job: what its ranks do, where they run, when they start. Several ranks may share an endpoint.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    pub work: Load<'a>,
    pub endpoint_of_rank: &'a [u32],
    pub start_s: f64,
    /// How often the work is done, one after another without a barrier.
    pub repetitions: u32,
}

/// What happened.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Execution {
    /// When each rank of each job ended.
    pub finish_s: Vec<Vec<f64>>,
    /// Messages that arrived and their payload.
    pub messages: u64,
    pub bytes: u64,
    pub work: Work,
    pub trace: Option<Trace>,
    /// Seconds that each message of the trace would have moved alone.
    pub alone_s: Vec<f64>,
}

impl Execution {
    /// When the last rank of all jobs ended.
    pub fn end_s(&self) -> f64 {
        self.finish_s.iter().flatten().copied().fold(0.0, f64::max)
    }
}

/// Runs jobs side by side on one network, over background traffic. Cost per message: O(path) and what its start and
/// its end move of the other rates. Memory: the ranks, and the messages that wait or move at a time.
///
/// # Errors
/// `NL-E010`, `NL-E011` for amounts that cannot be; `NL-E001` for a mapping of another number of ranks; `NL-M001` for an
/// endpoint that does not exist; `NL-E012` for a deadlock, with the cycle; `NL-E013` for a message without partner;
/// `NL-E014` for one longer than its receive; `NL-E005`, `NL-E003` from the routing; `NL-E016` if time overflows;
/// `NL-E004` if stopped.
pub fn execute(
    machine: &Machine<'_>,
    jobs: &[Job<'_>],
    background: &[Background],
    record: bool,
    progress: &Progress,
) -> Outcome<Execution> {
    check::check(machine, jobs, background)?;
    let parts = jobs.iter().map(|job| engine::Part::new(job.work)).collect::<Outcome<Vec<_>>>()?;
    let expected = jobs.iter().map(|job| match job.work {
        Load::Schedule(s) => s.messages() * u64::from(job.repetitions),
        Load::Programs(_) | Load::Traffic(_) => 0,
    });
    progress.set_total(expected.sum());
    let mut engine = engine::Engine::new(machine, jobs.into(), parts.into(), record);
    engine.run(background, f64::INFINITY, |arrived| {
        progress.add(arrived);
        progress.stopped()
    })?;
    Ok(engine.execution())
}
