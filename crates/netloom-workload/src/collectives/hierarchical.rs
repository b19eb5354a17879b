//! Composition over a hierarchy: any registered algorithm on every level ([`super::levels`]). One file for all operations,
//! since they share their parameters; closed forms add those of the levels. Where one rank of a branch speaks for it in
//! allreduce, allgather and barrier: [`super::led`].

use netloom_model::schedule::{RankGrid, Turn};
use netloom_model::{Bound, Collective, Kind, Param};

use super::job::Job;
use super::levels::{LevelSetup, in_turn};
use super::row::{CollectiveRow, Form, Method, TEMPLATE, segments, stages_meet};
use crate::counts::Wide;
use crate::generate::hierarchy::{Hierarchy, in_segments, levels};
use crate::generate::hierarchy_plans as plans;
use crate::generate::level_rounds;

pub(super) const LEVELS: Param = levels(
    "members of each level, outermost first; left out: the two factors of the number of ranks nearest to each other",
);

pub(super) const fn algorithms(default: &'static str) -> Param {
    Param::optional(
        "algorithms",
        Kind::Text,
        default,
        "algorithm of every level, or one per level joined by +, outermost first",
    )
    .keyword_only()
}

pub(super) const BASE: CollectiveRow = CollectiveRow {
    restrictions: "as many ranks as the levels multiply to",
    build: Method { npof2: "as the algorithms of the levels", ..TEMPLATE.build },
    ..TEMPLATE
};

/// Segments that go through the levels.
pub(super) const SEGMENTS: Param = segments("1").keyword_only();

pub(crate) const BROADCAST: CollectiveRow = CollectiveRow {
    name: "broadcast:hierarchical",
    summary: "One rank of every branch gets the message on the outermost level and passes it on, level by level.",
    params: &[LEVELS, algorithms("binomial"), SEGMENTS],
    example: "broadcast:hierarchical",
    source: "Karonis et al., IPDPS 2000; segments: HAN, Luo et al., CLUSTER 2020",
    build: Method {
        collective: Collective::Broadcast,
        stages_meet,
        check: |job, bound| LevelSetup::read(job, bound, Collective::Broadcast, 0).map(drop),
        plan: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::Broadcast, 0)?;
            let stages = plans::down(&s.hierarchy, job.root, 0, &|i| s.plan(i))?;
            Ok(in_segments(job.ranks, bound.size("segments"), 1, stages))
        },
        formula: |job, bound| {
            LevelSetup::counted(job, bound, Collective::Broadcast, |s| {
                in_turn(s.led_levels(|i| s.formula(i, job.size_bytes)), bound.size("segments"))
            })
        },
        ..BASE.build
    },
    ..BASE
};

pub(crate) const REDUCE: CollectiveRow = CollectiveRow {
    name: "reduce:hierarchical",
    summary: "A reduction to one rank of every branch, innermost level first.",
    example: "reduce:hierarchical",
    restrictions: "commutative operation at roots other than 0, or if a level needs one; as many ranks as the levels multiply to",
    build: Method {
        collective: Collective::Reduce,
        exact_bytes: false,
        pieces: |job, bound| {
            let parts = LevelSetup::read(job, bound, Collective::Reduce, 0).map_or(1, |s| s.parts());
            // Every rank but the root sends all of it once, whatever the segments, where no level cuts it.
            if parts == 1 { 1 } else { u64::from(parts) * u64::from(bound.size("segments")) }
        },
        check: |job, bound| LevelSetup::read(job, bound, Collective::Reduce, 0).map(drop),
        plan: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::Reduce, 0)?;
            let stages = plans::up(&s.hierarchy, job.root, 0, &|i| s.plan(i))?;
            Ok(in_segments(job.ranks, bound.size("segments"), s.parts(), stages))
        },
        formula: |job, bound| LevelSetup::counted(job, bound, Collective::Reduce, |s| reduced(s, job, bound)),
        ..BROADCAST.build
    },
    ..BROADCAST
};

/// Who leads inside and not on level `i` sends all of it on level `i`, and as a root on those below; the root is one on all.
fn reduced(s: &LevelSetup, job: &Job, bound: &Bound) -> Wide {
    let (segments, parts) = (bound.size("segments"), s.parts());
    let formula = |i: usize| s.algorithm(i).formula_in(s.hierarchy.levels[i], job.size_bytes, segments, parts);
    let all = u64::from(segments) * u64::from(parts);
    let (mut led, mut most) = (0, 0);
    for i in s.used().filter(|i| s.hierarchy.levels[*i] > 1).rev() {
        most = most.max(led + formula(i).max_bytes_sent);
        led += s.algorithm(i).root_sends(s.hierarchy.levels[i], all.into(), job.size_bytes.div_ceil(all));
    }
    Wide { max_bytes_sent: most.max(led), ..in_turn(s.led_levels(formula), segments) }
}

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

