//! Which rows keep the order of the ranks when they combine, as a non-commutative operation needs: derived from their
//! schedules and compared with the statements of the rows.

use std::ops::Range;

use netloom_model::{Collective, Schedule};
use rayon::prelude::*;

use super::super::expected::combines;
use super::super::listed;
use super::super::listed::List;
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

/// Merges `pieces` with `own`, in any order; `None` if they do not form a run of ranks.
fn joined(own: Range<u32>, mut pieces: Vec<Range<u32>>) -> Option<Range<u32>> {
    pieces.push(own);
    pieces.retain(|piece| !piece.is_empty());
    pieces.sort_by_key(|piece| piece.start);
    let touching = pieces.windows(2).all(|pair| pair[0].end == pair[1].start);
    let (first, last) = (pieces.first()?, pieces.last()?);
    touching.then_some(first.start..last.end)
}

/// True if every combination joins neighbouring runs of ranks. What arrives in one step may be taken in any order, and is
/// combined with the receiver's data before the next step.
fn keeps_order(schedule: &Schedule) -> bool {
    let schedule = listed(schedule).unwrap();
    let (list, blocks) = (List::of(&schedule).unwrap(), schedule.blocks.count());
    let slot = |rank: u32, block: u32| (u64::from(rank) * blocks + u64::from(block)) as usize;
    let (ranks, members) = (0..schedule.ranks, schedule.members());
    let mut running: Vec<Range<u32>> =
        ranks.flat_map(|r| (0..blocks).map(move |_| r..if r < members { r + 1 } else { r })).collect();
    let mut results = match schedule.collective {
        Collective::Exscan => vec![0..0; running.len()],
        _ => running.clone(),
    };
    let scan = matches!(schedule.collective, Collective::Scan | Collective::Exscan);
    for step in 0..schedule.steps as usize {
        let before = running.clone();
        let mut arrived = vec![(Vec::new(), Vec::new()); running.len()];
        for t in list.step(step) {
            for block in list.blocks(t) {
                let (to, carried) = (slot(t.dst, block), before[slot(t.src, block)].clone());
                if !t.combine {
                    running[to] = carried;
                    continue;
                }
                arrived[to].0.push(carried.clone());
                if scan && t.src < t.dst {
                    arrived[to].1.push(carried);
                }
            }
        }
        for (to, (all, lower)) in arrived.into_iter().enumerate() {
            for (own, pieces) in [(&mut running[to], all), (&mut results[to], lower)] {
                if pieces.is_empty() {
                    continue;
                }
                match joined(own.clone(), pieces) {
                    Some(run) => *own = run,
                    None => return false,
                }
            }
        }
    }
    true
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
