//! The contract of every method and every objective.

use netloom_flow::stopwatch;
use netloom_model::machine::Settings as Costs;
use netloom_model::traffic::Flow;
use netloom_model::{
    Bound, Call, Clock, HopMatrix, Level, Mapping, Network, Node, Outcome, Progress, Schedule, Stream, Traffic,
};
use netloom_ranks::{Job, Load, RoutedMachine, Spread};
use proptest::prelude::*;
use rayon::prelude::*;

use crate::fixtures::{FirstLink, allreduce, alltoall, broadcast, matrix, ring_with_matchings, stencil, torus};
use crate::objective::{Clocked, OBJECTIVES, SharedPaths, on_start};
use crate::prepared::Prepared;
use crate::registry::OPTIMISERS;
use crate::{Budget, Problem, Solution, needs_routing, optimise};

/// Methods that refuse traffic without a grid of ranks.
const ONLY_GRIDS: [&str; 2] = ["grid", "geometric"];

pub fn call(text: &str) -> Call {
    Call::parse(text).unwrap()
}

/// Everything a problem borrows.
pub struct Case {
    pub network: Network,
    pub distance: HopMatrix,
    pub start: Mapping,
    pub traffic: Traffic,
    pub schedule: Option<Schedule>,
    /// Slots of `network` on one endpoint.
    pub slots: u32,
    /// The network without slots, and what is behind its endpoints.
    pub behind: Option<(Network, Node)>,
}

impl Case {
    pub fn new(network: Network, start: Vec<u32>, traffic: Traffic, schedule: Option<Schedule>) -> Case {
        let (distance, start) = (matrix(&network), Mapping::new(start, &network).unwrap());
        Case { network, distance, start, traffic, schedule, slots: 1, behind: None }
    }
    pub fn of_schedule(network: Network, start: Vec<u32>, schedule: Schedule) -> Case {
        let traffic = Traffic::of_schedule(&schedule).unwrap();
        Case::new(network, start, traffic, Some(schedule))
    }
    /// Nodes of `slots` slots on a ring of switches, ranks in random order.
    pub fn nodes_on_ring(nodes: u32, slots: u32, traffic: Traffic) -> Case {
        let network = torus(&[nodes], 1).with_slots(slots).unwrap();
        Case::new(network, shuffled(nodes * slots, traffic.ranks, 1), traffic, None).on_nodes(slots)
    }

