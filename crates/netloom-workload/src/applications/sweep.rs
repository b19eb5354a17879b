//! Causal sweeps over an open grid of ranks, as a solver by relaxation makes them: a rank waits for the messages of all its
//! lower neighbours, then sends to all its upper ones. The pattern `wave-front` has the same messages without their order.

use netloom_model::{Bound, Kind, Outcome, Param, Programs};

use super::legal::Legal;
use super::row::{Application, ApplicationRow, TEMPLATE, size};
use super::weave::{Body, Setup};
use crate::patterns::{DIMS, points, whole_bytes};

pub(crate) const SWEEP: ApplicationRow = ApplicationRow {
    name: "sweep",
    aliases: &[],
    summary: "Sweeps over an open grid: a rank waits for its lower neighbours, then sends to its upper ones; then all the way back.",
    params: &[
        DIMS,
        size("bytes", "\"40 KiB\"", "bytes of one message"),
        Param::optional("times", Kind::Int { min: 1, max: 1_000_000 }, "1", "sweeps one behind another, each way")
            .keyword_only(),
        Param::optional("back", Kind::Bool, "true", "whether the sweeps return, from the last rank to the first")
            .keyword_only(),
    ],
    example: "sweep(2,4)",
    restrictions: "as many ranks as the grid has points, up to 1048576; last axis fastest",
    source: "Navaridas 2009 §4.3 (W2, W3: back, 40 KB; WF: 40 sweeps of 1 KB one way)",
    build: Application { legal, make, ..TEMPLATE.build },
};

fn legal(bound: &Bound) -> Legal {
    Legal::only(points(bound))
}

/// O(ranks · axes).
fn make(setup: &Setup) -> Outcome<Programs> {
    let bound = setup.bound;
    let bytes = whole_bytes(bound, "bytes")?;
    let (times, back) = (bound.size("times"), bound.bool("back"));
    // Extent and stride of each axis, first axis first.
    let mut axes: Vec<(u32, u32)> = Vec::new();
    let mut stride = 1;
    for extent in bound.ints("dims").iter().rev().map(|d| *d as u32) {
        axes.insert(0, (extent, stride));
        stride *= extent;
    }
    setup.weave(setup.calls(), 0.0, |rank, body| {
        let at = |(extent, stride): (u32, u32)| rank / stride % extent;
        let lower: Vec<u32> = axes.iter().filter(|axis| at(**axis) > 0).map(|axis| rank - axis.1).collect();
        let upper: Vec<u32> = axes.iter().filter(|axis| at(**axis) + 1 < axis.0).map(|axis| rank + axis.1).collect();
        body.repeat(times, |body| pass(body, &lower, &upper, bytes));
        if back {
            body.repeat(times, |body| pass(body, &upper, &lower, bytes));
        }
        if !body.ops.is_empty() {
            body.wait_all();
        }
    })
}

/// One sweep at a rank. Its sends are not waited for, so that the next sweep may follow.
fn pass(body: &mut Body, before: &[u32], after: &[u32], bytes: u64) {
    before.iter().for_each(|peer| body.start_receive(*peer, 0, bytes));
    (1..=before.len() as u32).rev().for_each(|back| body.wait(back));
    after.iter().for_each(|peer| body.start_send(*peer, 0, bytes));
}
