//! Runs of jobs whose messages are flows.

use netloom_model::{Background, Outcome, Progress};
use netloom_ranks::{Job, Manner, RoutedMachine, check};

use crate::fold::{Limits, fold, is_ordered};
use crate::max_min::Work;
use crate::split;
use crate::transport::Flows;

/// The result of a run, and the work of the solver.
pub type Execution = netloom_ranks::Execution<Work>;

/// What is asked of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// Messages, ranks and links are recorded; then nothing is folded.
    pub record: bool,
    /// When ranks that behave alike are simulated once; never if `None`.
    pub fold: Option<Limits>,
    /// Rounds, steps, iterations and repetitions that begin alike are simulated once.
    pub periods: bool,
}

/// Runs jobs together on one network, over background traffic. Cost per message: O(path) and the other rates that its
/// start and its end change. Jobs that meet nowhere run at the same time. Memory: the ranks, and the messages that wait or move at one time.
///
/// # Errors
/// `NL-E010`, `NL-E011` for impossible amounts; `NL-E001` for a mapping with a different number of ranks; `NL-M001` for
/// an endpoint that does not exist; `NL-E005`, `NL-E003` from the routing; as [`netloom_ranks::run`].
pub fn execute(
    machine: &RoutedMachine<'_>,
    jobs: &[Job<'_>],
    background: &[Background],
    asked: Asked,
    progress: &Progress,
) -> Outcome<Execution> {
    check(machine, jobs, background)?;
    if let ([], Asked { record: false, fold: Some(_), .. }) = (background, asked)
        && let Some(groups) = split::groups(machine, jobs)?
    {
        let ran = split::together(jobs, &groups, progress, |own, progress| one(machine, own, &[], asked, progress));
        // A fault numbers the jobs of its group: it is said of all.
        if ran.is_ok() || progress.stopped() {
            return ran;
        }
        progress.set_total(0);
    }
    one(machine, jobs, background, asked, progress)
}

/// [`execute`] in one run.
fn one(
    machine: &RoutedMachine<'_>,
    jobs: &[Job<'_>],
    background: &[Background],
    Asked { record, fold: limits, periods }: Asked,
    progress: &Progress,
) -> Outcome<Execution> {
    let alone = jobs.len() == 1 && background.is_empty();
    let periods = periods && alone && jobs.iter().all(|job| is_ordered(machine.software, job));
    if let ([job], [], false, Some(limits)) = (jobs, background, record, limits)
        && let Some(fold) = fold(machine, job, limits)?
    {
        let (flows, software) = (Flows::folded(*machine, jobs, &fold), machine.software.clone());
        let manner = Manner { record, folded: Some(fold.folded), periods, ..Manner::default() };
        let ran = netloom_ranks::run(flows, software, jobs, manner, progress);
        // A fault is said of the rank that has it.
        if ran.is_ok() || progress.stopped() {
            return ran;
        }
        progress.set_total(0);
    }
    let mut flows = Flows::new(*machine, jobs);
    for flow in background {
        flows.add_background(flow)?;
    }
    netloom_ranks::run(flows, machine.software.clone(), jobs, Manner { record, periods, ..Manner::default() }, progress)
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
