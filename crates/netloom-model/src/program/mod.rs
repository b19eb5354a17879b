//! The actions of every rank, in order: the sends, receives, waits, computation and collectives of an application or of
//! a recorded trace. A [`Schedule`] is one collective; a program is everything between start and end.

mod amounts;
mod check;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::fault::{Fault, Outcome, codes};
use crate::schedule::{Message, Schedule};
use crate::traffic::{Start, Traffic, Turns};

pub use amounts::Amounts;

/// Deepest nesting of [`Op::Repeat`] on one strand, and of [`Op::Strand`].
pub const LOOP_DEPTH: usize = 4;

/// Most messages of a collective that is expanded: 1.2 GiB of actions.
const LISTED: u64 = 1 << 24;

/// One action of one rank. Messages between two ranks with the same tag are matched in the order in which they were
/// sent, as MPI does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// Blocking send; returns when the buffer may be reused, which the calibration decides by size.
    Send { peer: u32, tag: u32, bytes: u64 },
    /// Blocking receive of at most `bytes`.
    Receive { peer: u32, tag: u32, bytes: u64 },
    /// Non-blocking send: a request that a later wait completes.
    StartSend { peer: u32, tag: u32, bytes: u64 },
    /// Non-blocking receive of at most `bytes`.
    StartReceive { peer: u32, tag: u32, bytes: u64 },
    /// Waits for the request that was started `back` requests ago: 1 is the latest. Waiting twice is harmless.
    Wait { back: u32 },
    /// Waits for all requests of this rank that are open.
    WaitAll,
    /// Floating-point operations at the speed of the rank.
    Compute { flops: f64 },
    /// Time that does not depend on the speed of the rank.
    Sleep { seconds: f64 },
    /// [`Programs::calls`]`[call]`, in which this rank has number `member`.
    Collective { call: u32, member: u32 },
    /// The next `ops` actions, `times` times. Nests up to [`LOOP_DEPTH`] deep; an inner loop ends within its outer one.
    Repeat { ops: u32, times: u32 },
    /// The next `ops` actions go on by themselves, as a thread of the rank, while the rank does what follows them. Their
    /// waits mean their own requests, and they end when all of these are done.
    Strand { ops: u32 },
    /// Waits for all strands that were started here; stands before the end of the loop, strand or program with them.
    Join,
    /// Says to the strands of the rank that one of its tasks is done, until the rank itself has joined them.
    Signal { task: u32 },
    /// Waits until that is said.
    Await { task: u32 },
    /// Takes a unit of the rank, such as a core or a stream, as soon as no other strand has it: first come, first served, and
    /// of those that come at one moment the one with the smallest `turn`.
    Take { unit: u32, turn: u32 },
    /// Gives it back.
    Give { unit: u32 },
    /// [`Op::Compute`] of the next one of the rank's [`Amounts`]; of a rank without strands.
    ComputeNext,
    /// [`Op::Sleep`] of that.
    SleepNext,
}

/// A collective on some of the ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupCall {
    /// On `members.len()` ranks, numbered as in `members`.
    pub schedule: Arc<Schedule>,
    /// Rank of the program that is member `i`.
    pub members: Vec<u32>,
}

/// The actions of all ranks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Programs {
    pub label: String,
    /// Actions of rank `r` are `ops[offsets[r]..offsets[r + 1]]`.
    pub offsets: Vec<usize>,
    pub ops: Vec<Op>,
    pub calls: Vec<GroupCall>,
    /// Of computation that differs from one pass of a loop to the next.
    pub amounts: Amounts,
    /// Operations that the application itself counts (NPB's Mop × 10⁶), 0 where it counts none.
    pub counted_operations: f64,
}

impl Programs {
    /// # Errors
    /// `NL-A007` for every rank's first action that names a rank, member, call or loop that does not exist, a negative
    /// or non-finite amount, or a message to itself that is blocking.
    pub fn new(label: impl Into<String>, bodies: Vec<Vec<Op>>, calls: Vec<GroupCall>) -> Outcome<Programs> {
        Programs::with_amounts(label, bodies, Amounts::default(), calls)
    }

