//! Which rows keep the order of the ranks when they combine: derived from their schedules and compared with the statements
//! of the rows.

use netloom_model::{Collective, Schedule};
use rayon::prelude::*;

use super::super::adjacent::arrivals;
use super::super::expected::combines;
use super::{call, job, made, roots, variants};
use crate::collectives::{algorithm, schedule};
use crate::registry::{COLLECTIVES, bind_collective, find_collective};

/// When a combination joins contributions that are no neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Breaks {
    Never,
    /// Not at root 0.
    AtOtherRoots,
    Always,
}

/// The statement of a row about itself in `restrictions`; a composition is stated with its default algorithms.
fn said(name: &str) -> Breaks {
    let needs = |part: &&str| part.starts_with("commutative operation");
    match find_collective(name).unwrap().restrictions.split("; ").find(needs) {
        None => Breaks::Never,
        Some("commutative operation") => Breaks::Always,
        Some("commutative operation at roots other than 0") => Breaks::AtOtherRoots,
        Some("commutative operation at roots other than 0, or if a level needs one") => Breaks::AtOtherRoots,
        Some("commutative operation (if top or a tree needs one)") => Breaks::Never,
        Some(part) => panic!("{name}: \"{part}\" says nothing that is known here"),
    }
}

fn keeps_order(schedule: &Schedule) -> bool {
    arrivals(schedule, 0).unwrap().is_some()
}

#[test]
fn marks_are_those_of_the_schedules() {
    let rows = COLLECTIVES.rows.par_iter().filter(|row| combines(row.collective));
    let wrong = rows.filter_map(|row| {
        let mut cases: Vec<_> = variants(row).into_iter().flat_map(|b| (1..=17).map(move |p| (b.clone(), p))).collect();
        if row.params.iter().any(|param| param.name == "levels") {
            for (levels, p) in [("4,2,2", 16), ("2,4,2", 16), ("5,3,1", 15), ("3,5,1", 15), ("1,4,3", 12)] {
                cases.push((bind_collective(&call(&format!("{}({levels})", row.name))).unwrap().1, p));
            }
        }
        let mut found = Breaks::Never;
        for (bound, p) in cases {
            for root in roots(row, p, true) {
                if !keeps_order(&schedule(row, &job(row, p, root, 100), &bound).unwrap()) {
                    found = found.max(if root == 0 { Breaks::Always } else { Breaks::AtOtherRoots });
                }
            }
        }
        (found != said(row.name)).then(|| format!("{}: breaks {found:?}, says {:?}", row.name, said(row.name)))
    });
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<String>::new());
}

/// "If a tree needs one": a composition keeps the order at root 0 where the algorithms of its levels do.
#[test]
fn compositions_keep_the_order_where_their_levels_do() {
    const TREES: [&str; 4] = ["binomial", "k-nomial", "linear", "bine"];
    let kept = |text: &str, ranks: i64, root: i64| keeps_order(&made(text, ranks, root, 100));
    let alone = |name: &str| {
        let keeps = kept(name, 8, 0);
        assert!(keeps || said(name) == Breaks::Always, "{name}");
        keeps
    };
    for outer in TREES {
        for inner in TREES {
            let trees = alone(&format!("reduce:{outer}")) && alone(&format!("reduce:{inner}"));
            let text = format!("reduce:hierarchical(8,8,algorithms=\"{outer}+{inner}\")");
            assert_eq!(kept(&text, 64, 0), trees, "{text}");
            assert!((1..64).any(|root| !kept(&text, 64, root)), "{text}");
        }
        for row in COLLECTIVES.rows.iter().filter(|row| row.collective == Collective::Allreduce) {
            let top = algorithm(row);
            if !["hierarchical", "blueconnect", "two-tier", "in-network"].contains(&top) {
                let text = format!("allreduce:hierarchical(8,8,algorithms={outer},top={top})");
                assert_eq!(kept(&text, 64, 0), alone(&format!("reduce:{outer}")) && alone(row.name), "{text}");
            }
        }
    }
}

/// Each of four ranks is told on which side to combine what comes.
#[test]
fn arrivals_say_their_side() {
    let ring = made("allreduce:recursive-doubling", 4, 0, 8);
    let sides = |rank: u32| -> Vec<(u32, bool)> {
        arrivals(&ring, rank).unwrap().unwrap().iter().map(|a| (a.lowest, a.below)).collect()
    };
    assert_eq!(sides(0), [(1, false), (2, false)]);
    assert_eq!(sides(1), [(0, true), (2, false)]);
    assert_eq!(sides(3), [(2, true), (0, true)]);
}
