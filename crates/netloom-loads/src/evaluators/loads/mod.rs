//! The evaluator `loads`.

mod node;

use netloom_model::{
    self as model, Background, Bound, Evaluates, Evaluator, Fault, Found, Needs, Network, Outcome, Progress, Record,
    Scenario, Table, Tabled, record, records, table,
};

use self::node::{LevelRow, in_nodes, levels};
use super::features::{FeatureRecord, OnLinks};
use super::jobs;
use super::jobs::Work;
use super::link_classes;
use super::link_classes::ClassRow;
use crate::features::messages;
use crate::loads::summary;
use crate::loads::{Candidates, Counts, Inside, Report, SETTINGS, Settings, Variant, between_endpoints, report};

table! {
    struct JobRow: "jobs", "one row per job, the last one for background flows if there are any" {
        job: String, "", "its name";
        messages: u64, "", "between different nodes";
        bytes_sent: u64, "B", "of these messages";
        switch_messages: u64, "", "messages that leave their switch";
        switch_bytes: u64, "B", "of these";
        links: u64, "", "directed switch links of the network";
        used: u64, "", "links on which the job puts anything";
        total_bytes: f64, "B", "its bytes on all switch links";
        min_bytes: f64, "B", "least of its bytes on a link";
        q1_bytes: f64, "B", "first quartile";
        median_bytes: f64, "B", "median";
        mean_bytes: f64, "B", "mean";
        q3_bytes: f64, "B", "third quartile";
        max_bytes: f64, "B", "most of its bytes on a link";
        slowdown: f64, "", "longest time on one of its links with all jobs, over that with the job alone";
    }
}

table! {
    struct NeighbourRow: "neighbours", "one row per job and other job, if there are several" {
        job: u32, "", "number of the job";
        other: u32, "", "number of the other";
        met_bytes: f64, "B", "bytes of the other on the same link, mean over the job's bytes on links";
        slowdown: f64, "", "as of jobs, with this other job alone";
    }
}

table! {
    struct HottestRow: "hottest", "the links whose bytes take longest, longest first" {
        link: u32, "", "its number";
        from_switch: u32, "", "where it starts";
        to_switch: u32, "", "where it ends";
        class: String, "", "its class";
        bytes: f64, "B", "its load";
        seconds: f64, "s", "time that this takes";
    }
}

table! {
    struct CauseRow: "causes", "one row per hottest link and job on it" {
        link: u32, "", "number of the link";
        job: u32, "", "number of the job";
        bytes: f64, "B", "what the job puts on the link";
        flows: u64, "", "pairs of switches whose messages cross the link";
    }
}

table! {
    struct OffsetRow: "offsets", "message classes that cross a hottest link, largest first" {
        link: u32, "", "number of the link";
        job: u32, "", "number of the job";
        offset: i64, "", "destination rank less source rank";
        bytes: f64, "B", "of such messages on the link";
    }
}

table! {
    struct PairRow: "pairs", "pairs of ranks whose messages cross a hottest link, largest first" {
        link: u32, "", "number of the link";
        job: u32, "", "number of the job";
        src: u32, "", "sending rank";
        dst: u32, "", "receiving rank";
        bytes: f64, "B", "of their messages on the link";
    }
}

table! {
    struct EndRow: "ends",
        "the endpoint that sends most and the one that receives most: one row per job on its link, largest first" {
        class: String, "", "injection or ejection";
        endpoint: u32, "", "its number";
        level: u32, "", "other endpoints that carry as much";
        job: u32, "", "number of the job";
        bytes: u64, "B", "what the job puts on the link";
    }
}

table! {
    struct LinkRow: "links", "one row per directed link: switch links, then injection, then ejection" {
        bytes: f64, "B", "load of the link";
    }
}

table! {
    struct JobLinkRow: "job_links", "per job, one row per directed switch link: jobs x links" {
        bytes: f64, "B", "what the job puts on the link";
    }
}

