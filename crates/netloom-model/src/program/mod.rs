//! The actions of every rank, in order: the sends, receives, waits, computation and collectives of an application or of
//! a recorded trace. A [`Schedule`] is one collective; a program is everything between start and end.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::fault::{Fault, Faults, Outcome, codes};
use crate::schedule::{Message, Schedule};
use crate::traffic::{Start, Traffic};

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
}

/// A loop, a strand or a whole program that an action stands in.
struct OpenBody {
    end: usize,
    is_loop: bool,
    /// Strands that were started in it and not joined.
    open: u32,
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
    /// Operations that the application itself counts (NPB's Mop × 10⁶), 0 where it counts none.
    pub counted_operations: f64,
}

impl Programs {
    /// # Errors
    /// `NL-A007` for every rank's first action that names a rank, member, call or loop that does not exist, a negative
    /// or non-finite amount, or a message to itself that is blocking.
    pub fn new(label: impl Into<String>, bodies: Vec<Vec<Op>>, calls: Vec<GroupCall>) -> Outcome<Programs> {
        let mut programs = Programs { label: label.into(), offsets: vec![0], calls, ..Programs::default() };
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

    /// A traffic as one burst: every rank starts all its receives, all its sends, and waits. Flows of several messages
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
        for f in traffic.flows() {
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
        let mut made = Programs::new(self.label.clone(), (0..self.ranks()).map(body).collect(), self.calls.clone())?;
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

    fn check(&self) -> Outcome<()> {
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
        faults.or(())
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
