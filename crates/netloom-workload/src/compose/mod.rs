//! One program of several workloads: in sequence, in loops, side by side, on all ranks or on groups of them. A sequence
//! is one per rank, as in MPI: no rank waits for another at the end of a step.

mod place;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use netloom_model::program::LOOP_DEPTH;
use netloom_model::traffic::Turns;
use netloom_model::{Fault, GroupCall, Op, Outcome, Programs, Traffic, Workload};

use crate::applications::OP_LIMIT;
use crate::codes;
pub use place::Groups;

/// Deepest nesting of [`Step`].
const DEPTH: usize = 4 * LOOP_DEPTH;

/// What ranks do.
#[derive(Clone, Debug)]
pub enum Act {
    Flops(f64),
    Seconds(f64),
    /// A workload on as many ranks as a group has; every group has its own.
    Work(Workload),
}

#[derive(Clone, Debug)]
pub enum Step {
    /// An act in every group, side by side; ranks in none go on at once.
    In(Arc<Groups>, Act),
    Repeat(u32, Vec<Step>),
    /// Sequences that every rank does at the same time; it goes on when it has done all of them. The last one with
    /// messages is done by the rank itself, so that a record shows it; the others by strands of it. So is one that
    /// waits for strands of its own, which would wait for the others too.
    Together(Vec<Vec<Step>>),
}

/// The steps, one after another, as one program. Every step's messages have a tag or context of their own, so that no
/// message of one meets a receive of another. Flows of several messages become one. O(actions).
///
/// # Errors
/// `NL-P006` for groups of another size than the workload, or steps that nest too deeply; `NL-P005` beyond
/// [`OP_LIMIT`] actions, before they are held; as [`Programs::new`] and [`Workload::traffic`].
pub fn compose(label: &str, ranks: u32, steps: &[Step]) -> Outcome<Programs> {
    let bodies = vec![Vec::new(); ranks as usize];
    let mut made = Composer { label, bodies, calls: Vec::new(), tags: 0, counted: 0.0, left: OP_LIMIT };
    made.sequence(steps, 1.0, DEPTH)?;
    let mut programs = Programs::new(label, made.bodies, made.calls)?;
    programs.counted_operations = made.counted;
    Ok(programs)
}

struct Composer<'a> {
    label: &'a str,
    bodies: Vec<Vec<Op>>,
    calls: Vec<GroupCall>,
    /// Tags in use.
    tags: u32,
    counted: f64,
    /// Actions that may still be added.
    left: u64,
}

