//! The evaluator `throughput`.

mod features;
mod ideal;
mod occupancy;
mod quiet;
mod search;
mod tables;

use std::sync::Arc;

use netloom_model::fault::{Fault, codes as model};
use netloom_model::{
    Bound, Call, Evaluates, Evaluator, Faults, Found, Hosts, Kind, Needs, Outcome, Param, Progress, Record, Routing,
    Scenario, Tabled, record,
};
use rayon::prelude::*;

use crate::codes;
use crate::offered::open_loop::measure;
use crate::routes::hops::Shelf;
use crate::{Destinations, PHIT_BYTES, Point, Process, Protocol, Sees, Sources, Switch, Taking};
use netloom_loads::loads::{Candidates, Packets, VARIANTS, Variant};

record! {
    struct ThroughputRecord {
        saturation: Option<f64>, "", "greatest load that is accepted (98 % of it), to 0.01 or a twentieth of itself";
        zero_load_latency: Option<f64>, "cycles", "mean latency of packets that meet no other";
        zero_load_exact: Option<u32>, "",
            "1: over all pairs and paths by their shares; 0: of a sample of 4,096 packets";
        switch_kind: &'static str, "", "of the switch model: output-queued, input-queued or booksim";
        latency_unit: &'static str, "", "of all latencies";
        cycle_s: f64, "s", "one phit or flit on an endpoint's link, if it has 16 bytes";
        channel_classes: u32, "", "classes of virtual channels that the routing needs; 1: any channel may be used";
        deadlock_free: Option<u32>, "", "1 if it was proved, unknown on networks too large for the proof";
        packet_hops: u64, "", "links that packets took, in all runs";
        ideal: Option<f64>, "",
            "load at which the busiest link is full, with the paths in the routing's shares; adaptive packets may pass it";
        not_measured: u64, "", "loads without a point, for lack of time";
    }
}

pub const ROW: Evaluator = Evaluator {
    name: "throughput",
    aliases: &[],
    summary: "offered against accepted load, and latency, packet by packet",
    params: &[
        Param::optional(
            "loads",
            Kind::Text,
            "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1.0",
            "offered loads, 0 to 1, with commas",
        ),
        Param::optional("switch", Kind::Text, "input-queued", "switch model, such as input-queued(channels=2)"),
        Param::optional(
            "protocol",
            Kind::Choice(&["window", "batches"]),
            "window",
            "window: one measurement, followed until its packets have arrived; batches: until the accepted load is steady, \
             then ten (Navaridas 2009)",
        ),
        Param::optional(
            "warm_up",
            Kind::Int { min: 0, max: 1 << 40 },
            "",
            "cycles before the measurement; default 10000, or four times the latency at zero load where that is more",
        ),
        Param::optional(
            "cycles",
            Kind::Int { min: 1, max: 1 << 40 },
            "",
            "cycles of the measurement, or of a batch; default 20000, and for a window as many again until 10000 packets are \
             born in it, 50 times at most, cycles aside in which nothing happens",
        ),
        Param::optional(
            "drain",
            Kind::Int { min: 0, max: 1 << 40 },
            "",
            "most cycles after a window; default 100000, or forty times the latency at zero load where that is more",
        ),
        Param::optional("saturation", Kind::Bool, "true", "whether the saturation is searched, by bisection"),
        Param::optional("source", Kind::Text, "bernoulli", "process of the sources, such as on-off(burst=8)"),
        Param::optional(
            "details",
            Kind::Bool,
            "true",
            "whether links and queues are watched, which takes about 5 % longer",
        ),
        Param::optional(
            "links",
            Kind::Int { min: 0, max: 1 << 32 },
            "16",
            "rows of the table of links: of each load the most used ones",
        ),
        Param::optional(
            "occupancy",
            Kind::Int { min: 0, max: 1 << 12 },
            "0",
            "most bins of time of the table of occupancy; 0: no such table",
        ),
        Param::optional("seed", Kind::Int { min: 0, max: i64::MAX }, "1", "of births, destinations and arbitration"),
    ],
    example: "throughput(loads=\"0.1,0.5\")",
    restrictions: "one job; no background flows; with booksim no variant that adapts, escapes or takes detours",
    source: "Dally and Towles 2004, chapter 23; Navaridas 2009, section 4",
    build: Evaluates {
        model: "packets through switches",
        version: "1",
        assumptions: &[
            "Sources are independent: every endpoint with ranks makes packets of one size at random, at the same rate.",
            "Nothing is lost: a packet moves when there is room for it.",
            "What ports of one host send each other stays inside and is left out: loads are those of packets that leave.",
        ],
        fields: ThroughputRecord::FIELDS,
        tables: &[
            tables::PointRow::TABLE,
            tables::BinRow::TABLE,
            tables::HopsRow::TABLE,
            tables::UsedLinkRow::TABLE,
            features::FeatureRow::TABLE,
            occupancy::FillRow::TABLE,
        ],
        supports: |needs| {
            needs.all(&[
                |n| n.one_job(),
                |n| n.no_switches(),
                |n| n.no_background(),
                |n| n.no_start(),
                |n| n.no_repetitions(),
                |n| n.full_duplex(),
                |n| n.shared_links(),
                no_node,
            ])
        },
        find,
    },
};

