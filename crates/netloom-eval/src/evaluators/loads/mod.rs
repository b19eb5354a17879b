//! The evaluator `loads`.

mod node;

use netloom_model::{
    self as model, Background, Bound, Column, Evaluates, Evaluator, Fault, Field, Found, Needs, Network, Outcome,
    Progress, Scenario, Table, TableRow,
};

use self::node::{LEVELS, in_nodes, levels};
use super::link_classes::{self, CLASSES, six};
use super::load_jobs::{self, Work};
use crate::loads::summary::{self, Six};
use crate::loads::{Candidates, Counts, Inside, Report, SETTINGS, Settings, Variant, between_endpoints, report};

static JOBS: TableRow = TableRow {
    name: "jobs",
    help: "one row per job, the last one for background flows if there are any",
    fields: &[
        Field::new("job", "", "its name"),
        Field::new("messages", "", "between different nodes"),
        Field::new("bytes_sent", "B", "of these messages"),
        Field::new("switch_messages", "", "messages that leave their switch"),
        Field::new("switch_bytes", "B", "of these"),
        Field::new("links", "", "directed switch links of the network"),
        Field::new("used", "", "links on which the job puts anything"),
        Field::new("total_bytes", "B", "its bytes on all switch links"),
        Field::new("min_bytes", "B", "least of its bytes on a link"),
        Field::new("q1_bytes", "B", "first quartile"),
        Field::new("median_bytes", "B", "median"),
        Field::new("mean_bytes", "B", "mean"),
        Field::new("q3_bytes", "B", "third quartile"),
        Field::new("max_bytes", "B", "most of its bytes on a link"),
        Field::new("slowdown", "", "longest time on one of its links with all jobs, over that with the job alone"),
    ],
};

static NEIGHBOURS: TableRow = TableRow {
    name: "neighbours",
    help: "one row per job and other job, if there are several",
    fields: &[
        Field::new("job", "", "number of the job"),
        Field::new("other", "", "number of the other"),
        Field::new("met_bytes", "B", "bytes of the other on the same link, mean over the job's bytes on links"),
        Field::new("slowdown", "", "as of jobs, with this other job alone"),
    ],
};

static HOTTEST: TableRow = TableRow {
    name: "hottest",
    help: "the links whose bytes take longest, longest first",
    fields: &[
        Field::new("link", "", "its number"),
        Field::new("from_switch", "", "where it starts"),
        Field::new("to_switch", "", "where it ends"),
        Field::new("class", "", "its class"),
        Field::new("bytes", "B", "its load"),
        Field::new("seconds", "s", "time that this takes"),
    ],
};

static CAUSES: TableRow = TableRow {
    name: "causes",
    help: "one row per hottest link and job on it",
    fields: &[
        Field::new("link", "", "number of the link"),
        Field::new("job", "", "number of the job"),
        Field::new("bytes", "B", "what the job puts on the link"),
        Field::new("flows", "", "pairs of switches whose messages cross the link"),
    ],
};

static OFFSETS: TableRow = TableRow {
    name: "offsets",
    help: "message classes that cross a hottest link, largest first",
    fields: &[
        Field::new("link", "", "number of the link"),
        Field::new("job", "", "number of the job"),
        Field::new("offset", "", "destination rank less source rank"),
        Field::new("bytes", "B", "of such messages on the link"),
    ],
};

static PAIRS: TableRow = TableRow {
    name: "pairs",
    help: "pairs of ranks whose messages cross a hottest link, largest first",
    fields: &[
        Field::new("link", "", "number of the link"),
        Field::new("job", "", "number of the job"),
        Field::new("src", "", "sending rank"),
        Field::new("dst", "", "receiving rank"),
        Field::new("bytes", "B", "of their messages on the link"),
    ],
};

static ENDS: TableRow = TableRow {
    name: "ends",
    help: "the endpoint that sends most and the one that receives most: one row per job on its link, largest first",
    fields: &[
        Field::new("class", "", "injection or ejection"),
        Field::new("endpoint", "", "its number"),
        Field::new("level", "", "other endpoints that carry as much"),
        Field::new("job", "", "number of the job"),
        Field::new("bytes", "B", "what the job puts on the link"),
    ],
};

static LINKS: TableRow = TableRow {
    name: "links",
    help: "one row per directed link: switch links, then injection, then ejection",
    fields: &[Field::new("bytes", "B", "load of the link")],
};

static JOB_LINKS: TableRow = TableRow {
    name: "job_links",
    help: "per job, one row per directed switch link: jobs x links",
    fields: &[Field::new("bytes", "B", "what the job puts on the link")],
};

