//! Programs as a trace that `smpirun -replay` takes: an index, and one file per rank; all sizes in bytes.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use netloom_model::{Collective, Fault, Op, Outcome, Programs};

use super::datatypes::BYTE;
use crate::codes;
use crate::expand::{GROUP_TAG, Half, halves, is_whole, too_large};
use crate::recorded::{MAX_OPS, MAX_TOTAL_BYTES};

/// Name of the index.
const INDEX: &str = "trace.txt";

/// Files of a trace: first the index, `trace.txt`, then `rank-0.txt` and so on, named there without a folder: run
/// `smpirun -replay trace.txt` in their folder. O(actions with loops unrolled + messages of collectives of some ranks).
///
/// Loops are unrolled. A collective of all ranks becomes its own action (its algorithm is then SMPI's choice:
/// `--cfg=smpi/allreduce:rdb`, for instance); one of some of the ranks, which the format cannot express, becomes the
/// messages of its schedule, step by step: receives posted, sends started, all of them waited for.
///
/// # Errors
/// `NL-F001` beyond 2^26 actions or 1 GiB; `NL-F018` for a tag of 2^31 or more.
pub fn write(programs: &Programs) -> Outcome<Vec<(String, Vec<u8>)>> {
    let groups = halves(programs, |call| !is_whole(call, programs))?;
    let actions: u64 = (0..programs.ranks())
        .fold(0u64, |sum, rank| sum.saturating_add(unrolled(programs.of(rank), &groups)).saturating_add(2));
    if actions > MAX_OPS as u64 {
        return Err(too_large(programs, &format!("{actions} actions exceed {MAX_OPS}")));
    }
    let digits = programs.ranks().saturating_sub(1).to_string().len();
    let name = |rank: u32| format!("rank-{rank:0digits$}.txt");
    let index: String = (0..programs.ranks()).map(|rank| name(rank) + "\n").collect();
    let mut files = vec![(INDEX.to_string(), index.into_bytes())];
    let mut total = 0;
    for rank in 0..programs.ranks() {
        let mut writer = RankWriter {
            rank,
            programs,
            groups: &groups,
            out: String::new(),
            started: Vec::new(),
            open: BTreeSet::new(),
            taken: 0,
        };
        writer.line(format_args!("init"));
        writer.actions(programs.of(rank))?;
        writer.line(format_args!("finalize"));
        total += writer.out.len() as u64;
        if total > MAX_TOTAL_BYTES {
            return Err(too_large(programs, &format!("more than {} MiB", MAX_TOTAL_BYTES >> 20)));
        }
        files.push((name(rank), writer.out.into_bytes()));
    }
    Ok(files)
}

/// Actions with loops unrolled, each pass through a loop counted too. O(ops).
fn unrolled(ops: &[Op], groups: &[Option<Vec<Vec<Half>>>]) -> u64 {
    // Ends of the open loops, and the total number of runs of each.
    let mut loops: Vec<(usize, u64)> = Vec::new();
    let mut sum = 0u64;
    for (at, op) in ops.iter().enumerate() {
        while loops.last().is_some_and(|&(end, _)| at >= end) {
            loops.pop();
        }
        let times = loops.last().map_or(1, |&(_, times)| times);
        let each = match *op {
            Op::Repeat { ops: 0, .. } => 1,
            Op::Repeat { ops, times: again } => {
                loops.push((at + 1 + ops as usize, times.saturating_mul(u64::from(again))));
                1 + u64::from(again)
            }
            Op::Collective { call, member } => {
                let halves = groups[call as usize].as_ref().map_or(0, |halves| halves[member as usize].len());
                1 + 2 * halves as u64
            }
            _ => 1,
        };
        sum = sum.saturating_add(times.saturating_mul(each));
    }
    sum
}

/// A message that was started, as a wait names it.
#[derive(Clone, Copy)]
struct Started {
    src: u32,
    dst: u32,
    tag: u32,
}

/// One rank's file.
struct RankWriter<'a> {
    rank: u32,
    programs: &'a Programs,
    groups: &'a [Option<Vec<Vec<Half>>>],
    out: String,
    /// Source, destination and tag of every request.
    started: Vec<Started>,
    /// Numbers of the requests that nothing has waited for.
    open: BTreeSet<u32>,
    /// Amounts of computation that are written.
    taken: usize,
}

