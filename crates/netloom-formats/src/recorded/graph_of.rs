//! Programs as graphs of tasks, for formats that have these: each action is a task that waits for what the one before it
//! on its strand had to.

use std::collections::HashMap;

use netloom_model::{Fault, Op, Outcome, Programs};

use super::graph::{Task, TaskGraph, Work};
use super::limits::MAX_OPS;
use crate::codes;
use crate::expand::{GROUP_TAG, Half, halves, too_large};

/// What a rank's graph is made of.
pub struct Graphs<'a> {
    programs: &'a Programs,
    /// Of each call that is written out, the messages of its members.
    halves: Vec<Option<Vec<Vec<Half>>>>,
    left: usize,
}

impl<'a> Graphs<'a> {
    /// Of programs; collectives become their messages where the format has no words for them. O(messages of these).
    ///
    /// # Errors
    /// `NL-F001` for too many of them.
    pub fn of(programs: &'a Programs, keep_collectives: bool) -> Outcome<Graphs<'a>> {
        Ok(Graphs { programs, halves: halves(programs, |_| !keep_collectives)?, left: MAX_OPS })
    }

    /// The tasks of a rank, loops unrolled. O(actions).
    ///
    /// # Errors
    /// `NL-F001` beyond 100 Mi tasks of all ranks; `NL-F018` for more than 256 things that a rank computes at once.
    pub fn rank(&mut self, rank: u32) -> Outcome<TaskGraph> {
        let mut made = Maker {
            rank,
            programs: self.programs,
            halves: &self.halves,
            left: self.left,
            tasks: Vec::new(),
            before: Vec::new(),
            signalled: HashMap::new(),
            strands: 0,
            free: Vec::new(),
            taken: 0,
        };
        made.actions(self.programs.of(rank), &mut Strand::default())?;
        self.left = made.left;
        Ok(made.finish())
    }
}

/// What has to be before the next task.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Before {
    End(u32),
    Start(u32),
    /// Whatever was before a task was signalled.
    Task(u32),
}

/// A strand as far as it is written.
#[derive(Clone, Default)]
struct Strand {
    before: Vec<Before>,
    /// Operations of its requests by number, and those that nothing has waited for.
    requests: Vec<u32>,
    open: Vec<u32>,
    /// Of strands that it started, what is before their ends.
    strands: Vec<Before>,
    /// Their numbers, which others have once these have ended.
    numbers: Vec<u32>,
    unit: Option<u32>,
    /// Its number among the strands of the rank.
    number: u32,
}

/// One rank that is written.
struct Maker<'a> {
    rank: u32,
    programs: &'a Programs,
    halves: &'a [Option<Vec<Vec<Half>>>],
    left: usize,
    tasks: Vec<Work>,
    /// Of each task, what is before it.
    before: Vec<Vec<Before>>,
    signalled: HashMap<u32, Vec<Before>>,
    /// Strands that there are at once, at most, and their numbers that are free, the least one last.
    strands: u32,
    free: Vec<u32>,
    /// Amounts of computation so far.
    taken: usize,
}