table! {
    struct GroupRow: "groups",
        "bytes from each group of switches to each other, groups x groups, if the network has any" {
        bytes: f64, "B", "on the links from one to the other";
    }
}

record! {
    struct Totals {
        messages: u64, "",
            "between different nodes: hosts with all their ports; GPUs that the network joins are nodes of their own";
        bytes_sent: u64, "B", "of these messages";
        switch_bytes: u64, "B", "of messages that leave their switch";
        max_bytes: f64, "B", "on one switch link (Jain 2016, eq. 2.6)";
        mean_bytes: Option<f64>, "B", "per switch link";
        used_links: u64, "", "switch links that carry anything";
        endpoint_max_bytes: f64, "B", "on one injection or ejection link";
        flows: u64, "", "between pairs of switches, that the iteration held";
        rounds: u32, "", "of the iteration; 0 without adaptive jobs";
        last_gain: f64, "", "share that the last round added to all bandwidth given";
        inter_node_bytes: u64, "B", "as bytes_sent; on rail clusters without those between GPUs of a node";
        inside_bytes: Option<u64>, "B", "between ranks of one node; None without a node";
    }
}

records! {
    struct LoadsRecord { totals: Totals, features: FeatureRecord }
}

pub const ROW: Evaluator = Evaluator {
    name: "loads",
    aliases: &[],
    summary: "bytes on every link for all jobs together, and who causes them",
    params: SETTINGS,
    example: "loads(rounds=200)",
    restrictions: "at least one job, a routing for each; background flows with a size in whole bytes",
    source: "Jain 2016, section 3.2.2",
    build: Evaluates {
        model: "expected link loads",
        version: "2",
        assumptions: &[
            "All messages of all jobs are in flight together.",
            "Static choices split messages over their paths in fixed shares, adaptive ones by the bandwidth that paths get.",
            "Background flows are one more job, from NIC to NIC over the paths of the first job's routing in fixed shares.",
            "Nothing waits and no buffer is full: loads are bytes, and their times those of a link that is never idle.",
        ],
        fields: LoadsRecord::FIELDS,
        tables: &[
            ClassRow::TABLE,
            LevelRow::TABLE,
            JobRow::TABLE,
            NeighbourRow::TABLE,
            HottestRow::TABLE,
            CauseRow::TABLE,
            OffsetRow::TABLE,
            PairRow::TABLE,
            EndRow::TABLE,
            LinkRow::TABLE,
            JobLinkRow::TABLE,
            GroupRow::TABLE,
        ],
        supports: |needs| needs.all(&[|n| n.some_topology(), |n| n.some_job(), sized, |n| n.no_start(), merged]),
        find,
    },
};

/// A background flow counts by its bytes: it must have some, and nothing that needs time.
fn sized(needs: &Needs<'_>) -> Option<Fault> {
    let hosts = needs.scenario.machine.closed_hosts();
    let inside = |flow: &Background| hosts.as_ref().is_some_and(|of| of.host(flow.src) == of.host(flow.dst));
    let wrong = |flow: &Background| match flow {
        flow if !flow.bytes.is_finite() => Some(("bytes", "cannot count a flow without an end: give it a size")),
        flow if flow.bytes.fract() != 0.0 => Some(("bytes", "counts whole bytes")),
        flow if flow.start_s != 0.0 => Some(("start_s", "knows no time")),
        flow if flow.cap_bytes_per_s.is_finite() => Some(("cap_bytes_per_s", "knows no rates")),
        flow if flow.src != flow.dst && inside(flow) => Some(("dst", "knows no flow in a node")),
        _ => None,
    };
    let flows = needs.scenario.background.iter().enumerate();
    let (at, (what, sentence)) = flows.filter_map(|(at, flow)| Some((at, wrong(flow)?))).next()?;
    Some(needs.refuse(format!("background[{at}].{what}"), sentence))
}