impl RankWriter<'_> {
    fn line(&mut self, action: std::fmt::Arguments) {
        let _ = writeln!(self.out, "{} {action}", self.rank);
    }

    fn actions(&mut self, ops: &[Op]) -> Outcome<()> {
        let mut at = 0;
        while let Some(&op) = ops.get(at) {
            at += 1;
            if let Op::Repeat { ops: inside, times } = op {
                let end = at + inside as usize;
                if inside > 0 {
                    for _ in 0..times {
                        self.actions(&ops[at..end])?;
                    }
                }
                at = end;
            } else {
                let op = self.programs.amounts.fill(self.rank, op, &mut self.taken);
                self.action(op)?;
            }
        }
        Ok(())
    }

    fn action(&mut self, op: Op) -> Outcome<()> {
        match op {
            Op::Send { peer, tag, bytes } => self.message("send", peer, tag, bytes)?,
            Op::Receive { peer, tag, bytes } => self.message("recv", peer, tag, bytes)?,
            Op::StartSend { peer, tag, bytes } => {
                self.message("isend", peer, tag, bytes)?;
                self.start(Started { src: self.rank, dst: peer, tag });
            }
            Op::StartReceive { peer, tag, bytes } => {
                self.message("irecv", peer, tag, bytes)?;
                self.start(Started { src: peer, dst: self.rank, tag });
            }
            Op::Wait { back } => {
                if let Some(number) = (self.started.len() as u32).checked_sub(back) {
                    self.wait(number);
                }
            }
            Op::WaitAll if self.open.is_empty() => {}
            Op::WaitAll => {
                self.line(format_args!("waitall {}", self.open.len()));
                self.open.clear();
            }
            Op::Compute { flops } => self.line(format_args!("compute {flops}")),
            Op::Sleep { seconds } => self.line(format_args!("sleep {seconds}")),
            Op::Collective { call, member } => self.collective(call, member)?,
            Op::Strand { .. } | Op::Signal { .. } | Op::Await { .. } | Op::Take { .. } | Op::Give { .. } => {
                let place = format!("{}: rank {}", self.programs.label, self.rank);
                let expected = "one action after another, since a trace has no two at once";
                return Err(Fault::new(&codes::CANNOT_EXPRESS, place, expected, "steps side by side").into());
            }
            // Unrolled and filled by `actions`; there is no strand to join.
            Op::Repeat { .. } | Op::Join | Op::ComputeNext | Op::SleepNext => {}
        }
        Ok(())
    }

    fn message(&mut self, action: &str, peer: u32, tag: u32, bytes: u64) -> Outcome<()> {
        if tag > i32::MAX as u32 {
            let place = format!("{}: rank {}", self.programs.label, self.rank);
            return Err(Fault::new(&codes::CANNOT_EXPRESS, place, "a message with a tag below 2^31", tag).into());
        }
        self.line(format_args!("{action} {peer} {tag} {bytes} {BYTE}"));
        Ok(())
    }

    fn start(&mut self, message: Started) {
        self.open.insert(self.started.len() as u32);
        self.started.push(message);
    }

    /// A request that was waited for is not waited for again: SMPI's replay would take a different one with that name.
    fn wait(&mut self, number: u32) {
        if self.open.remove(&number) {
            let Started { src, dst, tag } = self.started[number as usize];
            self.line(format_args!("wait {src} {dst} {tag}"));
        }
    }

    fn collective(&mut self, call: u32, member: u32) -> Outcome<()> {
        if let Some(halves) = &self.groups[call as usize] {
            return self.steps(&halves[member as usize]);
        }
        let schedule = &self.programs.calls[call as usize].schedule;
        let (n, root) = (schedule.size_bytes, schedule.root);
        match schedule.collective {
            Collective::Broadcast => self.line(format_args!("bcast {n} {root} {BYTE}")),
            Collective::Reduce => self.line(format_args!("reduce {n} 0 {root} {BYTE}")),
            Collective::Allreduce => self.line(format_args!("allreduce {n} 0 {BYTE}")),
            Collective::Scan => self.line(format_args!("scan {n} 0 {BYTE}")),
            Collective::Exscan => self.line(format_args!("exscan {n} 0 {BYTE}")),
            Collective::Allgather => self.line(format_args!("allgather {n} {n} {BYTE} {BYTE}")),
            Collective::Alltoall => self.line(format_args!("alltoall {n} {n} {BYTE} {BYTE}")),
            Collective::Gather => self.line(format_args!("gather {n} {n} {root} {BYTE} {BYTE}")),
            Collective::Scatter => self.line(format_args!("scatter {n} {n} {root} {BYTE} {BYTE}")),
            Collective::Barrier => self.line(format_args!("barrier")),
            Collective::ReduceScatter => {
                let counts = format!("{n} ").repeat(schedule.ranks as usize);
                self.line(format_args!("reducescatter {counts}0 {BYTE}"));
            }
        }
        Ok(())
    }

    /// The messages of one member, one step after another.
    fn steps(&mut self, halves: &[Half]) -> Outcome<()> {
        for step in halves.chunk_by(|a, b| a.step == b.step) {
            let first = self.started.len() as u32;
            for half in step {
                let op = match half.receives {
                    true => Op::StartReceive { peer: half.peer, tag: GROUP_TAG, bytes: half.bytes },
                    false => Op::StartSend { peer: half.peer, tag: GROUP_TAG, bytes: half.bytes },
                };
                self.action(op)?;
            }
            (first..self.started.len() as u32).for_each(|number| self.wait(number));
        }
        Ok(())
    }
}
