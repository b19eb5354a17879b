//! The contract of `keep`: an objective falls while another one does not rise.

use netloom_model::{Bound, Outcome};

use crate::contract::{Case, call, random_traffic, shuffled};
use crate::fixtures::{allreduce, alltoall, ring_with_matchings, torus};
use crate::objective::{OBJECTIVES, SharedPaths, on_start};
use crate::places::Places;
use crate::prepared::Prepared;
use crate::{Solution, needs_routing, takes_split};

const KEPT: [&str; 4] = ["hop-bytes", "inter-node", "max-link-load", "step-load"];
const GOALS: [&str; 5] = ["hops", "hop-bytes", "inter-node", "max-link-load", "step-load"];
const METHODS: [&str; 10] = [
    "two-opt(swaps=400)",
    "two-opt(swaps=400,accept=ties)",
    "two-opt(swaps=200,move=reversal)",
    "two-opt(swaps=200,pairs=3)",
    "anneal(swaps=400)",
    "guided(swaps=400,t_start=0,t_end=0)",
    "gather",
    "bisection",
    "bisection(nodes=true)",
    "bisection(machine=links,parts=4,after=match)",
];

fn case() -> Case {
    Case::new(torus(&[4, 4], 1), shuffled(16, 14, 3), random_traffic(14, 60, 5), None)
}

/// Energy of an objective with a mapping, in its units at the start.
fn energy(case: &Case, objective: &str, at: &[u32]) -> f64 {
    let weighed = |problem: crate::Problem<'_>| -> Outcome<f64> {
        let row = OBJECTIVES.find(objective)?;
        let args = Bound::bind(row.params, &call(objective))?;
        let prepared = Prepared::new(&problem, (row.weigh)(&args))?;
        let objective = on_start(row, &prepared, &args, &SharedPaths::default())?;
        Ok(objective.energy(&Places::new(at, &prepared.site_of_slot)))
    };
    case.with(true, weighed).unwrap()
}

fn found(case: &Case, method: &str, objective: &str) -> Solution {
    case.run(true, method, objective).unwrap()
}

#[test]
fn what_is_kept_never_ends_above_its_share() {
    let case = case();
    let start = case.start.endpoints().to_vec();
    for goal in GOALS {
        for kept in KEPT.iter().filter(|kept| **kept != goal) {
            let limit = energy(&case, kept, &start);
            for method in METHODS {
                for slack in [0.0, 0.1] {
                    let objective = format!("{goal}(keep={kept},slack={slack})");
                    let solution = found(&case, method, &objective);
                    let after = energy(&case, kept, solution.mapping.endpoints());
                    assert!(after <= limit * (1.0 + slack + 1e-9), "{method} {objective}: {after} {limit}");
                    assert!(solution.value <= solution.start_value, "{method} {objective}");
                }
            }
        }
    }
}

#[test]
fn a_wide_share_changes_nothing() {
    let case = case();
    for goal in GOALS {
        for kept in KEPT.iter().filter(|kept| **kept != goal) {
            for method in METHODS {
                let (alone, wide) =
                    (found(&case, method, goal), found(&case, method, &format!("{goal}(keep={kept},slack=1e9)")));
                assert_eq!((alone.mapping, alone.value), (wide.mapping, wide.value), "{method} {goal} {kept}");
            }
        }
    }
}

#[test]
fn loads_fall_with_hardly_more_hops() {
    let case = Case::of_schedule(ring_with_matchings(64, 1, 2, 1), shuffled(64, 64, 1), alltoall(64));
    let near = found(&case, "guided(swaps=20000)", "hop-bytes").mapping.endpoints().to_vec();
    let case = Case::of_schedule(case.network, near.clone(), alltoall(64));
    let hop_bytes = |objective: &str| {
        let solution = found(&case, "two-opt(swaps=3000)", objective);
        assert!(solution.value < solution.start_value, "{objective}");
        energy(&case, "hop-bytes", solution.mapping.endpoints())
    };
    let start = energy(&case, "hop-bytes", &near);
    let (some, free) = (hop_bytes("step-load(keep=hop-bytes,slack=0.02)"), hop_bytes("step-load"));
    assert!(free > 1.02 * start && some <= 1.02 * start, "{start} {some} {free}");
}

#[test]
fn of_mappings_with_the_same_worst_link_that_with_lower_loads_is_found() {
    let case = case();
    let near = found(&case, "guided(swaps=5000)", "hop-bytes").mapping.endpoints().to_vec();
    let case = Case::new(case.network, near.clone(), case.traffic, None);
    let solution = found(&case, "two-opt(swaps=2000)", "step-load");
    // The bytes of one rank take as long in all of them.
    assert_eq!(solution.value, solution.start_value);
    let loads = |at: &[u32]| energy(&case, "step-load", at);
    assert!(loads(solution.mapping.endpoints()) < loads(&near));
}

#[test]
fn what_is_kept_asks_for_its_paths() {
    assert!(needs_routing(&call("hop-bytes(keep=step-load)")) && takes_split(&call("hop-bytes(keep=step-load)")));
    assert!(!needs_routing(&call("hop-bytes(keep=inter-node)")) && needs_routing(&call("step-load(keep=hop-bytes)")));
    let steps = Case::of_schedule(torus(&[4, 2], 1), shuffled(8, 8, 1), allreduce(8));
    let solution = found(&steps, "two-opt(swaps=300)", "hop-bytes(keep=step-load)");
    assert!(solution.value < solution.start_value);
}
