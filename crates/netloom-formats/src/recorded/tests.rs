//! Events on communicators, and graphs of tasks.

use netloom_model::schedule::RankOrder;
use netloom_model::{BlockRange, Blocks, Call, Collective, Op, Outcome, Programs, Rounds, Schedule, Transfer};

use proptest::strategy::Strategy;

use super::graph::{Task, TaskGraph, Work};
use super::*;

/// Every member but the root sends to it.
pub fn star(collective: Collective, ranks: u32, size_bytes: u64, root: u32) -> Outcome<Schedule> {
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
        copied: Default::default(),
        switches: 0,
        channels: 1,
        order: RankOrder::default(),
        protocol: None,
        rounds: Rounds::Explicit {
            offsets: vec![0, transfers.len() as u32],
            transfers,
            ranges: vec![BlockRange { first: 0, count: 1 }],
        },
    })
}

/// What the files of a trace give, the first one before those that it names.
pub fn read_files(format: Option<&str>, files: &[(&str, &[u8])], choice: Choice<'_>) -> Outcome<Recorded> {
    let names: Vec<String> = files[1..].iter().map(|(name, _)| (*name).to_string()).collect();
    let read = |number: usize| Ok(files[1 + number].1.to_vec());
    let others = Others { names: &names, read: &read, window: None };
    crate::read::<Programs>(files[0].1, files[0].0, format.map(Call::bare).as_ref(), Replay { others, choice })
}

const ONE: Scale = Scale { compute: Vec::new(), bytes: 1.0, region: Region { begin: None, end: None } };
const CHOICE: Choice<'static> = Choice { collectives: &star, by_smpi: &[], scale: &ONE };

fn collective(root: u32, starts: Option<Key>) -> Event {
    Event::Collective { collective: Collective::Broadcast, bytes: 8, root, flops: 0.0, starts }
}

fn made(recording: Recording) -> Programs {
    recording.finish(CHOICE).unwrap().programs
}

#[test]
fn members_are_numbered_in_their_communicator() {
    let mut recording = Recording::new("t", 4, &[], &Scale::default()).unwrap();
    let odd = recording.communicator(vec![3, 1]).unwrap();
    let again = recording.communicator(vec![3, 1]).unwrap();
    let send = |tag| Event::Send { to: 0, tag, bytes: 5, starts: None };
    let receive = |from, tag| Event::Receive { from, tag, bytes: 5, starts: None };
    recording.add(1, odd, send(7)).unwrap();
    recording.add(3, odd, receive(1, 7)).unwrap();
    for group in [odd, again] {
        recording.add(1, group, collective(0, None)).unwrap();
        recording.add(3, group, collective(0, None)).unwrap();
    }
    let programs = made(recording);
    let Op::Send { peer: 3, tag, bytes: 5 } = programs.of(1)[0] else { panic!("{:?}", programs.of(1)) };
    assert!(tag != 7);
    assert_eq!(programs.of(3)[0], Op::Receive { peer: 1, tag, bytes: 5 });
    assert_eq!(programs.calls.len(), 1);
    assert_eq!(programs.calls[0].members, [3, 1]);
    assert_eq!(programs.of(1)[1..], [Op::Collective { call: 0, member: 1 }; 2]);
    assert!(programs.of(0).is_empty());
}

#[test]
fn wildcards_stay_in_their_communicator() {
    let mut recording = Recording::new("t", 3, &[], &Scale::default()).unwrap();
    let pair = recording.communicator(vec![2, 0]).unwrap();
    let any = Event::Receive { from: ANY_SOURCE, tag: ANY_TAG, bytes: 9, starts: None };
    let events = [
        (0, pair, Event::Send { to: 0, tag: 4, bytes: 9, starts: None }),
        (1, WORLD, Event::Send { to: 2, tag: 5, bytes: 9, starts: None }),
        (2, WORLD, any.clone()),
        (2, pair, any),
    ];
    events.iter().for_each(|(rank, group, event)| recording.foresee(*rank, *group, event));
    recording.resolve();
    events.into_iter().for_each(|(rank, group, event)| recording.add(rank, group, event).unwrap());
    let programs = made(recording);
    let peers: Vec<_> =
        programs.of(2).iter().map(|op| if let Op::Receive { peer, .. } = op { *peer } else { 9 }).collect();
    assert_eq!(peers, [1, 0]);
}