    /// The same with amounts of computation next to the actions.
    ///
    /// # Errors
    /// As [`Programs::new`]; also for a rank that takes another number of amounts than it has, or takes them on strands.
    pub fn with_amounts(
        label: impl Into<String>,
        bodies: Vec<Vec<Op>>,
        amounts: Amounts,
        calls: Vec<GroupCall>,
    ) -> Outcome<Programs> {
        let mut programs = Programs { label: label.into(), offsets: vec![0], calls, amounts, ..Programs::default() };
        programs.ops.reserve_exact(bodies.iter().map(Vec::len).sum());
        for body in bodies {
            programs.ops.extend(body);
            programs.offsets.push(programs.ops.len());
        }
        programs.check()?;
        Ok(programs)
    }

    /// A collective by its messages: in every step a rank starts its receives, then its sends, and waits for all of
    /// them. Combining data takes no time here. O(messages).
    ///
    /// # Errors
    /// `NL-A009` beyond 2^24 messages, `NL-E030` for an in-network collective.
    pub fn of_schedule(schedule: &Schedule) -> Outcome<Programs> {
        schedule.require_no_switches()?;
        if schedule.messages() > LISTED {
            let sentence = format!("{} messages exceed the {LISTED} that can be written out", schedule.messages());
            return Err(Fault::say(&codes::TOO_LARGE, &schedule.label, sentence).hint("use fewer ranks").into());
        }
        let mut bodies = vec![Vec::new(); schedule.ranks as usize];
        let mut step: Vec<Message> = Vec::new();
        schedule.for_each_message(|m| {
            if step.last().is_some_and(|last| last.step != m.step) {
                exchange(&mut bodies, &step);
                step.clear();
            }
            if m.src != m.dst {
                step.push(m);
            }
        });
        exchange(&mut bodies, &step);
        Programs::new(schedule.label.clone(), bodies, Vec::new())
    }

    /// A traffic as one burst: every rank starts all its receives, all its sends ([`Turns`]), and waits. Flows of several messages
    /// are one. Flows with times of their own wait for these. O(flows).
    ///
    /// # Errors
    /// As [`Programs::new`].
    pub fn of_traffic(traffic: &Traffic) -> Outcome<Programs> {
        let mut bodies = vec![Vec::new(); traffic.ranks as usize];
        if !traffic.starts().is_empty() {
            return Programs::of_starts(traffic, bodies);
        }
        for f in traffic.flows() {
            bodies[f.dst as usize].push(Op::StartReceive { peer: f.src, tag: 0, bytes: f.bytes });
        }
        for f in Turns::of(traffic).flows(traffic) {
            bodies[f.src as usize].push(Op::StartSend { peer: f.dst, tag: 0, bytes: f.bytes });
        }
        bodies.iter_mut().for_each(|body| body.push(Op::WaitAll));
        Programs::new(traffic.label.clone(), bodies, Vec::new())
    }

    /// Receives first, then each send at its time.
    fn of_starts(traffic: &Traffic, mut bodies: Vec<Vec<Op>>) -> Outcome<Programs> {
        for Start { flow, .. } in traffic.starts() {
            bodies[flow.dst as usize].push(Op::StartReceive { peer: flow.src, tag: 0, bytes: flow.bytes });
        }
        let mut now = vec![0.0; bodies.len()];
        for &Start { start_s, flow } in traffic.starts() {
            let (body, now) = (&mut bodies[flow.src as usize], &mut now[flow.src as usize]);
            if start_s > *now {
                body.push(Op::Sleep { seconds: start_s - *now });
                *now = start_s;
            }
            body.push(Op::StartSend { peer: flow.dst, tag: 0, bytes: flow.bytes });
        }
        bodies.iter_mut().for_each(|body| body.push(Op::WaitAll));
        Programs::new(traffic.label.clone(), bodies, Vec::new())
    }

    /// The same, `times` times, one after another without a barrier. O(actions).
    ///
    /// # Errors
    /// `NL-A007` if loops would then nest deeper than [`LOOP_DEPTH`], or a rank has 2^32 actions.
    pub fn repeated(&self, times: u32) -> Outcome<Programs> {
        let body = |rank: u32| {
            let ops = u32::try_from(self.of(rank).len()).unwrap_or(u32::MAX);
            std::iter::once(Op::Repeat { ops, times }).chain(self.of(rank).iter().copied()).collect()
        };
        let bodies = (0..self.ranks()).map(body).collect();
        let (label, amounts) = (self.label.clone(), self.amounts.clone());
        let mut made = Programs::with_amounts(label, bodies, amounts, self.calls.clone())?;
        made.counted_operations = self.counted_operations * f64::from(times);
        Ok(made)
    }

