//! The contract of the objective `time`, in addition to that of all objectives.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use netloom_model::{Clock, Fault, Outcome, Progress, Routing, Way};

use crate::codes;
use crate::contract::{Case, call, random_traffic, shuffled};
use crate::fixtures::{allreduce, alltoall, broadcast, ring_with_matchings, torus};
use crate::objective::{Clocked, OBJECTIVES};
use crate::{Budget, Problem, Solution, needs_clock, optimise};

/// Wraps a clock and records how it is called.
struct Spy<'a> {
    clock: &'a dyn Clock,
    /// Always gives the full time: limits are not passed on.
    deaf: bool,
    /// Fails from this call on.
    fails: usize,
    limits: Mutex<Vec<f64>>,
}

impl Clock for Spy<'_> {
    fn time_s(&self, endpoint_of_rank: &[u32], limit_s: f64) -> Outcome<Option<f64>> {
        let mut limits = self.limits.lock().unwrap();
        limits.push(limit_s);
        if limits.len() > self.fails {
            return Err(Fault::say(&codes::NO_PATH, "clock", "broken").into());
        }
        self.clock.time_s(endpoint_of_rank, if self.deaf { f64::INFINITY } else { limit_s })
    }
}

/// The result, and the limits of all simulations.
fn spied(case: &Case, method: &str, objective: &str, deaf: bool, fails: usize) -> (Outcome<Solution>, Vec<f64>) {
    case.with(true, |problem| {
        let spy = Spy { clock: problem.clock.unwrap(), deaf, fails, limits: Mutex::default() };
        let problem = Problem { clock: Some(&spy), ..problem };
        let found = optimise(&problem, &call(method), &call(objective), Budget::Swaps, &Progress::new());
        (found, spy.limits.into_inner().unwrap())
    })
}

fn case() -> Case {
    let mut schedule = allreduce(16);
    schedule.size_bytes = 100_000;
    schedule.blocks = netloom_model::Blocks::Each { bytes: 100_000, count: 1 };
    Case::of_schedule(ring_with_matchings(16, 1, 2, 1), shuffled(32, 16, 1), schedule)
}

#[test]
fn breaking_off_changes_no_decision() {
    let case = case();
    for method in [
        "two-opt(swaps=300)",
        "two-opt(swaps=300,accept=ties,seed=2)",
        "two-opt(swaps=200,move=reversal)",
        "two-opt(swaps=200,move=reversal,accept=ties)",
        "anneal(swaps=300)",
        "guided(swaps=200,restarts=3)",
    ] {
        for objective in ["time", "time(filter=hops,margin=2)"] {
            let (early, limits) = spied(&case, method, objective, false, usize::MAX);
            let (late, _) = spied(&case, method, objective, true, usize::MAX);
            let early = early.unwrap();
            assert_eq!(early, late.unwrap(), "{method} {objective}");
            assert!(limits.iter().any(|l| l.is_finite()), "{method}");
            assert!(early.value < early.start_value, "{method} {objective}");
        }
    }
}

#[test]
fn one_move_is_at_most_one_simulation() {
    for method in ["two-opt(swaps=200)", "two-opt(swaps=200,move=reversal)", "anneal(swaps=200)"] {
        let (found, limits) = spied(&case(), method, "time", false, usize::MAX);
        // The start is one more.
        assert!(limits.len() as u64 <= 1 + found.unwrap().evaluations, "{method}: {} simulations", limits.len());
    }
}

#[test]
fn a_filter_saves_simulations_and_a_wide_one_changes_nothing() {
    let case = case();
    for filter in ["hops", "hop-bytes"] {
        for method in ["two-opt(swaps=300)", "two-opt(swaps=300,move=reversal)"] {
            let run = |objective: &str| spied(&case, method, objective, false, usize::MAX);
            let (all, every) = run("time");
            let (wide, as_many) = run(&format!("time(filter={filter},margin=1e9)"));
            assert_eq!((all.unwrap(), &every), (wide.unwrap(), &as_many), "{filter}");
            let (narrow, few) = run(&format!("time(filter={filter},margin=0)"));
            let narrow = narrow.unwrap();
            assert!(few.len() < every.len(), "{filter}: {} of {} simulations", few.len(), every.len());
            assert!(narrow.value <= narrow.start_value && narrow.evaluations == 300);
            let again = Case::of_schedule(case.network.clone(), narrow.mapping.endpoints().to_vec(), {
                case.schedule.clone().unwrap()
            });
            assert_eq!(again.run(true, "two-opt(swaps=0)", "time").unwrap().value, narrow.value);
        }
    }
}

