//! Two-tier collectives of Jain 2016 §8.1.2, for any `groups × nodes × cores` and any root. One file for all operations,
//! since they share their phases; the closed forms are put together from [`super::two_tier_counts`].

use netloom_model::{Bound, Collective, Fault, Kind, Outcome, Param};

use super::job::Job;
use super::row::{CollectiveRow, Method, TEMPLATE, Walk};
use super::two_tier_counts::{Sizes, phase};
use crate::codes;
use crate::counts::{Wide, prefix};
use crate::generate::hierarchy::{Hierarchy, levels};
use crate::generate::two_tier::TwoTier;
use crate::plan::Plan;

const LEVELS: Param = levels(
    "groups, nodes per group, cores per node; left out: three factors of the number of ranks near to each other",
);

const OWN_GROUP: Param = Param::optional(
    "own_group",
    Kind::Bool,
    "false",
    "true: as the thesis words it, a group's own part travels too; it needs as many groups as a group has nodes, or more",
)
.keyword_only();

const DIRECT: Param = Param::optional(
    "direct",
    Kind::Bool,
    "false",
    "true: no steps; the root sends each block itself to its rank, or gets it from there, along the same links",
)
.keyword_only();

const WHOLE: Param = Param::optional(
    "base",
    Kind::Bool,
    "false",
    "true: the scatter's steps with all data in each message (base broadcast), without chunks and relay groups",
)
.keyword_only();

const BASE: CollectiveRow = CollectiveRow {
    params: &[LEVELS],
    restrictions: "as many ranks as groups x nodes x cores",
    source: "Jain 2016 §8.1.2",
    build: Method {
        walk: Walk::Never,
        npof2: "any groups x nodes x cores",
        check: |job, bound| read(job, bound).map(drop),
        ..TEMPLATE.build
    },
    ..TEMPLATE
};
/// Rows of collectives where a group's own part can travel.
const SHARING: CollectiveRow = CollectiveRow { params: &[LEVELS, OWN_GROUP], ..BASE };
const REDUCING: CollectiveRow =
    CollectiveRow { restrictions: "commutative operation; as many ranks as groups x nodes x cores", ..SHARING };

pub(crate) const SCATTER: CollectiveRow = CollectiveRow {
    name: "scatter:two-tier",
    summary: "The root feeds the nodes of its group, each of these the groups that it has cables to; then nodes, then cores.",
    params: &[LEVELS, DIRECT],
    example: "scatter:two-tier",
    build: Method {
        collective: Collective::Scatter,
        plan: scatter,
        formula: |job, bound| match bound.bool("direct") {
            true => direct(job),
            false => counted(job, bound, |n, t| n.scatter(t, job.size_bytes)),
        },
        ..BASE.build
    },
    ..BASE
};

pub(crate) const GATHER: CollectiveRow = CollectiveRow {
    name: "gather:two-tier",
    summary: "scatter:two-tier backwards.",
    params: &[LEVELS, DIRECT],
    example: "gather:two-tier",
    build: Method {
        collective: Collective::Gather,
        plan: |job, bound| scatter(job, bound).map(|plan| plan.reversed(false)),
        formula: |job, bound| {
            if bound.bool("direct") {
                return Wide { max_bytes_sent: job.size_bytes.into(), ..direct(job) };
            }
            counted(job, bound, |n, t| {
                let own = u128::from(n.p > 1);
                Wide {
                    max_bytes_sent: n.gathered(t).max(own) * u128::from(job.size_bytes),
                    ..n.scatter(t, job.size_bytes)
                }
            })
        },
        ..BASE.build
    },
    ..BASE
};

pub(crate) const BROADCAST: CollectiveRow = CollectiveRow {
    name: "broadcast:two-tier",
    summary: "A chunk to every node of the root's group, from there to a relay group each, and from its nodes to all groups.",
    params: &[LEVELS, OWN_GROUP, WHOLE],
    example: "broadcast:two-tier",
    build: Method {
        collective: Collective::Broadcast,
        plan: |job, bound| {
            read(job, bound).map(|t| if bound.bool("base") { t.broadcast_whole() } else { t.broadcast() })
        },
        formula: |job, bound| {
            counted(job, bound, |n, t| match bound.bool("base") {
                true => n.broadcast_whole(t, job.size_bytes),
                false => n.broadcast(t, job.size_bytes),
            })
        },
        ..SHARING.build
    },
    ..SHARING
};

pub(crate) const ALLGATHER: CollectiveRow = CollectiveRow {
    name: "allgather:two-tier",
    summary: "Cores to their leader, nodes of a group among each other, groups among each other, and down again.",
    example: "allgather:two-tier",
    build: Method {
        collective: Collective::Allgather,
        plan: |job, bound| {
            let t = read(job, bound)?;
            Ok(t.blocks_to_cores().reversed(false).then(t.exchange()).then(t.all_to_cores(job.ranks, true)))
        },
        formula: |job, bound| {
            counted(job, bound, |n, _| {
                let (s, others) = (u128::from(job.size_bytes), n.p - 1);
                let mut all = n.exchange(n.c * s);
                all.max_bytes_sent += (n.c - 1) * others * s;
                n.blocks_to_cores(s).and(n.blocks_to_cores(others * s)).and(all)
            })
        },
        ..SHARING.build
    },
    ..SHARING
};

