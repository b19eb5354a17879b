//! The contract of every row, and the examples of Cui 2024.

use netloom_model::{Call, Mapping, Network};
use proptest::prelude::*;

use crate::fixtures::{circulant, path, two_parts};
use crate::registry::{ORDERS, PLACEMENTS, order, place};

fn call(text: &str) -> Call {
    Call::parse(text).unwrap()
}
fn placed(net: &Network, ranks: i64, text: &str) -> Vec<u32> {
    place(net, ranks, &call(text)).unwrap()
}
fn code(net: &Network, ranks: i64, text: &str) -> String {
    place(net, ranks, &call(text)).unwrap_err().0[0].code.to_string()
}

#[test]
fn every_placement_gives_distinct_endpoints_and_the_same_twice() {
    for (n, p) in [(1, 1), (2, 3), (16, 1), (16, 4), (64, 2)] {
        let net = circulant(n, p);
        for row in PLACEMENTS.rows {
            for ranks in [1, 2, 7, 16, 32, 64].into_iter().filter(|r| *r <= n * p) {
                match place(&net, i64::from(ranks), &call(row.example)) {
                    Ok(list) => {
                        assert_eq!(list.len(), ranks as usize, "{}", row.name);
                        Mapping::new(list.clone(), &net).unwrap();
                        assert_eq!(list, placed(&net, i64::from(ranks), row.example));
                    }
                    // No even stride; no chassis or groups.
                    Err(faults) => assert!(["NL-M012", "NL-M016"].contains(&faults.0[0].code), "{} {faults}", row.name),
                }
            }
            assert_eq!(code(&net, i64::from(n * p) + 1, row.example), "NL-M003");
        }
    }
}

#[test]
fn bad_ranks_and_arguments_are_refused() {
    let net = circulant(16, 1);
    for row in PLACEMENTS.rows {
        for ranks in [0, -1, i64::MIN] {
            assert_eq!(code(&net, ranks, row.example), "NL-A007");
        }
        assert_eq!(code(&net, i64::MAX, row.example), "NL-M003");
        assert!(place(&net, 4, &call(&format!("{}(available=[])", row.name))).is_err());
        assert_eq!(code(&net, 1, &format!("{}(available=[3,16])", row.name)), "NL-M015");
        assert_eq!(code(&net, 1, &format!("{}(available=[3,3])", row.name)), "NL-M015");
        assert_eq!(code(&net, 3, &format!("{}(available=[3,4])", row.name)), "NL-M003");
    }
    for bad in ["tree(root=16)", "tree(root=-1)", "ring(start=16)", "circulant(start=99)", "linear(first=a)", "trees"] {
        assert!(place(&net, 4, &call(bad)).is_err(), "{bad}");
    }
    assert_eq!(code(&net, 4, "linear(first=13)"), "NL-M003");
    let near = place(&net, 4, &call("rign")).unwrap_err().to_string();
    assert!(near.contains("did you mean \"ring\"?"), "{near}");
}

#[test]
fn networks_without_the_structure_are_refused_with_the_reason() {
    let net = path(8);
    assert_eq!(code(&net, 4, "ring"), "NL-M010");
    assert_eq!(placed(&net, 4, "ring(start=6,along=numbers)"), [6, 7, 0, 1]);
    assert_eq!(code(&net, 4, "circulant"), "NL-M011");
    let parts = two_parts(4);
    assert_eq!(code(&parts, 5, "tree(root=1)"), "NL-M013");
    assert_eq!(placed(&parts, 4, "tree(root=5)"), [5, 4, 6, 7]);
    assert_eq!(order(&parts, &[0, 7], &call("cco")).unwrap_err().0[0].code, "NL-M013");
}

#[test]
fn small_examples_by_hand() {
    let net = circulant(16, 1);
    assert_eq!(placed(&net, 8, "circulant(start=3)"), [3, 5, 7, 9, 11, 13, 15, 1]);
    assert_eq!(code(&net, 6, "circulant"), "NL-M012");
    assert_eq!(code(&net, 8, "circulant(start=0,available=[0,1,2,3,4,5,6,8,10])"), "NL-M014");
    assert_eq!(placed(&net, 4, "ring(start=14)"), [14, 15, 0, 1]);
    assert_eq!(placed(&net, 3, "linear(first=5)"), [5, 6, 7]);
    assert_eq!(placed(&net, 3, "linear(available=[9,4,2,12])"), [2, 4, 9]);
    // Neighbours of switch 0 at jumps 1, 2, 4, 8, ascending, then those of switch 1.
    assert_eq!(placed(&net, 10, "tree(root=0)"), [0, 1, 2, 4, 8, 12, 14, 15, 3, 5]);
    let two = circulant(4, 2);
    assert_eq!(placed(&two, 4, "tree(root=2)"), [4, 5, 0, 1]);
    assert_eq!(placed(&two, 4, "circulant(start=1)"), [2, 3, 6, 7]);
    assert_eq!(order(&two, &[5, 1, 4], &call("ascending")).unwrap(), [1, 4, 5]);
    assert_eq!(order(&two, &[5, 1, 4], &call("draw")).unwrap(), [5, 1, 4]);
}

