//! Every routing against a slow enumeration of its hop-by-hop answers, which shares no code with the engine.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use netloom_model::{Call, Network, Progress, Routing, Split, Way};
use proptest::prelude::*;

use super::tests::{routing, verdict};
use super::*;
use crate::metrics::tests::{multigraph, network};
use netloom_model::deadlock::{Channel, Deadlock, deadlock, destinations, ends, witness_holds};

type Route = Vec<Channel>;

/// All routes from a place to the end, each with its share of the arriving traffic when all next hops get equal shares.
fn routes(way: &dyn Way, place: u64) -> Vec<(Route, f64)> {
    let mut steps = Vec::new();
    way.steps(place, &mut steps);
    if steps.is_empty() {
        assert_eq!(way.remaining(place), 0);
        return vec![(Vec::new(), 1.0)];
    }
    let mut all = Vec::new();
    for step in &steps {
        assert!(way.remaining(step.place) < way.remaining(place));
        for (rest, share) in routes(way, step.place) {
            let mut route = vec![(step.link, step.channel)];
            route.extend(rest);
            all.push((route, share / steps.len() as f64));
        }
    }
    all
}

fn enumerated(routing: &dyn Routing, source: u32, destination: u32) -> BTreeMap<Route, f64> {
    let (way, mut starts, mut shares) = (routing.towards(destination), Vec::new(), BTreeMap::new());
    way.starts(source, &mut starts);
    for &start in &starts {
        let all = routes(&*way, start);
        let even = 1.0 / all.len() as f64;
        for (route, share) in all {
            let share = if routing.split() == Split::Hops { share } else { even };
            *shares.entry(route).or_default() += share / starts.len() as f64;
        }
    }
    shares
}

/// Removes channels that nothing waits for until none is left: an order, or a cycle.
fn has_cycle(edges: &BTreeSet<(Channel, Channel)>) -> bool {
    let mut left = edges.clone();
    loop {
        let waiting: BTreeSet<Channel> = left.iter().map(|edge| edge.0).collect();
        let before = left.len();
        left.retain(|edge| waiting.contains(&edge.1));
        if left.len() == before {
            return before > 0;
        }
    }
}

fn assert_same(network: &Arc<Network>, call: &str) {
    let Ok(routing) = build(network, &Call::parse(call).unwrap()) else { return };
    let (ends, mut edges, mut told) = (ends(network), BTreeSet::new(), BTreeSet::new());
    for &destination in &destinations(network, &*routing) {
        for &source in ends.iter().filter(|source| **source != routing.switch_of(destination)) {
            let slow = enumerated(&*routing, source, destination);
            let (mut paths, mut fast) = (Vec::new(), BTreeMap::<Route, f64>::new());
            routing.paths(source, destination, &mut paths).unwrap();
            for path in paths {
                *fast.entry(path.links.into_iter().zip(path.channels).collect()).or_default() += path.fraction;
            }
            assert!(slow.keys().eq(fast.keys()), "{call} {source} to {destination}: {slow:?} {fast:?}");
            assert!(slow.values().zip(fast.values()).all(|(a, b)| (a - b).abs() < 1e-12));
            edges.extend(slow.keys().flat_map(|route| route.windows(2).map(|w| (w[0], w[1]))));
        }
        routing.dependencies(&ends, destination, &mut |held, asked| _ = told.insert((held, asked))).unwrap();
    }
    assert_eq!(edges, told, "{call} on {}", network.label());
    match deadlock(network, &*routing, &Progress::new()).unwrap() {
        Deadlock::Free { dependencies, .. } => {
            assert!(!has_cycle(&edges), "{call} on {}", network.label());
            assert_eq!(dependencies, edges.len() as u64);
        }
        Deadlock::Cycle(cycle) => {
            for (i, held) in cycle.iter().enumerate() {
                assert!(edges.contains(&(*held, cycle[(i + 1) % cycle.len()])), "{call}: {cycle:?}");
            }
        }
    }
}

const CALLS: &[&str] = &[
    "minimal",
    "minimal(vc=one,split=hops)",
    "single-minimal(tie=seeded)",
    "single-minimal(tie=floyd)",
    "single-minimal(tie=balanced)",
    "up-down",
    "dimension-ordered(tie=split)",
    "dimension-ordered(tie=simgrid)",
    "d-mod-k",
    "d-mod-k(by=switch)",
    "group-minimal",
    "valiant(samples=1,vc=phases)",
    "valiant(samples=3,vc=phases)",
    "valiant(samples=2)",
    "valiant(mixture=uniform,vc=phases)",
];

#[test]
fn named_networks() {
    for topology in ["ring(4)", "ring(5)", "torus(3,4)", "k_ary_n_tree(k=2,n=3)", "dragonfly(a=3,p=1,h=1,g=4)"] {
        let network = Arc::new(crate::build(&Call::parse(topology).unwrap()).unwrap());
        CALLS.iter().for_each(|call| assert_same(&network, call));
        (1..9).for_each(|seed| assert_same(&network, &format!("valiant(samples=1,vc=phases,seed={seed})")));
    }
}

#[test]
fn leaves_of_a_tree_have_48_dependencies() {
    let tree = Arc::new(crate::build(&Call::parse("k_ary_n_tree(k=2,n=3)").unwrap()).unwrap());
    let routing = build(&tree, &Call::bare("minimal")).unwrap();
    let found = deadlock(&tree, &*routing, &Progress::new()).unwrap();
    assert!(matches!(found, Deadlock::Free { dependencies: 48, .. }), "{found:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn random_networks((n, cables) in multigraph().prop_filter("small", |m| m.0 < 12 && m.1.len() < 20)) {
        let network = Arc::new(network(n, &cables, |s| s % 2));
        CALLS.iter().for_each(|call| assert_same(&network, call));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_multigraph((n, cables) in multigraph().prop_filter("pairs", |m| m.0 < 60), seed in 0u64..9) {
        let network = Arc::new(network(n, &cables, |s| s % 2));
        for call in ["single-minimal(vc=one)", "single-minimal(tie=seeded)", "up-down(choice=single)",
            "up-down(choice=balanced)", "up-down(limit=1000000)", "valiant(samples=3,vc=phases)"] {
            let routing = routing(&network, &call.replace("seeded", &format!("seeded,seed={seed}")));
            check_routing(&network, &*routing).unwrap();
            match verdict(&network, &*routing) {
                Deadlock::Free { order, .. } => {
                    prop_assert!(witness_holds(&network, &*routing, &order, &Progress::new()).unwrap());
                }
                Deadlock::Cycle(_) => prop_assert!(call.contains("one") || call.contains("phases")),
            }
        }
    }
}
