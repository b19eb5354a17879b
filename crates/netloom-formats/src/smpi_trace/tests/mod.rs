//! Traces written by hand and recorded.

mod hostile;
mod written;

use netloom_model::Op;
use netloom_model::{Collective, Outcome, Programs};

use super::index;
use crate::recorded::{BURST_TAG, Choice, Collectives, Recorded, Scale, read_files, star};

fn read(files: &[(&str, &[u8])], collectives: Collectives<'_>) -> Outcome<Programs> {
    read_with(files, Choice { collectives, by_smpi: &[], scale: &Scale::default() }).map(|recorded| recorded.programs)
}

fn read_with(files: &[(&str, &[u8])], choice: Choice<'_>) -> Outcome<Recorded> {
    read_files(Some("smpi-trace"), files, choice)
}

fn one(text: &str) -> Outcome<Programs> {
    read(&[("t", text.as_bytes())], &star)
}

/// Recorded with SimGrid 3.32 from `tests/data/smpi_trace/mixed_4.c`.
fn mixed() -> Vec<(&'static str, &'static [u8])> {
    vec![
        ("d/mixed_4.txt", include_bytes!("../../../../../tests/data/smpi_trace/mixed_4.txt")),
        ("d/mixed_4_rank_0.txt", include_bytes!("../../../../../tests/data/smpi_trace/mixed_4_rank_0.txt")),
        ("d/mixed_4_rank_1.txt", include_bytes!("../../../../../tests/data/smpi_trace/mixed_4_rank_1.txt")),
        ("d/mixed_4_rank_2.txt", include_bytes!("../../../../../tests/data/smpi_trace/mixed_4_rank_2.txt")),
        ("d/mixed_4_rank_3.txt", include_bytes!("../../../../../tests/data/smpi_trace/mixed_4_rank_3.txt")),
    ]
}

#[test]
fn a_recorded_trace_is_read_as_the_application_ran() {
    let programs = read(&mixed(), &star).unwrap();
    assert_eq!((programs.ranks(), programs.label.as_str()), (4, "d/mixed_4.txt"));
    let calls: Vec<_> = programs.calls.iter().map(|c| (c.schedule.collective, c.schedule.size_bytes)).collect();
    // Counts of the C program times 8 or 4 bytes, in order; reduce-scatter gives every rank 500 integers.
    assert_eq!(
        calls,
        [
            (Collective::Barrier, 0),
            (Collective::Broadcast, 80_000),
            (Collective::Reduce, 80_800),
            (Collective::Allreduce, 40_800),
            (Collective::Alltoall, 4012),
            (Collective::Allgather, 4160),
            (Collective::Gather, 4200),
            (Collective::Scatter, 4240),
            (Collective::ReduceScatter, 2000),
            (Collective::Scan, 68),
            (Collective::Exscan, 72),
        ]
    );
    assert_eq!((programs.calls[1].schedule.root, programs.calls[2].schedule.root), (2, 1));
    let expected = [
        Op::Receive { peer: 0, tag: 5, bytes: 160_000 },
        Op::Collective { call: 0, member: 1 },
        // The send to no process between them takes no time.
        Op::StartSend { peer: 2, tag: 7, bytes: 12_000 },
        Op::StartReceive { peer: 0, tag: 7, bytes: 12_000 },
        Op::Wait { back: 1 },
        Op::Wait { back: 2 },
        Op::StartSend { peer: 2, tag: 8, bytes: 48_000 },
        Op::StartReceive { peer: 0, tag: 8, bytes: 48_000 },
        Op::WaitAll,
    ];
    assert_eq!(programs.of(1)[..expected.len()], expected);
    // Received from any source; there is only one.
    assert!(programs.of(1).contains(&Op::StartReceive { peer: 0, tag: 11, bytes: 4000 }));
    // Alltoallv: rank 1 sends nothing to rank 2, as a message.
    assert!(programs.of(1).contains(&Op::StartSend { peer: 2, tag: BURST_TAG, bytes: 0 }));
    assert!(programs.of(3).contains(&Op::StartSend { peer: 2, tag: BURST_TAG, bytes: 4 * (1000 + 77 * 3 + 2 * 6) }));
}

