//! What is left of the actions and tasks of all ranks within a region: messages and collectives with both of their ends
//! in it. A message that was sent before it is there, one that is received after it is not sent.

use std::collections::HashMap;
use std::ops::Range;

use netloom_model::Op;

use super::graph::{Task, TaskGraph, Work};

/// A rank.
pub enum CutRank {
    /// Its actions, and which of them are inside.
    Line { ops: Vec<Op>, inside: Range<usize> },
    /// Its tasks, and whether each is inside.
    Graph { graph: TaskGraph, inside: Vec<bool> },
}

/// How many were cut through.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CutThrough {
    /// Received inside, sent outside.
    pub came: u64,
    /// Sent inside, received outside.
    pub went: u64,
    /// Collectives that not all members enter inside.
    pub collectives: u64,
}

/// One end of a message, or a member of a collective.
#[derive(Clone, Copy)]
struct End {
    rank: u32,
    at: usize,
    inside: bool,
}

#[derive(Default)]
struct MessageEnds {
    sent: Vec<End>,
    received: Vec<End>,
}

/// By sender, receiver and tag.
type Messages = HashMap<(u32, u32, u32), MessageEnds>;
/// By call and its number among those of the same call.
type CallEntries = HashMap<(u32, u32), Vec<End>>;

/// The actions of all ranks within the region. O(actions).
pub fn cut(all: Vec<CutRank>) -> (Vec<Vec<Op>>, CutThrough) {
    let (mut messages, mut entries) = (Messages::new(), CallEntries::new());
    for (rank, own) in (0u32..).zip(&all) {
        let mut entered: HashMap<u32, u32> = HashMap::new();
        own.for_each(|at, work, inside| {
            let end = End { rank, at, inside };
            match work {
                Work::Send { peer, tag, .. } => messages.entry((rank, peer, tag)).or_default().sent.push(end),
                Work::Receive { peer, tag, .. } => messages.entry((peer, rank, tag)).or_default().received.push(end),
                Work::Collective { call, .. } => {
                    let number = entered.entry(call).or_default();
                    entries.entry((call, *number)).or_default().push(end);
                    *number += 1;
                }
                _ => {}
            }
        });
    }
    let mut left_out: Vec<Vec<bool>> = all.iter().map(|own| vec![false; own.len()]).collect();
    let mut through = CutThrough::default();
    for ends in messages.values() {
        // Without a region they do not match either.
        for (sent, received) in ends.sent.iter().zip(&ends.received) {
            if sent.inside != received.inside {
                through.came += u64::from(received.inside);
                through.went += u64::from(sent.inside);
                [sent, received].into_iter().for_each(|one| left_out[one.rank as usize][one.at] = true);
            }
        }
    }
    for ends in entries.values() {
        if ends.iter().any(|end| end.inside) && ends.iter().any(|end| !end.inside) {
            through.collectives += 1;
            ends.iter().for_each(|one| left_out[one.rank as usize][one.at] = true);
        }
    }
    let made = (0u32..).zip(all).zip(&left_out).map(|((rank, own), out)| own.rest(rank, out)).collect();
    (made, through)
}

impl CutRank {
    fn len(&self) -> usize {
        match self {
            CutRank::Line { ops, .. } => ops.len(),
            CutRank::Graph { graph, .. } => graph.tasks.len(),
        }
    }

    /// Everything that has another end, as it is matched, and whether it is inside.
    fn for_each(&self, mut visit: impl FnMut(usize, Work, bool)) {
        match self {
            CutRank::Graph { graph, inside } => {
                graph.tasks.iter().enumerate().for_each(|(at, task)| visit(at, task.work, inside[at]));
            }
            CutRank::Line { ops, inside } => {
                let waited = waited_inside(ops, inside.start);
                for (at, op) in ops.iter().enumerate() {
                    if let Some(work) = work_of(*op) {
                        visit(at, work, inside.contains(&at) || waited.binary_search(&at).is_ok());
                    }
                }
            }
        }
    }

    fn rest(self, rank: u32, out: &[bool]) -> Vec<Op> {
        match self {
            CutRank::Line { ops, inside } => line(&ops, &inside, out),
            CutRank::Graph { graph, inside } => rest_of(graph, &inside, out).actions(rank),
        }
    }
}

