//! The jobs of a scenario as link loads see them, for the evaluators that ask these.

use std::sync::Arc;

use netloom_model::{self as model, Background, Outcome, Repeated, Scenario, Sends, Traffic, traffic::Flow};

use crate::loads::{Candidates, Job, Variant};
use netloom_model::background::impossible;

/// How the messages of every job choose among their paths.
pub fn variants(scenario: &Scenario) -> Outcome<Vec<Variant>> {
    let of =
        |job: &model::Job| job.variant.as_ref().map_or(Ok(Variant::DIRECT), |call| scenario.of(job, Variant::of(call)));
    scenario.jobs.iter().map(of).collect()
}

/// What the jobs of a scenario send, and its background.
pub struct Work {
    /// Per job.
    pub sends: Vec<Arc<dyn Sends>>,
    background: Option<(Traffic, Vec<u32>)>,
}

/// Name of the job of background flows.
pub const BACKGROUND: &str = "background";

impl Work {
    /// # Errors
    /// Those of [`model::Workload::sends`], and of impossible background flows.
    pub fn new(scenario: &Scenario) -> Outcome<Work> {
        impossible(&scenario.machine.network, &scenario.background).or(())?;
        let sends = scenario.jobs.iter().map(|job| job.workload.sends()).collect::<Outcome<_>>()?;
        Ok(Work { sends, background: background(scenario) })
    }

    /// With the messages of all repetitions of each job.
    pub fn repeated(mut self, scenario: &Scenario) -> Work {
        for (sends, job) in self.sends.iter_mut().zip(&scenario.jobs) {
            *sends = Repeated::of(Arc::clone(sends), job.repetitions);
        }
        self
    }

    /// The jobs as link loads see them; background flows with a size are one more. Of a hash they know the mean: the
    /// shares of the routing.
    pub fn jobs<'a>(&'a self, scenario: &'a Scenario, variants: &[Variant]) -> Outcome<Vec<Job<'a>>> {
        let mut made = Vec::new();
        for ((job, sends), &variant) in scenario.jobs.iter().zip(&self.sends).zip(variants) {
            let hashed = matches!(variant.candidates, Candidates::Hashed { .. });
            let variant = if hashed { Variant::DIRECT } else { variant };
            let (endpoint_of_rank, routing) = (job.seats.endpoints(), scenario.paths(job)?);
            made.push(Job { name: &job.name, sends: &**sends, endpoint_of_rank, routing, variant });
        }
        if let (Some((traffic, endpoint_of_rank)), Some(first)) = (&self.background, scenario.jobs.first()) {
            let routing = scenario.paths(first)?;
            made.push(Job { name: BACKGROUND, sends: traffic, endpoint_of_rank, routing, variant: Variant::DIRECT });
        }
        Ok(made)
    }
}

/// The background flows with a size as messages of one job, whose ranks have the numbers of their endpoints.
fn background(scenario: &Scenario) -> Option<(Traffic, Vec<u32>)> {
    let sized = || scenario.background.iter().filter(|flow| flow.bytes.is_finite());
    let first = sized().next()?.src;
    // Endpoints of no flow send nothing; they may be out of service.
    let mut endpoint_of_rank = vec![first; scenario.machine.network.endpoints() as usize];
    for end in sized().flat_map(|flow| [flow.src, flow.dst]) {
        endpoint_of_rank[end as usize] = end;
    }
    let flow = |flow: &Background| Flow { src: flow.src, dst: flow.dst, messages: 1, bytes: flow.bytes as u64 };
    let traffic = Traffic::new(BACKGROUND, scenario.machine.network.endpoints(), sized().map(flow).collect());
    Some((traffic, endpoint_of_rank))
}
