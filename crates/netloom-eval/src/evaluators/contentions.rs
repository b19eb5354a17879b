//! The evaluator `contentions`.

use netloom_model::{
    Bound, Column, Evaluates, Evaluator, Fault, Field, Found, Needs, Outcome, Progress, Scenario, Table, TableRow,
};

use crate::contentions;

static STEPS: TableRow = TableRow {
    name: "steps",
    help: "one row per step of the schedule",
    fields: &[
        Field::new("contentions", "", "messages beyond the first on their link, summed over links"),
        Field::new("max_messages", "", "most messages on one link"),
    ],
};

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
        fields: &[
            Field::new("contentions", "", "messages beyond the first on their link, over all links and steps"),
            Field::new("max_messages", "", "most messages of one step on one link"),
        ],
        tables: &[&STEPS],
        supports: |needs| {
            needs.all(&[
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
    let network = &scenario.network;
    let found =
        contentions(network, scenario.paths(job)?, (&job.seats, scenario.closed().as_deref()), schedule, progress)?;
    let steps = vec![
        Column::U64(found.steps.iter().map(|s| s.contentions).collect()),
        Column::U32(found.steps.iter().map(|s| s.max_messages).collect()),
    ];
    Ok(Found { record: vec![found.total.into(), found.max_messages.into()], tables: vec![Table::new(&STEPS, steps)] })
}