static GROUPS: TableRow = TableRow {
    name: "groups",
    help: "bytes from each group of switches to each other, groups x groups, if the network has any",
    fields: &[Field::new("bytes", "B", "on the links from one to the other")],
};

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
        fields: &[
            Field::new(
                "messages",
                "",
                "between different nodes: hosts with all their ports; GPUs that the network joins are nodes of their own",
            ),
            Field::new("bytes_sent", "B", "of these messages"),
            Field::new("switch_bytes", "B", "of messages that leave their switch"),
            Field::new("max_bytes", "B", "on one switch link (Jain 2016, eq. 2.6)"),
            Field::new("mean_bytes", "B", "per switch link"),
            Field::new("used_links", "", "switch links that carry anything"),
            Field::new("endpoint_max_bytes", "B", "on one injection or ejection link"),
            Field::new("flows", "", "between pairs of switches, that the iteration held"),
            Field::new("rounds", "", "of the iteration; 0 without adaptive jobs"),
            Field::new("last_gain", "", "share that the last round added to all bandwidth given"),
            Field::new("inter_node_bytes", "B", "as bytes_sent; on rail clusters without those between GPUs of a node"),
            Field::new("inside_bytes", "B", "between ranks of one node; None without a node"),
        ],
        tables: &[
            &CLASSES,
            &LEVELS,
            &JOBS,
            &NEIGHBOURS,
            &HOTTEST,
            &CAUSES,
            &OFFSETS,
            &PAIRS,
            &ENDS,
            &LINKS,
            &JOB_LINKS,
            &GROUPS,
        ],
        supports: |needs| needs.all(&[|n| n.some_job(), sized, |n| n.no_start(), merged]),
        find,
    },
};

/// A background flow counts by its bytes: it must have some, and nothing that needs time.
fn sized(needs: &Needs<'_>) -> Option<Fault> {
    let hosts = needs.scenario.closed();
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
    let jobs = work.jobs(scenario, &load_jobs::variants(scenario)?)?;
    let names = jobs.iter().map(|job| job.name.to_string()).collect();
    let causes = (options.size("hottest") as usize, options.size("top") as usize);
    let settings = Settings { hosts: scenario.closed(), ..Settings::new(options) };
    // Bytes that the network carries between two endpoints of one machine.
    let linked = scenario.machines().filter(|machines| machines.are_linked());
    let in_machines = linked.map_or(0, |machines| between_endpoints(&machines, &jobs));
    let found = report(&scenario.network, jobs, settings, causes, progress)?;
    let inner = scenario.node.as_ref().map(|node| in_nodes(scenario, node, &work.sends, progress)).transpose()?;
    let total = summary::total(&found.loads.by_job);
    let record = record(&found, &total, inner.as_ref(), in_machines);
    let mut tables =
        vec![link_classes::table(found.classes(&scenario.network, &total)), per_job(&found, names), neighbours(&found)];
    tables.extend(scenario.node.as_ref().zip(inner).map(|(node, inner)| levels(node, &inner)));
    tables.extend(hottest(&found, &scenario.network, &total));
    tables.push(ends(&found));
    if options.bool("arrays") {
        tables.extend(per_link(found, &scenario.network, &total));
    }
    Ok(Found { record, tables })
}

fn record(found: &Report, total: &[u64], inner: Option<&Inside>, in_machines: u64) -> Vec<netloom_model::Datum> {
    let sum = |of: fn(&Counts) -> u64| found.counts.iter().map(of).sum::<u64>();
    let all: u128 = total.iter().map(|&load| u128::from(load)).sum();
    let mean = (!total.is_empty()).then(|| found.unit.bytes(all) / total.len() as f64);
    let ends = found.ends(|c| &c.injected).into_iter().chain(found.ends(|c| &c.ejected));
    vec![
        sum(|c| c.messages).into(),
        sum(|c| c.bytes).into(),
        sum(|c| c.switch_bytes).into(),
        found.unit.bytes(total.iter().copied().max().unwrap_or(0)).into(),
        mean.into(),
        (total.iter().filter(|load| **load > 0).count() as u64).into(),
        (ends.max().unwrap_or(0) as f64).into(),
        found.flows.into(),
        found.rounds.into(),
        found.last_gain.into(),
        (sum(|c| c.bytes) - in_machines).into(),
        inner.map(|inner| inner.within_bytes).into(),
    ]
}

fn per_job(found: &Report, names: Vec<String>) -> Table {
    let counts: [fn(&Counts) -> u64; 4] = [|c| c.messages, |c| c.bytes, |c| c.switch_messages, |c| c.switch_bytes];
    let rows: Vec<Six> =
        found.loads.by_job.iter().map(|loads| summary::six(loads.clone(), found.unit).unwrap_or_default()).collect();
    let mut columns = vec![Column::Text(names)];
    columns.extend(counts.map(|of| Column::U64(found.counts.iter().map(of).collect())));
    columns.extend(six(rows.iter()));
    let slowdown = (0..rows.len()).map(|job| found.neighbours.get(job).map_or(1.0, |met| met.slowdown));
    columns.push(Column::F64(slowdown.collect()));
    Table::new(&JOBS, columns)
}