    pub fn on_nodes(self, slots: u32) -> Case {
        Case { slots, ..self }
    }
    /// Ranks on seats of nodes, on the first `slots` ones of each endpoint of `network`.
    pub fn behind(network: Network, node: Node, slots: u32, start: Vec<u32>, traffic: Traffic) -> Case {
        let case = Case::new(network.with_slots(slots).unwrap(), start, traffic, None);
        Case { slots, behind: Some((network, node)), ..case }
    }
    pub fn per_node(&self) -> u32 {
        self.slots * self.behind.as_ref().map_or(1, |(_, node)| node.nics())
    }
    /// The same from another start.
    pub fn moved(&self, start: Mapping) -> Case {
        let (network, distance, traffic) = (self.network.clone(), self.distance.clone(), self.traffic.clone());
        let (schedule, behind) = (self.schedule.clone(), self.behind.clone());
        Case { start, network, distance, traffic, schedule, slots: self.slots, behind }
    }
    pub fn with<R>(&self, free: bool, work: impl FnOnce(Problem<'_>) -> R) -> R {
        let routing = FirstLink { network: &self.network, distance: &self.distance };
        let (costs, stop) = (Costs::default(), Progress::new());
        // Without a node slots are endpoints with links of their own.
        let slots = if self.behind.is_some() { self.slots } else { 1 };
        let of_rank = |of: fn(u32, u32) -> u32| -> Vec<u32> {
            self.start.endpoints().iter().map(|slot| of(*slot, slots)).collect()
        };
        let (endpoints, seats) = (of_rank(|slot, slots| slot / slots), of_rank(|slot, slots| slot % slots));
        let node = self.behind.as_ref().map(|(_, node)| node);
        let machine = RoutedMachine {
            network: self.behind.as_ref().map_or(&self.network, |(network, _)| network),
            node,
            routing: &routing,
            wire: &costs.wire,
            software: &costs.software,
        };
        let load = self.schedule.as_ref().map_or(Load::Traffic(&self.traffic), Load::Schedule);
        let job = Job {
            work: load,
            endpoint_of_rank: &endpoints,
            routing: None,
            seat_of_rank: &seats,
            spread: Spread::Shares,
            start_s: 0.0,
            repetitions: 2,
        };
        let clock = stopwatch(&machine, job, slots, &stop).ok();
        work(Problem {
            slots: self.slots,
            node,
            network: &self.network,
            distance: &self.distance,
            start: &self.start,
            traffic: &self.traffic,
            schedule: self.schedule.as_ref(),
            routing: Some(&routing),
            one_path: None,
            clock: clock.as_ref().map(|c| c as &dyn Clock),
            free,
        })
    }
    pub fn run(&self, free: bool, method: &str, objective: &str) -> Outcome<Solution> {
        self.with(free, |p| optimise(&p, &call(method), &call(objective), Budget::Swaps, &Progress::new()))
    }
    /// Bytes between nodes, from the definition.
    pub fn inter_node(&self, mapping: &Mapping) -> u64 {
        let gpus = self.network.structure().rails.map_or(1, |rails| rails.gpus);
        let node = |rank: u32| mapping.endpoints()[rank as usize] / self.per_node().max(self.slots * gpus);
        self.traffic.flows().iter().filter(|f| node(f.src) != node(f.dst)).map(|f| f.bytes).sum()
    }
    /// Weighted hops of a mapping, from the definition.
    pub fn weighted_hops(&self, mapping: &Mapping, bytes: bool) -> u64 {
        let at = mapping.switches(&self.network);
        let node = |rank: u32| mapping.endpoints()[rank as usize] / self.per_node();
        let apart = |f: &Flow| u64::from(node(f.src) != node(f.dst));
        let d = |f: &Flow| apart(f) * u64::from(self.distance.get(at[f.src as usize], at[f.dst as usize]));
        self.traffic.flows().iter().map(|f| d(f) * if bytes { f.bytes } else { f.messages }).sum()
    }
}

pub fn shuffled(endpoints: u32, ranks: u32, seed: u64) -> Vec<u32> {
    let mut list: Vec<u32> = (0..endpoints).collect();
    Stream::new(seed, "start").shuffle(&mut list);
    list.truncate(ranks as usize);
    list
}

pub fn random_traffic(ranks: u32, flows: u32, seed: u64) -> Traffic {
    let mut stream = Stream::new(seed, "flows");
    let one = |_| Flow {
        src: stream.below(ranks),
        dst: stream.below(ranks),
        messages: u64::from(1 + stream.below(3)),
        bytes: u64::from(stream.below(5000)),
    };
    Traffic::new("random", ranks, (0..flows).map(one).collect())
}

/// Small cases of all kinds: given slots and fewer ranks than endpoints, one and several endpoints per switch.
pub fn cases() -> Vec<Case> {
    vec![
        Case::of_schedule(ring_with_matchings(32, 2, 1, 1), shuffled(32, 16, 1), allreduce(16)),
        Case::of_schedule(ring_with_matchings(16, 1, 4, 2), shuffled(64, 32, 2), broadcast(32)),
        Case::of_schedule(ring_with_matchings(16, 2, 1, 3), shuffled(16, 16, 3), alltoall(16)),
        Case::new(torus(&[4, 4], 1), shuffled(16, 16, 4), stencil(&[4, 4]), None),
        Case::new(torus(&[4, 4], 2), shuffled(32, 9, 5), random_traffic(9, 40, 5), None),
        Case::new(torus(&[3, 3], 1).with_slots(4).unwrap(), shuffled(36, 20, 6), random_traffic(20, 60, 6), None)
            .on_nodes(4),
        Case::new(torus(&[4], 4), shuffled(16, 16, 7), stencil(&[4, 4]), None).on_nodes(2),
        // Levels; a node's two endpoints on two switches.
        Case::behind(torus(&[3], 2), sockets(1), 4, shuffled(24, 13, 8), random_traffic(13, 60, 8)),
        Case::behind(torus(&[6], 1), sockets(2), 2, shuffled(12, 12, 10), random_traffic(12, 60, 10)),
    ]
}

/// Two sockets of two cores, the first level slower than most.
pub fn sockets(nics: u32) -> Node {
    let level = |name: &str, bandwidth_bytes_per_s: f64| Level {
        name: name.into(),
        counts: vec![2],
        bandwidth_bytes_per_s,
        latency_s: 1e-8,
        memory_bytes_per_s: f64::INFINITY,
    };
    Node::new(vec![level("socket", 3e9), level("core", 40e9)], nics).unwrap()
}

#[test]
fn no_method_worsens_and_every_result_is_a_mapping() {
    cases().par_iter().enumerate().for_each(|(i, case)| {
        OPTIMISERS.rows.par_iter().for_each(|row| {
            for objective in OBJECTIVES.rows {
                for free in [false, true] {
                    let place = format!("case {i}, {}, {}, free {free}", row.name, objective.name);
                    // Every evaluation of time is a simulation.
                    let few = objective.needs.clock != Clocked::Never && row.params.iter().any(|p| p.name == "swaps");
                    let method = if few { format!("{}(swaps=60)", row.name) } else { row.example.into() };
                    let solution = match case.run(free, &method, objective.example) {
                        Ok(solution) => solution,
                        Err(faults) => {
                            let code = faults.0[0].code;
                            let grid = ONLY_GRIDS.contains(&row.name)
                                && code == "NL-O006"
                                && (case.traffic.grid.is_none() || free);
                            let steps = objective.name == "contentions" && code == "NL-O004" && case.schedule.is_none();
                            assert!(grid || steps, "{place}: {faults}");
                            continue;
                        }
                    };
                    assert!(solution.bound <= solution.value && solution.value <= solution.start_value, "{place}");
                    assert_eq!(solution.mapping.ranks(), case.start.ranks());
                    if !free {
                        let sorted = |m: &Mapping| {
                            let mut list = m.endpoints().to_vec();
                            list.sort_unstable();
                            list
                        };
                        assert_eq!(sorted(&solution.mapping), sorted(&case.start), "{place}");
                    }
                    if matches!(objective.name, "hops" | "hop-bytes") {
                        let bytes = objective.name == "hop-bytes";
                        assert_eq!(solution.value, case.weighted_hops(&solution.mapping, bytes), "{place}");
                        assert_eq!(solution.start_value, case.weighted_hops(&case.start, bytes), "{place}");
                    }
                    if objective.name == "inter-node" {
                        assert_eq!(solution.value, case.inter_node(&solution.mapping), "{place}");
                        assert_eq!(solution.start_value, case.inter_node(&case.start), "{place}");
                    }
                    let first = solution.trace[0];
                    assert_eq!((first.evaluations, first.value), (0, solution.start_value), "{place}");
                    assert_eq!(solution.trace.last().unwrap().value, solution.value, "{place}");
                    assert!(
                        solution
                            .trace
                            .windows(2)
                            .all(|w| w[0].evaluations < w[1].evaluations && w[0].value >= w[1].value)
                    );
                    // The value is that of the mapping itself, not of an intermediate state.
                    let again = case.moved(solution.mapping.clone());
                    let found = again.run(free, "two-opt(swaps=0)", objective.example).unwrap();
                    assert_eq!(found.value, solution.value, "{place}");
                }
            }
        });
    });
}

#[test]
fn the_same_seed_gives_the_same_whatever_the_threads() {
    let case = Case::of_schedule(ring_with_matchings(64, 4, 1, 1), shuffled(64, 32, 1), allreduce(32));
    for method in [
        "auto(swaps=30000)",
        "guided(swaps=20000,restarts=5)",
        "anneal(swaps=20000,restarts=3)",
        "two-opt(swaps=9000,move=reversal)",
        "two-opt(swaps=9000,pairs=3)",
        "bisection(tries=5)",
        "bisection(tries=5,machine=links,parts=4,after=match)",
        "two-opt(swaps=900,move=levels)",
    ] {
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| case.run(true, method, "hops").unwrap())
        };
        assert_eq!(with(1), with(3), "{method}");
    }
    let other = case.run(true, "guided(swaps=20000,seed=1)", "hops").unwrap();
    assert_ne!(other.mapping, case.run(true, "guided(swaps=20000,seed=2)", "hops").unwrap().mapping);
}