fn no_node(needs: &Needs<'_>) -> Option<Fault> {
    needs.scenario.machine.node.is_some().then(|| needs.refuse("node", "knows no levels of a node"))
}

/// Cycles of a measurement or a batch if nobody says, and the packets that make such a measurement long enough.
const CYCLES: u64 = 20_000;
const PACKETS: u64 = 10_000;
/// Cycles before and after a measurement if nobody says; and in latencies at zero load, at least.
const WARM_UP: u64 = 10_000;
const DRAIN: u64 = 100_000;
const WARM_UP_LATENCIES: f64 = 4.0;
const DRAIN_LATENCIES: f64 = 40.0;

fn loads(text: &str) -> Outcome<Vec<f64>> {
    let wrong = |part: &str| {
        let expected = "loads in 0 to 1, such as 0.1,0.2,0.5";
        Fault::new(&model::BAD_VALUE, "throughput.loads", expected, format!("{part:?}"))
    };
    text.split(',')
        .map(|part| {
            let load = part.trim().parse::<f64>().ok().filter(|load| (0.0..=1.0).contains(load));
            load.ok_or_else(|| wrong(part).into())
        })
        .collect()
}

/// How packets take one of several next hops, and the seed of a hash if each pair keeps its path.
pub(super) fn taking(variant: Option<&Call>) -> Outcome<Taking> {
    let Some(call) = variant else { return Ok(Taking::Drawn) };
    let Variant { adaptive, candidates, packets } = Variant::of(call)?;
    Ok(match (adaptive, candidates) {
        (false, Candidates::Direct) if packets == Packets::Sprayed => Taking::Sprayed,
        (false, Candidates::Direct) => Taking::Drawn,
        (true, Candidates::Direct) => Taking::Adaptive,
        (_, Candidates::Hashed { seed }) => Taking::Hashed { seed },
        (_, Candidates::PerPacket { .. }) => Taking::Detour,
        (_, Candidates::Fresh { paths, direct }) => {
            let detours = paths.saturating_sub(direct).min(64) as u8;
            let sees = match packets {
                Packets::Global => Sees::Path,
                Packets::Progressive => Sees::Again,
                _ => Sees::First,
            };
            Taking::Hybrid { detours, direct: direct > 0 || detours == 0, sees }
        }
    })
}

/// The escape routing of a job whose variant has one. `rings`: its channels may form some.
///
/// # Errors
/// `NL-A001` for a routing that cannot be read; those of making it.
pub(super) fn escape(scenario: &Scenario, job: &netloom_model::Job, rings: bool) -> Outcome<Option<Box<dyn Routing>>> {
    let (Some(call), Some(routing)) = (&job.variant, &job.routing) else { return Ok(None) };
    if Variant::of(call)?.packets != Packets::Escape {
        return Ok(None);
    }
    let (_, bound) = VARIANTS.bind(call)?;
    let escape = match bound.text("escape") {
        "" if scenario.machine.network.structure().grid.is_some() && rings => "dimension-ordered(vc=one)",
        "" if scenario.machine.network.structure().grid.is_some() => "dimension-ordered",
        "" => "up-down",
        given => given,
    };
    routing.other(&scenario.machine.network, &Call::parse(escape)?).map(Some)
}

