//! Compositions in which one rank speaks for its branch: up to it, among those that speak, and down again (Open MPI's HAN).

use netloom_model::{Bound, Collective, Kind, Outcome, Param};

use super::hierarchical::{BASE, LEVELS, SEGMENTS, algorithms, below};
use super::job::Job;
use super::levels::{Algorithm, LevelSetup, in_turn};
use super::limits::check_rows;
use super::row::{CollectiveRow, Method, stages_meet};
use crate::counts::Wide;
use crate::generate::hierarchy::in_segments;
use crate::generate::hierarchy_plans as plans;
use crate::plan::Plan;

const fn words(name: &'static str, default: &'static str, help: &'static str) -> Param {
    Param::optional(name, Kind::Text, default, help).keyword_only()
}

pub(crate) const ALLREDUCE: CollectiveRow = CollectiveRow {
    name: "allreduce:hierarchical",
    aliases: &["mpich:allreduce:smp"],
    summary: "Reduce to one rank of every branch, allreduce among these on the outermost level, broadcast down.",
    params: &[
        LEVELS,
        words(
            "top",
            "recursive-doubling",
            "allreduce of the outermost level, or its reduce and its broadcast joined by +, which segments do one behind the other",
        ),
        words("algorithms", "binomial", "tree of every level below the outermost, or one per level joined by +"),
        words("up", "", "trees of the way up, where they are others"),
        SEGMENTS,
    ],
    example: "allreduce:hierarchical",
    restrictions: "commutative operation (if top or a tree needs one); as many ranks as the levels multiply to",
    source: "HAN: Luo et al., CLUSTER 2020",
    build: Method {
        collective: Collective::Allreduce,
        exact_bytes: false,
        stages_meet,
        pieces: |job, bound| {
            let pieces = Led::read(job, bound).map_or(1, |led| led.top.pieces(led.down.hierarchy.levels[0]));
            job.p().saturating_mul(pieces).saturating_mul(u64::from(bound.size("segments")))
        },
        check: |job, bound| Led::read(job, bound).map(drop),
        plan: |job, bound| {
            let Led { up, top, down } = Led::read(job, bound)?;
            let h = &down.hierarchy;
            let among = if h.levels[0] > 1 { top.plans(h.levels[0])? } else { Vec::new() };
            let blocks = among.iter().map(Plan::listed_blocks).max().unwrap_or(1);
            let mut stages = plans::up(h, 0, 1, &|i| Ok(up.plan(i)?.reversed(true)))?;
            stages.extend(among.into_iter().map(|plan| plans::above(h, plan)));
            stages.extend(plans::down(h, 0, 1, &|i| down.plan(i))?);
            Ok(in_segments(job.ranks, bound.size("segments"), blocks, stages))
        },
        formula: |job, bound| {
            let Ok(Led { up, top, down }) = Led::read(job, bound) else { return Wide::default() };
            let segments = bound.size("segments");
            // Those who speak lead on all levels: on each of them they send the messages of the root of a tree.
            let up = up.led_levels(|i| Wide { max_bytes_sent: 0, ..up.formula(i, job.size_bytes) });
            let among = top.formulas(down.hierarchy.levels[0], job.size_bytes, segments);
            let down = down.led_levels(|i| down.formula(i, job.size_bytes));
            in_turn(up.chain(among).chain(down), segments)
        },
        ..BASE.build
    },
};

pub(crate) const ALLGATHER: CollectiveRow = CollectiveRow {
    name: "allgather:led",
    summary: "All blocks of a branch to one of its ranks, allgather among these on the outermost level, broadcast down.",
    params: &[
        LEVELS,
        words("top", "ring", "allgather of the outermost level"),
        words("up", "binomial", "gather of every level below the outermost, or one per level joined by +"),
        words("down", "binomial", "tree of the broadcast on every level below, or one per level joined by +"),
    ],
    example: "allgather:led",
    source: "HAN: Luo et al., CLUSTER 2020",
    build: Method {
        collective: Collective::Allgather,
        check: |job, bound| gathered(job, bound).map(drop),
        plan: |job, bound| {
            let (up, top, down) = gathered(job, bound)?;
            let (h, members) = (&down.hierarchy, u128::from(down.hierarchy.levels[0]));
            // No message among those who speak lists a block for itself more often than all of them bring it.
            check_rows(&bound.owner, job, members * members + 2 * u128::from(job.ranks))?;
            let among = if members > 1 { Some(top.plan(h.levels[0])?) } else { None };
            plans::led_allgather(h, &|i| up.plan(i), among, &|i| down.plan(i))
        },
        formula: |job, bound| {
            let Ok((up, top, down)) = gathered(job, bound) else { return Wide::default() };
            let (h, all) = (&down.hierarchy, job.p().saturating_mul(job.size_bytes));
            let up = up.led_levels(|i| Wide { max_bytes_sent: 0, ..up.formula(i, below(h, i, job.size_bytes)) });
            let among = top.formula(h.levels[0], below(h, 0, job.size_bytes));
            let down = down.led_levels(|i| down.formula(i, all));
            in_turn(up.chain([among]).chain(down), 1)
        },
        ..BASE.build
    },
    ..BASE
};

