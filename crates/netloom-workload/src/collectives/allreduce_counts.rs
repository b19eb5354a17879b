//! Closed forms of the allreduces: steps, messages and bytes.

use super::job::Job;
use crate::counts::{Wide, log_ceil, log_floor, power, prefix};
use crate::generate::double_tree::Pipelines;

/// Every chunk is sent `p - 1` times while reducing and `p - 1` times while gathering, by every rank as many; `parts` are the
/// chunks that a block of `once`, the allgather, is cut into.
pub(super) fn both_ways(job: &Job, once: Wide, parts: u64) -> Wide {
    let (p, n) = (job.p(), job.size_bytes);
    let others = 2 * u128::from(p - 1);
    Wide {
        steps: 2 * once.steps,
        messages: 2 * once.messages,
        max_bytes_sent: others * u128::from(parts) * u128::from(n.div_ceil(p.saturating_mul(parts))),
        total_bytes: others * u128::from(n),
        max_ports: once.max_ports,
    }
}

/// Every rank sends both halves up. A forwarding rank sends one of them to two others, if there are enough ranks for a
/// rank with two below it; the first half is the longer one.
pub(super) fn double_tree(job: &Job, segments: u32) -> Wide {
    let (p, n, m) = (job.p(), job.size_bytes, u128::from(segments));
    let below = (p - 2).min(2);
    let first = prefix(n, 2 * u64::from(segments), segments.into());
    Wide {
        steps: 4 * (m - 1 + u128::from(log_ceil(p, 2))),
        messages: 4 * m * u128::from(p - 1),
        max_bytes_sent: u128::from(n) + u128::from(below) * first,
        total_bytes: 2 * u128::from(p - 1) * u128::from(n),
        max_ports: 1,
    }
}

/// As [`double_tree`], over pipelines whose busiest rank only they know.
pub(super) fn chained_trees(job: &Job, pipelines: &Pipelines, segments: u32) -> Wide {
    let (n, m, others) = (job.size_bytes, u128::from(segments), u128::from(job.p() - 1));
    let first = prefix(n, 2 * u64::from(segments), segments.into()) as u64;
    let (max_bytes_sent, ports) = pipelines.busiest(segments, [first, n - first]);
    Wide {
        steps: pipelines.steps(segments).into(),
        messages: 4 * m * others,
        max_bytes_sent,
        total_bytes: 2 * others * u128::from(n),
        max_ports: ports.into(),
    }
}

/// Digit exchange of whole vectors; `followers(surplus, ids)` is the largest number of members of one leader.
pub(super) fn exchange(job: &Job, k: u64, followers: impl Fn(u64, u64) -> u64) -> Wide {
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
pub(super) fn rabenseifner(job: &Job) -> Wide {
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

/// Every rank sends every chunk twice, except its own and its right neighbour's once; the last two chunks are shortest. A
/// chunk has one of the `p` blocks of each of `m` parts.
pub(super) fn rings(job: &Job, m: u64) -> Wide {
    let (p, n) = (job.p(), job.size_bytes);
    let (turns, whole, parts) = (2 * u128::from(p - 1), u128::from(n), p.saturating_mul(m));
    let (each, longer) = (n / parts, n % parts);
    let shortest = 2 * (u128::from(m) * u128::from(each) + u128::from(longer / p)) + u128::from(longer % p > p - 2);
    Wide {
        steps: turns * u128::from(m),
        messages: turns * u128::from(p) * u128::from(m),
        max_bytes_sent: 2 * whole - shortest,
        total_bytes: turns * whole,
        max_ports: 1,
    }
}

/// The root sends most: once per step of the broadcast.
pub(super) fn reduce_broadcast(job: &Job) -> Wide {
    let (p, n) = (job.p(), u128::from(job.size_bytes));
    let (steps, messages) = (u128::from(log_ceil(p, 2)), 2 * u128::from(p - 1));
    Wide { steps: 2 * steps, messages, max_bytes_sent: steps * n, total_bytes: messages * n, max_ports: 1 }
}

/// Every rank sends every chunk but its own while reducing. While gathering it sends runs `r .. r + width` whose widths sum
/// to `p - 1`; rank 0 has the longest chunks in all of them.
pub(super) fn circulant_both_ways(job: &Job) -> Wide {
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
