//! Reduce-scatter: rank r gets block r of the combined vectors. Each algorithm is an allgather backwards: every rank sends
//! every foreign block exactly once.

use netloom_model::Collective;

use super::allgather::{
    AGGREGATE, DIMS, EVEN_DIMS, aggregate, aggregated, bucket_all_ports, by_digits, circulant_segments, doubling, even,
    one_by_one, ranges_of_swing, segmented_circulant, swing_all_ports,
};
use super::row::{CollectiveRow, Form, Method, TEMPLATE, Walk, segments};
use crate::counts::Wide;
use crate::generate::{bucket, circulant, exchange, pat, ring, swing};

const BASE: CollectiveRow = CollectiveRow {
    restrictions: "commutative operation",
    build: Method { collective: Collective::ReduceScatter, form: Form::Cyclic, ..TEMPLATE.build },
    ..TEMPLATE
};

pub(crate) const RING: CollectiveRow = CollectiveRow {
    name: "reduce-scatter:ring",
    aliases: &[
        "ompi:reduce_scatter:ring",
        "smpi:reduce_scatter:ompi_ring",
        "nccl:reduce_scatter:ring",
        "ucc:reduce_scatter:ring",
    ],
    summary: "A block goes once round the ring and ends at its own rank.",
    example: "reduce-scatter:ring",
    source: "Open MPI reduce_scatter_intra_ring",
    build: Method {
        single_blocks: true,
        walk: Walk::BackAndForth,
        plan: |job, _| Ok(ring::ring(job.ranks, true).reversed(true)),
        formula: |job, _| one_by_one(job),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const PAIRWISE: CollectiveRow = CollectiveRow {
    name: "reduce-scatter:pairwise",
    aliases: &["mpich:reduce_scatter:pairwise", "smpi:reduce_scatter:mpich_pair"],
    summary: "In step k every rank sends block r+k to rank r+k.",
    example: "reduce-scatter:pairwise",
    source: "MPICH reduce_scatter_intra_pairwise",
    build: Method {
        single_blocks: true,
        plan: |job, _| Ok(ring::direct(job.ranks).reversed(true)),
        formula: |job, _| one_by_one(job),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const RECURSIVE_HALVING: CollectiveRow = CollectiveRow {
    name: "reduce-scatter:recursive-halving",
    aliases: &[
        "mpich:reduce_scatter:recursive_halving",
        "ompi:reduce_scatter:recursive_halving",
        "smpi:reduce_scatter:ompi_basic_recursivehalving",
    ],
    summary: "Half of the remaining blocks goes to r xor p/2, r xor p/4, ..., r xor 1.",
    example: "reduce-scatter:recursive-halving",
    source: "Thakur, Rabenseifner & Gropp, IJHPCA 2005",
    build: Method {
        npof2: "even ranks of the first pairs hand in all but their own block and get that back: two more steps",
        form: Form::CyclicIfPowerOfTwo,
        plan: |job, _| Ok(exchange::halving(job.ranks)),
        formula: |job, _| Wide { max_bytes_sent: one_by_one(job).max_bytes_sent, ..doubling(job) },
        ..BASE.build
    },
    ..BASE
};

pub(crate) const CIRCULANT: CollectiveRow = CollectiveRow {
    name: "reduce-scatter:circulant",
    aliases: &["mpich:reduce_scatter:circ_graph"],
    summary: "Skips ceil(p/2), ... 1: ceil(log2 p) steps on any number of ranks.",
    example: "reduce-scatter:circulant",
    source: "Träff, arXiv 2410.14234",
    build: Method {
        plan: |job, _| Ok(circulant::allgather(job.ranks).reversed(true)),
        formula: |job, _| by_digits(job, 2),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const CIRCULANT_SEGMENTS: CollectiveRow = CollectiveRow {
    name: "reduce-scatter:circulant-segments",
    summary: "Every rank's reduce:circulant at once: more steps than reduce-scatter:circulant, smaller messages.",
    params: &[segments("4")],
    example: "reduce-scatter:circulant-segments(segments=4)",
    source: "all-broadcast of Träff, arXiv 2407.18004, backwards",
    build: Method {
        plan: |job, bound| Ok(circulant_segments(job, bound)?.reversed(true)),
        formula: segmented_circulant,
        ..BASE.build
    },
    ..BASE
};

pub(crate) const SWING: CollectiveRow = CollectiveRow {
    name: "reduce-scatter:swing",
    aliases: &["reduce-scatter:bine"],
    summary: "Swaps with partners on alternating sides, near ones first.",
    example: "reduce-scatter:swing",
    source: "De Sensi et al., NSDI 2024; as Bine butterfly, arXiv 2508.17311",
    build: Method {
        npof2: "even numbers as they are; odd ones: the last rank swaps blocks with each other",
        form: Form::CyclicIfEven,
        ranges: |job, _| ranges_of_swing(job),
        plan: |job, _| Ok(swing::allgather(job.ranks).reversed(true)),
        formula: |job, _| super::allgather::swing(job),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const SWING_ALL_PORTS: CollectiveRow = CollectiveRow {
    name: "reduce-scatter:swing-all-ports",
    summary: "Swing on a k-dimensional grid: 2k parts, each beginning with its own axis and side.",
    params: &[EVEN_DIMS],
    example: "reduce-scatter:swing-all-ports",
    restrictions: "an even number (or one rank), as many as the grid has points; commutative operation",
    source: "De Sensi et al., NSDI 2024",
    build: Method {
        npof2: "grids of even extents",
        takes: even,
        plan: |job, bound| Ok(bucket::swing_all_ports(job, bound)?.reversed(true)),
        formula: swing_all_ports,
        ..BASE.build
    },
    ..BASE
};

pub(crate) const PAT: CollectiveRow = CollectiveRow {
    name: "reduce-scatter:pat",
    aliases: &["nccl:reduce_scatter:pat"],
    summary: "The trees of allgather:pat backwards: linear first, then distances up to 2^(q-1).",
    params: &[AGGREGATE],
    example: "reduce-scatter:pat",
    source: "Jeaugey, arXiv 2506.20252",
    build: Method {
        plan: |job, bound| Ok(pat::allgather(job.ranks, aggregate(bound)).reversed(true)),
        formula: aggregated,
        ..BASE.build
    },
    ..BASE
};

pub(crate) const BUCKET: CollectiveRow = CollectiveRow {
    name: "reduce-scatter:bucket",
    summary: "Rings along the axes of a row-major grid of ranks, first axis first.",
    params: &[DIMS],
    example: "reduce-scatter:bucket",
    restrictions: "commutative operation; as many ranks as the grid has points",
    source: "Jain & Sabharwal, ICS 2010",
    build: Method {
        plan: |job, bound| Ok(bucket::allgather(job, bound)?.reversed(true)),
        formula: super::allgather::bucket,
        ..BASE.build
    },
    ..BASE
};

pub(crate) const BUCKET_ALL_PORTS: CollectiveRow = CollectiveRow {
    name: "reduce-scatter:bucket-all-ports",
    summary: "Bucket on a k-dimensional grid: 2k parts, each with its own order of axes and direction.",
    params: &[DIMS],
    example: "reduce-scatter:bucket-all-ports",
    restrictions: "commutative operation; as many ranks as the grid has points",
    source: "Jain & Sabharwal, ICS 2010; Sack & Gropp, ACM TOPC 2014",
    build: Method {
        plan: |job, bound| Ok(bucket::all_ports(job, bound)?.reversed(true)),
        formula: bucket_all_ports,
        ..BASE.build
    },
    ..BASE
};