pub(crate) const BARRIER: CollectiveRow = CollectiveRow {
    name: "barrier:led",
    summary: "A barrier of every branch, of one rank of each on the outermost level, and of every branch once more.",
    params: &[LEVELS, algorithms("dissemination")],
    example: "barrier:led",
    source: "HAN: Luo et al., CLUSTER 2020",
    build: Method {
        collective: Collective::Barrier,
        check: |job, bound| LevelSetup::read(job, bound, Collective::Barrier, 0).map(drop),
        plan: |job, bound| {
            let s = LevelSetup::read(job, bound, Collective::Barrier, 0)?;
            plans::led_barrier(&s.hierarchy, &|i| s.plan(i))
        },
        formula: |job, bound| {
            LevelSetup::counted(job, bound, Collective::Barrier, |s| {
                let levels = || s.led_levels(|i| s.formula(i, 0));
                in_turn(levels().chain(levels().skip(1)), 1)
            })
        },
        ..BASE.build
    },
    ..BASE
};

/// The parts of an allreduce: trees up, what is among those who speak, trees down.
struct Led {
    up: LevelSetup,
    top: Top,
    down: LevelSetup,
}

impl Led {
    fn read(job: &Job, bound: &Bound) -> Outcome<Led> {
        let down = LevelSetup::read(job, bound, Collective::Broadcast, 1)?;
        let up = if bound.is_given("up") { "up" } else { "algorithms" };
        let up = LevelSetup::named(up, job, bound, Collective::Broadcast, 1)?;
        let top = Top::read(bound, down.hierarchy.levels[0])?;
        Ok(Led { up, top, down })
    }
}

/// The allreduce of the outermost level.
enum Top {
    One(Algorithm),
    Two { reduce: Algorithm, broadcast: Algorithm },
}

impl Top {
    fn read(bound: &Bound, members: u32) -> Outcome<Top> {
        let read = |word: &str, collective| -> Outcome<Algorithm> {
            let algorithm = Algorithm::read(bound, "top", word, collective)?;
            algorithm.accepts(members)?;
            Ok(algorithm)
        };
        match bound.text("top").split_once('+') {
            None => Ok(Top::One(read(bound.text("top"), Collective::Allreduce)?)),
            Some((up, down)) => {
                let reduce = read(up, Collective::Reduce)?;
                Ok(Top::Two { reduce, broadcast: read(down, Collective::Broadcast)? })
            }
        }
    }

    fn pieces(&self, members: u32) -> u64 {
        match self {
            Top::One(all) => all.pieces(members),
            Top::Two { reduce, .. } => reduce.parts(members).into(),
        }
    }

    /// What a segment goes through, one after the other.
    fn plans(&self, members: u32) -> Outcome<Vec<Plan>> {
        match self {
            Top::One(all) => Ok(vec![all.plan(members)?]),
            Top::Two { reduce, broadcast } => Ok(vec![reduce.plan(members)?, broadcast.plan(members)?]),
        }
    }

    fn formulas(&self, members: u32, size_bytes: u64, segments: u32) -> Vec<Wide> {
        match self {
            Top::One(all) => {
                let segment = all.formula(members, size_bytes.div_ceil(segments.into()));
                let max_bytes_sent = segment.max_bytes_sent * u128::from(segments);
                vec![Wide { max_bytes_sent, ..all.formula(members, size_bytes) }]
            }
            Top::Two { reduce, broadcast } => {
                let parts = reduce.parts(members);
                let all = u64::from(segments) * u64::from(parts);
                // Rank 0 sends most: it has more children in any of these trees than others.
                let max_bytes_sent = reduce.root_sends(members, all.into(), size_bytes.div_ceil(all));
                let up = Wide { max_bytes_sent, ..reduce.formula_in(members, size_bytes, segments, parts) };
                vec![up, broadcast.formula(members, size_bytes)]
            }
        }
    }
}

/// The gather up, the allgather among those who speak, and the broadcast down.
fn gathered(job: &Job, bound: &Bound) -> Outcome<(LevelSetup, Algorithm, LevelSetup)> {
    let up = LevelSetup::named("up", job, bound, Collective::Gather, 1)?;
    let down = LevelSetup::named("down", job, bound, Collective::Broadcast, 1)?;
    let top = Algorithm::read(bound, "top", bound.text("top"), Collective::Allgather)?;
    top.accepts(down.hierarchy.levels[0])?;
    Ok((up, top, down))
}
