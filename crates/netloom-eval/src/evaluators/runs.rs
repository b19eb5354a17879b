//! What the evaluators of simulated time share: jobs with their machine, and the tables of a run.

use std::sync::Arc;

use netloom_model::{
    self as model, Column, Datum, Field, Network, Outcome, Routing, Scenario, Table, TableRow, Workload,
};

use super::contention_causes::{self, CONTENTION};
use crate::flow::Machine;
use crate::ranks::{Activity, Execution, Job, Load, Spread, Stretch, Trace, critical_path};

/// The first fields of a record.
pub(super) static FIELDS: [Field; 6] = [
    Field::new("time_s", "s", "when the last rank of all jobs ends; unknown of a run that was stopped"),
    Field::new("messages", "", "that arrived"),
    Field::new("bytes", "B", "of these messages"),
    Field::new("mop_per_s", "Mop/s", "counted operations per time, if programs count them"),
    Field::new(
        "stopped_s",
        "s",
        "simulated time at which the run was stopped before its end; unknown of one that ended",
    ),
    Field::new("ranks_ended", "", "ranks that had ended; all, unless it was stopped"),
];

pub(super) static TABLES: [&TableRow; 9] =
    [&JOBS, &RANKS, &MESSAGES, &INTERVALS, &BUSY_LINKS, &LINK_BINS, &CRITICAL_PATH, &SHARES, &CONTENTION];

static JOBS: TableRow = TableRow {
    name: "jobs",
    help: "one row per job",
    fields: &[
        Field::new("job", "", "its name"),
        Field::new("start_s", "s", "when it starts"),
        Field::new("finish_s", "s", "when its last rank ends; NaN if that was not simulated"),
    ],
};

static RANKS: TableRow = TableRow {
    name: "ranks",
    help: "one row per rank of each job, jobs in order",
    fields: &[
        Field::new("job", "", "number of the job"),
        Field::new("finish_s", "s", "when the rank ends; NaN if that was not simulated"),
    ],
};

static MESSAGES: TableRow = TableRow {
    name: "messages",
    help: "with trace: one row per message",
    fields: &[
        Field::new("src", "", "sending rank, numbered through all jobs"),
        Field::new("dst", "", "receiving rank"),
        Field::new("bytes", "B", "its payload"),
        Field::new("job", "", "number of the job"),
        Field::new("posted_send_s", "s", "when the sender reached its send"),
        Field::new("posted_receive_s", "s", "when the receiver reached its receive"),
        Field::new("start_s", "s", "when both sides were ready"),
        Field::new("flow_s", "s", "when its latency was over"),
        Field::new("finish_s", "s", "when it had arrived"),
    ],
};

static INTERVALS: TableRow = TableRow {
    name: "intervals",
    help: "with trace: what every rank did, in order of end time",
    fields: &[
        Field::new("rank", "", "numbered through all jobs"),
        Field::new("activity", "", "0 compute, 1 overhead, 2 wait for a send, 3 for a receive, 4 for several requests"),
        Field::new("start_s", "s", "start"),
        Field::new("end_s", "s", "end"),
        Field::new("message", "", "number of the message that ended the wait, 2^32 - 1 for none"),
    ],
};

static BUSY_LINKS: TableRow = TableRow {
    name: "busy_links",
    help: "with trace: links that carried anything",
    fields: &[Field::new("link", "", "its number")],
};

static LINK_BINS: TableRow = TableRow {
    name: "link_bins",
    help: "with trace: per busy link, bytes in each bin of time, links x bins",
    fields: &[Field::new("bytes", "B", "in this bin")],
};

static CRITICAL_PATH: TableRow = TableRow {
    name: "critical_path",
    help: "with trace: what the last rank waited for, without gaps from 0 to the end",
    fields: &[
        Field::new("rank", "", "who computes, or waits for the message"),
        Field::new("message", "", "number of the message, 2^32 - 1 for none"),
        Field::new("kind", "", "a row of the table shares"),
        Field::new("start_s", "s", "start"),
        Field::new("end_s", "s", "end"),
    ],
};

static SHARES: TableRow = TableRow {
    name: "shares",
    help: "with trace: what the time of the critical path went into",
    fields: &[
        Field::new("kind", "", "compute, overhead, latency, ..."),
        Field::new("seconds", "s", "its part of the path"),
    ],
};

