//! Searches on nodes: the value of a mapping is what the evaluators say of it.

use std::sync::Arc;

use netloom_flow::{TIME, stopwatch};
use netloom_loads::{CONTENTIONS, HOPS, LOADS};
use netloom_model::{
    Answer, Bound, Call, Clock, Column, Datum, Direct, Distances, Job, Level, Machine, Mapping, Network,
    NetworkBuilder, Node, Progress, RoutingCall, Scenario, Schedule, Seats, Stream, Traffic, Workload,
};
use netloom_ranks::{RoutedMachine, Spread, runs};

use crate::contract::{call, random_traffic, shuffled};
use crate::fixtures::schedule;
use crate::{Budget, Problem, Solution, optimise};

/// A machine, a workload and where its ranks are.
struct Drawn {
    network: Arc<Network>,
    node: Option<Node>,
    /// Seats in use on each endpoint.
    slots: u32,
    start: Vec<u32>,
    workload: Workload,
    routing: &'static str,
}

impl Drawn {
    /// Endpoints anywhere on a random connected network, so that nodes may be on several switches.
    fn new(seed: u64) -> Drawn {
        let mut draw = Stream::new(seed, "machines");
        let switches = 1 + draw.below(6);
        let mut builder = NetworkBuilder::new("drawn", switches);
        let slow = builder.class("slow", 1e9, 1e-7);
        let fast = builder.class("fast", 4e9, 2e-7);
        for s in 1..switches {
            builder.cable(s, draw.below(s), if draw.below(2) == 0 { slow } else { fast });
        }
        if switches > 3 {
            builder.cable(0, switches - 1, fast);
        }
        let nics = 1 + draw.below(3);
        let nodes = 1 + draw.below(4);
        (0..nodes * nics).for_each(|_| builder.endpoint(draw.below(switches)));
        builder.endpoint_link(3e9, 1e-7);
        let levels = (0..draw.below(4)).map(|level| Level {
            name: format!("level {level}"),
            counts: vec![1 + draw.below(3)],
            bandwidth_bytes_per_s: if draw.below(4) == 0 { f64::INFINITY } else { 1e9 * f64::from(1 + draw.below(9)) },
            latency_s: 1e-8 * f64::from(draw.below(5)),
            memory_bytes_per_s: f64::INFINITY,
        });
        let mut levels: Vec<Level> = levels.collect();
        levels.push(Level {
            name: "core".into(),
            counts: vec![nics],
            bandwidth_bytes_per_s: 2e9,
            latency_s: 0.0,
            memory_bytes_per_s: f64::INFINITY,
        });
        let node = Node::new(levels, nics).unwrap();
        let links = links(seed, node.seats());
        let node = node.with_links(links).unwrap();
        let slots = 1 + draw.below(node.seats_per_endpoint());
        let all = nodes * nics * slots;
        let ranks = 1 + draw.below(all.min(16));
        let collective =
            |name: &str| netloom_workload::registry::build(&call(name), ranks.into(), 0, 1000).unwrap().into();
        let workload: Workload = match draw.below(4) {
            0 => collective("allreduce:recursive-doubling"),
            1 => collective("broadcast:binomial"),
            2 => collective("alltoall:pairwise"),
            _ => random_traffic(ranks, 4 * ranks, seed).into(),
        };
        Drawn {
            network: Arc::new(builder.build().unwrap()),
            node: Some(node),
            slots,
            start: shuffled(all, ranks, seed),
            workload,
            routing: "single-minimal",
        }
    }

    fn scenario(&self, slot_of_rank: &[u32], workload: Workload) -> Scenario {
        let routing = RoutingCall::new(call(self.routing), netloom_net::routing::build);
        let bound = Bound::bind(netloom_model::job::JOB, &Call::bare("job")).unwrap();
        let seats = Seats::of_slots(slot_of_rank, self.slots).unwrap();
        let mut job = Job::new("job".into(), Arc::new(seats), workload, &bound).unwrap();
        job.routing = Some(Arc::new(routing));
        let distances = Arc::new(Distances::new(netloom_net::MEASURE));
        let (network, node) = (Arc::clone(&self.network), self.node.clone().map(Arc::new));
        let machine = Machine { node, ..Machine::new(network, distances) };
        Scenario { machine, jobs: vec![job], background: Vec::new() }
    }

