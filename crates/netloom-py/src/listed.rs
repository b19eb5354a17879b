//! The actions of programs as columns, for what is written in Python on them.

use netloom_model::Op;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::objects::Programs;

/// Names of the kinds of actions, by number.
const KINDS: [&str; 16] = [
    "send",
    "receive",
    "start_send",
    "start_receive",
    "wait",
    "wait_all",
    "compute",
    "sleep",
    "collective",
    "repeat",
    "strand",
    "join",
    "signal",
    "await",
    "take",
    "give",
];

/// Kind, peer (or requests back, actions of a loop or a strand, member, task, unit), tag (or call, times of a loop, turn),
/// bytes, and operations or seconds.
type Row = (u8, u32, u32, u64, f64);

fn row(op: Op) -> Row {
    match op {
        Op::Send { peer, tag, bytes } => (0, peer, tag, bytes, 0.0),
        Op::Receive { peer, tag, bytes } => (1, peer, tag, bytes, 0.0),
        Op::StartSend { peer, tag, bytes } => (2, peer, tag, bytes, 0.0),
        Op::StartReceive { peer, tag, bytes } => (3, peer, tag, bytes, 0.0),
        Op::Wait { back } => (4, back, 0, 0, 0.0),
        Op::WaitAll => (5, 0, 0, 0, 0.0),
        Op::Compute { flops } => (6, 0, 0, 0, flops),
        Op::Sleep { seconds } => (7, 0, 0, 0, seconds),
        Op::Collective { call, member } => (8, member, call, 0, 0.0),
        Op::Repeat { ops, times } => (9, ops, times, 0, 0.0),
        Op::Strand { ops } => (10, ops, 0, 0, 0.0),
        Op::Join => (11, 0, 0, 0, 0.0),
        Op::Signal { task } => (12, task, 0, 0, 0.0),
        Op::Await { task } => (13, task, 0, 0, 0.0),
        Op::Take { unit, turn } => (14, unit, turn, 0, 0.0),
        Op::Give { unit } => (15, unit, 0, 0, 0.0),
        // Filled in by `whole`.
        Op::ComputeNext => (6, 0, 0, 0, 0.0),
        Op::SleepNext => (7, 0, 0, 0, 0.0),
    }
}

/// Collective, bytes, root, members.
type Call = (&'static str, u64, u32, Vec<u32>);

/// The actions of all ranks as columns (`offsets` says where those of each begin), loops not unrolled, and the
/// collectives that they call.
#[pyfunction]
pub fn listed_actions<'py>(py: Python<'py>, programs: &Programs) -> PyResult<(Bound<'py, PyDict>, Vec<Call>)> {
    let (made, out) = (&programs.0, PyDict::new(py));
    let bodies: Vec<_> = (0..made.ranks()).map(|rank| made.whole(rank)).collect();
    let mut offsets = vec![0u64];
    bodies.iter().for_each(|body| offsets.push(offsets[offsets.len() - 1] + body.len() as u64));
    let rows = || bodies.iter().flat_map(|body| body.iter()).map(|op| row(*op));
    out.set_item("kinds", KINDS.to_vec())?;
    out.set_item("offsets", PyArray1::from_vec(py, offsets))?;
    out.set_item("kind", PyArray1::from_vec(py, rows().map(|row| row.0).collect()))?;
    out.set_item("peer", PyArray1::from_vec(py, rows().map(|row| row.1).collect()))?;
    out.set_item("tag", PyArray1::from_vec(py, rows().map(|row| row.2).collect()))?;
    out.set_item("bytes", PyArray1::from_vec(py, rows().map(|row| row.3).collect()))?;
    out.set_item("amount", PyArray1::from_vec(py, rows().map(|row| row.4).collect()))?;
    let calls = made.calls.iter().map(|call| {
        let schedule = &call.schedule;
        (schedule.collective.name(), schedule.size_bytes, schedule.root, call.members.clone())
    });
    Ok((out, calls.collect()))
}