#[test]
fn its_budget_is_its_own_and_is_written_down() {
    let case = Case::of_schedule(torus(&[4], 1), vec![2, 0], broadcast(2));
    let found = case.run(false, "two-opt", "time").unwrap();
    assert_eq!(found.evaluations, 1000);
    assert!(found.method.contains("swaps=1000"), "{}", found.method);
    assert!(case.run(false, "two-opt", "hops").unwrap().method.contains("swaps=200000"));
}

#[test]
fn what_goes_wrong_is_said() {
    let case = case();
    let code = |found: Outcome<Solution>| found.unwrap_err().0[0].code;
    for method in ["two-opt(swaps=99)", "two-opt(swaps=99,move=reversal)", "guided(swaps=99)", "auto(swaps=99)"] {
        for fails in [0, 1, 30] {
            let (found, limits) = spied(&case, method, "time", false, fails);
            assert_eq!(code(found), "NL-O003", "{method}");
            assert_eq!(limits.len(), fails + 1, "{method}: the search goes on");
        }
    }
    let without = case.with(false, |p| {
        let problem = Problem { clock: None, ..p };
        optimise(&problem, &call("auto(swaps=9)"), &call("time"), Budget::Swaps, &Progress::new())
    });
    assert_eq!(code(without), "NL-O008");
    assert!(needs_clock(&call("time(margin=2)")) && !needs_clock(&call("hops")) && !needs_clock(&call("tiem")));
}

#[test]
fn cheap_objectives_propose_and_time_decides() {
    let case = case();
    let best = |method: &str, objective: &str| case.run(false, method, objective).unwrap();
    let timed =
        |found: &Solution| case.moved(found.mapping.clone()).run(false, "two-opt(swaps=0)", "time").unwrap().value;
    for goal in ["auto", "time"] {
        let found = best("auto", goal);
        assert_eq!((found.value, found.decided_by), (timed(&found), "time"), "{goal}");
        for proxy in ["hop-bytes", "max-link-load"] {
            assert!(found.value <= timed(&best("auto", proxy)), "{goal} {proxy}");
        }
        assert_eq!(found, best("auto", goal), "{goal}: the same work gives the same");
        assert!(found.trace.windows(2).all(|w| w[0].evaluations < w[1].evaluations && w[0].value >= w[1].value));
    }
    // With any method that proposes.
    assert!(best("two-opt(swaps=500)", "auto").value < best("two-opt(swaps=0)", "auto").value);
}

#[test]
fn without_a_clock_links_decide_and_without_paths_hops() {
    let case = case();
    let without = |routing: bool| {
        case.with(false, |p| {
            let problem = Problem { clock: None, routing: p.routing.filter(|_| routing), ..p };
            optimise(&problem, &call("auto(swaps=5000)"), &call("auto"), Budget::Swaps, &Progress::new()).unwrap()
        })
    };
    let (paths, none) = (without(true), without(false));
    assert_eq!((paths.decided_by, none.decided_by), ("max-link-load", "hop-bytes"));
    assert_eq!(paths, case.run(false, "auto(swaps=5000)", "max-link-load").unwrap());
    assert_eq!(none.value, case.run(false, "auto(swaps=5000)", "hop-bytes").unwrap().value);
}

#[test]
fn a_budget_of_time_is_kept_and_its_end_loses_nothing() {
    let case = case();
    let progress = Progress::new();
    let found = case.with(false, |p| {
        let spy = Spy { clock: p.clock.unwrap(), deaf: false, fails: usize::MAX, limits: Mutex::default() };
        let stopping = Stopping { clock: &spy, after: 400, progress: &progress };
        let problem = Problem { clock: Some(&stopping), ..p };
        optimise(&problem, &call("auto"), &call("time"), Budget::UntilStopped, &progress).unwrap()
    });
    assert!(found.value < found.start_value);
    assert_eq!(case.moved(found.mapping).run(false, "two-opt(swaps=0)", "time").unwrap().value, found.value);
}

/// A handful of machines: few and many ranks on a node, with steps and without.
fn machines() -> Vec<Case> {
    let heavy = |mut schedule: netloom_model::Schedule| {
        schedule.blocks = netloom_model::Blocks::Each { bytes: 100_000, count: 1 };
        schedule
    };
    let nodes = |each: u32| torus(&[3, 3], 1).with_slots(each).unwrap();
    vec![
        case(),
        Case::of_schedule(ring_with_matchings(16, 2, 1, 3), shuffled(16, 16, 3), heavy(alltoall(16))),
        Case::of_schedule(nodes(4), shuffled(36, 32, 4), heavy(broadcast(32))).on_nodes(4),
        Case::of_schedule(nodes(2), (0..16).collect(), heavy(allreduce(16))).on_nodes(2),
        Case::new(torus(&[4, 4], 1), shuffled(16, 16, 5), random_traffic(16, 60, 5), None),
    ]
}

