//! Channels: an algorithm on several parts of the data at once, each with an order of the ranks of its own, so that every
//! channel enters and leaves a node by another NIC.

use netloom_model::schedule::{BlockRange, Protocol, Rounds};
use netloom_model::{Bound, Collective, Fault, Kind, Outcome, Param, fault::codes as model_codes};

use super::job::{Job, RANK_LIMIT};
use super::row::{CollectiveRow, Method, Walk};
use crate::counts::Wide;
use crate::plan::{Builder, Plan};

/// Parameters of every algorithm.
pub(crate) const PARAMS: &[Param] = &[
    Param::optional(
        "channels",
        Kind::Int { min: 1, max: 256 },
        "",
        "parts of the data that move at the same time, each in its own order of the ranks",
    )
    .keyword_only(),
    Param::optional(
        "local",
        Kind::Int { min: 1, max: RANK_LIMIT },
        "",
        "ranks of a node, numbered one after another; channel c enters every node at its rank c*local/channels",
    )
    .keyword_only(),
    Param::optional(
        "protocol",
        Kind::Choice(Protocol::NAMES),
        "",
        "protocol of a GPU library, which has its own costs",
    )
    .keyword_only(),
];

/// How many channels, on nodes of how many ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Channels {
    pub count: u32,
    local: u32,
}

impl Channels {
    /// `None` without the parameter `channels`.
    ///
    /// # Errors
    /// `NL-A007` for an operation whose data or order of ranks no channel can divide, and for `local` without `channels`.
    pub fn of(bound: &Bound, method: &Method) -> Outcome<Option<Channels>> {
        if !bound.is_given("channels") {
            return match bound.is_given("local") {
                true => Err(bound.fault("local", "given together with channels").into()),
                false => Ok(None),
            };
        }
        let whole = matches!(
            method.collective,
            Collective::Alltoall | Collective::Barrier | Collective::Scan | Collective::Exscan
        );
        if method.walk == Walk::Trees && bound.is_given("local") {
            return Err(bound
                .fault("local", "left out: channels of in-network collectives follow trees of switches")
                .into());
        }
        if whole || method.walk == Walk::Never {
            let sentence = "has no channels";
            let hint = "all broadcast, reduce, allreduce, allgather, gather, scatter and reduce-scatter algorithms but two-tier have";
            return Err(Fault::say(&model_codes::BAD_VALUE, &bound.owner, sentence).hint(hint).into());
        }
        let local = if bound.is_given("local") { bound.size("local") } else { 1 };
        Ok(Some(Channels { count: bound.size("channels"), local }))
    }

    /// The ranks in the order of channel `channel`: node by node, in each from the rank where the channel enters it. With
    /// `back_and_forth` every other node is walked backwards, so that the channel leaves a node on the rail on which it
    /// enters the next one.
    fn order(&self, channel: u32, ranks: u32, back_and_forth: bool) -> Vec<u32> {
        let mut order = Vec::with_capacity(ranks as usize);
        for (node, first) in (0..ranks).step_by(self.local as usize).enumerate() {
            let members = self.local.min(ranks - first);
            let entry = (u64::from(channel) * u64::from(members) / u64::from(self.count)) as u32 % members;
            let backwards = back_and_forth && node % 2 == 1;
            order.extend((0..members).map(|i| match backwards {
                false => first + (entry + i) % members,
                true => first + (entry + members - 1 - i) % members,
            }));
        }
        order
    }

    /// The plan of all channels: block `c·K + b` is block `b` of channel `c`, which has `K`.
    pub fn plan(&self, row: &CollectiveRow, job: &Job, bound: &Bound) -> Outcome<Plan> {
        let owned = matches!(
            job.collective,
            Collective::Allgather | Collective::Gather | Collective::Scatter | Collective::ReduceScatter
        );
        let mut all: Option<Builder> = None;
        let mut steps = 0;
        for channel in 0..self.count {
            let order = self.order(channel, job.ranks, row.walk == Walk::BackAndForth);
            let root = order.iter().position(|rank| *rank == job.root).unwrap_or(0) as u32;
            let Plan { blocks, steps: own, rounds, .. } =
                (row.plan)(&Job { root: if job.collective.is_rooted() { root } else { 0 }, ..*job }, bound)?.expanded();
            let Rounds::Explicit { offsets, transfers, ranges } = rounds else { continue };
            let builder = all.get_or_insert_with(|| Builder::new(job.ranks, blocks.saturating_mul(self.count)));
            steps = steps.max(own);
            let moved = |block: u32| match owned {
                true => block / job.ranks * job.ranks + order[(block % job.ranks) as usize],
                false => block,
            };
            for step in 0..own {
                for t in &transfers[offsets[step as usize] as usize..offsets[step as usize + 1] as usize] {
                    let held = &ranges[t.first_range as usize..(t.first_range + t.ranges) as usize];
                    let mut cut: Vec<BlockRange> = Vec::with_capacity(held.len());
                    if owned {
                        let each = held.iter().flat_map(|range| range.first..range.first + range.count);
                        cut.extend(each.map(|block| BlockRange { first: moved(block), count: 1 }));
                        cut.sort_unstable_by_key(|range| range.first);
                    } else {
                        cut.extend(held);
                    }
                    cut.iter_mut().for_each(|range| range.first += channel * blocks);
                    let (src, dst) = (order[t.src as usize], order[t.dst as usize]);
                    builder.send(step, src, dst, &cut, t.combine);
                }
            }
        }
        Ok(all.map_or_else(|| Plan::cyclic(job.ranks, 1, 0, Vec::new()), |builder| builder.finish(steps)))
    }

    /// What `once`, the formula of one channel whose data is in `pieces`, gives for all of them. Steps, messages and bytes are exact; what one rank
    /// sends, and on how many ports, is an upper bound: no rank is first in all channels.
    pub fn counts(&self, job: &Job, pieces: u64, once: impl Fn(&Job) -> Wide) -> Wide {
        let (whole, count) = (once(job), u128::from(self.count));
        // As if each piece of each channel were as long as the longest.
        let piece = job.size_bytes.div_ceil(u64::from(self.count).saturating_mul(pieces));
        let part = once(&Job { size_bytes: piece.saturating_mul(pieces), ..*job });
        Wide {
            steps: whole.steps,
            messages: whole.messages * count,
            max_bytes_sent: part.max_bytes_sent * count,
            total_bytes: whole.total_bytes,
            max_ports: whole.max_ports * count,
        }
    }
}