impl Maker<'_> {
    fn refuse(&self, expected: &str, got: &str) -> netloom_model::Faults {
        let place = format!("{}: rank {}", self.programs.label, self.rank);
        Fault::new(&codes::CANNOT_EXPRESS, place, expected, got).into()
    }

    fn put(&mut self, work: Work, strand: &mut Strand) -> Outcome<u32> {
        if self.left == 0 {
            return Err(too_large(self.programs, &format!("operations exceed {MAX_OPS}")));
        }
        self.left -= 1;
        let number = self.tasks.len() as u32;
        self.tasks.push(work);
        self.before.push(std::mem::take(&mut strand.before));
        Ok(number)
    }

    /// The unit that a strand computes on: strands that share none compute at the same time.
    fn unit(&self, strand: &Strand) -> Outcome<u32> {
        let unit = strand.unit.unwrap_or(strand.number);
        if unit > u8::MAX.into() {
            return Err(self.refuse("at most 256 things that it computes at once", "more"));
        }
        Ok(unit)
    }

    fn blocking(&mut self, work: Work, strand: &mut Strand) -> Outcome<()> {
        let number = self.put(work, strand)?;
        strand.before = vec![Before::End(number)];
        Ok(())
    }

    fn starting(&mut self, work: Work, strand: &mut Strand) -> Outcome<()> {
        let number = self.put(work, strand)?;
        strand.before = vec![Before::Start(number)];
        strand.requests.push(number);
        strand.open.push(number);
        Ok(())
    }

    fn wait_for(&mut self, numbers: impl IntoIterator<Item = u32>, strand: &mut Strand) {
        for number in numbers {
            strand.before.push(Before::End(number));
            strand.open.retain(|open| *open != number);
        }
    }

    fn actions(&mut self, ops: &[Op], strand: &mut Strand) -> Outcome<()> {
        let mut at = 0;
        while let Some(&op) = ops.get(at) {
            at += 1;
            match op {
                Op::Repeat { ops: inside, times } => {
                    let end = at + inside as usize;
                    for _ in 0..if inside > 0 { times } else { 0 } {
                        self.actions(&ops[at..end], strand)?;
                    }
                    at = end;
                }
                Op::Strand { ops: inside } => {
                    let end = at + inside as usize;
                    let number = self.free.pop().unwrap_or_else(|| {
                        self.strands += 1;
                        self.strands
                    });
                    strand.numbers.push(number);
                    let before = strand.before.clone();
                    let mut own = Strand { before, number, ..Strand::default() };
                    self.actions(&ops[at..end], &mut own)?;
                    let open = std::mem::take(&mut own.open);
                    self.wait_for(open, &mut own);
                    strand.strands.extend(own.before);
                    at = end;
                }
                other => {
                    let op = self.programs.amounts.fill(self.rank, other, &mut self.taken);
                    self.action(op, strand)?;
                }
            }
        }
        Ok(())
    }

    fn action(&mut self, op: Op, strand: &mut Strand) -> Outcome<()> {
        match op {
            Op::Send { peer, tag, bytes } => self.blocking(Work::Send { peer, tag, bytes }, strand),
            Op::Receive { peer, tag, bytes } => self.blocking(Work::Receive { peer, tag, bytes }, strand),
            Op::StartSend { peer, tag, bytes } => self.starting(Work::Send { peer, tag, bytes }, strand),
            Op::StartReceive { peer, tag, bytes } => self.starting(Work::Receive { peer, tag, bytes }, strand),
            Op::Wait { back } => {
                let number = strand.requests.len().checked_sub(back as usize).map(|at| strand.requests[at]);
                self.wait_for(number.filter(|number| strand.open.contains(number)), strand);
                Ok(())
            }
            Op::WaitAll => {
                let open = std::mem::take(&mut strand.open);
                self.wait_for(open, strand);
                Ok(())
            }
            Op::Compute { flops } => {
                let unit = self.unit(strand)?;
                self.blocking(Work::Flops { flops, unit }, strand)
            }
            Op::Sleep { seconds } => {
                let unit = self.unit(strand)?;
                self.blocking(Work::Seconds { seconds, unit }, strand)
            }
            Op::Collective { call, member } => self.collective(call, member, strand),
            Op::Join => {
                let ends = std::mem::take(&mut strand.strands);
                strand.before.extend(ends);
                self.free.append(&mut strand.numbers);
                self.free.sort_unstable_by(|a, b| b.cmp(a));
                Ok(())
            }
            Op::Signal { task } => {
                self.signalled.insert(task, strand.before.clone());
                Ok(())
            }
            Op::Await { task } => {
                strand.before.push(Before::Task(task));
                Ok(())
            }
            Op::Take { unit, .. } => {
                strand.unit = Some(unit);
                Ok(())
            }
            Op::Give { .. } => {
                strand.unit = None;
                Ok(())
            }
            // Unrolled, followed and filled by `actions`.
            Op::Repeat { .. } | Op::Strand { .. } | Op::ComputeNext | Op::SleepNext => Ok(()),
        }
    }

    /// Its messages, one step after another, or itself.
    fn collective(&mut self, call: u32, member: u32, strand: &mut Strand) -> Outcome<()> {
        let halves = self.halves;
        let Some(halves) = &halves[call as usize] else {
            let unit = self.unit(strand)?;
            return self.blocking(Work::Collective { call, member, unit }, strand);
        };
        let own = &halves[member as usize];
        for step in own.chunk_by(|a, b| a.step == b.step) {
            let first = strand.requests.len();
            let me = self.rank;
            for half in step.iter().filter(|half| half.peer != me) {
                let (bytes, tag) = (half.bytes, GROUP_TAG + call);
                self.starting(
                    match half.receives {
                        true => Work::Receive { peer: half.peer, tag, bytes },
                        false => Work::Send { peer: half.peer, tag, bytes },
                    },
                    strand,
                )?;
            }
            let numbers = strand.requests.split_off(first);
            self.wait_for(numbers, strand);
        }
        Ok(())
    }

    /// The tasks with what each waits for.
    fn finish(mut self) -> TaskGraph {
        let before = std::mem::take(&mut self.before);
        let tasks = self.tasks.iter().zip(before).map(|(work, before)| self.task(*work, before)).collect();
        TaskGraph { tasks }
    }

    fn task(&self, work: Work, mut todo: Vec<Before>) -> Task {
        let (mut after, mut after_start, mut seen) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(one) = todo.pop() {
            match one {
                Before::End(number) => after.push(number),
                Before::Start(number) => after_start.push(number),
                Before::Task(task) if !seen.contains(&task) => {
                    seen.push(task);
                    todo.extend(self.signalled.get(&task).into_iter().flatten());
                }
                Before::Task(_) => {}
            }
        }
        for list in [&mut after, &mut after_start] {
            list.sort_unstable();
            list.dedup();
        }
        // What ended has started.
        after_start.retain(|number| after.binary_search(number).is_err());
        Task { work, after, after_start }
    }
}