impl Composer<'_> {
    fn sequence(&mut self, steps: &[Step], times: f64, depth: usize) -> Outcome<()> {
        let Some(depth) = depth.checked_sub(1) else { return Err(self.refuse("is nested too deeply").into()) };
        for step in steps {
            match step {
                Step::In(groups, act) => self.act(groups, act, times)?,
                Step::Repeat(again, steps) => {
                    let made = |ops| Op::Repeat { ops, times: *again };
                    self.within(made, |own| own.sequence(steps, times * f64::from(*again), depth))?;
                }
                Step::Together(branches) => self.together(branches, times, depth)?,
            }
        }
        Ok(())
    }

    fn together(&mut self, branches: &[Vec<Step>], times: f64, depth: usize) -> Outcome<()> {
        let joins = |branch: &[Step]| branch.iter().any(|step| within(step, DEPTH, &waits_for_strands));
        let own = branches.iter().rposition(|branch| branch.iter().any(has_messages) && !joins(branch));
        let own = own.or_else(|| branches.iter().rposition(|branch| !joins(branch)));
        let before: Vec<usize> = self.bodies.iter().map(Vec::len).collect();
        for (_, branch) in branches.iter().enumerate().filter(|(at, _)| Some(*at) != own) {
            self.within(|ops| Op::Strand { ops }, |made| made.sequence(branch, times, depth))?;
        }
        let forked: Vec<bool> = self.bodies.iter().zip(before).map(|(body, before)| body.len() > before).collect();
        if let Some(own) = own {
            self.sequence(&branches[own], times, depth)?;
        }
        self.take(forked.iter().filter(|forked| **forked).count() as u64)?;
        for (body, forked) in self.bodies.iter_mut().zip(forked) {
            if forked {
                body.push(Op::Join);
            }
        }
        Ok(())
    }

    /// Puts `made(actions)` before what `fill` adds to every rank, and nothing where it adds nothing.
    fn within(&mut self, made: impl Fn(u32) -> Op, fill: impl FnOnce(&mut Self) -> Outcome<()>) -> Outcome<()> {
        self.take(self.bodies.len() as u64)?;
        let starts: Vec<usize> = self.bodies.iter().map(Vec::len).collect();
        self.bodies.iter_mut().for_each(|body| body.push(Op::Join));
        fill(self)?;
        for (body, start) in self.bodies.iter_mut().zip(starts) {
            match (body.len() - start - 1) as u32 {
                0 => body.truncate(start),
                ops => body[start] = made(ops),
            }
        }
        Ok(())
    }

    fn act(&mut self, groups: &Groups, act: &Act, times: f64) -> Outcome<()> {
        let op = match act {
            Act::Flops(flops) => Op::Compute { flops: *flops },
            Act::Seconds(seconds) => Op::Sleep { seconds: *seconds },
            Act::Work(work) => return self.work(groups, work, times),
        };
        self.take(groups.ranks())?;
        for &rank in groups.lists().iter().flatten() {
            self.bodies[rank as usize].push(op);
        }
        Ok(())
    }

    fn work(&mut self, groups: &Groups, work: &Workload, times: f64) -> Outcome<()> {
        for members in groups.lists() {
            if members.len() as u64 != u64::from(work.ranks()) {
                let sentence = format!("{} is on {} ranks, a group has {}", work.label(), work.ranks(), members.len());
                return Err(self.refuse(&sentence).into());
            }
        }
        match work {
            Workload::Schedule(schedule) => {
                self.take(groups.ranks())?;
                for members in groups.lists() {
                    let call = self.calls.len() as u32;
                    self.calls.push(GroupCall { schedule: Arc::clone(schedule), members: members.clone() });
                    for (member, &rank) in members.iter().enumerate() {
                        self.bodies[rank as usize].push(Op::Collective { call, member: member as u32 });
                    }
                }
            }
            Workload::Programs(programs) => self.programs(groups, programs, times)?,
            Workload::Traffic(traffic) if !traffic.starts().is_empty() => {
                self.programs(groups, &Programs::of_traffic(traffic)?, times)?;
            }
            Workload::Traffic(traffic) => self.traffic(groups, traffic)?,
            Workload::Stream(_) => self.traffic(groups, &*work.traffic()?)?,
        }
        Ok(())
    }

    /// Sends the messages as [`Programs::of_traffic`] does.
    fn traffic(&mut self, groups: &Groups, traffic: &Traffic) -> Outcome<()> {
        let (tag, flows, turns) = (self.tags(1)?, traffic.flows(), Turns::of(traffic));
        self.take((2 * flows.len() as u64 + u64::from(traffic.ranks)) * groups.lists().len() as u64)?;
        for members in groups.lists() {
            let at = |member: u32| members[member as usize];
            for f in flows {
                let receive = Op::StartReceive { peer: at(f.src), tag, bytes: f.bytes };
                self.bodies[at(f.dst) as usize].push(receive);
            }
            for f in turns.flows(traffic) {
                self.bodies[at(f.src) as usize].push(Op::StartSend { peer: at(f.dst), tag, bytes: f.bytes });
            }
            members.iter().for_each(|&rank| self.bodies[rank as usize].push(Op::WaitAll));
        }
        Ok(())
    }

    fn programs(&mut self, groups: &Groups, programs: &Programs, times: f64) -> Outcome<()> {
        let most = programs.ops.iter().filter_map(tag_of).max().unwrap_or(0);
        let tags = self.tags(u64::from(most) + 1)?;
        self.take(programs.whole_actions().saturating_mul(groups.lists().len() as u64))?;
        let listed = programs.calls.iter().map(|call| call.members.len() as u64).sum::<u64>();
        self.take(listed * groups.lists().len() as u64)?;
        self.counted += programs.counted_operations * groups.lists().len() as f64 * times;
        for members in groups.lists() {
            let calls = self.calls.len() as u32;
            let at = |member: u32| members[member as usize];
            self.calls.extend(programs.calls.iter().map(|call| GroupCall {
                schedule: Arc::clone(&call.schedule),
                members: call.members.iter().map(|&member| at(member)).collect(),
            }));
            for (own, &rank) in members.iter().enumerate() {
                self.bodies[rank as usize].extend(programs.whole(own as u32).iter().map(|&op| match op {
                    Op::Send { peer, tag, bytes } => Op::Send { peer: at(peer), tag: tag + tags, bytes },
                    Op::Receive { peer, tag, bytes } => Op::Receive { peer: at(peer), tag: tag + tags, bytes },
                    Op::StartSend { peer, tag, bytes } => Op::StartSend { peer: at(peer), tag: tag + tags, bytes },
                    Op::StartReceive { peer, tag, bytes } => {
                        Op::StartReceive { peer: at(peer), tag: tag + tags, bytes }
                    }
                    Op::Collective { call, member } => Op::Collective { call: call + calls, member },
                    other => other,
                }));
            }
        }
        Ok(())
    }

    /// The first of `count` tags that no other step has.
    fn tags(&mut self, count: u64) -> Outcome<u32> {
        let first = self.tags;
        match u32::try_from(u64::from(first) + count) {
            Ok(next) => self.tags = next,
            Err(_) => return Err(self.refuse("needs more than 2^32 tags").into()),
        }
        Ok(first)
    }

    fn take(&mut self, ops: u64) -> Outcome<()> {
        self.left = self.left.checked_sub(ops).ok_or_else(|| {
            let sentence = format!("its actions exceed the {OP_LIMIT} that programs hold");
            Fault::say(&codes::APPLICATION_LARGE, self.label, sentence).hint("use fewer ranks, or fewer steps")
        })?;
        Ok(())
    }

    fn refuse(&self, sentence: &str) -> Fault {
        Fault::say(&codes::STEPS, self.label, sentence)
    }
}

