//! IS: sorting integers by buckets. Every iteration counts the keys, agrees on who takes which bucket, and exchanges
//! the keys.

use netloom_model::{Collective, Kind, Outcome, Param, Programs};

use super::class::class_of;
use super::legal::{Legal, powers};
use super::row::{Application, ApplicationRow, CLASS, COMPUTE, ITERATIONS, PART, TEMPLATE};
use super::weave::{Body, Passed, Setup};

pub(crate) const IS: ApplicationRow = ApplicationRow {
    name: "is",
    aliases: &["npb:is"],
    summary: "Integer sort: per iteration an allreduce of the bucket sizes, an alltoall of counts, an alltoall of keys.",
    params: &[
        CLASS,
        ITERATIONS,
        COMPUTE,
        PART,
        Param::optional(
            "operations_per_key",
            Kind::Float { min: 0.0, max: 1e6 },
            "1",
            "operations that ranking a key takes; the benchmark counts one",
        )
        .keyword_only(),
    ],
    example: "is(class=A)",
    restrictions: "a power of two up to 1024 (class S: 128)",
    build: Application {
        iterations: |_| 10, // MAX_PROCS of is.c
        legal: |bound| Legal::List(powers(class_of(bound).of([128, 1024, 1024, 1024, 1024]))),
        make,
    },
    ..TEMPLATE
};

/// Bytes of a key, and of a count.
const KEY: u64 = 4;
/// Keys whose place is checked while sorting: they travel with the bucket sizes.
const TEST_KEYS: u64 = 5;
/// Share of an iteration's work before the keys are exchanged: two of three passes over the keys (count the buckets,
/// sort into them, rank).
const BEFORE: f64 = 2.0 / 3.0;

/// The alltoall of keys is an alltoallv in the program, with counts that depend on the keys: near uniform (within 5 %
/// in class S on 8 ranks). Here every pair has the same share, rounded up.
fn make(setup: &Setup) -> Outcome<Programs> {
    let keys = setup.class.of([1u64 << 16, 1 << 20, 1 << 23, 1 << 25, 1 << 27]);
    let buckets = setup.class.of([1 << 9, 1 << 10, 1 << 10, 1 << 10, 1 << 10]);
    let ranks = u64::from(setup.ranks);

    let mut calls = setup.calls();
    let sizes = calls.world(Collective::Allreduce, KEY * (buckets + TEST_KEYS))?;
    let counts = calls.world(Collective::Alltoall, KEY)?;
    let handover = calls.world(Collective::Alltoall, (KEY * keys).div_ceil(ranks * ranks))?;
    let slowest = if setup.whole { calls.world(Collective::Reduce, 8)? } else { None };
    let passed = if setup.whole { calls.world(Collective::Reduce, 4)? } else { None };

    let work = keys as f64 / ranks as f64 * setup.bound.float("operations_per_key");
    let iteration = |body: &mut Body| {
        body.work(BEFORE * work);
        body.call(sizes);
        body.call(counts);
        body.call(handover);
        body.work((1.0 - BEFORE) * work);
    };
    setup.weave(calls, keys as f64 * f64::from(setup.iterations), |rank, body| {
        body.repeat(setup.iterations + u32::from(setup.whole), iteration);
        if setup.whole {
            body.call(slowest);
            let from = rank.checked_sub(1).map(|peer| Passed { peer, bytes: KEY });
            let to = (rank + 1 < setup.ranks).then_some(Passed { peer: rank + 1, bytes: KEY });
            body.pass(1000, from, to);
            body.call(passed);
        }
    })
}
