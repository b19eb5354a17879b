//! Traces by hand and as recorded; everything that a hostile one may hold.

use netloom_model::{BlockRange, Blocks, Collective, Outcome, Programs, Rounds, Schedule, Transfer};
use netloom_model::{GroupCall, Op};
use proptest::prelude::*;

use super::{index, read, write};

/// A schedule of that kind in which every rank but the root sends `size` bytes to it.
fn star(collective: Collective, ranks: u32, size_bytes: u64, root: u32) -> Outcome<Schedule> {
    let senders = (0..ranks).filter(|&rank| rank != root);
    let transfers: Vec<Transfer> =
        senders.map(|src| Transfer { src, dst: root, first_range: 0, ranges: 1, combine: false }).collect();
    Ok(Schedule {
        collective,
        label: format!("{collective}:star"),
        ranks,
        root,
        size_bytes,
        blocks: Blocks::Each { bytes: size_bytes, count: 1 },
        steps: 1,
        rounds: Rounds::Explicit {
            offsets: vec![0, transfers.len() as u32],
            transfers,
            ranges: vec![BlockRange { first: 0, count: 1 }],
        },
    })
}

fn one(text: &str) -> Outcome<Programs> {
    read(&[("t", text.as_bytes())], &star)
}

/// What was written, read again.
fn again(programs: &Programs) -> Programs {
    let files = write(programs).unwrap();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    read(&files, &star).unwrap()
}

fn text_of(programs: &Programs, rank: usize) -> String {
    String::from_utf8(write(programs).unwrap()[1 + rank].1.clone()).unwrap()
}