pub(crate) const BLUECONNECT: CollectiveRow = CollectiveRow {
    name: "allreduce:blueconnect",
    summary: "Reduce-scatter from the innermost level outwards, then allgather back: all ranks work on every level.",
    params: &[LEVELS, algorithms("ring")],
    example: "allreduce:blueconnect",
    restrictions: "commutative operation; as many ranks as the levels multiply to",
    source: "Cho et al., BlueConnect, IBM J. Res. Dev. 63(6), 2019",
    build: Method {
        collective: Collective::Allreduce,
        form: Form::CyclicByLevels(|job, bound| are_cyclic(job, bound, Collective::Allgather)),
        levels: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::Allgather, 0).ok()?;
            let used = s.hierarchy.levels.iter().filter(|extent| **extent > 1);
            let axes: Vec<(u32, Turn)> = used.map(|extent| (*extent, Turn::Around)).collect();
            RankGrid::new(&axes)
        },
        ranges: |job, bound| ranges(job, bound, Collective::Allgather, 2 * job.p()),
        exact_bytes: false,
        check: |job, bound| LevelSetup::read(job, bound, Collective::Allgather, 0)?.every_block_once(bound),
        plan: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::Allgather, 0)?;
            match s.is_cyclic() {
                true => level_rounds::blueconnect(&s.hierarchy, &|i| s.plan(i)),
                false => plans::blueconnect(&s.hierarchy, &|i| s.plan(i)),
            }
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
        form: Form::CyclicByLevels(|job, bound| are_cyclic(job, bound, Collective::Allgather)),
        ranges: |job, bound| ranges(job, bound, Collective::Allgather, job.p()),
        check: |job, bound| LevelSetup::read(job, bound, Collective::Allgather, 0).map(drop),
        plan: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::Allgather, 0)?;
            match s.is_cyclic() {
                true => level_rounds::allgather(&s.hierarchy, &|i| s.plan(i)),
                false => plans::allgather(&s.hierarchy, &|i| s.plan(i)),
            }
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
        form: Form::CyclicByLevels(|job, bound| are_cyclic(job, bound, Collective::ReduceScatter)),
        ranges: |job, bound| ranges(job, bound, Collective::ReduceScatter, job.p()),
        check: |job, bound| LevelSetup::read(job, bound, Collective::ReduceScatter, 0).map(drop),
        plan: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::ReduceScatter, 0)?;
            match s.is_cyclic() {
                true => level_rounds::reduce_scatter(&s.hierarchy, &|i| s.plan(i)),
                false => plans::reduce_scatter(&s.hierarchy, &|i| s.plan(i)),
            }
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
        form: Form::CyclicByLevels(|job, bound| are_cyclic(job, bound, Collective::Alltoall)),
        ranges: |job, bound| {
            let carried = LevelSetup::counted(&Job { size_bytes: 1, ..*job }, bound, Collective::Alltoall, |s| {
                s.everybody(|i| u64::from(job.ranks / s.hierarchy.levels[i]))
            });
            let shared = if are_cyclic(job, bound, Collective::Alltoall) { job.p() } else { 1 };
            carried.total_bytes / u128::from(shared)
        },
        check: |job, bound| LevelSetup::read(job, bound, Collective::Alltoall, 0).map(drop),
        plan: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::Alltoall, 0)?;
            match s.is_cyclic() {
                true => level_rounds::alltoall(&s.hierarchy, &|i| s.plan(i)),
                false => plans::alltoall(&s.hierarchy, &|i| s.plan(i)),
            }
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
        form: Form::CyclicByLevels(|job, bound| are_cyclic(job, bound, Collective::Barrier)),
        check: |job, bound| LevelSetup::read(job, bound, Collective::Barrier, 0).map(drop),
        plan: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::Barrier, 0)?;
            match s.is_cyclic() {
                true => level_rounds::barrier(&s.hierarchy, &|i| s.plan(i)),
                false => plans::barrier(&s.hierarchy, &|i| s.plan(i)),
            }
        },
        formula: |job, bound| LevelSetup::counted(job, bound, Collective::Barrier, |s| s.everybody(|_| 0)),
        ..BASE.build
    },
    ..BASE
};

/// True if the algorithms of all levels are cyclic, and their partners are on few axes.
fn are_cyclic(job: &Job, bound: &Bound, collective: Collective) -> bool {
    LevelSetup::read(job, bound, collective, 0).is_ok_and(|s| s.is_cyclic())
}

/// Block ranges: of cyclic rounds `one_rank`, which stands for all.
fn ranges(job: &Job, bound: &Bound, collective: Collective, one_rank: u64) -> u128 {
    match are_cyclic(job, bound, collective) {
        true => one_rank.into(),
        false => listed_blocks(job, bound, collective),
    }
}

/// Bytes of all blocks below one member of level `i`.
pub(super) fn below(h: &Hierarchy, i: usize, size_bytes: u64) -> u64 {
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
