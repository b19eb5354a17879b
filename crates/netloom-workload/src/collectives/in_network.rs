//! Collectives in which switches combine and multiply messages (SHARP, NVLink SHARP). Built without a network they have one
//! switch a channel, which joins all ranks; [`placed`] builds them on the trees of a network.

use netloom_model::schedule::{BlockRange, Copied, Rounds};
use netloom_model::{Bound, Call, Collective, CombiningShape, CombiningTree, Kind, Outcome, Param, Schedule};

use super::job::Job;
use super::row::{CollectiveRow, Method, TEMPLATE, Walk, segments};
use super::{check_rows, schedule_of};
use crate::counts::Wide;
use crate::generate::in_network as generate;
use crate::plan::{Builder, Plan};
use crate::registry::bind_collective;

const BASE: CollectiveRow = CollectiveRow {
    params: &[segments("16")],
    restrictions: "a machine whose combining_switches are not absent",
    source: "Graham et al., Scalable Hierarchical Aggregation Protocol (SHARP), COMHPC 2016",
    build: Method { walk: Walk::Trees, copied: |_| Copied { before_bytes: 0, after_bytes: 0 }, ..TEMPLATE.build },
    ..TEMPLATE
};

/// After the operation's own: what switches can do, and where they do it.
macro_rules! needs {
    ($own:literal) => {
        concat!(
            $own,
            "an operation of the switches (sum, minimum, maximum, and, or); a machine whose combining_switches are not absent"
        )
    };
}

const TURN: Param = Param::optional(
    "turn",
    Kind::Choice(&["switch", "owners"]),
    "switch",
    "where combined data turn around: in the switch at the root (SHARP), or at the rank that owns the block (NVLink SHARP)",
);

pub(crate) const ALLREDUCE: CollectiveRow = CollectiveRow {
    name: "allreduce:in-network",
    aliases: &["allreduce:sharp"],
    summary: "Vectors go up a tree of switches, which combine them, and the result comes down; segments follow each other.",
    params: &[segments("16"), TURN],
    example: "allreduce:in-network",
    restrictions: needs!(""),
    build: Method {
        collective: Collective::Allreduce,
        on_tree: Some(|job, bound, tree| match owns(bound) {
            false => generate::allreduce(tree, parts(job, bound)),
            true => generate::allreduce_by_owners(tree, parts(job, bound)),
        }),
        formula: |job, bound| {
            let (p, n, s) = (u128::from(job.ranks), u128::from(job.size_bytes), u128::from(parts(job, bound)));
            match owns(bound) {
                false => wide([s + 1, 2 * p * s, p * n, 2 * p * n, p]),
                true => wide([s + 3, 4 * p * s, (p + 1) * n, 2 * (p + 1) * n, if s > 2 { 2 * p } else { p }]),
            }
        },
        ..BASE.build
    },
    ..BASE
};

pub(crate) const BROADCAST: CollectiveRow = CollectiveRow {
    name: "broadcast:in-network",
    aliases: &["broadcast:sharp"],
    summary: "The message goes up and down a tree of switches, which multiply it; segments follow each other.",
    example: "broadcast:in-network",
    build: Method {
        collective: Collective::Broadcast,
        on_tree: Some(|job, bound, tree| generate::broadcast(tree, job.root, parts(job, bound))),
        formula: |job, bound| {
            let (p, n, s) = (u128::from(job.ranks), u128::from(job.size_bytes), u128::from(parts(job, bound)));
            wide([s + 1, p * s, (p - 1) * n, p * n, p - 1])
        },
        ..BASE.build
    },
    ..BASE
};

/// Of a multicast: one piece, unless asked for more.
const PIECES: Param =
    Param { help: "parts that follow each other; with 1 a switch sends on what it has as a whole", ..segments("1") };

pub(crate) const MULTICAST: CollectiveRow = CollectiveRow {
    name: "broadcast:multicast",
    aliases: &["broadcast:hardware-multicast"],
    summary: "Switches copy the message down the tree of shortest paths from the root: each of its links carries it once.",
    params: &[PIECES],
    example: "broadcast:multicast",
    source: "Cui 2024 §2.3.1; Kesavan and Panda, IEEE TPDS 12(8), 2001",
    build: Method { shape: CombiningShape::Shortest, ..BROADCAST.build },
    ..BROADCAST
};

pub(crate) const PATH: CollectiveRow = CollectiveRow {
    name: "broadcast:path",
    aliases: &["broadcast:path-based"],
    summary: "One message visits all switches of the job one after the other, and each copies it to its ranks.",
    params: &[PIECES],
    example: "broadcast:path",
    source: "Cui 2024 §2.3.1 (Hamilton path); Kesavan and Panda, IEEE TPDS 12(8), 2001",
    build: Method { shape: CombiningShape::Path, ..BROADCAST.build },
    ..BROADCAST
};

pub(crate) const REDUCE: CollectiveRow = CollectiveRow {
    name: "reduce:in-network",
    aliases: &["reduce:sharp"],
    summary: "As broadcast backwards: switches combine what comes from several links.",
    example: "reduce:in-network",
    restrictions: needs!("commutative operation at roots other than 0; "),
    build: Method {
        collective: Collective::Reduce,
        on_tree: Some(|job, bound, tree| generate::broadcast(tree, job.root, parts(job, bound)).reversed(true)),
        formula: |job, bound| {
            let (p, n, s) = (u128::from(job.ranks), u128::from(job.size_bytes), u128::from(parts(job, bound)));
            wide([s + 1, p * s, n, p * n, p - 1])
        },
        ..BASE.build
    },
    ..BASE
};

