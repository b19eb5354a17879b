//! Contentions from their definition: messages on each directed switch link but for the first, by step or all together.

use std::collections::BTreeMap;

use netloom_model::traffic::Flow;
use netloom_model::{Bound, Mapping, Progress, Routing, Stream, Traffic};

use crate::contract::{Case, call, cases, random_traffic, shuffled};
use crate::fixtures::{FirstLink, allreduce, alltoall, ring_with_matchings, schedule, torus};
use crate::objective::{OBJECTIVES, SharedPaths, on_start};
use crate::prepared::Prepared;
use crate::{Budget, Problem, optimise};

const STEP: &str = "contentions(over=step)";
const WORKLOAD: &str = "contentions(over=workload)";

/// Step, source and destination of every message.
fn messages(case: &Case) -> Vec<(u32, u32, u32)> {
    let mut all = Vec::new();
    match &case.schedule {
        Some(schedule) => schedule.for_each_message(|m| all.push((m.step, m.src, m.dst))),
        None => {
            let flows = case.traffic.flows().iter();
            flows.for_each(|flow| all.extend((0..flow.messages).map(|_| (0, flow.src, flow.dst))));
        }
    }
    all
}

/// The definition.
fn counted(case: &Case, mapping: &Mapping, over: &str) -> u64 {
    let routing = FirstLink { network: &case.network, distance: &case.distance };
    let at = mapping.switches(&case.network);
    let node = |rank: u32| mapping.endpoints()[rank as usize] / case.per_node();
    let (mut on, mut paths) = (BTreeMap::<(u32, u32), u64>::new(), Vec::new());
    for (step, src, dst) in messages(case) {
        if node(src) != node(dst) {
            routing.paths(at[src as usize], at[dst as usize], &mut paths).unwrap();
            let step = if over == STEP { step } else { 0 };
            paths[0].links.iter().for_each(|link| *on.entry((step, *link)).or_default() += 1);
        }
    }
    on.values().map(|count| count - 1).sum()
}

#[test]
fn increments_are_those_of_the_definition() {
    let mut changes = 0;
    for (which, case) in cases().iter().enumerate() {
        for over in [STEP, WORKLOAD].into_iter().filter(|over| *over == WORKLOAD || case.schedule.is_some()) {
            for free in [false, true] {
                case.with(free, |problem| {
                    let (row, args) = OBJECTIVES.bind(&call(over)).unwrap();
                    let prepared = Prepared::new(&problem, (row.weigh)(&args)).unwrap();
                    let mut objective = on_start(row, &prepared, &args, &SharedPaths::default()).unwrap();
                    let (mut places, mut stream) = (prepared.places(), Stream::new(which as u64, "moves"));
                    let mut before = counted(case, &case.start, over);
                    assert_eq!(objective.value(), before, "case {which}, {over}");
                    for _ in 0..200 {
                        let (a, b) = (stream.below(places.ranks()), stream.below(places.slots()));
                        if a == b {
                            continue;
                        }
                        let delta = objective.swap_delta(&places, a, b);
                        assert_eq!(objective.value(), before, "evaluating changes nothing");
                        objective.swap(&places, a, b);
                        places.swap(a, b);
                        let slots = places.slot_of_rank().iter().map(|slot| prepared.endpoints[*slot as usize]);
                        let after = counted(case, &Mapping::new(slots.collect(), &case.network).unwrap(), over);
                        let place = format!("case {which}, {over}, free {free}");
                        assert_eq!(delta, after as f64 - before as f64, "{place}");
                        assert_eq!((objective.value(), objective.energy(&places)), (after, after as f64), "{place}");
                        changes += u32::from(after != before);
                        before = after;
                    }
                });
            }
        }
    }
    assert!(changes > 1000, "{changes} moves changed something");
}

#[test]
fn all_together_are_those_of_one_step() {
    for (seed, made) in [allreduce(32), alltoall(32)].into_iter().enumerate() {
        let case = |schedule| {
            let network = ring_with_matchings(64, 3, 1, seed as u64);
            Case::of_schedule(network, shuffled(64, 32, seed as u64), schedule)
        };
        let mut ends = Vec::new();
        made.for_each_message(|m| ends.push((m.src, m.dst)));
        let merged = case(schedule(made.ranks, &[ends]));
        let steps = case(made);
        for method in ["two-opt(swaps=3000,accept=strict)", "anneal(swaps=3000)"] {
            let found = |case: &Case, objective| {
                let found = case.run(false, method, objective).unwrap();
                (found.start_value, found.value, found.mapping)
            };
            let together = found(&steps, WORKLOAD);
            assert_eq!(together, found(&merged, STEP), "{method}");
            assert_eq!(together, found(&merged, WORKLOAD), "{method}");
            assert!(together.1 < together.0 && together.0 > found(&steps, STEP).0, "{method}");
        }
    }
}

#[test]
fn repeated_messages_count_one_by_one() {
    // On a line through 0, 1, 2 three messages of one pair and two of another share the link from 1 to 2.
    let flow = |src, dst, messages| Flow { src, dst, messages, bytes: 0 };
    let traffic = Traffic::new("by hand", 3, vec![flow(0, 2, 3), flow(1, 2, 2), flow(2, 2, 9)]);
    let case = Case::new(torus(&[5], 1), vec![0, 1, 2], traffic, None);
    let found = case.run(false, "two-opt(swaps=0)", WORKLOAD).unwrap();
    assert_eq!(found.value, (3 - 1) + (5 - 1));
}

#[test]
fn together_is_the_hops_less_the_links_in_use() {
    let case = Case::new(torus(&[4, 4], 2), shuffled(32, 20, 1), random_traffic(20, 90, 1), None);
    let found = case.run(true, "auto(swaps=2000)", WORKLOAD).unwrap();
    let routing = FirstLink { network: &case.network, distance: &case.distance };
    let (at, mut paths, mut used) = (found.mapping.switches(&case.network), Vec::new(), Vec::new());
    for flow in case.traffic.flows() {
        routing.paths(at[flow.src as usize], at[flow.dst as usize], &mut paths).unwrap();
        used.extend_from_slice(&paths[0].links);
    }
    used.sort_unstable();
    used.dedup();
    assert_eq!(found.value, case.weighted_hops(&found.mapping, false) - used.len() as u64);
    assert!(found.value < found.start_value);
}

#[test]
fn only_steps_ask_for_steps() {
    let case = Case::new(torus(&[4, 4], 1), shuffled(16, 16, 4), random_traffic(16, 40, 1), None);
    let code = |objective: &str| case.run(false, "two-opt(swaps=10)", objective).map_err(|faults| faults.0[0].code);
    assert_eq!(code(STEP).unwrap_err(), "NL-O004");
    assert!(code(WORKLOAD).is_ok());
    assert_eq!(code("contentions(over=node)").unwrap_err(), "NL-A007");
    let refused = |traffic: &Traffic, routed: bool| {
        case.with(false, |problem| {
            let problem = Problem { traffic, routing: problem.routing.filter(|_| routed), ..problem };
            let found = optimise(&problem, &call("two-opt"), &call(WORKLOAD), Budget::Swaps, &Progress::new());
            found.unwrap_err().0[0].code
        })
    };
    assert_eq!(refused(&case.traffic, false), "NL-O005");
    let many = Traffic::new("many", 16, vec![Flow { src: 0, dst: 1, messages: 1 << 32, bytes: 1 }]);
    assert_eq!(refused(&many, true), "NL-A009");
    assert_eq!(Bound::bind(OBJECTIVES.find("contentions").unwrap().params, &call(STEP)).unwrap().text("over"), "step");
}