#[test]
fn a_raised_flag_ends_every_search() {
    let case = Case::of_schedule(ring_with_matchings(64, 4, 1, 1), shuffled(64, 32, 1), allreduce(32));
    for row in OPTIMISERS.rows.iter().filter(|r| !ONLY_GRIDS.contains(&r.name)) {
        let progress = Progress::new();
        progress.request_stop();
        let stopped =
            case.with(false, |p| optimise(&p, &call(row.name), &call("hops"), Budget::UntilStopped, &progress));
        let solution = stopped.unwrap();
        assert_eq!((solution.value, &solution.mapping), (solution.start_value, &case.start), "{}", row.name);
    }
    // Without a stop a search still ends when the bound is reached: on a complete ring of four everything is near.
    let tiny = Case::of_schedule(torus(&[2, 2], 1), vec![0, 1, 2, 3], broadcast(4));
    let solution =
        tiny.with(false, |p| optimise(&p, &call("auto"), &call("hops"), Budget::UntilStopped, &Progress::new()));
    assert_eq!(solution.unwrap().value, 3);
}

#[test]
fn refusals_name_the_reason() {
    let case = Case::new(torus(&[4, 4], 1), shuffled(16, 16, 4), stencil(&[4, 4]), None);
    let code = |method: &str, objective: &str| case.run(false, method, objective).unwrap_err().0[0].code;
    assert_eq!(code("two-opt(swaps=-1)", "hops"), "NL-A007");
    assert_eq!(code("two-opt(accept=maybe)", "hops"), "NL-A007");
    assert_eq!(code("two-opt(move=reversal,pairs=2)", "hops"), "NL-A007");
    assert_eq!(code("two-opts", "hops"), "NL-A002");
    assert_eq!(code("auto", "hops(1)"), "NL-A006");
    assert_eq!(code("auto", "latency"), "NL-A002");
    assert_eq!(code("anneal(t_start=1,t_end=2)", "hops"), "NL-O007");
    assert_eq!(code("auto", "contentions"), "NL-O004");
    let other = |change: &dyn Fn(&mut Problem<'_>)| {
        case.with(false, |mut p| {
            change(&mut p);
            optimise(&p, &call("auto(swaps=10)"), &call("max-link-load"), Budget::Swaps, &Progress::new())
                .unwrap_err()
                .0[0]
                .code
        })
    };
    assert_eq!(other(&|p| p.routing = None), "NL-O005");
    let small = Mapping::new(vec![0, 1], &case.network).unwrap();
    let small: &Mapping = Box::leak(Box::new(small));
    assert_eq!(other(&|p| p.start = small), "NL-O001");
    let wrong: &HopMatrix = Box::leak(Box::new(HopMatrix::from_rows(2, vec![0, 1, 1, 0]).unwrap()));
    assert_eq!(other(&|p| p.distance = wrong), "NL-O002");
    let mut apart = case.distance.clone().into_vec();
    (apart[5], apart[5 * 16]) = (255, 255);
    let apart: &HopMatrix = Box::leak(Box::new(HopMatrix::from_rows(16, apart).unwrap()));
    assert_eq!(other(&|p| p.distance = apart), "NL-O003");
    let mut skew = case.distance.clone().into_vec();
    skew[5] = 7;
    let skew: &HopMatrix = Box::leak(Box::new(HopMatrix::from_rows(16, skew).unwrap()));
    assert_eq!(other(&|p| p.distance = skew), "NL-O002");
    let huge = Traffic::new("huge", 16, vec![Flow { src: 0, dst: 1, messages: 1, bytes: u64::MAX }]);
    let huge: &Traffic = Box::leak(Box::new(huge));
    assert_eq!(other(&|p| p.traffic = huge), "NL-A009");
}

