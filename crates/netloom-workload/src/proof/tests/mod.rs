//! Every row on every small number of ranks and root; both provers against each other; published examples.

mod adjacent;
mod channels;
mod families;
mod in_network;
mod levels;
mod order;
mod parts;
mod segments;
mod wrong;

use netloom_model::param::Kind;
use netloom_model::schedule::Rounds;
use netloom_model::{Bound, Call, Collective, Schedule, Value};
use rayon::prelude::*;

use super::{listed, verify};
use crate::collectives::{CollectiveRow, Job, algorithm, schedule};
use crate::registry::{COLLECTIVES, bind_collective, build};
use crate::verify::verify_row;

fn call(text: &str) -> Call {
    Call::parse(text).unwrap()
}

fn made(text: &str, ranks: i64, root: i64, size: i64) -> Schedule {
    build(&call(text), ranks, root, size).unwrap()
}

/// The example call, and one call per further value of each parameter.
fn variants(row: &CollectiveRow) -> Vec<Bound> {
    let mut calls = vec![call(row.example)];
    for param in row.params {
        let values = match (param.name, param.kind) {
            ("k", Kind::Int { min, .. }) => {
                [1, 2, 3, 4, 5, 8, 64].into_iter().filter(|k| *k >= min).map(Value::Int).collect()
            }
            ("segments", _) => [1, 2, 3, 7].map(Value::Int).to_vec(),
            ("chain", _) => [1, 2, 3, 8, 100].map(Value::Int).to_vec(),
            ("aggregate", _) => [1, 2, 3, 8].map(Value::Int).to_vec(),
            ("window", _) => [1, 2, 7, 1000].map(Value::Int).to_vec(),
            ("direction", _) => [1, -1].map(Value::Int).to_vec(),
            ("turn", _) => vec![Value::Text("owners".into())],
            // Grids and hierarchies, which do not take every number of ranks, have separate tests.
            ("dims" | "levels" | "algorithms" | "top" | "up" | "down" | "own_group", _) => Vec::new(),
            ("base" | "direct", _) => vec![Value::Bool(true)],
            ("partner", _) => vec![Value::Text("shift".into())],
            other => panic!("no values for {other:?}"),
        };
        for value in values {
            let mut call = Call::bare(row.name);
            call.keyword.push((param.name.into(), value));
            calls.push(call);
        }
    }
    calls.iter().map(|c| bind_collective(c).unwrap().1).collect()
}

fn job(row: &CollectiveRow, ranks: u32, root: u32, size_bytes: u64) -> Job {
    Job::new(row.collective, ranks.into(), root.into(), size_bytes as i64).unwrap()
}

fn roots(row: &CollectiveRow, ranks: u32, all: bool) -> Vec<u32> {
    match (row.collective.is_rooted(), all) {
        _ if !(row.takes)(ranks) => Vec::new(),
        (false, _) => vec![0],
        (true, true) => (0..ranks).collect(),
        (true, false) => {
            let mut some = vec![0, ranks / 2, ranks - 1];
            some.dedup();
            some
        }
    }
}

#[test]
fn every_row_every_root_up_to_65_ranks() {
    COLLECTIVES.rows.par_iter().for_each(|row| {
        for bound in variants(row) {
            (1..=65).into_par_iter().for_each(|p| {
                for root in roots(row, p, true) {
                    // A size that no number of blocks divides, so that the closed forms are right to the byte.
                    let job = job(row, p, root, 1009);
                    if let Err(faults) = verify_row(row, &job, &bound) {
                        panic!("{} p={p} root={root}: {faults}", bound.canonical());
                    }
                }
            });
        }
    });
}

#[test]
fn every_row_at_any_size_in_bytes() {
    for row in COLLECTIVES.rows {
        for bound in variants(row) {
            for size in [0, 1, 3, 64, 65536] {
                for p in [2, 3, 5, 6, 7, 12, 16, 21, 33] {
                    for root in roots(row, p, false) {
                        verify_row(row, &job(row, p, root, size), &bound).unwrap();
                    }
                }
            }
        }
    }
}

#[test]
fn every_row_on_larger_numbers() {
    const RANKS: [u32; 11] = [100, 127, 128, 129, 255, 256, 257, 300, 512, 1000, 1024];
    COLLECTIVES.rows.par_iter().for_each(|row| {
        let bound = bind_collective(&call(row.example)).unwrap().1;
        // Four parts per chunk on 1,000 ranks are half a gigabyte of sets: true, but not for a daily test.
        let most = match algorithm(row) {
            "swing-all-ports" | "bucket-all-ports" | "circulant-segments" => 300,
            "segmented-ring" => 512,
            _ => u32::MAX,
        };
        RANKS.into_par_iter().for_each(|p| {
            let heavy = p > most;
            for root in roots(row, p, false).into_iter().filter(|_| !heavy) {
                verify_row(row, &job(row, p, root, 4099), &bound).unwrap();
            }
        });
    });
}

