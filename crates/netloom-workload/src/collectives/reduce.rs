//! Reduce: every rank's vector, combined, at the root. Trees are those of broadcast backwards.

use netloom_model::Collective;

use super::broadcast::{self, FANOUT, HALVES};
use super::job::Job;
use super::row::{CollectiveRow, Method, TEMPLATE, Walk, radix, segments};
use crate::counts::{Wide, log_floor, nonzero_digits, power, prefix};
use crate::generate::double_tree::Pair;
use crate::generate::{bine, circulant, exchange, fold::Fold, trees};

const BASE: CollectiveRow = CollectiveRow {
    source: "broadcast backwards",
    build: Method { collective: Collective::Reduce, ..TEMPLATE.build },
    ..TEMPLATE
};

pub(crate) const LINEAR: CollectiveRow = CollectiveRow {
    name: "reduce:linear",
    aliases: &["reduce:flat", "ompi:reduce:linear", "smpi:reduce:flat_tree"],
    summary: "The root combines the vectors of one rank after the other.",
    example: "reduce:linear",
    restrictions: "commutative operation",
    build: Method {
        plan: |job, _| Ok(trees::linear(job.ranks).broadcast().reversed(true).rotated(job.root, false)),
        formula: |job, _| once(job, broadcast::linear(job)),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const BINOMIAL: CollectiveRow = CollectiveRow {
    name: "reduce:binomial",
    aliases: &["reduce:binomial-tree", "mpich:reduce:binomial", "ompi:reduce:binomial", "smpi:reduce:binomial"],
    summary: "Binomial tree towards the root; the distance doubles in every step.",
    example: "reduce:binomial",
    restrictions: "commutative operation at roots other than 0",
    build: Method {
        plan: |job, _| Ok(trees::knomial(job.ranks, 2).broadcast().reversed(true).rotated(job.root, false)),
        formula: |job, _| once(job, broadcast::knomial(job, 2)),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const K_NOMIAL: CollectiveRow = CollectiveRow {
    name: "reduce:k-nomial",
    aliases: &["reduce:knomial", "ompi:reduce:knomial", "ucc:reduce:knomial"],
    summary: "k-nomial tree towards the root: a rank combines k - 1 messages in a step.",
    params: &[radix("4")],
    example: "reduce:k-nomial(k=4)",
    restrictions: "commutative operation at roots other than 0",
    build: Method {
        plan: |job, bound| {
            Ok(trees::knomial(job.ranks, bound.size("k")).broadcast().reversed(true).rotated(job.root, false))
        },
        formula: |job, bound| once(job, broadcast::knomial(job, u64::from(bound.size("k")))),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const K_ARY: CollectiveRow = CollectiveRow {
    name: "reduce:k-ary",
    aliases: &["reduce:kary", "reduce:binary", "ompi:reduce:binary", "smpi:reduce:ompi_binary"],
    summary: "Segments follow each other up a k-ary tree, one message per rank and step.",
    params: &[FANOUT, segments("8")],
    example: "reduce:k-ary(k=2,segments=8)",
    restrictions: "commutative operation",
    build: Method {
        plan: |job, bound| {
            let down = trees::pipeline(job.ranks, bound.size("k"), bound.size("segments"));
            Ok(down.reversed(true).rotated(job.root, false))
        },
        formula: |job, bound| {
            once(job, broadcast::pipeline(job, u64::from(bound.size("k")), u64::from(bound.size("segments"))))
        },
        ..BASE.build
    },
    ..BASE
};

pub(crate) const CHAIN: CollectiveRow = CollectiveRow {
    name: "reduce:chain",
    aliases: &["reduce:pipeline", "ompi:reduce:pipeline", "smpi:reduce:ompi_pipeline", "smpi:reduce:NTSL"],
    summary: "Segments follow each other along the chain towards the root.",
    params: &[segments("8")],
    example: "reduce:chain(segments=8)",
    restrictions: "commutative operation at roots other than 0",
    build: Method {
        walk: Walk::BackAndForth,
        plan: |job, bound| {
            Ok(trees::pipeline(job.ranks, 1, bound.size("segments")).reversed(true).rotated(job.root, false))
        },
        formula: |job, bound| once(job, broadcast::pipeline(job, 1, u64::from(bound.size("segments")))),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const BINE: CollectiveRow = CollectiveRow {
    name: "reduce:bine",
    summary: "The tree of broadcast:bine towards the root.",
    example: "reduce:bine",
    restrictions: "an even number (or one rank); commutative operation",
    source: "De Sensi et al., arXiv 2508.17311",
    build: Method {
        npof2: "even numbers: a rank that has handed in its vector is left out; odd numbers are refused",
        takes: super::allgather::even,
        plan: |job, _| Ok(bine::broadcast(job.ranks).reversed(true).rotated(job.root, false)),
        formula: |job, _| once(job, broadcast::bine(job)),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const CIRCULANT: CollectiveRow = CollectiveRow {
    name: "reduce:circulant",
    aliases: &["mpich:reduce:circ_graph"],
    summary: "The segments of broadcast:circulant towards the root: as few steps as one port allows.",
    params: &[segments("8")],
    example: "reduce:circulant(segments=8)",
    restrictions: "commutative operation",
    source: "Träff, arXiv 2407.18004",
    build: Method {
        plan: |job, bound| {
            let down = circulant::broadcast(job.ranks, bound.size("segments"));
            Ok(down.reversed(true).rotated(job.root, false))
        },
        formula: |job, bound| once(job, broadcast::circulant(job, bound.size("segments").into())),
        ..BASE.build
    },
};

pub(crate) const DOUBLE_TREE: CollectiveRow = CollectiveRow {
    name: "reduce:double-tree",
    aliases: &["reduce:two-tree", "reduce:double-binary-tree", "ucc:reduce:dbt"],
    summary: "Half of the data, in segments, up each of two trees; who passes on in one is a leaf in the other.",
    params: &[HALVES],
    example: "reduce:double-tree(segments=8)",
    restrictions: "commutative operation",
    source: "Sanders, Speck & Träff, Parallel Computing 2009",
    build: Method {
        plan: |job, bound| {
            let down = Pair::below_root(job.ranks).broadcast(bound.size("segments"));
            Ok(down.reversed(true).rotated(job.root, false))
        },
        formula: |job, bound| once(job, broadcast::double_tree(job, bound.size("segments"))),
        ..BASE.build
    },
};

pub(crate) const RABENSEIFNER: CollectiveRow = CollectiveRow {
    name: "reduce:rabenseifner",
    aliases: &[
        "reduce:scatter-gather",
        "mpich:reduce:reduce_scatter_gather",
        "ompi:reduce:rabenseifner",
        "smpi:reduce:scatter_gather",
    ],
    summary: "Reduce-scatter by recursive halving, then binomial gather to the root.",
    example: "reduce:rabenseifner",
    restrictions: "commutative operation",
    source: "Rabenseifner, ICCS 2004; MPICH reduce_scatter_gather",
    build: Method {
        npof2: "pairs fold to the even rank: one more step",
        plan: |job, _| {
            let fold = Fold::sets(job.ranks, 2, true);
            let ids = fold.active.len() as u32;
            let gather = trees::knomial(ids, 2).scatter().reversed(false);
            let inner = fold.embedded(exchange::halving(ids).then(gather));
            let plan = if fold.members.is_empty() { inner } else { fold.hand_in(ids).then(inner) };
            Ok(plan.rotated(job.root, false))
        },
        formula: |job, _| rabenseifner(job),
        ..BASE.build
    },
    ..BASE
};

/// A tree backwards: every rank but the root sends its vector once.
fn once(job: &Job, tree: Wide) -> Wide {
    Wide { max_bytes_sent: job.size_bytes.into(), ..tree }
}

/// Id `j` sends all but block `j` while halving, then the blocks of its subtree: most where `j` is a power of two.
fn rabenseifner(job: &Job) -> Wide {
    let (p, n) = (job.p(), job.size_bytes);
    let l = log_floor(p, 2);
    let (ids, steps) = (power(2, l), u128::from(l));
    let surplus = u128::from(p - ids);
    let run = |first: u64, end: u64| prefix(n, ids, end) - prefix(n, ids, first);
    let heaviest = (0..l).map(|i| run(power(2, i) + 1, power(2, i + 1))).max().unwrap_or(0);
    let gathered = u128::from(n / ids) * nonzero_digits(ids, 2) + nonzero_digits(n % ids, 2);
    Wide {
        steps: 2 * steps + u128::from(surplus > 0),
        messages: surplus + u128::from(ids) * steps + u128::from(ids - 1),
        max_bytes_sent: u128::from(n) + heaviest,
        total_bytes: surplus * u128::from(n) + u128::from(ids - 1) * u128::from(n) + gathered,
        max_ports: 1,
    }
}
