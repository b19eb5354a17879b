//! Group-minimal routing compared with its definition, path by path; and on the machine of Jain 2016.

use std::collections::BTreeMap;
use std::sync::Arc;

use netloom_model::{Ask, Call, Network, PathList, Routing, Stream};

use super::shape::{GroupShape, Inside};
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

/// Many pairs at once get what each gets alone, also where there are more of them than are looked up together.
fn assert_draws_together(network: &Network, routing: &dyn Routing) {
    let (mut stream, switches) = (Stream::new(3, "asks"), network.switches());
    let in_service: Vec<u32> = (0..switches).filter(|s| network.in_service(*s)).collect();
    let mut any = || in_service[stream.below(in_service.len() as u32) as usize];
    let asks: Vec<Ask> =
        (0..500u64).map(|k| Ask { source: any(), destination: any(), word: netloom_model::stream::mix(k) }).collect();
    let mut many = PathList::new();
    routing.draw_many(&asks, &mut many).unwrap();
    assert_eq!(many.len(), asks.len());
    for (ask, (links, share)) in asks.iter().zip(many.iter()) {
        let mut one = Vec::new();
        routing.draw(ask.source, ask.destination, ask.word, &mut one).unwrap();
        assert_eq!((links, share), (one.as_slice(), 1.0), "{}: {ask:?}", network.label());
    }
}

#[test]
fn draws_of_many_pairs_are_those_of_each() {
    for machine in MACHINES {
        let network = net(machine);
        assert_draws_together(&network, &*routing(&network, "group-minimal"));
    }
}

/// Short paths are the same whether they are listed or searched.
#[test]
fn listed_ways_are_those_searched() {
    for machine in MACHINES {
        let network = net(machine);
        let groups = network.structure().groups.as_ref().unwrap();
        let members = groups.iter().filter(|group| **group == 0).count() as u32;
        let inside = Inside::of(&network, 0, members);
        let (listed, searched) = (GroupShape::new(&inside, usize::MAX).unwrap(), GroupShape::new(&inside, 0).unwrap());
        let short = listed.pairs().iter().filter(|pair| pair.hops <= 2).map(|pair| pair.paths as usize);
        assert_eq!((listed.ways(), searched.ways()), (short.sum(), 0), "{machine}");
        let rows: Vec<u32> = (0..members).map(|u| 1000 * u).collect();
        for (u, v) in (0..members).flat_map(|u| (0..members).map(move |v| (u, v))) {
            for k in 0..listed.pair(u, v).paths {
                let (mut a, mut b) = (Vec::new(), Vec::new());
                listed.path(&rows, u, v, k, &mut a);
                searched.path(&rows, u, v, k, &mut b);
                assert_eq!(a, b, "{machine}: path {k} from {u} to {v}");
            }
        }
    }
}