fn work_of(op: Op) -> Option<Work> {
    match op {
        Op::Send { peer, tag, bytes } | Op::StartSend { peer, tag, bytes } => Some(Work::Send { peer, tag, bytes }),
        Op::Receive { peer, tag, bytes } | Op::StartReceive { peer, tag, bytes } => {
            Some(Work::Receive { peer, tag, bytes })
        }
        Op::Collective { call, member } => Some(Work::Collective { call, member, unit: 0 }),
        _ => None,
    }
}

/// The actions of the strand itself, with the length of strands that begin there.
fn own_actions(ops: &[Op]) -> impl Iterator<Item = (usize, Op, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (now, op) = (at, *ops.get(at)?);
        let inner = if let Op::Strand { ops } = op { ops as usize } else { 0 };
        at += 1 + inner;
        Some((now, op, inner))
    })
}

/// Receives that were started before an action, and are waited for from there on: they are started where the region
/// begins.
fn waited_inside(ops: &[Op], begin: usize) -> Vec<usize> {
    let mut requests: Vec<(usize, bool)> = Vec::new();
    for (at, op, _) in own_actions(ops).take_while(|(at, ..)| *at < begin) {
        match op {
            Op::StartSend { .. } => requests.push((at, false)),
            Op::StartReceive { .. } => requests.push((at, true)),
            Op::Wait { back } => {
                let number = requests.len().checked_sub(back as usize);
                number.and_then(|number| requests.get_mut(number)).into_iter().for_each(|one| one.1 = false);
            }
            Op::WaitAll => requests.iter_mut().for_each(|one| one.1 = false),
            _ => {}
        }
    }
    requests.into_iter().filter(|(_, is_open)| *is_open).map(|(at, _)| at).collect()
}

fn line(ops: &[Op], inside: &Range<usize>, out: &[bool]) -> Vec<Op> {
    let waited = waited_inside(ops, inside.start);
    let mut made = Vec::new();
    let mut requests = Vec::new();
    let mut started = 0u32;
    let mut open = false;
    for (at, op, inner) in own_actions(ops).take_while(|(at, ..)| *at < inside.end) {
        let is_kept = !out[at] && (at >= inside.start || waited.binary_search(&at).is_ok());
        match op {
            Op::StartSend { .. } | Op::StartReceive { .. } => {
                requests.push(is_kept.then_some(started));
                if is_kept {
                    started += 1;
                    made.push(op);
                }
            }
            _ if !is_kept => {}
            Op::Wait { back } => {
                let number = requests.len().checked_sub(back as usize).and_then(|number| requests[number]);
                made.extend(number.map(|number| Op::Wait { back: started - number }));
            }
            Op::Strand { .. } => {
                let (first, last) = (at + 1, at + 1 + inner);
                let own = line(&ops[first..last], &(0..inner), &out[first..last]);
                if !own.is_empty() {
                    made.push(Op::Strand { ops: own.len() as u32 });
                    made.extend(own);
                    open = true;
                }
            }
            Op::Join => {
                made.push(op);
                open = false;
            }
            _ => made.push(op),
        }
    }
    // What goes on by itself ends with the region.
    made.extend(open.then_some(Op::Join));
    made
}

/// What is not inside counts as done; what is left out takes no time.
fn rest_of(graph: TaskGraph, inside: &[bool], out: &[bool]) -> TaskGraph {
    let mut number = Vec::with_capacity(inside.len());
    let mut tasks = Vec::new();
    for ((task, is_inside), is_out) in graph.tasks.into_iter().zip(inside).zip(out) {
        let kept = |list: &[u32]| list.iter().filter_map(|of| number[*of as usize]).collect::<Vec<u32>>();
        let (after, after_start) = (kept(&task.after), kept(&task.after_start));
        number.push(is_inside.then_some(tasks.len() as u32));
        if *is_inside {
            tasks.push(Task { work: if *is_out { Work::Nothing } else { task.work }, after, after_start });
        }
    }
    TaskGraph { tasks }
}
