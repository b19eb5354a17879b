//! The evaluator `packet`.

use netloom_model::fault::{Fault, codes as model};
use netloom_model::{
    Answer, Bound, Call, Evaluates, Evaluator, Found, Kind, Network, Outcome, Param, Progress, Record, Scenario, Table,
    TableRow, Tabled, answer::join, record, records, table,
};

use super::alike::Alike;
use super::fast::{self, FastRun, Skipped};
use super::seen;
use super::seen::WatchedRecord;
use super::throughput::{escape, taking};
use crate::{
    Carried, Clocked, Kept, Optimism, OutputSettings, PHIT_BYTES, PacketRun, ParallelStats, ProcessGroup, Switch,
    execute, execute_cycles,
};
use netloom_loads::evaluators::features::FeatureRecord;
use netloom_loads::evaluators::link_classes;
use netloom_loads::evaluators::link_classes::ClassRow;
use netloom_loads::loads::{Unit, classes};
use netloom_ranks::runs;
use netloom_ranks::runs::{Run, Timed};
use netloom_ranks::{Job, Spread};

/// The tables of a run, then those of packets.
static TABLES: [&TableRow; runs::TABLES.len() + OWN.len()] = join(ClassRow::TABLE, &[&runs::TABLES, &OWN]);

const OWN: [&TableRow; 8] = [
    ClassRow::TABLE,
    LinkRow::TABLE,
    seen::LatencyRow::TABLE,
    seen::LatencyBinRow::TABLE,
    seen::ByHopsRow::TABLE,
    seen::ClassUseRow::TABLE,
    seen::BusiestRow::TABLE,
    seen::OccupancyRow::TABLE,
];

table! {
    struct LinkRow: "links", "with arrays: one row per directed link: switch links, then injection, then ejection" {
        bytes: f64, "B", "that began to cross it";
        packets: f64, "", "with details: that crossed it; else NaN";
        chunks: f64, "", "with details and output-queued switches: chunks of 32 bytes, the last one of a packet not full; else NaN";
        stalls: f64, "",
            "with details and output-queued switches: packets that came over it and could not go on at once; else NaN";
    }
}

record! {
    /// What packets did.
    struct Sent {
        packets: u64, "", "packets sent; with fast those that were simulated, as the next four";
        packet_hops: u64, "", "links that packets crossed, of all kinds";
        waits: u64, "", "times that a packet found no room in the next buffer";
        most_buffer_bytes: u32, "B", "most bytes in the buffer of one virtual channel";
        events: u64, "", "events simulated";
        bin_s: Option<f64>, "s", "width of a bin of link_bins, with trace";
    }
}

record! {
    /// The switches that were simulated.
    struct Simulated {
        switch_kind: &'static str, "", "kind of the switch model: output-queued, input-queued or booksim";
        fixed_latency: u32, "",
            "1: links between switches take cycles that the switch model was given, in place of their latency";
    }
}

record! {
    /// How the simulation went: nothing here is of its result.
    struct Progressed {
        parts: u64, "",
            "parts of the network that were simulated together; this and all that follows tell how, and change no result";
        processes: u64, "", "processes that simulated these parts";
        most_events: u64, "", "most events of one part: events over parts if their work is balanced";
        lookahead_s: f64, "s", "simulated time that a part can go on without hearing from others";
        synchronisations: u64, "", "times that all parts waited for each other";
        mail: u64, "", "packets and credits that parts sent each other";
        processed: u64, "", "events, including those that a rollback undid";
        rollbacks: u64, "", "times that a part that ran ahead went back";
        cancelled: u64, "", "packets and credits withdrawn after a rollback";
        efficiency: f64, "", "1 minus events undone over events kept (Jain 2016, section 5.5.1)";
    }
}

records! {
    struct PacketRecord {
        run: Timed, skipped: Skipped, sent: Sent, seen: WatchedRecord, features: FeatureRecord, switch: Simulated, parallel: Progressed,
    }
}

