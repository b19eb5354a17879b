//! What the evaluators of simulated time share: jobs with their machine, and the tables of a run.

use netloom_model::{self as model, Machine, Outcome, Scenario, Table, TableRow, Tabled, Workload, record, table};

use crate::contention_causes;
use crate::contention_causes::CauseRow;
use crate::machine::RoutedMachine;
use crate::{Activity, Execution, Job, Load, Routine, Spread, Stretch, Trace, critical_path};

record! {
    /// The record of a run, to which rungs of time add their own.
    pub struct Timed {
        time_s: Option<f64>, "s", "when the last rank of all jobs ends; unknown of a run that was stopped";
        messages: u64, "", "messages that arrived";
        bytes: u64, "B", "bytes of these messages";
        mop_per_s: Option<f64>, "Mop/s", "counted operations per time, if programs count them";
        stopped_s: Option<f64>, "s",
            "simulated time at which the run was stopped before its end; unknown of one that ended";
        ranks_ended: u64, "", "ranks that had ended; all, unless it was stopped";
    }
}

/// The tables of a run; those after the first two come with a trace.
pub const TABLES: [&TableRow; 10] = [
    JobRow::TABLE,
    RankRow::TABLE,
    MessageRow::TABLE,
    IntervalRow::TABLE,
    CallRow::TABLE,
    BusyLinkRow::TABLE,
    LinkBinRow::TABLE,
    CriticalRow::TABLE,
    ShareRow::TABLE,
    CauseRow::TABLE,
];

table! {
    struct JobRow: "jobs", "one row per job" {
        job: String, "", "its name";
        start_s: f64, "s", "when it starts";
        finish_s: f64, "s", "when its last rank ends; NaN if that was not simulated";
    }
}

table! {
    struct RankRow: "ranks", "one row per rank of each job, jobs in order" {
        job: u32, "", "number of the job";
        finish_s: f64, "s", "when the rank ends; NaN if that was not simulated";
    }
}

table! {
    struct MessageRow: "messages", "with trace: one row per message" {
        src: u32, "", "sending rank, numbered through all jobs";
        dst: u32, "", "receiving rank";
        bytes: u64, "B", "its payload";
        job: u32, "", "number of the job";
        posted_send_s: f64, "s", "when the sender reached its send";
        posted_receive_s: f64, "s", "when the receiver reached its receive";
        start_s: f64, "s", "when both sides were ready";
        begun_s: f64, "s", "when software had done its part";
        flow_s: f64, "s", "when the latency of its route was over";
        finish_s: f64, "s", "when it had arrived";
    }
}

table! {
    struct IntervalRow: "intervals", "with trace: what every rank did, in order of end time" {
        rank: u32, "", "numbered through all jobs";
        activity: u8, "", "0 compute, 1 overhead, 2 wait for a send, 3 for a receive, 4 for several requests, 5 enter a collective, 6 combine, 7 copy";
        call: u8, "", "a row of the table calls: the call of MPI that the rank is in";
        start_s: f64, "s", "start";
        end_s: f64, "s", "end";
        message: u32, "", "number of the message that ended the wait, 2^32 - 1 for none";
    }
}

table! {
    struct CallRow: "calls", "with trace: names of the calls of MPI; the first, empty, where the program computes" {
        name: String, "", "send, waitall, allreduce, ...";
    }
}

table! {
    struct BusyLinkRow: "busy_links", "with trace: links that carried anything" {
        link: u32, "", "its number";
    }
}

table! {
    struct LinkBinRow: "link_bins", "with trace: per busy link, bytes in each bin of time, links x bins" {
        bytes: f64, "B", "in this bin";
    }
}

table! {
    struct CriticalRow: "critical_path", "with trace: what the last rank waited for, without gaps from 0 to the end" {
        rank: u32, "", "who computes, or waits for the message";
        message: u32, "", "number of the message, 2^32 - 1 for none";
        kind: u8, "", "a row of the table shares";
        start_s: f64, "s", "start";
        end_s: f64, "s", "end";
    }
}

table! {
    struct ShareRow: "shares", "with trace: what the time of the critical path went into" {
        kind: String, "", "compute, overhead, latency, ...";
        seconds: f64, "s", "its part of the path";
    }
}

/// Jobs that can be executed, and their machine.
pub struct Run<'a> {
    pub machine: RoutedMachine<'a>,
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
        let machine = RoutedMachine::new(&scenario.machine, scenario.background_paths(first)?);
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
            jobs.extend(timed(&scenario.machine, (job, seats), work, spread(at))?);
        }
        Ok(jobs)
    }
}

