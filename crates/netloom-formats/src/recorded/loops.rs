//! Loops of a long record, found again: what a rank does many times is held once.
//!
//! Exact, in the manner of ScalaTrace (Noeth, Ratn, Mueller, Schulz & de Supinski 2009), within a rank: the actions with
//! loops unrolled are those of the record. Computation that differs from one pass to the next becomes a list of amounts
//! next to the loops, 8 bytes each.

use std::collections::{HashMap, HashSet};

use netloom_model::Op;

/// Longest bodies of loops that are looked for, innermost first. One less than the loops that may nest, so that a program
/// can still be repeated.
const LONGEST: [usize; 3] = [8, 1 << 9, 1 << 20];
/// Actions that have to be equal before a body is compared.
const ALIKE: usize = 3;
/// Bodies that are compared at one action.
const TRIED: usize = 16;
/// Comparisons for each action, on average: what has no loops costs no more.
const EFFORT: usize = 64;

/// Actions with loops, and the amounts that they take.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Folded {
    pub ops: Vec<Op>,
    pub amounts: Vec<f64>,
}

impl Folded {
    /// Words of 8 bytes, as a measure of what it takes.
    fn words(&self) -> usize {
        3 * self.ops.len() + self.amounts.len()
    }
}

/// The actions of a rank as loops, where these take less. O(actions) but for comparisons that are bounded by that too.
/// Strands stay as they are.
pub fn fold(ops: Vec<Op>) -> Folded {
    let stays = |op: &Op| matches!(op, Op::Strand { .. } | Op::Repeat { .. } | Op::ComputeNext | Op::SleepNext);
    if ops.iter().any(stays) {
        return Folded { ops, amounts: Vec::new() };
    }
    let amounts: Vec<f64> = ops.iter().filter_map(amount_of).collect();
    let whole = if is_few(&amounts) { folded(&ops, |op| op) } else { Folded::default() };
    let mut best = Folded { ops, amounts: Vec::new() };
    let found = if whole.ops.is_empty() { best.words() } else { whole.words() };
    if !amounts.is_empty() && found > amounts.len() {
        let listed = Folded { amounts, ..folded(&best.ops, next) };
        best = if listed.words() < found { listed } else { best };
    }
    if !whole.ops.is_empty() && whole.words() < best.words() {
        best = whole;
    }
    best.ops.shrink_to_fit();
    best
}

fn amount_of(op: &Op) -> Option<f64> {
    match *op {
        Op::Compute { flops: amount } | Op::Sleep { seconds: amount } => Some(amount),
        _ => None,
    }
}

/// The same, whose amount is the next one of the list.
fn next(op: Op) -> Op {
    match op {
        Op::Compute { .. } => Op::ComputeNext,
        Op::Sleep { .. } => Op::SleepNext,
        other => other,
    }
}

/// True if amounts come again and again: at most one in eight is new.
fn is_few(amounts: &[f64]) -> bool {
    let mut seen = HashSet::new();
    amounts.iter().all(|amount| {
        seen.insert(amount.to_bits());
        8 * seen.len() <= amounts.len().max(64)
    })
}

fn folded(ops: &[Op], seen_as: impl Fn(Op) -> Op) -> Folded {
    let mut names = Interned::default();
    let mut list: Vec<u32> = ops.iter().map(|op| names.op(seen_as(*op))).collect();
    for longest in LONGEST {
        list = pass(&list, longest, &mut names);
    }
    let mut made = Vec::new();
    names.put(&list, &mut made);
    Folded { ops: made, amounts: Vec::new() }
}

/// Actions, and loops of them, by number.
#[derive(Default)]
struct Interned {
    all: Vec<Named>,
    ops: HashMap<[u64; 3], u32>,
    loops: HashMap<(Vec<u32>, u32), u32>,
}

enum Named {
    Op(Op),
    Loop { body: Vec<u32>, times: u32 },
}

impl Interned {
    fn op(&mut self, op: Op) -> u32 {
        let next = self.all.len() as u32;
        let number = *self.ops.entry(key(&op)).or_insert(next);
        if number == next {
            self.all.push(Named::Op(op));
        }
        number
    }

    fn repeat(&mut self, body: &[u32], times: u32) -> u32 {
        let next = self.all.len() as u32;
        let number = *self.loops.entry((body.to_vec(), times)).or_insert(next);
        if number == next {
            self.all.push(Named::Loop { body: body.to_vec(), times });
        }
        number
    }

