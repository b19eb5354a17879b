//! Allreduce: every rank's vector, combined, at every rank.

use netloom_model::schedule::Partner;
use netloom_model::{Bound, Collective, Kind, Param};

use super::allgather::{DIMS, EVEN_DIMS, even, ranges_of_swing};
use super::allreduce_counts::{
    both_ways, chained_trees, circulant_both_ways, double_tree, exchange, rabenseifner, reduce_broadcast, rings,
};
use super::broadcast::HALVES;
use super::job::{Job, RANK_LIMIT};
use super::row::{CollectiveRow, Form, Method, TEMPLATE, Walk, radix, segments};
use crate::generate::double_tree::{Pair, Pipelines};
use crate::generate::fold::{Fold, power_below};
use crate::generate::{bucket, circulant, exchange, ring, swing, torus, trees};
use crate::plan::{Plan, round, run_of};

const BASE: CollectiveRow =
    CollectiveRow { build: Method { collective: Collective::Allreduce, ..TEMPLATE.build }, ..TEMPLATE };

pub(crate) const RECURSIVE_DOUBLING: CollectiveRow = CollectiveRow {
    name: "allreduce:recursive-doubling",
    aliases: &["mpich:allreduce:recursive_doubling", "ompi:allreduce:recursive_doubling", "smpi:allreduce:rdb"],
    summary: "Whole vectors are swapped with r xor 1, r xor 2, r xor 4, ...",
    example: "allreduce:recursive-doubling",
    source: "Cui 2024 §2.3.2 and §4.3.2; Thakur, Rabenseifner & Gropp, IJHPCA 2005",
    build: Method {
        npof2: "pairs fold to the odd rank: two more steps",
        form: Form::CyclicIfPowerOfTwo,
        plan: |job, _| Ok(folded(&Fold::sets(job.ranks, 2, false), 2)),
        formula: |job, _| exchange(job, 2, |surplus, _| surplus.min(1)),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const RECURSIVE_EXCHANGE: CollectiveRow = CollectiveRow {
    name: "allreduce:recursive-exchange",
    aliases: &["mpich:allreduce:recexch", "ucc:allreduce:knomial"],
    summary: "Whole vectors to the k - 1 ranks that differ in one base-k digit.",
    params: &[radix("4")],
    example: "allreduce:recursive-exchange(k=4)",
    source: "MPICH recexchalgo",
    build: Method {
        npof2: "sets of k ranks fold to their last: two more steps",
        plan: |job, bound| {
            let k = bound.size("k");
            Ok(folded(&Fold::sets(job.ranks, k, false), k))
        },
        formula: |job, bound| {
            let k = u64::from(bound.size("k"));
            exchange(job, k, |surplus, _| surplus.min(k - 1))
        },
        ..BASE.build
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
    source: "MPICH allreduce_intra_recursive_multiplying",
    build: Method {
        npof2: "rank r >= k^l folds to r mod k^l: two more steps",
        plan: |job, bound| {
            let k = bound.size("k");
            Ok(folded(&Fold::modulo(job.ranks, k), k))
        },
        formula: |job, bound| exchange(job, u64::from(bound.size("k")), u64::div_ceil),
        ..BASE.build
    },
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
    source: "Rabenseifner, ICCS 2004; Thakur, Rabenseifner & Gropp, IJHPCA 2005",
    build: Method {
        npof2: "pairs fold to the odd rank: two more steps",
        form: Form::CyclicIfPowerOfTwo,
        plan: |job, _| {
            let ids = power_below(job.ranks, 2);
            Ok(Fold::sets(job.ranks, 2, false).around(exchange::halving(ids).then(exchange::doubling(ids))))
        },
        formula: |job, _| rabenseifner(job),
        ..BASE.build
    },
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
    build: Method {
        walk: Walk::BackAndForth,
        form: Form::Cyclic,
        plan: |job, _| Ok(ring::ring(job.ranks, true).reversed(true).then(ring::ring(job.ranks, false))),
        formula: |job, _| rings(job, 1),
        ..BASE.build
    },
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
    build: Method {
        form: Form::Cyclic,
        plan: |job, bound| Ok(segmented_ring(job.ranks, bound.size("segments"))),
        formula: |job, bound| rings(job, u64::from(bound.size("segments"))),
        ..BASE.build
    },
};

pub(crate) const REDUCE_BROADCAST: CollectiveRow = CollectiveRow {
    name: "allreduce:reduce-broadcast",
    aliases: &["ompi:allreduce:nonoverlapping", "smpi:allreduce:redbcast"],
    summary: "Binomial reduce to rank 0, then binomial broadcast from it.",
    example: "allreduce:reduce-broadcast",
    source: "Open MPI nonoverlapping",
    build: Method {
        plan: |job, _| {
            let down = trees::knomial(job.ranks, 2).broadcast();
            Ok(down.clone().reversed(true).then(down))
        },
        formula: |job, _| reduce_broadcast(job),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const CIRCULANT: CollectiveRow = CollectiveRow {
    name: "allreduce:circulant",
    aliases: &["mpich:allreduce:circ_graph"],
    summary: "Reduce-scatter, then allgather, over the skips ceil(p/2), ... 1: no folding on any number of ranks.",
    example: "allreduce:circulant",
    restrictions: "commutative operation",
    source: "Träff, arXiv 2410.14234",
    build: Method {
        form: Form::Cyclic,
        plan: |job, _| Ok(there_and_back(circulant::allgather(job.ranks))),
        formula: |job, _| circulant_both_ways(job),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const SWING: CollectiveRow = CollectiveRow {
    name: "allreduce:swing",
    aliases: &["allreduce:bine-bandwidth"],
    summary: "Swing reduce-scatter (near partners first), then Swing allgather (far partners first).",
    example: "allreduce:swing",
    restrictions: "commutative operation",
    source: "De Sensi et al., NSDI 2024; as Bine butterfly, arXiv 2508.17311",
    build: Method {
        npof2: "even numbers: blocks that the partner has are left out; odd ones: the last rank swaps blocks with each other",
        exact_bytes: false,
        form: Form::CyclicIfEven,
        ranges: |job, _| 2 * ranges_of_swing(job),
        plan: |job, _| Ok(there_and_back(swing::allgather(job.ranks))),
        formula: |job, _| both_ways(job, super::allgather::swing(job), 1),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const BINE: CollectiveRow = CollectiveRow {
    name: "allreduce:bine",
    aliases: &["allreduce:swing-latency"],
    summary: "Whole vectors are swapped with Swing's partners, near ones first.",
    example: "allreduce:bine",
    restrictions: "commutative operation",
    source: "De Sensi et al., arXiv 2508.17311; as latency-optimal Swing, NSDI 2024",
    build: Method {
        npof2: "pairs fold to the odd rank: two more steps",
        form: Form::CyclicIfPowerOfTwo,
        plan: |job, _| {
            let fold = Fold::sets(job.ranks, 2, false);
            Ok(fold.around(swing::whole_vector(fold.active.len() as u32)))
        },
        formula: |job, _| exchange(job, 2, |surplus, _| surplus.min(1)),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const SWING_ALL_PORTS: CollectiveRow = CollectiveRow {
    name: "allreduce:swing-all-ports",
    summary: "Swing on a k-dimensional grid: 2k parts, each beginning with its own axis and side.",
    params: &[EVEN_DIMS],
    example: "allreduce:swing-all-ports",
    restrictions: "an even number (or one rank), as many as the grid has points; commutative operation",
    source: "De Sensi et al., NSDI 2024",
    build: Method {
        form: Form::Cyclic,
        npof2: "grids of even extents",
        takes: even,
        exact_bytes: false,
        pieces: |job, bound| job.p() * ports(&bucket::even_dims(job.ranks, bound)),
        plan: |job, bound| Ok(there_and_back(bucket::swing_all_ports(job, bound)?)),
        formula: |job, bound| {
            let once = super::allgather::swing_all_ports(job, bound);
            both_ways(job, once, ports(&bucket::even_dims(job.ranks, bound)))
        },
        ..BASE.build
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
    build: Method {
        form: Form::Cyclic,
        exact_bytes: false,
        plan: |job, bound| Ok(there_and_back(bucket::allgather(job, bound)?)),
        formula: |job, bound| both_ways(job, super::allgather::bucket(job, bound), 1),
        ..BASE.build
    },
};

pub(crate) const BUCKET_ALL_PORTS: CollectiveRow = CollectiveRow {
    name: "allreduce:bucket-all-ports",
    summary: "Bucket on a k-dimensional grid: 2k parts, each with its own order of axes and direction.",
    params: &[DIMS],
    example: "allreduce:bucket-all-ports",
    restrictions: "commutative operation; as many ranks as the grid has points",
    source: "Jain & Sabharwal, ICS 2010; Sack & Gropp, ACM TOPC 2014",
    build: Method {
        form: Form::Cyclic,
        exact_bytes: false,
        pieces: |job, bound| job.p() * ports(&bucket::dims(job.ranks, bound)),
        plan: |job, bound| Ok(there_and_back(bucket::all_ports(job, bound)?)),
        formula: |job, bound| {
            let once = super::allgather::bucket_all_ports(job, bound);
            both_ways(job, once, ports(&bucket::dims(job.ranks, bound)))
        },
        ..BASE.build
    },
    ..BASE
};

pub(crate) const DOUBLE_TREE: CollectiveRow = CollectiveRow {
    name: "allreduce:double-tree",
    aliases: &["allreduce:double-binary-tree", "ucc:allreduce:dbt"],
    summary: "Half of the vector, in segments, up and down each of two trees; who passes on in one is a leaf in the other.",
    params: &[HALVES],
    example: "allreduce:double-tree(segments=8)",
    restrictions: "commutative operation",
    source: "Sanders, Speck & Träff, Parallel Computing 2009",
    build: Method {
        plan: |job, bound| Ok(there_and_back(Pair::of_all(job.ranks).broadcast(bound.size("segments")))),
        formula: |job, bound| double_tree(job, bound.size("segments")),
        ..BASE.build
    },
};

pub(crate) const CHAINED_TREES: CollectiveRow = CollectiveRow {
    name: "allreduce:chained-trees",
    aliases: &["nccl:allreduce:tree"],
    summary: "As double-tree, over nodes: in each node a chain below the rank that is in the trees; up and down at the same time.",
    params: &[CHAIN, HALVES],
    example: "allreduce:chained-trees(4,segments=8)",
    restrictions: "commutative operation",
    source: "trees of NCCL: Hu et al., arXiv 2507.04786, 2025",
    build: Method {
        strands: 2,
        plan: |job, bound| Ok(pipelines(job, bound).allreduce(bound.size("segments"))),
        formula: |job, bound| chained_trees(job, &pipelines(job, bound), bound.size("segments")),
        ..BASE.build
    },
};

const CHAIN: Param =
    Param::optional("chain", Kind::Int { min: 1, max: RANK_LIMIT }, "1", "ranks of a node, numbered one after another");

fn pipelines(job: &Job, bound: &Bound) -> Pipelines {
    Pipelines::new(job.ranks, bound.size("chain"))
}

/// Reduce-scatter, or reduce, as the reverse of `gather`, then `gather`.
fn there_and_back(gather: Plan) -> Plan {
    gather.clone().reversed(true).then(gather)
}

/// Parts that use the ports of a grid; one where there is no axis.
fn ports(dims: &[u64]) -> u64 {
    (2 * torus::axes(dims).len() as u64).max(1)
}

fn folded(fold: &Fold, k: u32) -> Plan {
    fold.around(exchange::whole_vector(fold.active.len() as u32, k))
}

/// Block `p·s + c` is part `s` of chunk `c` of the ring, which leaves in step `m·t + s` where the chunk would in step `t`.
fn segmented_ring(ranks: u32, m: u32) -> Plan {
    let turns = ranks - 1;
    let step = |t: u32| {
        let (combine, back) = if t < turns { (true, t + 1) } else { (false, t - turns) };
        let part = move |s| run_of(s, (ranks - back) % ranks, 1);
        (0..m).map(move |s| round(t * m + s, Partner::Shift(1), part(s), combine))
    };
    Plan::cyclic(ranks, ranks * m, 2 * turns * m, (0..2 * turns).flat_map(step).collect())
}
