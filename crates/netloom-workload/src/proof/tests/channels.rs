//! Every algorithm over several channels: proved on every small number of ranks, and what its channels are.

use super::*;
use crate::collectives::Walk;
use crate::proof::dag;

/// Rows that have channels, with their example's arguments and these.
fn with(row: &CollectiveRow, channels: i64, local: i64) -> Option<Bound> {
    let alone = [Collective::Alltoall, Collective::Barrier, Collective::Scan, Collective::Exscan];
    let mut call = call(row.example);
    call.keyword.push(("channels".into(), Value::Int(channels)));
    if row.walk != Walk::Trees {
        call.keyword.push(("local".into(), Value::Int(local)));
    }
    (!alone.contains(&row.collective) && row.walk != Walk::Never).then(|| bind_collective(&call).unwrap().1)
}

#[test]
fn every_row_is_proved_over_channels_on_up_to_65_ranks() {
    COLLECTIVES.rows.par_iter().for_each(|row| {
        for (channels, local) in [(1, 1), (2, 1), (3, 2), (4, 4), (8, 8), (5, 3)] {
            let Some(bound) = with(row, channels, local) else { continue };
            (1..=65).into_par_iter().for_each(|p| {
                for root in roots(row, p, false) {
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
fn one_channel_is_the_algorithm_itself() {
    for row in COLLECTIVES.rows {
        let Some(bound) = with(row, 1, 1) else { continue };
        let plain = bind_collective(&call(row.example)).unwrap().1;
        for p in (2..=20).filter(|p| (row.takes)(*p)) {
            let job = job(row, p, p / 2 * u32::from(row.collective.is_rooted()), 1000);
            let (one, same) = (schedule(row, &job, &bound).unwrap(), schedule(row, &job, &plain).unwrap());
            let (mut a, mut b) = (Vec::new(), Vec::new());
            one.for_each_message(|m| a.push((m.step, m.src, m.dst, m.bytes)));
            same.for_each_message(|m| b.push((m.step, m.src, m.dst, m.bytes)));
            a.sort_unstable();
            b.sort_unstable();
            assert_eq!(a, b, "{}", row.name);
        }
    }
}

/// Rounds of one rank and channel stand for all; their list, executed rank by rank, has the same messages and is right too.
#[test]
fn rounds_of_channels_are_those_of_their_list() {
    COLLECTIVES.rows.par_iter().for_each(|row| {
        for (channels, local) in [(2, 1), (3, 2), (4, 4), (8, 8), (5, 3)] {
            let Some(bound) = with(row, channels, local) else { continue };
            for (p, bytes) in (2..=17).filter(|p| (row.takes)(*p)).flat_map(|p| [(p, 1009), (p, 64 * u64::from(p))]) {
                let made = schedule(row, &job(row, p, 0, bytes), &bound).unwrap();
                let Rounds::Cyclic(_) = &made.rounds else { continue };
                let list = listed(&made).unwrap();
                assert_eq!(verify(&made).unwrap(), verify(&list).unwrap(), "{} p={p}", bound.canonical());
                let all = |schedule: &Schedule| {
                    let mut all = Vec::new();
                    schedule.for_each_message(|m| all.push((m.step, m.src, m.dst, m.bytes)));
                    all
                };
                assert_eq!(all(&made), all(&list), "{} p={p}", bound.canonical());
            }
        }
    });
}

/// Two nodes of four ranks, four channels: every rank sends to the other node in one channel, on the rail of the receiver.
#[test]
fn a_ring_over_rails_uses_every_nic_once() {
    let made = made("allgather:ring(channels=4,local=4)", 8, 0, 4096);
    let (mut sends, mut receives) = ([0; 8], [0; 8]);
    made.for_each_message(|m| {
        if m.step == 0 && m.src / 4 != m.dst / 4 {
            assert_eq!(m.src % 4, m.dst % 4, "{} to {}", m.src, m.dst);
            sends[m.src as usize] += 1;
            receives[m.dst as usize] += 1;
        }
    });
    assert_eq!((sends, receives), ([1; 8], [1; 8]));
}

#[test]
fn channels_do_not_wait_for_each_other() {
    let made = listed(&made("allreduce:ring(channels=3,local=2)", 8, 0, 4096)).unwrap();
    let Rounds::Explicit { transfers, ranges, .. } = &made.rounds else { panic!("a list") };
    let channel = |at: usize| made.channel_of(ranges[transfers[at].first_range as usize].first);
    let dag = dag(&made).unwrap();
    for at in 0..transfers.len() {
        for before in dag.before(at) {
            assert_eq!(channel(at), channel(*before as usize));
        }
    }
}

#[test]
fn what_has_no_channels_says_so() {
    for text in ["alltoall:pairwise(channels=2)", "barrier:dissemination(channels=2)", "allreduce:ring(local=2)"] {
        let faults = build(&call(text), 8, 0, 64).unwrap_err();
        assert_eq!(faults.0[0].code, "NL-A007", "{text}: {faults}");
    }
    assert!(bind_collective(&call("allreduce:ring(channels=0)")).is_err());
    assert!(bind_collective(&call("allreduce:ring(channels=2,protocol=ll64)")).is_err());
}
