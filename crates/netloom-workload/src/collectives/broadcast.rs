//! Broadcast: the root's message to every rank.

use netloom_model::{Collective, Kind, Outcome, Param};

use super::allgather::even;
use super::job::Job;
use super::row::{CollectiveRow, Form, Method, TEMPLATE, Walk, radix, segments};
use crate::counts::{Wide, largest_digit_sum, log_ceil, log_floor, nonzero_digits, partners, power, prefix};
use crate::generate::double_tree::Pair;
use crate::generate::{bine, circulant, exchange, ring, trees};
use crate::plan::Plan;

const BASE: CollectiveRow =
    CollectiveRow { build: Method { collective: Collective::Broadcast, ..TEMPLATE.build }, ..TEMPLATE };

pub(crate) const LINEAR: CollectiveRow = CollectiveRow {
    name: "broadcast:linear",
    aliases: &["broadcast:flat", "ompi:bcast:basic_linear", "smpi:bcast:flattree"],
    summary: "The root sends to one rank after the other.",
    example: "broadcast:linear",
    source: "Open MPI basic_linear",
    build: Method {
        plan: |job, _| Ok(trees::linear(job.ranks).broadcast().rotated(job.root, false)),
        formula: |job, _| linear(job),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const BINOMIAL: CollectiveRow = CollectiveRow {
    name: "broadcast:binomial",
    aliases: &["broadcast:binomial-tree", "mpich:bcast:binomial", "ompi:bcast:binomial", "smpi:bcast:binomial_tree"],
    summary: "Every rank that has the message sends it on; the distance halves in every step.",
    example: "broadcast:binomial",
    source: "Cui 2024 §2.3.2 and §4.3.1",
    build: Method {
        plan: |job, _| Ok(trees::knomial(job.ranks, 2).broadcast().rotated(job.root, false)),
        formula: |job, _| knomial(job, 2),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const K_NOMIAL: CollectiveRow = CollectiveRow {
    name: "broadcast:k-nomial",
    aliases: &["broadcast:knomial", "mpich:bcast:tree_knomial", "ompi:bcast:knomial", "ucc:bcast:knomial"],
    summary: "Binomial tree to base k: k - 1 messages of a rank in every step.",
    params: &[radix("4")],
    example: "broadcast:k-nomial(k=4)",
    source: "MPICH tree_util, Open MPI knomial",
    build: Method {
        plan: |job, bound| Ok(trees::knomial(job.ranks, bound.size("k")).broadcast().rotated(job.root, false)),
        formula: |job, bound| knomial(job, u64::from(bound.size("k"))),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const FANOUT: Param =
    Param::optional("k", Kind::Int { min: 1, max: 1 << 20 }, "2", "children of a rank: v sends to k·v+1 .. k·v+k");

pub(crate) const K_ARY: CollectiveRow = CollectiveRow {
    name: "broadcast:k-ary",
    aliases: &[
        "broadcast:kary",
        "broadcast:binary",
        "mpich:bcast:tree_kary",
        "ompi:bcast:binary_tree",
        "smpi:bcast:NTSB",
    ],
    summary: "Segments follow each other down a k-ary tree, one message per rank and step.",
    params: &[FANOUT, segments("8")],
    example: "broadcast:k-ary(k=2,segments=8)",
    source: "MPICH tree kary, Open MPI binary_tree",
    build: Method {
        plan: |job, bound| {
            Ok(trees::pipeline(job.ranks, bound.size("k"), bound.size("segments")).rotated(job.root, false))
        },
        formula: |job, bound| pipeline(job, u64::from(bound.size("k")), u64::from(bound.size("segments"))),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const CHAIN: CollectiveRow = CollectiveRow {
    name: "broadcast:chain",
    aliases: &["broadcast:pipeline", "ompi:bcast:pipeline", "smpi:bcast:NTSL", "smpi:bcast:ompi_pipeline"],
    summary: "Segments follow each other along the chain of all ranks.",
    params: &[segments("8")],
    example: "broadcast:chain(segments=8)",
    source: "Open MPI pipeline",
    build: Method {
        walk: Walk::BackAndForth,
        plan: |job, bound| Ok(trees::pipeline(job.ranks, 1, bound.size("segments")).rotated(job.root, false)),
        formula: |job, bound| pipeline(job, 1, u64::from(bound.size("segments"))),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const SCATTER_ALLGATHER: CollectiveRow = CollectiveRow {
    name: "broadcast:scatter-allgather",
    aliases: &[
        "broadcast:van-de-geijn",
        "mpich:bcast:scatter_recursive_doubling_allgather",
        "ompi:bcast:scatter_allgather",
        "smpi:bcast:scatter_rdb_allgather",
    ],
    summary: "Binomial scatter of p chunks, then allgather by recursive doubling.",
    example: "broadcast:scatter-allgather",
    source: "MPICH bcast_intra_scatter_recursive_doubling_allgather",
    build: Method {
        npof2: "the allgather folds pairs: two more steps",
        plan: |job, _| scatter_then(job, exchange::doubling(job.ranks)),
        formula: |job, _| scatter_doubling(job),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const SCATTER_RING: CollectiveRow = CollectiveRow {
    name: "broadcast:scatter-ring",
    aliases: &[
        "mpich:bcast:scatter_ring_allgather",
        "ompi:bcast:scatter_allgather_ring",
        "smpi:bcast:scatter_LR_allgather",
    ],
    summary: "Binomial scatter of p chunks, then allgather round the ring.",
    example: "broadcast:scatter-ring",
    source: "MPICH bcast_intra_scatter_ring_allgather",
    build: Method {
        form: Form::ListThenCyclic,
        plan: |job, _| scatter_then(job, ring::ring(job.ranks, false)),
        formula: |job, _| scatter_ring(job),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const BINE: CollectiveRow = CollectiveRow {
    name: "broadcast:bine",
    aliases: &[],
    summary: "Binomial tree over distances ..., -5, 3, -1, 1 on alternating sides: a third shorter on a ring.",
    example: "broadcast:bine",
    restrictions: "an even number (or one rank)",
    source: "De Sensi et al., arXiv 2508.17311",
    build: Method {
        npof2: "even numbers: who has the message is left out; odd ones are refused",
        takes: even,
        plan: |job, _| Ok(bine::broadcast(job.ranks).rotated(job.root, false)),
        formula: |job, _| bine(job),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const CIRCULANT: CollectiveRow = CollectiveRow {
    name: "broadcast:circulant",
    aliases: &["mpich:bcast:circ_graph"],
    summary: "Segments along the skips ceil(p/2), ... 1, one per rank and step: as few steps as one port allows.",
    params: &[segments("8")],
    example: "broadcast:circulant(segments=8)",
    source: "Träff, arXiv 2407.18004",
    build: Method {
        exact_bytes: false,
        pieces: |_, bound| bound.size("segments").into(),
        plan: |job, bound| Ok(circulant::broadcast(job.ranks, bound.size("segments")).rotated(job.root, false)),
        formula: |job, bound| circulant(job, bound.size("segments").into()),
        ..BASE.build
    },
    ..BASE
};

/// Segments of a double tree.
pub(super) const HALVES: Param =
    Param { help: "parts of each half that follow each other: twice as many in all", ..segments("8") };

pub(crate) const DOUBLE_TREE: CollectiveRow = CollectiveRow {
    name: "broadcast:double-tree",
    aliases: &["broadcast:two-tree", "broadcast:double-binary-tree", "ucc:bcast:dbt"],
    summary: "Half of the data, in segments, down each of two trees below the root; who passes on in one is a leaf in the other.",
    params: &[HALVES],
    example: "broadcast:double-tree(segments=8)",
    source: "Sanders, Speck & Träff, Parallel Computing 2009",
    build: Method {
        plan: |job, bound| Ok(Pair::below_root(job.ranks).broadcast(bound.size("segments")).rotated(job.root, false)),
        formula: |job, bound| double_tree(job, bound.size("segments")),
        ..BASE.build
    },
    ..BASE
};

/// Chunk `v` stays with rank `root + v`; `allgather` spreads it.
fn scatter_then(job: &Job, allgather: Plan) -> Outcome<Plan> {
    let [scatter, allgather] = [trees::knomial(job.ranks, 2).scatter(), allgather].map(|p| p.rotated(job.root, false));
    Ok(scatter.then_cyclic(allgather))
}

pub(crate) fn linear(job: &Job) -> Wide {
    let (others, n) = (u128::from(job.p() - 1), u128::from(job.size_bytes));
    Wide { steps: others, messages: others, max_bytes_sent: others * n, total_bytes: others * n, max_ports: 1 }
}

pub(crate) fn knomial(job: &Job, k: u64) -> Wide {
    let (p, n) = (job.p(), u128::from(job.size_bytes));
    Wide {
        steps: log_ceil(p, k).into(),
        messages: u128::from(p - 1),
        max_bytes_sent: partners(p, k) * n,
        total_bytes: u128::from(p - 1) * n,
        max_ports: (k - 1).min(p - 1).into(),
    }
}

/// The counts of a binomial tree, but the root has fewer children where its partner gets the message from the other side.
pub(crate) fn bine(job: &Job) -> Wide {
    let sent = u128::from(bine::root_messages(job.p())) * u128::from(job.size_bytes);
    Wide { max_bytes_sent: sent, ..knomial(job, 2) }
}

/// The root sends in every step, most of all; the last segment as often as there are skips.
pub(crate) fn circulant(job: &Job, segments: u64) -> Wide {
    let (p, n) = (job.p(), job.size_bytes);
    let steps = u128::from(segments) - 1 + u128::from(log_ceil(p, 2));
    Wide {
        steps,
        messages: u128::from(p - 1) * u128::from(segments),
        max_bytes_sent: steps * u128::from(n.div_ceil(segments)),
        total_bytes: u128::from(p - 1) * u128::from(n),
        max_ports: 1,
    }
}

/// Two steps per segment and level. From four ranks on somebody sends the first half, which is the longer one, to two others.
pub(crate) fn double_tree(job: &Job, segments: u32) -> Wide {
    let (p, n, m) = (job.p(), job.size_bytes, u128::from(segments));
    let first = prefix(n, 2 * u64::from(segments), segments.into());
    Wide {
        steps: 2 * (m - 1 + u128::from(log_ceil(p, 2))),
        messages: 2 * m * u128::from(p - 1),
        max_bytes_sent: if p < 4 { n.into() } else { 2 * first },
        total_bytes: u128::from(p - 1) * u128::from(n),
        max_ports: 1,
    }
}

/// The last rank to begin is on the deepest level or ends the deepest full one.
pub(crate) fn pipeline(job: &Job, k: u64, segments: u64) -> Wide {
    let (p, n) = (job.p(), u128::from(job.size_bytes));
    let children = k.min(p - 1);
    let mut level_first = 0; // first rank of the level
    let mut width = 1u64;
    let mut depth = 0;
    while level_first + width < p {
        level_first += width;
        width = width.saturating_mul(k);
        depth += 1;
    }
    let above = if depth > 0 { k * u64::from(depth - 1) } else { 0 };
    let deepest = match k {
        1 => u64::from(depth),
        _ => above.max(u64::from(depth) + largest_digit_sum(p - 1 - level_first, k, depth)),
    };
    Wide {
        steps: u128::from(deepest) + u128::from(segments - 1) * u128::from(children),
        messages: u128::from(p - 1) * u128::from(segments),
        max_bytes_sent: u128::from(children) * n,
        total_bytes: u128::from(p - 1) * n,
        max_ports: 1,
    }
}

/// Bytes of a binomial scatter of `n` in `p` chunks: a chunk crosses one edge per bit of its number that is set.
fn scattered(n: u64, p: u64) -> u128 {
    u128::from(n / p) * nonzero_digits(p, 2) + nonzero_digits(n % p, 2)
}

fn scatter_doubling(job: &Job) -> Wide {
    let (p, n) = (job.p(), job.size_bytes);
    let l = log_floor(p, 2);
    let (ids, steps) = (power(2, l), u128::from(l));
    let surplus = p - ids;
    // The group of the first 2^i ids consists of pairs as long as there are any.
    let group = |i: u32| prefix(n, p, power(2, i) + power(2, i).min(surplus));
    Wide {
        steps: u128::from(log_ceil(p, 2)) + steps + if surplus > 0 { 2 } else { 0 },
        messages: u128::from(p - 1) + u128::from(ids) * steps + 2 * u128::from(surplus),
        max_bytes_sent: u128::from(n) - prefix(n, p, 1) + (0..l).map(group).sum::<u128>(),
        total_bytes: scattered(n, p) + u128::from(p - 1) * u128::from(n),
        max_ports: 1,
    }
}

fn scatter_ring(job: &Job) -> Wide {
    let (p, n) = (job.p(), job.size_bytes);
    let others = u128::from(p - 1);
    Wide {
        steps: u128::from(log_ceil(p, 2)) + others,
        messages: others + u128::from(p) * others,
        max_bytes_sent: 2 * u128::from(n) - prefix(n, p, 2),
        total_bytes: scattered(n, p) + others * u128::from(n),
        max_ports: 1,
    }
}
