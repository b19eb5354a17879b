//! Composition over a hierarchy: any registered algorithm on every level ([`super::levels`]). One file for all operations,
//! since they share their parameters; closed forms add those of the levels.

use netloom_model::{Bound, Collective, Kind, Outcome, Param};

use super::job::Job;
use super::levels::{Algorithm, LevelSetup};
use super::limits::check_rows;
use super::row::{CollectiveRow, Method, TEMPLATE};
use crate::counts::Wide;
use crate::generate::hierarchy::{Hierarchy, levels};
use crate::generate::hierarchy_plans as plans;

const LEVELS: Param = levels(
    "members of each level, outermost first; left out: the two factors of the number of ranks nearest to each other",
);

const fn algorithms(default: &'static str) -> Param {
    Param::optional(
        "algorithms",
        Kind::Text,
        default,
        "algorithm of every level, or one per level joined by +, outermost first",
    )
    .keyword_only()
}

const BASE: CollectiveRow = CollectiveRow {
    restrictions: "as many ranks as the levels multiply to",
    build: Method { npof2: "as the algorithms of the levels", ..TEMPLATE.build },
    ..TEMPLATE
};

pub(crate) const BROADCAST: CollectiveRow = CollectiveRow {
    name: "broadcast:hierarchical",
    summary: "One rank of every branch gets the message on the outermost level and passes it on, level by level.",
    params: &[LEVELS, algorithms("binomial")],
    example: "broadcast:hierarchical",
    source: "Karonis et al., IPDPS 2000",
    build: Method {
        collective: Collective::Broadcast,
        check: |job, bound| LevelSetup::read(job, bound, Collective::Broadcast, 0).map(drop),
        plan: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::Broadcast, 0)?;
            plans::broadcast(&s.hierarchy, job.root, 1, 0, &|i| s.plan(i))
        },
        formula: |job, bound| LevelSetup::counted(job, bound, Collective::Broadcast, |s| s.led(|_| job.size_bytes)),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const REDUCE: CollectiveRow = CollectiveRow {
    name: "reduce:hierarchical",
    summary: "broadcast:hierarchical backwards: innermost level first.",
    example: "reduce:hierarchical",
    restrictions: "commutative operation at roots other than 0, or if a tree needs one; as many ranks as the levels multiply to",
    source: "broadcast backwards",
    build: Method {
        collective: Collective::Reduce,
        plan: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::Broadcast, 0)?;
            Ok(plans::broadcast(&s.hierarchy, job.root, 1, 0, &|i| s.plan(i))?.reversed(true))
        },
        formula: |job, bound| {
            let down = LevelSetup::counted(job, bound, Collective::Broadcast, |s| s.led(|_| job.size_bytes));
            Wide { max_bytes_sent: job.size_bytes.into(), ..down }
        },
        ..BROADCAST.build
    },
    ..BROADCAST
};

pub(crate) const SCATTER: CollectiveRow = CollectiveRow {
    name: "scatter:hierarchical",
    summary: "The blocks of a branch go to one of its ranks, level by level.",
    params: &[LEVELS, algorithms("binomial")],
    example: "scatter:hierarchical",
    source: "Karonis et al., IPDPS 2000",
    build: Method {
        collective: Collective::Scatter,
        check: |job, bound| LevelSetup::read(job, bound, Collective::Scatter, 0).map(drop),
        plan: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::Scatter, 0)?;
            plans::scatter(&s.hierarchy, job.root, &|i| s.plan(i))
        },
        formula: |job, bound| {
            LevelSetup::counted(job, bound, Collective::Scatter, |s| s.led(|i| below(&s.hierarchy, i, job.size_bytes)))
        },
        ..BASE.build
    },
    ..BASE
};

pub(crate) const GATHER: CollectiveRow = CollectiveRow {
    name: "gather:hierarchical",
    summary: "The blocks of a branch meet at one of its ranks, innermost level first.",
    example: "gather:hierarchical",
    build: Method {
        collective: Collective::Gather,
        check: |job, bound| LevelSetup::read(job, bound, Collective::Gather, 0).map(drop),
        plan: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::Gather, 0)?;
            plans::gather(&s.hierarchy, job.root, &|i| s.plan(i))
        },
        formula: |job, bound| {
            // Every rank but the root sends on one level only: the outermost on which it does not lead.
            LevelSetup::counted(job, bound, Collective::Gather, |s| {
                let size = |i| below(&s.hierarchy, i, job.size_bytes);
                let most = s.used().map(|i| s.formula(i, size(i)).max_bytes_sent).max().unwrap_or(0);
                Wide { max_bytes_sent: most, ..s.led(size) }
            })
        },
        ..SCATTER.build
    },
    ..SCATTER
};

