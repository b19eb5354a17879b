//! Allgather: every rank's block to every rank. Every algorithm here brings every block exactly once, so all send
//! `p·(p-1)` blocks in all.

use netloom_model::schedule::Copied;
use netloom_model::{Bound, Collective, Kind, Outcome, Param};

use super::job::Job;
use super::limits::check_rows;
use super::row::{CollectiveRow, Form, Method, TEMPLATE, Walk, radix, segments};
use crate::counts::{Wide, log_ceil, log_floor, partners, power};
use crate::generate::{bruck, bucket, circulant, exchange, pat, ring, swing, torus};
use crate::plan::Plan;

const BASE: CollectiveRow = CollectiveRow {
    build: Method { collective: Collective::Allgather, form: Form::Cyclic, ..TEMPLATE.build },
    ..TEMPLATE
};

pub(crate) const LINEAR: CollectiveRow = CollectiveRow {
    name: "allgather:linear",
    aliases: &["allgather:direct", "ompi:allgather:direct-messaging", "smpi:allgather:spreading_simple"],
    summary: "Every rank sends its own block to r+1, r+2, ..., r-1.",
    example: "allgather:linear",
    source: "Open MPI direct-messaging, SMPI spreading_simple",
    build: Method {
        single_blocks: true,
        plan: |job, _| Ok(ring::direct(job.ranks)),
        formula: |job, _| one_by_one(job),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const RING: CollectiveRow = CollectiveRow {
    name: "allgather:ring",
    aliases: &[
        "mpich:allgather:ring",
        "ompi:allgather:ring",
        "smpi:allgather:ring",
        "nccl:allgather:ring",
        "ucc:allgather:ring",
    ],
    summary: "The last received block moves to the right neighbour.",
    example: "allgather:ring",
    source: "MPICH allgather_intra_ring",
    build: Method {
        single_blocks: true,
        walk: Walk::BackAndForth,
        plan: |job, _| Ok(ring::ring(job.ranks, false)),
        formula: |job, _| one_by_one(job),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const RECURSIVE_DOUBLING: CollectiveRow = CollectiveRow {
    name: "allgather:recursive-doubling",
    aliases: &["mpich:allgather:recursive_doubling", "ompi:allgather:recursive_doubling", "smpi:allgather:rdb"],
    summary: "Groups of 2^i swap what they have with r xor 2^i.",
    example: "allgather:recursive-doubling",
    source: "Thakur, Rabenseifner & Gropp, IJHPCA 2005",
    build: Method {
        npof2: "pairs fold to the odd rank: two more steps (MPICH refuses, Open MPI takes Bruck)",
        form: Form::CyclicIfPowerOfTwo,
        plan: |job, _| Ok(exchange::doubling(job.ranks)),
        formula: |job, _| doubling(job),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const BRUCK: CollectiveRow = CollectiveRow {
    name: "allgather:bruck",
    aliases: &[
        "mpich:allgather:brucks",
        "mpich:allgather:k_brucks",
        "ompi:allgather:bruck-k-fanout",
        "smpi:allgather:bruck",
    ],
    summary: "In phase i every rank sends to r - j·k^i all that fits before a block would come twice.",
    params: &[radix("2")],
    example: "allgather:bruck(k=2)",
    source: "Bruck et al., IEEE TPDS 8(11) 1997",
    build: Method {
        // Blocks arrive in order from the rank's own one on; the last copy puts them in order of rank.
        copied: |job| Copied { after_bytes: job.p() * job.size_bytes, ..job.own_copy() },
        plan: |job, bound| Ok(bruck::allgather(job.ranks, bound.size("k"))),
        formula: |job, bound| by_digits(job, u64::from(bound.size("k"))),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const NEIGHBOUR_EXCHANGE: CollectiveRow = CollectiveRow {
    name: "allgather:neighbour-exchange",
    aliases: &[
        "allgather:neighbor-exchange",
        "ompi:allgather:neighbor",
        "smpi:allgather:ompi_neighborexchange",
        "ucc:allgather:neighbor",
    ],
    summary: "Neighbours swap the two newest blocks, alternately to both sides.",
    example: "allgather:neighbour-exchange",
    source: "Chen, Zhang & Yuan 2005; Open MPI neighborexchange",
    build: Method {
        npof2: "odd numbers take the ring",
        plan: |job, _| Ok(ring::neighbour_exchange(job.ranks)),
        formula: |job, _| neighbour_exchange(job),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const SPARBIT: CollectiveRow = CollectiveRow {
    name: "allgather:sparbit",
    aliases: &["ompi:allgather:sparbit", "ucc:allgather:sparbit"],
    summary: "Distances 2^(q-1) .. 1, every block at its final place at once.",
    example: "allgather:sparbit",
    source: "Loch & Koslovski 2021",
    build: Method { plan: |job, _| Ok(ring::sparbit(job.ranks)), formula: |job, _| by_digits(job, 2), ..BASE.build },
    ..BASE
};

pub(crate) const CIRCULANT: CollectiveRow = CollectiveRow {
    name: "allgather:circulant",
    aliases: &["mpich:allgather:circ_graph"],
    summary: "Skips p, ceil(p/2), ... 1 backwards: ceil(log2 p) steps on any number of ranks.",
    example: "allgather:circulant",
    source: "Träff, arXiv 2410.14234",
    build: Method {
        plan: |job, _| Ok(circulant::allgather(job.ranks)),
        formula: |job, _| by_digits(job, 2),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const CIRCULANT_SEGMENTS: CollectiveRow = CollectiveRow {
    name: "allgather:circulant-segments",
    summary: "Every rank's broadcast:circulant at once: more steps than allgather:circulant, smaller messages.",
    params: &[segments("4")],
    example: "allgather:circulant-segments(segments=4)",
    source: "all-broadcast of Träff, arXiv 2407.18004",
    build: Method { plan: circulant_segments, formula: segmented_circulant, ..BASE.build },
    ..BASE
};

pub(crate) const PAT: CollectiveRow = CollectiveRow {
    name: "allgather:pat",
    aliases: &["nccl:allgather:pat"],
    summary: "Trees over distances 2^(q-1) .. 1, as many side by side as a message may aggregate; the rest is linear.",
    params: &[AGGREGATE],
    example: "allgather:pat",
    source: "Jeaugey, arXiv 2506.20252",
    build: Method {
        plan: |job, bound| Ok(pat::allgather(job.ranks, aggregate(bound))),
        formula: aggregated,
        ..BASE.build
    },
    ..BASE
};

pub(crate) const SWING: CollectiveRow = CollectiveRow {
    name: "allgather:swing",
    aliases: &["allgather:bine"],
    summary: "Swaps with partners on alternating sides, far ones first; no block comes twice.",
    example: "allgather:swing",
    source: "De Sensi et al., NSDI 2024; as Bine butterfly, arXiv 2508.17311",
    build: Method {
        npof2: "even numbers: blocks that the partner has are left out; odd ones: the last rank swaps blocks with each other",
        form: Form::CyclicIfEven,
        ranges: |job, _| ranges_of_swing(job),
        plan: |job, _| Ok(swing::allgather(job.ranks)),
        formula: |job, _| swing(job),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const SWING_ALL_PORTS: CollectiveRow = CollectiveRow {
    name: "allgather:swing-all-ports",
    summary: "Swing on a k-dimensional grid: 2k parts, each beginning with its own axis and side.",
    params: &[EVEN_DIMS],
    example: "allgather:swing-all-ports",
    restrictions: "an even number (or one rank), as many as the grid has points",
    source: "De Sensi et al., NSDI 2024",
    build: Method {
        npof2: "grids of even extents",
        takes: even,
        plan: bucket::swing_all_ports,
        formula: swing_all_ports,
        ..BASE.build
    },
    ..BASE
};

pub(crate) const BUCKET: CollectiveRow = CollectiveRow {
    name: "allgather:bucket",
    summary: "Rings along the axes of a row-major grid of ranks, last axis first.",
    params: &[DIMS],
    example: "allgather:bucket",
    restrictions: "as many ranks as the grid has points",
    source: "Jain & Sabharwal, ICS 2010",
    build: Method { plan: bucket::allgather, formula: bucket, ..BASE.build },
    ..BASE
};

pub(crate) const BUCKET_ALL_PORTS: CollectiveRow = CollectiveRow {
    name: "allgather:bucket-all-ports",
    summary: "Bucket on a k-dimensional grid: 2k parts, each with its own order of axes and direction.",
    params: &[DIMS],
    example: "allgather:bucket-all-ports",
    restrictions: "as many ranks as the grid has points",
    source: "Jain & Sabharwal, ICS 2010; Sack & Gropp, ACM TOPC 2014",
    build: Method { plan: bucket::all_ports, formula: bucket_all_ports, ..BASE.build },
    ..BASE
};

/// The grid of the bucket algorithm.
pub(crate) const DIMS: Param = Param::optional(
    "dims",
    Kind::Ints { min: 1, max: 1 << 24, least: 1, most: usize::MAX },
    "",
    "extent of each axis; left out: the two factors of the number of ranks nearest to each other",
)
.variadic();

/// The grid of Swing.
pub(crate) const EVEN_DIMS: Param = Param::optional(
    "dims",
    Kind::Ints { min: 1, max: 1 << 24, least: 1, most: usize::MAX },
    "",
    "extent of each axis, even or 1; left out: two even factors of the number of ranks nearest to each other, else one axis",
)
.variadic();

/// How much PAT aggregates.
pub(crate) const AGGREGATE: Param = Param::optional(
    "aggregate",
    Kind::Int { min: 1, max: 1 << 24 },
    "",
    "most blocks in one message, rounded down to a power of two: what the buffers hold; left out: no limit",
);

pub(crate) fn aggregate(bound: &Bound) -> u32 {
    if bound.is_given("aggregate") { bound.size("aggregate") } else { u32::MAX }
}

pub(crate) fn even(ranks: u32) -> bool {
    ranks == 1 || ranks.is_multiple_of(2)
}

/// One step less than the extent for each axis; every block comes once.
pub(crate) fn bucket(job: &Job, bound: &Bound) -> Wide {
    let steps = bucket::dims(job.ranks, bound).iter().map(|d| u128::from(d - 1)).sum();
    Wide { steps, messages: steps * u128::from(job.ranks), ..one_by_one(job) }
}

/// # Errors
/// `NL-A009` if the segments of all messages are too many to list.
pub(crate) fn circulant_segments(job: &Job, bound: &Bound) -> Outcome<Plan> {
    let segments = bound.size("segments");
    check_rows(&bound.owner, job, u128::from(segments) * u128::from(job.ranks))?;
    Ok(circulant::all_broadcast(job.ranks, segments))
}

/// As many steps as the broadcast; every rank sends in each of them, at least one segment of its own block.
pub(crate) fn segmented_circulant(job: &Job, bound: &Bound) -> Wide {
    let steps = u128::from(bound.size("segments")) - 1 + u128::from(log_ceil(job.p(), 2));
    Wide { steps, messages: steps * u128::from(job.ranks), ..one_by_one(job) }
}

/// `a` steps until `2^a` trees run side by side, then one step per edge of a tree over the ranks between two roots.
pub(crate) fn aggregated(job: &Job, bound: &Bound) -> Wide {
    let (p, q) = (job.p(), log_ceil(job.p(), 2));
    let a = log_floor(u64::from(aggregate(bound)), 2).min(q - 1);
    let steps = u128::from(a) + u128::from(power(2, q - a).min(p)) - 1;
    Wide { steps, messages: steps * u128::from(p), ..one_by_one(job) }
}

/// Block ranges of swing's rounds, or of its messages where these are listed.
pub(crate) fn ranges_of_swing(job: &Job) -> u128 {
    let p = u128::from(job.ranks);
    if job.ranks.is_multiple_of(2) { p } else { p * (p - 1) }
}

/// An odd rank swaps a block with each of the others, with half of them in one step.
pub(crate) fn swing(job: &Job) -> Wide {
    let p = job.p();
    if p.is_multiple_of(2) {
        return by_digits(job, 2);
    }
    let (others, steps) = (u128::from(p - 1), u128::from(log_ceil(p - 1, 2)));
    Wide { steps, messages: others * (steps + 2), max_ports: (others / 2).max(2), ..one_by_one(job) }
}

pub(crate) fn bucket_all_ports(job: &Job, bound: &Bound) -> Wide {
    all_ports(job, &bucket::dims(job.ranks, bound), |d| u128::from(d - 1))
}

pub(crate) fn swing_all_ports(job: &Job, bound: &Bound) -> Wide {
    all_ports(job, &bucket::even_dims(job.ranks, bound), |d| log_ceil(d, 2).into())
}

/// In each step every rank sends one message of each of `2k` parts.
fn all_ports(job: &Job, dims: &[u64], steps: impl Fn(u64) -> u128) -> Wide {
    let steps = dims.iter().map(|d| steps(*d)).sum::<u128>();
    let ports = 2 * torus::axes(dims).len() as u128;
    Wide { steps, messages: steps * ports * u128::from(job.ranks), max_ports: ports, ..one_by_one(job) }
}

/// One block per message and step.
pub(crate) fn one_by_one(job: &Job) -> Wide {
    let (p, s) = (u128::from(job.ranks), u128::from(job.size_bytes));
    Wide {
        steps: p - 1,
        messages: p * (p - 1),
        max_bytes_sent: (p - 1) * s,
        total_bytes: p * (p - 1) * s,
        max_ports: 1,
    }
}

/// One step per base-k digit of `p - 1`.
pub(crate) fn by_digits(job: &Job, k: u64) -> Wide {
    let (p, s) = (job.p(), u128::from(job.size_bytes));
    let wide = u128::from(p);
    Wide {
        steps: log_ceil(p, k).into(),
        messages: wide * partners(p, k),
        max_bytes_sent: (wide - 1) * s,
        total_bytes: wide * (wide - 1) * s,
        max_ports: (k - 1).min(p - 1).into(),
    }
}

/// The leader of the first pair sends most: its groups are pairs as long as there are any, and it hands back `p - 1`
/// blocks.
pub(crate) fn doubling(job: &Job) -> Wide {
    let (p, s) = (job.p(), u128::from(job.size_bytes));
    let l = log_floor(p, 2);
    let (ids, wide) = (power(2, l), u128::from(p));
    let surplus = p - ids;
    let exchanged: u128 = (0..l).map(|i| u128::from(power(2, i) + power(2, i).min(surplus))).sum();
    let folding = u128::from(surplus > 0);
    Wide {
        steps: u128::from(l) + 2 * folding,
        messages: u128::from(ids) * u128::from(l) + 2 * u128::from(surplus),
        max_bytes_sent: (exchanged + folding * (wide - 1)) * s,
        total_bytes: wide * (wide - 1) * s,
        max_ports: 1,
    }
}

fn neighbour_exchange(job: &Job) -> Wide {
    let p = u128::from(job.ranks);
    match job.ranks % 2 {
        1 => one_by_one(job),
        _ => Wide { steps: p / 2, messages: p * (p / 2), ..one_by_one(job) },
    }
}
