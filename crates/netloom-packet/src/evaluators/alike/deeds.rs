//! What a rank does, in words that are the same for ranks of other parts that do the same.

use std::collections::HashMap;
use std::sync::Arc;

use netloom_model::{Op, Programs, Schedule, Traffic};

/// Schedules, of which equal ones have one number.
#[derive(Default)]
pub(super) struct Schedules<'a> {
    known: Vec<&'a Schedule>,
    numbers: HashMap<*const Schedule, u64>,
}

impl<'a> Schedules<'a> {
    pub fn number(&mut self, schedule: &'a Schedule) -> u64 {
        let known = &mut self.known;
        *self.numbers.entry(std::ptr::from_ref(schedule)).or_insert_with(|| {
            let same = known.iter().position(|other| **other == *schedule);
            same.unwrap_or_else(|| {
                known.push(schedule);
                known.len() - 1
            }) as u64
        })
    }
}

/// Writes down what ranks of a part do: of a rank it says which one of the part it is.
pub(super) struct Deeds<'w, 'a> {
    pub words: &'w mut Vec<u64>,
    pub schedules: &'w mut Schedules<'a>,
    /// By rank of all jobs: its number in its part.
    pub number: &'w [u32],
    /// First rank of the job.
    pub base: u32,
}

impl<'a> Deeds<'_, 'a> {
    fn rank(&self, local: u32) -> u64 {
        self.number[(self.base + local) as usize].into()
    }

    /// Lists come after their lengths, so that no two ranks that differ have the same words.
    pub fn of_flows(&mut self, traffic: &Traffic, rank: u32) {
        let flows = traffic.flows();
        let bound = |rank: u64| flows.partition_point(|flow| u64::from(flow.src) < rank);
        let own = &flows[bound(rank.into())..bound(u64::from(rank) + 1)];
        self.words.push(own.len() as u64);
        for flow in own {
            let to = self.rank(flow.dst);
            self.words.extend([to, flow.bytes, flow.messages]);
        }
    }

    /// `calls`: the numbers of those that the part has had so far.
    pub fn of_program(&mut self, programs: &'a Programs, rank: u32, calls: &mut HashMap<u32, u64>) {
        let amounts = programs.amounts.of(rank);
        self.words.extend([amounts.len() as u64, programs.of(rank).len() as u64]);
        self.words.extend(amounts.iter().map(|amount| amount.to_bits()));
        for op in programs.of(rank) {
            self.op(programs, *op, calls);
        }
    }

    fn op(&mut self, programs: &'a Programs, op: Op, calls: &mut HashMap<u32, u64>) {
        let message = |kind: u64, to: u64, tag: u32, bytes: u64| [kind, to, tag.into(), bytes];
        let plain = |kind: u64, one: u64, other: u64| [kind, one, other, 0];
        let words = match op {
            Op::Send { peer, tag, bytes } => message(0, self.rank(peer), tag, bytes),
            Op::Receive { peer, tag, bytes } => message(1, self.rank(peer), tag, bytes),
            Op::StartSend { peer, tag, bytes } => message(2, self.rank(peer), tag, bytes),
            Op::StartReceive { peer, tag, bytes } => message(3, self.rank(peer), tag, bytes),
            Op::Wait { back } => plain(4, back.into(), 0),
            Op::WaitAll => plain(5, 0, 0),
            Op::Compute { flops } => plain(6, flops.to_bits(), 0),
            Op::Sleep { seconds } => plain(7, seconds.to_bits(), 0),
            Op::Collective { call, member } => {
                let number = self.call(programs, call, calls);
                plain(8, number, member.into())
            }
            Op::Repeat { ops, times } => plain(9, ops.into(), times.into()),
            Op::Strand { ops } => plain(10, ops.into(), 0),
            Op::Join => plain(11, 0, 0),
            Op::Signal { task } => plain(12, task.into(), 0),
            Op::Await { task } => plain(13, task.into(), 0),
            Op::Take { unit, turn } => plain(14, unit.into(), turn.into()),
            Op::Give { unit } => plain(15, unit.into(), 0),
            Op::ComputeNext => plain(16, 0, 0),
            Op::SleepNext => plain(17, 0, 0),
        };
        self.words.extend(words);
    }

    /// The number of a collective in its part; where it is new, with its schedule and its members.
    fn call(&mut self, programs: &'a Programs, call: u32, calls: &mut HashMap<u32, u64>) -> u64 {
        let new = calls.len() as u64;
        if let Some(number) = calls.get(&call) {
            return *number;
        }
        calls.insert(call, new);
        let call = &programs.calls[call as usize];
        let schedule = self.schedules.number(Arc::as_ref(&call.schedule));
        self.words.extend([schedule, call.members.len() as u64]);
        for member in &call.members {
            let rank = self.rank(*member);
            self.words.push(rank);
        }
        new
    }
}
