//! The list of collective algorithms, and what a call into it gives.

use netloom_model::fault::codes;
use netloom_model::{
    Bound, Call, Catalogue, Collective, CombiningShape, Fault, Outcome, Param, Registry, Row, Schedule,
};

use crate::collectives::{
    CollectiveRow, Job, Method, channels, flat, hierarchical, in_network, led, schedule, two_tier,
};
use crate::counts::Closed;

/// Every collective algorithm: those of an operation, then its compositions.
const PARTS: &[&[CollectiveRow]] = &[
    flat::BROADCAST,
    &[hierarchical::BROADCAST, two_tier::BROADCAST, in_network::BROADCAST, in_network::MULTICAST, in_network::PATH],
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

/// [`COLLECTIVES`] for listings, with the names and refusals of [`find_collective`].
pub struct CollectiveNames;

impl Catalogue for CollectiveNames {
    fn kind(&self) -> &'static str {
        COLLECTIVES.kind
    }
    fn what(&self) -> &'static str {
        COLLECTIVES.what
    }
    fn about(&self) -> Vec<Row<()>> {
        COLLECTIVES.about()
    }
    fn common(&self) -> &'static [Param] {
        COLLECTIVES.common
    }
    fn entry(&self, name: &str) -> Outcome<Row<()>> {
        Ok(find_collective(name)?.about())
    }
}

/// The row of a name or alias (`bcast:binomial`, `reduce_scatter:ring`, `ompi:bcast:binomial`).
///
/// # Errors
/// `NL-A002` with the nearest name; for a copy of one message, where the operation has no message that is the same for all,
/// the reason.
pub fn find_collective(name: &str) -> Outcome<&'static CollectiveRow> {
    let full = match name.split_once(':') {
        Some(("bcast", algorithm)) => format!("broadcast:{algorithm}"),
        Some(("reduce_scatter_block" | "reduce-scatter-block", algorithm)) => format!("reduce-scatter:{algorithm}"),
        _ => name.to_string(),
    };
    COLLECTIVES.find(&full).map_err(|unknown| no_copies(&full).map_or(unknown, Into::into))
}

/// The reason why an operation has no algorithm in which switches copy one message; none for other names.
fn no_copies(full: &str) -> Option<Fault> {
    let (operation, algorithm) = full.split_once(':')?;
    let copied = COLLECTIVES.find(&format!("broadcast:{algorithm}")).ok()?;
    let collective = Collective::ALL.iter().find(|collective| collective.name() == operation)?;
    if copied.shape == CombiningShape::Central {
        return None;
    }
    let (why, hint) = match collective {
        Collective::Scatter | Collective::Gather | Collective::Alltoall => (
            "data of its own for each rank, which no switch can copy",
            format!("netloom list collectives has all of {operation}"),
        ),
        Collective::Scan | Collective::Exscan => {
            ("another result for each rank", format!("netloom list collectives has all of {operation}"))
        }
        _ => ("messages of several ranks", format!("use {operation}:in-network")),
    };
    let sentence = format!("{algorithm} copies the message of one rank, and {operation} has {why}");
    Some(Fault::say(&codes::UNKNOWN_NAME, full, sentence).hint(hint))
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
