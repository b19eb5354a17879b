//! What is seen of packets under way, as tables: latencies of each job, links, queues, buffers over time.

use std::cmp::Reverse;

use netloom_model::{Network, Outcome, Progress, Scenario, Table, record, table};

use crate::{Carried, JobSeen, LinkSeen, Seen, Span, Times};
use netloom_loads::evaluators::features::{FeatureRecord, OnLinks};
use netloom_loads::evaluators::jobs::Work;
use netloom_loads::evaluators::link_classes::ends_of;
use netloom_loads::features::messages;

table! {
    pub(crate) struct LatencyRow: "latency",
        "with details: one row per job, of several jobs first all together; from the start of a message, when its packets may leave, \
           to the arrival of a packet or of all of it; quantiles are at most 0.4 % too large; messages without a link between \
           their ranks are not counted" {
        job: String, "", "its name";
        packets: u64, "", "that arrived";
        mean_s: f64, "s", "of a packet";
        p50_s: f64, "s", "median";
        p99_s: f64, "s", "99 % of the packets take no longer";
        p999_s: f64, "s", "99.9 % of the packets take no longer";
        max_s: f64, "s", "of any packet";
        messages: u64, "", "that arrived";
        message_mean_s: f64, "s", "of a message";
        message_p50_s: f64, "s", "median";
        message_p99_s: f64, "s", "99 % of the messages take no longer";
        message_p999_s: f64, "s", "99.9 % of the messages take no longer";
        message_max_s: f64, "s", "of any message";
        least_bytes_per_s: f64, "B/s", "of the source with least: bytes over the time that its messages took, added up";
        most_bytes_per_s: f64, "B/s", "of the source with most";
        fairness: f64, "", "Jain's index of these rates of the sources: 1 if all are equal";
    }
}

table! {
    pub(crate) struct LatencyBinRow: "latencies",
        "with details: latencies of packets and messages of each job, eight bins per doubling" {
        job: String, "", "its name";
        of: String, "", "packets or messages";
        from_s: f64, "s", "least of the bin";
        to_s: f64, "s", "those of the bin are less";
        number: u64, "", "in the bin";
    }
}

table! {
    pub(crate) struct ByHopsRow: "by_hops",
        "with details: packets of each job by the links between switches that they took" {
        job: String, "", "its name";
        hops: u32, "hops", "links between switches";
        packets: u64, "", "that took as many";
        mean_s: f64, "s", "of these packets";
    }
}

table! {
    pub(crate) struct ClassUseRow: "class_use",
        "with details: use of the links of each class, of injection and ejection" {
        class: String, "", "name of the class";
        links: u64, "", "links of the class";
        bytes: u64, "B", "that crossed all of them";
        busy: f64, "", "share of the time in which a link moved something, mean";
        busy_max: f64, "", "of the busiest link";
        stalls_s: f64, "s", "that packets waited for a turn or for room, added up";
        buffer_mean_bytes: f64, "B", "in the buffers of a link, over links and time";
        buffer_max_bytes: f64, "B", "most in the buffers of any link at once";
    }
}

table! {
    pub(crate) struct BusiestRow: "busiest",
        "with details: the links that were busy longest, as many as the option links says" {
        link: u32, "", "number";
        from: String, "", "switch or endpoint";
        to: String, "", "switch or endpoint";
        packets: u64, "", "that crossed it";
        bytes: u64, "B", "of these";
        busy: f64, "", "share of the time in which it moved something";
        stalls_s: f64, "s", "that packets waited for a turn or for room, added up";
        buffer_mean_bytes: f64, "B", "in its buffers, over time; NaN where it has none";
        buffer_max_bytes: f64, "B", "most at once; NaN where it has none";
    }
}

