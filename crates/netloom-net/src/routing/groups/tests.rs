//! Group-minimal routing beside its definition, walked; and on the machine of seed 004.

use std::collections::BTreeMap;
use std::sync::Arc;

use netloom_model::{Call, Network, PathList, Routing, Stream};

use crate::routing::{build, check_routing};

fn net(call: &str) -> Arc<Network> {
    Arc::new(crate::build(&Call::parse(call).unwrap()).unwrap())
}

fn routing(network: &Arc<Network>, call: &str) -> Box<dyn Routing> {
    build(network, &Call::parse(call).unwrap()).unwrap()
}

fn listed(routing: &dyn Routing, source: u32, destination: u32) -> PathList {
    let mut list = PathList::new();
    routing.list(source, destination, &mut list).unwrap();
    list
}

/// All walks of `left` more links from `at` to `destination` with `globals` global links to go, that stay in the
/// groups of the two ends.
fn walks(
    network: &Network,
    at: u32,
    destination: u32,
    left: u32,
    globals: u32,
    trail: &mut Vec<u32>,
    out: &mut Vec<Vec<u32>>,
) {
    if left == 0 {
        if at == destination && globals == 0 {
            out.push(trail.clone());
        }
        return;
    }
    let groups = network.structure().groups.as_ref().unwrap();
    let group = |s: u32| groups[s as usize];
    for link in network.out_links(at) {
        let head = network.heads()[link as usize];
        let crosses = group(head) != group(at);
        if crosses && (globals == 0 || group(head) != group(destination)) {
            continue;
        }
        trail.push(link);
        walks(network, head, destination, left - 1, globals - u32::from(crosses), trail, out);
        trail.pop();
    }
}

/// The definition: of the paths with as many global links as the pair needs, those with fewest hops.
fn defined(network: &Network, source: u32, destination: u32) -> Vec<Vec<u32>> {
    let groups = network.structure().groups.as_ref().unwrap();
    let globals = u32::from(groups[source as usize] != groups[destination as usize]);
    (0..)
        .map(|hops| {
            let mut out = Vec::new();
            walks(network, source, destination, hops, globals, &mut Vec::new(), &mut out);
            out
        })
        .find(|paths| !paths.is_empty())
        .unwrap()
}

const MACHINES: &[&str] = &[
    "dragonfly(a=4,p=1,h=2,g=9)",
    "dragonfly(a=4,p=1,h=2,g=3)",
    "dragonfly(group=[2,3],h=2,g=5,arrangement=relative)",
    "dragonfly(group=[3,3],h=1,g=3,local_parallel=[1,2])",
    "dragonfly(group=[2,2,3],h=1,g=4,arrangement=\"round-robin\")",
    "dragonfly_plus(leaves=3,spines=2,p=1,h=2,g=4)",
    "dragonfly_plus(leaves=2,spines=3,p=1,h=1,g=3,local_parallel=2)",
    "dragonfly(a=1,h=3,g=4)",
    "dragonfly(a=5,h=1,g=1)",
];

#[test]
fn paths_are_those_of_the_definition() {
    for machine in MACHINES {
        let network = net(machine);
        let routing = routing(&network, "group-minimal");
        check_routing(&network, &*routing).unwrap();
        for s in 0..network.switches() {
            for d in 0..network.switches() {
                let list = listed(&*routing, s, d);
                let mut links: Vec<Vec<u32>> = list.iter().map(|p| p.0.to_vec()).collect();
                links.sort();
                let mut expected = defined(&network, s, d);
                expected.sort();
                assert_eq!(links, expected, "{machine}: {s} to {d}");
                assert!(list.shares.iter().all(|share| *share == 1.0 / links.len() as f64));
            }
        }
    }
}

/// Words spread evenly over all 64-bit numbers draw every path equally often.
#[test]
fn draws_are_uniform_over_the_listed_paths() {
    const EACH: u64 = 8;
    for machine in MACHINES {
        let network = net(machine);
        let routing = routing(&network, "group-minimal");
        for s in 0..network.switches() {
            for d in 0..network.switches() {
                let list = listed(&*routing, s, d);
                let mut counts: BTreeMap<Vec<u32>, u64> = list.iter().map(|p| (p.0.to_vec(), 0)).collect();
                assert_eq!(counts.len(), list.len(), "{machine}: a path is listed twice");
                let words = EACH * list.len() as u64;
                for i in 0..words {
                    let word = ((u128::from(2 * i + 1) << 63) / u128::from(words)) as u64;
                    let mut links = Vec::new();
                    routing.draw(s, d, word, &mut links).unwrap();
                    *counts.get_mut(&links).unwrap() += 1;
                }
                assert!(counts.values().all(|count| *count == EACH), "{machine}: {s} to {d}: {counts:?}");
            }
        }
    }
}

/// Seed 004, section 3.2.2: at most five hops, two L1, one L2, two L1; the way back is as long.
#[test]
fn the_prototype_of_seed_004_needs_five_hops() {
    let network = net("dragonfly(group=[6,16],p=4,h=10,g=960)");
    let routing = routing(&network, "dragonfly-minimal");
    assert_eq!(routing.virtual_channels(), 5);
    let mut stream = Stream::new(1, "pairs");
    let mut longest = 0;
    let mut drawn = Vec::new();
    for _ in 0..20_000 {
        let (s, d) = (stream.below(network.switches()), stream.below(network.switches()));
        let list = listed(&*routing, s, d);
        let hops = list.get(0).0.len();
        longest = longest.max(hops);
        assert_eq!(hops, listed(&*routing, d, s).get(0).0.len());
        for (links, _) in list.iter() {
            assert_eq!(links.len(), hops);
            let globals = links.iter().filter(|l| network.class(**l).name == "global").count();
            assert_eq!(globals, usize::from(s / 96 != d / 96));
        }
        drawn.clear();
        routing.draw(s, d, stream.next_u64(), &mut drawn).unwrap();
        assert!(list.iter().any(|p| p.0 == drawn));
    }
    assert_eq!(longest, 5);
}

#[test]
fn refusals() {
    let refused = |network: &str| {
        let faults = build(&net(network), &Call::bare("group-minimal")).err().unwrap();
        (faults.0[0].code, faults.to_string())
    };
    for (network, word) in
        [("torus(4,4)", "has none"), ("slim_fly(q=5)", "scattered"), ("xpander(degree=4,lift=4,seed=1)", "not")]
    {
        let (code, text) = refused(network);
        assert_eq!(code, "NL-R009", "{network}: {text}");
        assert!(text.contains(word), "{text}");
    }
    let network = net("dragonfly(group=[3,3],h=2,g=3)");
    let two = routing(&network, "group-minimal(limit=1)");
    assert_eq!(two.list(0, 4, &mut PathList::new()).unwrap_err().0[0].code, "NL-R004");
    assert_eq!(two.list(0, 27, &mut PathList::new()).unwrap_err().0[0].code, "NL-R006");
    assert_eq!(two.draw(27, 0, 0, &mut Vec::new()).unwrap_err().0[0].code, "NL-R006");
    assert!(routing(&net("dragonfly(a=4,h=2,g=9)"), "group-minimal").is_deterministic());
    assert!(!two.is_deterministic());
}
