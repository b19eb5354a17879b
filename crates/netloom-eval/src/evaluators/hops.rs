//! The evaluator `hops`.

use netloom_model::{
    Bound, Column, Evaluates, Evaluator, Field, Found, Hosts, Outcome, Progress, Scenario, Table, TableRow,
};

use crate::hops::{hops, inside};

static STEPS: TableRow = TableRow {
    name: "steps",
    help: "one row per step of a schedule; none for traffic, which has no steps",
    fields: &[
        Field::new("messages", "", "messages of the step"),
        Field::new("hops", "", "their hops"),
        Field::new("max_hops", "hops", "of the longest message"),
        Field::new("hop_bytes", "B", "bytes times hops, summed"),
    ],
};

static HISTOGRAM: TableRow = TableRow {
    name: "histogram",
    help: "one row per number of hops: 0, 1, 2, ...",
    fields: &[Field::new("messages", "", "messages that travel so many hops")],
};

pub const ROW: Evaluator = Evaluator {
    name: "hops",
    aliases: &[],
    summary: "how far every message travels",
    params: &[],
    example: "hops",
    restrictions: "one job, no background flows",
    source: "Jain 2016, section 2.4",
    build: Evaluates {
        model: "shortest paths",
        version: "1",
        assumptions: &[
            "Every message takes a shortest path.",
            "Bandwidth, waiting and which links are used do not count; messages within one switch or node travel 0 hops.",
        ],
        fields: &[
            Field::new("messages", "", "messages in all"),
            Field::new("total_hops", "hops", "hops of all messages"),
            Field::new("mean_hops", "hops", "hops per message"),
            Field::new("max_hops", "hops", "of the longest message: dilation (Jain 2016, eq. 2.1)"),
            Field::new("bytes", "B", "bytes of all messages"),
            Field::new("hop_bytes", "B", "bytes times hops, summed over messages (eq. 2.3)"),
            Field::new("pairs", "", "ordered pairs of ranks that exchange messages"),
            Field::new("average_dilation", "hops", "mean hops over these pairs (eq. 2.2)"),
            Field::new("average_hops_per_byte", "hops", "hop-bytes per byte (eq. 2.4)"),
            Field::new("average_bytes_per_link", "B", "hop-bytes per directed switch link (eq. 2.5)"),
            Field::new(
                "inter_node_messages",
                "",
                "messages between nodes: hosts with all their ports, on rail clusters with all their GPUs",
            ),
            Field::new("inter_node_bytes", "B", "bytes of these"),
        ],
        tables: &[&STEPS, &HISTOGRAM],
        supports: |needs| {
            needs.all(&[
                |n| n.one_job(),
                |n| n.no_background(),
                |n| n.no_variant(),
                |n| n.no_start(),
                |n| n.no_repetitions(),
            ])
        },
        find,
    },
};

fn find(scenario: &Scenario, _: &Bound, progress: &Progress) -> Outcome<Found> {
    let job = scenario.one_job()?;
    let distances = scenario.distances()?;
    let switches = job.seats.switches(&scenario.network);
    let of = |hosts: &Hosts| job.seats.endpoints().iter().map(|endpoint| hosts.host(*endpoint)).collect::<Vec<u32>>();
    let nodes = scenario.closed().map(|hosts| of(&hosts));
    let machines = scenario.machines().map_or_else(|| job.seats.endpoints().to_vec(), |machines| of(&machines));
    let found =
        hops(&distances, scenario.network.switch_links(), &switches, nodes.as_deref(), &job.workload, progress)?;
    let (messages, bytes) = inside(&job.workload, &machines)?;
    let steps = || found.steps.iter();
    let tables = vec![
        Table::new(
            &STEPS,
            vec![
                Column::U64(steps().map(|s| s.messages).collect()),
                Column::U64(steps().map(|s| s.hops).collect()),
                Column::U32(steps().map(|s| s.max).collect()),
                Column::Counts(steps().map(|s| s.hop_bytes).collect()),
            ],
        ),
        Table::new(&HISTOGRAM, vec![Column::U64(found.histogram)]),
    ];
    let record = vec![
        found.messages.into(),
        found.total_hops.into(),
        found.mean_hops.into(),
        found.max_hops.into(),
        found.bytes.into(),
        found.hop_bytes.into(),
        found.pairs.into(),
        found.average_dilation.into(),
        found.average_hops_per_byte.into(),
        found.average_bytes_per_link.into(),
        (found.messages - messages).into(),
        (found.bytes - bytes).into(),
    ];
    Ok(Found { record, tables })
}
