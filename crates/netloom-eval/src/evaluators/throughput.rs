//! The evaluator `throughput`.

use netloom_model::fault::{Fault, codes as model};
use netloom_model::{
    Bound, Call, Column, Evaluates, Evaluator, Field, Found, Kind, Needs, Outcome, Param, Progress, Scenario, Table,
    TableRow,
};
use rayon::prelude::*;

use crate::loads::{Candidates, Variant};
use crate::packet::{
    Destinations, Hops, Input, PHIT_BYTES, Point, Protocol, Sources, Switch, Taking, classes, measure, phases,
};

static POINTS: TableRow = TableRow {
    name: "points",
    help: "one row per offered load",
    fields: &[
        Field::new("offered", "", "asked: units per cycle and sending endpoint"),
        Field::new("born", "", "offered in the measurement"),
        Field::new("accepted", "", "arrived in the measurement"),
        Field::new("accepted_sd", "", "standard deviation of the batches; NaN for one window"),
        Field::new("latency_mean", "cycles", "from birth, source queue included, to the arrival of the last unit"),
        Field::new("latency_p50", "cycles", "median"),
        Field::new("latency_p99", "cycles", "99 % of the packets take no longer"),
        Field::new("latency_p999", "cycles", "99.9 % of the packets take no longer"),
        Field::new("latency_max", "cycles", "of any packet"),
        Field::new("mean_hops", "hops", "per packet"),
        Field::new("least", "", "accepted from the source with least"),
        Field::new("most", "", "accepted from the source with most"),
        Field::new("drained", "", "1 if all packets of the measurement arrived"),
        Field::new("cycles", "", "simulated"),
        Field::new("packets", "", "that arrived in the measurement"),
    ],
};

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
        Param::optional("warm_up", Kind::Int { min: 0, max: 1 << 40 }, "10000", "cycles before the measurement"),
        Param::optional(
            "cycles",
            Kind::Int { min: 1, max: 1 << 40 },
            "20000",
            "cycles of the measurement, or of a batch",
        ),
        Param::optional("drain", Kind::Int { min: 0, max: 1 << 40 }, "100000", "most cycles after a window"),
        Param::optional("saturation", Kind::Bool, "true", "whether the saturation is searched, by bisection"),
        Param::optional("seed", Kind::Int { min: 0, max: i64::MAX }, "1", "of births, destinations and arbitration"),
    ],
    example: "throughput(loads=\"0.1,0.5\")",
    restrictions: "one job; no background flows; variants with detours on output-queued switches only",
    source: "Dally and Towles 2004, chapter 23; Navaridas 2009, section 4",
    build: Evaluates {
        model: "packets through switches",
        version: "1",
        assumptions: &[
            "Sources are independent: every endpoint with ranks makes packets of one size at random (Bernoulli), at the same rate.",
            "Nothing is lost: a packet moves when there is room for it.",
        ],
        fields: &[
            Field::new("saturation", "", "greatest load that is accepted (98 % of it), to 0.01"),
            Field::new("zero_load_latency", "cycles", "mean latency of packets that meet no other"),
            Field::new("latency_unit", "", "of all latencies"),
            Field::new("cycle_s", "s", "one phit or flit on an endpoint's link, if it has 16 bytes"),
            Field::new(
                "channel_classes",
                "",
                "classes of virtual channels that the routing needs; 1: any channel may be used",
            ),
            Field::new("deadlock_free", "", "1 if it was proved, unknown on networks too large for the proof"),
            Field::new("packet_hops", "", "links that packets took, in all runs"),
        ],
        tables: &[&POINTS],
        supports: |needs| {
            needs.all(&[|n| n.one_job(), |n| n.no_background(), |n| n.no_start(), |n| n.no_repetitions(), no_node])
        },
        find,
    },
};

fn no_node(needs: &Needs<'_>) -> Option<Fault> {
    needs.scenario.node.is_some().then(|| needs.refuse("node", "knows no levels of a node"))
}