/// Jobs that can be executed, and their machine.
pub(super) struct Run<'a> {
    pub machine: Machine<'a>,
    seats: Vec<Vec<u32>>,
    works: Vec<Workload>,
}

impl<'a> Run<'a> {
    /// `None` without a job.
    ///
    /// # Errors
    /// Those of seats, routings and workloads.
    pub fn of(scenario: &'a Scenario) -> Outcome<Option<Run<'a>>> {
        let Some(first) = scenario.jobs.first() else { return Ok(None) };
        let machine = machine(&scenario.network, scenario.paths(first)?, &scenario.machine);
        let machine = Machine { node: scenario.node.as_deref(), ..machine };
        let seats = scenario.places()?.iter().map(|places| places.iter().map(|place| place.seat).collect()).collect();
        let works = scenario.jobs.iter().map(|job| ordered(&job.workload)).collect::<Outcome<Vec<_>>>()?;
        Ok(Some(Run { machine, seats, works }))
    }

    /// The jobs, each with the spread of its messages.
    ///
    /// # Errors
    /// Those of their routings.
    pub fn jobs<'s>(&'s self, scenario: &'s Scenario, spread: impl Fn(usize) -> Spread<'s>) -> Outcome<Vec<Job<'s>>> {
        let mut jobs = Vec::new();
        for (at, (job, work)) in scenario.jobs.iter().zip(&self.works).enumerate() {
            let seats = self.seats.get(at).map_or(&[][..], |seats| seats);
            jobs.extend(timed(&scenario.network, (job, seats), work, spread(at))?);
        }
        Ok(jobs)
    }
}

/// The data of [`FIELDS`].
pub(super) fn record<W>(scenario: &Scenario, done: &Execution<W>) -> Vec<Datum> {
    let ended = done.finish_s.iter().flatten().filter(|end| !end.is_nan()).count();
    let end_s = done.stopped_s.is_none().then(|| done.end_s());
    vec![
        end_s.into(),
        done.messages.into(),
        done.bytes.into(),
        end_s.and_then(|end| mop_per_s(scenario, end)).into(),
        done.stopped_s.into(),
        (ended as u64).into(),
    ]
}

/// Tables of jobs and ranks; with a trace all of [`TABLES`].
///
/// # Errors
/// Those of the routings.
pub(super) fn tables<W>(scenario: &Scenario, done: &Execution<W>) -> Outcome<Vec<Table>> {
    let names = scenario.jobs.iter().map(|job| job.name.clone()).collect();
    // Of a job that has not ended no end is known.
    let later = |last: f64, end: &f64| if last.is_nan() || end.is_nan() { f64::NAN } else { last.max(*end) };
    let ends = done.finish_s.iter().map(|ranks| ranks.iter().fold(0.0, later));
    let starts = scenario.jobs.iter().map(|job| job.start_s).collect();
    let job_of_rank = done.finish_s.iter().enumerate().flat_map(|(job, ranks)| ranks.iter().map(move |_| job as u32));
    let mut tables = vec![
        Table::new(&JOBS, vec![Column::Text(names), Column::F64(starts), Column::F64(ends.collect())]),
        Table::new(
            &RANKS,
            vec![Column::U32(job_of_rank.collect()), Column::F64(done.finish_s.iter().flatten().copied().collect())],
        ),
    ];
    if let Some(trace) = &done.trace {
        tables.extend(recorded(trace));
        tables.extend(critical(scenario, trace, done)?);
    }
    Ok(tables)
}

/// A machine with its network and its routing.
pub fn machine<'a>(network: &'a Network, routing: &'a dyn Routing, machine: &'a netloom_model::Machine) -> Machine<'a> {
    let model::Machine { wire, software } = machine;
    Machine { network, node: None, routing, wire, software }
}

/// A workload that can be executed: a stream becomes the list of its flows.
///
/// # Errors
/// Those of [`Workload::traffic`].
pub fn ordered(workload: &Workload) -> Outcome<Workload> {
    if let Workload::Stream(_) = workload { workload.listed() } else { Ok(workload.clone()) }
}

