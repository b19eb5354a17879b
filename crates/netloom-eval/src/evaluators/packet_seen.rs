//! What is seen of packets under way, as tables: latencies of each job, links, queues, buffers over time.

use std::cmp::Reverse;

use netloom_model::{Column, Datum, Field, Network, Scenario, Table, TableRow};

use super::link_classes::ends_of;
use crate::packet::{Carried, JobSeen, LinkSeen, Seen, Times};

pub(super) static LATENCY: TableRow = TableRow {
    name: "latency",
    help: "with details: one row per job, of several jobs first all together; from the start of a message, when its packets may leave, \
           to the arrival of a packet or of all of it; quantiles are at most 0.4 % too large; messages without a link between \
           their ranks are not counted",
    fields: &[
        Field::new("job", "", "its name"),
        Field::new("packets", "", "that arrived"),
        Field::new("mean_s", "s", "of a packet"),
        Field::new("p50_s", "s", "median"),
        Field::new("p99_s", "s", "99 % of the packets take no longer"),
        Field::new("p999_s", "s", "99.9 % of the packets take no longer"),
        Field::new("max_s", "s", "of any packet"),
        Field::new("messages", "", "that arrived"),
        Field::new("message_mean_s", "s", "of a message"),
        Field::new("message_p50_s", "s", "median"),
        Field::new("message_p99_s", "s", "99 % of the messages take no longer"),
        Field::new("message_p999_s", "s", "99.9 % of the messages take no longer"),
        Field::new("message_max_s", "s", "of any message"),
        Field::new(
            "least_bytes_per_s",
            "B/s",
            "of the source with least: bytes over the time that its messages took, added up",
        ),
        Field::new("most_bytes_per_s", "B/s", "of the source with most"),
        Field::new("fairness", "", "Jain's index of these rates of the sources: 1 if all are equal"),
    ],
};

pub(super) static LATENCIES: TableRow = TableRow {
    name: "latencies",
    help: "with details: latencies of packets and messages of each job, eight bins per doubling",
    fields: &[
        Field::new("job", "", "its name"),
        Field::new("of", "", "packets or messages"),
        Field::new("from_s", "s", "least of the bin"),
        Field::new("to_s", "s", "those of the bin are less"),
        Field::new("number", "", "in the bin"),
    ],
};

pub(super) static BY_HOPS: TableRow = TableRow {
    name: "by_hops",
    help: "with details: packets of each job by the links between switches that they took",
    fields: &[
        Field::new("job", "", "its name"),
        Field::new("hops", "hops", "links between switches"),
        Field::new("packets", "", "that took as many"),
        Field::new("mean_s", "s", "of these packets"),
    ],
};

pub(super) static CLASS_USE: TableRow = TableRow {
    name: "class_use",
    help: "with details: use of the links of each class, of injection and ejection",
    fields: &[
        Field::new("class", "", "name of the class"),
        Field::new("links", "", "links of the class"),
        Field::new("bytes", "B", "that crossed all of them"),
        Field::new("busy", "", "share of the time in which a link moved something, mean"),
        Field::new("busy_max", "", "of the busiest link"),
        Field::new("stalls_s", "s", "that packets waited for a turn or for room, added up"),
        Field::new("buffer_mean_bytes", "B", "in the buffers of a link, over links and time"),
        Field::new("buffer_max_bytes", "B", "most in the buffers of any link at once"),
    ],
};

pub(super) static BUSIEST: TableRow = TableRow {
    name: "busiest",
    help: "with details: the links that were busy longest, as many as the option links says",
    fields: &[
        Field::new("link", "", "number"),
        Field::new("from", "", "switch or endpoint"),
        Field::new("to", "", "switch or endpoint"),
        Field::new("packets", "", "that crossed it"),
        Field::new("bytes", "B", "of these"),
        Field::new("busy", "", "share of the time in which it moved something"),
        Field::new("stalls_s", "s", "that packets waited for a turn or for room, added up"),
        Field::new("buffer_mean_bytes", "B", "in its buffers, over time; NaN where it has none"),
        Field::new("buffer_max_bytes", "B", "most at once; NaN where it has none"),
    ],
};

pub(super) static OCCUPANCY: TableRow = TableRow {
    name: "occupancy",
    help: "with the option occupancy: what stands in the buffers of switches over time, a row for each bin of time and block of \
           switches with consecutive numbers, at most 128",
    fields: &[
        Field::new("from_s", "s", "begin of the bin"),
        Field::new("to_s", "s", "its end; all but the last are as long"),
        Field::new("first_switch", "", "of the block"),
        Field::new("switches", "", "in the block"),
        Field::new("bytes", "B", "in the buffers of a switch, mean over the block and the bin"),
    ],
};