/// True if the step has messages.
fn has_messages(step: &Step) -> bool {
    within(step, DEPTH, &|step| matches!(step, Step::In(_, Act::Work(_))))
}

/// True for what is done by several strands: sequences at the same time, and a collective with several channels.
fn waits_for_strands(step: &Step) -> bool {
    match step {
        Step::Together(_) => true,
        Step::In(_, Act::Work(Workload::Schedule(schedule))) => schedule.channels > 1,
        Step::In(_, Act::Work(Workload::Programs(programs))) => {
            programs.ops.contains(&Op::Join) || programs.calls.iter().any(|call| call.schedule.channels > 1)
        }
        Step::In(..) | Step::Repeat(..) => false,
    }
}

/// Whether a step, or one within it, is such a one. It is not nested deeper than [`DEPTH`]: what is deeper is refused.
fn within(step: &Step, depth: usize, is: &dyn Fn(&Step) -> bool) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    is(step)
        || match step {
            Step::In(..) => false,
            Step::Repeat(_, steps) => steps.iter().any(|step| within(step, depth, is)),
            Step::Together(branches) => branches.iter().flatten().any(|step| within(step, depth, is)),
        }
}

fn tag_of(op: &Op) -> Option<u32> {
    match *op {
        Op::Send { tag, .. } | Op::Receive { tag, .. } | Op::StartSend { tag, .. } | Op::StartReceive { tag, .. } => {
            Some(tag)
        }
        _ => None,
    }
}