#[test]
fn what_goes_on_by_itself_is_joined() {
    let mut recording = Recording::new("t", 2, &[], &Scale::default()).unwrap();
    for rank in 0..2 {
        recording.add(rank, WORLD, collective(0, Some((1, 0, 0)))).unwrap();
        recording.add(rank, WORLD, Event::Sleep(1.0)).unwrap();
        recording.add(rank, WORLD, Event::Wait((1, 0, 0))).unwrap();
        recording.add(rank, WORLD, collective(1, Some((2, 0, 0)))).unwrap();
    }
    let call = |call| [Op::Strand { ops: 1 }, Op::Collective { call, member: 0 }];
    let expected = [&call(0)[..], &[Op::Sleep { seconds: 1.0 }, Op::Join], &call(1), &[Op::Join]].concat();
    assert_eq!(made(recording).of(0), expected);
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut recording = Recording::new("t", 3, &[], &Scale::default()).unwrap();
    let pair = recording.communicator(vec![0, 1]).unwrap();
    assert!(recording.communicator(vec![0, 3]).is_err() && recording.communicator(vec![0, 0]).is_err());
    assert!(recording.communicator(Vec::new()).is_err());
    assert!(matches!(recording.add(2, pair, collective(0, None)), Err(Refused::NoMember)));
    assert!(matches!(recording.add(0, pair, collective(2, None)), Err(Refused::OutOfGroup)));
    assert!(matches!(recording.add(0, 9, collective(0, None)), Err(Refused::NoMember)));
    let far = Event::Send { to: 2, tag: 0, bytes: 1, starts: None };
    assert!(matches!(recording.add(0, pair, far), Err(Refused::OutOfGroup)));
    let short = Event::Alltoallv { sent: vec![1], received: vec![1, 1] };
    assert!(matches!(recording.add(0, WORLD, short), Err(Refused::OutOfGroup)));
    assert!(recording.finish(CHOICE).is_err_and(|faults| faults.to_string().contains("NL-F021")));
}

fn task(work: Work, after: &[u32], after_start: &[u32]) -> Task {
    Task { work, after: after.into(), after_start: after_start.into() }
}

fn calc(seconds: f64) -> Work {
    Work::Seconds { seconds, unit: 0 }
}

const SEND: Work = Work::Send { peer: 1, tag: 0, bytes: 8 };
const RECEIVE: Work = Work::Receive { peer: 1, tag: 0, bytes: 8 };

#[test]
fn a_line_of_tasks_is_a_program() {
    let sleep = |seconds| Op::Sleep { seconds };
    let started = Op::StartReceive { peer: 1, tag: 0, bytes: 8 };
    let graph = TaskGraph {
        tasks: vec![
            task(RECEIVE, &[], &[]),
            task(calc(1.0), &[], &[]),
            task(SEND, &[1], &[]),
            task(calc(2.0), &[0, 2], &[]),
        ],
    };
    let sent = Op::StartSend { peer: 1, tag: 0, bytes: 8 };
    assert_eq!(graph.actions(0), [started, sleep(1.0), sent, Op::WaitAll, sleep(2.0)]);
    let one_by_one =
        TaskGraph { tasks: vec![task(RECEIVE, &[], &[]), task(calc(1.0), &[0], &[]), task(SEND, &[1], &[])] };
    let sent = Op::Send { peer: 1, tag: 0, bytes: 8 };
    assert_eq!(one_by_one.actions(0), [Op::Receive { peer: 1, tag: 0, bytes: 8 }, sleep(1.0), sent]);
}

