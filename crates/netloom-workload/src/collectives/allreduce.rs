//! Allreduce: everybody's vector, combined, at everybody.

use netloom_model::Collective;

use super::allgather::{DIMS, circulant, even};
use super::{CollectiveRow, Form, Job, TEMPLATE, radix, segments};
use crate::counts::{Wide, log_ceil, log_floor, power, prefix};
use crate::generate::fold::{Fold, power_below};
use crate::generate::{bucket, exchange, swing};
use crate::generate::{ring, trees};
use crate::plan::{Builder, Plan};

const BASE: CollectiveRow = CollectiveRow { collective: Collective::Allreduce, ..TEMPLATE };

pub(crate) const RECURSIVE_DOUBLING: CollectiveRow = CollectiveRow {
    name: "allreduce:recursive-doubling",
    aliases: &["mpich:allreduce:recursive_doubling", "ompi:allreduce:recursive_doubling", "smpi:allreduce:rdb"],
    summary: "Whole vectors are swapped with r xor 1, r xor 2, r xor 4, ...",
    example: "allreduce:recursive-doubling",
    npof2: "pairs fold to the odd rank: two more steps",
    source: "seed 000 §2.3.2 and §4.3.2; Thakur, Rabenseifner & Gropp, IJHPCA 2005",
    form: Form::CyclicIfPowerOfTwo,
    plan: |job, _| Ok(folded(&Fold::sets(job.ranks, 2, false), 2)),
    formula: |job, _| exchange(job, 2, |surplus, _| surplus.min(1)),
    ..BASE
};

pub(crate) const RECURSIVE_EXCHANGE: CollectiveRow = CollectiveRow {
    name: "allreduce:recursive-exchange",
    aliases: &["mpich:allreduce:recexch", "ucc:allreduce:knomial"],
    summary: "Whole vectors to the k - 1 ranks that differ in one base-k digit.",
    params: &[radix("4")],
    example: "allreduce:recursive-exchange(k=4)",
    npof2: "sets of k ranks fold to their last: two more steps",
    source: "MPICH recexchalgo",
    plan: |job, bound| {
        let k = bound.size("k");
        Ok(folded(&Fold::sets(job.ranks, k, false), k))
    },
    formula: |job, bound| {
        let k = u64::from(bound.size("k"));
        exchange(job, k, |surplus, _| surplus.min(k - 1))
    },
    ..BASE
};

pub(crate) const RECURSIVE_MULTIPLYING: CollectiveRow = CollectiveRow {
    name: "allreduce:recursive-multiplying",
    aliases: &["mpich:allreduce:recursive_multiplying"],
    summary: "As recursive exchange; superfluous ranks fold to r mod k^l.",
    params: &[radix("4")],
    example: "allreduce:recursive-multiplying(k=4)",
    restrictions: "commutative operation",
    npof2: "rank r >= k^l folds to r mod k^l: two more steps",
    source: "MPICH allreduce_intra_recursive_multiplying",
    plan: |job, bound| {
        let k = bound.size("k");
        Ok(folded(&Fold::modulo(job.ranks, k), k))
    },
    formula: |job, bound| exchange(job, u64::from(bound.size("k")), u64::div_ceil),
    ..BASE
};

pub(crate) const RABENSEIFNER: CollectiveRow = CollectiveRow {
    name: "allreduce:rabenseifner",
    aliases: &[
        "allreduce:reduce-scatter-allgather",
        "mpich:allreduce:reduce_scatter_allgather",
        "ompi:allreduce:rabenseifner",
        "smpi:allreduce:rab_rdb",
    ],
    summary: "Reduce-scatter by recursive halving, then allgather by recursive doubling.",
    example: "allreduce:rabenseifner",
    restrictions: "commutative operation",
    npof2: "pairs fold to the odd rank: two more steps",
    source: "Rabenseifner, ICCS 2004; Thakur, Rabenseifner & Gropp, IJHPCA 2005",
    form: Form::CyclicIfPowerOfTwo,
    plan: |job, _| {
        let ids = power_below(job.ranks, 2);
        Ok(Fold::sets(job.ranks, 2, false).around(exchange::halving(ids).then(exchange::doubling(ids))))
    },
    formula: |job, _| rabenseifner(job),
    ..BASE
};