table! {
    pub(crate) struct OccupancyRow: "occupancy",
        "with the option occupancy: what stands in the buffers of switches over time, a row for each bin of time and block of \
           switches with consecutive numbers, at most 128" {
        from_s: f64, "s", "begin of the bin";
        to_s: f64, "s", "its end; all but the last are as long";
        first_switch: u32, "", "of the block";
        switches: u32, "", "in the block";
        bytes: f64, "B", "in the buffers of a switch, mean over the block and the bin";
    }
}

record! {
    /// What was seen of links and queues.
    pub(crate) struct WatchedRecord {
        watched_s: Option<f64>, "s",
            "with details: how long links and queues were watched, from 0 to a little after the last arrival";
        stalls_per_packet_s: Option<f64>, "s", "with details: that a packet waited for turns and for room";
        queue_mean: Option<f64>, "",
            "with details: messages (packets) that wait at an endpoint to be sent, over endpoints and time";
        queue_max: Option<u32>, "", "with details: most at any endpoint at once";
    }
}

impl WatchedRecord {
    pub(crate) fn of(carried: &Carried, network: &Network) -> WatchedRecord {
        let Some(seen) = &carried.seen else {
            return WatchedRecord { watched_s: None, stalls_per_packet_s: None, queue_mean: None, queue_max: None };
        };
        let stalls: f64 = seen.links.iter().map(|link| s(link.used.stalls)).sum();
        let packets: u64 = seen.jobs.iter().map(|job| job.packets.number()).sum();
        let queues = || seen.links.iter().filter_map(|link| link.queue);
        let sum: f64 = queues().map(|(mean, _)| mean).sum();
        WatchedRecord {
            watched_s: Some(s(seen.until)),
            stalls_per_packet_s: (packets > 0).then(|| stalls / packets as f64),
            queue_mean: Some(sum / f64::from(network.endpoints().max(1))),
            queue_max: Some(queues().map(|(_, most)| most).max().unwrap_or(0)),
        }
    }
}

/// What learners take, of links that were watched.
///
/// # Errors
/// Those of what jobs send and of the distances.
pub(crate) fn features(scenario: &Scenario, carried: &Carried, progress: &Progress) -> Outcome<FeatureRecord> {
    let Some(seen) = &carried.seen else { return Ok(FeatureRecord::default()) };
    let work = Work::new(scenario)?.repeated(scenario);
    let between = &seen.links[..scenario.machine.network.switch_links() as usize];
    let stalls = between.iter().map(|link| link.counters.map_or(0, |(_, stalls)| stalls) as f64).collect();
    let packets = between.iter().map(|link| link.used.packets as f64).collect();
    let bytes = between.iter().map(|link| link.used.units as f64).collect();
    let links = OnLinks { bytes, packets: Some((stalls, packets)) };
    Ok(FeatureRecord::of(&messages(scenario, &work.sends, progress)?, links))
}

