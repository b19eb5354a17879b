//! Objectives follow swaps by increments; their values must equal a new count by the evaluators.

#![allow(clippy::unwrap_used)]

use netloom_loads::{contentions, hops, link_bytes};
use netloom_model::{Call, Mapping, Progress, Seats, Traffic, Workload};
use netloom_optimize::{Budget, Problem, optimise};

fn call(text: &str) -> Call {
    Call::parse(text).unwrap()
}

#[test]
fn objectives_equal_the_evaluations() {
    for (network, placement) in [
        ("random_shortcut(64,degree=5,seed=3)", "tree(seed=1)"),
        ("dragonfly(a=4,p=2,h=2,g=9)", "random(seed=2)"),
        ("fat_tree(radix=8,levels=3)", "linear"),
        ("torus(4,4,4,p=2)", "random(seed=5)"),
    ] {
        let network = std::sync::Arc::new(netloom_net::registry::build(&call(network)).unwrap());
        let distance = netloom_net::metrics::hop_matrix(&network, &Progress::new()).unwrap();
        let routing = netloom_net::routing::build(&network, &call("single-minimal")).unwrap();
        let placed = netloom_mapping::registry::place(&network, 32, &call(placement)).unwrap();
        let start = Mapping::new(placed, &network).unwrap();
        for collective in ["broadcast:binomial", "allreduce:ring", "alltoall:bruck"] {
            let schedule = netloom_workload::registry::build(&call(collective), 32, 0, 999).unwrap();
            let traffic = Traffic::of_schedule(&schedule).unwrap();
            for objective in ["hops", "hop-bytes", "contentions", "contentions(over=workload)", "max-link-load"] {
                for method in ["auto(swaps=20000)", "two-opt(swaps=2000,move=reversal,accept=ties)"] {
                    let problem = Problem {
                        slots: 1,
                        node: None,
                        network: &network,
                        distance: &distance,
                        start: &start,
                        traffic: &traffic,
                        schedule: Some(&schedule),
                        routing: Some(routing.as_ref()),
                        one_path: None,
                        clock: None,
                        free: method.starts_with("auto"),
                    };
                    let progress = Progress::new();
                    let found = optimise(&problem, &call(method), &call(objective), Budget::Swaps, &progress).unwrap();
                    let counted = |mapping: &Mapping| -> u128 {
                        let at = mapping.switches(&network);
                        let seats = Seats::from(mapping.clone());
                        let load = Workload::from(schedule.clone());
                        let far = hops(&distance, network.switch_links(), &at, None, &load, &progress).unwrap();
                        match objective {
                            "hops" => u128::from(far.total_hops),
                            "hop-bytes" => far.hop_bytes,
                            "contentions" => {
                                let found =
                                    contentions(&network, routing.as_ref(), (&seats, None), &schedule, &progress);
                                u128::from(found.unwrap().total)
                            }
                            // The hops of all messages less the links in use.
                            "contentions(over=workload)" => {
                                let loads = link_bytes(&network, routing.as_ref(), &seats, &load, &progress);
                                u128::from(far.total_hops) - u128::from(loads.unwrap().used)
                            }
                            _ => {
                                let loads = link_bytes(&network, routing.as_ref(), &seats, &load, &progress);
                                loads.unwrap().maximum as u128
                            }
                        }
                    };
                    let place = format!("{} {collective} {objective} {method}", network.label());
                    assert_eq!(u128::from(found.start_value), counted(&start), "{place}: start");
                    assert_eq!(u128::from(found.value), counted(&found.mapping), "{place}: result");
                    assert!(found.bound <= found.value, "{place}");
                }
            }
        }
    }
}