pub(crate) const RING: CollectiveRow = CollectiveRow {
    name: "allreduce:ring",
    aliases: &[
        "mpich:allreduce:ring",
        "ompi:allreduce:ring",
        "smpi:allreduce:lr",
        "nccl:allreduce:ring",
        "ucc:allreduce:ring",
    ],
    summary: "Reduce-scatter round the ring, then allgather round the ring.",
    example: "allreduce:ring",
    restrictions: "commutative operation",
    source: "Patarasuk & Yuan, JPDC 2009",
    form: Form::Cyclic,
    plan: |job, _| Ok(ring::ring(job.ranks, true).reversed(true).then(ring::ring(job.ranks, false))),
    formula: |job, _| rings(job, 1),
    ..BASE
};

pub(crate) const SEGMENTED_RING: CollectiveRow = CollectiveRow {
    name: "allreduce:segmented-ring",
    aliases: &["ompi:allreduce:segmented_ring", "smpi:allreduce:ompi_ring_segmented"],
    summary: "The ring with each of its messages in parts, so that a part travels on while the next arrives.",
    params: &[segments("4")],
    example: "allreduce:segmented-ring(segments=4)",
    restrictions: "commutative operation",
    source: "Open MPI allreduce_intra_ring_segmented",
    plan: |job, bound| Ok(segmented_ring(job.ranks, bound.size("segments"))),
    formula: |job, bound| rings(job, u64::from(bound.size("segments"))),
    ..BASE
};

pub(crate) const REDUCE_BROADCAST: CollectiveRow = CollectiveRow {
    name: "allreduce:reduce-broadcast",
    aliases: &["ompi:allreduce:nonoverlapping", "smpi:allreduce:redbcast"],
    summary: "Binomial reduce to rank 0, then binomial broadcast from it.",
    example: "allreduce:reduce-broadcast",
    source: "Open MPI nonoverlapping",
    plan: |job, _| {
        let down = trees::knomial(job.ranks, 2).broadcast();
        Ok(down.clone().reversed(true).then(down))
    },
    formula: |job, _| reduce_broadcast(job),
    ..BASE
};

pub(crate) const CIRCULANT: CollectiveRow = CollectiveRow {
    name: "allreduce:circulant",
    aliases: &["mpich:allreduce:circ_graph"],
    summary: "Reduce-scatter, then allgather, over the skips ceil(p/2), ... 1: no folding on any number of ranks.",
    example: "allreduce:circulant",
    restrictions: "commutative operation",
    source: "Träff, arXiv 2407.18004",
    form: Form::Cyclic,
    plan: |job, _| Ok(circulant(job.ranks).reversed(true).then(circulant(job.ranks))),
    formula: |job, _| circulant_both_ways(job),
    ..BASE
};

pub(crate) const SWING: CollectiveRow = CollectiveRow {
    name: "allreduce:swing",
    summary: "Swing reduce-scatter (near partners first), then Swing allgather (far partners first).",
    example: "allreduce:swing",
    restrictions: "an even number (or one rank)",
    npof2: "even numbers: blocks that the partner has are left out; odd ones are refused",
    source: "De Sensi et al., NSDI 2024",
    takes: even,
    exact_bytes: false,
    ranges: |job| 2 * u128::from(job.ranks) * u128::from(job.ranks - 1),
    plan: |job, _| {
        let gather = swing::allgather(job.ranks);
        Ok(gather.clone().reversed(true).then(gather))
    },
    formula: |job, _| {
        let (steps, p) = (2 * u128::from(log_ceil(job.p(), 2)), u128::from(job.ranks));
        both_ways(job, steps, steps * p)
    },
    ..BASE
};

pub(crate) const BUCKET: CollectiveRow = CollectiveRow {
    name: "allreduce:bucket",
    aliases: &["allreduce:torus"],
    summary: "Reduce-scatter, then allgather, in rings along the axes of a row-major grid of ranks.",
    params: &[DIMS],
    example: "allreduce:bucket",
    restrictions: "commutative operation; as many ranks as the grid has points",
    source: "Jain & Sabharwal, ICS 2010",
    exact_bytes: false,
    plan: |job, bound| {
        let gather = bucket::allgather(job, bound)?;
        Ok(gather.clone().reversed(true).then(gather))
    },
    formula: |job, bound| {
        let once = super::allgather::bucket(job, bound);
        both_ways(job, 2 * once.steps, 2 * once.messages)
    },
    ..BASE
};

/// Every chunk is sent `p - 1` times while reducing and `p - 1` times while gathering, by every rank as many.
fn both_ways(job: &Job, steps: u128, messages: u128) -> Wide {
    let (p, n) = (job.p(), job.size_bytes);
    let others = 2 * u128::from(p - 1);
    Wide {
        steps,
        messages,
        max_bytes_sent: others * u128::from(n.div_ceil(p)),
        total_bytes: others * u128::from(n),
        max_ports: 1,
    }
}