    fn put(&self, list: &[u32], made: &mut Vec<Op>) {
        for &number in list {
            match &self.all[number as usize] {
                Named::Op(op) => made.push(*op),
                Named::Loop { body, times } => {
                    let at = made.len();
                    made.push(Op::Repeat { ops: 0, times: *times });
                    self.put(body, made);
                    made[at] = Op::Repeat { ops: (made.len() - at - 1) as u32, times: *times };
                }
            }
        }
    }
}

/// What tells an action from others.
fn key(op: &Op) -> [u64; 3] {
    let ends = |peer: u32, tag: u32| u64::from(peer) << 32 | u64::from(tag);
    match *op {
        Op::Send { peer, tag, bytes } => [0, ends(peer, tag), bytes],
        Op::Receive { peer, tag, bytes } => [1, ends(peer, tag), bytes],
        Op::StartSend { peer, tag, bytes } => [2, ends(peer, tag), bytes],
        Op::StartReceive { peer, tag, bytes } => [3, ends(peer, tag), bytes],
        Op::Wait { back } => [4, back.into(), 0],
        Op::WaitAll => [5, 0, 0],
        Op::Compute { flops } => [6, flops.to_bits(), 0],
        Op::Sleep { seconds } => [7, seconds.to_bits(), 0],
        Op::Collective { call, member } => [8, ends(call, member), 0],
        Op::Repeat { ops, times } => [9, ends(ops, times), 0],
        Op::Strand { ops } => [10, ops.into(), 0],
        Op::Join => [11, 0, 0],
        Op::Signal { task } => [12, task.into(), 0],
        Op::Await { task } => [13, task.into(), 0],
        Op::Take { unit, turn } => [14, ends(unit, turn), 0],
        Op::Give { unit } => [15, unit.into(), 0],
        Op::ComputeNext => [16, 0, 0],
        Op::SleepNext => [17, 0, 0],
    }
}

/// The list with the loops whose bodies are not longer than that.
fn pass(list: &[u32], longest: usize, names: &mut Interned) -> Vec<u32> {
    let after = next_alike(list);
    let mut effort = EFFORT.saturating_mul(list.len());
    let (mut made, mut at) = (Vec::new(), 0);
    while at < list.len() {
        match found(list, at, longest, &after, &mut effort) {
            Some((body, times)) => {
                made.push(names.repeat(&list[at..at + body], times));
                at += body * times as usize;
            }
            None => {
                made.push(list[at]);
                at += 1;
            }
        }
    }
    made
}

/// Of each place, the next one at which [`ALIKE`] numbers are the same; the end where there is none.
fn next_alike(list: &[u32]) -> Vec<u32> {
    let mut after = vec![list.len() as u32; list.len()];
    let mut last: HashMap<[u32; ALIKE], u32> = HashMap::new();
    for (at, few) in list.windows(ALIKE).enumerate().rev() {
        let Ok(few) = few.try_into() else { continue };
        if let Some(later) = last.insert(few, at as u32) {
            after[at] = later;
        }
    }
    after
}

