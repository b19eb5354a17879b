//! What one rank sends and receives, compared with the list of all messages.

use netloom_model::Schedule;

use super::super::listed;
use super::super::listed::List;
use super::super::part::{OwnTransfer, RankPart, part_of};
use super::{call, job, made};
use crate::collectives::schedule;
use crate::registry::{COLLECTIVES, bind_collective};

/// The part of a rank as the list of all messages has it.
fn listed_part(whole: &Schedule, rank: u32) -> RankPart {
    let list = List::of(whole).unwrap();
    let mut part = RankPart { offsets: vec![0], ..RankPart::default() };
    for step in 0..whole.steps {
        for (at, t) in list.step(step as usize).iter().enumerate().filter(|(_, t)| t.src == rank || t.dst == rank) {
            let number = list.offsets[step as usize] + at as u32;
            part.transfers.push(OwnTransfer { step, number, src: t.src, dst: t.dst, combine: t.combine });
            part.ranges.extend_from_slice(list.held(t));
            part.offsets.push(part.ranges.len() as u32);
        }
    }
    part
}

/// Every message is in the parts of its two ranks, in the same order, with its blocks: what cyclic rounds give without a
/// list is what the list has.
#[test]
fn parts_are_the_whole() {
    let channels = ["allreduce:ring", "allgather:ring", "reduce-scatter:ring", "allreduce:recursive-doubling"];
    let woven = channels.iter().flat_map(|name| {
        let texts = ["channels=3", "channels=4,local=4", "channels=2,local=8"].map(|given| format!("{name}({given})"));
        texts.into_iter().flat_map(|text| [5, 8, 16].map(|ranks| (text.clone(), ranks)))
    });
    let levels = ["allgather:hierarchical(2,8)", "alltoall:hierarchical(2,8)", "reduce-scatter:hierarchical(4,4)"];
    let levels = levels.iter().map(|text| (text.to_string(), 16));
    let rows = COLLECTIVES.rows.iter().filter(|row| !row.params.iter().any(|param| param.name == "levels"));
    let plain = rows.flat_map(|row| [2, 3, 6, 8, 12, 16].map(|ranks| (row.name.to_string(), ranks)));
    let (mut cyclic, mut parts) = (0, 0);
    for (text, ranks) in woven.chain(levels).chain(plain) {
        let Some(schedule) = possible(&text, ranks) else { continue };
        let whole = listed(&schedule).unwrap();
        cyclic += usize::from(!schedule.rounds.cyclic().is_empty());
        for rank in 0..ranks as u32 {
            assert_eq!(part_of(&schedule, rank).unwrap(), listed_part(&whole, rank), "{text} on {ranks}, rank {rank}");
            parts += 1;
        }
    }
    // Both kinds are well represented.
    assert!(cyclic > 100 && parts > 2000, "{cyclic} {parts}");
    assert!(part_of(&made("broadcast:multicast", 4, 0, 8), 0).is_err());
}

/// The schedule, where it is defined and no switch takes part.
fn possible(text: &str, ranks: i64) -> Option<Schedule> {
    let (row, bound) = bind_collective(&call(text)).ok()?;
    let made = schedule(row, &job(row, ranks as u32, 0, 60), &bound).ok()?;
    (made.switches == 0).then_some(made)
}

/// A rank of many costs what it does itself; the list of all messages would be refused.
#[test]
fn a_part_needs_no_list() {
    let schedule = made("alltoall:pairwise", 16_384, 0, 8);
    let part = part_of(&schedule, 5).unwrap();
    assert_eq!((part.transfers.len(), part.ranges.len()), (2 * 16_383, 2 * 16_383));
    assert!(listed(&schedule).is_err());
    let fault = part_of(&made("alltoall:pairwise", 65_537, 0, 8), 5).unwrap_err();
    assert!(fault.to_string().contains("too many to number"), "{fault}");
}
