//! Programs as GOAL.

use std::fmt::Write as _;

use netloom_model::{Bound, Fault, Outcome, Programs};

use super::binary::{CALC, HEADER, MAGIC, OPERATION, RECEIVE, SEND};
use crate::codes;
use crate::recorded::{Graphs, Task, TaskGraph, Work};

type Files = Vec<(String, Vec<u8>)>;

/// As text: one file. O(actions with loops unrolled + messages of collectives).
///
/// # Errors
/// `NL-F001` beyond 100 Mi operations; `NL-F018` for what the format has no words for.
pub fn text(programs: &Programs, (): (), bound: &Bound) -> Outcome<Files> {
    let (mut graphs, speed) = (Graphs::of(programs, false)?, bound.float("speed"));
    let mut out = format!("num_ranks {}\n", programs.ranks());
    for rank in 0..programs.ranks() {
        let TaskGraph { tasks } = graphs.rank(rank)?;
        let _ = writeln!(out, "\nrank {rank} {{");
        for (number, task) in tasks.iter().enumerate() {
            let _ = match task.work {
                Work::Send { peer, tag, bytes } => writeln!(out, "o{number}: send {bytes}b to {peer} tag {tag}"),
                Work::Receive { peer, tag, bytes } => writeln!(out, "o{number}: recv {bytes}b from {peer} tag {tag}"),
                other => match calc(other, speed, programs)? {
                    (ns, 0) => writeln!(out, "o{number}: calc {ns}"),
                    (ns, cpu) => writeln!(out, "o{number}: calc {ns} cpu {cpu}"),
                },
            };
        }
        for (number, Task { after, after_start, .. }) in tasks.iter().enumerate() {
            for (verb, list) in [("requires", after), ("irequires", after_start)] {
                list.iter().for_each(|before| _ = writeln!(out, "o{number} {verb} o{before}"));
            }
        }
        out.push_str("}\n");
    }
    Ok(vec![("schedule.goal".to_string(), out.into_bytes())])
}

/// Nanoseconds and cpu of a task that is no message.
fn calc(work: Work, flops_per_s: f64, programs: &Programs) -> Outcome<(u64, u8)> {
    let (seconds, unit) = match work {
        Work::Seconds { seconds, unit } => (seconds, unit),
        Work::Flops { flops, unit } => (flops / flops_per_s, unit),
        _ => (0.0, 0),
    };
    let (ns, cpu) = ((seconds * 1e9).round(), u8::try_from(unit).ok());
    match cpu {
        Some(cpu) if ns <= 9e18 => Ok((ns as u64, cpu)),
        _ => {
            let expected = "computation of less than 9e9 s on units below 256";
            Err(Fault::new(&codes::CANNOT_EXPRESS, &programs.label, expected, format!("{work:?}")).into())
        }
    }
}

/// In binary: one file. As [`text`].
///
/// # Errors
/// Those of [`text`].
pub fn binary(programs: &Programs, (): (), bound: &Bound) -> Outcome<Files> {
    let (mut graphs, speed) = (Graphs::of(programs, false)?, bound.float("speed"));
    let (mut parts, mut most) = (Vec::new(), 0);
    for rank in 0..programs.ranks() {
        let (part, cpu) = part(&graphs.rank(rank)?, speed, programs)?;
        parts.push(part);
        most = most.max(cpu);
    }
    let mut out = MAGIC.to_le_bytes().to_vec();
    out.extend((parts.len() as u32).to_le_bytes());
    out.extend([most, 0]);
    let mut at = (HEADER - 8 + 16 * parts.len()) as u64;
    for part in &parts {
        out.extend(at.to_le_bytes());
        at += part.len() as u64;
        out.extend(at.to_le_bytes());
    }
    parts.iter().for_each(|part| out.extend(part));
    Ok(vec![("schedule.bin".to_string(), out)])
}

/// The part of a rank, and its largest cpu.
fn part(TaskGraph { tasks }: &TaskGraph, flops_per_s: f64, programs: &Programs) -> Outcome<(Vec<u8>, u8)> {
    let mut lists: Vec<[Vec<u32>; 2]> = vec![[Vec::new(), Vec::new()]; tasks.len()];
    for (later, Task { after, after_start, .. }) in (0u32..).zip(tasks) {
        after.iter().for_each(|earlier| lists[*earlier as usize][0].push(later));
        after_start.iter().for_each(|earlier| lists[*earlier as usize][1].push(later));
    }
    let depends = |task: &Task| (task.after.len() + task.after_start.len()) as u32;
    let free: Vec<u32> = (0u32..).zip(tasks).filter(|(_, task)| depends(task) == 0).map(|(at, _)| at).collect();
    let mut out = Vec::with_capacity(8 + 4 * free.len() + OPERATION * tasks.len());
    out.extend((tasks.len() as u32).to_le_bytes());
    out.extend((free.len() as u32).to_le_bytes());
    free.iter().for_each(|at| out.extend(at.to_le_bytes()));
    let (mut listed, mut most) = (0u32, 0);
    for (task, both) in tasks.iter().zip(&lists) {
        let (kind, peer, size, tag, cpu) = match task.work {
            Work::Send { peer, tag, bytes } => (SEND, peer, bytes, tag, 0),
            Work::Receive { peer, tag, bytes } => (RECEIVE, peer, bytes, tag, 0),
            other => {
                let (ns, cpu) = calc(other, flops_per_s, programs)?;
                (CALC, 0, ns, 0, cpu)
            }
        };
        most = most.max(cpu);
        out.extend(depends(task).to_le_bytes());
        out.push(kind);
        out.extend(peer.to_le_bytes());
        out.extend(size.to_le_bytes());
        out.extend(tag.to_le_bytes());
        out.extend([cpu, 0]);
        for list in both {
            out.extend((list.len() as u32).to_le_bytes());
            out.extend(listed.to_le_bytes());
            listed += list.len() as u32;
        }
    }
    lists.iter().flatten().flatten().for_each(|later| out.extend(later.to_le_bytes()));
    Ok((out, most))
}