/// Messages between two switches form one flow, which has no hash.
fn merged(needs: &Needs<'_>) -> Option<Fault> {
    let hashed = |job: &&model::Job| {
        let call = job.variant.as_ref()?;
        Variant::of(call).ok().filter(|variant| matches!(variant.candidates, Candidates::Hashed { .. }))
    };
    let job = needs.scenario.jobs.iter().find(|job| hashed(job).is_some())?;
    let sentence = "cannot use hashed: it merges the messages between two switches";
    let fault = needs.refuse(format!("variant of job {}", job.name), sentence);
    Some(fault.hint("static-direct is the mean over all hashes"))
}

fn find(scenario: &Scenario, options: &Bound, progress: &Progress) -> Outcome<Found> {
    let work = Work::new(scenario)?.repeated(scenario);
    let jobs = work.jobs(scenario, &jobs::variants(scenario)?)?;
    let names: Vec<String> = jobs.iter().map(|job| job.name.to_string()).collect();
    let causes = (options.size("hottest") as usize, options.size("top") as usize);
    let settings = Settings { hosts: scenario.machine.closed_hosts(), ..Settings::new(options) };
    // Bytes that the network carries between two endpoints of one machine.
    let linked = scenario.machine.hosts().filter(|machines| machines.are_linked());
    let in_machines = linked.map_or(0, |machines| between_endpoints(&machines, &jobs));
    let found = report(&scenario.machine.network, jobs, settings, causes, progress)?;
    let inner =
        scenario.machine.node.as_ref().map(|node| in_nodes(scenario, node, &work.sends, progress)).transpose()?;
    let total = summary::total(&found.loads.by_job);
    let features = match options.bool("features") {
        true => {
            let bytes = total.iter().map(|load| found.unit.bytes(*load)).collect();
            FeatureRecord::of(&messages(scenario, &work.sends, progress)?, OnLinks { bytes, packets: None })
        }
        false => FeatureRecord::default(),
    };
    let record = LoadsRecord { totals: totals(&found, &total, inner.as_ref(), in_machines), features };
    let mut tables = vec![
        link_classes::table(found.classes(&scenario.machine.network, &total)),
        per_job(&found, names),
        neighbours(&found),
    ];
    tables.extend(scenario.machine.node.as_ref().zip(inner).map(|(node, inner)| levels(node, &inner)));
    tables.extend(hottest(&found, &scenario.machine.network, &total));
    tables.push(ends(&found));
    if options.bool("arrays") {
        tables.extend(per_link(found, &scenario.machine.network, &total));
    }
    Ok(Found::new(record, tables))
}

fn totals(found: &Report, total: &[u64], inner: Option<&Inside>, in_machines: u64) -> Totals {
    let sum = |of: fn(&Counts) -> u64| found.counts.iter().map(of).sum::<u64>();
    let all: u128 = total.iter().map(|&load| u128::from(load)).sum();
    let mean = (!total.is_empty()).then(|| found.unit.bytes(all) / total.len() as f64);
    let ends = found.ends(|c| &c.injected).into_iter().chain(found.ends(|c| &c.ejected));
    Totals {
        messages: sum(|c| c.messages),
        bytes_sent: sum(|c| c.bytes),
        switch_bytes: sum(|c| c.switch_bytes),
        max_bytes: found.unit.bytes(total.iter().copied().max().unwrap_or(0)),
        mean_bytes: mean,
        used_links: total.iter().filter(|load| **load > 0).count() as u64,
        endpoint_max_bytes: ends.max().unwrap_or(0) as f64,
        flows: found.flows,
        rounds: found.rounds,
        last_gain: found.last_gain,
        inter_node_bytes: sum(|c| c.bytes) - in_machines,
        inside_bytes: inner.map(|inner| inner.within_bytes),
    }
}