/// A loop that begins at a place, the shortest of those that are tried: its body, and how often it comes.
fn found(list: &[u32], at: usize, longest: usize, after: &[u32], effort: &mut usize) -> Option<(usize, u32)> {
    let mut later = at;
    for _ in 0..TRIED {
        later = after[later] as usize;
        let body = later - at;
        if later >= list.len() || body > longest || *effort == 0 {
            return None;
        }
        let alike = list[at..].iter().zip(&list[later..]).take(*effort).take_while(|(a, b)| a == b).count();
        *effort -= alike.min(*effort);
        let times = alike / body + 1;
        // A loop is one action more than its body.
        if times > 1 && body * (times - 1) > 1 && u32::try_from(times).is_ok() {
            return Some((body, times as u32));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use netloom_model::Stream;

    use super::*;

    /// Actions without their loops; `None` where there are none.
    fn unrolled(ops: &[Op]) -> Option<Vec<Op>> {
        fn put(ops: &[Op], made: &mut Vec<Op>) {
            let mut at = 0;
            while let Some(&op) = ops.get(at) {
                at += 1;
                let Op::Repeat { ops: inside, times } = op else {
                    made.push(op);
                    continue;
                };
                let end = at + inside as usize;
                (0..times).for_each(|_| put(&ops[at..end], made));
                at = end;
            }
        }
        ops.iter().any(|op| matches!(op, Op::Repeat { .. })).then(|| {
            let mut made = Vec::new();
            put(ops, &mut made);
            made
        })
    }

    /// What a rank does in the end, its amounts in place.
    fn done(folded: &Folded) -> Vec<Op> {
        let mut left = folded.amounts.iter();
        let ops = unrolled(&folded.ops).unwrap_or_else(|| folded.ops.clone());
        let made = ops
            .into_iter()
            .map(|op| match op {
                Op::ComputeNext => Op::Compute { flops: *left.next().unwrap() },
                Op::SleepNext => Op::Sleep { seconds: *left.next().unwrap() },
                other => other,
            })
            .collect();
        assert!(left.next().is_none());
        made
    }

    fn depth(ops: &[Op]) -> usize {
        let mut ends: Vec<usize> = Vec::new();
        let mut most = 0;
        for (at, op) in ops.iter().enumerate() {
            ends.retain(|end| at < *end);
            if let Op::Repeat { ops, .. } = op {
                ends.push(at + 1 + *ops as usize);
            }
            most = most.max(ends.len());
        }
        most
    }

    /// Steps in rounds in iterations, with an allreduce every tenth; computation that is the same or drawn.
    fn program(iterations: u32, seed: u64, drawn: bool) -> Vec<Op> {
        let mut draw = Stream::new(seed, "loops");
        let mut ops = vec![Op::Collective { call: 0, member: 3 }, Op::Compute { flops: 7.0 }];
        for iteration in 0..iterations {
            for _ in 0..5 {
                (0..6).for_each(|peer| ops.push(Op::StartReceive { peer, tag: 1, bytes: 64 }));
                (0..6).for_each(|peer| ops.push(Op::StartSend { peer, tag: 1, bytes: 64 }));
                ops.push(Op::WaitAll);
                let own = if drawn { f64::from(draw.below(1 << 30)) } else { 5e6 };
                ops.push(Op::Compute { flops: own });
            }
            if iteration % 10 == 9 {
                ops.push(Op::Collective { call: 1, member: 3 });
            }
        }
        ops
    }

    #[test]
    fn what_repeats_is_held_once() {
        for (drawn, amounts) in [(false, 0), (true, 1 + 5 * 1000)] {
            let ops = program(1000, 1, drawn);
            let folded = fold(ops.clone());
            assert!(folded.ops.len() < 80, "{} of {}", folded.ops.len(), ops.len());
            assert_eq!(folded.amounts.len(), amounts);
            assert_eq!(done(&folded), ops);
            assert!(depth(&folded.ops) <= LONGEST.len());
        }
    }

    #[test]
    fn drawn_actions_are_done_as_they_were() {
        let mut shorter = 0;
        for seed in 0..400 {
            let mut draw = Stream::new(seed, "drawn actions");
            let mut ops: Vec<Op> = Vec::new();
            for _ in 0..1 + draw.below(6) {
                let part: Vec<Op> = (0..1 + draw.below(9))
                    .map(|_| match draw.below(4) {
                        0 => Op::Send { peer: draw.below(3), tag: 0, bytes: 8 },
                        1 => Op::Wait { back: 1 + draw.below(2) },
                        2 => Op::Sleep { seconds: f64::from(draw.below(2)) },
                        _ => Op::Compute { flops: f64::from(draw.below(1000)) },
                    })
                    .collect();
                for _ in 0..draw.below(30) {
                    let again = |op: &Op| {
                        if draw.below(9) == 0 { Op::Compute { flops: f64::from(draw.below(9)) } } else { *op }
                    };
                    let own: Vec<Op> = part.iter().map(again).collect();
                    ops.extend(own);
                }
            }
            let folded = fold(ops.clone());
            assert_eq!(done(&folded), ops, "{seed}");
            assert!(folded.words() <= 3 * ops.len() && depth(&folded.ops) <= LONGEST.len());
            shorter += usize::from(folded.ops.len() < ops.len());
        }
        assert!(shorter > 200, "{shorter}");
    }

    /// Nearly periodic lists, in which every comparison is long and in vain.
    #[test]
    fn what_has_no_loops_takes_bounded_time() {
        let mut draw = Stream::new(5, "in vain");
        let part: Vec<Op> = (0..2000).map(|_| Op::Send { peer: draw.below(2), tag: 0, bytes: 8 }).collect();
        let mut ops = Vec::new();
        for number in 0..200 {
            ops.extend(&part[..1999]);
            ops.push(Op::Wait { back: 1 + number });
        }
        assert_eq!(done(&fold(ops.clone())), ops);
    }

    #[test]
    fn strands_stay() {
        let ops = vec![Op::Strand { ops: 1 }, Op::WaitAll, Op::Join, Op::WaitAll, Op::WaitAll, Op::WaitAll];
        assert_eq!(fold(ops.clone()), Folded { ops, amounts: Vec::new() });
    }
}