/// Share of the offered load that a network below saturation accepts, and how closely the saturation is found.
const ACCEPTS: f64 = 0.98;
const CLOSE: f64 = 0.01;

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
pub(super) fn taking(place: &str, variant: Option<&Call>) -> Outcome<Taking> {
    let Some(call) = variant else { return Ok(Taking::Drawn) };
    match Variant::of(call)? {
        Variant { adaptive: false, candidates: Candidates::Direct } => Ok(Taking::Drawn),
        Variant { adaptive: false, candidates: Candidates::Hashed { seed } } => Ok(Taking::Hashed { seed }),
        Variant { adaptive: true, candidates: Candidates::Direct } => Ok(Taking::Adaptive),
        Variant { adaptive: false, .. } => Ok(Taking::Detour),
        Variant { candidates: Candidates::Fresh { paths, direct }, .. } => {
            let detours = paths.saturating_sub(direct).min(64) as u8;
            Ok(Taking::Hybrid { detours, direct: direct > 0 || detours == 0 })
        }
        Variant { .. } => {
            let expected =
                "static-direct, hashed, adaptive-direct, static-indirect, adaptive-indirect or adaptive-hybrid";
            Err(Fault::new(&model::BAD_VALUE, place, expected, call.to_string()).into())
        }
    }
}

fn find(scenario: &Scenario, options: &Bound, progress: &Progress) -> Outcome<Found> {
    let job = scenario.one_job()?;
    let network = &*scenario.network;
    let switch = Switch::of(&Call::parse(options.text("switch"))?)?.in_cycles();
    let asked = loads(options.text("loads"))?;
    let taking = taking("throughput.variant", job.variant.as_ref())?;
    switch.admit(network, taking)?;
    let routing = scenario.paths(job)?;
    let (classes, proved) = classes(network, routing, Some(switch.channels()), &Progress::new())?;
    phases(routing, Some(switch.channels()), classes, taking)?;
    let destinations = Destinations::of(&job.workload)?;
    let seed = options.int("seed") as u64;
    let [warm_up, cycles, drain] = ["warm_up", "cycles", "drain"].map(|name| options.int(name) as u64);
    let protocol = match options.text("protocol") {
        "batches" => Protocol::Batches { warm_up, cycles },
        _ => Protocol::Window { warm_up, cycles, drain },
    };
    let sources =
        Sources { endpoint_of_rank: job.seats.endpoints(), destinations: &destinations, units: switch.units(), seed };
    let run = |load: f64, protocol: Protocol| {
        let hops = Hops::new(network, routing, classes);
        measure(switch.engine(network, hops, taking, seed), sources, load, protocol, progress)
    };
    progress.set_total(protocol.cycles() * asked.len() as u64);
    let points: Vec<Point> = asked.par_iter().map(|load| run(*load, protocol)).collect::<Outcome<_>>()?;
    let mut packet_hops: u64 = points.iter().map(|point| point.link_hops).sum();
    let mut saturation = None;
    if options.bool("saturation") {
        let mut accepts = |load: f64| {
            let point = run(load, protocol)?;
            packet_hops += point.link_hops;
            Ok(point.accepted >= ACCEPTS * point.born)
        };
        saturation = Some(saturate(&asked, &points, &mut accepts)?);
    }
    let quiet = zero_load(scenario, &destinations, switch, Hops::new(network, routing, classes), taking, seed)?;
    let cycle_s = f64::from(PHIT_BYTES) / network.endpoint_class().bandwidth_bytes_per_s;
    let record = vec![
        saturation.into(),
        quiet.into(),
        "cycles".into(),
        cycle_s.into(),
        u32::from(classes).into(),
        proved.then_some(1u32).into(),
        packet_hops.into(),
    ];
    Ok(Found { record, tables: vec![table(&asked, points)] })
}