#[test]
fn both_provers_agree() {
    for row in COLLECTIVES.rows {
        for bound in variants(row) {
            for p in (1..=33).filter(|p| (row.takes)(*p)) {
                let schedule = schedule(row, &job(row, p, 0, 77), &bound).unwrap();
                assert_eq!(
                    matches!(schedule.rounds, Rounds::Cyclic(_)),
                    row.is_cyclic(&job(row, p, 0, 77), &bound) || cyclic_by_k(row, p, &schedule)
                );
                let list = listed(&schedule).unwrap();
                assert_eq!(list.messages(), schedule.messages());
                assert_eq!(verify(&list).unwrap(), verify(&schedule).unwrap(), "{} p={p}", schedule.label);
                let (mut a, mut b) = (Vec::new(), Vec::new());
                schedule.for_each_message(|m| a.push(m));
                list.for_each_message(|m| b.push(m));
                a.sort_by_key(|m| (m.step, m.src, m.dst));
                b.sort_by_key(|m| (m.step, m.src, m.dst));
                assert_eq!(a, b);
            }
        }
    }
}

/// Radix-k exchanges with k = 2 come out cyclic although their row is listed.
fn cyclic_by_k(row: &CollectiveRow, p: u32, schedule: &Schedule) -> bool {
    row.params.iter().any(|param| param.name == "k")
        && row.collective == Collective::Allreduce
        && matches!(schedule.rounds, Rounds::Cyclic(_))
        && (p.is_power_of_two() || schedule.steps == 0)
}

#[test]
fn sixteen_thousand_ranks_are_proved_relative_to_one() {
    for text in [
        "alltoall:pairwise",
        "alltoall:pairwise(partner=shift)",
        "alltoall:bruck",
        "allgather:ring",
        "reduce-scatter:recursive-halving",
        "allreduce:recursive-doubling",
        "barrier:dissemination",
    ] {
        let (row, bound) = bind_collective(&call(text)).unwrap();
        verify_row(row, &job(row, 16384, 0, 8), &bound).unwrap();
    }
    for text in ["allgather:swing", "allgather:bucket-all-ports", "allgather:neighbour-exchange", "allreduce:bine"] {
        let (row, bound) = bind_collective(&call(text)).unwrap();
        verify_row(row, &job(row, 16384, 0, 8), &bound).unwrap();
    }
    // A million ranks are a few lines.
    for text in ["allreduce:swing", "allreduce:segmented-ring", "allreduce:swing-all-ports", "allreduce:bucket"] {
        let schedule = made(text, 1 << 20, 0, 1 << 30);
        assert!(matches!(schedule.rounds, Rounds::Cyclic(_)) && schedule.messages() > 1 << 25, "{text}");
    }
    let proof = verify(&made("alltoall:pairwise", 16384, 0, 1)).unwrap();
    assert_eq!(proof.messages, 16384 * 16383);
}

#[test]
fn cui_2024_examples() {
    let pairs = |s: &Schedule| {
        let mut out = Vec::new();
        s.for_each_message(|m| out.push((m.step, m.src, m.dst)));
        out
    };
    // §2.3.2, figure 2.13.
    let broadcast = pairs(&made("broadcast:binomial", 8, 0, 1));
    assert_eq!(broadcast, [(0, 0, 4), (1, 0, 2), (1, 4, 6), (2, 0, 1), (2, 2, 3), (2, 4, 5), (2, 6, 7)]);
    // Figure 2.14, distances 1, 2, 4 (errata E0-14, E0-17), both directions counted.
    let allreduce = pairs(&made("allreduce:recursive-doubling", 8, 0, 1));
    assert_eq!(allreduce.len(), 24);
    assert!(allreduce.iter().all(|&(step, a, b)| a ^ b == 1 << step));
    // Figure 2.15 sends downwards, the text upwards (errata E0-15).
    let up = pairs(&made("alltoall:bruck", 8, 0, 1));
    let down = pairs(&made("alltoall:bruck(direction=-1)", 8, 0, 1));
    assert!(up.iter().all(|&(step, a, b)| (a + (1 << step)) % 8 == b));
    assert!(down.iter().all(|&(step, a, b)| (b + (1 << step)) % 8 == a));
    assert_eq!(down[..8].iter().map(|m| m.2).collect::<Vec<_>>(), [7, 0, 1, 2, 3, 4, 5, 6]);
    // 512 ranks: 511, 4608 and 4608 unicasts.
    for (text, unicasts) in
        [("broadcast:binomial", 511), ("allreduce:recursive-doubling", 4608), ("alltoall:bruck", 4608)]
    {
        assert_eq!(made(text, 512, 0, 1).messages(), unicasts);
    }
}