#[test]
fn other_graphs_are_chains() {
    // The second computation would wait for the message if they were in line.
    let graph =
        TaskGraph { tasks: vec![task(RECEIVE, &[], &[]), task(calc(1.0), &[0], &[]), task(calc(2.0), &[], &[])] };
    let unit = 0;
    assert_eq!(
        graph.actions(0),
        [
            Op::Strand { ops: 4 },
            Op::Receive { peer: 1, tag: 0, bytes: 8 },
            Op::Take { unit, turn: 1 },
            Op::Sleep { seconds: 1.0 },
            Op::Give { unit },
            Op::Strand { ops: 3 },
            Op::Take { unit, turn: 2 },
            Op::Sleep { seconds: 2.0 },
            Op::Give { unit },
            Op::Join,
        ]
    );
    assert!(Programs::new("t", vec![graph.actions(0), Vec::new()], Vec::new()).is_ok());
}

#[test]
fn collectives_with_counts_go_on_by_themselves() {
    let mut recording = Recording::new("t", 2, &[], &Scale::default()).unwrap();
    let key = (4, 0, 0);
    for rank in 0..2 {
        let event = Box::new(Event::Alltoallv { sent: vec![1, 2], received: vec![1, 3] });
        recording.add(rank, WORLD, Event::Apart { event, starts: key }).unwrap();
        recording.add(rank, WORLD, Event::Sleep(1.0)).unwrap();
        recording.add(rank, WORLD, Event::Wait(key)).unwrap();
    }
    assert_eq!(recording.survey.calls["alltoallv"].calls, 2);
    let programs = made(recording);
    let ops = programs.of(0);
    assert_eq!(ops[0], Op::Strand { ops: 3 }, "a receive, a send, a wait: {ops:?}");
    assert_eq!(ops[4..], [Op::Sleep { seconds: 1.0 }, Op::Join]);
}

#[test]
fn events_become_tasks_and_their_collectives_agree() {
    let mut recording = Recording::new("t", 2, &[], &Scale::default()).unwrap();
    for rank in 0..2 {
        let calls = [(collective(0, None), 0), (Event::Sleep(2.0), 1), (collective(1, None), 0)];
        let mut graph = TaskGraph::default();
        for (event, unit) in calls.iter().take(if rank == 0 { 3 } else { 2 }) {
            let work = recording.task(rank, WORLD, event, *unit).unwrap();
            graph.tasks.push(Task { work, after: Vec::new(), after_start: Vec::new() });
        }
        assert_eq!(graph.tasks[1].work, Work::Seconds { seconds: 2.0, unit: 1 });
        recording.put_graph(rank, &graph);
    }
    let told = recording.finish(CHOICE).unwrap_err().to_string();
    assert!(told.contains("rank 1 enters 1 collectives, another rank 2"), "{told}");
    let mut other = Recording::new("t", 2, &[], &Scale::default()).unwrap();
    other.task(0, WORLD, &collective(0, None), 0).unwrap();
    assert!(matches!(other.task(1, WORLD, &collective(1, None), 0), Err(Refused::Disagrees(_))));
    assert!(matches!(other.task(1, WORLD, &Event::WaitAll, 0), Err(Refused::UnknownRequest)));
}

/// One tag on two communicators of the same ranks, and on that of all: three that do not match each other.
#[test]
fn messages_of_tasks_stay_in_their_communicator() {
    let mut recording = Recording::new("t", 2, &[], &Scale::default()).unwrap();
    let others = [vec![0, 1], vec![1, 0]].map(|members| recording.communicator(members).unwrap());
    let groups = [WORLD, others[0], others[1]];
    let mut tags = Vec::new();
    for (rank, peer) in [(0u32, 1), (1, 0)] {
        let mut graph = TaskGraph::default();
        for group in groups {
            // In the second communicator the other one has this number.
            let of = if group == others[1] { i64::from(rank) } else { peer };
            let event = match rank {
                0 => Event::Send { to: of, tag: 7, bytes: 8, starts: None },
                _ => Event::Receive { from: of, tag: 7, bytes: 8, starts: None },
            };
            let work = recording.task(rank, group, &event, 0).unwrap();
            let (Work::Send { peer: with, tag, .. } | Work::Receive { peer: with, tag, .. }) = work else {
                panic!("{work:?}")
            };
            assert_eq!(i64::from(with), peer);
            tags.push(tag);
            graph.tasks.push(task(work, &[], &[]));
        }
        recording.put_graph(rank, &graph);
    }
    assert_eq!(tags[..3], tags[3..], "both ends agree");
    assert_eq!(tags[0], 7, "the communicator of all keeps its tags");
    let different: std::collections::BTreeSet<u32> = tags.iter().copied().collect();
    assert_eq!(different.len(), 3, "{tags:?}");
    let programs = made(recording);
    let tag_of = |op: &Op| match *op {
        Op::StartSend { tag, .. } | Op::StartReceive { tag, .. } | Op::Send { tag, .. } | Op::Receive { tag, .. } => {
            Some(tag)
        }
        _ => None,
    };
    for rank in 0..2 {
        assert_eq!(programs.of(rank).iter().filter_map(tag_of).collect::<Vec<_>>(), tags[..3]);
    }
}