impl Timed {
    /// Of a run that has ended or was stopped.
    pub fn of<W>(scenario: &Scenario, done: &Execution<W>) -> Timed {
        let ended = done.finish_s.iter().flatten().filter(|end| !end.is_nan()).count();
        let end_s = done.stopped_s.is_none().then(|| done.end_s());
        Timed {
            time_s: end_s,
            messages: done.messages,
            bytes: done.bytes,
            mop_per_s: end_s.and_then(|end| mop_per_s(scenario, end)),
            stopped_s: done.stopped_s,
            ranks_ended: ended as u64,
        }
    }
}

/// Tables of jobs and ranks; with a trace all of [`TABLES`].
///
/// # Errors
/// Those of the routings.
pub fn tables<W>(scenario: &Scenario, done: &Execution<W>) -> Outcome<Vec<Table>> {
    // Of a job that has not ended no end is known.
    let later = |last: f64, end: &f64| if last.is_nan() || end.is_nan() { f64::NAN } else { last.max(*end) };
    let jobs = scenario.jobs.iter().zip(&done.finish_s).map(|(job, ranks)| JobRow {
        job: job.name.clone(),
        start_s: job.start_s,
        finish_s: ranks.iter().fold(0.0, later),
    });
    let ranks = (0u32..)
        .zip(&done.finish_s)
        .flat_map(|(job, ranks)| ranks.iter().map(move |&finish_s| RankRow { job, finish_s }));
    let mut tables = vec![Table::of(jobs), Table::of(ranks)];
    if let Some(trace) = &done.trace {
        tables.extend(recorded(trace));
        tables.extend(critical(scenario, trace, done)?);
    }
    Ok(tables)
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
    machine: &'a Machine,
    (job, seat_of_rank): (&'a model::Job, &'a [u32]),
    work: &'a Workload,
    spread: Spread<'a>,
) -> Outcome<Option<Job<'a>>> {
    let (routing, start_s, repetitions) = (Some(job.paths(machine)?), job.start_s, job.repetitions);
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

fn recorded(trace: &Trace) -> [Table; 5] {
    let messages = trace.messages.iter().map(|message| MessageRow {
        src: message.src,
        dst: message.dst,
        bytes: message.bytes,
        job: message.job,
        posted_send_s: message.posted_send_s,
        posted_receive_s: message.posted_receive_s,
        start_s: message.start_s,
        begun_s: message.begun_s,
        flow_s: message.flow_s,
        finish_s: message.finish_s,
    });
    let activity = |activity| match activity {
        Activity::Compute => 0,
        Activity::Overhead => 1,
        Activity::WaitSend => 2,
        Activity::WaitReceive => 3,
        Activity::Wait => 4,
        Activity::Call => 5,
        Activity::Combine => 6,
        Activity::Copy => 7,
    };
    let intervals = trace.intervals.iter().map(|interval| IntervalRow {
        rank: interval.rank,
        activity: activity(interval.activity),
        call: interval.call.number(),
        start_s: interval.start_s,
        end_s: interval.end_s,
        message: interval.message,
    });
    let bins = &trace.link_bins;
    [
        Table::of(messages),
        Table::of(intervals),
        Table::of(Routine::names().map(|name| CallRow { name: name.into() })),
        Table::of(bins.links.iter().map(|&link| BusyLinkRow { link })),
        Table::of(bins.bytes.iter().map(|&bytes| LinkBinRow { bytes })),
    ]
}

fn critical<W>(scenario: &Scenario, trace: &Trace, done: &Execution<W>) -> Outcome<[Table; 3]> {
    let path = critical_path(trace, &|message| done.alone_s.get(message as usize).copied().unwrap_or(0.0));
    let kind = |kind: Stretch| Stretch::ALL.iter().position(|k| *k == kind).unwrap_or(0) as u8;
    let segments = path.segments.iter().map(|segment| CriticalRow {
        rank: segment.rank,
        message: segment.message,
        kind: kind(segment.kind),
        start_s: segment.start_s,
        end_s: segment.end_s,
    });
    let share = |kind: Stretch| ShareRow { kind: kind.name().into(), seconds: path.share_s(kind) };
    let shares = Stretch::ALL.map(share);
    let causes = contention_causes::table(scenario, trace, &path, &done.alone_s)?;
    Ok([Table::of(segments), Table::of(shares), causes])
}