fn folded(fold: &Fold, k: u32) -> Plan {
    fold.around(exchange::whole_vector(fold.active.len() as u32, k))
}

/// Blocks `m·c .. m·(c+1)` are chunk `c` of the ring; part `s` of its message in step `t` leaves in step `m·t + s`.
fn segmented_ring(ranks: u32, m: u32) -> Plan {
    let turns = ranks - 1;
    let mut builder = Builder::new(ranks, ranks * m);
    for t in 0..2 * turns {
        let (combine, back) = if t < turns { (true, t + 1) } else { (false, t - turns) };
        for s in 0..m {
            for r in 0..ranks {
                let chunk = (r + ranks - back) % ranks;
                builder.send_run(t * m + s, r, (r + 1) % ranks, chunk * m + s, 1, combine);
            }
        }
    }
    builder.finish(2 * turns * m)
}

/// Digit exchange of whole vectors; `followers(surplus, ids)` is the largest number of members of one leader.
fn exchange(job: &Job, k: u64, followers: impl Fn(u64, u64) -> u64) -> Wide {
    let (p, n) = (job.p(), u128::from(job.size_bytes));
    let l = log_floor(p, k);
    let ids = power(k, l);
    let (surplus, sent) = (p - ids, u128::from(k - 1) * u128::from(l));
    let largest = u128::from(followers(surplus, ids));
    let messages = u128::from(ids) * sent + 2 * u128::from(surplus);
    Wide {
        steps: u128::from(l) + if surplus > 0 { 2 } else { 0 },
        messages,
        max_bytes_sent: (sent + largest) * n,
        total_bytes: messages * n,
        max_ports: largest.max(if l > 0 { u128::from(k - 1) } else { 0 }),
    }
}

/// Id 0 holds the longest blocks: it sends all but block 0, then groups of 1, 2, 4, ...; as a leader also the result.
fn rabenseifner(job: &Job) -> Wide {
    let (p, n) = (job.p(), job.size_bytes);
    let l = log_floor(p, 2);
    let ids = power(2, l);
    let (surplus, whole) = (u128::from(p - ids), u128::from(n));
    let groups: u128 = (1..l).map(|i| prefix(n, ids, power(2, i))).sum();
    let folding = u128::from(surplus > 0);
    Wide {
        steps: 2 * u128::from(l) + 2 * folding,
        messages: 2 * u128::from(ids) * u128::from(l) + 2 * surplus,
        max_bytes_sent: whole + groups + folding * whole,
        total_bytes: 2 * surplus * whole + 2 * u128::from(ids - 1) * whole,
        max_ports: 1,
    }
}

/// Everybody sends every chunk twice, except its own and its right neighbour's once; the last two chunks are shortest.
fn rings(job: &Job, m: u64) -> Wide {
    let (p, n) = (job.p(), job.size_bytes);
    let (turns, whole, parts) = (2 * u128::from(p - 1), u128::from(n), p.saturating_mul(m));
    let shortest = whole - prefix(n, parts, (p - 2).saturating_mul(m));
    Wide {
        steps: turns * u128::from(m),
        messages: turns * u128::from(p) * u128::from(m),
        max_bytes_sent: 2 * whole - shortest,
        total_bytes: turns * whole,
        max_ports: 1,
    }
}

/// The root sends most: once per step of the broadcast.
fn reduce_broadcast(job: &Job) -> Wide {
    let (p, n) = (job.p(), u128::from(job.size_bytes));
    let (steps, messages) = (u128::from(log_ceil(p, 2)), 2 * u128::from(p - 1));
    Wide { steps: 2 * steps, messages, max_bytes_sent: steps * n, total_bytes: messages * n, max_ports: 1 }
}

/// Everybody sends every chunk but its own while reducing. While gathering it sends runs `r .. r + width` whose widths sum
/// to `p - 1`; rank 0 has the longest chunks in all of them.
fn circulant_both_ways(job: &Job) -> Wide {
    let (p, n) = (job.p(), job.size_bytes);
    let (mut skip, mut gathered) = (p, 0);
    while skip > 1 {
        let half = skip.div_ceil(2);
        gathered += prefix(n, p, skip - half);
        skip = half;
    }
    let (steps, whole) = (u128::from(log_ceil(p, 2)), u128::from(n));
    Wide {
        steps: 2 * steps,
        messages: 2 * steps * u128::from(p),
        max_bytes_sent: whole - prefix(n, p, 1) + gathered,
        total_bytes: 2 * u128::from(p - 1) * whole,
        max_ports: 1,
    }
}