    fn search(&self, method: &str, objective: &str, free: bool) -> Solution {
        let asked = self.scenario(&self.start, self.workload.clone());
        let (job, stop) = (asked.one_job().unwrap(), Progress::new());
        let routing = asked.paths(job).unwrap();
        let network = self.network.with_slots(self.slots).unwrap();
        let start = Mapping::new(self.start.clone(), &network).unwrap();
        let machine = RoutedMachine { node: self.node.as_ref(), ..RoutedMachine::new(&asked.machine, routing) };
        let timed = netloom_ranks::Job {
            work: runs::load(&self.workload).unwrap(),
            endpoint_of_rank: job.seats.endpoints(),
            routing: None,
            seat_of_rank: &self.start.iter().map(|slot| slot % self.slots).collect::<Vec<_>>(),
            spread: Spread::Shares,
            start_s: 0.0,
            repetitions: 1,
        };
        let clock = stopwatch(&machine, timed, self.slots, &stop).unwrap();
        let problem = Problem {
            network: &network,
            slots: self.slots,
            node: self.node.as_ref(),
            distance: &asked.machine.hop_matrix().unwrap(),
            start: &start,
            traffic: &self.workload.traffic().unwrap(),
            schedule: self.workload.schedule().map(Arc::as_ref),
            routing: Some(routing),
            one_path: None,
            clock: Some(&clock as &dyn Clock),
            free,
        };
        optimise(&problem, &call(method), &call(objective), Budget::Swaps, &stop).unwrap()
    }

    /// The value of a mapping in units of the objective, by the evaluators.
    fn value(&self, slot_of_rank: &[u32], objective: &str) -> f64 {
        let asked = |workload: Workload, evaluator: &str| answer(&self.scenario(slot_of_rank, workload), evaluator);
        let record = |evaluator: &str, name: &str| number(&asked(self.workload.clone(), evaluator), name);
        match objective {
            "hops" => record("hops", "total_hops"),
            "hop-bytes" => record("hops", "hop_bytes"),
            "inter-node" => record("hops", "inter_node_bytes"),
            "contentions" => record("contentions", "contentions"),
            "contentions(over=workload)" => number(&asked(merged(&self.workload), "contentions"), "contentions"),
            "max-link-load" => record("loads(hottest=0)", "max_bytes"),
            "step-load" => {
                let steps = self.workload.schedule().map_or_else(|| vec![self.workload.clone()], |s| steps(s));
                let worst = |step: Workload| {
                    let found = asked(step, "loads(hottest=0)");
                    let of = |table: &str| column(&found, table, "max_s").into_iter().fold(0.0, f64::max);
                    of("classes").max(of("levels"))
                };
                1e12 * steps.into_iter().map(worst).sum::<f64>()
            }
            _ => 1e12 * record("time", "time_s"),
        }
    }
}

/// Direct links between some seats of every other machine, some of them one way.
fn links(seed: u64, seats: u32) -> Vec<Direct> {
    let mut draw = Stream::new(seed, "links");
    let pairs = (0..seats).flat_map(|a| (a + 1..seats).map(move |b| (a, b)));
    let mut way = |n: u32| (n > 0).then(|| 1e9 * f64::from(1 + draw.below(20)));
    let mut other = Stream::new(seed, "pairs");
    let mut made = Vec::new();
    for seats in pairs.filter(|_| seed % 2 == 1 && other.below(3) == 0) {
        let one = seats.0 % 3;
        made.push(Direct { seats, bytes_per_s: [way(1), way(one)], latency_s: 1e-8 });
    }
    made
}

/// All messages in one step.
fn merged(workload: &Workload) -> Workload {
    let mut ends = Vec::new();
    for flow in workload.traffic().unwrap().flows() {
        ends.extend((0..flow.messages).map(|_| (flow.src, flow.dst)));
    }
    schedule(workload.ranks(), &[ends]).into()
}

