//! Points of a curve as tables.

use netloom_model::{Column, Field, Network, Table, TableRow};

use crate::evaluators::link_classes::ends_of;
use crate::packet::{Bin, LinkUse, Point};

pub(super) static POINTS: TableRow = TableRow {
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
        Field::new("window", "cycles", "length of the measurement"),
        Field::new("measured", "packets", "born in the measurement, whose latency is known"),
        Field::new("fairness", "", "Jain's index of the accepted loads of the sources: 1 if all are equal"),
        Field::new(
            "stalls_per_packet",
            "cycles",
            "in which a packet could not leave a switch, per packet that arrived",
        ),
        Field::new("buffer_mean", "", "packets (flits) in the buffers behind a link, over links and time"),
        Field::new("buffer_max", "", "most packets (flits) behind any link at once"),
        Field::new("queue_mean", "packets", "in the queue of a source, over sources and time"),
        Field::new("queue_max", "packets", "most in the queue of any source at once"),
    ],
};

pub(super) static HISTOGRAM: TableRow = TableRow {
    name: "histogram",
    help: "latencies of each load: eight bins per doubling",
    fields: &[
        Field::new("offered", "", "asked"),
        Field::new("from_cycles", "cycles", "least latency of the bin"),
        Field::new("to_cycles", "cycles", "latencies of the bin are less"),
        Field::new("packets", "", "of the measurement with such a latency"),
    ],
};

pub(super) static BY_HOPS: TableRow = TableRow {
    name: "by_hops",
    help: "packets of each load by the links between switches that they took",
    fields: &[
        Field::new("offered", "", "asked"),
        Field::new("hops", "hops", "links between switches"),
        Field::new("packets", "", "of the measurement"),
        Field::new("latency_mean", "cycles", "of these packets"),
    ],
};

pub(super) static LINKS: TableRow = TableRow {
    name: "links",
    help: "the most used links of each load, as many as the option says",
    fields: &[
        Field::new("offered", "", "asked"),
        Field::new("link", "", "number"),
        Field::new("from", "", "switch or endpoint"),
        Field::new("to", "", "switch or endpoint"),
        Field::new("packets", "", "that began to take it in the measurement"),
        Field::new("units", "", "phits or flits of these"),
        Field::new("busy", "", "share of the time in which it moved something"),
        Field::new("stalls", "cycles", "in which the front of a queue could not take it: no room, or another won"),
        Field::new("buffer_mean", "", "packets (flits) in the buffers behind it; NaN at an endpoint"),
        Field::new("buffer_max", "", "most at once; NaN at an endpoint"),
    ],
};

/// Columns that one function makes of each row.
macro_rules! floats {
    ($rows:expr, $($get:expr),+ $(,)?) => { vec![$(Column::F64($rows.iter().map($get).collect())),+] };
}

pub(super) fn points(asked: &[f64], points: &mut [Point], network: &Network) -> Table {
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
    let held: Vec<Held> = points.iter().map(|point| Held::of(point, network)).collect();
    let mut columns = vec![
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
        Column::U64(points.iter().map(|p| p.window).collect()),
        Column::U64(points.iter().map(|p| p.latencies.number()).collect()),
        numbers(&|p| p.fairness),
    ];
    columns.extend(floats!(held, |h| h.stalls, |h| h.buffers.0, |h| h.buffers.1, |h| h.sources.0, |h| h.sources.1));
    Table::new(&POINTS, columns)
}

/// What stood still, and what queued: mean and most.
struct Held {
    stalls: f64,
    buffers: (f64, f64),
    sources: (f64, f64),
}

impl Held {
    fn of(point: &Point, network: &Network) -> Held {
        let Some(watch) = &point.watch else { return Held { stalls: NAN, buffers: (NAN, NAN), sources: (NAN, NAN) } };
        let from_switches = |link: u32| link < network.switch_links() || link >= first_ejection(network);
        let stalls: u64 =
            (0..watch.number()).filter(|link| from_switches(*link)).map(|link| watch.link(link).stalls).sum();
        let sources: Vec<(f64, u32)> = watch.sources().collect();
        Held {
            stalls: if point.packets > 0 { stalls as f64 / point.packets as f64 } else { NAN },
            buffers: over(watch.buffers()),
            sources: over(point.senders.iter().map(|endpoint| sources[*endpoint as usize]).map(|(a, b)| (a, b.into()))),
        }
    }
}

