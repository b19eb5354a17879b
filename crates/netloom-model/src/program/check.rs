//! Whether programs can run.

use super::{LOOP_DEPTH, Op, Programs};
use crate::fault::{Fault, Faults, Outcome, codes};

/// A loop, a strand or a whole program that an action stands in.
struct OpenBody {
    end: usize,
    is_loop: bool,
    /// Strands that were started in it and not joined.
    open: u32,
}

impl Programs {
    pub(super) fn check(&self) -> Outcome<()> {
        let mut faults = Faults::none();
        for (at, call) in self.calls.iter().enumerate() {
            faults.0.extend(call.schedule.require_no_switches().err().into_iter().flat_map(|found| found.0));
            let known = call.members.iter().all(|&m| m < self.ranks());
            if call.members.len() as u64 != u64::from(call.schedule.members()) || !known {
                let expected = format!("{} ranks below {}", call.schedule.members(), self.ranks());
                let place = format!("{}: members of call {at}", self.label);
                faults.push(Fault::new(&codes::BAD_VALUE, place, expected, format!("{} members", call.members.len())));
            }
        }
        for rank in 0..self.ranks() {
            let body = self.of(rank);
            let mut parts = vec![OpenBody { end: body.len(), is_loop: false, open: 0 }];
            for (at, op) in body.iter().enumerate() {
                let expected = self.wrong(rank, *op, body.len() - at - 1, &mut parts, at);
                // What ends with this action, and needs a join that is not there.
                let ends = |parts: &[OpenBody]| parts.last().is_some_and(|part| part.end == at + 1);
                let mut unjoined = false;
                while ends(&parts) {
                    unjoined |= parts.pop().is_some_and(|part| part.open > 0);
                }
                let expected = expected.or_else(|| unjoined.then(|| "a join of the strands started before".into()));
                if let Some(expected) = expected {
                    let place = format!("{}: rank {rank}, action {at}", self.label);
                    faults.push(Fault::new(&codes::BAD_VALUE, place, expected, format!("{op:?}")));
                    break;
                }
            }
        }
        if !self.amounts.is_empty() || self.ops.iter().any(Op::takes_amount) {
            self.check_amounts(&mut faults);
        }
        faults.or(())
    }

    /// Every rank takes each of its amounts equally often, and no two of its strands could at the same time.
    fn check_amounts(&self, faults: &mut Faults) {
        let mut taken = vec![0u64; self.ranks() as usize];
        self.for_each_action(|rank, op, times| {
            let own = &mut taken[rank as usize];
            *own = own.saturating_add(if op.takes_amount() { times } else { 0 });
        });
        for (rank, taken) in (0u32..).zip(taken) {
            let own = self.amounts.of(rank);
            let place = || format!("{}: amounts of rank {rank}", self.label);
            if taken.checked_rem(own.len() as u64).unwrap_or(taken) > 0 {
                let expected = format!("a part of what its actions take, {taken}");
                faults.push(Fault::new(&codes::BAD_VALUE, place(), expected, own.len()));
            }
            if let Some(wrong) = own.iter().find(|amount| !amount.is_finite() || **amount < 0.0) {
                faults.push(Fault::new(&codes::BAD_VALUE, place(), "finite amounts of at least 0", wrong));
            }
            if taken > 0 && self.of(rank).iter().any(|op| matches!(op, Op::Strand { .. })) {
                faults.push(Fault::say(&codes::BAD_VALUE, place(), "are taken one after another, and it has strands"));
            }
        }
    }

    /// The requirement that an action breaks, if any.
    fn wrong(&self, rank: u32, op: Op, left: usize, parts: &mut Vec<OpenBody>, at: usize) -> Option<String> {
        match op {
            Op::Send { peer, .. } | Op::Receive { peer, .. } if peer == rank => {
                Some("non-blocking, since it is a message of a rank to itself".into())
            }
            Op::Send { peer, .. }
            | Op::Receive { peer, .. }
            | Op::StartSend { peer, .. }
            | Op::StartReceive { peer, .. } => {
                (peer >= self.ranks()).then(|| format!("a message with a rank in 0..{} (exclusive)", self.ranks()))
            }
            Op::Compute { flops: amount } | Op::Sleep { seconds: amount } => {
                (!amount.is_finite() || amount < 0.0).then(|| "a finite amount of at least 0".into())
            }
            Op::Collective { call, member } => {
                let there = self.calls.get(call as usize).and_then(|c| c.members.get(member as usize));
                (there != Some(&rank)).then(|| "a call in which this rank is that member".into())
            }
            Op::Repeat { ops, .. } => enter(parts, ops, left, at, true),
            Op::Strand { ops } => {
                parts.iter_mut().last().into_iter().for_each(|part| part.open += 1);
                enter(parts, ops, left, at, false)
            }
            Op::Join => {
                parts.iter_mut().last().into_iter().for_each(|part| part.open = 0);
                None
            }
            Op::Wait { back } => (back == 0).then(|| "a wait for a request at least 1 back".into()),
            Op::WaitAll | Op::Signal { .. } | Op::Await { .. } | Op::Take { .. } | Op::Give { .. } => None,
            Op::ComputeNext | Op::SleepNext => None,
        }
    }
}

/// Goes into a loop or a strand of the next `ops` actions, of which `left` are there; else what it would have to be.
fn enter(parts: &mut Vec<OpenBody>, ops: u32, left: usize, at: usize, is_loop: bool) -> Option<String> {
    let end = at + 1 + ops as usize;
    let inside = parts.last().is_none_or(|outer| end <= outer.end);
    // Loops of this strand, or strands within strands; the first part is the program.
    let deep = match is_loop {
        true => parts.iter().rev().take_while(|part| part.is_loop).count(),
        false => parts.iter().skip(1).filter(|part| !part.is_loop).count(),
    };
    if ops as usize > left || !inside || deep == LOOP_DEPTH {
        let what = if is_loop { "loop" } else { "strand" };
        return Some(format!("a {what} that ends within its outer one, at most {LOOP_DEPTH} deep"));
    }
    if ops > 0 {
        parts.push(OpenBody { end, is_loop, open: 0 });
    }
    None
}
