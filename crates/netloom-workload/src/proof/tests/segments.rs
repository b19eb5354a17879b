//! Segments that follow each other through the levels of a hierarchy, and ranks that speak for their branches.

use std::collections::BTreeSet;

use netloom_model::schedule::{Message, Rounds};
use rayon::prelude::*;

use super::levels::{SHAPES, messages, proved, ranks};
use super::made;
use crate::proof::dag;

/// Segments, one behind the other: sizes that they divide, where bytes are exact, and others, shorter than they are too.
#[test]
fn segments_follow_each_other_through_any_levels() {
    let calls = [
        "broadcast:hierarchical(@)",
        "broadcast:hierarchical(@,algorithms=linear)",
        "reduce:hierarchical(@)",
        "reduce:hierarchical(@,algorithms=rabenseifner)",
        "allreduce:hierarchical(@)",
        "allreduce:hierarchical(@,top=ring,algorithms=linear,up=k-nomial)",
        "allreduce:hierarchical(@,top=rabenseifner)",
        "allreduce:hierarchical(@,top=\"rabenseifner+linear\",algorithms=linear,up=binomial)",
        "allreduce:hierarchical(@,top=\"binomial+k-nomial(k=3)\")",
    ];
    let cases: Vec<(&str, &str)> = SHAPES.iter().flat_map(|shape| calls.map(|text| (*shape, text))).collect();
    cases.par_iter().for_each(|(shape, text)| {
        for segments in [1, 2, 3, 5] {
            let text = text.replace('@', &format!("{shape},segments={segments}"));
            proved(&text, ranks(shape), &[0, 7, 1009, 3 * 5 * 64 * u64::from(ranks(shape))]);
        }
    });
}

/// On every number of ranks, the prime ones on one level.
#[test]
fn segments_on_up_to_65_ranks() {
    (1..=65u32).into_par_iter().for_each(|p| {
        let inside = (1..=p).find(|local| p % local == 0 && local * local >= p).unwrap();
        for text in [
            "broadcast:hierarchical(@,segments=3)",
            "reduce:hierarchical(@,algorithms=\"rabenseifner+binomial\",segments=3)",
            "allreduce:hierarchical(@,top=\"rabenseifner+binomial\",algorithms=linear,up=binomial,segments=3)",
            "allgather:led(@,top=bruck,up=linear,down=k-nomial)",
            "barrier:led(@,algorithms=\"recursive-doubling+tree\")",
        ] {
            let text = text.replace('@', &format!("{},{inside}", p / inside));
            proved(&text, p, &[1, 1009]);
        }
    });
}

/// A stage works on one segment while the next stage works on the one before.
#[test]
fn stages_work_on_consecutive_segments_at_the_same_time() {
    let text = "allreduce:hierarchical(4,8,top=\"binomial+binomial\",segments=10)";
    let made = made(text, 32, 0, 1000);
    // Three steps a segment, then the rest of the last one: up, among, down.
    assert_eq!(made.steps, 9 * 3 + (3 + 2 + 2 + 3));
    let steps: BTreeSet<(u32, bool)> = messages(&made).iter().map(|m| (m.step, m.src / 8 == m.dst / 8)).collect();
    let both = (0..made.steps).filter(|step| steps.contains(&(*step, true)) && steps.contains(&(*step, false)));
    assert!(both.count() > 20);
    // What goes once through the levels takes four stages of it.
    let once = "allreduce:hierarchical(4,8,top=\"binomial+binomial\")";
    assert_eq!(made_steps(once), 3 + 2 + 2 + 3);
    assert_eq!(made_steps(once), made_steps("allreduce:hierarchical(4,8,top=reduce-broadcast)"));
}

fn made_steps(text: &str) -> u32 {
    made(text, 32, 0, 1000).steps
}

/// What waits for what comes from the data alone: with segments no message waits for one of another segment.
#[test]
fn a_segment_waits_for_its_own_messages_alone() {
    for text in
        ["allreduce:hierarchical(3,4,top=\"rabenseifner+linear\",segments=4)", "reduce:hierarchical(3,4,segments=4)"]
    {
        let made = made(text, 12, 0, 4000);
        let graph = dag(&made).unwrap();
        let Rounds::Explicit { transfers, ranges, .. } = &made.rounds else { unreachable!() };
        let of = |i: usize| ranges[transfers[i].first_range as usize].first / (made.blocks.count() as u32 / 4);
        let mut waits = 0;
        for i in 0..graph.messages.len() {
            for before in graph.before(i) {
                assert_eq!(of(i), of(*before as usize), "{text}");
                waits += 1;
            }
        }
        assert!(waits > 0);
    }
}

/// One of a branch speaks: of the others nothing leaves the branch, and a barrier needs few messages between branches.
#[test]
fn those_who_speak_are_led() {
    for (text, between) in
        [("allgather:led(4,8)", 12), ("barrier:led(4,8)", 8), ("barrier:led(4,8,algorithms=tree)", 6)]
    {
        let made = made(text, 32, 0, 10);
        let apart: Vec<Message> = messages(&made).into_iter().filter(|m| m.src / 8 != m.dst / 8).collect();
        assert_eq!(apart.len(), between, "{text}");
        assert!(apart.iter().all(|m| m.src % 8 == 0 && m.dst % 8 == 0), "{text}");
    }
}
