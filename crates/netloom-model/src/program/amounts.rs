//! Amounts of computation that no two passes of a loop share: a list for each rank, next to its actions.

use std::borrow::Cow;

use super::{Op, Programs};

/// What [`Op::ComputeNext`] and [`Op::SleepNext`] take, one after another; behind the last one of a rank its first comes
/// again, when its program is repeated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Amounts {
    values: Vec<f64>,
    /// Those of rank `r` are `values[offsets[r]..offsets[r + 1]]`; empty where no rank has any.
    offsets: Vec<usize>,
}

impl Amounts {
    /// Of all ranks, in order.
    pub fn new(lists: Vec<Vec<f64>>) -> Amounts {
        if lists.iter().all(Vec::is_empty) {
            return Amounts::default();
        }
        let mut made = Amounts { values: Vec::new(), offsets: vec![0] };
        made.values.reserve_exact(lists.iter().map(Vec::len).sum());
        for list in lists {
            made.values.extend(list);
            made.offsets.push(made.values.len());
        }
        made
    }

    /// True if no rank has any.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub fn of(&self, rank: u32) -> &[f64] {
        let ends = self.offsets.get(rank as usize).zip(self.offsets.get(rank as usize + 1));
        ends.and_then(|(first, end)| self.values.get(*first..*end)).unwrap_or_default()
    }

    /// The action with the next amount of its rank, of which `taken` have been taken; others remain as they are.
    #[inline]
    pub fn fill(&self, rank: u32, op: Op, taken: &mut usize) -> Op {
        if !op.takes_amount() {
            return op;
        }
        let own = self.of(rank);
        let amount = own.get(*taken).or(own.first()).copied().unwrap_or(0.0);
        *taken = if *taken < own.len() { *taken + 1 } else { 1 };
        match op {
            Op::ComputeNext => Op::Compute { flops: amount },
            _ => Op::Sleep { seconds: amount },
        }
    }
}

impl Op {
    /// True if its amount is the next one of the list of its rank.
    #[inline]
    pub fn takes_amount(&self) -> bool {
        matches!(self, Op::ComputeNext | Op::SleepNext)
    }
}

impl Programs {
    /// The actions of a rank with their amounts: as they are, or loops unrolled where it has amounts. O(actions).
    pub fn whole(&self, rank: u32) -> Cow<'_, [Op]> {
        if self.amounts.of(rank).is_empty() {
            return Cow::Borrowed(self.of(rank));
        }
        let (mut made, mut taken) = (Vec::new(), 0);
        self.unroll(rank, self.of(rank), &mut taken, &mut made);
        Cow::Owned(made)
    }

    fn unroll(&self, rank: u32, ops: &[Op], taken: &mut usize, made: &mut Vec<Op>) {
        let mut at = 0;
        while let Some(op) = ops.get(at) {
            at += 1;
            let Op::Repeat { ops: inside, times } = *op else {
                made.push(self.amounts.fill(rank, *op, taken));
                continue;
            };
            let end = at + inside as usize;
            for _ in 0..if inside > 0 { times } else { 0 } {
                self.unroll(rank, &ops[at..end], taken, made);
            }
            at = end;
        }
    }

    /// Actions that [`Programs::whole`] gives of all ranks together. O(actions).
    pub fn whole_actions(&self) -> u64 {
        if self.amounts.is_empty() {
            return self.ops.len() as u64;
        }
        let mut sum = 0u64;
        self.for_each_action(|rank, _, times| {
            sum = sum.saturating_add(if self.amounts.of(rank).is_empty() { 1 } else { times });
        });
        sum
    }
}
