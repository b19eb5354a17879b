//! Programs of ranks.

use super::*;
use crate::schedule::{BlockRange, Blocks, Collective, Rounds, Transfer};

#[test]
fn a_collective_becomes_its_messages() {
    let range = |count| BlockRange { first: 0, count };
    let transfer = |src, dst, first_range| Transfer { src, dst, first_range, ranges: 1, combine: false };
    let schedule = Schedule {
        collective: Collective::Broadcast,
        label: "broadcast:mine".into(),
        ranks: 3,
        root: 0,
        size_bytes: 8,
        blocks: Blocks::Each { bytes: 4, count: 2 },
        steps: 2,
        copied: Default::default(),
        switches: 0,
        channels: 1,
        order: crate::schedule::RankOrder::default(),
        protocol: None,
        rounds: Rounds::Explicit {
            offsets: vec![0, 2, 3],
            transfers: vec![transfer(1, 2, 1), transfer(0, 1, 0), transfer(1, 0, 0)],
            ranges: vec![range(1), range(2)],
        },
    };
    let programs = Programs::of_schedule(&schedule).unwrap();
    let receive = |peer, bytes| Op::StartReceive { peer, tag: 0, bytes };
    let send = |peer, bytes| Op::StartSend { peer, tag: 0, bytes };
    assert_eq!(programs.of(0), [send(1, 4), Op::WaitAll, receive(1, 4), Op::WaitAll]);
    assert_eq!(programs.of(1), [receive(0, 4), send(2, 8), Op::WaitAll, send(0, 4), Op::WaitAll]);
    let twice = programs.repeated(2).unwrap();
    assert_eq!(twice.of(2), [Op::Repeat { ops: 2, times: 2 }, receive(1, 8), Op::WaitAll]);
    let (mut once, mut both) = (0, 0);
    programs.for_each_message(|_, _, bytes, times| once += bytes * times);
    twice.for_each_message(|_, _, bytes, times| both += bytes * times);
    assert_eq!((once, both), (16, 32));
    let deep = programs.repeated(1).and_then(|p| p.repeated(1)).and_then(|p| p.repeated(1)).unwrap();
    assert!(deep.repeated(1).is_ok_and(|p| p.repeated(1).is_err()));
}

#[test]
fn what_cannot_run_is_named() {
    let one = |op: Op| Programs::new("p", vec![vec![op], vec![]], Vec::new());
    for bad in [
        Op::Send { peer: 2, tag: 0, bytes: 1 },
        Op::Send { peer: 0, tag: 0, bytes: 1 },
        Op::Compute { flops: f64::NAN },
        Op::Sleep { seconds: -1.0 },
        Op::Collective { call: 0, member: 0 },
        Op::Repeat { ops: 1, times: 2 },
        Op::Wait { back: 0 },
    ] {
        let faults = one(bad).unwrap_err();
        assert!(faults.to_string().contains("rank 0, action 0"), "{faults}");
    }
    assert!(one(Op::Send { peer: 1, tag: 0, bytes: 1 }).is_ok());
}

#[test]
fn strands_are_joined_where_they_start() {
    let (strand, sleep) = (Op::Strand { ops: 1 }, Op::Sleep { seconds: 1.0 });
    let made = |body: Vec<Op>| Programs::new("p", vec![body], Vec::new());
    assert!(made(vec![strand, sleep, strand, sleep, sleep, Op::Join]).is_ok());
    assert!(made(vec![Op::Repeat { ops: 3, times: 9 }, strand, sleep, Op::Join]).is_ok());
    assert!(made(vec![Op::Strand { ops: 3 }, strand, sleep, Op::Join, Op::Join]).is_ok());
    for unjoined in [
        vec![strand, sleep],
        vec![Op::Repeat { ops: 2, times: 9 }, strand, sleep, Op::Join],
        vec![Op::Strand { ops: 2 }, strand, sleep, Op::Join],
    ] {
        let faults = made(unjoined).unwrap_err();
        assert!(faults.to_string().contains("a join of the strands"), "{faults}");
    }
    assert!(made(vec![Op::Strand { ops: 2 }, sleep]).is_err());
    let loops = |n: u32| (0..n).map(|k| Op::Repeat { ops: n - k, times: 2 }).chain([sleep]).collect::<Vec<_>>();
    let in_strand: Vec<Op> = [Op::Repeat { ops: 8, times: 2 }, Op::Repeat { ops: 7, times: 2 }, Op::Strand { ops: 5 }]
        .into_iter()
        .chain(loops(4))
        .chain([Op::Join])
        .collect();
    assert!(made(loops(4)).is_ok() && made(loops(5)).is_err());
    assert!(made(in_strand).is_ok());
}

#[test]
fn loops_nest() {
    let compute = Op::Compute { flops: 1.0 };
    let nested = vec![Op::Repeat { ops: 2, times: 3 }, Op::Repeat { ops: 1, times: 2 }, compute, compute];
    assert!(Programs::new("p", vec![nested], Vec::new()).is_ok());
    let crossing = vec![Op::Repeat { ops: 2, times: 3 }, Op::Repeat { ops: 2, times: 2 }, compute, compute];
    assert!(Programs::new("p", vec![crossing], Vec::new()).is_err());
}

#[test]
fn communicators_are_collectives_side_by_side() {
    let schedule = Arc::new(Schedule {
        collective: Collective::Barrier,
        label: "barrier:mine".into(),
        ranks: 2,
        root: 0,
        size_bytes: 0,
        blocks: Blocks::Each { bytes: 0, count: 1 },
        steps: 0,
        copied: Default::default(),
        switches: 0,
        channels: 1,
        order: crate::schedule::RankOrder::default(),
        protocol: None,
        rounds: Rounds::Explicit { offsets: vec![0], transfers: Vec::new(), ranges: Vec::new() },
    });
    let call = |members: [u32; 2]| GroupCall { schedule: Arc::clone(&schedule), members: members.into() };
    let calls = vec![call([0, 2]), call([1, 3])];
    let body = |rank: u32, more: &[Op]| {
        let (call, member) = (rank % 2, rank / 2);
        [&[Op::Repeat { ops: 1, times: 1 + call }, Op::Collective { call, member }], more].concat()
    };
    let made = |more: &[Op]| Programs::new("p", (0..4).map(|rank| body(rank, more)).collect(), calls.clone()).unwrap();
    let plain = made(&[]).repeated(5).unwrap();
    let found = plain.communicators().unwrap();
    assert_eq!(found.iter().map(|(call, times)| (call.members[0], *times)).collect::<Vec<_>>(), [(0, 5), (1, 10)]);
    assert!(made(&[Op::Sleep { seconds: 1.0 }]).communicators().is_none());
    assert!(made(&[Op::WaitAll]).communicators().is_none());
    assert!(Programs::new("p", vec![Vec::new()], Vec::new()).unwrap().communicators().is_none());
}