#[test]
fn every_byte_sent_is_received() {
    let programs = read(&mixed(), &star).unwrap();
    let mut left = std::collections::BTreeMap::new();
    for rank in 0..4 {
        for op in programs.of(rank) {
            match *op {
                Op::Send { peer, tag, .. } | Op::StartSend { peer, tag, .. } => {
                    *left.entry((rank, peer, tag)).or_insert(0i64) += 1;
                }
                Op::Receive { peer, tag, .. } | Op::StartReceive { peer, tag, .. } => {
                    *left.entry((peer, rank, tag)).or_insert(0) -= 1;
                }
                _ => {}
            }
        }
    }
    assert!(left.len() > 12 && left.values().all(|&n| n == 0), "{left:?}");
}

#[test]
fn one_file_and_one_per_rank_are_the_same() {
    let all: Vec<u8> = mixed()[1..].iter().flat_map(|(_, bytes)| bytes.iter().copied()).collect();
    let merged = read(&[("all", &all)], &star).unwrap();
    assert_eq!(merged.ops, read(&mixed(), &star).unwrap().ops);
    assert_eq!(index(&all, "all").unwrap(), None);
    assert_eq!(index(mixed()[0].1, "i").unwrap().unwrap()[3], "mixed_4_rank_3.txt");
    assert_eq!(index(b"# made by hand\nall.txt\n", "i").unwrap().unwrap(), ["all.txt"]);
}

#[test]
fn elements_without_a_datatype_are_bytes_or_doubles() {
    let bytes = |init: &str| one(&format!("0 {init}\n0 send 1 0 10\n1 {init}\n1 recv 0 0 10 1")).unwrap().ops;
    assert_eq!(bytes("init")[0], Op::Send { peer: 1, tag: 0, bytes: 10 });
    assert_eq!(bytes("init 1")[0], Op::Send { peer: 1, tag: 0, bytes: 80 });
    assert_eq!(bytes("init 1")[1], Op::Receive { peer: 0, tag: 0, bytes: 40 });
}

#[test]
fn waits_of_one_name_are_taken_in_order() {
    let text =
        "0 irecv 1 3 8\n0 irecv 1 3 8\n0 irecv 1 4 8\n0 wait 1 0 3\n0 wait 1 0 4\n0 wait 1 0 3\n0 wait 1 0 3\n1 init";
    let waits: Vec<Op> = one(text).unwrap().of(0)[3..].to_vec();
    assert_eq!(waits, [3, 1, 2].map(|back| Op::Wait { back }));
    // A wait for all leaves nothing to wait for except later requests.
    let text = "0 irecv 1 3 8\n0 waitall 1\n0 wait 1 0 3\n0 irecv 1 3 8\n0 wait 1 0 3\n1 init";
    assert_eq!(one(text).unwrap().of(0)[1..3].to_vec(), [Op::WaitAll, Op::StartReceive { peer: 1, tag: 3, bytes: 8 }]);
    assert_eq!(one(text).unwrap().of(0)[3..], [Op::Wait { back: 1 }]);
}

#[test]
fn the_test_that_succeeded_is_a_wait() {
    let start = Op::StartReceive { peer: 1, tag: 3, bytes: 8 };
    let (wait, compute) = (Op::Wait { back: 1 }, Op::Compute { flops: 5.0 });
    let poll = "0 irecv 1 3 8\n0 test 1 0 3\n0 compute 5\n0 test 1 0 3\n";
    let found = |text: &str| one(&format!("{text}1 init")).unwrap().of(0).to_vec();
    // The last of a loop; twice, the name used again; none if a wait or a wait for all follows.
    assert_eq!(found(poll), [start, compute, wait]);
    assert_eq!(found(&poll.repeat(2)), [start, compute, wait, start, compute, wait]);
    assert_eq!(found(&format!("{poll}0 wait 1 0 3\n")), [start, compute, wait]);
    assert_eq!(found(&format!("{poll}0 waitall 1\n")), [start, compute, Op::WaitAll]);
    // Two of one name: the test was of the first, the wait is for the second.
    assert_eq!(
        found("0 irecv 1 3 8\n0 irecv 1 3 8\n0 test 1 0 3\n0 wait 1 0 3\n"),
        [start, start, Op::Wait { back: 2 }, Op::Wait { back: 1 }]
    );
}