/// Between the greatest load that is accepted and the least that is not, by halving.
fn saturate(asked: &[f64], points: &[Point], accepts: &mut dyn FnMut(f64) -> Outcome<bool>) -> Outcome<f64> {
    let good = |point: &Point| point.accepted >= ACCEPTS * point.born;
    let known = || asked.iter().zip(points);
    let bad = known().filter(|(_, p)| !good(p)).map(|(load, _)| *load).fold(f64::INFINITY, f64::min);
    let mut low = known().filter(|(load, p)| good(p) && **load < bad).map(|(load, _)| *load).fold(0.0, f64::max);
    let mut high = bad;
    if high.is_infinite() {
        if low >= 1.0 || accepts(1.0)? {
            return Ok(1.0);
        }
        high = 1.0;
    }
    while high - low > CLOSE {
        let middle = (low + high) / 2.0;
        if accepts(middle)? {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

/// Packets of each source one after another, so that none meets another: the mean latency of a few thousand.
fn zero_load(
    scenario: &Scenario,
    destinations: &Destinations,
    switch: Input,
    hops: Hops<'_>,
    taking: Taking,
    seed: u64,
) -> Outcome<Option<f64>> {
    use crate::packet::{Engine, Offer};
    use netloom_model::Family;
    let Some(job) = scenario.jobs.first() else { return Ok(None) };
    let (endpoints, family) = (job.seats.endpoints(), Family::new(seed, "zero load"));
    let mut engine = switch.engine(&scenario.network, hops, taking, seed);
    let (mut arrivals, mut sum, mut number) = (Vec::new(), 0, 0u64);
    let senders: Vec<u32> = (0..endpoints.len() as u32).filter(|rank| destinations.sends(*rank)).collect();
    if senders.is_empty() {
        return Ok(None);
    }
    for index in 0..QUIET {
        let mut draws = family.of(index);
        // Every source as often as any other; of many sources a sample.
        let rank = match senders.len() as u64 {
            few if few <= QUIET => senders[(index % few) as usize],
            many => senders[draws.below(many as u32) as usize],
        };
        let (from, to) = (endpoints[rank as usize], endpoints[destinations.draw(rank, &mut draws) as usize]);
        engine.offer(Offer { from, to, tag: 0, units: switch.units() })?;
        while !engine.idle() {
            engine.cycle(&mut arrivals)?;
        }
        for arrival in arrivals.drain(..) {
            sum += arrival.at - arrival.born;
            number += 1;
        }
    }
    Ok((number > 0).then(|| sum as f64 / number as f64))
}

const QUIET: u64 = 4096;

fn table(asked: &[f64], mut points: Vec<Point>) -> Table {
    let quantiles: Vec<[Option<u64>; 4]> = points
        .iter_mut()
        .map(|p| {
            [p.latencies.quantile(0.5), p.latencies.quantile(0.99), p.latencies.quantile(0.999), p.latencies.max()]
        })
        .collect();
    let numbers = |get: &dyn Fn(&Point) -> Option<f64>| {
        Column::F64(points.iter().map(|point| get(point).unwrap_or(f64::NAN)).collect())
    };
    let at = |which: usize| {
        Column::F64(quantiles.iter().map(|q| q[which].map_or(f64::NAN, |cycles| cycles as f64)).collect())
    };
    Table::new(
        &POINTS,
        vec![
            Column::F64(asked.to_vec()),
            numbers(&|p| Some(p.born)),
            numbers(&|p| Some(p.accepted)),
            numbers(&|p| p.accepted_sd),
            numbers(&|p| p.latencies.mean()),
            at(0),
            at(1),
            at(2),
            at(3),
            numbers(&|p| p.mean_hops),
            numbers(&|p| Some(p.least)),
            numbers(&|p| Some(p.most)),
            Column::U8(points.iter().map(|p| p.drained.into()).collect()),
            Column::U64(points.iter().map(|p| p.cycles).collect()),
            Column::U64(points.iter().map(|p| p.packets).collect()),
        ],
    )
}