/// Jain 2016, section 3.2.2: at most five hops, two L1, one L2, two L1; the reverse path is as long.
#[test]
fn the_prototype_of_jain_2016_needs_five_hops() {
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

/// Listed paths lead from source to destination, are drawn and are no others; `check` sees each.
fn assert_leads(network: &Network, routing: &dyn Routing, source: u32, destination: u32) -> PathList {
    let list = listed(routing, source, destination);
    for (links, _) in list.iter() {
        let mut at = source;
        for &link in links {
            assert_eq!(network.tails()[link as usize], at);
            at = network.heads()[link as usize];
        }
        assert_eq!(at, destination);
    }
    for i in 0..16u64 {
        let mut links = Vec::new();
        routing.draw(source, destination, i.wrapping_mul(0x9e37_79b9_7f4a_7c15), &mut links).unwrap();
        assert!(list.iter().any(|path| path.0 == links), "{source} to {destination}");
    }
    list
}

#[test]
fn a_failed_cable_is_gone_round_by_two_global_links() {
    let whole = net("dragonfly(group=[2,3],p=1,h=1,g=7)");
    let between = |net: &Network, a: u32, b: u32| {
        (0..net.switch_links()).find(|l| net.tails()[*l as usize] / 6 == a && net.heads()[*l as usize] / 6 == b)
    };
    let cable = between(&whole, 0, 1).unwrap();
    let damaged = Arc::new(whole.without(&[cable], &[]).unwrap());
    assert_eq!((between(&damaged, 0, 1), between(&damaged, 1, 0)), (None, None));
    let before = routing(&whole, "group-minimal");
    let after = routing(&damaged, "group-minimal");
    check_routing(&damaged, &*after).unwrap();
    let ends = |net: &Network, list: &PathList| -> Vec<Vec<(u32, u32)>> {
        let end = |l: &u32| (net.tails()[*l as usize], net.heads()[*l as usize]);
        list.iter().map(|p| p.0.iter().map(end).collect()).collect()
    };
    for s in 0..whole.switches() {
        for d in 0..whole.switches() {
            let list = assert_leads(&damaged, &*after, s, d);
            let (a, b) = (s / 6, d / 6);
            if a.min(b) != 0 || a.max(b) != 1 {
                // The other pairs go as before.
                assert_eq!(ends(&damaged, &list), ends(&whole, &listed(&*before, s, d)));
                continue;
            }
            let globals = |p: &[u32]| p.iter().filter(|l| damaged.class(**l).name == "global").count();
            assert!(list.iter().all(|p| globals(p.0) == 2));
            // Of all walks over two global links none is shorter, and as many are as short.
            let hops = list.get(0).0.len();
            let brute = two_globals(&damaged, s, d, hops as u32);
            assert_eq!(brute, (0, list.len() as u64), "{s} to {d}");
        }
    }
}

/// Walks over two global links through a third group: how many are shorter than `hops`, how many as long.
fn two_globals(network: &Network, source: u32, destination: u32, hops: u32) -> (u64, u64) {
    // State: switch and global links made; walks counted by length.
    let n = network.switches() as usize;
    let groups = network.structure().groups.as_ref().unwrap();
    let mut ways = vec![0u64; 3 * n];
    ways[source as usize] = 1;
    let mut counts = (0, 0);
    for length in 1..=hops {
        let mut next = vec![0u64; 3 * n];
        for made in 0..3usize {
            for at in 0..n as u32 {
                for &head in network.neighbours(at) {
                    let crosses = groups[at as usize] != groups[head as usize];
                    let to_end = groups[head as usize] == groups[destination as usize];
                    // The second global link enters the destination's group, the first one does not.
                    let allowed = !crosses || (made == 0 && !to_end) || (made == 1 && to_end);
                    if allowed {
                        let to = (made + usize::from(crosses)) * n + head as usize;
                        next[to] += ways[made * n + at as usize];
                    }
                }
            }
        }
        ways = next;
        let arrived = ways[2 * n + destination as usize];
        if length < hops { counts.0 += arrived } else { counts.1 = arrived }
    }
    counts
}

#[test]
fn failures_of_all_kinds_are_gone_round() {
    // Few groups and few cables: some pairs have neither one global link nor two, and some groups fall apart inside.
    for (machine, failures) in [
        ("dragonfly(a=4,p=1,h=1,g=5)", "links:25%,seed=2"),
        ("dragonfly(group=[2,3],p=1,h=1,g=3)", "links:30%,seed=5\nswitch:4"),
        ("dragonfly(group=[2,3],p=1,h=2,g=4)", "switches:4,seed=1"),
        ("dragonfly(a=3,p=1,h=1,g=2,global_parallel=3)", "link:0-1\nlink:0-2"),
        ("dragonfly(a=3,p=1,h=1,g=4)", "links:3,class=global,seed=2"),
        ("dragonfly_plus(leaves=3,spines=3,p=1,h=2,g=4)", "switch:4\nlinks:3,seed=7"),
    ] {
        let whole = net(machine);
        let damaged = Arc::new(crate::failures::without(&whole, failures, "").unwrap());
        damaged.require_joined().unwrap_or_else(|faults| panic!("{machine} {failures}: {faults}"));
        let used = |s: &u32| damaged.in_service(*s) && !damaged.endpoints_of(*s).is_empty();
        for call in ["group-minimal", "minimal", "single-minimal", "valiant(samples=3)", "up-down"] {
            let routing = routing(&damaged, call);
            check_routing(&damaged, &*routing).unwrap();
            assert_draws_together(&damaged, &*routing);
            for s in (0..damaged.switches()).filter(used) {
                (0..damaged.switches()).filter(used).for_each(|d| _ = assert_leads(&damaged, &*routing, s, d));
            }
            if let Some(dead) = (0..damaged.switches()).find(|s| !damaged.in_service(*s)) {
                let faults = routing.draw(dead, 0, 0, &mut Vec::new()).unwrap_err();
                assert_eq!(faults.0[0].code, "NL-N003");
            }
        }
    }
}

/// Groups in a row: from the first to the last there is no way over two global links, and the search finds three.
#[test]
fn beyond_two_global_links_the_network_is_searched() {
    let whole = net("dragonfly(a=3,p=1,h=1,g=4)");
    let joins = |l: &u32| (whole.tails()[*l as usize] / 3, whole.heads()[*l as usize] / 3);
    let gone: Vec<u32> = (0..whole.switch_links()).filter(|l| [(0, 1), (0, 3), (1, 2)].contains(&joins(l))).collect();
    let damaged = Arc::new(whole.without(&gone, &[]).unwrap());
    let routing = routing(&damaged, "group-minimal");
    assert!(routing.virtual_channels() > 3);
    check_routing(&damaged, &*routing).unwrap();
    for s in 0..3 {
        for d in 3..6 {
            let list = assert_leads(&damaged, &*routing, s, d);
            let shortest = crate::routing::distances::search(&damaged, d)[s as usize];
            for (links, _) in list.iter() {
                assert_eq!(links.len() as u32, shortest);
                assert_eq!(links.iter().filter(|l| damaged.class(**l).name == "global").count(), 3);
            }
        }
    }
}

#[test]
fn who_is_cut_off_is_said_at_once() {
    let whole = net("dragonfly(a=3,p=1,h=1,g=4)");
    let global =
        (0..whole.switch_links()).find(|l| whole.tails()[*l as usize] == 1 && whole.class(*l).name == "global");
    let far = whole.heads()[global.unwrap() as usize];
    let failures = format!("link:0-1\nlink:1-2\nswitch:{far}");
    let apart = Arc::new(crate::failures::without(&whole, &failures, "").unwrap());
    let faults = build(&apart, &Call::bare("group-minimal")).err().unwrap();
    let text = faults.to_string();
    // One switch against the ten others in service.
    for word in ["10 pairs", "link:0-1", "link:1-2", &format!("switch:{far}"), "switch 1 is cut off"] {
        assert!(text.contains(word), "{word}: {text}");
    }
}