pub(crate) const ALLREDUCE: CollectiveRow = CollectiveRow {
    name: "allreduce:hierarchical",
    aliases: &["mpich:allreduce:smp"],
    summary: "Reduce to one rank of every branch, allreduce among these on the outermost level, broadcast down.",
    params: &[
        LEVELS,
        Param::optional("top", Kind::Text, "recursive-doubling", "allreduce of the outermost level").keyword_only(),
        Param::optional(
            "algorithms",
            Kind::Text,
            "binomial",
            "tree of every level below the outermost, or one per level joined by +",
        )
        .keyword_only(),
    ],
    example: "allreduce:hierarchical",
    restrictions: "commutative operation (if top or a tree needs one); as many ranks as the levels multiply to",
    source: "HAN: Luo et al., CLUSTER 2020",
    build: Method {
        collective: Collective::Allreduce,
        exact_bytes: false,
        pieces: |job, bound| {
            let among = |s: LevelSetup| top(&s, bound).map(|top| top.pieces(s.hierarchy.levels[0]));
            job.p().saturating_mul(LevelSetup::read(job, bound, Collective::Broadcast, 1).and_then(among).unwrap_or(1))
        },
        check: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::Broadcast, 1)?;
            top(&s, bound).map(drop)
        },
        plan: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::Broadcast, 1)?;
            let top = top(&s, bound)?;
            let above = if s.hierarchy.levels[0] > 1 { Some(top.plan(s.hierarchy.levels[0])?) } else { None };
            plans::led_allreduce(&s.hierarchy, above, &|i| s.plan(i))
        },
        formula: |job, bound| {
            let Ok(s) = LevelSetup::read(job, bound, Collective::Broadcast, 1) else { return Wide::default() };
            let Ok(top) = top(&s, bound) else { return Wide::default() };
            let (down, among) = (s.led(|_| job.size_bytes), top.formula(s.hierarchy.levels[0], job.size_bytes));
            // Rank 0 leads on all levels: on each of them it sends the messages of the root of a tree.
            Wide {
                steps: 2 * down.steps + among.steps,
                messages: 2 * down.messages + among.messages,
                max_bytes_sent: down.max_bytes_sent + among.max_bytes_sent,
                total_bytes: 2 * down.total_bytes + among.total_bytes,
                max_ports: down.max_ports.max(among.max_ports),
            }
        },
        ..BASE.build
    },
};

pub(crate) const BLUECONNECT: CollectiveRow = CollectiveRow {
    name: "allreduce:blueconnect",
    summary: "Reduce-scatter from the innermost level outwards, then allgather back: all ranks work on every level.",
    params: &[LEVELS, algorithms("ring")],
    example: "allreduce:blueconnect",
    restrictions: "commutative operation; as many ranks as the levels multiply to",
    source: "Cho et al., BlueConnect, IBM J. Res. Dev. 63(6), 2019",
    build: Method {
        collective: Collective::Allreduce,
        exact_bytes: false,
        check: |job, bound| LevelSetup::read(job, bound, Collective::Allgather, 0)?.every_block_once(bound),
        plan: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::Allgather, 0)?;
            plans::blueconnect(&s.hierarchy, &|i| s.plan(i))
        },
        formula: |job, bound| {
            let chunk = job.size_bytes.div_ceil(job.p());
            let down = LevelSetup::counted(job, bound, Collective::Allgather, |s| {
                s.everybody(|i| u64::from(s.hierarchy.above(i)).saturating_mul(chunk))
            });
            // Up, a rank sends every chunk but its own once: it is the allgather backwards, and there it gets them once.
            let others = u128::from(job.p() - 1);
            Wide {
                steps: 2 * down.steps,
                messages: 2 * down.messages,
                max_bytes_sent: others * u128::from(chunk) + down.max_bytes_sent,
                total_bytes: 2 * others * u128::from(job.size_bytes),
                max_ports: down.max_ports,
            }
        },
        ..BASE.build
    },
    ..BASE
};

pub(crate) const ALLGATHER: CollectiveRow = CollectiveRow {
    name: "allgather:hierarchical",
    summary: "Own blocks along the outermost level, then all that came along the next: no block enters a branch twice.",
    params: &[LEVELS, algorithms("ring")],
    example: "allgather:hierarchical",
    source: "Cho et al., BlueConnect, IBM J. Res. Dev. 63(6), 2019, second half",
    build: Method {
        collective: Collective::Allgather,
        check: |job, bound| LevelSetup::read(job, bound, Collective::Allgather, 0).map(drop),
        plan: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::Allgather, 0)?;
            check_rows(&bound.owner, job, listed_blocks(job, bound, Collective::Allgather))?;
            plans::allgather(&s.hierarchy, &|i| s.plan(i))
        },
        formula: |job, bound| columns(job, bound, Collective::Allgather),
        ..BASE.build
    },
    ..BASE
};