fn find(scenario: &Scenario, options: &Bound, progress: &Progress) -> Outcome<Found> {
    let job = scenario.one_job()?;
    let network = &*scenario.machine.network;
    let switch = Switch::of(&Call::parse(options.text("switch"))?)?.in_cycles();
    let asked = loads(options.text("loads"))?;
    let taking = taking(job.variant.as_ref())?;
    let (routing, escape) = (scenario.paths(job)?, escape(scenario, job, switch.bubbles())?);
    switch.admit(network, taking, escape.is_some())?;
    let (switch, plan) = switch.planned(network, (routing, escape.as_deref()), taking)?;
    let plan = if switch.bubbles() { plan } else { plan.in_bytes()? };
    let host = |hosts: &Hosts| job.seats.endpoints().iter().map(|endpoint| hosts.host(*endpoint)).collect();
    let closed = scenario.machine.closed_hosts().map(|hosts| host(&hosts));
    let destinations = Arc::new(Destinations::of(&job.workload, closed)?);
    let seed = options.int("seed") as u64;
    let endpoint_of_rank = job.seats.endpoints();
    let asked_quiet = quiet::Asked { network, endpoint_of_rank, destinations: &destinations, switch, taking, seed };
    let shelf = Shelf::default();
    let hops = || plan.hops().shelved(&shelf);
    let quiet = quiet::zero_load(&asked_quiet, hops())?;
    let (protocol, bins) = (protocol(options, quiet.map_or(0.0, |(mean, _)| mean)), options.int("occupancy") as u16);
    let cycle_s = f64::from(PHIT_BYTES) / network.endpoint_class().bandwidth_bytes_per_s;
    let sources = Sources {
        endpoint_of_rank: endpoint_of_rank.into(),
        destinations: Arc::clone(&destinations),
        process: Process::of(&Call::parse(options.text("source"))?)?,
        units: switch.units(),
        seed,
        watched: options.bool("details") || bins > 0,
        cycle_ps: cycle_s * 1e12,
        over_time: (bins > 0).then_some((network, bins)),
    };
    let run = |load: f64, sources: Sources<'_>| {
        measure(switch.engine(network, hops(), (taking, seed), None), sources, load, protocol, progress)
    };
    let senders = (0..sources.endpoint_of_rank.len() as u32).filter(|rank| destinations.sends(*rank)).count() as f64;
    let cycles = |load: f64| protocol.cycles(load * senders / f64::from(sources.units));
    let searched = options.bool("saturation");
    let search = if searched { search::longest(&asked, cycles) } else { 0 };
    progress.set_total(asked.iter().map(|load| cycles(*load)).sum::<u64>() + search);
    let found: Vec<Outcome<Point>> = asked.par_iter().map(|load| run(*load, sources.clone())).collect();
    let number = asked.len();
    let (asked, mut points) = in_time(asked, found)?;
    let mut packet_hops: u64 = points.iter().map(|point| point.link_hops).sum();
    let mut saturation = None;
    if searched && points.len() == number {
        let mut taken = |load: f64, steps: u64| {
            progress.set_total(progress.get().0 + steps * cycles(load));
            let point = run(load, Sources { watched: false, over_time: None, ..sources.clone() })?;
            packet_hops += point.link_hops;
            Ok(search::accepts(&point))
        };
        saturation = match search::saturate(&asked, &points, &mut taken) {
            Err(faults) if stopped(&faults) => None,
            found => Some(found?),
        };
    }
    let record = ThroughputRecord {
        saturation,
        zero_load_latency: quiet.map(|(mean, _)| mean),
        zero_load_exact: quiet.map(|(_, exact)| u32::from(exact)),
        switch_kind: switch.kind(),
        latency_unit: "cycles",
        cycle_s,
        channel_classes: plan.classes().into(),
        deadlock_free: plan.proved.then_some(1),
        packet_hops,
        ideal: ideal::ideal(network, routing, endpoint_of_rank, &destinations, switch)?,
        not_measured: number as u64 - points.len() as u64,
    };
    let most = options.int("links") as usize;
    let tables = vec![
        tables::points(&asked, &mut points, network),
        tables::histogram(&asked, &points),
        tables::by_hops(&asked, &points),
        tables::links(&asked, &points, network, most),
        features::features(&asked, &points, network),
        occupancy::occupancy(&asked, &points),
    ];
    Ok(Found::new(record, tables))
}

/// `quiet`: the latency at zero load. Shorter than it, a measurement would begin before the first packets arrive.
fn protocol(options: &Bound, quiet: f64) -> Protocol {
    let given = |name: &str| options.int_or_none(name).map(|cycles| cycles as u64);
    let latencies = |times: f64| (times * quiet).ceil() as u64;
    let warm_up = given("warm_up").unwrap_or(WARM_UP.max(latencies(WARM_UP_LATENCIES)));
    let drain = given("drain").unwrap_or(DRAIN.max(latencies(DRAIN_LATENCIES)));
    let given = given("cycles");
    let cycles = given.unwrap_or(CYCLES);
    match options.text("protocol") {
        "batches" => Protocol::Batches { warm_up, cycles },
        _ => Protocol::Window { warm_up, cycles, drain, packets: if given.is_some() { 0 } else { PACKETS } },
    }
}

/// True if nothing is wrong but that time was over.
fn stopped(faults: &Faults) -> bool {
    faults.0.iter().all(|fault| fault.code == codes::STOPPED.code)
}

/// The loads whose points were found before time was over, with these; none if it was over before the first.
fn in_time(asked: Vec<f64>, found: Vec<Outcome<Point>>) -> Outcome<(Vec<f64>, Vec<Point>)> {
    let mut kept = (Vec::new(), Vec::new());
    for (load, point) in asked.into_iter().zip(found) {
        match point {
            Ok(point) => {
                kept.0.push(load);
                kept.1.push(point);
            }
            Err(faults) if stopped(&faults) => {}
            Err(faults) => return Err(faults),
        }
    }
    Ok(kept)
}
