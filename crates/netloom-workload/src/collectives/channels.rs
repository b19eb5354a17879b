//! Channels: an algorithm on several parts of the data at once, each with an order of the ranks of its own, so that every
//! channel enters and leaves a node by another NIC.

use netloom_model::schedule::{Protocol, RankGrid, RankOrder, Rounds};
use netloom_model::{Bound, Collective, Fault, Kind, Outcome, Param, fault::codes as model_codes};

use super::job::{Job, RANK_LIMIT};
use super::row::{CollectiveRow, Method, Walk};
use crate::counts::Wide;
use crate::plan::{Builder, Plan, Woven};

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

    /// The order of the ranks. With `back_and_forth` every other node is walked backwards, so that a channel leaves a node on
    /// the rail on which it enters the next one.
    fn order(&self, back_and_forth: bool, levels: Option<RankGrid>) -> RankOrder {
        RankOrder { local: self.local, back_and_forth, levels }
    }

    /// True if its rounds stay those of one rank, of one channel.
    pub fn weaves(&self, method: &Method, job: &Job, bound: &Bound) -> bool {
        method.is_cyclic(job, bound) && (!is_owned(job.collective) || method.single_blocks)
    }

    /// The plan of all channels. Cyclic rounds stay rounds of one channel, with what makes them those of all; where messages
    /// have several blocks of ranks, which are in one piece only in the order of the ranks, every message is listed.
    pub fn plan(&self, row: &CollectiveRow, job: &Job, bound: &Bound) -> Outcome<(Plan, Option<Woven>)> {
        let owned = is_owned(job.collective);
        let levels = if row.is_cyclic(job, bound) { (row.levels)(job, bound) } else { None };
        let woven = Woven { channels: self.count, order: self.order(row.walk == Walk::BackAndForth, levels), owned };
        let first = (row.plan)(job, bound)?;
        if let Rounds::Cyclic(_) = &first.rounds {
            let stays = self.weaves(row, job, bound);
            return Ok(if stays { (first, Some(woven)) } else { (woven.listed(&first), None) });
        }
        let mut all: Option<Builder> = None;
        let mut steps = 0;
        for channel in 0..self.count {
            let at = |position| woven.order.rank_at((channel, self.count), job.ranks, position);
            let order: Vec<u32> = (0..job.ranks).map(at).collect();
            let root = order.iter().position(|rank| *rank == job.root).unwrap_or(0) as u32;
            let plan = (row.plan)(&Job { root: if job.collective.is_rooted() { root } else { 0 }, ..*job }, bound)?;
            let builder =
                all.get_or_insert_with(|| Builder::new(job.ranks, plan.listed_blocks().saturating_mul(self.count)));
            steps = steps.max(plan.steps);
            woven.weave(&plan, channel, &order, builder);
        }
        Ok((all.map_or_else(|| Plan::cyclic(job.ranks, 1, 0, Vec::new()), |builder| builder.finish(steps)), None))
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

/// True if every block is that of a rank.
fn is_owned(collective: Collective) -> bool {
    use Collective::{Allgather, Gather, ReduceScatter, Scatter};
    matches!(collective, Allgather | Gather | Scatter | ReduceScatter)
}
