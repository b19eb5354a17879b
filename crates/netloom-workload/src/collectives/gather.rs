//! Gather and scatter: one block per rank, to or from the root.

use netloom_model::Collective;

use super::job::Job;
use super::row::{CollectiveRow, Method, TEMPLATE, radix};
use crate::counts::{Wide, log_ceil, nonzero_digits, power};
use crate::generate::bine;
use crate::generate::trees::{self, Tree};
use crate::plan::Plan;

const BASE: CollectiveRow =
    CollectiveRow { build: Method { collective: Collective::Scatter, ..TEMPLATE.build }, ..TEMPLATE };
const GATHER: CollectiveRow = CollectiveRow {
    source: "scatter backwards",
    build: Method { collective: Collective::Gather, ..BASE.build },
    ..BASE
};

pub(crate) const SCATTER_LINEAR: CollectiveRow = CollectiveRow {
    name: "scatter:linear",
    aliases: &["ompi:scatter:basic_linear", "smpi:scatter:ompi_basic_linear"],
    summary: "The root sends to one rank after the other.",
    example: "scatter:linear",
    source: "Open MPI basic_linear",
    build: Method {
        plan: |job, _| Ok(scatter(job, &trees::linear(job.ranks))),
        formula: |job, _| linear(job),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const SCATTER_BINOMIAL: CollectiveRow = CollectiveRow {
    name: "scatter:binomial",
    aliases: &["mpich:scatter:binomial", "ompi:scatter:binomial", "smpi:scatter:ompi_binomial"],
    summary: "Binomial tree; an edge carries the blocks of the subtree below it.",
    example: "scatter:binomial",
    source: "MPICH scatter_intra_binomial",
    build: Method {
        plan: |job, _| Ok(scatter(job, &trees::knomial(job.ranks, 2))),
        formula: |job, _| knomial(job, 2),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const SCATTER_K_NOMIAL: CollectiveRow = CollectiveRow {
    name: "scatter:k-nomial",
    aliases: &["scatter:knomial", "ucc:scatter:knomial"],
    summary: "Binomial scatter to base k.",
    params: &[radix("4")],
    example: "scatter:k-nomial(k=4)",
    source: "UCC knomial",
    build: Method {
        plan: |job, bound| Ok(scatter(job, &trees::knomial(job.ranks, bound.size("k")))),
        formula: |job, bound| knomial(job, u64::from(bound.size("k"))),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const SCATTER_BINE: CollectiveRow = CollectiveRow {
    name: "scatter:bine",
    summary: "The tree of broadcast:bine; an edge carries the blocks of the run of ranks below it.",
    example: "scatter:bine",
    restrictions: "a power of two",
    source: "De Sensi et al., arXiv 2508.17311",
    build: Method {
        npof2: "refused: subtrees would be no runs of ranks",
        takes: u32::is_power_of_two,
        plan: |job, _| Ok(bine::scatter(job.ranks).rotated(job.root, true)),
        formula: |job, _| knomial(job, 2),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const GATHER_LINEAR: CollectiveRow = CollectiveRow {
    name: "gather:linear",
    aliases: &["ompi:gather:basic_linear", "smpi:gather:ompi_basic_linear"],
    summary: "The root receives from one rank after the other.",
    example: "gather:linear",
    build: Method {
        plan: |job, _| Ok(gather(job, &trees::linear(job.ranks))),
        formula: |job, _| Wide { max_bytes_sent: job.size_bytes.into(), ..linear(job) },
        ..GATHER.build
    },
    ..GATHER
};

pub(crate) const GATHER_BINOMIAL: CollectiveRow = CollectiveRow {
    name: "gather:binomial",
    aliases: &["mpich:gather:binomial", "ompi:gather:binomial", "smpi:gather:ompi_binomial"],
    summary: "Binomial tree; a rank sends what its subtree has brought it.",
    example: "gather:binomial",
    build: Method {
        plan: |job, _| Ok(gather(job, &trees::knomial(job.ranks, 2))),
        formula: |job, _| Wide { max_bytes_sent: largest_subtree(job, 2), ..knomial(job, 2) },
        ..GATHER.build
    },
    ..GATHER
};

pub(crate) const GATHER_K_NOMIAL: CollectiveRow = CollectiveRow {
    name: "gather:k-nomial",
    aliases: &["gather:knomial", "ucc:gather:knomial"],
    summary: "Binomial gather to base k.",
    params: &[radix("4")],
    example: "gather:k-nomial(k=4)",
    build: Method {
        plan: |job, bound| Ok(gather(job, &trees::knomial(job.ranks, bound.size("k")))),
        formula: |job, bound| {
            let k = u64::from(bound.size("k"));
            Wide { max_bytes_sent: largest_subtree(job, k), ..knomial(job, k) }
        },
        ..GATHER.build
    },
    ..GATHER
};

pub(crate) const GATHER_BINE: CollectiveRow = CollectiveRow {
    name: "gather:bine",
    summary: "The tree of broadcast:bine towards the root.",
    example: "gather:bine",
    restrictions: "a power of two",
    source: "De Sensi et al., arXiv 2508.17311",
    build: Method {
        npof2: "refused: subtrees would be no runs of ranks",
        takes: u32::is_power_of_two,
        plan: |job, _| Ok(bine::scatter(job.ranks).reversed(false).rotated(job.root, true)),
        formula: |job, _| Wide { max_bytes_sent: largest_subtree(job, 2), ..knomial(job, 2) },
        ..GATHER.build
    },
    ..GATHER
};

fn scatter(job: &Job, tree: &Tree) -> Plan {
    tree.scatter().rotated(job.root, true)
}

fn gather(job: &Job, tree: &Tree) -> Plan {
    tree.scatter().reversed(false).rotated(job.root, true)
}

fn linear(job: &Job) -> Wide {
    super::broadcast::linear(job)
}

/// A block crosses one edge per digit of its number that is not zero; the root sends every block but its own.
fn knomial(job: &Job, k: u64) -> Wide {
    let (p, s) = (job.p(), u128::from(job.size_bytes));
    Wide {
        steps: log_ceil(p, k).into(),
        messages: u128::from(p - 1),
        max_bytes_sent: u128::from(p - 1) * s,
        total_bytes: nonzero_digits(p, k) * s,
        max_ports: (k - 1).min(p - 1).into(),
    }
}

/// Bytes of the largest subtree below the root: that of some `k^i`.
fn largest_subtree(job: &Job, k: u64) -> u128 {
    let p = job.p();
    let largest = (0..log_ceil(p, k)).map(|i| power(k, i).min(p - power(k, i))).max().unwrap_or(0);
    u128::from(largest) * u128::from(job.size_bytes)
}