pub(super) static FIELDS: [Field; 4] = [
    Field::new(
        "watched_s",
        "s",
        "with details: how long links and queues were watched, from 0 to a little after the last arrival",
    ),
    Field::new("stalls_per_packet_s", "s", "with details: that a packet waited for turns and for room"),
    Field::new(
        "queue_mean",
        "",
        "with details: messages (packets) that wait at an endpoint to be sent, over endpoints and time",
    ),
    Field::new("queue_max", "", "with details: most at any endpoint at once"),
];

/// The data of [`FIELDS`].
pub(super) fn record(carried: &Carried, network: &Network) -> [Datum; 4] {
    let Some(seen) = &carried.seen else { return [const { Datum::Unknown }; 4] };
    let stalls: f64 = seen.links.iter().map(|link| s(link.used.stalls)).sum();
    let packets: u64 = seen.jobs.iter().map(|job| job.packets.number()).sum();
    let queues = || seen.links.iter().filter_map(|link| link.queue);
    let mean = queues().map(|(mean, _)| mean).sum::<f64>() / f64::from(network.endpoints().max(1));
    [
        s(seen.until).into(),
        (packets > 0).then(|| stalls / packets as f64).into(),
        mean.into(),
        queues().map(|(_, most)| most).max().unwrap_or(0).into(),
    ]
}

/// Tables of what was seen, `most` rows of [`BUSIEST`]; none if nothing was.
pub(super) fn tables(scenario: &Scenario, carried: &Carried, most: usize) -> Vec<Table> {
    let Some(seen) = &carried.seen else { return Vec::new() };
    let mut jobs: Vec<(&str, &JobSeen)> = scenario.jobs.iter().map(|job| job.name.as_str()).zip(&seen.jobs).collect();
    let mut all = JobSeen::default();
    if jobs.len() > 1 {
        seen.jobs.iter().for_each(|job| all.merge(job));
        jobs.insert(0, ("all", &all));
    }
    let network = &*scenario.network;
    let mut tables = vec![latency(&jobs), latencies(&jobs), by_hops(&jobs), class_use(network, seen)];
    tables.push(busiest(network, seen, most));
    if !seen.stood.is_empty() {
        tables.push(occupancy(seen));
    }
    tables
}

const NAN: f64 = f64::NAN;

fn s(picoseconds: u64) -> f64 {
    picoseconds as f64 * 1e-12
}

/// Columns that one function makes of each row.
macro_rules! columns {
    ($rows:expr, $($kind:ident $get:expr),+ $(,)?) => { vec![$(Column::$kind($rows.iter().map($get).collect())),+] };
}

type OfJob<'a> = (&'a str, &'a JobSeen);

fn latency(jobs: &[OfJob<'_>]) -> Table {
    let mut columns = vec![Column::Text(jobs.iter().map(|(name, _)| (*name).to_string()).collect())];
    let known = |time: Option<u64>| time.map_or(NAN, s);
    let of: [fn(&JobSeen) -> &Times; 2] = [|seen| &seen.packets, |seen| &seen.messages];
    for of in of {
        let times: Vec<&Times> = jobs.iter().map(|(_, seen)| of(seen)).collect();
        columns.extend(columns![
            times,
            U64 | times | times.number(),
            F64 | times | times.mean().map_or(NAN, |mean| mean * 1e-12)
        ]);
        columns.extend(
            [0.5, 0.99, 0.999].map(|q| Column::F64(times.iter().map(|times| known(times.quantile(q))).collect())),
        );
        columns.extend(columns![times, F64 | times | known(times.max())]);
    }
    let rates: Vec<(f64, f64, f64)> = jobs.iter().map(|(_, seen)| seen.rates().unwrap_or((NAN, NAN, NAN))).collect();
    columns.extend(columns![rates, F64 | rates | rates.0, F64 | rates | rates.1, F64 | rates | rates.2]);
    Table::new(&LATENCY, columns)
}

fn latencies(jobs: &[OfJob<'_>]) -> Table {
    let both = |(name, seen): &OfJob<'_>| {
        let rows = |of: &'static str, times: &Times| {
            let name = (*name).to_string();
            times.spans().into_iter().map(move |span| (name.clone(), of, span)).collect::<Vec<_>>()
        };
        [rows("packets", &seen.packets), rows("messages", &seen.messages)].concat()
    };
    let rows: Vec<_> = jobs.iter().flat_map(both).collect();
    Table::new(
        &LATENCIES,
        columns![
            rows,
            Text | row | row.0.clone(),
            Text | row | row.1.to_string(),
            F64 | row | s(row.2.from),
            F64 | row | s(row.2.to),
            U64 | row | row.2.number
        ],
    )
}