#[test]
fn time_is_behind_no_other_objective() {
    for (i, case) in machines().iter().enumerate() {
        let timed = |mapping| case.moved(mapping).run(false, "two-opt(swaps=0)", "time").unwrap().value;
        for row in OBJECTIVES.rows.iter().filter(|row| row.needs.clock == Clocked::Never) {
            // `time` gives the others 64 moves for each of its own.
            for (goal, own, moves) in [("auto", 2000, 2000), ("time", 100, 6400)] {
                let reached = case.run(false, &format!("auto(swaps={own})"), goal).unwrap().value;
                let Ok(found) = case.run(false, &format!("auto(swaps={moves})"), row.name) else { continue };
                let other = timed(found.mapping);
                assert!(reached <= other, "case {i}, {goal} {reached}, {} {other}", row.name);
            }
        }
    }
}

#[test]
fn the_reported_best_is_the_best_that_was_simulated() {
    for case in machines() {
        for (goal, method) in
            [("time", "auto(swaps=100,seed=1)"), ("auto", "auto(swaps=900)"), ("auto", "anneal(swaps=99)")]
        {
            case.with(false, |problem| {
                let clock = problem.clock.unwrap();
                let witness = Witness { clock, least: Mutex::new(f64::INFINITY) };
                let watched = Problem { clock: Some(&witness), ..problem };
                let found = optimise(&watched, &call(method), &call(goal), Budget::Swaps, &Progress::new()).unwrap();
                let least = witness.least.into_inner().unwrap();
                assert_eq!(found.value, (least * 1e12).round() as u64, "{goal} {method}");
                let again = clock.time_s(found.mapping.endpoints(), f64::INFINITY).unwrap().unwrap();
                assert_eq!(found.value, (again * 1e12).round() as u64, "{goal} {method}");
            });
        }
    }
}

#[test]
fn threads_do_not_change_what_is_found() {
    let case = case();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| case.run(false, "auto(swaps=3000,seed=4)", "auto").unwrap())
    };
    assert_eq!(with(1), with(5));
}

/// Counts how often the routes to a destination are asked for.
struct Counted<'a> {
    routing: &'a dyn Routing,
    asked: AtomicU64,
}

impl Routing for Counted<'_> {
    fn label(&self) -> &str {
        self.routing.label()
    }
    fn towards(&self, destination: u32) -> Box<dyn Way + '_> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.routing.towards(destination)
    }
    fn virtual_channels(&self) -> u8 {
        self.routing.virtual_channels()
    }
    fn is_deterministic(&self) -> bool {
        true
    }
}

#[test]
fn searches_side_by_side_list_the_paths_once() {
    let case = case();
    let asked = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        case.with(false, |problem| {
            let counted = Counted { routing: problem.routing.unwrap(), asked: AtomicU64::new(0) };
            let problem = Problem { routing: Some(&counted), ..problem };
            let method = call("auto(swaps=1)");
            pool.install(|| optimise(&problem, &method, &call("time"), Budget::Swaps, &Progress::new())).unwrap();
            counted.asked.into_inner()
        })
    };
    let alone = asked(1);
    assert!(alone > 0);
    (0..4).for_each(|_| assert_eq!(asked(4), alone));
}

/// Remembers the least time that a clock gave.
struct Witness<'a> {
    clock: &'a dyn Clock,
    least: Mutex<f64>,
}

impl Clock for Witness<'_> {
    fn time_s(&self, endpoint_of_rank: &[u32], limit_s: f64) -> Outcome<Option<f64>> {
        let found = self.clock.time_s(endpoint_of_rank, limit_s)?;
        let mut least = self.least.lock().unwrap();
        *least = least.min(found.unwrap_or(f64::INFINITY));
        Ok(found)
    }
}

/// Asks for the end after a number of simulations.
struct Stopping<'a> {
    clock: &'a Spy<'a>,
    after: usize,
    progress: &'a Progress,
}

impl Clock for Stopping<'_> {
    fn time_s(&self, endpoint_of_rank: &[u32], limit_s: f64) -> Outcome<Option<f64>> {
        if self.progress.stopped() {
            return Ok(None);
        }
        let found = self.clock.time_s(endpoint_of_rank, limit_s);
        if self.clock.limits.lock().unwrap().len() >= self.after {
            self.progress.request_stop();
        }
        found
    }
}