#[test]
fn rows_of_ranks_onto_squares_of_places() {
    let net = path(16);
    let all: Vec<u32> = (0..16).collect();
    let tiled = |text: &str| order(&net, &all, &call(text));
    // Row 1 of the ranks onto the square at the upper right.
    let squares = tiled("tiles([4,4],[1,4],[4,4],[2,2])").unwrap();
    assert_eq!(squares, [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15]);
    assert_eq!(tiled("tiles([16],[4],[4,4],[1,4])").unwrap(), all);
    for bad in [
        "tiles([4,4],[1,4],[4,2],[2,2])",
        "tiles([4,4],[1,3],[4,4],[2,2])",
        "tiles([4,4],[4],[4,4],[2,2])",
        "tiles([4,4],[1,4],[4,4],[2,4])",
        "tiles([4,-4],[1,4],[4,4],[2,2])",
    ] {
        assert_eq!(tiled(bad).unwrap_err().0[0].code, "NL-A007", "{bad}");
    }
}

#[test]
fn chains_are_contiguous() {
    // 0-1-2-3-4 with the source in the middle: the walk finishes one side before the other.
    let net = path(5);
    assert_eq!(order(&net, &[2, 4, 3, 1, 0], &call("cco")).unwrap(), [2, 1, 0, 3, 4]);
    assert_eq!(order(&net, &[2, 4, 3, 1, 0], &call("cco(source=4)")).unwrap(), [0, 1, 2, 3, 4]);
    assert!(order(&net, &[2, 4], &call("cco(source=2)")).is_err());
}

#[test]
fn draws_depend_on_the_seed_and_cover_everything() {
    let net = circulant(64, 1);
    assert_ne!(placed(&net, 64, "random(seed=1)"), placed(&net, 64, "random(seed=2)"));
    for text in ["random", "tree", "ring", "circulant"] {
        let starts: std::collections::BTreeSet<u32> =
            (0..400).map(|seed| placed(&net, 8, &format!("{text}(seed={seed})"))[0]).collect();
        assert!(starts.len() > 55, "{text}: {} first endpoints of 64 in 400 draws", starts.len());
    }
}

#[test]
fn bad_lists_are_refused_by_every_order() {
    let net = path(4);
    for row in ORDERS.rows {
        for (list, want) in [(vec![0, 4], "NL-M001"), (vec![1, 1], "NL-M002"), (vec![0, 1, 2, 3, 0], "NL-M003")] {
            assert_eq!(order(&net, &list, &call(row.example)).unwrap_err().0[0].code, want, "{}", row.name);
        }
    }
}

proptest! {
    #[test]
    fn every_order_permutes(seed in 0u32..1000, ranks in 1i64..40) {
        let net = circulant(40, 1);
        let list = placed(&net, ranks, &format!("random(seed={seed})"));
        for row in ORDERS.rows {
            let Ok(mut result) = order(&net, &list, &call(row.example)) else {
                // Their examples are of eight places.
                prop_assert!(["mixed-radix", "tiles"].contains(&row.name) && ranks != 8);
                continue;
            };
            prop_assert_eq!(&result, &order(&net, &list, &call(row.example)).unwrap());
            result.sort_unstable();
            let mut sorted = list.clone();
            sorted.sort_unstable();
            prop_assert_eq!(result, sorted);
        }
    }

    #[test]
    fn only_available_endpoints_are_used(seed in 0u32..1000) {
        let net = circulant(32, 2);
        let free: Vec<u32> = placed(&net, 20, &format!("random(seed={seed})"));
        let words = free.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        for name in ["linear", "random", "tree", "ring"] {
            let list = placed(&net, 20, &format!("{name}(available=[{words}])"));
            prop_assert!(list.iter().all(|e| free.contains(e)));
        }
    }
}