/// The work of the engine for [`ordered`] workloads; `None` for a stream.
pub fn load(workload: &Workload) -> Option<Load<'_>> {
    match workload {
        Workload::Schedule(schedule) => Some(Load::Schedule(schedule)),
        Workload::Programs(programs) => Some(Load::Programs(programs)),
        Workload::Traffic(traffic) => Some(Load::Traffic(traffic)),
        Workload::Stream(_) => None,
    }
}

fn timed<'a>(
    network: &Arc<Network>,
    (job, seat_of_rank): (&'a model::Job, &'a [u32]),
    work: &'a Workload,
    spread: Spread<'a>,
) -> Outcome<Option<Job<'a>>> {
    let (routing, start_s, repetitions) = (Some(job.paths(network)?), job.start_s, job.repetitions);
    let endpoint_of_rank = job.seats.endpoints();
    Ok(load(work).map(|work| Job { work, endpoint_of_rank, seat_of_rank, routing, spread, start_s, repetitions }))
}

/// Millions of operations per second, as NAS benchmarks count them; repetitions count only for a single job.
fn mop_per_s(scenario: &Scenario, time_s: f64) -> Option<f64> {
    let counted = |job: &model::Job| match &job.workload {
        Workload::Programs(programs) => programs.counted_operations,
        _ => 0.0,
    };
    let sum: f64 = scenario.jobs.iter().map(counted).sum();
    let repeated = scenario.jobs.first().filter(|_| scenario.jobs.len() == 1).map_or(1, |job| job.repetitions);
    (sum > 0.0 && time_s > 0.0).then(|| sum * f64::from(repeated) / time_s / 1e6)
}

fn recorded(trace: &Trace) -> [Table; 4] {
    let (m, i, bins) = (|| trace.messages.iter(), || trace.intervals.iter(), &trace.link_bins);
    let messages = vec![
        Column::U32(m().map(|m| m.src).collect()),
        Column::U32(m().map(|m| m.dst).collect()),
        Column::U64(m().map(|m| m.bytes).collect()),
        Column::U32(m().map(|m| m.job).collect()),
        Column::F64(m().map(|m| m.posted_send_s).collect()),
        Column::F64(m().map(|m| m.posted_receive_s).collect()),
        Column::F64(m().map(|m| m.start_s).collect()),
        Column::F64(m().map(|m| m.flow_s).collect()),
        Column::F64(m().map(|m| m.finish_s).collect()),
    ];
    let activity = |activity| match activity {
        Activity::Compute => 0,
        Activity::Overhead => 1,
        Activity::WaitSend => 2,
        Activity::WaitReceive => 3,
        Activity::Wait => 4,
    };
    let intervals = vec![
        Column::U32(i().map(|i| i.rank).collect()),
        Column::U8(i().map(|i| activity(i.activity)).collect()),
        Column::F64(i().map(|i| i.start_s).collect()),
        Column::F64(i().map(|i| i.end_s).collect()),
        Column::U32(i().map(|i| i.message).collect()),
    ];
    [
        Table::new(&MESSAGES, messages),
        Table::new(&INTERVALS, intervals),
        Table::new(&BUSY_LINKS, vec![Column::U32(bins.links.clone())]),
        Table::new(&LINK_BINS, vec![Column::F64(bins.bytes.clone())]),
    ]
}

fn critical<W>(scenario: &Scenario, trace: &Trace, done: &Execution<W>) -> Outcome<[Table; 3]> {
    let path = critical_path(trace, &|message| done.alone_s.get(message as usize).copied().unwrap_or(0.0));
    let s = || path.segments.iter();
    let kind = |kind: Stretch| Stretch::ALL.iter().position(|k| *k == kind).unwrap_or(0) as u8;
    let segments = vec![
        Column::U32(s().map(|s| s.rank).collect()),
        Column::U32(s().map(|s| s.message).collect()),
        Column::U8(s().map(|s| kind(s.kind)).collect()),
        Column::F64(s().map(|s| s.start_s).collect()),
        Column::F64(s().map(|s| s.end_s).collect()),
    ];
    let shares = vec![
        Column::Text(Stretch::ALL.iter().map(|kind| kind.name().to_string()).collect()),
        Column::F64(Stretch::ALL.iter().map(|kind| path.share_s(*kind)).collect()),
    ];
    let causes = contention_causes::table(scenario, trace, &path, &done.alone_s)?;
    Ok([Table::new(&CRITICAL_PATH, segments), Table::new(&SHARES, shares), causes])
}