fn per_job(found: &Report, names: Vec<String>) -> Table {
    let jobs = names.into_iter().zip(&found.loads.by_job).zip(&found.counts).enumerate();
    Table::of(jobs.map(|(at, ((job, loads), counts))| {
        let six = summary::six(loads.clone(), found.unit).unwrap_or_default();
        JobRow {
            job,
            messages: counts.messages,
            bytes_sent: counts.bytes,
            switch_messages: counts.switch_messages,
            switch_bytes: counts.switch_bytes,
            links: six.links,
            used: six.used,
            total_bytes: six.total,
            min_bytes: six.minimum,
            q1_bytes: six.first_quartile,
            median_bytes: six.median,
            mean_bytes: six.mean,
            q3_bytes: six.third_quartile,
            max_bytes: six.maximum,
            slowdown: found.neighbours.get(at).map_or(1.0, |met| met.slowdown),
        }
    }))
}

fn neighbours(found: &Report) -> Table {
    let jobs = found.neighbours.len() as u32;
    let pairs = (0..jobs).flat_map(|job| (0..jobs).filter(move |other| *other != job).map(move |other| (job, other)));
    Table::of(pairs.map(|(job, other)| {
        let met = &found.neighbours[job as usize];
        NeighbourRow { job, other, met_bytes: met.met[other as usize], slowdown: met.slowdown_by[other as usize] }
    }))
}

fn hottest(found: &Report, network: &Network, total: &[u64]) -> [Table; 4] {
    let links = || found.causes.iter().map(|cause| cause.link);
    let bytes = |link: u32| found.unit.bytes(total[link as usize]);
    let hottest = links().map(|link| HottestRow {
        link,
        from_switch: network.tails()[link as usize],
        to_switch: network.heads()[link as usize],
        class: network.class(link).name.clone(),
        bytes: bytes(link),
        seconds: bytes(link) / network.class(link).bandwidth_bytes_per_s,
    });
    let shares = || found.causes.iter().flat_map(|cause| cause.shares.iter().map(|share| (cause.link, share)));
    let causes = shares().map(|(link, share)| CauseRow {
        link,
        job: share.job as u32,
        bytes: found.unit.bytes(share.load),
        flows: share.flows,
    });
    let offsets = shares().flat_map(|(link, share)| {
        let job = share.job as u32;
        share.offsets.iter().map(move |&(offset, bytes)| OffsetRow { link, job, offset, bytes })
    });
    let pairs = shares().flat_map(|(link, share)| {
        let job = share.job as u32;
        share.pairs.iter().map(move |&(src, dst, bytes)| PairRow { link, job, src, dst, bytes })
    });
    [Table::of(hottest), Table::of(causes), Table::of(offsets), Table::of(pairs)]
}

/// Of each direction the endpoint whose link carries most, the first of several, and whose bytes they are.
fn ends(found: &Report) -> Table {
    let mut rows: Vec<EndRow> = Vec::new();
    for class in ["injection", "ejection"] {
        let of: fn(&Counts) -> &Vec<u64> = if class == "injection" { |c| &c.injected } else { |c| &c.ejected };
        let sums = found.ends(of);
        let Some(most) = (0..sums.len()).rev().max_by_key(|end| sums[*end]) else { continue };
        let level = sums.iter().filter(|sum| **sum == sums[most]).count() as u32 - 1;
        let row = |(counts, job): (&Counts, u32)| EndRow {
            class: class.into(),
            endpoint: most as u32,
            level,
            job,
            bytes: of(counts)[most],
        };
        let mut shares: Vec<EndRow> = found.counts.iter().zip(0..).map(row).filter(|share| share.bytes > 0).collect();
        shares.sort_by_key(|share| std::cmp::Reverse(share.bytes));
        rows.extend(shares);
    }
    Table::of(rows)
}

fn per_link(found: Report, network: &Network, total: &[u64]) -> Vec<Table> {
    let links = Table::of(found.link_bytes(total).into_iter().map(|bytes| LinkRow { bytes }));
    let groups = summary::groups(network, total, found.unit);
    let unit = found.unit;
    let job_links = found.loads.by_job.into_iter().flatten().map(|load| JobLinkRow { bytes: unit.bytes(load) });
    let groups = groups.map(|(_, bytes)| Table::of(bytes.into_iter().map(|bytes| GroupRow { bytes })));
    [links, Table::of(job_links)].into_iter().chain(groups).collect()
}