/// The steps of a schedule, each as traffic.
fn steps(schedule: &Schedule) -> Vec<Workload> {
    let mut flows = vec![Vec::new(); schedule.steps as usize];
    schedule.for_each_message(|m| {
        flows[m.step as usize].push(netloom_model::traffic::Flow {
            src: m.src,
            dst: m.dst,
            messages: 1,
            bytes: m.bytes,
        });
    });
    flows.into_iter().map(|flows| Traffic::new("step", schedule.ranks, flows).into()).collect()
}

fn answer(scenario: &Scenario, evaluator: &str) -> Answer {
    scenario.check().unwrap();
    let call = call(evaluator);
    let row = [HOPS, CONTENTIONS, LOADS, TIME].into_iter().find(|row| row.name == call.name).unwrap();
    let options = row.bind(&call).unwrap();
    row.evaluate(scenario, &options, &Progress::new()).unwrap()
}

fn number(answer: &Answer, name: &str) -> f64 {
    match answer.get(name).unwrap() {
        Datum::Count(count) => *count as f64,
        Datum::Number(number) => *number,
        other => panic!("{name}: {other:?}"),
    }
}

fn column(answer: &Answer, table: &str, name: &str) -> Vec<f64> {
    let Some(table) = answer.table(table) else { return Vec::new() };
    let at = table.row.fields.iter().position(|field| field.name == name).unwrap();
    match &table.columns[at] {
        Column::F64(items) => items.clone(),
        other => panic!("{other:?}"),
    }
}

const OBJECTIVES: [&str; 9] = [
    "hops",
    "hop-bytes",
    "inter-node",
    "contentions",
    "contentions(over=workload)",
    "max-link-load",
    "step-load",
    "time",
    "auto",
];

#[test]
fn values_are_those_of_the_evaluators() {
    let mut moved = 0;
    for seed in 0..240 {
        let mut drawn = Drawn::new(seed);
        for objective in OBJECTIVES {
            let split = seed % 3 == 0 && matches!(objective, "step-load" | "time" | "auto");
            drawn.routing = if split { "minimal" } else { "single-minimal" };
            if objective == "contentions" && drawn.workload.schedule().is_none() {
                continue;
            }
            let few = matches!(objective, "time" | "auto");
            let method = if few { "guided(swaps=20)" } else { "guided(swaps=400)" };
            let found = drawn.search(method, objective, seed % 2 == 0);
            moved += u32::from(found.value < found.start_value);
            for (slots, value) in [(&drawn.start[..], found.start_value), (found.mapping.endpoints(), found.value)] {
                let expected = drawn.value(slots, objective);
                let place = format!("seed {seed}, {objective}: {value} for {expected}");
                match objective {
                    // Whole numbers of a 2^24th of the time of all bytes of a step.
                    "step-load" => assert!((value as f64 - expected).abs() <= 1e-5 * expected + 2.0, "{place}"),
                    "time" | "auto" => assert!((value as f64 - expected).abs() <= 1.0, "{place}"),
                    _ => assert_eq!(value as f64, expected, "{place}"),
                }
            }
            assert!(found.bound <= found.value);
        }
    }
    assert!(moved > 400, "{moved} searches found something");
}

#[test]
fn levels_of_one_change_nothing() {
    for seed in 0..60 {
        let drawn = Drawn::new(seed);
        let bare = drawn.node.clone().unwrap();
        let one = |name: &str| Level {
            name: name.into(),
            counts: vec![1],
            bandwidth_bytes_per_s: 1e6,
            latency_s: 1.0,
            memory_bytes_per_s: f64::INFINITY,
        };
        let padded = bare.levels().iter().flat_map(|level| [one("outer"), level.clone()]).chain([one("inner")]);
        let node = Node::new(padded.collect(), bare.nics()).unwrap();
        let node = Some(node.with_links(bare.direct().to_vec()).unwrap());
        let padded =
            Drawn { node, network: Arc::clone(&drawn.network), start: drawn.start.clone(), ..Drawn::new(seed) };
        for objective in ["inter-node", "hop-bytes", "step-load", "auto"] {
            let found = |drawn: &Drawn| drawn.search("auto(swaps=300)", objective, true);
            assert_eq!(found(&drawn), found(&padded), "seed {seed}, {objective}");
        }
    }
}

