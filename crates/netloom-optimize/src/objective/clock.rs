//! The clock of a problem, for what is scored by simulated time.

use netloom_model::{Clock, Fault, Outcome};

use crate::codes;
use crate::problem::Problem;

/// The clock of a problem.
///
/// # Errors
/// `NL-O008` without one.
pub(crate) fn clock<'p>(problem: &Problem<'p>) -> Outcome<&'p dyn Clock> {
    problem.clock.ok_or_else(|| {
        let sentence = "time needs a simulation of the workload, which this caller does not offer";
        Fault::say(&codes::NEEDS_CLOCK, &problem.traffic.label, sentence).hint("use the objective hops").into()
    })
}

/// Time of the mapping that a search starts from.
///
/// # Errors
/// `NL-O008` without a clock, `NL-O009` if the caller wants an end already, and what the clock reports.
pub(crate) fn start_time(problem: &Problem<'_>, endpoint_of_rank: &[u32]) -> Outcome<f64> {
    clock(problem)?.time_s(endpoint_of_rank, f64::INFINITY)?.ok_or_else(|| {
        let sentence = "the search ended before the start mapping was simulated";
        Fault::say(&codes::NO_START, &problem.traffic.label, sentence).hint("give more time").into()
    })
}