pub const ROW: Evaluator = Evaluator {
    name: "packet",
    aliases: &[],
    summary: "simulated time of jobs whose messages are packets",
    params: &[
        Param::optional("trace", Kind::Bool, "false", "whether messages, ranks and links are recorded"),
        Param::optional("seed", Kind::Int { min: 0, max: i64::MAX }, "1", "of paths and ties"),
        Param::optional(
            "switch",
            Kind::Text,
            "output-queued",
            "switch model, such as output-queued(packet_bytes=2048)",
        ),
        Param::optional(
            "threads",
            Kind::Int { min: 0, max: 1 << 10 },
            "0",
            "output-queued: parts of the network that are simulated at the same time, at most its switches; 0: as many as \
             there are processors, on large networks; no result depends on it",
        ),
        Param::optional(
            "parallel",
            Kind::Text,
            "conservative",
            "output-queued: how parts are simulated together, such as optimistic(batch=64); no result depends on it",
        ),
        Param::optional(
            "details",
            Kind::Bool,
            "false",
            "whether links, queues and latencies are watched, which takes about 15 % longer",
        ),
        Param::optional(
            "links",
            Kind::Int { min: 0, max: 1 << 32 },
            "16",
            "with details: rows of the table of the busiest links",
        ),
        Param::optional(
            "occupancy",
            Kind::Int { min: 0, max: 1 << 12 },
            "0",
            "most bins of time of the table of occupancy, with details; 0: no such table",
        ),
        Param::optional(
            "features",
            Kind::Bool,
            "false",
            "whether the answer has features for learners; with details, and with output-queued switches alone",
        ),
        Param::optional("arrays", Kind::Bool, "false", "whether the answer has a row for every link"),
        Param::optional(
            "fast",
            Kind::Bool,
            "false",
            "output-queued: whether of long messages, or of many repetitions, a part is simulated and the time of the whole is \
             extrapolated, with an error; and of parts of the machine that do the same apart from each other, one each",
        ),
        Param::optional(
            "fast_within",
            Kind::Float { min: 0.0, max: 1e6 },
            "0.1",
            "with fast: error over time that is small enough; until then more is simulated, up to a quarter of the packets; 0: \
             nothing is extrapolated",
        ),
    ],
    example: "packet(trace=true)",
    restrictions: "at least one job, each with a routing that cannot deadlock; full duplex; on input-queued switches one \
                   routing, no node, no background flows and no trace",
    source: "Jain 2016, section 5.3",
    build: Evaluates {
        model: "packets through switches",
        version: "1",
        assumptions: &[
            "A message is cut into packets, each of which takes one path; nothing is lost, and packets may overtake each other.",
            "A packet moves on when the next buffer has room for it: at the output of a switch, or at its input.",
            "NICs send the packets of their messages in turn and take arriving ones at the speed of their link.",
        ],
        fields: PacketRecord::FIELDS,
        tables: &TABLES,
        supports: |needs| needs.all(&[|n| n.some_job(), |n| n.full_duplex()]),
        find,
    },
};

fn find(scenario: &Scenario, options: &Bound, progress: &Progress) -> Outcome<Found> {
    found(scenario, options, progress, ProcessGroup::alone())
}

/// The answer of this process and others, each of which calls it with the same inputs.
///
/// # Errors
/// As the evaluator, and `NL-E023`, `NL-E024` for what other processes do.
pub fn answer_together(
    scenario: &Scenario,
    options: &Bound,
    progress: &Progress,
    group: ProcessGroup,
) -> Outcome<Answer> {
    ROW.answer(scenario, || found(scenario, options, progress, group))
}