fn by_hops(jobs: &[OfJob<'_>]) -> Table {
    let each = |(name, seen): &OfJob<'_>| {
        let taken = (0u32..).zip(seen.by_hops.clone()).filter(|(_, (packets, _))| *packets > 0);
        taken
            .map(|(hops, (packets, sum))| ((*name).to_string(), hops, packets, sum as f64 / packets as f64 * 1e-12))
            .collect::<Vec<_>>()
    };
    let rows: Vec<_> = jobs.iter().flat_map(each).collect();
    Table::new(
        &BY_HOPS,
        columns![rows, Text | row | row.0.clone(), U32 | row | row.1, U64 | row | row.2, F64 | row | row.3],
    )
}

fn class_use(network: &Network, seen: &Seen) -> Table {
    let (between, ends) = seen.links.split_at(network.switch_links() as usize);
    let (injection, rest) = ends.split_at(network.endpoints() as usize);
    let ejection = &rest[..network.endpoints() as usize];
    let mut groups: Vec<(&str, Vec<&LinkSeen>)> = Vec::new();
    for (link, class) in between.iter().zip(network.class_of()) {
        let name = network.classes()[usize::from(*class)].name.as_str();
        match groups.iter_mut().find(|group| group.0 == name) {
            Some(group) => group.1.push(link),
            None => groups.push((name, vec![link])),
        }
    }
    let on = |endpoint: &usize| network.in_service(network.endpoint_switch()[*endpoint]);
    let served = |links: &'_ [LinkSeen]| (0..links.len()).filter(on).collect::<Vec<_>>();
    for (name, links) in [("injection", injection), ("ejection", ejection)] {
        groups.push((name, served(links).into_iter().map(|at| &links[at]).collect()));
    }
    let all = s(seen.until);
    let mean = |sum: f64, links: &[&LinkSeen]| if links.is_empty() { NAN } else { sum / links.len() as f64 };
    let held = |links: &[&LinkSeen]| {
        let held: Vec<(f64, f64)> = links.iter().filter_map(|link| link.held).collect();
        let (sum, most) = held.iter().fold((0.0, 0.0f64), |(sum, most), (mean, max)| (sum + mean, most.max(*max)));
        if held.is_empty() { (NAN, NAN) } else { (sum / held.len() as f64, most) }
    };
    let busy = |link: &&LinkSeen| s(link.used.busy) / all;
    Table::new(
        &CLASS_USE,
        columns![
            groups,
            Text | group | group.0.to_string(),
            U64 | group | group.1.len() as u64,
            U64 | group | group.1.iter().map(|link| link.used.units).sum(),
            F64 | group | mean(group.1.iter().map(busy).sum(), &group.1),
            F64 | group | group.1.iter().map(busy).fold(0.0, f64::max),
            F64 | group | group.1.iter().map(|link| s(link.used.stalls)).sum(),
            F64 | group | held(&group.1).0,
            F64 | group | held(&group.1).1,
        ],
    )
}

fn busiest(network: &Network, seen: &Seen, most: usize) -> Table {
    let links = &seen.links[..network.links() as usize];
    let mut order: Vec<u32> = (0..links.len() as u32).filter(|link| links[*link as usize].used.packets > 0).collect();
    order.sort_by_key(|link| (Reverse(links[*link as usize].used.busy), *link));
    order.truncate(most);
    let rows: Vec<(u32, LinkSeen)> = order.into_iter().map(|link| (link, links[link as usize])).collect();
    let all = s(seen.until);
    Table::new(
        &BUSIEST,
        columns![
            rows,
            U32 | row | row.0,
            Text | row | ends_of(network, row.0).0,
            Text | row | ends_of(network, row.0).1,
            U64 | row | row.1.used.packets,
            U64 | row | row.1.used.units,
            F64 | row | s(row.1.used.busy) / all,
            F64 | row | s(row.1.used.stalls),
            F64 | row | row.1.held.map_or(NAN, |held| held.0),
            F64 | row | row.1.held.map_or(NAN, |held| held.1),
        ],
    )
}

fn occupancy(seen: &Seen) -> Table {
    let rows = &seen.stood;
    Table::new(
        &OCCUPANCY,
        columns![
            rows,
            F64 | row | s(row.from),
            F64 | row | s(row.to),
            U32 | row | row.first_switch,
            U32 | row | row.switches,
            F64 | row | row.amount
        ],
    )
}