    pub fn ranks(&self) -> u32 {
        self.offsets.len().saturating_sub(1) as u32
    }

    pub fn of(&self, rank: u32) -> &[Op] {
        &self.ops[self.offsets[rank as usize]..self.offsets[rank as usize + 1]]
    }

    /// Calls `visit(src, dst, bytes, times)` for every message, loops not unrolled but counted: a collective's messages
    /// once per call. O(actions + messages of the collectives).
    pub fn for_each_message(&self, mut visit: impl FnMut(u32, u32, u64, u64)) {
        self.for_each_action(|rank, op, times| match op {
            Op::Send { peer, bytes, .. } | Op::StartSend { peer, bytes, .. } => visit(rank, peer, bytes, times),
            Op::Collective { call, member: 0 } => {
                let GroupCall { schedule, members } = &self.calls[call as usize];
                schedule.for_each_message(|m| {
                    visit(members[m.src as usize], members[m.dst as usize], m.bytes, times);
                });
            }
            _ => {}
        });
    }

    /// All messages, as [`Programs::for_each_message`] counts them. O(actions).
    pub fn messages(&self) -> u64 {
        let mut sum = 0u64;
        self.for_each_action(|_, op, times| {
            let each = match op {
                Op::Send { .. } | Op::StartSend { .. } => 1,
                Op::Collective { call, member: 0 } => self.calls[call as usize].schedule.messages(),
                _ => 0,
            };
            sum = sum.saturating_add(each.saturating_mul(times));
        });
        sum
    }

    /// The collectives that ranks call, with how often each is called, where a program does nothing else and each rank
    /// calls one of them: communicators that run side by side. `None` elsewhere. O(actions).
    pub fn communicators(&self) -> Option<Vec<(&GroupCall, u64)>> {
        let mut called: Vec<Option<u64>> = vec![None; self.calls.len()];
        for rank in 0..self.ranks() {
            let (mut times, mut own) = (1u64, None);
            for op in self.of(rank) {
                match *op {
                    Op::Repeat { times: again, .. } if own.is_none() => times = times.saturating_mul(u64::from(again)),
                    Op::Collective { call, .. } if own.is_none() => own = Some(call),
                    _ => return None,
                }
            }
            if let Some(call) = own {
                let known = called.get_mut(call as usize)?.get_or_insert(times);
                if *known != times {
                    return None;
                }
            }
        }
        let made: Vec<_> = self.calls.iter().zip(called).filter_map(|(call, times)| Some((call, times?))).collect();
        (!made.is_empty()).then_some(made)
    }

    /// Every action of every rank, and how often its loops repeat it.
    fn for_each_action(&self, mut visit: impl FnMut(u32, Op, u64)) {
        for rank in 0..self.ranks() {
            let mut loops: Vec<(usize, u64)> = Vec::new();
            for (at, op) in self.of(rank).iter().enumerate() {
                loops.retain(|&(end, _)| at < end);
                let times = loops.last().map_or(1, |l| l.1);
                if let Op::Repeat { ops, times: t } = *op {
                    loops.push((at + 1 + ops as usize, times.saturating_mul(u64::from(t))));
                }
                visit(rank, *op, times);
            }
        }
    }

    /// True if strands tell each other what is done, or share units: a graph of tasks. O(actions).
    pub fn has_tasks(&self) -> bool {
        let of_tasks = |op: &Op| matches!(op, Op::Signal { .. } | Op::Await { .. } | Op::Take { .. } | Op::Give { .. });
        self.ops.iter().any(of_tasks)
    }
}

/// Appends one step: receives before sends, then a wait for all.
fn exchange(bodies: &mut [Vec<Op>], step: &[Message]) {
    for m in step {
        bodies[m.dst as usize].push(Op::StartReceive { peer: m.src, tag: 0, bytes: m.bytes });
    }
    for m in step {
        bodies[m.src as usize].push(Op::StartSend { peer: m.dst, tag: 0, bytes: m.bytes });
    }
    for m in step {
        for end in [m.src, m.dst] {
            let body = &mut bodies[end as usize];
            if body.last() != Some(&Op::WaitAll) {
                body.push(Op::WaitAll);
            }
        }
    }
}
