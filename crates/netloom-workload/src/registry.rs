//! The list of collective algorithms, and what a call into it gives.

use netloom_model::{Bound, Call, Outcome, Registry, Schedule};

use crate::collectives::{
    CollectiveRow, Job, Method, channels, flat, hierarchical, in_network, led, schedule, two_tier,
};
use crate::counts::Closed;

/// Every collective algorithm: those of an operation, then its compositions.
const PARTS: &[&[CollectiveRow]] = &[
    flat::BROADCAST,
    &[hierarchical::BROADCAST, two_tier::BROADCAST, in_network::BROADCAST],
    flat::REDUCE,
    &[hierarchical::REDUCE, two_tier::REDUCE, in_network::REDUCE],
    flat::ALLREDUCE,
    &[led::ALLREDUCE, hierarchical::BLUECONNECT, two_tier::ALLREDUCE, in_network::ALLREDUCE],
    flat::ALLGATHER,
    &[hierarchical::ALLGATHER, led::ALLGATHER, two_tier::ALLGATHER, in_network::ALLGATHER],
    flat::GATHER,
    &[hierarchical::GATHER, two_tier::GATHER],
    flat::SCATTER,
    &[hierarchical::SCATTER, two_tier::SCATTER],
    flat::REDUCE_SCATTER,
    &[hierarchical::REDUCE_SCATTER, two_tier::REDUCE_SCATTER, in_network::REDUCE_SCATTER],
    flat::ALLTOALL,
    &[hierarchical::ALLTOALL],
    flat::BARRIER,
    &[hierarchical::BARRIER, led::BARRIER, in_network::BARRIER],
    flat::SCAN,
    flat::EXSCAN,
];

const fn count(parts: &[&[CollectiveRow]]) -> usize {
    let (mut part, mut rows) = (0, 0);
    while part < parts.len() {
        rows += parts[part].len();
        part += 1;
    }
    rows
}

const fn joined<const N: usize>(parts: &[&[CollectiveRow]]) -> [CollectiveRow; N] {
    let mut rows = [parts[0][0]; N];
    let (mut part, mut at) = (0, 0);
    while part < parts.len() {
        let mut row = 0;
        while row < parts[part].len() {
            rows[at] = parts[part][row];
            (row, at) = (row + 1, at + 1);
        }
        part += 1;
    }
    rows
}

static ROWS: [CollectiveRow; count(PARTS)] = joined(PARTS);

/// Every collective algorithm.
pub static COLLECTIVES: Registry<Method> =
    Registry { kind: "collectives", what: "collective", rows: &ROWS, common: channels::PARAMS };

/// The row of a name or alias (`bcast:binomial`, `reduce_scatter:ring`, `ompi:bcast:binomial`).
///
/// # Errors
/// `NL-A002` with the nearest name.
pub fn find_collective(name: &str) -> Outcome<&'static CollectiveRow> {
    let full = match name.split_once(':') {
        Some(("bcast", algorithm)) => format!("broadcast:{algorithm}"),
        Some(("reduce_scatter_block" | "reduce-scatter-block", algorithm)) => format!("reduce-scatter:{algorithm}"),
        _ => name.to_string(),
    };
    COLLECTIVES.find(&full)
}

/// Row and arguments of a call, under the registered name.
///
/// # Errors
/// `NL-A002` unknown name, `NL-A003`..`NL-A008` arguments.
pub fn bind_collective(call: &Call) -> Outcome<(&'static CollectiveRow, Bound)> {
    let row = find_collective(&call.name)?;
    COLLECTIVES.bind(&Call { name: row.name.into(), ..call.clone() })
}

/// The schedule of `call` on `ranks` ranks. `size_bytes` has the meaning of
/// [`netloom_model::Collective::size_meaning`]; `root` is 0 for operations without one. O(rows of the schedule).
///
/// # Errors
/// All of the call's, and those of [`Job::new`] and [`schedule`](crate::collectives::schedule).
///
/// ```
/// use netloom_model::Call;
/// let schedule = netloom_workload::build(&Call::parse("bcast:binomial")?, 8, 0, 1024)?;
/// assert_eq!((schedule.steps, schedule.messages()), (3, 7));
/// # Ok::<(), netloom_model::Faults>(())
/// ```
pub fn build(call: &Call, ranks: i64, root: i64, size_bytes: i64) -> Outcome<Schedule> {
    let (row, bound) = bind_collective(call)?;
    schedule(row, &Job::new(row.collective, ranks, root, size_bytes)?, &bound)
}

/// Steps, messages, bytes and ports of `call` by formula. O(log ranks), or O(depth) for chains.
///
/// # Errors
/// As [`build`], except that no list has to fit.
pub fn closed(call: &Call, ranks: i64, root: i64, size_bytes: i64) -> Outcome<Closed> {
    let (row, bound) = bind_collective(call)?;
    row.closed(&Job::new(row.collective, ranks, root, size_bytes)?, &bound)
}
