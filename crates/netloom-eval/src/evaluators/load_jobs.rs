//! The jobs of a scenario as link loads see them, for the evaluators that ask these.

use std::sync::Arc;

use netloom_model::{self as model, Outcome, Scenario, Sends};

use crate::loads::{Candidates, Job, Variant};

/// How the messages of every job choose among their paths.
pub(super) fn variants(scenario: &Scenario) -> Outcome<Vec<Variant>> {
    let of =
        |job: &model::Job| job.variant.as_ref().map_or(Ok(Variant::DIRECT), |call| scenario.of(job, Variant::of(call)));
    scenario.jobs.iter().map(of).collect()
}

/// What every job sends.
pub(super) fn sends(scenario: &Scenario) -> Outcome<Vec<Arc<dyn Sends>>> {
    scenario.jobs.iter().map(|job| job.workload.sends()).collect()
}

/// The jobs as link loads see them. Of a hash they know the mean: the shares of the routing.
pub(super) fn jobs<'a>(
    scenario: &'a Scenario,
    sends: &'a [Arc<dyn Sends>],
    variants: &[Variant],
) -> Outcome<Vec<Job<'a>>> {
    let mut made = Vec::new();
    for ((job, sends), &variant) in scenario.jobs.iter().zip(sends).zip(variants) {
        let hashed = matches!(variant.candidates, Candidates::Hashed { .. });
        let variant = if hashed { Variant::DIRECT } else { variant };
        let (endpoint_of_rank, routing) = (job.seats.endpoints(), scenario.paths(job)?);
        made.push(Job { name: &job.name, sends: &**sends, endpoint_of_rank, routing, variant });
    }
    Ok(made)
}