fn neighbours(found: &Report) -> Table {
    let jobs = found.neighbours.len() as u32;
    let pairs =
        || (0..jobs).flat_map(|job| (0..jobs).filter(move |other| *other != job).map(move |other| (job, other)));
    let of = |(job, other): (u32, u32)| (&found.neighbours[job as usize], other as usize);
    let columns = vec![
        Column::U32(pairs().map(|pair| pair.0).collect()),
        Column::U32(pairs().map(|pair| pair.1).collect()),
        Column::F64(pairs().map(of).map(|(met, other)| met.met[other]).collect()),
        Column::F64(pairs().map(of).map(|(met, other)| met.slowdown_by[other]).collect()),
    ];
    Table::new(&NEIGHBOURS, columns)
}

fn hottest(found: &Report, network: &Network, total: &[u64]) -> [Table; 4] {
    let links = || found.causes.iter().map(|cause| cause.link);
    let bytes = |link: u32| found.unit.bytes(total[link as usize]);
    let hottest = vec![
        Column::U32(links().collect()),
        Column::U32(links().map(|link| network.tails()[link as usize]).collect()),
        Column::U32(links().map(|link| network.heads()[link as usize]).collect()),
        Column::Text(links().map(|link| network.class(link).name.clone()).collect()),
        Column::F64(links().map(bytes).collect()),
        Column::F64(links().map(|link| bytes(link) / network.class(link).bandwidth_bytes_per_s).collect()),
    ];
    let shares = || found.causes.iter().flat_map(|cause| cause.shares.iter().map(|share| (cause.link, share)));
    let causes = vec![
        Column::U32(shares().map(|(link, _)| link).collect()),
        Column::U32(shares().map(|(_, share)| share.job as u32).collect()),
        Column::F64(shares().map(|(_, share)| found.unit.bytes(share.load)).collect()),
        Column::U64(shares().map(|(_, share)| share.flows).collect()),
    ];
    let offsets = || shares().flat_map(|(link, share)| share.offsets.iter().map(move |row| (link, share.job, row)));
    let by_offset = vec![
        Column::U32(offsets().map(|row| row.0).collect()),
        Column::U32(offsets().map(|row| row.1 as u32).collect()),
        Column::I64(offsets().map(|row| row.2.0).collect()),
        Column::F64(offsets().map(|row| row.2.1).collect()),
    ];
    let pairs = || shares().flat_map(|(link, share)| share.pairs.iter().map(move |row| (link, share.job, row)));
    let by_pair = vec![
        Column::U32(pairs().map(|row| row.0).collect()),
        Column::U32(pairs().map(|row| row.1 as u32).collect()),
        Column::U32(pairs().map(|row| row.2.0).collect()),
        Column::U32(pairs().map(|row| row.2.1).collect()),
        Column::F64(pairs().map(|row| row.2.2).collect()),
    ];
    [
        Table::new(&HOTTEST, hottest),
        Table::new(&CAUSES, causes),
        Table::new(&OFFSETS, by_offset),
        Table::new(&PAIRS, by_pair),
    ]
}

/// Of each direction the endpoint whose link carries most, the first of several, and whose bytes they are.
fn ends(found: &Report) -> Table {
    let mut rows: Vec<(&str, [u32; 3], u64)> = Vec::new();
    for class in ["injection", "ejection"] {
        let of: fn(&Counts) -> &Vec<u64> = if class == "injection" { |c| &c.injected } else { |c| &c.ejected };
        let sums = found.ends(of);
        let Some(most) = (0..sums.len()).rev().max_by_key(|end| sums[*end]) else { continue };
        let level = sums.iter().filter(|sum| **sum == sums[most]).count() as u32 - 1;
        let jobs = found.counts.iter().zip(0..);
        let mut shares: Vec<_> =
            jobs.map(|(counts, job)| (class, [most as u32, level, job], of(counts)[most])).collect();
        shares.retain(|share| share.2 > 0);
        shares.sort_by_key(|share| std::cmp::Reverse(share.2));
        rows.extend(shares);
    }
    let number = |at: usize| Column::U32(rows.iter().map(|row| row.1[at]).collect());
    let columns = vec![
        Column::Text(rows.iter().map(|row| row.0.to_string()).collect()),
        number(0),
        number(1),
        number(2),
        Column::U64(rows.iter().map(|row| row.2).collect()),
    ];
    Table::new(&ENDS, columns)
}

fn per_link(found: Report, network: &Network, total: &[u64]) -> Vec<Table> {
    let links = Table::new(&LINKS, vec![Column::F64(found.link_bytes(total))]);
    let groups = summary::groups(network, total, found.unit);
    let unit = found.unit;
    let mut by_job = found.loads.by_job;
    // A lone job's loads become bytes where they are.
    let loads = if by_job.len() == 1 { by_job.remove(0) } else { by_job.concat() };
    let job_links = Column::F64(loads.into_iter().map(|load| unit.bytes(load)).collect());
    let groups = groups.map(|(_, bytes)| Table::new(&GROUPS, vec![Column::F64(bytes)]));
    [links, Table::new(&JOB_LINKS, vec![job_links])].into_iter().chain(groups).collect()
}