/// A record beyond what is held as it is: its loops are found again, and the program is the same.
#[test]
fn a_long_record_is_held_as_loops() {
    let event = |number: u64| match number % 4 {
        0 => Event::Compute(number as f64),
        1 => Event::Sleep(1e-6),
        2 => Event::Receive { from: 1, tag: 3, bytes: 64, starts: Some((1, 0, 3)) },
        _ => Event::Wait((1, 0, 3)),
    };
    let read = |count: u64, closes: bool| {
        let mut recording = Recording::new("t", 2, &[], &Scale::default()).unwrap();
        for rank in 0..2 {
            (0..count).for_each(|number| recording.add(rank, WORLD, event(number)).unwrap());
            if closes {
                recording.close(rank);
            }
        }
        made(recording)
    };
    let count = 600_000;
    let (long, late) = (read(count, true), read(count, false));
    assert_eq!(long, late);
    assert!(long.ops.len() < 20, "{}", long.ops.len());
    assert_eq!(long.amounts.of(1).len() as u64, count / 2);
    let short = read(4000, true);
    assert_eq!((short.ops.len(), short.amounts.is_empty()), (8000, true));
    for rank in 0..2 {
        let whole = long.whole(rank);
        assert_eq!(whole.len() as u64, count);
        assert_eq!(whole[..4000], *short.of(rank));
    }
}

#[test]
fn a_record_is_scaled() {
    let scale = Scale { compute: vec![(0, 1, 3.0), (1, 1, 0.5)], bytes: 1.5, region: Region::default() };
    let mut recording = Recording::new("t", 3, &[], &scale).unwrap();
    for rank in 0..3 {
        recording.add(rank, WORLD, Event::Sleep(2.0)).unwrap();
        recording.add(rank, WORLD, collective(0, None)).unwrap();
    }
    recording.add(0, WORLD, Event::Send { to: 1, tag: 0, bytes: 3, starts: None }).unwrap();
    let programs = recording.finish(Choice { scale: &scale, ..CHOICE }).unwrap().programs;
    let slept = |rank| if let Op::Sleep { seconds } = programs.of(rank)[0] { seconds } else { 0.0 };
    assert_eq!([slept(0), slept(1), slept(2)], [6.0, 1.0, 2.0]);
    assert_eq!(
        (programs.calls[0].schedule.size_bytes, programs.of(0)[2]),
        (12, Op::Send { peer: 1, tag: 0, bytes: 5 })
    );
    for wrong in [Scale { bytes: -1.0, ..scale.clone() }, Scale { compute: vec![(2, 3, 1.0)], ..scale.clone() }] {
        assert!(Recording::new("t", 3, &[], &wrong).is_err());
    }
}

/// A step of a drawn program: who sends to whom, tag, bytes, and what they do besides.
type DrawnStep = (u32, u32, u32, u64, u8);

/// Steps of three ranks.
pub fn drawn_steps() -> impl Strategy<Value = Vec<DrawnStep>> {
    proptest::collection::vec((0u32..3, 0u32..3, 0u32..4, 0u64..5000, 0u8..8), 0..40)
}

/// Their actions, without loops; sleep is a whole number of units.
pub fn drawn_bodies(steps: Vec<DrawnStep>, unit_s: f64) -> Vec<Vec<Op>> {
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
            2 => bodies[from as usize].push(Op::Sleep { seconds: bytes as f64 * unit_s }),
            _ => {}
        }
    }
    bodies
}