const NAN: f64 = f64::NAN;

/// Mean of means, most of all.
fn over(queues: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    let (number, sum, most) = queues
        .fold((0u32, 0.0, 0.0), |(n, sum, most): (u32, f64, f64), (mean, max)| (n + 1, sum + mean, max.max(most)));
    if number == 0 { (NAN, NAN) } else { (sum / f64::from(number), most) }
}

/// Links are numbered between switches, then of injection, then of ejection.
fn first_ejection(network: &Network) -> u32 {
    network.switch_links() + network.endpoints()
}

pub(super) fn histogram(asked: &[f64], points: &[Point]) -> Table {
    let bins: Vec<(f64, Bin)> = of_each(asked, points, |point| point.latencies.bins());
    Table::new(
        &HISTOGRAM,
        vec![
            Column::F64(bins.iter().map(|(load, _)| *load).collect()),
            Column::U64(bins.iter().map(|(_, bin)| bin.from).collect()),
            Column::U64(bins.iter().map(|(_, bin)| bin.to).collect()),
            Column::U64(bins.iter().map(|(_, bin)| bin.packets).collect()),
        ],
    )
}

pub(super) fn by_hops(asked: &[f64], points: &[Point]) -> Table {
    let rows = of_each(asked, points, |point| {
        (0u32..).zip(point.by_hops.iter().copied()).filter(|(_, (packets, _))| *packets > 0).collect()
    });
    Table::new(
        &BY_HOPS,
        vec![
            Column::F64(rows.iter().map(|(load, _)| *load).collect()),
            Column::U32(rows.iter().map(|(_, (hops, _))| *hops).collect()),
            Column::U64(rows.iter().map(|(_, (_, (packets, _)))| *packets).collect()),
            Column::F64(rows.iter().map(|(_, (_, (packets, sum)))| *sum as f64 / *packets as f64).collect()),
        ],
    )
}

/// A link with what happened on it, and behind it.
type Used = (u32, LinkUse, f64, Option<(f64, f64)>);

/// The `most` links with most units of each load, ties by number.
pub(super) fn links(asked: &[f64], points: &[Point], network: &Network, most: usize) -> Table {
    let rows: Vec<(f64, Used)> = of_each(asked, points, |point| {
        let Some(watch) = &point.watch else { return Vec::new() };
        let buffers: Vec<(f64, f64)> = watch.buffers().collect();
        let mut order: Vec<u32> = (0..watch.number()).collect();
        order.sort_by_key(|link| (std::cmp::Reverse(watch.link(*link).units), *link));
        order.truncate(most);
        let used = |link: u32| (link, watch.link(link), watch.cycles(), buffers.get(link as usize).copied());
        order.into_iter().map(used).collect()
    });
    let mut columns = vec![
        Column::F64(rows.iter().map(|(load, _)| *load).collect()),
        Column::U32(rows.iter().map(|(_, (link, ..))| *link).collect()),
        Column::Text(rows.iter().map(|(_, (link, ..))| ends_of(network, *link).0).collect()),
        Column::Text(rows.iter().map(|(_, (link, ..))| ends_of(network, *link).1).collect()),
        Column::U64(rows.iter().map(|(_, (_, used, ..))| used.packets).collect()),
        Column::U64(rows.iter().map(|(_, (_, used, ..))| used.units).collect()),
        Column::F64(rows.iter().map(|(_, (_, used, cycles, _))| used.busy as f64 / *cycles).collect()),
        Column::U64(rows.iter().map(|(_, (_, used, ..))| used.stalls).collect()),
    ];
    columns.extend(floats!(rows, |(_, (.., behind))| behind.map_or(NAN, |(mean, _)| mean), |(_, (.., behind))| behind
        .map_or(NAN, |(_, max)| max),));
    Table::new(&LINKS, columns)
}

/// Rows of every point, with its load.
pub(super) fn of_each<T>(asked: &[f64], points: &[Point], rows: impl Fn(&Point) -> Vec<T>) -> Vec<(f64, T)> {
    let each = asked.iter().zip(points);
    each.flat_map(|(load, point)| rows(point).into_iter().map(move |row| (*load, row))).collect()
}
