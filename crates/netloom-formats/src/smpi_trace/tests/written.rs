//! Written traces, read again.

use netloom_model::{Collective, GroupCall, Op, Programs};
use proptest::prelude::*;

use super::super::write::write;
use super::{mixed, read, star};
use crate::recorded::{drawn_bodies, drawn_steps};

/// The written trace, read again.
fn again(programs: &Programs) -> Programs {
    let files = write(programs).unwrap();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    read(&files, &star).unwrap()
}

fn text_of(programs: &Programs, rank: usize) -> String {
    String::from_utf8(write(programs).unwrap()[1 + rank].1.clone()).unwrap()
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

proptest! {
    /// Programs without loops and groups come back unchanged, except for waits that wait for nothing.
    #[test]
    fn programs_survive_their_trace(steps in drawn_steps()) {
        let bodies = drawn_bodies(steps, 1e-9);
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