pub(crate) const REDUCE_SCATTER: CollectiveRow = CollectiveRow {
    name: "reduce-scatter:hierarchical",
    summary: "Blocks are combined along the innermost level, then along the next one out.",
    example: "reduce-scatter:hierarchical",
    restrictions: "commutative operation; as many ranks as the levels multiply to",
    source: "Cho et al., BlueConnect, IBM J. Res. Dev. 63(6), 2019, first half",
    build: Method {
        collective: Collective::ReduceScatter,
        check: |job, bound| LevelSetup::read(job, bound, Collective::ReduceScatter, 0).map(drop),
        plan: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::ReduceScatter, 0)?;
            check_rows(&bound.owner, job, listed_blocks(job, bound, Collective::ReduceScatter))?;
            plans::reduce_scatter(&s.hierarchy, &|i| s.plan(i))
        },
        formula: |job, bound| columns(job, bound, Collective::ReduceScatter),
        ..ALLGATHER.build
    },
    ..ALLGATHER
};

pub(crate) const ALLTOALL: CollectiveRow = CollectiveRow {
    name: "alltoall:hierarchical",
    summary: "Level by level, innermost first: what a rank holds goes to the member of its team that is nearer.",
    params: &[LEVELS, algorithms("pairwise(partner=shift)")],
    example: "alltoall:hierarchical",
    source: "digits of Bruck's algorithm in mixed radix; Träff & Rougier, EuroMPI 2014",
    build: Method {
        collective: Collective::Alltoall,
        check: |job, bound| LevelSetup::read(job, bound, Collective::Alltoall, 0).map(drop),
        plan: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::Alltoall, 0)?;
            let carried = LevelSetup::counted(&Job { size_bytes: 1, ..*job }, bound, Collective::Alltoall, |s| {
                s.everybody(|i| u64::from(job.ranks / s.hierarchy.levels[i]))
            });
            check_rows(&bound.owner, job, carried.total_bytes)?;
            plans::alltoall(&s.hierarchy, &|i| s.plan(i))
        },
        formula: |job, bound| {
            LevelSetup::counted(job, bound, Collective::Alltoall, |s| {
                s.everybody(|i| u64::from(job.ranks / s.hierarchy.levels[i]).saturating_mul(job.size_bytes))
            })
        },
        ..BASE.build
    },
    ..BASE
};

pub(crate) const BARRIER: CollectiveRow = CollectiveRow {
    name: "barrier:hierarchical",
    summary: "A barrier of every team of the innermost level, then of the next one out.",
    params: &[LEVELS, algorithms("dissemination")],
    example: "barrier:hierarchical",
    source: "barriers of the levels",
    build: Method {
        collective: Collective::Barrier,
        check: |job, bound| LevelSetup::read(job, bound, Collective::Barrier, 0).map(drop),
        plan: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::Barrier, 0)?;
            plans::barrier(&s.hierarchy, &|i| s.plan(i))
        },
        formula: |job, bound| LevelSetup::counted(job, bound, Collective::Barrier, |s| s.everybody(|_| 0)),
        ..BASE.build
    },
    ..BASE
};

/// The allreduce of the outermost level.
fn top(s: &LevelSetup, bound: &Bound) -> Outcome<Algorithm> {
    let top = Algorithm::read(bound, "top", bound.text("top"), Collective::Allreduce)?;
    top.accepts(s.hierarchy.levels[0])?;
    Ok(top)
}

/// Bytes of all blocks below one member of level `i`.
fn below(h: &Hierarchy, i: usize, size_bytes: u64) -> u64 {
    u64::from(h.width(i)).saturating_mul(size_bytes)
}

/// On level `i` a member represents as many blocks as there are branches above.
fn columns(job: &Job, bound: &Bound, collective: Collective) -> Wide {
    LevelSetup::counted(job, bound, collective, |s| {
        s.everybody(|i| u64::from(s.hierarchy.above(i)).saturating_mul(job.size_bytes))
    })
}

/// Block ranges of [`plans::allgather`] and [`plans::reduce_scatter`]: teams that differ above a level share theirs, as many
/// as a team's own blocks would be if each of its members represented `above` of them.
fn listed_blocks(job: &Job, bound: &Bound, collective: Collective) -> u128 {
    LevelSetup::counted(&Job { size_bytes: 1, ..*job }, bound, collective, |s| s.everybody(|_| 1)).total_bytes
}