fn found(scenario: &Scenario, options: &Bound, progress: &Progress, group: ProcessGroup) -> Outcome<Found> {
    let (switch, seed) = (Switch::of(&Call::parse(options.text("switch"))?)?, options.int("seed") as u64);
    let (trace, bins) = (options.bool("trace"), options.int("occupancy") as u16);
    let features = options.bool("features");
    let kept = Kept { trace, details: options.bool("details") || features || bins > 0, bins };
    let (fast, output_queued) = (options.bool("fast"), matches!(switch, Switch::Output(_)));
    if fast {
        fast::refused(scenario, (output_queued, group.is_alone()), kept, options.bool("arrays")).or(())?;
    }
    let optimism = Optimism::of(&Call::parse(options.text("parallel"))?)?;
    let Some(run) = Run::of(scenario)? else { return Ok(Found::default()) };
    let takings = scenario.jobs.iter().map(|job| scenario.of(job, taking(job.variant.as_ref())));
    let takings = takings.collect::<Outcome<Vec<_>>>()?;
    let jobs: Vec<(Job<'_>, _)> = run.jobs(scenario, |_| Spread::Shares)?.into_iter().zip(takings).collect();
    let background = &scenario.background;
    let mut skipped = Skipped::default();
    let (done, together) = match switch {
        Switch::Output(settings) => {
            let escapes = scenario.jobs.iter().map(|job| scenario.of(job, escape(scenario, job, false)));
            let escapes = escapes.collect::<Outcome<Vec<_>>>()?;
            let escapes: Vec<_> = escapes.iter().map(Option::as_deref).collect();
            let threads = Some(options.int("threads") as u16).filter(|threads| *threads > 0);
            let settings = OutputSettings { seed, threads, optimism, ..settings };
            if fast {
                let alike = Alike::of(&run.machine, &jobs, &escapes, settings)?;
                let asked = FastRun {
                    alike: alike.as_ref(),
                    machine: run.machine,
                    jobs: &jobs,
                    escapes: &escapes,
                    settings,
                    enough: options.float("fast_within"),
                };
                let (done, together, left_out) = fast::executed(&asked, progress)?;
                skipped = left_out;
                (done, together)
            } else {
                let asked =
                    PacketRun { escapes: &escapes, background, kept, ..PacketRun::new(run.machine, &jobs, settings) };
                execute(&asked, (progress, group))?
            }
        }
        Switch::Input(_) if trace => {
            let sentence = "runs on input-queued switches have no record";
            return Err(Fault::say(&model::BAD_VALUE, "packet.trace", sentence).hint("use output-queued").into());
        }
        Switch::Input(_) if optimism.is_some() => {
            let sentence = "is of output-queued switches; others are simulated cycle by cycle in one part";
            return Err(Fault::say(&model::BAD_VALUE, "packet.parallel", sentence).hint("use output-queued").into());
        }
        Switch::Input(_) if features => {
            let sentence = "are counted by switches with queues at their outputs";
            return Err(Fault::say(&model::BAD_VALUE, "packet.features", sentence).hint("use output-queued").into());
        }
        Switch::Input(_) if !group.is_alone() => {
            let sentence = "is simulated cycle by cycle in one process";
            return Err(Fault::say(&model::BAD_VALUE, "packet.switch", sentence).hint("use output-queued").into());
        }
        Switch::Input(input) => {
            let escape = scenario.jobs.first().map(|job| escape(scenario, job, true)).transpose()?.flatten();
            let settings = Clocked { switch: input, seed, unit_bytes: PHIT_BYTES.into() };
            let done = execute_cycles(&run.machine, &jobs, background, settings, escape.as_deref(), kept, progress)?;
            let most_events = done.work.work.events;
            (done, ParallelStats { parts: 1, processes: 1, most_events, ..ParallelStats::default() })
        }
    };
    let Carried { work, link_bytes, .. } = &done.work;
    // Windows undo nothing.
    let processed = together.processed.max(work.events);
    let record = PacketRecord {
        run: Timed::of(scenario, &done),
        skipped,
        sent: Sent {
            packets: work.packets,
            packet_hops: work.packet_hops,
            waits: work.waits,
            most_buffer_bytes: work.most_bytes,
            events: work.events,
            bin_s: done.trace.as_ref().map(|trace| trace.link_bins.width_s),
        },
        seen: WatchedRecord::of(&done.work, &scenario.machine.network),
        features: match features {
            true => seen::features(scenario, &done.work, progress)?,
            false => FeatureRecord::default(),
        },
        switch: Simulated {
            switch_kind: switch.in_cycles().kind(),
            fixed_latency: switch.in_cycles().has_own_latency().into(),
        },
        parallel: Progressed {
            parts: together.parts,
            processes: together.processes,
            most_events: together.most_events,
            lookahead_s: together.lookahead_ps as f64 * 1e-12,
            synchronisations: together.synchronisations,
            mail: together.mail,
            processed,
            rollbacks: together.rollbacks,
            cancelled: together.cancelled,
            efficiency: 2.0 - processed.max(1) as f64 / work.events.max(1) as f64,
        },
    };
    let mut tables = runs::tables(scenario, &done)?;
    // What a part of a run leaves on links is not that of the whole.
    let all_of_it = link_bytes.len() >= scenario.machine.network.links() as usize;
    let empty = || Table::of(std::iter::empty::<ClassRow>());
    tables.push(if all_of_it { by_class(&scenario.machine.network, link_bytes) } else { empty() });
    tables.extend(seen::tables(scenario, &done.work, options.int("links") as usize));
    if options.bool("arrays") {
        let seen = done.work.seen.as_ref();
        tables.push(Table::of(link_bytes.iter().enumerate().map(|(link, &bytes)| {
            let seen = seen.and_then(|seen| seen.links.get(link));
            let counters = seen.and_then(|seen| seen.counters);
            LinkRow {
                bytes: bytes as f64,
                packets: seen.map_or(f64::NAN, |seen| seen.used.packets as f64),
                chunks: counters.map_or(f64::NAN, |(chunks, _)| chunks as f64),
                stalls: counters.map_or(f64::NAN, |(_, stalls)| stalls as f64),
            }
        })));
    }
    Ok(Found::new(record, tables))
}

/// Bytes of packets as link loads count them.
fn by_class(network: &Network, bytes: &[u64]) -> Table {
    let (between, ends) = bytes.split_at(network.switch_links() as usize);
    let (injected, ejected) = ends.split_at(network.endpoints() as usize);
    link_classes::table(classes(network, (between, Unit::WHOLE), [injected.to_vec(), ejected.to_vec()]))
}