#[test]
fn a_message_to_itself_does_not_block() {
    let text = "0 isend 0 1 8\n0 recv 0 1 8\n0 wait 0 0 1\n0 send 0 2 8\n0 recv 0 2 8";
    let programs = one(text).unwrap();
    assert_eq!(programs.ops.iter().filter(|op| matches!(op, Op::Wait { .. })).count(), 4);
    assert!(!programs.ops.iter().any(|op| matches!(op, Op::Send { .. } | Op::Receive { .. })));
}

#[test]
fn a_receive_from_any_source_takes_the_only_one_that_fits() {
    // Explicit receives take their messages first: the remaining one with tag 1 comes from rank 2.
    let text = "0 recv 1 1 8\n0 recv -333 1 8\n0 irecv -333 -444 8\n0 wait -333 0 -444\n\
                1 send 0 1 8\n1 send 0 9 8\n2 send 0 1 8";
    let programs = one(text).unwrap();
    assert_eq!(programs.of(0)[1], Op::Receive { peer: 2, tag: 1, bytes: 8 });
    assert_eq!(programs.of(0)[2], Op::StartReceive { peer: 1, tag: 9, bytes: 8 });
    // From no process: nothing is sent to it, so it is complete at once, as is its wait.
    let none = one("0 irecv -333 7 5 1\n0 isend -333 7 6 1\n0 wait -333 0 7\n0 waitall 2\n").unwrap();
    assert_eq!(none.ops, [Op::WaitAll]);
}

#[test]
fn combining_takes_its_operations() {
    let programs = one("0 allreduce 2 1e6 0\n0 reduce 3 0 0 0\n0 reducescatter 4 2.5 0\n").unwrap();
    assert_eq!(programs.ops[1], Op::Compute { flops: 1e6 });
    assert_eq!((programs.ops.len(), programs.ops[4]), (5, Op::Compute { flops: 2.5 }));
}

#[test]
fn equal_counts_are_the_collective_itself() {
    let line = |r: u32| format!("{r} allgatherv 5 5 5 5 1 1\n{r} reducescatter 1 2 3 0 1\n");
    let programs = one(&(line(0) + &line(1) + &line(2))).unwrap();
    let calls: Vec<_> = programs.calls.iter().map(|c| (c.schedule.collective, c.schedule.size_bytes)).collect();
    assert_eq!(calls, [(Collective::Allgather, 20)]);
    // Three ranks: rank 0 sends everything to rank 1, which returns its block after halving with rank 2.
    let tag = BURST_TAG;
    let halving = [Op::Send { peer: 1, tag, bytes: 24 }, Op::Receive { peer: 1, tag, bytes: 4 }];
    assert_eq!(programs.of(0)[1..], halving);
    assert_eq!(
        programs.of(2)[1..],
        [Op::StartReceive { peer: 1, tag, bytes: 12 }, Op::StartSend { peer: 1, tag, bytes: 12 }, Op::WaitAll]
    );
}

/// The actions of every rank for one line of a collective that uses SMPI's default.
fn by_smpi(ranks: u32, line: &str) -> Programs {
    let text: String = (0..ranks).map(|rank| format!("{rank} {line}\n")).collect();
    let choice = Choice { collectives: &star, by_smpi: Collective::ALL, scale: &Scale::default() };
    read_with(&[("t", text.as_bytes())], choice).unwrap().programs
}

/// Every message has its receive, of the same size and in the same order.
fn assert_matched(programs: &Programs, what: &str) {
    let mut sent = std::collections::BTreeMap::<_, Vec<u64>>::new();
    let mut received = sent.clone();
    for rank in 0..programs.ranks() {
        for op in programs.of(rank) {
            match *op {
                Op::Send { peer, bytes, .. } | Op::StartSend { peer, bytes, .. } => {
                    sent.entry((rank, peer)).or_default().push(bytes);
                }
                Op::Receive { peer, bytes, .. } | Op::StartReceive { peer, bytes, .. } => {
                    received.entry((peer, rank)).or_default().push(bytes);
                }
                _ => {}
            }
        }
    }
    assert_eq!(sent, received, "{what} of {} ranks", programs.ranks());
}

