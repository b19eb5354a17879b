use netloom_model::{Call, Op, Schedule};

use super::*;
use crate::registry;

fn schedule(name: &str, ranks: i64, bytes: i64) -> Workload {
    let made: Schedule = registry::build(&Call::parse(name).unwrap(), ranks, 0, bytes).unwrap();
    Workload::from(made)
}

fn groups(ranks: u32, lists: &[&[u32]]) -> Arc<Groups> {
    Arc::new(Groups::new(ranks, lists.iter().map(|list| list.to_vec()).collect()).unwrap())
}

#[test]
fn a_collective_of_groups_is_the_call_written_by_hand() {
    let work = schedule("allreduce:ring", 2, 1024);
    let made = compose("p", 4, &[Step::In(groups(4, &[&[0, 2], &[3, 1]]), Act::Work(work.clone()))]).unwrap();
    let schedule = Arc::clone(work.schedule().unwrap());
    let call = |members| GroupCall { schedule: Arc::clone(&schedule), members };
    let op = |call, member| vec![Op::Collective { call, member }];
    let bodies = vec![op(0, 0), op(1, 1), op(0, 1), op(1, 0)];
    assert_eq!(made, Programs::new("p", bodies, vec![call(vec![0, 2]), call(vec![3, 1])]).unwrap());
}

#[test]
fn traffic_of_groups_has_mapped_ranks_and_a_tag_of_its_own() {
    let traffic = Workload::from(Traffic::from_rows("t", 2, &[[0, 1, 1, 8]]).unwrap());
    let on = groups(4, &[&[3, 1]]);
    let step = || Step::In(Arc::clone(&on), Act::Work(traffic.clone()));
    let made = compose("p", 4, &[step(), Step::Repeat(5, vec![step()])]).unwrap();
    let send = |tag| Op::StartSend { peer: 1, tag, bytes: 8 };
    assert_eq!(made.of(3), [send(0), Op::WaitAll, Op::Repeat { ops: 2, times: 5 }, send(1), Op::WaitAll]);
    assert!(made.of(0).is_empty() && made.of(2).is_empty());
    let mut bytes = 0;
    made.for_each_message(|src, dst, size, times| {
        assert_eq!((src, dst), (3, 1));
        bytes += size * times;
    });
    assert_eq!(bytes, 48);
}

#[test]
fn programs_of_groups_keep_their_calls_and_tags_apart() {
    let inner = Programs::new(
        "i",
        vec![vec![Op::Send { peer: 1, tag: 7, bytes: 1 }], vec![Op::Receive { peer: 0, tag: 7, bytes: 1 }]],
        Vec::new(),
    );
    let work = Workload::from(Arc::new(inner.unwrap()));
    let on = groups(4, &[&[2, 0], &[1, 3]]);
    let step = || Step::In(Arc::clone(&on), Act::Work(work.clone()));
    let made = compose("p", 4, &[Step::Together(vec![vec![step()], vec![step()]])]).unwrap();
    let send = |tag| Op::Send { peer: 0, tag, bytes: 1 };
    assert_eq!(made.of(2), [Op::Strand { ops: 1 }, send(7), send(15), Op::Join]);
}

#[test]
fn what_ends_within_a_branch_does_not_wait_for_the_other_branches() {
    let wait = |seconds: f64| Step::In(groups(1, &[&[0]]), Act::Seconds(seconds));
    let inner = Step::Together(vec![vec![wait(1.0)], vec![wait(2.0)]]);
    let made = compose("p", 1, &[Step::Together(vec![vec![wait(9.0)], vec![inner, wait(3.0)]])]).unwrap();
    let sleep = |seconds| Op::Sleep { seconds };
    let within = [Op::Strand { ops: 1 }, sleep(1.0), sleep(2.0), Op::Join, sleep(3.0)];
    assert_eq!(made.of(0), [&[Op::Strand { ops: 5 }][..], &within, &[sleep(9.0), Op::Join]].concat());
}

#[test]
fn what_does_not_fit_is_refused() {
    let on = groups(4, &[&[0, 1, 2]]);
    let wrong = compose("p", 4, &[Step::In(on, Act::Work(schedule("allreduce:ring", 2, 8)))]).unwrap_err();
    assert!(wrong.to_string().contains("NL-P006"), "{wrong}");
    assert!(Groups::new(2, vec![vec![0, 2]]).is_err() && Groups::new(2, vec![vec![0], vec![0]]).is_err());
    let all = Arc::new(Groups::all(1 << 20));
    let many = vec![Step::In(all, Act::Seconds(1.0)); 17];
    assert!(compose("p", 1 << 20, &many).unwrap_err().to_string().contains("NL-P005"));
    let deep = (0..40).fold(Vec::new(), |inner, _| vec![Step::Together(vec![inner])]);
    assert!(compose("p", 1, &deep).is_err());
}