/// K01 and K02: on the circulant graph with jumps 2^i (of n vertices, or of its m-vertex sub-circulant), every unicast of
/// the three collectives joins neighbours, so that hops equal messages.
#[test]
fn table_4_1_one_hop_per_unicast() {
    for power in 1..=10 {
        let n = 1u32 << power;
        for (text, messages) in [
            ("broadcast:binomial", n - 1),
            ("allreduce:recursive-doubling", n * power),
            ("alltoall:bruck", n * power),
            ("alltoall:bruck(direction=-1)", n * power),
        ] {
            let schedule = made(text, n.into(), 0, 1);
            assert_eq!(schedule.messages(), u64::from(messages));
            schedule.for_each_message(|m| {
                let apart = m.src.abs_diff(m.dst);
                assert!(apart.is_power_of_two() || (n - apart).is_power_of_two(), "{text} {m:?}");
            });
        }
    }
}

#[test]
fn published_block_counts() {
    // Bruck alltoall on 64 ranks: 192, 144, 112 blocks in 6, 9, 14 messages per rank; 316 blocks on 100 ranks.
    for (p, k, blocks, messages, steps) in
        [(64, 2, 192, 6, 6), (64, 4, 144, 9, 3), (64, 8, 112, 14, 2), (100, 2, 316, 7, 7)]
    {
        let proof = verify(&made(&format!("alltoall:bruck(k={k})"), p, 0, 1)).unwrap();
        assert_eq!((proof.max_bytes_sent, proof.messages, proof.steps), (blocks, messages * p as u64, steps));
    }
    let full_binary = verify(&made("broadcast:k-ary(k=2,segments=10)", 31, 0, 100)).unwrap();
    assert_eq!(full_binary.steps, 2 * 9 + 2 * 4);
    assert_eq!(verify(&made("broadcast:chain(segments=10)", 31, 0, 100)).unwrap().steps, 10 + 31 - 2);
}

#[test]
fn grids_and_swings() {
    for text in [
        "allgather:bucket(4,3,5)",
        "reduce-scatter:bucket(4,3,5)",
        "allreduce:bucket(dims=[4,3,5])",
        "allreduce:bucket(60,1)",
    ] {
        let (row, bound) = bind_collective(&call(text)).unwrap();
        for size in [60, 1009] {
            verify_row(row, &job(row, 60, 0, size), &bound).unwrap();
        }
        assert_eq!(schedule(row, &job(row, 61, 0, 8), &bound).unwrap_err().0[0].code, "NL-C004");
    }
    let steps = |text: &str| made(text, 64, 0, 64).steps;
    assert_eq!(
        (steps("allgather:bucket"), steps("allgather:bucket(4,4,4)"), steps("allgather:bucket(64)")),
        (14, 9, 63)
    );
    // On the grid of a torus every message goes to a neighbour.
    made("allreduce:bucket(4,4,4)", 64, 0, 64).for_each_message(|m| {
        let axes =
            [1, 4, 16].map(|w| ((m.src / w % 4 + 4 - m.dst / w % 4) % 4).min((m.dst / w % 4 + 4 - m.src / w % 4) % 4));
        assert_eq!(axes.iter().sum::<u32>(), 1);
    });
    // Where the ranks divide the vector the bytes of every rank are exact: 2n(p-1)/p.
    for text in ["allreduce:swing", "allreduce:bucket", "allreduce:ring", "allreduce:circulant"] {
        assert_eq!(verify(&made(text, 48, 0, 4800)).unwrap().max_bytes_sent, 2 * 100 * 47, "{text}");
    }
    // Distances 1, -1, 3, -5 of NSDI 2024, near first.
    let mut from_zero = Vec::new();
    made("reduce-scatter:swing", 16, 0, 1).for_each_message(|m| from_zero.extend((m.src == 0).then_some(m.dst)));
    assert_eq!(from_zero, [1, 15, 3, 11]);
    // Shorter on the ring by a third in the limit: (2/3) of 2^q - 1.
    let distance = |text: &str| {
        let mut sum = 0;
        made(text, 4096, 0, 1)
            .for_each_message(|m| sum += u64::from(m.src.abs_diff(m.dst).min(4096 - m.src.abs_diff(m.dst))));
        sum as f64
    };
    let ratio = distance("allgather:swing") / distance("allgather:recursive-doubling");
    assert!((ratio - 2.0 / 3.0).abs() < 1e-3, "{ratio}");
}
