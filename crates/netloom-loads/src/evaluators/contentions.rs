//! The evaluator `contentions`.

use netloom_model::{
    Bound, Evaluates, Evaluator, Fault, Found, Needs, Outcome, Progress, Record, Scenario, Table, Tabled, record, table,
};

use crate::links::contentions;

table! {
    struct StepContentionsRow: "steps", "one row per step of the schedule" {
        contentions: u64, "", "messages beyond the first on their link, summed over links";
        max_messages: u32, "", "most messages on one link";
    }
}

record! {
    struct ContentionsRecord {
        contentions: u64, "", "messages beyond the first on their link, over all links and steps";
        max_messages: u32, "", "most messages of one step on one link";
    }
}

pub const ROW: Evaluator = Evaluator {
    name: "contentions",
    aliases: &[],
    summary: "messages of one step that share a link",
    params: &[],
    example: "contentions",
    restrictions: "one job with a schedule and a routing with one path per pair, no background flows",
    source: "Cui 2024, section 3.3.2",
    build: Evaluates {
        model: "links shared within a step",
        version: "1",
        assumptions: &[
            "All messages of a step are in flight together, and those of different steps never are.",
            "If m messages of a step use one directed switch link, m - 1 of them may have to wait.",
            "Injection and ejection links, and those inside nodes, are left out.",
        ],
        fields: ContentionsRecord::FIELDS,
        tables: &[StepContentionsRow::TABLE],
        supports: |needs| {
            needs.all(&[
                |n| n.some_topology(),
                |n| n.one_job(),
                steps_known,
                |n| n.no_background(),
                |n| n.no_variant(),
                |n| n.no_start(),
                |n| n.no_repetitions(),
            ])
        },
        find,
    },
};

fn steps_known(needs: &Needs<'_>) -> Option<Fault> {
    let job = needs.scenario.jobs.iter().find(|job| job.workload.schedule().is_none())?;
    let sentence = format!("needs steps, and {} has none", job.workload.kind());
    Some(needs.refuse(format!("workload of job {}", job.name), sentence))
}

fn find(scenario: &Scenario, _: &Bound, progress: &Progress) -> Outcome<Found> {
    let job = scenario.one_job()?;
    let Some(schedule) = job.workload.schedule() else { return Ok(Found::default()) };
    let network = &scenario.machine.network;
    let found = contentions(
        network,
        scenario.paths(job)?,
        (&job.seats, scenario.machine.closed_hosts().as_deref()),
        schedule,
        progress,
    )?;
    let steps = found
        .steps
        .iter()
        .map(|step| StepContentionsRow { contentions: step.contentions, max_messages: step.max_messages });
    let record = ContentionsRecord { contentions: found.total, max_messages: found.max_messages };
    Ok(Found::new(record, vec![Table::of(steps)]))
}
