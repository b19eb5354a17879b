//! Alltoall: a block from every rank to every rank. Block `s·p + d` goes from rank `s` to rank `d`.

use netloom_model::schedule::Copied;
use netloom_model::{Bound, Collective, Fault, Kind, Outcome, Param, Partner};

use super::allgather::one_by_one;
use super::job::Job;
use super::row::{CollectiveRow, Form, Method, TEMPLATE, radix};
use crate::codes;
use crate::counts::{Wide, log_ceil, nonzero_digits, partners};
use crate::generate::bruck;
use crate::plan::{Plan, round, run, run_of};

const BASE: CollectiveRow = CollectiveRow {
    build: Method { collective: Collective::Alltoall, form: Form::Cyclic, ..TEMPLATE.build },
    ..TEMPLATE
};

pub(crate) const LINEAR: CollectiveRow = CollectiveRow {
    name: "alltoall:linear",
    aliases: &["ompi:alltoall:linear", "smpi:alltoall:basic_linear"],
    summary: "All messages at once.",
    example: "alltoall:linear",
    source: "Open MPI basic_linear",
    build: Method {
        plan: |job, _| Ok(windows(job.ranks, job.ranks)),
        formula: |job, _| window_counts(job, job.p()),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const SCATTERED: CollectiveRow = CollectiveRow {
    name: "alltoall:scattered",
    aliases: &["mpich:alltoall:scattered", "ompi:alltoall:linear_sync", "smpi:alltoall:mvapich2_scatter_dest"],
    summary: "Messages to r+1, r+2, ... in windows.",
    params: &[Param::optional("window", Kind::Int { min: 1, max: 1 << 24 }, "32", "messages of a rank at a time")],
    example: "alltoall:scattered(window=32)",
    source: "MPICH alltoall_intra_scattered (throttle 32)",
    build: Method {
        plan: |job, bound| Ok(windows(job.ranks, bound.size("window"))),
        formula: |job, bound| window_counts(job, u64::from(bound.size("window"))),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const PAIRWISE: CollectiveRow = CollectiveRow {
    name: "alltoall:pairwise",
    aliases: &[
        "mpich:alltoall:pairwise",
        "ompi:alltoall:pairwise",
        "smpi:alltoall:pair",
        "smpi:alltoall:ring",
        "ucc:alltoall:pairwise",
    ],
    summary: "In step k every rank sends to r xor k (power of two) or r + k.",
    params: &[Param::optional(
        "partner",
        Kind::Choice(&["auto", "shift", "xor"]),
        "auto",
        "auto: xor on a power of two",
    )],
    example: "alltoall:pairwise",
    restrictions: "partner=xor needs a power of two",
    source: "MPICH alltoall_intra_pairwise",
    build: Method { npof2: "r + k", plan: pairwise, formula: |job, _| one_by_one(job), ..BASE.build },
};

pub(crate) const BRUCK: CollectiveRow = CollectiveRow {
    name: "alltoall:bruck",
    aliases: &[
        "mpich:alltoall:brucks",
        "mpich:alltoall:k_brucks",
        "ompi:alltoall:modified_bruck",
        "smpi:alltoall:bruck",
    ],
    summary: "In phase i every rank passes on to r + j·k^i the blocks whose remaining distance has digit j.",
    params: &[
        radix("2"),
        Param::optional("direction", Kind::Int { min: -1, max: 1 }, "1", "1: towards r + k^i; -1: towards r - k^i"),
    ],
    example: "alltoall:bruck(k=2,direction=1)",
    source: "Cui 2024 §2.3.2 (errata E0-15); Bruck et al., IEEE TPDS 8(11) 1997",
    build: Method {
        // The buffer is rotated before the first step and after the last.
        copied: |job| {
            let all = job.p() * job.size_bytes;
            Copied { before_bytes: all, after_bytes: all }
        },
        plan: |job, bound| match bound.int("direction") {
            0 => Err(bound.fault("direction", "1 or -1").into()),
            direction => Ok(bruck::alltoall(job.ranks, bound.size("k"), direction < 0)),
        },
        ranges: |job, bound| nonzero_digits(job.p(), bound.size("k").into()),
        formula: |job, bound| digits(job, u64::from(bound.size("k"))),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const RING: CollectiveRow = CollectiveRow {
    name: "alltoall:ring",
    summary: "All blocks that have not arrived move to the right neighbour.",
    example: "alltoall:ring",
    source: "neighbour-only alltoall on a ring: sum of distances p(p-1)/2 blocks per rank",
    build: Method {
        plan: |job, _| Ok(ring(job.ranks)),
        formula: |job, _| {
            let (each, p) = (one_by_one(job), u128::from(job.ranks));
            let sent = each.total_bytes / 2;
            Wide { max_bytes_sent: sent, total_bytes: sent.saturating_mul(p), ..each }
        },
        ..BASE.build
    },
    ..BASE
};

/// The own block for rank `r + k`.
fn direct(ranks: u32, window: u32) -> impl Iterator<Item = netloom_model::CyclicRound> {
    (1..ranks).map(move |k| round((k - 1) / window, Partner::Shift(k), run(k, 1), false))
}

fn windows(ranks: u32, window: u32) -> Plan {
    Plan::cyclic_of_pairs(ranks, (ranks - 1).div_ceil(window), direct(ranks, window).collect())
}

fn window_counts(job: &Job, window: u64) -> Wide {
    let others = job.p() - 1;
    Wide { steps: others.div_ceil(window).into(), max_ports: window.min(others).into(), ..one_by_one(job) }
}

fn pairwise(job: &Job, bound: &Bound) -> Outcome<Plan> {
    let p = job.ranks;
    let power = p.is_power_of_two();
    match bound.text("partner") {
        "xor" if !power => {
            let expected = "a power of two for alltoall:pairwise(partner=xor)";
            let fault = Fault::new(&codes::RESTRICTED, "ranks", expected, p);
            Err(fault.hint("use partner=shift, or leave it to auto").into())
        }
        "shift" => Ok(windows(p, 1)),
        _ if power => {
            let rounds = (1..p).map(|k| round(k - 1, Partner::Xor(k), run(k, 1), false)).collect();
            Ok(Plan::cyclic_of_pairs(p, p - 1, rounds))
        }
        _ => Ok(windows(p, 1)),
    }
}

/// In step `t` rank `r` passes on the blocks of `r - t` for `r + 1 .. r + p - 1 - t`.
fn ring(p: u32) -> Plan {
    let rounds = (0..p - 1).map(|t| round(t, Partner::Shift(1), run_of((p - t) % p, 1, p - 1 - t), false)).collect();
    Plan::cyclic_of_pairs(p, p - 1, rounds)
}

/// A block is sent once per digit of its way that is not zero.
fn digits(job: &Job, k: u64) -> Wide {
    let (p, s) = (job.p(), u128::from(job.size_bytes));
    let sent = nonzero_digits(p, k) * s;
    Wide {
        steps: log_ceil(p, k).into(),
        messages: u128::from(p) * partners(p, k),
        max_bytes_sent: sent,
        total_bytes: u128::from(p) * sent,
        max_ports: (k - 1).min(p - 1).into(),
    }
}
