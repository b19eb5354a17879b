//! The dependency graph.

use netloom_model::{Schedule, Stream};
use rayon::prelude::*;

use super::super::expected::combines;
use super::super::listed::{Held, List, Sets};
use super::super::sets::{common, unite};
use super::super::{Dag, dag, listed};
use super::made;
use crate::registry::COLLECTIVES;

/// Any topological order of the dependency graph ends in the state that the steps end in.
#[test]
fn any_order_that_respects_the_dependencies_gives_the_same_end() {
    COLLECTIVES.rows.par_iter().for_each(|row| {
        for p in [1, 2, 3, 6, 8, 13].into_iter().filter(|p| (row.takes)(*p as u32)) {
            let schedule = listed(&made(row.example, p, 0, 100)).unwrap();
            let graph = dag(&schedule).unwrap();
            for (i, _) in graph.messages.iter().enumerate() {
                assert!(graph.before(i).iter().all(|b| (*b as usize) < i), "acyclic");
                assert!(graph.before(i).iter().all(|b| graph.messages[*b as usize].dst == graph.messages[i].src));
            }
            for seed in 0..3 {
                let order = random_order(&graph, seed);
                if combines(row.collective) {
                    replay_sets(&schedule, &graph, &order);
                } else {
                    replay_held(&schedule, &order);
                }
            }
        }
    });
}

fn random_order(graph: &Dag, seed: u64) -> Vec<usize> {
    let n = graph.messages.len();
    let mut waiting: Vec<usize> = (0..n).map(|i| graph.before(i).len()).collect();
    let mut after = vec![Vec::new(); n];
    (0..n).for_each(|i| graph.before(i).iter().for_each(|b| after[*b as usize].push(i)));
    let mut ready: Vec<usize> = (0..n).filter(|i| waiting[*i] == 0).collect();
    let (mut stream, mut order) = (Stream::new(seed, "order"), Vec::new());
    while !ready.is_empty() {
        let next = ready.swap_remove(stream.below(ready.len() as u32) as usize);
        order.push(next);
        for &i in &after[next] {
            waiting[i] -= 1;
            if waiting[i] == 0 {
                ready.push(i);
            }
        }
    }
    assert_eq!(order.len(), n);
    order
}

/// Moves blocks one transfer at a time; a sender must hold what it sends at that moment.
fn replay_held(schedule: &Schedule, order: &[usize]) {
    let list = List::of(schedule).unwrap();
    let mut state = Held::default();
    state.start(&list);
    for &i in order {
        assert!(state.holds(&list, &list.transfers[i]), "{} transfer {i}", schedule.label);
        state.receive(&list, &list.transfers[i]);
    }
    state.finish(&list).unwrap();
}

/// A transfer carries its sender's contribution and the contents of its dependencies; at the end every rank has its
/// own and what arrived since the last stored value. Contributions must not meet twice.
fn replay_sets(schedule: &Schedule, graph: &Dag, order: &[usize]) {
    let list = List::of(schedule).unwrap();
    let mut state = Sets::default();
    state.start(&list);
    let carries = |i: usize, block: u32| list.blocks(&list.transfers[i]).any(|b| b == block);
    let mut carried = std::collections::HashMap::new();
    for &i in order {
        let t = &list.transfers[i];
        for block in list.blocks(t) {
            let sources: Vec<usize> =
                graph.before(i).iter().map(|b| *b as usize).filter(|b| carries(*b, block)).collect();
            let stored = sources.iter().rposition(|b| !graph.combine[*b]);
            let mut set = match stored {
                Some(_) => vec![0; state.set(0, 0).len()],
                None => state.set(t.src, block).to_vec(),
            };
            for b in sources.into_iter().skip(stored.unwrap_or(0)) {
                let more: &Vec<u64> = &carried[&(b, block)];
                assert_eq!(common(&set, more), None, "{} transfer {i}", schedule.label);
                unite(&mut set, more);
            }
            carried.insert((i, block), set);
        }
    }
    for i in 0..order.len() {
        let t = &list.transfers[i];
        for block in list.blocks(t) {
            // The arrival order at the receiver is that of the steps; only the contents could differ.
            let step = graph.messages[i].step as usize;
            state.receive(&list, t, block, step, &carried[&(i, block)]).unwrap();
        }
    }
    state.finish(&list).unwrap();
}
