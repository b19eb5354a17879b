//! The evaluator `hops`.

use netloom_model::{
    Bound, Evaluates, Evaluator, Found, HopCounts, Hosts, Outcome, Progress, Record, Scenario, Table, Tabled, Workload,
    record, table,
};

use crate::hops::{hops, inside};

table! {
    struct StepRow: "steps", "one row per step of a schedule; none for traffic, which has no steps" {
        messages: u64, "", "messages of the step";
        hops: u64, "", "their hops";
        max_hops: u32, "hops", "of the longest message";
        hop_bytes: u128, "B", "bytes times hops, summed";
    }
}

table! {
    struct HistogramRow: "histogram", "one row per number of hops: 0, 1, 2, ..." {
        messages: u64, "", "messages that travel this many hops";
    }
}

record! {
    struct HopsRecord {
        messages: u64, "", "messages in all";
        total_hops: u64, "hops", "hops of all messages";
        mean_hops: Option<f64>, "hops", "hops per message";
        max_hops: u32, "hops", "of the longest message: dilation (Jain 2016, eq. 2.1)";
        bytes: u128, "B", "bytes of all messages";
        hop_bytes: u128, "B", "bytes times hops, summed over messages (eq. 2.3)";
        pairs: u64, "", "ordered pairs of ranks that exchange messages";
        average_dilation: Option<f64>, "hops", "mean hops over these pairs (eq. 2.2)";
        average_hops_per_byte: Option<f64>, "hops", "hop-bytes per byte (eq. 2.4)";
        average_bytes_per_link: Option<f64>, "B", "hop-bytes per directed switch link (eq. 2.5)";
        inter_node_messages: u64, "",
            "messages between nodes: hosts with all their ports, on rail clusters with all their GPUs";
        inter_node_bytes: u128, "B", "bytes of these";
        messages_own: u64, "", "messages of a rank to itself: no network carries them, and no other number has them";
        bytes_own: u128, "B", "bytes of these";
    }
}

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
        fields: HopsRecord::FIELDS,
        tables: &[StepRow::TABLE, HistogramRow::TABLE],
        supports: |needs| {
            needs.all(&[
                |n| n.some_topology(),
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
    let switches = job.seats.switches(&scenario.machine.network);
    let of = |hosts: &Hosts| job.seats.endpoints().iter().map(|endpoint| hosts.host(*endpoint)).collect::<Vec<u32>>();
    let nodes = scenario.machine.closed_hosts().map(|hosts| of(&hosts));
    let machines = scenario.machine.hosts().map_or_else(|| job.seats.endpoints().to_vec(), |machines| of(&machines));
    let (links, nodes) = (scenario.machine.network.switch_links(), nodes.as_deref());
    let found = match scenario.machine.hop_counts()? {
        HopCounts::Matrix(distances) => hops(&*distances, links, &switches, nodes, &job.workload, progress),
        HopCounts::Product(distances) => hops(&*distances, links, &switches, nodes, &job.workload, progress),
    }?;
    let (messages, bytes) = inside(&job.workload, &machines)?;
    let own = own(&job.workload)?;
    let steps = found.steps.iter().map(|step| StepRow {
        messages: step.messages,
        hops: step.hops,
        max_hops: step.max,
        hop_bytes: step.hop_bytes,
    });
    let histogram = found.histogram.iter().map(|&messages| HistogramRow { messages });
    let tables = vec![Table::of(steps), Table::of(histogram)];
    let record = HopsRecord {
        messages: found.messages,
        total_hops: found.total_hops,
        mean_hops: found.mean_hops,
        max_hops: found.max_hops,
        bytes: found.bytes,
        hop_bytes: found.hop_bytes,
        pairs: found.pairs,
        average_dilation: found.average_dilation,
        average_hops_per_byte: found.average_hops_per_byte,
        average_bytes_per_link: found.average_bytes_per_link,
        inter_node_messages: found.messages - messages,
        inter_node_bytes: found.bytes - bytes,
        messages_own: own.0,
        bytes_own: own.1,
    };
    Ok(Found::new(record, tables))
}

/// Messages of ranks to themselves, and their bytes; schedules have none.
fn own(workload: &Workload) -> Outcome<(u64, u128)> {
    match workload {
        Workload::Traffic(_) | Workload::Programs(_) => Ok(workload.traffic()?.own),
        Workload::Schedule(_) | Workload::Stream(_) => Ok((0, 0)),
    }
}
