//! Scan and exscan: rank r gets the combination of ranks 0 to r, or 0 to r - 1. A message carries the running combination
//! of its sender; the receiver combines it with its own and, if the sender is a lower rank, also with its result.

use netloom_model::{Collective, Outcome};

use super::job::Job;
use super::row::{CollectiveRow, Method, TEMPLATE};
use crate::counts::{Wide, log_ceil, power};
use crate::plan::{Builder, Plan};

const BASE: CollectiveRow =
    CollectiveRow { build: Method { collective: Collective::Scan, ..TEMPLATE.build }, ..TEMPLATE };

pub(crate) const RECURSIVE_DOUBLING: CollectiveRow = CollectiveRow {
    name: "scan:recursive-doubling",
    aliases: &["mpich:scan:recursive_doubling", "ompi:scan:recursive_doubling", "smpi:scan:ompi"],
    summary: "Running combinations are swapped with r xor 2^i where that rank exists.",
    example: "scan:recursive-doubling",
    source: "MPICH scan_intra_recursive_doubling",
    build: Method {
        npof2: "partners that do not exist are skipped",
        plan: |job, _| doubling(job),
        formula: |job, _| doubling_counts(job),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const LINEAR: CollectiveRow = CollectiveRow {
    name: "scan:linear",
    aliases: &["ompi:scan:linear"],
    summary: "Every rank waits for r - 1 and sends to r + 1.",
    example: "scan:linear",
    source: "Open MPI scan_intra_linear",
    build: Method { plan: |job, _| linear(job), formula: |job, _| linear_counts(job), ..BASE.build },
    ..BASE
};

pub(crate) const EXSCAN_RECURSIVE_DOUBLING: CollectiveRow = CollectiveRow {
    name: "exscan:recursive-doubling",
    aliases: &["mpich:exscan:recursive_doubling", "ompi:exscan:recursive_doubling"],
    example: "exscan:recursive-doubling",
    source: "MPICH exscan_intra_recursive_doubling",
    build: Method { collective: Collective::Exscan, ..RECURSIVE_DOUBLING.build },
    ..RECURSIVE_DOUBLING
};

pub(crate) const EXSCAN_LINEAR: CollectiveRow = CollectiveRow {
    name: "exscan:linear",
    aliases: &["ompi:exscan:linear"],
    example: "exscan:linear",
    source: "Open MPI exscan_intra_linear",
    build: Method { collective: Collective::Exscan, ..LINEAR.build },
    ..LINEAR
};

fn doubling(job: &Job) -> Outcome<Plan> {
    let p = job.ranks;
    let steps = log_ceil(job.p(), 2);
    let mut builder = Builder::new(p, 1);
    for i in 0..steps {
        for r in (0..p).filter(|r| r ^ (1 << i) < p) {
            builder.send_run(i, r, r ^ (1 << i), 0, 1, true);
        }
    }
    Ok(builder.finish(steps))
}

fn linear(job: &Job) -> Outcome<Plan> {
    let mut builder = Builder::new(job.ranks, 1);
    for r in 0..job.ranks - 1 {
        builder.send_run(r, r, r + 1, 0, 1, true);
    }
    Ok(builder.finish(job.ranks - 1))
}

fn doubling_counts(job: &Job) -> Wide {
    let (p, n) = (job.p(), u128::from(job.size_bytes));
    let steps = log_ceil(p, 2);
    let pairs = |i: u32| {
        let (half, full) = (power(2, i), power(2, i + 1));
        u128::from(p / full * half + (p % full).saturating_sub(half))
    };
    let messages = 2 * (0..steps).map(pairs).sum::<u128>();
    let steps = u128::from(steps);
    Wide { steps, messages, max_bytes_sent: steps * n, total_bytes: messages * n, max_ports: 1 }
}

fn linear_counts(job: &Job) -> Wide {
    let (others, n) = (u128::from(job.p() - 1), u128::from(job.size_bytes));
    Wide { steps: others, messages: others, max_bytes_sent: n, total_bytes: others * n, max_ports: 1 }
}
