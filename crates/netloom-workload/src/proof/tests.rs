//! Every row on every small number of ranks and root; both provers against each other; wrong schedules are refused.

use netloom_model::param::Kind;
use netloom_model::schedule::Rounds;
use netloom_model::{Bound, Call, Collective, Progress, Schedule, Stream, Value};
use rayon::prelude::*;

use super::listed::{Held, List, Sets};
use super::{dag, listed, verify, verify_watched};
use crate::collectives::{CollectiveRow, Job};
use crate::registry::{bind_collective, build, collectives, verify_row};

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
            ("window", _) => [1, 2, 7, 1000].map(Value::Int).to_vec(),
            ("direction", _) => [1, -1].map(Value::Int).to_vec(),
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
    collectives().par_iter().for_each(|row| {
        for (i, bound) in variants(row).iter().enumerate() {
            (1..=65).into_par_iter().for_each(|p| {
                for root in roots(row, p, i == 0) {
                    // A size that no number of blocks divides, so that the closed forms are right to the byte.
                    let job = job(row, p, root, 1009);
                    if let Err(faults) = verify_row(row, &job, bound) {
                        panic!("{} p={p} root={root}: {faults}", bound.canonical());
                    }
                }
            });
        }
    });
}

#[test]
fn every_row_at_any_size_in_bytes() {
    for row in collectives() {
        for size in [0, 1, 3, 64, 65536] {
            for p in [2, 3, 5, 6, 7, 12, 16, 21, 33] {
                for root in roots(row, p, false) {
                    for bound in variants(row) {
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
    collectives().par_iter().for_each(|row| {
        let bound = bind_collective(&call(row.example)).unwrap().1;
        RANKS.into_par_iter().for_each(|p| {
            // Four segments per chunk on 1,000 ranks are half a gigabyte of sets: true, but not for a daily test.
            let heavy = row.name == "allreduce:segmented-ring" && p > 512;
            for root in roots(row, p, false).into_iter().filter(|_| !heavy) {
                verify_row(row, &job(row, p, root, 4099), &bound).unwrap();
            }
        });
    });
}

#[test]
fn both_provers_agree() {
    for row in collectives() {
        for bound in variants(row) {
            for p in 1..=33 {
                let schedule = row.build(&job(row, p, 0, 77), &bound).unwrap();
                assert_eq!(
                    matches!(schedule.rounds, Rounds::Cyclic(_)),
                    row.is_cyclic(p) || cyclic_by_k(row, p, &schedule)
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
    let proof = verify(&made("alltoall:pairwise", 16384, 0, 1)).unwrap();
    assert_eq!(proof.messages, 16384 * 16383);
}

#[test]
fn seed_000_examples() {
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

fn change(
    schedule: &Schedule,
    edit: impl FnOnce(&mut Vec<netloom_model::Transfer>, &mut Vec<netloom_model::BlockRange>, &mut Vec<u32>),
) -> Schedule {
    let mut wrong = listed(schedule).unwrap();
    let Rounds::Explicit { offsets, transfers, ranges } = &mut wrong.rounds else { unreachable!() };
    edit(transfers, ranges, offsets);
    wrong
}

/// Rows in which no message is superfluous: every block arrives once, or every combination is needed.
fn tight() -> impl Iterator<Item = &'static CollectiveRow> {
    const SURPLUS: [&str; 7] = [
        "broadcast:scatter-allgather", // the allgather brings chunks that the scatter left on the way
        "broadcast:scatter-ring",
        "barrier:double-ring",   // the last message closes the second round
        "barrier:dissemination", // tokens come twice
        "barrier:tree",          // tokens come back down
        "barrier:linear",
        "scan:recursive-doubling", // messages downwards in the last step
    ];
    collectives().iter().filter(|r| !SURPLUS.contains(&r.name) && r.name != "exscan:recursive-doubling")
}

#[test]
fn a_dropped_transfer_is_found() {
    for row in tight() {
        for p in [2, 3, 5, 6, 8, 12, 13] {
            let schedule = made(row.example, p, 0, 100);
            for i in 0..schedule.messages() as usize {
                let wrong = change(&schedule, |transfers, _, offsets| {
                    transfers.remove(i);
                    offsets.iter_mut().filter(|o| **o as usize > i).for_each(|o| *o -= 1);
                });
                assert!(verify(&wrong).is_err(), "{} p={p} without transfer {i}", row.name);
            }
        }
    }
}

#[test]
fn a_dropped_round_of_cyclic_schedules_is_found() {
    for row in tight().filter(|r| r.is_cyclic(16)) {
        let schedule = made(row.example, 16, 0, 100);
        let Rounds::Cyclic(rounds) = &schedule.rounds else { unreachable!() };
        for i in 0..rounds.len() {
            let mut fewer = rounds.clone();
            fewer.remove(i);
            let wrong = Schedule { rounds: Rounds::Cyclic(fewer), ..schedule.clone() };
            let relative = verify(&wrong).unwrap_err();
            assert_eq!(relative.0[0].code, verify(&listed(&wrong).unwrap()).unwrap_err().0[0].code, "{} {i}", row.name);
        }
    }
}

#[test]
fn wrong_blocks_partners_and_doubled_transfers_are_found() {
    let mut stream = Stream::new(1, "mutations");
    for row in tight() {
        // Barriers carry sets of tokens; a shifted one may be superfluous.
        for p in [5, 8, 13] {
            let schedule = made(row.example, p, 0, 1000);
            let (messages, blocks) = (schedule.messages() as u32, schedule.blocks.count());
            for _ in 0..20 {
                let i = stream.below(messages) as usize;
                if blocks > 1 && row.collective != Collective::Barrier {
                    let shifted = change(&schedule, |transfers, ranges, _| {
                        let range = &mut ranges[transfers[i].first_range as usize];
                        range.first = (range.first + 1) % (blocks - range.count + 1).max(1);
                    });
                    assert!(
                        shifted == listed(&schedule).unwrap() || verify(&shifted).is_err(),
                        "{} p={p} shift {i}",
                        row.name
                    );
                }
                if super::expected::combines(row.collective)
                    && row.collective != Collective::Scan
                    && row.collective != Collective::Exscan
                {
                    let doubled = change(&schedule, |transfers, _, offsets| {
                        let again = transfers[i];
                        transfers.insert(i, again);
                        offsets.iter_mut().filter(|o| **o as usize > i).for_each(|o| *o += 1);
                    });
                    let codes: Vec<_> = verify(&doubled).unwrap_err().0.iter().map(|f| f.code).collect();
                    assert!(codes.iter().all(|c| *c == "NL-C007" || *c == "NL-C008"), "{} {codes:?}", row.name);
                }
            }
        }
    }
}

/// Operations with personal blocks notice when two messages of one step change places.
#[test]
fn swapped_partners_are_found() {
    for row in tight() {
        use Collective::{Allgather, Alltoall, Gather, ReduceScatter, Scatter};
        if !matches!(row.collective, Allgather | Alltoall | Gather | ReduceScatter | Scatter)
            || row.name.ends_with(":linear")
        {
            continue;
        }
        let swapped = change(&made(row.example, 8, 0, 100), |transfers, _, offsets| {
            let first = offsets.windows(2).find(|w| w[1] - w[0] > 2).unwrap()[0] as usize;
            let other = transfers[first].dst;
            transfers[first].dst = std::mem::replace(&mut transfers[first + 2].dst, other);
        });
        assert!(verify(&swapped).is_err(), "{}", row.name);
    }
}

#[test]
fn faults_name_rank_block_and_step() {
    let early = change(&made("broadcast:binomial", 8, 0, 8), |transfers, _, _| transfers.swap(0, 2));
    let message = verify(&early).unwrap_err().to_string();
    assert_eq!(message, "NL-C006 broadcast:binomial: rank 4 sends block 0 to rank 6 in step 0 but does not hold it");
    let lost = change(&made("allgather:neighbour-exchange", 4, 0, 8), |transfers, _, offsets| {
        transfers.pop();
        *offsets.last_mut().unwrap() -= 1;
    });
    assert_eq!(
        verify(&lost).unwrap_err().to_string(),
        "NL-C009 allgather:neighbour-exchange: rank 0 lacks block 2 (of rank 2) at the end"
    );
    let twice = change(&made("reduce:linear", 3, 0, 8), |transfers, _, _| transfers[1].src = transfers[0].src);
    assert_eq!(
        verify(&twice).unwrap_err().to_string(),
        "NL-C007 reduce:linear: rank 0 combines block 0 from rank 2 in step 1 but counts rank 2 already"
    );
    let stored = change(&made("reduce:linear", 3, 0, 8), |transfers, _, offsets| {
        transfers[1].combine = false;
        *offsets = vec![0, 2, 2];
    });
    assert!(verify(&stored).unwrap_err().to_string().starts_with("NL-C008"));
    let mut alone = made("allreduce:ring", 6, 0, 6);
    alone.collective = Collective::Scan;
    assert!(verify(&alone).unwrap_err().to_string().starts_with("NL-C014"));
}

#[test]
fn malformed_and_oversized_schedules_are_refused() {
    let good = made("gather:binomial", 6, 0, 8);
    type Edit = fn(&mut Vec<netloom_model::Transfer>, &mut Vec<netloom_model::BlockRange>, &mut Vec<u32>);
    let edits: [Edit; 8] = [
        |t, _, _| t[0].dst = 6,
        |t, _, _| t[0].dst = t[0].src,
        |t, _, _| t[0].first_range = u32::MAX,
        |t, _, _| t[0].ranges = 0,
        |_, r, _| r[0].first = 6,
        |_, r, _| r[0].count = u32::MAX,
        |_, _, o| o[1] = 1000,
        |_, _, o| o.truncate(1),
    ];
    for (i, edit) in edits.into_iter().enumerate() {
        assert_eq!(verify(&change(&good, edit)).unwrap_err().0[0].code, "NL-C005", "edit {i}");
    }
    let Rounds::Cyclic(rounds) = made("allgather:ring", 6, 0, 8).rounds else { unreachable!() };
    type Change = fn(&mut netloom_model::CyclicRound);
    let changes: [Change; 7] = [
        |r| r.partner = netloom_model::Partner::Shift(0),
        |r| r.partner = netloom_model::Partner::Xor(1),
        |r| r.ranges[0].first = 6,
        |r| r.ranges[0].count = 7,
        |r| r.ranges.clear(),
        |r| r.step = 9,
        |r| r.bytes = 9,
    ];
    for edit in changes {
        let mut wrong = rounds.clone();
        edit(&mut wrong[0]);
        let schedule = Schedule { rounds: Rounds::Cyclic(wrong), ..made("allgather:ring", 6, 0, 8) };
        assert_eq!(verify(&schedule).unwrap_err().0[0].code, "NL-C005");
    }
    let large = made("reduce:linear", 200_000, 0, 8);
    assert_eq!(verify(&large).unwrap_err().0[0].code, "NL-C012");
    let progress = Progress::new();
    progress.request_stop();
    assert!(verify_watched(&good, &progress).is_err());
}

/// Any topological order of the dependency graph ends in the state that the steps end in.
#[test]
fn any_order_that_respects_the_dependencies_gives_the_same_end() {
    collectives().par_iter().for_each(|row| {
        for p in [1, 2, 3, 6, 8, 13] {
            let schedule = listed(&made(row.example, p, 0, 100)).unwrap();
            let graph = dag(&schedule).unwrap();
            for (i, _) in graph.messages.iter().enumerate() {
                assert!(graph.before(i).iter().all(|b| (*b as usize) < i), "acyclic");
                assert!(graph.before(i).iter().all(|b| graph.messages[*b as usize].dst == graph.messages[i].src));
            }
            for seed in 0..3 {
                let order = random_order(&graph, seed);
                if super::expected::combines(row.collective) {
                    replay_sets(&schedule, &graph, &order);
                } else {
                    replay_held(&schedule, &order);
                }
            }
        }
    });
}

fn random_order(graph: &super::Dag, seed: u64) -> Vec<usize> {
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
    let mut state = Held::start(schedule).unwrap();
    for &i in order {
        assert!(state.holds(&list, &list.transfers[i]), "{} transfer {i}", schedule.label);
        state.receive(&list, &list.transfers[i]);
    }
    state.finish(schedule).unwrap();
}

/// What a transfer carries is its sender's contribution and what its dependencies carried; at the end every rank has its
/// own and what arrived since the last stored value. Contributions must not meet twice.
fn replay_sets(schedule: &Schedule, graph: &super::Dag, order: &[usize]) {
    let list = List::of(schedule).unwrap();
    let start = Sets::start(&list).unwrap();
    let carries = |i: usize, block: u32| list.blocks(&list.transfers[i]).any(|b| b == block);
    let mut carried = std::collections::HashMap::new();
    for &i in order {
        let t = &list.transfers[i];
        for block in list.blocks(t) {
            let sources: Vec<usize> =
                graph.before(i).iter().map(|b| *b as usize).filter(|b| carries(*b, block)).collect();
            let stored = sources.iter().rposition(|b| !graph.combine[*b]);
            let mut set = match stored {
                Some(_) => vec![0; start.set(0, 0).len()],
                None => start.set(t.src, block).to_vec(),
            };
            for b in sources.into_iter().skip(stored.unwrap_or(0)) {
                let more: &Vec<u64> = &carried[&(b, block)];
                assert_eq!(super::sets::common(&set, more), None, "{} transfer {i}", schedule.label);
                super::sets::unite(&mut set, more);
            }
            carried.insert((i, block), set);
        }
    }
    let mut state = start;
    for i in 0..order.len() {
        let t = &list.transfers[i];
        for block in list.blocks(t) {
            // The arrival order at the receiver is that of the steps; only what is carried could differ.
            let step = graph.messages[i].step as usize;
            state.receive(schedule, t, block, step, &carried[&(i, block)]).unwrap();
        }
    }
    state.finish(schedule).unwrap();
}