#[test]
fn what_smpi_sends_is_received() {
    for ranks in (1..=17).chain([32, 33, 70]) {
        let root = ranks / 2;
        let counts = |scale: u32| (0..ranks).map(|r| format!("{} ", r % 5 * scale)).collect::<String>();
        for bytes in [0, 100, 600_000] {
            for line in [
                format!("bcast {bytes} {root} 6"),
                format!("reduce {bytes} 0 {root} 6"),
                format!("allreduce {bytes} 0 6"),
                format!("scan {bytes} 0 6"),
                format!("alltoall {bytes} {bytes} 6 6"),
                format!("allgather {bytes} {bytes} 6 6"),
                format!("gather {bytes} {bytes} {root} 6 6"),
                format!("scatter {bytes} {bytes} {root} 6 6"),
                format!("reducescatter {}0 6", format!("{bytes} ").repeat(ranks as usize)),
                format!("reducescatter {}0 6", counts(bytes)),
                "barrier".to_string(),
            ] {
                let programs = by_smpi(ranks, &line);
                assert!(programs.calls.is_empty());
                assert_matched(&programs, &line);
            }
            let text: String = (0..ranks).map(|rank| format!("{rank} reducescatter {}0 6\n", counts(bytes))).collect();
            assert_matched(&one(&text).unwrap(), &text);
        }
    }
}

#[test]
fn a_reduce_scatter_of_unequal_blocks_halves_what_is_left() {
    let line = |rank: u32| format!("{rank} reducescatter 1 2 3 4 0 6\n");
    let programs = one(&(0..4).map(line).collect::<String>()).unwrap();
    let sizes = |rank: u32| -> Vec<(u32, u64)> {
        let of = |op: &Op| match *op {
            Op::StartSend { peer, bytes, .. } => Some((peer, bytes)),
            _ => None,
        };
        programs.of(rank).iter().filter_map(of).collect()
    };
    assert_eq!((sizes(0), sizes(3)), (vec![(2, 7), (1, 2)], vec![(1, 3), (2, 3)]));
    // SMPI exchanges all that the other group needs: with the neighbour all but the own block, then all but two.
    let doubling = by_smpi(4, "reducescatter 1 2 3 4 0 6");
    assert!(doubling.of(0).contains(&Op::StartSend { peer: 1, tag: BURST_TAG, bytes: 9 }));
    assert!(doubling.of(0).contains(&Op::StartSend { peer: 2, tag: BURST_TAG, bytes: 7 }));
    // Above 524,288 elements pairwise, for any number of bytes.
    let pairwise = by_smpi(2, "reducescatter 1 524288 0 6");
    assert!(pairwise.of(0).contains(&Op::StartSend { peer: 1, tag: BURST_TAG, bytes: 524_288 }));
    assert_eq!(by_smpi(2, "reducescatter 1 524287 0 0").of(0).len(), 3);
}

#[test]
fn what_nobody_waits_for_is_waited_for_at_the_end() {
    let start = Op::StartSend { peer: 1, tag: 3, bytes: 8 };
    let found = |text: &str| one(&format!("{text}1 init")).unwrap().of(0).to_vec();
    assert_eq!(found("0 isend 1 3 8\n0 compute 5\n"), [start, Op::Compute { flops: 5.0 }, Op::WaitAll]);
    assert_eq!(found("0 isend 1 3 8\n0 wait 0 1 3\n"), [start, Op::Wait { back: 1 }]);
}

#[test]
fn the_reference_page_has_every_action() {
    let page = include_str!("../../../../../docs/reference/formats.md");
    for name in super::action::NAMES {
        assert!(page.contains(&format!("`{name}`")), "{name}");
        // The list agrees with the parser: it knows all of them.
        let refused = one(&format!("0 {name}")).map_or_else(|faults| faults.to_string(), |_| String::new());
        assert!(!refused.contains("that can be replayed"), "{name}: {refused}");
    }
}