/// Tables of what was seen, `most` rows of [`BusiestRow`]; none if nothing was.
pub(crate) fn tables(scenario: &Scenario, carried: &Carried, most: usize) -> Vec<Table> {
    let Some(seen) = &carried.seen else { return Vec::new() };
    let mut jobs: Vec<(&str, &JobSeen)> = scenario.jobs.iter().map(|job| job.name.as_str()).zip(&seen.jobs).collect();
    let mut all = JobSeen::default();
    if jobs.len() > 1 {
        seen.jobs.iter().for_each(|job| all.merge(job));
        jobs.insert(0, ("all", &all));
    }
    let network = &*scenario.machine.network;
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

type OfJob<'a> = (&'a str, &'a JobSeen);

fn latency(jobs: &[OfJob<'_>]) -> Table {
    let known = |time: Option<u64>| time.map_or(NAN, s);
    let mean = |times: &Times| times.mean().map_or(NAN, |mean| mean * 1e-12);
    Table::of(jobs.iter().map(|(name, seen)| {
        let (packets, messages) = (&seen.packets, &seen.messages);
        let (least, most, fairness) = seen.rates().unwrap_or((NAN, NAN, NAN));
        LatencyRow {
            job: (*name).to_string(),
            packets: packets.number(),
            mean_s: mean(packets),
            p50_s: known(packets.quantile(0.5)),
            p99_s: known(packets.quantile(0.99)),
            p999_s: known(packets.quantile(0.999)),
            max_s: known(packets.max()),
            messages: messages.number(),
            message_mean_s: mean(messages),
            message_p50_s: known(messages.quantile(0.5)),
            message_p99_s: known(messages.quantile(0.99)),
            message_p999_s: known(messages.quantile(0.999)),
            message_max_s: known(messages.max()),
            least_bytes_per_s: least,
            most_bytes_per_s: most,
            fairness,
        }
    }))
}

fn latencies(jobs: &[OfJob<'_>]) -> Table {
    let rows = |job: &str, of: &str, times: &Times| {
        let row = |span: Span| LatencyBinRow {
            job: job.to_string(),
            of: of.to_string(),
            from_s: s(span.from),
            to_s: s(span.to),
            number: span.number,
        };
        times.spans().into_iter().map(row).collect::<Vec<_>>()
    };
    let both = |(name, seen): &OfJob<'_>| {
        [rows(name, "packets", &seen.packets), rows(name, "messages", &seen.messages)].into_iter().flatten()
    };
    Table::of(jobs.iter().flat_map(both))
}

fn by_hops(jobs: &[OfJob<'_>]) -> Table {
    let rows = |(name, seen): &OfJob<'_>| {
        let taken = (0u32..).zip(&seen.by_hops).filter(|(_, (packets, _))| *packets > 0);
        let row = |(hops, &(packets, sum)): (u32, &(u64, u128))| ByHopsRow {
            job: (*name).to_string(),
            hops,
            packets,
            mean_s: sum as f64 / packets as f64 * 1e-12,
        };
        taken.map(row).collect::<Vec<_>>()
    };
    Table::of(jobs.iter().flat_map(rows))
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
    let inside = network.combining().start as usize;
    let on = |endpoint: &usize| *endpoint < inside && network.in_service(network.endpoint_switch()[*endpoint]);
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
    Table::of(groups.iter().map(|(class, links)| {
        let (buffer_mean_bytes, buffer_max_bytes) = held(links);
        ClassUseRow {
            class: (*class).to_string(),
            links: links.len() as u64,
            bytes: links.iter().map(|link| link.used.units).sum(),
            busy: mean(links.iter().map(busy).sum(), links),
            busy_max: links.iter().map(busy).fold(0.0, f64::max),
            stalls_s: links.iter().map(|link| s(link.used.stalls)).sum(),
            buffer_mean_bytes,
            buffer_max_bytes,
        }
    }))
}

fn busiest(network: &Network, seen: &Seen, most: usize) -> Table {
    let links = &seen.links[..network.links() as usize];
    let mut order: Vec<u32> = (0..links.len() as u32).filter(|link| links[*link as usize].used.packets > 0).collect();
    order.sort_by_key(|link| (Reverse(links[*link as usize].used.busy), *link));
    order.truncate(most);
    let all = s(seen.until);
    Table::of(order.into_iter().map(|link| {
        let LinkSeen { used, held, .. } = links[link as usize];
        let ((from, to), (buffer_mean_bytes, buffer_max_bytes)) = (ends_of(network, link), held.unwrap_or((NAN, NAN)));
        BusiestRow {
            link,
            from,
            to,
            packets: used.packets,
            bytes: used.units,
            busy: s(used.busy) / all,
            stalls_s: s(used.stalls),
            buffer_mean_bytes,
            buffer_max_bytes,
        }
    }))
}

fn occupancy(seen: &Seen) -> Table {
    Table::of(seen.stood.iter().map(|stood| OccupancyRow {
        from_s: s(stood.from),
        to_s: s(stood.to),
        first_switch: stood.first_switch,
        switches: stood.switches,
        bytes: stood.amount,
    }))
}
