//! Runs of jobs whose messages are flows.

use netloom_model::{Background, Outcome, Progress};
use netloom_ranks::{Job, RoutedMachine, check};

use crate::max_min::Work;
use crate::transport::Flows;

/// The result of a run, and the work of the solver.
pub type Execution = netloom_ranks::Execution<Work>;

/// Runs jobs together on one network, over background traffic. Cost per message: O(path) and the other rates that its
/// start and its end change. Memory: the ranks, and the messages that wait or move at one time.
///
/// # Errors
/// `NL-E010`, `NL-E011` for impossible amounts; `NL-E001` for a mapping with a different number of ranks; `NL-M001` for
/// an endpoint that does not exist; `NL-E005`, `NL-E003` from the routing; as [`netloom_ranks::run`].
pub fn execute(
    machine: &RoutedMachine<'_>,
    jobs: &[Job<'_>],
    background: &[Background],
    record: bool,
    progress: &Progress,
) -> Outcome<Execution> {
    check(machine, jobs, background)?;
    let mut flows = Flows::new(*machine, jobs);
    for flow in background {
        flows.add_background(flow)?;
    }
    netloom_ranks::run(flows, machine.software.clone(), jobs, record, progress)
}

/// Times one job as [`execute`] does, for one mapping after another.
pub type Stopwatch<'a> = netloom_ranks::Stopwatch<'a, Flows<'a>>;

/// A stopwatch for a job on a machine; mappings number the seats, `slots` of them on each endpoint.
///
/// # Errors
/// As [`execute`] before it starts.
pub fn stopwatch<'a>(
    machine: &RoutedMachine<'a>,
    job: Job<'a>,
    slots: u32,
    stop: &'a Progress,
) -> Outcome<Stopwatch<'a>> {
    Stopwatch::over(Flows::new(*machine, &[job]), machine.software.clone(), job, slots, stop)
}
