//! Simple graphs of the requested degree, the same for the same seed, with published properties.

use netloom_model::{Call, Network};
use proptest::prelude::*;

use crate::registry::build;

fn net(text: &str) -> Network {
    build(&Call::parse(text).unwrap()).unwrap_or_else(|f| panic!("{text}: {f}"))
}

fn assert_simple(net: &Network) {
    for s in 0..net.switches() {
        assert!(net.neighbours(s).windows(2).all(|w| w[0] < w[1]), "{}: switch {s} repeats", net.label());
        assert!(!net.neighbours(s).contains(&s));
    }
}

#[test]
fn degree_19_of_the_thesis() {
    let graph = net("random_shortcut(1024,degree=19,seed=1)");
    assert_simple(&graph);
    assert!((0..1024).all(|s| graph.degree(s) == 19));
    assert!(graph.structure().ring);
    let count = |name: &str| (0..graph.switch_links()).filter(|&l| graph.class(l).name == name).count() / 2;
    assert_eq!((count("ring"), count("shortcut")), (1024, 1024 * 17 / 2));
    // An independent ring with 17 random matchings has ASPL 2.680 to 2.682 and diameter 4.
    let (mut hops, mut diameter) = (0u64, 0);
    for source in 0..1024u32 {
        let mut distance = vec![u32::MAX; 1024];
        let mut queue = vec![source];
        distance[source as usize] = 0;
        let mut at = 0;
        while at < queue.len() {
            let here = queue[at];
            at += 1;
            for &next in graph.neighbours(here) {
                if distance[next as usize] == u32::MAX {
                    distance[next as usize] = distance[here as usize] + 1;
                    queue.push(next);
                }
            }
        }
        hops += distance.iter().map(|&d| u64::from(d)).sum::<u64>();
        diameter = diameter.max(distance.into_iter().max().unwrap());
    }
    let aspl = hops as f64 / (1024.0 * 1023.0);
    assert!((2.675..2.687).contains(&aspl), "{aspl}");
    assert_eq!(diameter, 4);
}

#[test]
fn seeds_differ_and_repeat() {
    let text = |seed: u32| format!("random_regular(64,degree=5,seed={seed})");
    assert_eq!(net(&text(1)), net(&text(1)));
    assert_ne!(net(&text(1)).heads(), net(&text(2)).heads());
}

#[test]
fn an_odd_sum_leaves_the_last_switch_one_short() {
    for text in ["random_shortcut(33,degree=5)", "random_shortcut(9,degree=7)"] {
        let graph = net(text);
        let last = graph.switches() - 1;
        assert!((0..last).all(|s| graph.degree(s) == graph.degree(0)));
        assert_eq!(graph.degree(last) + 1, graph.degree(0), "{text}");
        assert_simple(&graph);
    }
}

#[test]
fn all_small_sizes_and_degrees_exist() {
    for n in 3..15u32 {
        for degree in 2..n {
            assert_simple(&net(&format!("random_shortcut({n},degree={degree})")));
            if degree > 2 && n * degree % 2 == 0 {
                assert_simple(&net(&format!("random_regular({n},degree={degree})")));
            }
        }
    }
}

#[test]
fn degrees_and_bases_that_are_refused() {
    for (text, code) in [
        ("random_shortcut(16,degree=16)", "NL-T004"),
        ("random_regular(16,degree=16)", "NL-T004"),
        ("random_regular(5,degree=3)", "NL-T004"),
        ("random_shortcut(16,degree=3,base=[4,4])", "NL-T004"),
        ("random_shortcut(16,degree=5,base=[4,5])", "NL-T005"),
        ("random_shortcut(16,degree=5,base=[67108864,67108864,67108864])", "NL-T005"),
        ("random_shortcut(16,degree=5,base=\"star\")", "NL-A007"),
    ] {
        let faults = build(&Call::parse(text).unwrap()).unwrap_err();
        assert_eq!(faults.0[0].code, code, "{text}: {faults}");
    }
}

proptest! {
    #[test]
    fn any_degree_is_met(n in 4u32..80, part in 0.0..1.0f64, seed in 0u64..1000) {
        let degree = 3 + (part * f64::from(n - 4)) as u32;
        for family in ["random_shortcut", "random_regular"] {
            if family == "random_regular" && n * degree % 2 == 1 {
                continue;
            }
            let graph = net(&format!("{family}({n},degree={degree},seed={seed})"));
            assert_simple(&graph);
            prop_assert_eq!(graph.cables(), n * degree / 2);
        }
    }
}
