//! In-network collectives on a machine: the switches of their trees become ranks, each at an endpoint inside its switch, so
//! that every rung sees plain messages on plain links.

use std::sync::Arc;

use netloom_model::{Call, Fault, Job, Machine, Outcome, RoutingCall, Schedule, Workload};
use netloom_net::combining::combined;

use crate::scenario::{Parts, PartsJob};
use netloom_model::fault::codes;

/// The same parts where no job has an in-network collective; else with the switches that take part.
///
/// # Errors
/// `NL-N018` where no switches combine or they do not join the ranks; `NL-E030` next to other jobs or background flows.
pub fn with_switches(parts: Parts) -> Outcome<Parts> {
    let found = parts.jobs.iter().find_map(|part| in_network(&part.job));
    let Some(schedule) = found.cloned() else { return Ok(parts) };
    let Parts { machine, mut jobs, background } = parts;
    if jobs.len() > 1 || !background.is_empty() {
        let sentence = "is simulated alone, without other jobs and background flows";
        let fault = Fault::say(&codes::UNSUPPORTED, &schedule.label, sentence);
        return Err(fault.hint("leave the others out, or take another algorithm").into());
    }
    let mut placed = None;
    for PartsJob { job, routing } in &mut jobs {
        let (machine, job_there) = on_trees(&machine, job, &schedule)?;
        (*job, *routing) = (job_there, None);
        placed = Some(machine);
    }
    Ok(Parts { machine: placed.unwrap_or(machine), jobs, background })
}

fn in_network(job: &Job) -> Option<&Arc<Schedule>> {
    job.workload.schedule().filter(|schedule| schedule.switches > 0)
}

/// The machine with an endpoint inside every switch of the trees, and the job with a rank on each.
fn on_trees(machine: &Machine, job: &Job, schedule: &Schedule) -> Outcome<(Machine, Job)> {
    let (network, endpoints) = (&machine.network, job.seats.endpoints());
    job.seats.check(network)?;
    netloom_model::workload::require_ranks(&schedule.label, schedule.members(), endpoints.len())?;
    let shape = netloom_workload::shape_of(schedule)?;
    let found = combined(network, machine.wire.combining, endpoints, (shape, schedule.root), schedule.channels)?;
    let made = netloom_workload::placed(schedule, &found.trees)?;
    let switches = found.switches.concat();
    let there = Arc::new(network.with_combining(&switches)?);
    let routing = Arc::new(RoutingCall::made(Call::bare("combining-trees"), found.routing));
    let seats = job.seats.with_more(network.endpoints()..there.endpoints());
    let job = Job {
        seats: Arc::new(seats),
        workload: Workload::Schedule(Arc::new(made)),
        routing: Some(Arc::clone(&routing)),
        variant: None,
        ..job.clone()
    };
    Ok((Machine { network: there, routing: Some(routing), ..machine.clone() }, job))
}
