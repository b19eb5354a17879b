//! In-network collectives on trees of every shape.

use netloom_model::combining::ROOT;
use netloom_model::{CombiningTree, Stream};

use super::*;
use crate::collectives::placed;

/// A tree with `switches` at most, of which those without ranks are left out.
fn drawn(stream: &mut Stream, ranks: u32, switches: u32) -> CombiningTree {
    let above: Vec<u32> = (0..switches).map(|s| if s == 0 { ROOT } else { stream.below(s) }).collect();
    let homes: Vec<u32> = (0..ranks).map(|_| stream.below(switches)).collect();
    let mut used = vec![false; switches as usize];
    for &home in &homes {
        let mut at = home;
        while at != ROOT && !std::mem::replace(&mut used[at as usize], true) {
            at = above[at as usize];
        }
    }
    let number = |s: u32| ranks + used[..s as usize].iter().filter(|used| **used).count() as u32;
    let up = |s: u32| if above[s as usize] == ROOT { ROOT } else { number(above[s as usize]) };
    let parents = homes.iter().map(|home| number(*home));
    CombiningTree::new(ranks, parents.chain((0..switches).filter(|s| used[*s as usize]).map(up)).collect()).unwrap()
}

#[test]
fn every_row_is_proved_on_any_trees_up_to_65_ranks() {
    let rows: Vec<_> = COLLECTIVES.rows.iter().filter(|row| row.on_tree.is_some()).collect();
    assert_eq!(rows.len(), 8);
    rows.par_iter().for_each(|row| {
        for bound in variants(row) {
            for p in 1..=65 {
                let mut stream = Stream::new(p.into(), row.name);
                for root in roots(row, p, false) {
                    let star = schedule(row, &job(row, p, root, 1009), &bound).unwrap();
                    // A barrier has no data to divide over channels.
                    let most = if row.collective == Collective::Barrier { 1 } else { 3 };
                    let trees: Vec<_> = (0..1 + stream.below(most)).map(|_| drawn(&mut stream, p, 12)).collect();
                    let made = placed(&star, &trees).unwrap();
                    let proof = verify(&made).unwrap_or_else(|faults| panic!("{} p={p}: {faults}", star.label));
                    // Every rank sends or receives in every tree.
                    let least = if p == 1 { 0 } else { u64::from(p) * trees.len() as u64 };
                    assert!(proof.messages >= least, "{} p={p}", star.label);
                }
            }
        }
    });
}

/// What no tree of switches does without: every link carries each byte once in each direction.
#[test]
fn every_link_carries_the_vector_once_each_way() {
    let tree = CombiningTree::new(4, vec![4, 4, 5, 5, 6, 6, ROOT]).unwrap();
    let made = placed(&made("allreduce:in-network(segments=3)", 4, 0, 1000), &[tree]).unwrap();
    let mut bytes = std::collections::BTreeMap::new();
    made.for_each_message(|m| *bytes.entry((m.src, m.dst)).or_insert(0) += m.bytes);
    assert_eq!(bytes.len(), 12);
    assert!(bytes.values().all(|sum| *sum == 1000));
    assert_eq!(verify(&made).unwrap().steps, 3 - 1 + 4);
}

/// NVLink SHARP: a GPU reads its block of all, itself included, and writes it to all, itself included.
#[test]
fn owners_move_their_block_once_more() {
    let made = made("allreduce:in-network(segments=2,turn=owners)", 8, 0, 1600);
    let (mut up, mut down) = ([0; 8], [0; 8]);
    made.for_each_message(|m| match m.dst {
        8 => up[m.src as usize] += m.bytes,
        rank => down[rank as usize] += m.bytes,
    });
    assert_eq!((up, down), ([1600 + 200; 8], [1600 + 200; 8]));
}
