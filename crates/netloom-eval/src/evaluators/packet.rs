//! The evaluator `packet`.

use netloom_model::fault::{Fault, codes as model};
use netloom_model::{
    Answer, Bound, Call, Column, Evaluates, Evaluator, Field, Found, Kind, Network, Outcome, Param, Progress, Scenario,
    Table, TableRow,
};

use super::link_classes::{self, CLASSES};
use super::packet_seen;
use super::runs::{self, Run};
use super::throughput::{escape, taking};
use crate::loads::{Unit, classes};
use crate::packet::{
    Carried, Company, Kept, Optimism, OutputSettings, PHIT_BYTES, Switch, Together, execute, execute_cycles,
};
use crate::ranks::{Job, Spread};

/// The tables of every evaluator of time, then those of packets.
static TABLES: [&TableRow; runs::TABLES.len() + OWN.len()] = {
    let mut tables = [&CLASSES; runs::TABLES.len() + OWN.len()];
    let mut at = 0;
    while at < tables.len() {
        tables[at] = if at < runs::TABLES.len() { runs::TABLES[at] } else { OWN[at - runs::TABLES.len()] };
        at += 1;
    }
    tables
};

static OWN: [&TableRow; 8] = [
    &CLASSES,
    &LINKS,
    &packet_seen::LATENCY,
    &packet_seen::LATENCIES,
    &packet_seen::BY_HOPS,
    &packet_seen::CLASS_USE,
    &packet_seen::BUSIEST,
    &packet_seen::OCCUPANCY,
];

static LINKS: TableRow = TableRow {
    name: "links",
    help: "with arrays: one row per directed link: switch links, then injection, then ejection",
    fields: &[Field::new("bytes", "B", "that began to cross it")],
};

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
        Param::optional("arrays", Kind::Bool, "false", "whether the answer has the bytes of every link"),
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
        fields: &[
            runs::FIELDS[0],
            runs::FIELDS[1],
            runs::FIELDS[2],
            runs::FIELDS[3],
            runs::FIELDS[4],
            runs::FIELDS[5],
            Field::new("packets", "", "sent"),
            Field::new("packet_hops", "", "links that packets crossed, of all kinds"),
            Field::new("waits", "", "times that a packet found no room in the next buffer"),
            Field::new("most_buffer_bytes", "B", "in the buffer of one virtual channel"),
            Field::new("events", "", "simulated"),
            Field::new("bin_s", "s", "width of a bin of link_bins, with trace"),
            packet_seen::FIELDS[0],
            packet_seen::FIELDS[1],
            packet_seen::FIELDS[2],
            packet_seen::FIELDS[3],
            Field::new("switch_kind", "", "of the switch model: output-queued, input-queued or booksim"),
            Field::new(
                "fixed_latency",
                "",
                "1: links between switches take cycles that the switch model was given, in place of their latency",
            ),
            Field::new("parts", "", "of the network; like all that follows, not of the result but of the way to it"),
            Field::new("processes", "", "that had them"),
            Field::new("most_events", "", "of one part; events over parts, if they have the same work"),
            Field::new("lookahead_s", "s", "that parts can go on without each other"),
            Field::new("synchronisations", "", "times that all parts waited for each other"),
            Field::new("mail", "", "packets and credits from one part to another"),
            Field::new("processed", "", "events, with those that were undone"),
            Field::new("rollbacks", "", "times that a part that ran ahead went back"),
            Field::new("cancelled", "", "packets and credits of mail that were not true"),
            Field::new("efficiency", "", "one less the events undone over those that stay (Jain 2016, section 5.5.1)"),
        ],
        tables: &TABLES,
        supports: |needs| needs.all(&[|n| n.some_job(), |n| n.full_duplex()]),
        find,
    },
};

fn find(scenario: &Scenario, options: &Bound, progress: &Progress) -> Outcome<Found> {
    found(scenario, options, progress, Company::alone())
}

/// The answer of this process and others, each of which calls it with the same inputs.
///
/// # Errors
/// As the evaluator, and `NL-E023`, `NL-E024` for what other processes do.
pub fn answer_together(scenario: &Scenario, options: &Bound, progress: &Progress, company: Company) -> Outcome<Answer> {
    ROW.answer(scenario, || found(scenario, options, progress, company))
}