#[test]
fn no_levels_and_one_nic_are_no_node() {
    for seed in 0..60 {
        let mut drawn = Drawn::new(seed);
        drawn.node = Some(Node::new(vec![], 1).unwrap());
        drawn.slots = 1;
        drawn.start = shuffled(drawn.network.endpoints(), drawn.network.endpoints(), seed);
        drawn.workload = random_traffic(drawn.network.endpoints(), 30, seed).into();
        let found = |drawn: &Drawn, objective: &str| drawn.search("auto(swaps=300)", objective, true);
        let with = ["inter-node", "hop-bytes", "max-link-load", "step-load", "auto"].map(|o| found(&drawn, o));
        drawn.node = None;
        assert_eq!(with, ["inter-node", "hop-bytes", "max-link-load", "step-load", "auto"].map(|o| found(&drawn, o)));
    }
}

/// One node of two sockets of four cores; rank r talks with rank r + 4, a million bytes each way.
fn partners_on_the_other_socket() -> Drawn {
    let mut builder = NetworkBuilder::new("one", 1);
    builder.endpoint(0);
    let level = |name: &str, count: u32, bandwidth_bytes_per_s: f64| Level {
        name: name.into(),
        counts: vec![count],
        bandwidth_bytes_per_s,
        latency_s: 0.0,
        memory_bytes_per_s: f64::INFINITY,
    };
    let flow = |src: u32| netloom_model::traffic::Flow { src, dst: (src + 4) % 8, messages: 1, bytes: 1_000_000 };
    Drawn {
        network: Arc::new(builder.build().unwrap()),
        node: Some(Node::new(vec![level("socket", 2, 1e9), level("core", 4, 10e9)], 1).unwrap()),
        slots: 8,
        start: (0..8).collect(),
        workload: Traffic::new("partners", 8, (0..8).map(flow).collect()).into(),
        routing: "single-minimal",
    }
}

#[test]
fn ranks_move_to_the_socket_of_their_partners() {
    let drawn = partners_on_the_other_socket();
    // Four millions over a socket's link of 1 GB/s each way before, one over a core's of 10 GB/s after.
    for objective in ["step-load", "time", "auto"] {
        let found = drawn.search("auto(swaps=2000)", objective, false);
        // Step loads are whole numbers of about a millionth of it.
        let microseconds = |value: u64| (value as f64 / 1e6).round();
        assert_eq!((microseconds(found.start_value), microseconds(found.value)), (4000.0, 100.0), "{objective}");
    }
    // Nothing leaves the node, whoever sits where.
    for objective in ["hop-bytes", "inter-node", "max-link-load"] {
        let found = drawn.search("auto(swaps=2000)", objective, false);
        assert_eq!((found.start_value, found.bound), (0, 0), "{objective}");
    }
}

#[test]
fn a_bound_of_links_knows_who_shares_a_switch() {
    // Neighbours on one switch exchange everything, and a routing by endpoint tells them apart.
    let network = netloom_net::registry::build(&call("fat_tree(radix=4,levels=2)")).unwrap();
    let flow = |src: u32| netloom_model::traffic::Flow { src, dst: src ^ 1, messages: 1, bytes: 1000 };
    let drawn = Drawn {
        node: None,
        slots: 1,
        start: (0..network.endpoints()).map(|e| (e * 3) % network.endpoints()).collect(),
        workload: Traffic::new("pairs", network.endpoints(), (0..network.endpoints()).map(flow).collect()).into(),
        routing: "d-mod-k",
        network: Arc::new(network),
    };
    let found = drawn.search("auto(swaps=20000)", "max-link-load", false);
    assert_eq!((found.bound, found.value), (0, 0));
}