#[test]
fn only_objectives_over_links_ask_for_a_routing() {
    let case = Case::of_schedule(torus(&[4, 4], 1), shuffled(16, 16, 4), allreduce(16));
    for row in OBJECTIVES.rows {
        for name in std::iter::once(row.name).chain(row.aliases.iter().copied()) {
            let without = case.with(false, |mut p| {
                p.routing = None;
                optimise(&p, &call("two-opt(swaps=10)"), &call(name), Budget::Swaps, &Progress::new())
            });
            assert_eq!(needs_routing(&call(name)), without.is_err(), "{name}");
            if let Err(faults) = without {
                assert_eq!(faults.0[0].code, "NL-O005", "{name}");
            }
        }
    }
    assert!(!needs_routing(&call("latency")));
}

#[test]
fn one_rank_or_no_traffic_is_no_trouble() {
    for row in OPTIMISERS.rows.iter().filter(|r| !ONLY_GRIDS.contains(&r.name)) {
        for (ranks, flows) in [(1, 0), (5, 0), (16, 3)] {
            let case = Case::new(torus(&[4, 4], 1), shuffled(16, ranks, 1), random_traffic(ranks, flows, 1), None);
            for objective in ["hops", "hop-bytes", "max-link-load"] {
                for free in [false, true] {
                    let solution = case.run(free, row.example, objective).unwrap();
                    assert!(solution.value <= solution.start_value);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn swap_delta_equals_recomputation(seed in 0u64..10_000, which in 0usize..9, free in any::<bool>()) {
        let case = &cases()[which];
        for row in OBJECTIVES.rows {
            let outcome = case.with(free, |problem| -> Outcome<()> {
                let args = Bound::bind(row.params, &call(row.example))?;
                let prepared = Prepared::new(&problem, (row.weigh)(&args))?;
                let mut objective = on_start(row, &prepared, &args, &SharedPaths::default())?;
                // Seconds are far below one.
                let one = if row.needs.clock == Clocked::Never { 1.0 } else { 0.0 };
                let mut places = prepared.places();
                let mut stream = Stream::new(seed, "moves");
                let least = (row.bound)(&prepared);
                for _ in 0..60 {
                    let (a, b) = (stream.below(places.ranks()), stream.below(places.slots()));
                    if a == b {
                        continue;
                    }
                    let (before, value) = (objective.energy(&places), objective.value());
                    let delta = objective.swap_delta(&places, a, b);
                    let mirrored = objective.swap_delta(&places, b, a);
                    assert!((mirrored - delta).abs() <= 1e-9 * (one + before), "{}", row.name);
                    assert_eq!((objective.energy(&places), objective.value()), (before, value));
                    objective.swap(&places, a, b);
                    places.swap(a, b);
                    let after = objective.energy(&places);
                    assert!((after - before - delta).abs() <= 1e-9 * (one + before), "{}: {before} {after} {delta}", row.name);
                    let mut moved = prepared.problem;
                    let endpoints = places.slot_of_rank().iter().map(|s| prepared.endpoints[*s as usize]).collect();
                    let start = Mapping::new(endpoints, &case.network).unwrap();
                    moved.start = &start;
                    let fresh = Prepared::new(&moved, (row.weigh)(&args))?;
                    let again = on_start(row, &fresh, &args, &SharedPaths::default())?;
                    assert_eq!(again.value(), objective.value(), "{}", row.name);
                    assert!(least <= objective.value(), "{}", row.name);
                }
                Ok(())
            });
            if let Err(faults) = outcome {
                prop_assert_eq!(faults.0[0].code, "NL-O004");
            }
        }
    }
}