/// Recorded with SimGrid 3.32 from `tests/data/smpi_trace/mixed_4.c`.
fn mixed() -> Vec<(&'static str, &'static [u8])> {
    vec![
        ("d/mixed_4.txt", include_bytes!("../../../../tests/data/smpi_trace/mixed_4.txt")),
        ("d/mixed_4_rank_0.txt", include_bytes!("../../../../tests/data/smpi_trace/mixed_4_rank_0.txt")),
        ("d/mixed_4_rank_1.txt", include_bytes!("../../../../tests/data/smpi_trace/mixed_4_rank_1.txt")),
        ("d/mixed_4_rank_2.txt", include_bytes!("../../../../tests/data/smpi_trace/mixed_4_rank_2.txt")),
        ("d/mixed_4_rank_3.txt", include_bytes!("../../../../tests/data/smpi_trace/mixed_4_rank_3.txt")),
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
    // Received from any source, of which there is one.
    assert!(programs.of(1).contains(&Op::StartReceive { peer: 0, tag: 11, bytes: 4000 }));
    // Alltoallv: rank 1 sends nothing to rank 2, as a message.
    assert!(programs.of(1).contains(&Op::StartSend { peer: 2, tag: super::body::BURST_TAG, bytes: 0 }));
    assert!(programs.of(3).contains(&Op::StartSend {
        peer: 2,
        tag: super::body::BURST_TAG,
        bytes: 4 * (1000 + 77 * 3 + 2 * 6)
    }));
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
fn what_is_written_is_read_as_it_was() {
    let programs = read(&mixed(), &star).unwrap();
    let back = again(&programs);
    assert_eq!(back.ops, programs.ops);
    assert_eq!(back.calls, programs.calls);
    assert_eq!(write(&back).unwrap(), write(&programs).unwrap());
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
    // A wait for all leaves nothing to wait for, but what starts after it.
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
    // Explicit receives take theirs first: what is left with tag 1 comes from rank 2.
    let text = "0 recv 1 1 8\n0 recv -333 1 8\n0 irecv -333 -444 8\n0 wait -333 0 -444\n\
                1 send 0 1 8\n1 send 0 9 8\n2 send 0 1 8";
    let programs = one(text).unwrap();
    assert_eq!(programs.of(0)[1], Op::Receive { peer: 2, tag: 1, bytes: 8 });
    assert_eq!(programs.of(0)[2], Op::StartReceive { peer: 1, tag: 9, bytes: 8 });
    // From no process: nothing is sent to it, so that it is complete at once, as is the wait for it.
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
    // Three ranks: rank 0 gives all to rank 1, which brings it its block after halving with rank 2.
    let tag = super::body::BURST_TAG;
    let halving = [Op::Send { peer: 1, tag, bytes: 24 }, Op::Receive { peer: 1, tag, bytes: 4 }];
    assert_eq!(programs.of(0)[1..], halving);
    assert_eq!(
        programs.of(2)[1..],
        [Op::StartReceive { peer: 1, tag, bytes: 12 }, Op::StartSend { peer: 1, tag, bytes: 12 }, Op::WaitAll]
    );
}

/// What every rank does for one line of a collective that SMPI's default stands for.
fn by_smpi(ranks: u32, line: &str) -> Programs {
    let text: String = (0..ranks).map(|rank| format!("{rank} {line}\n")).collect();
    super::read_by_smpi(&[("t", text.as_bytes())], &star, Collective::ALL).unwrap()
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
    // SMPI swaps all that the other group needs: with the neighbour all but the own block, then all but two.
    let doubling = by_smpi(4, "reducescatter 1 2 3 4 0 6");
    assert!(doubling.of(0).contains(&Op::StartSend { peer: 1, tag: super::body::BURST_TAG, bytes: 9 }));
    assert!(doubling.of(0).contains(&Op::StartSend { peer: 2, tag: super::body::BURST_TAG, bytes: 7 }));
    // Above 524,288 elements from partner to partner, however many bytes these are.
    let pairwise = by_smpi(2, "reducescatter 1 524288 0 6");
    assert!(pairwise.of(0).contains(&Op::StartSend { peer: 1, tag: super::body::BURST_TAG, bytes: 524_288 }));
    assert_eq!(by_smpi(2, "reducescatter 1 524287 0 0").of(0).len(), 3);
}

#[test]
fn what_nobody_waits_for_is_waited_for_at_the_end() {
    let start = Op::StartSend { peer: 1, tag: 3, bytes: 8 };
    let found = |text: &str| one(&format!("{text}1 init")).unwrap().of(0).to_vec();
    assert_eq!(found("0 isend 1 3 8\n0 compute 5\n"), [start, Op::Compute { flops: 5.0 }, Op::WaitAll]);
    assert_eq!(found("0 isend 1 3 8\n0 wait 0 1 3\n"), [start, Op::Wait { back: 1 }]);
}

const REFUSED: &[(&str, &str, &str)] = &[
    ("", "NL-F004", "t: holds no action"),
    ("x\n", "NL-F010", "\"x\", which is not given"),
    ("0 init\n2 init\n", "NL-F010", "rank 1 of 3 has no action"),
    ("0 init\n4294967296 init\n", "NL-F009", "a rank in 0..1048576"),
    ("0 init\n-1 init\n", "NL-F009", "t:2:1 first word"),
    ("0 init\n0\n", "NL-F020", "an action that can be replayed"),
    ("0 bcats 3", "NL-F020", "did you mean bcast?"),
    ("0 waitAny 2", "NL-F020", "does not say which one completed"),
    ("0 Ssend 0 1 2", "NL-F020", "use MPI_Send or MPI_Isend"),
    ("0 comm_split 1", "NL-F020", "which ranks a split communicator has"),
    ("0 ibcast 3 0 1", "NL-F020", "non-blocking collectives"),
    ("0 Start 0 1 2 0", "NL-F020", "persistent requests"),
    ("0 send 0 1", "NL-F003", "3 to 4 arguments instead of 2"),
    ("0 send 1 1 1", "NL-F009", "t:1:8 must be a rank in 0..1 (exclusive), got \"1\""),
    ("0 send 0 -2 1", "NL-F009", "a tag >= 0"),
    ("0 send 0 99999999999 1", "NL-F009", "an integer of 32 bits"),
    ("0 send 0 1 -1", "NL-F009", "a number of elements"),
    ("0 send 0 1 1.5", "NL-F009", "a number of elements"),
    ("0 send 0 1 18446744073709551615 0", "NL-F009", "less than 2^63 bytes"),
    ("0 send 0 1 1 -1", "NL-F020", "derived datatype"),
    ("0 send 0 1 1 99", "NL-F020", "the number of a datatype"),
    ("0 compute -1", "NL-F009", "a finite amount"),
    ("0 compute nan", "NL-F009", "a finite amount"),
    ("0 compute 1e999", "NL-F009", "a finite amount"),
    ("0 wait 0 0 1", "NL-F007", "a request that was started"),
    ("0 bcast 1 1", "NL-F009", "a rank in 0..1"),
    ("0 alltoallv 1 1", "NL-F003", "4 to 6 arguments"),
    // As SimGrid 3.32 records MPI_Reduce_scatter_block of 3: three zeros, whatever the number of ranks.
    ("0 reducescatter 0 0 0 0 1 ", "NL-F003", "2 to 3 arguments instead of 5"),
    ("0 bcast 1 0\n1 barrier\n", "NL-F021", "broadcast of 1 bytes from or to rank 0"),
    ("0 barrier\n0 barrier\n1 barrier\n", "NL-F021", "rank 1 enters 1 collectives, another rank 2"),
    ("0 bcast 1 0\n1 bcast 2 0\n", "NL-F021", "sub-communicators"),
    ("0 recv -333 1 8\n1 send 0 1 8\n2 send 0 1 8", "NL-F022", "exactly one rank"),
    ("0 recv -333 1 8\n0 recv -333 1 8\n1 send 0 1 8", "NL-F022", "name the source"),
    ("0 recv -555 1 8", "NL-F022", "exactly one rank"),
];

#[test]
fn what_cannot_be_replayed_is_refused_with_its_place() {
    for &(text, code, says) in REFUSED {
        let faults = one(text).unwrap_err();
        assert!(faults.0[0].code == code && faults.to_string().contains(says), "{text:?}: {faults}");
    }
    assert_eq!(one("0 send 0 1 \u{0}").unwrap_err().0[0].code, "NL-F002");
    assert_eq!(read(&[], &star).unwrap_err().0[0].code, "NL-F004");
}

#[test]
fn the_faults_of_a_schedule_come_through() {
    let refuse = |_: Collective, _: u32, _: u64, _: u32| {
        Err(netloom_model::Fault::say(&crate::codes::VALUE, "bcast", "needs more ranks").into())
    };
    assert!(read(&[("t", b"0 bcast 1 0")], &refuse).unwrap_err().to_string().contains("needs more ranks"));
}

#[test]
fn a_flood_of_faults_or_calls_is_cut() {
    let faults = one(&"0 fly\n".repeat(100_000)).unwrap_err();
    assert!(faults.0.len() == 20 && faults.to_string().contains("99980 more"));
    let many: String = (0..20_000).map(|n| format!("0 bcast {n} 0\n")).collect();
    assert_eq!(one(&many).unwrap_err().0[0].code, "NL-F001");
}

#[test]
fn loops_are_unrolled() {
    let send = Op::StartSend { peer: 1, tag: 2, bytes: 3 };
    let body = vec![
        Op::Repeat { ops: 3, times: 2 },
        Op::Repeat { ops: 1, times: 2 },
        send,
        Op::WaitAll,
        Op::Sleep { seconds: 0.25 },
    ];
    let programs = Programs::new("p", vec![body, Vec::new()], Vec::new()).unwrap();
    let isend = "0 isend 1 2 3 6\n";
    let once = format!("{isend}{isend}0 waitall 2\n");
    assert_eq!(text_of(&programs, 0), format!("0 init\n{once}{once}0 sleep 0.25\n0 finalize\n"));
}

#[test]
fn loops_without_end_are_refused_before_they_run() {
    for inside in [vec![Op::WaitAll], Vec::new()] {
        let times = u32::MAX;
        let mut body: Vec<Op> = (0..4).map(|d| Op::Repeat { ops: 3 - d + inside.len() as u32, times }).collect();
        body.extend(inside.iter());
        let programs = Programs::new("p", vec![body], Vec::new()).unwrap();
        assert_eq!(write(&programs).unwrap_err().0[0].code, "NL-F001");
    }
}

#[test]
fn a_wait_is_written_once_and_by_name() {
    let start = |tag| Op::StartReceive { peer: 1, tag, bytes: 1 };
    let body = vec![
        start(4),
        start(5),
        Op::Wait { back: 2 },
        Op::Wait { back: 2 },
        Op::WaitAll,
        Op::WaitAll,
        Op::Wait { back: 9 },
    ];
    let programs = Programs::new("p", vec![body, Vec::new()], Vec::new()).unwrap();
    assert!(text_of(&programs, 0).ends_with("0 wait 1 0 4\n0 waitall 1\n0 finalize\n"));
}

#[test]
fn a_collective_of_some_ranks_becomes_its_messages() {
    let schedule = star(Collective::Gather, 2, 7, 0).unwrap().into();
    let calls = vec![GroupCall { schedule, members: vec![2, 0] }];
    let body = |member| vec![Op::Collective { call: 0, member }];
    let programs = Programs::new("p", vec![body(1), Vec::new(), body(0)], calls).unwrap();
    let tag = 0x7fff_0001;
    assert_eq!(text_of(&programs, 0), format!("0 init\n0 isend 2 {tag} 7 6\n0 wait 0 2 {tag}\n0 finalize\n"));
    assert_eq!(text_of(&programs, 2), format!("2 init\n2 irecv 0 {tag} 7 6\n2 wait 0 2 {tag}\n2 finalize\n"));
    assert_eq!(again(&programs).of(1), []);
}

#[test]
fn a_tag_that_smpi_cannot_read_is_refused() {
    let body = vec![Op::Send { peer: 1, tag: 1 << 31, bytes: 1 }];
    let programs = Programs::new("p", vec![body, Vec::new()], Vec::new()).unwrap();
    assert_eq!(write(&programs).unwrap_err().0[0].code, "NL-F018");
}

#[test]
fn the_reference_page_has_every_action() {
    let page = include_str!("../../../../docs/reference/formats.md");
    for name in super::action::NAMES {
        assert!(page.contains(&format!("`{name}`")), "{name}");
        // The list is what the parser knows: none of them is unknown to it.
        let refused = one(&format!("0 {name}")).map_or_else(|faults| faults.to_string(), |_| String::new());
        assert!(!refused.contains("that can be replayed"), "{name}: {refused}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = read(&[("t", &bytes)], &star);
    }

    #[test]
    fn a_damaged_trace_is_read_or_refused(at in 0usize..3000, to in any::<u8>(), cut in 0usize..40) {
        let mut all: Vec<u8> = mixed()[1..].iter().flat_map(|(_, bytes)| bytes.iter().copied()).collect();
        let at = at % all.len();
        all[at] = to;
        all.drain(at..(at + cut).min(all.len()));
        if let Ok(programs) = read(&[("t", &all)], &star) {
            prop_assert!(write(&programs).is_ok());
        }
    }

    /// Programs without loops and groups come back as they were, but for waits that wait for nothing.
    #[test]
    fn programs_survive_their_trace(steps in proptest::collection::vec((0u32..3, 0u32..3, 0u32..4, 0u64..5000, 0u8..8), 0..40)) {
        let mut bodies = vec![Vec::new(); 3];
        for (from, to, tag, bytes, kind) in steps {
            let (send, receive) = match (kind % 2, from == to) {
                (0, false) => (Op::Send { peer: to, tag, bytes }, Op::Receive { peer: from, tag, bytes }),
                _ => (Op::StartSend { peer: to, tag, bytes }, Op::StartReceive { peer: from, tag, bytes }),
            };
            bodies[from as usize].push(send);
            bodies[to as usize].push(receive);
            match kind / 2 {
                0 if kind == 1 || from == to => bodies[from as usize].push(Op::WaitAll),
                1 => bodies[to as usize].push(Op::Compute { flops: bytes as f64 / 3.0 }),
                2 => bodies[from as usize].push(Op::Sleep { seconds: bytes as f64 * 1e-9 }),
                _ => {}
            }
        }
        let programs = Programs::new("p", bodies, Vec::new()).unwrap();
        let back = again(&programs);
        for rank in 0..3 {
            let (mut expected, found) = (programs.of(rank).to_vec(), back.of(rank));
            // Requests that are open at the end are waited for.
            if found.len() > expected.len() {
                expected.push(Op::WaitAll);
            }
            prop_assert_eq!(found, &expected[..]);
        }
    }
}
