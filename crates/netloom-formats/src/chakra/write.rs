//! Programs as Chakra traces.

use std::collections::HashMap;

use netloom_model::{Bound, Collective, Fault, Outcome, Programs};

use super::wire::Message;
use super::{COLLECTIVE, COLLECTIVES, COMPUTE, RECEIVE, SEND};
use crate::codes;
use crate::expand::is_whole;
use crate::recorded::{Graphs, Task, TaskGraph, Work};

/// The first call of each communicator, by its members.
type Groups<'a> = HashMap<&'a [u32], usize>;

/// The version of the schema that is written.
const VERSION: &str = "0.0.4";

/// A file per rank, `trace.N.et`. O(actions with loops unrolled).
///
/// # Errors
/// `NL-F018` for a scan, or computation that is no whole microsecond; `NL-F001` beyond 100 Mi nodes.
pub fn write(programs: &Programs, (): (), _bound: &Bound) -> Outcome<Vec<(String, Vec<u8>)>> {
    let mut graphs = Graphs::of(programs, true)?;
    let mut groups: Groups<'_> = HashMap::new();
    for (number, call) in programs.calls.iter().enumerate() {
        groups.entry(&call.members).or_insert(number);
    }
    let mut files = Vec::new();
    for rank in 0..programs.ranks() {
        let graph = graphs.rank(rank)?;
        let mut out = Message::default();
        let mut head = Message::default();
        head.bytes(1, VERSION.as_bytes());
        out.delimited(&head.0);
        for number in 0..graph.tasks.len() {
            out.delimited(&node(programs, &groups, rank, &graph, number)?.0);
        }
        files.push((format!("trace.{rank}.et"), out.0));
    }
    Ok(files)
}

fn node(programs: &Programs, groups: &Groups<'_>, rank: u32, graph: &TaskGraph, number: usize) -> Outcome<Message> {
    let Task { work, after, after_start } = &graph.tasks[number];
    let mut before = after.clone();
    // Nothing waits for a start: what has to be over before that has to be over here, too.
    after_start.iter().for_each(|start| ends_before(graph, *start, &mut before));
    before.sort_unstable();
    before.dedup();
    let mut made = Message::default();
    made.number(1, number as u64);
    let refuse = |expected: &str| {
        let place = format!("{}: rank {rank}", programs.label);
        Err(Fault::new(&codes::CANNOT_EXPRESS, place, expected, format!("{work:?}")).into())
    };
    let (name, kind, duration_us, attributes): (_, _, _, Vec<(&str, u64)>) = match *work {
        Work::Seconds { unit, .. } | Work::Flops { unit, .. } if unit > super::ACCELERATOR => {
            return refuse("computation of a processor and an accelerator, units 0 and 1");
        }
        Work::Nothing => ("nothing", super::META, 0, vec![]),
        Work::Seconds { seconds, .. } => {
            let us = seconds * 1e6;
            if (us - us.round()).abs() > 1e-6 * us.max(1.0) || us > 9e15 {
                return refuse("computation of whole microseconds, which the format has");
            }
            match us.round() as u64 {
                0 => ("compute", COMPUTE, 0, vec![("num_ops", 0)]),
                us => ("compute", COMPUTE, us, vec![]),
            }
        }
        Work::Flops { flops, .. } => ("compute", COMPUTE, 0, vec![("num_ops", flops.round() as u64)]),
        Work::Send { peer, tag, bytes } => {
            ("send", SEND, 0, vec![("comm_dst", peer.into()), ("comm_tag", tag.into()), ("comm_size", bytes)])
        }
        Work::Receive { peer, tag, bytes } => {
            ("receive", RECEIVE, 0, vec![("comm_src", peer.into()), ("comm_tag", tag.into()), ("comm_size", bytes)])
        }
        Work::Collective { call, .. } => {
            let call = &programs.calls[call as usize];
            let schedule = &call.schedule;
            let collective = schedule.collective;
            let Some(kind) = COLLECTIVES.iter().position(|one| *one == Some(collective)) else {
                return refuse("a collective that the format has");
            };
            let parts = match collective {
                Collective::ReduceScatter | Collective::Alltoall | Collective::Scatter => call.members.len() as u64,
                _ => 1,
            };
            if !is_whole(call, programs) {
                if !call.members.is_sorted() {
                    return refuse("a communicator whose ranks ascend, since the format has no list of its members");
                }
                let mut group = Message::default();
                group.bytes(1, b"pg_name");
                let number = groups.get(call.members.as_slice()).copied().unwrap_or(0);
                group.bytes(29, format!("group{number}").as_bytes());
                made.bytes(10, &group.0);
            }
            let mut attributes = vec![("comm_type", kind as u64), ("comm_size", schedule.size_bytes * parts)];
            if collective.is_rooted() {
                attributes.push(("root", schedule.root.into()));
            }
            ("collective", COLLECTIVE, 0, attributes)
        }
    };
    made.bytes(2, name.as_bytes());
    made.number(3, kind);
    let before: Vec<u64> = before.into_iter().map(u64::from).collect();
    made.packed(5, &before);
    if duration_us > 0 {
        made.number(7, duration_us);
    }
    for (name, value) in attributes {
        let mut attribute = Message::default();
        attribute.bytes(1, name.as_bytes());
        attribute.number(13, value);
        made.bytes(10, &attribute.0);
    }
    let mut processor = Message::default();
    processor.bytes(1, b"is_cpu_op");
    processor.number(27, u64::from(work.unit() == Some(super::PROCESSOR)));
    made.bytes(10, &processor.0);
    Ok(made)
}

/// What has ended when a task starts.
fn ends_before(graph: &TaskGraph, task: u32, ends: &mut Vec<u32>) {
    let mut todo = vec![task];
    while let Some(task) = todo.pop() {
        let Task { after, after_start, .. } = &graph.tasks[task as usize];
        ends.extend(after);
        todo.extend(after_start);
    }
}