pub(crate) const REDUCE_SCATTER: CollectiveRow = CollectiveRow {
    name: "reduce-scatter:two-tier",
    summary: "Combined in the nodes, then the allgather's exchange backwards, then blocks to their cores.",
    example: "reduce-scatter:two-tier",
    build: Method {
        collective: Collective::ReduceScatter,
        plan: |job, bound| {
            let t = read(job, bound)?;
            if t.groups * t.nodes == 1 {
                return Ok(t.combine_at_owners()); // what a core owns is its own block
            }
            Ok(t.combine_in_nodes().then(t.combine_among()).then(t.blocks_to_cores()))
        },
        formula: |job, bound| {
            counted(job, bound, |n, _| {
                let s = u128::from(job.size_bytes);
                if n.leaders == 1 {
                    let messages = n.c * (n.c - 1);
                    return Wide { max_bytes_sent: (n.c - 1) * s, ..phase(messages, messages * s, n.c - 1) };
                }
                let leader = (n.c - 1) * n.leaders + (n.leaders - 1) * n.c + n.given() + n.c - 1;
                let owned = n.leaders * n.leaders * (n.c - 1) * s;
                let all = n
                    .combine(n.leaders * (n.c - 1) * n.p * s + owned)
                    .and(n.combine_among(n.c * s))
                    .and(n.blocks_to_cores(s));
                Wide { max_bytes_sent: leader * s, ..all }
            })
        },
        ..REDUCING.build
    },
    ..REDUCING
};

pub(crate) const REDUCE: CollectiveRow = CollectiveRow {
    name: "reduce:two-tier",
    summary: "Combined in the nodes, in the groups and among the groups by owners, who send their parts to the root.",
    example: "reduce:two-tier",
    build: Method {
        collective: Collective::Reduce,
        exact_bytes: false,
        plan: |job, bound| {
            let t = read(job, bound)?;
            Ok(t.combine_in_nodes().then(t.combine_among()).then(t.spread().reversed(false)))
        },
        formula: |job, bound| {
            counted(job, bound, |n, t| {
                let size = job.size_bytes;
                let unit = u128::from(size.div_ceil(job.p()));
                let gather = n.spread(t, |from, to| prefix(size, job.p(), to) - prefix(size, job.p(), from));
                let all =
                    n.combine(n.owned(t, size)).and(n.combine_among(0)).and(gather).with_total(n.among(size.into()));
                Wide { max_bytes_sent: n.busiest((n.leaders - 1) * n.c + n.gathered(t)) * unit, ..all }
            })
        },
        ..REDUCING.build
    },
    ..REDUCING
};

pub(crate) const ALLREDUCE: CollectiveRow = CollectiveRow {
    name: "allreduce:two-tier",
    summary: "Combined in the nodes, reduce-scatter and allgather among their leaders in two tiers, then to all cores.",
    example: "allreduce:two-tier",
    source: "reduce-scatter and allgather of Jain 2016 §8.1.2",
    build: Method {
        collective: Collective::Allreduce,
        exact_bytes: false,
        plan: |job, bound| {
            let t = read(job, bound)?;
            let among = t.combine_among().then(t.exchange());
            Ok(t.combine_in_nodes().then(among).then(t.all_to_cores(job.ranks, false)))
        },
        formula: |job, bound| {
            counted(job, bound, |n, t| {
                let size = u128::from(job.size_bytes);
                let unit = u128::from(job.size_bytes.div_ceil(job.p()));
                let all = n
                    .combine(n.owned(t, job.size_bytes))
                    .and(n.combine_among(0))
                    .and(n.exchange(0))
                    .and(n.blocks_to_cores(size))
                    .with_total(2 * n.among(size));
                let among = (n.leaders - 1) * n.c + n.given() + n.exchange(n.c).max_bytes_sent;
                Wide { max_bytes_sent: n.busiest(among + (n.c - 1) * n.p) * unit, ..all }
            })
        },
        ..REDUCING.build
    },
    ..REDUCING
};

/// # Errors
/// `NL-C004` unless there are three levels that multiply to the number of ranks.
fn read(job: &Job, bound: &Bound) -> Outcome<TwoTier> {
    let hierarchy = Hierarchy::read(job.ranks, bound, 3)?;
    let own_group = bound.is_given("own_group") && bound.bool("own_group");
    let read = TwoTier::new(&hierarchy.levels, job.root, own_group).ok_or_else(|| {
        let hint = "give 1 for a level that the machine has not";
        bound.fault("levels", "three: groups, nodes per group, cores per node").hint(hint)
    })?;
    if own_group && read.groups < read.nodes {
        let sentence =
            format!("with own_group a group of {} nodes needs as many groups, got {}", read.nodes, read.groups);
        return Err(Fault::say(&codes::RESTRICTED, bound.owner.clone(), sentence).hint("leave own_group out").into());
    }
    if own_group && bound.is_given("base") && bound.bool("base") {
        let sentence = "a base broadcast has no part that could return to the root's group";
        let fault = Fault::say(&codes::RESTRICTED, bound.owner.clone(), sentence);
        return Err(fault.hint("leave own_group or base out").into());
    }
    Ok(read)
}

fn scatter(job: &Job, bound: &Bound) -> Outcome<Plan> {
    read(job, bound).map(|t| if bound.bool("direct") { t.direct() } else { t.spread().then(t.blocks_to_cores()) })
}

/// Counts of the root that sends every block itself.
fn direct(job: &Job) -> Wide {
    let (others, size) = (u128::from(job.p() - 1), u128::from(job.size_bytes));
    Wide { max_bytes_sent: others * size, ..phase(others, others * size, others) }
}

/// Counts, or nothing if the levels cannot be read, since then the check has reported it.
fn counted(job: &Job, bound: &Bound, count: impl Fn(&Sizes, &TwoTier) -> Wide) -> Wide {
    read(job, bound).map(|t| count(&Sizes::of(&t), &t)).unwrap_or_default()
}