pub(crate) const ALLGATHER: CollectiveRow = CollectiveRow {
    name: "allgather:in-network",
    summary: "Every block goes up a tree of switches and down to all other ranks; segments follow each other.",
    example: "allgather:in-network",
    build: Method {
        collective: Collective::Allgather,
        on_tree: Some(|job, bound, tree| generate::allgather(tree, parts(job, bound))),
        formula: |job, bound| {
            let (p, n, s) = (u128::from(job.ranks), u128::from(job.size_bytes), u128::from(parts(job, bound)));
            wide([s + 1, 2 * p * s, p * (p - 1) * n, p * p * n, p])
        },
        ..BASE.build
    },
    ..BASE
};

pub(crate) const REDUCE_SCATTER: CollectiveRow = CollectiveRow {
    name: "reduce-scatter:in-network",
    summary: "As allgather backwards: switches combine what comes from several links.",
    example: "reduce-scatter:in-network",
    restrictions: needs!("commutative operation; "),
    build: Method {
        collective: Collective::ReduceScatter,
        on_tree: Some(|job, bound, tree| generate::allgather(tree, parts(job, bound)).reversed(true)),
        formula: |job, bound| {
            let (p, n, s) = (u128::from(job.ranks), u128::from(job.size_bytes), u128::from(parts(job, bound)));
            wide([s + 1, 2 * p * s, p * n, p * p * n, p])
        },
        ..BASE.build
    },
    ..BASE
};

pub(crate) const BARRIER: CollectiveRow = CollectiveRow {
    name: "barrier:in-network",
    aliases: &["barrier:sharp"],
    summary: "An empty message goes up a tree of switches, and one comes down.",
    params: &[],
    example: "barrier:in-network",
    build: Method {
        collective: Collective::Barrier,
        on_tree: Some(|_, _, tree| generate::allgather(tree, 1)),
        formula: |job, _| {
            let p = u128::from(job.ranks);
            wide([2, 2 * p, 0, 0, p])
        },
        ..BASE.build
    },
    ..BASE
};

fn parts(job: &Job, bound: &Bound) -> u32 {
    if job.collective == Collective::Barrier { 1 } else { bound.size("segments") }
}

fn owns(bound: &Bound) -> bool {
    bound.text("turn") == "owners"
}

fn wide([steps, messages, max_bytes_sent, total_bytes, max_ports]: [u128; 5]) -> Wide {
    Wide { steps, messages, max_bytes_sent, total_bytes, max_ports }
}

/// How the switches of an in-network collective are joined on a network.
///
/// # Errors
/// Those of its call.
pub fn shape_of(schedule: &Schedule) -> Outcome<CombiningShape> {
    Ok(bind_collective(&Call::parse(&schedule.label)?)?.0.shape)
}

/// The same in-network collective on trees, one for each channel, with as many ranks.
///
/// # Errors
/// Those of its call; `NL-A009` beyond the rows that a schedule holds, `NL-X011` without the memory.
pub fn placed(schedule: &Schedule, trees: &[CombiningTree]) -> Outcome<Schedule> {
    let (row, bound) = bind_collective(&Call::parse(&schedule.label)?)?;
    let (ranks, root, size) = (schedule.members(), schedule.root, schedule.size_bytes);
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    let job = Job::new(row.collective, ranks.into(), root.into(), size)?;
    schedule_of(row, &job, &bound, plan(row, &job, &bound, trees)?, trees.len() as u32)
}

/// The plan of all channels, each on a tree of its own: block `c·K + b` is block `b` of channel `c`, which has `K`; the switches
/// of a tree follow those of the one before.
pub(super) fn plan(row: &CollectiveRow, job: &Job, bound: &Bound, trees: &[CombiningTree]) -> Outcome<Plan> {
    let (Some(on_tree), true) = (row.on_tree, job.ranks > 1) else {
        return Ok(Builder::new(job.ranks, trees.len() as u32).finish(0));
    };
    let switches: u32 = trees.iter().map(CombiningTree::switches).sum();
    let messages: u64 = trees.iter().map(|tree| u64::from(tree.ranks() + tree.switches())).sum();
    let ways = if owns_blocks(row, bound) { 4 } else { 2 };
    check_rows(row.name, job, u128::from(messages) * u128::from(parts(job, bound)) * ways)?;
    let mut all: Option<Builder> = None;
    let (mut steps, mut first) = (0, 0);
    for (channel, tree) in trees.iter().enumerate() {
        let plan = on_tree(job, bound, tree);
        let blocks = plan.listed_blocks();
        let Plan { steps: own, rounds, .. } = plan;
        let Rounds::Explicit { offsets, transfers, ranges } = rounds else { continue };
        let builder =
            all.get_or_insert_with(|| Builder::new(job.ranks + switches, blocks.saturating_mul(trees.len() as u32)));
        let node = |node: u32| if node < job.ranks { node } else { node + first };
        for step in 0..own {
            for t in &transfers[offsets[step as usize] as usize..offsets[step as usize + 1] as usize] {
                let held = &ranges[t.first_range as usize..(t.first_range + t.ranges) as usize];
                let moved = |range: &BlockRange| BlockRange { first: range.first + channel as u32 * blocks, ..*range };
                let cut: Vec<BlockRange> = held.iter().map(moved).collect();
                builder.send(step, node(t.src), node(t.dst), &cut, t.combine);
            }
        }
        steps = steps.max(own);
        first += tree.switches();
    }
    Ok(all.unwrap_or_else(|| Builder::new(job.ranks, 1)).finish(steps))
}

fn owns_blocks(row: &CollectiveRow, bound: &Bound) -> bool {
    row.collective == Collective::Allreduce && owns(bound)
}
