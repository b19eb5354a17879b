//! Points of a curve as tables.

use netloom_model::{Network, Table, table};

use crate::Point;
use netloom_loads::evaluators::link_classes::ends_of;

table! {
    pub(crate) struct PointRow: "points", "one row per offered load" {
        offered: f64, "", "asked: units per cycle and sending endpoint";
        born: f64, "", "offered in the measurement";
        accepted: f64, "", "arrived in the measurement";
        accepted_sd: f64, "", "standard deviation of the batches; NaN for one window";
        latency_mean: f64, "cycles", "from birth, source queue included, to the arrival of the last unit";
        latency_p50: f64, "cycles", "median";
        latency_p99: f64, "cycles", "99 % of the packets take no longer";
        latency_p999: f64, "cycles", "99.9 % of the packets take no longer";
        latency_max: f64, "cycles", "of any packet";
        mean_hops: f64, "hops", "per packet";
        least: f64, "", "accepted from the source with least";
        most: f64, "", "accepted from the source with most";
        drained: u8, "", "1 if all packets of the measurement arrived";
        cycles: u64, "", "simulated";
        packets: u64, "", "that arrived in the measurement";
        window: u64, "cycles", "length of the measurement";
        measured: u64, "packets", "born in the measurement, whose latency is known";
        fairness: f64, "", "Jain's index of the accepted loads of the sources: 1 if all are equal";
        stalls_per_packet: f64, "cycles", "in which a packet could not leave a switch, per packet that arrived";
        buffer_mean: f64, "", "packets (flits) in the buffers behind a link, over links and time";
        buffer_max: f64, "", "most packets (flits) behind any link at once";
        queue_mean: f64, "packets", "in the queue of a source, over sources and time";
        queue_max: f64, "packets", "most in the queue of any source at once";
    }
}

table! {
    pub(crate) struct BinRow: "histogram", "latencies of each load: eight bins per doubling" {
        offered: f64, "", "asked";
        from_cycles: u64, "cycles", "least latency of the bin";
        to_cycles: u64, "cycles", "latencies of the bin are less";
        packets: u64, "", "of the measurement with such a latency";
    }
}

table! {
    pub(crate) struct HopsRow: "by_hops", "packets of each load by the links between switches that they took" {
        offered: f64, "", "asked";
        hops: u32, "hops", "links between switches";
        packets: u64, "", "of the measurement";
        latency_mean: f64, "cycles", "of these packets";
    }
}

table! {
    pub(crate) struct UsedLinkRow: "links", "the most used links of each load, as many as the option says" {
        offered: f64, "", "asked";
        link: u32, "", "number";
        from: String, "", "switch or endpoint";
        to: String, "", "switch or endpoint";
        packets: u64, "", "that began to take it in the measurement";
        units: u64, "", "phits or flits of these";
        busy: f64, "", "share of the time in which it moved something";
        stalls: u64, "cycles", "in which the front of a queue could not take it: no room, or another won";
        buffer_mean: f64, "", "packets (flits) in the buffers behind it; NaN at an endpoint";
        buffer_max: f64, "", "most at once; NaN at an endpoint";
    }
}

pub(super) fn points(asked: &[f64], points: &mut [Point], network: &Network) -> Table {
    let known = |value: Option<f64>| value.unwrap_or(NAN);
    Table::of(asked.iter().zip(points).map(|(&offered, point)| {
        let mut quantile = |q| point.latencies.quantile(q).map_or(NAN, |cycles| cycles as f64);
        let [latency_p50, latency_p99, latency_p999] = [0.5, 0.99, 0.999].map(&mut quantile);
        let held = Held::of(point, network);
        PointRow {
            offered,
            born: point.born,
            accepted: point.accepted,
            accepted_sd: known(point.accepted_sd),
            latency_mean: known(point.latencies.mean()),
            latency_p50,
            latency_p99,
            latency_p999,
            latency_max: point.latencies.max().map_or(NAN, |cycles| cycles as f64),
            mean_hops: known(point.mean_hops),
            least: point.least,
            most: point.most,
            drained: point.drained.into(),
            cycles: point.cycles,
            packets: point.packets,
            window: point.window,
            measured: point.latencies.number(),
            fairness: known(point.fairness),
            stalls_per_packet: held.stalls,
            buffer_mean: held.buffers.0,
            buffer_max: held.buffers.1,
            queue_mean: held.sources.0,
            queue_max: held.sources.1,
        }
    }))
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
    let bins = of_each(asked, points, |point| point.latencies.bins());
    Table::of(bins.into_iter().map(|(offered, bin)| BinRow {
        offered,
        from_cycles: bin.from,
        to_cycles: bin.to,
        packets: bin.packets,
    }))
}

pub(super) fn by_hops(asked: &[f64], points: &[Point]) -> Table {
    let rows = of_each(asked, points, |point| {
        (0u32..).zip(point.by_hops.iter().copied()).filter(|(_, (packets, _))| *packets > 0).collect()
    });
    Table::of(rows.into_iter().map(|(offered, (hops, (packets, sum)))| HopsRow {
        offered,
        hops,
        packets,
        latency_mean: sum as f64 / packets as f64,
    }))
}

/// The `most` links with most units of each load, ties by number.
pub(super) fn links(asked: &[f64], points: &[Point], network: &Network, most: usize) -> Table {
    let of_point = |offered: f64, point: &Point| {
        let Some(watch) = &point.watch else { return Vec::new() };
        let buffers: Vec<(f64, f64)> = watch.buffers().collect();
        let mut order: Vec<u32> = (0..watch.number()).collect();
        order.sort_by_key(|link| (std::cmp::Reverse(watch.link(*link).units), *link));
        order.truncate(most);
        let row = |link: u32| {
            let (used, (from, to)) = (watch.link(link), ends_of(network, link));
            let (buffer_mean, buffer_max) = buffers.get(link as usize).copied().unwrap_or((NAN, NAN));
            UsedLinkRow {
                offered,
                link,
                from,
                to,
                packets: used.packets,
                units: used.units,
                busy: used.busy as f64 / watch.cycles(),
                stalls: used.stalls,
                buffer_mean,
                buffer_max,
            }
        };
        order.into_iter().map(row).collect()
    };
    Table::of(asked.iter().zip(points).flat_map(|(load, point)| of_point(*load, point)))
}

/// Rows of every point, with its load.
pub(super) fn of_each<T>(asked: &[f64], points: &[Point], rows: impl Fn(&Point) -> Vec<T>) -> Vec<(f64, T)> {
    let each = asked.iter().zip(points);
    each.flat_map(|(load, point)| rows(point).into_iter().map(move |row| (*load, row))).collect()
}
