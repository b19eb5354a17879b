//! Barrier: no rank leaves before every rank has arrived. Messages carry no bytes, only the tokens of the ranks that the
//! sender has heard from, so that the proof can check that every rank heard from every other.

use netloom_model::Collective;

use super::allgather::doubling;
use super::row::{CollectiveRow, Form, Method, TEMPLATE, radix};
use crate::counts::{Wide, log_ceil, partners};
use crate::generate::trees::{self, Tree};
use crate::generate::{bruck, exchange};
use crate::plan::{Builder, Plan};

const BASE: CollectiveRow =
    CollectiveRow { build: Method { collective: Collective::Barrier, ..TEMPLATE.build }, ..TEMPLATE };

pub(crate) const DISSEMINATION: CollectiveRow = CollectiveRow {
    name: "barrier:dissemination",
    aliases: &["barrier:bruck", "mpich:barrier:k_dissemination", "ompi:barrier:bruck", "smpi:barrier:ompi_bruck"],
    summary: "In phase i every rank tells r + j·k^i which ranks it has heard from.",
    params: &[radix("2")],
    example: "barrier:dissemination(k=2)",
    source: "Hensgen, Finkel & Manber, IJPP 1988",
    build: Method {
        form: Form::Cyclic,
        plan: |job, bound| Ok(bruck::dissemination(job.ranks, bound.size("k"))),
        formula: |job, bound| {
            let (p, k) = (job.p(), u64::from(bound.size("k")));
            Wide {
                steps: log_ceil(p, k).into(),
                messages: u128::from(p) * partners(p, k),
                max_ports: (k - 1).min(p - 1).into(),
                ..Wide::default()
            }
        },
        ..BASE.build
    },
    ..BASE
};

pub(crate) const RECURSIVE_DOUBLING: CollectiveRow = CollectiveRow {
    name: "barrier:recursive-doubling",
    aliases: &["ompi:barrier:recursive_doubling", "smpi:barrier:ompi_recursivedoubling"],
    summary: "Every rank tells r xor 2^i.",
    example: "barrier:recursive-doubling",
    source: "Open MPI barrier_intra_recursivedoubling",
    build: Method {
        npof2: "pairs fold to the odd rank: two more steps",
        form: Form::CyclicIfPowerOfTwo,
        plan: |job, _| Ok(exchange::doubling(job.ranks)),
        formula: |job, _| doubling(job),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const DOUBLE_RING: CollectiveRow = CollectiveRow {
    name: "barrier:double-ring",
    aliases: &["ompi:barrier:double_ring", "smpi:barrier:ompi_doublering"],
    summary: "A token goes twice round the ring.",
    example: "barrier:double-ring",
    source: "Open MPI barrier_intra_doublering",
    build: Method {
        plan: |job, _| Ok(double_ring(job.ranks)),
        formula: |job, _| {
            let messages = 2 * u128::from(job.ranks);
            Wide { steps: messages, messages, max_ports: 1, ..Wide::default() }
        },
        ..BASE.build
    },
    ..BASE
};

pub(crate) const TREE: CollectiveRow = CollectiveRow {
    name: "barrier:tree",
    aliases: &["ompi:barrier:tree", "smpi:barrier:ompi_tree"],
    summary: "Binomial tree to rank 0 and back.",
    example: "barrier:tree",
    source: "Open MPI barrier_intra_tree",
    build: Method {
        plan: |job, _| Ok(up_and_down(&trees::knomial(job.ranks, 2))),
        formula: |job, _| Wide {
            steps: 2 * u128::from(log_ceil(job.p(), 2)),
            messages: 2 * u128::from(job.ranks - 1),
            max_ports: 1,
            ..Wide::default()
        },
        ..BASE.build
    },
    ..BASE
};

pub(crate) const LINEAR: CollectiveRow = CollectiveRow {
    name: "barrier:linear",
    aliases: &["ompi:barrier:linear", "smpi:barrier:ompi_basic_linear"],
    summary: "Every rank reports to rank 0, which then answers every rank.",
    example: "barrier:linear",
    source: "Open MPI basic_linear",
    build: Method {
        plan: |job, _| Ok(up_and_down(&trees::linear(job.ranks))),
        formula: |job, _| {
            let messages = 2 * u128::from(job.ranks - 1);
            Wide { steps: messages, messages, max_ports: 1, ..Wide::default() }
        },
        ..BASE.build
    },
    ..BASE
};

/// Tokens up the tree, then all of them down.
fn up_and_down(tree: &Tree) -> Plan {
    let p = tree.ranks;
    let mut down = Builder::new(p, p);
    for e in &tree.edges {
        down.send_run(e.step, e.from, e.to, 0, p, false);
    }
    tree.scatter().reversed(false).then(down.finish(tree.steps))
}

fn double_ring(p: u32) -> Plan {
    let mut builder = Builder::new(p, p);
    let steps = if p > 1 { 2 * p } else { 0 };
    for t in 0..steps {
        let r = t % p;
        builder.send_run(t, r, (r + 1) % p, 0, if t < p { r + 1 } else { p }, false);
    }
    builder.finish(steps)
}
