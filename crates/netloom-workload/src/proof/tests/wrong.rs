//! Schedules that are wrong, malformed or too large are refused, with the place of the fault.

use netloom_model::schedule::Rounds;
use netloom_model::{Collective, Progress, Schedule, Stream};

use super::super::expected::combines;
use super::super::listed::{List, execute_within};
use super::super::{listed, verify, verify_watched};
use super::made;
use crate::collectives::{CollectiveRow, schedule};
use crate::registry::COLLECTIVES;

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
    const SURPLUS: [&str; 8] = [
        "broadcast:scatter-allgather", // the allgather brings chunks that the scatter left on the way
        "broadcast:scatter-ring",
        "barrier:double-ring",   // the last message closes the second round
        "barrier:dissemination", // tokens come twice
        "barrier:tree",          // tokens come back down
        "barrier:linear",
        "barrier:led",             // branches meet twice
        "scan:recursive-doubling", // messages downwards in the last step
    ];
    COLLECTIVES.rows.iter().filter(|r| !SURPLUS.contains(&r.name) && r.name != "exscan:recursive-doubling")
}

#[test]
fn a_dropped_transfer_is_found() {
    for row in tight() {
        for p in [2, 3, 5, 6, 8, 12, 13].into_iter().filter(|p| (row.takes)(*p as u32)) {
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
    for row in tight() {
        let schedule = made(row.example, 16, 0, 100);
        let Rounds::Cyclic(rounds) = &schedule.rounds else { continue };
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
        for p in [5, 8, 13].into_iter().filter(|p| (row.takes)(*p as u32)) {
            let schedule = made(row.example, p, 0, 1000);
            let (messages, blocks) = (schedule.messages() as u32, schedule.blocks.count() as u32);
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
                if combines(row.collective)
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
            // Early partial sums may go by way of either rank; the last message of a reduce-scatter may not.
            let mut wide = offsets.windows(2).filter(|w| w[1] - w[0] > 2);
            let late = row.collective == ReduceScatter || row.on_tree.is_some();
            let step = if late { wide.next_back() } else { wide.next() }.unwrap();
            let (first, last) = (step[0] as usize, step[1] as usize - 1);
            let other = transfers[first].dst;
            transfers[first].dst = std::mem::replace(&mut transfers[last].dst, other);
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
    let changes: [Change; 8] = [
        |r| r.partner = netloom_model::Partner::Shift(0),
        |r| r.partner = netloom_model::Partner::Xor(1),
        |r| r.ranges[0].part = 1,
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

/// A proof in windows of few blocks finds the same as the proof in one window.
#[test]
fn windows_of_blocks_prove_as_much() {
    let mut stream = Stream::new(1, "windows");
    for row in tight() {
        for p in [5, 8, 13].into_iter().filter(|p| (row.takes)(*p as u32)) {
            let right = listed(&made(row.example, p, 0, 1000)).unwrap();
            let narrow = |s: &Schedule| {
                let list = List::of(s).unwrap();
                // Room for one block of a reduction at a time, and for 64 of a movement.
                (1..).map(|k| k * 1024).find_map(|limit| match execute_within(list, limit, &Progress::new()) {
                    Err(faults) if faults.0[0].code == "NL-C012" => None,
                    done => Some(done),
                })
            };
            narrow(&right).unwrap().unwrap();
            for _ in 0..5 {
                let i = stream.below(right.messages() as u32) as usize;
                let wrong = change(&right, |transfers, _, offsets| {
                    transfers.remove(i);
                    offsets.iter_mut().filter(|o| **o as usize > i).for_each(|o| *o -= 1);
                });
                let whole = verify(&wrong).map(|_| ());
                assert_eq!(narrow(&wrong).unwrap().is_err(), whole.is_err(), "{} p={p} transfer {i}", row.name);
            }
        }
    }
}

/// A message may list blocks more than once; every window sees them.
#[test]
fn windows_see_blocks_under_an_overlap() {
    let right = listed(&made("broadcast:scatter-allgather", 8, 0, 4096)).unwrap();
    let nested = change(&made("reduce-scatter:ring", 8, 0, 64), |transfers, ranges, _| {
        ranges.push(netloom_model::BlockRange { first: 0, count: 7 });
        ranges.push(netloom_model::BlockRange { first: 1, count: 1 });
        (transfers[0].first_range, transfers[0].ranges) = (ranges.len() as u32 - 2, 2);
    });
    for (schedule, wrong) in [(&right, false), (&nested, true)] {
        let list = List::of(schedule).unwrap();
        let carried = |list: List| list.transfers.iter().map(|t| list.blocks(t).count()).sum::<usize>();
        for count in [1, 3, 4, 7] {
            assert_eq!(carried(list), list.cut(count).into_iter().map(carried).sum::<usize>());
        }
        assert_eq!(verify(schedule).is_err(), wrong);
    }
}

/// Nothing can be combined where blocks only move: neither listed nor in cyclic rounds, and no row asks for it.
#[test]
fn combining_is_refused_where_blocks_only_move() {
    for row in COLLECTIVES.rows {
        for p in (1..=9).chain([16]).filter(|p| (row.takes)(*p)) {
            for schedule in super::variants(row).iter().map(|b| schedule(row, &super::job(row, p, 0, 60), b).unwrap()) {
                let listed = schedule.rounds.listed().transfers.iter().any(|t| t.combine);
                let asked = listed || schedule.rounds.cyclic().iter().any(|round| round.combine);
                assert!(combines(row.collective) || !asked, "{} p={p}", schedule.label);
            }
        }
        if combines(row.collective) {
            continue;
        }
        let right = made(row.example, 8, 0, 60);
        let wrong = change(&right, |transfers, _, _| transfers[1].combine = true);
        let message = verify(&wrong).unwrap_err().to_string();
        assert!(message.starts_with("NL-C005") && message.contains("combines, but"), "{message}");
        if let Rounds::Cyclic(mut rounds) = right.rounds.clone() {
            rounds[1].combine = true;
            let wrong = Schedule { rounds: Rounds::Cyclic(rounds), ..right };
            let message = verify(&wrong).unwrap_err().to_string();
            assert!(message.starts_with("NL-C005") && message.contains("round 1 (step"), "{message}");
        }
    }
}