fn found(scenario: &Scenario, options: &Bound, progress: &Progress, company: Company) -> Outcome<Found> {
    let (switch, seed) = (Switch::of(&Call::parse(options.text("switch"))?)?, options.int("seed") as u64);
    let (trace, bins) = (options.bool("trace"), options.int("occupancy") as u16);
    let kept = Kept { trace, details: options.bool("details") || bins > 0, bins };
    let optimism = Optimism::of(&Call::parse(options.text("parallel"))?)?;
    let Some(run) = Run::of(scenario)? else { return Ok(Found::default()) };
    let takings = scenario.jobs.iter().map(|job| scenario.of(job, taking(job.variant.as_ref())));
    let takings = takings.collect::<Outcome<Vec<_>>>()?;
    let jobs: Vec<(Job<'_>, _)> = run.jobs(scenario, |_| Spread::Shares)?.into_iter().zip(takings).collect();
    let background = &scenario.background;
    let (done, together) = match switch {
        Switch::Output(settings) => {
            let escapes = scenario.jobs.iter().map(|job| scenario.of(job, escape(scenario, job, false)));
            let escapes = escapes.collect::<Outcome<Vec<_>>>()?;
            let escapes: Vec<_> = escapes.iter().map(Option::as_deref).collect();
            let threads = Some(options.int("threads") as u16).filter(|threads| *threads > 0);
            let settings = OutputSettings { seed, threads, optimism, ..settings };
            execute(&run.machine, &jobs, &escapes, background, settings, kept, (progress, company))?
        }
        Switch::Input(_) if trace => {
            let sentence = "runs on input-queued switches have no record";
            return Err(Fault::say(&model::BAD_VALUE, "packet.trace", sentence).hint("use output-queued").into());
        }
        Switch::Input(_) if optimism.is_some() => {
            let sentence = "is of output-queued switches; others are simulated cycle by cycle in one part";
            return Err(Fault::say(&model::BAD_VALUE, "packet.parallel", sentence).hint("use output-queued").into());
        }
        Switch::Input(_) if !company.is_alone() => {
            let sentence = "is simulated cycle by cycle in one process";
            return Err(Fault::say(&model::BAD_VALUE, "packet.switch", sentence).hint("use output-queued").into());
        }
        Switch::Input(input) => {
            let escape = scenario.jobs.first().map(|job| escape(scenario, job, true)).transpose()?.flatten();
            let settings = (input, seed, PHIT_BYTES.into());
            let done = execute_cycles(&run.machine, &jobs, background, settings, escape.as_deref(), kept, progress)?;
            let most_events = done.work.work.events;
            (done, Together { parts: 1, processes: 1, most_events, ..Together::default() })
        }
    };
    let Carried { work, link_bytes, .. } = &done.work;
    // Windows undo nothing.
    let processed = together.processed.max(work.events);
    let mut record = runs::record(scenario, &done);
    record.extend([
        work.packets.into(),
        work.packet_hops.into(),
        work.waits.into(),
        work.most_bytes.into(),
        work.events.into(),
        done.trace.as_ref().map(|trace| trace.link_bins.width_s).into(),
    ]);
    record.extend(packet_seen::record(&done.work, &scenario.network));
    record.extend([switch.in_cycles().kind().into(), u32::from(switch.in_cycles().has_own_latency()).into()]);
    record.extend([
        together.parts.into(),
        together.processes.into(),
        together.most_events.into(),
        (together.lookahead_ps as f64 * 1e-12).into(),
        together.synchronisations.into(),
        together.mail.into(),
        processed.into(),
        together.rollbacks.into(),
        together.cancelled.into(),
        (2.0 - processed.max(1) as f64 / work.events.max(1) as f64).into(),
    ]);
    let mut tables = runs::tables(scenario, &done)?;
    tables.push(by_class(&scenario.network, link_bytes));
    tables.extend(packet_seen::tables(scenario, &done.work, options.int("links") as usize));
    if options.bool("arrays") {
        let bytes = link_bytes.iter().map(|bytes| *bytes as f64).collect();
        tables.push(Table::new(&LINKS, vec![Column::F64(bytes)]));
    }
    Ok(Found { record, tables })
}

/// Bytes of packets as link loads count them.
fn by_class(network: &Network, bytes: &[u64]) -> Table {
    let (between, ends) = bytes.split_at(network.switch_links() as usize);
    let (injected, ejected) = ends.split_at(network.endpoints() as usize);
    link_classes::table(classes(network, (between, Unit::WHOLE), [injected.to_vec(), ejected.to_vec()]))
}
