//! Allgather: everybody's block to everybody. Every algorithm here brings every block exactly once, so all send
//! `p·(p-1)` blocks in all.

use netloom_model::{Bound, Collective, Kind, Param, Partner};

use super::{CollectiveRow, Form, Job, TEMPLATE, radix};
use crate::counts::{Wide, log_ceil, log_floor, partners, power};
use crate::generate::{bruck, bucket, exchange, ring, swing};
use crate::plan::Plan;

const BASE: CollectiveRow = CollectiveRow { collective: Collective::Allgather, form: Form::Cyclic, ..TEMPLATE };

pub(crate) const LINEAR: CollectiveRow = CollectiveRow {
    name: "allgather:linear",
    aliases: &["allgather:direct", "ompi:allgather:direct-messaging", "smpi:allgather:spreading_simple"],
    summary: "Everybody sends its own block to r+1, r+2, ..., r-1.",
    example: "allgather:linear",
    source: "Open MPI direct-messaging, SMPI spreading_simple",
    plan: |job, _| Ok(ring::direct(job.ranks)),
    formula: |job, _| one_by_one(job),
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
    summary: "What came last goes on to the right neighbour.",
    example: "allgather:ring",
    source: "MPICH allgather_intra_ring",
    plan: |job, _| Ok(ring::ring(job.ranks, false)),
    formula: |job, _| one_by_one(job),
    ..BASE
};

pub(crate) const RECURSIVE_DOUBLING: CollectiveRow = CollectiveRow {
    name: "allgather:recursive-doubling",
    aliases: &["mpich:allgather:recursive_doubling", "ompi:allgather:recursive_doubling", "smpi:allgather:rdb"],
    summary: "Groups of 2^i swap what they have with r xor 2^i.",
    example: "allgather:recursive-doubling",
    npof2: "pairs fold to the odd rank: two more steps (MPICH refuses, Open MPI takes Bruck)",
    source: "Thakur, Rabenseifner & Gropp, IJHPCA 2005",
    form: Form::CyclicIfPowerOfTwo,
    plan: |job, _| Ok(exchange::doubling(job.ranks)),
    formula: |job, _| doubling(job),
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
    summary: "In phase i everybody sends to r - j·k^i all that fits before a block would come twice.",
    params: &[radix("2")],
    example: "allgather:bruck(k=2)",
    source: "Bruck et al., IEEE TPDS 8(11) 1997",
    plan: |job, bound| Ok(bruck::allgather(job.ranks, bound.size("k"))),
    formula: |job, bound| by_digits(job, u64::from(bound.size("k"))),
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
    npof2: "odd numbers take the ring",
    source: "Chen, Zhang & Yuan 2005; Open MPI neighborexchange",
    form: Form::CyclicIfOdd,
    plan: |job, _| Ok(ring::neighbour_exchange(job.ranks)),
    formula: |job, _| neighbour_exchange(job),
    ..BASE
};

pub(crate) const SPARBIT: CollectiveRow = CollectiveRow {
    name: "allgather:sparbit",
    aliases: &["ompi:allgather:sparbit", "ucc:allgather:sparbit", "nccl:allgather:pat"],
    summary: "Distances 2^(q-1) .. 1, every block at its final place at once.",
    example: "allgather:sparbit",
    source: "Loch & Koslovski 2021; the data movement of NCCL's PAT with unbounded buffers, arXiv 2506.20252",
    plan: |job, _| Ok(ring::sparbit(job.ranks)),
    formula: |job, _| by_digits(job, 2),
    ..BASE
};

pub(crate) const CIRCULANT: CollectiveRow = CollectiveRow {
    name: "allgather:circulant",
    aliases: &["mpich:allgather:circ_graph"],
    summary: "Skips p, ceil(p/2), ... 1 backwards: ceil(log2 p) steps on any number of ranks.",
    example: "allgather:circulant",
    source: "Träff, arXiv 2407.18004",
    plan: |job, _| Ok(circulant(job.ranks)),
    formula: |job, _| by_digits(job, 2),
    ..BASE
};

pub(crate) const SWING: CollectiveRow = CollectiveRow {
    name: "allgather:swing",
    summary: "Swaps with partners on alternating sides, far ones first; no block comes twice.",
    example: "allgather:swing",
    restrictions: "an even number (or one rank)",
    npof2: "even numbers: blocks that the partner has are left out; odd ones are refused",
    source: "De Sensi et al., NSDI 2024",
    form: Form::Listed,
    takes: even,
    ranges: |job| u128::from(job.ranks) * u128::from(job.ranks - 1),
    plan: |job, _| Ok(swing::allgather(job.ranks)),
    formula: |job, _| by_digits(job, 2),
    ..BASE
};

pub(crate) const BUCKET: CollectiveRow = CollectiveRow {
    name: "allgather:bucket",
    summary: "Rings along the axes of a row-major grid of ranks, last axis first.",
    params: &[DIMS],
    example: "allgather:bucket",
    restrictions: "as many ranks as the grid has points",
    source: "Jain & Sabharwal, ICS 2010",
    form: Form::Listed,
    plan: bucket::allgather,
    formula: bucket,
    ..BASE
};

/// The grid of the bucket algorithm.
pub(crate) const DIMS: Param = Param::optional(
    "dims",
    Kind::Ints { min: 1, max: 1 << 24, least: 1 },
    "",
    "extent of each axis; left out: the two factors of the number of ranks nearest to each other",
)
.variadic();

pub(crate) fn even(ranks: u32) -> bool {
    ranks == 1 || ranks.is_multiple_of(2)
}

/// One step less than the extent for each axis; every block comes once.
pub(crate) fn bucket(job: &Job, bound: &Bound) -> Wide {
    let steps = bucket::dims(job.ranks, bound).iter().map(|d| u128::from(d - 1)).sum();
    Wide { steps, messages: steps * u128::from(job.ranks), ..one_by_one(job) }
}

/// With `skip[q] = p` and `skip[k] = ceil(skip[k+1] / 2)` rank `r` sends, for `k = 0 .. q-1`, to `r - skip[k]` its first
/// `skip[k+1] - skip[k]` blocks `r, r+1, ..`; it then holds `skip[k+1]` of them.
pub(crate) fn circulant(ranks: u32) -> Plan {
    let mut skips = vec![ranks];
    while skips.last().is_some_and(|s| *s > 1) {
        skips.extend(skips.last().map(|s| s.div_ceil(2)));
    }
    skips.reverse();
    let rounds = skips.windows(2).enumerate().map(|(k, pair)| {
        crate::plan::round(k as u32, Partner::Shift(ranks - pair[0]), crate::plan::run(0, pair[1] - pair[0]), false)
    });
    Plan::cyclic(ranks, ranks, skips.len() as u32 - 1, rounds.collect())
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
