//! Rounds under construction: sources, destinations and blocks of messages, before the size of a block is known. Plans
//! compose (`then`), turn around (`reversed`), move to another root (`rotated`) and become lists (`expanded`).

use netloom_model::schedule::{BlockRange, CyclicRound, Partner, RankOrder, RelativeRange, Rounds, Transfer};

/// A schedule without bytes.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub ranks: u32,
    /// Number of blocks: 1, a multiple of `ranks`, or a number of segments; of each channel. Below 2^32 where it is a list.
    pub blocks: u64,
    /// Each block belongs to a pair of ranks, as in an alltoall.
    pub of_pairs: bool,
    pub steps: u32,
    pub rounds: Rounds,
}

/// How cyclic rounds of one channel become those of all: block `c·K + b` is block `b` of channel `c`, which has `K`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Woven {
    pub channels: u32,
    pub order: RankOrder,
    /// Blocks belong to ranks, and move with them.
    pub owned: bool,
}

impl Woven {
    /// Every channel's plan as one list. O(messages + ranges).
    pub fn listed(self, plan: &Plan) -> Plan {
        let Woven { channels, order, .. } = self;
        let blocks = plan.listed_blocks();
        let mut all = Builder::new(plan.ranks, blocks.saturating_mul(channels));
        for channel in 0..channels {
            let rank: Vec<u32> = (0..plan.ranks).map(|at| order.rank_at((channel, channels), plan.ranks, at)).collect();
            self.weave(plan, channel, &rank, &mut all);
        }
        all.finish(plan.steps)
    }

    /// Adds the messages of a channel, whose plan is over positions; `rank` has the rank at each.
    pub fn weave(self, plan: &Plan, channel: u32, rank: &[u32], all: &mut Builder) {
        let blocks = plan.listed_blocks();
        plan.clone().expanded().for_each(|step, t, held| {
            let moved = self.moved(held, (channel, blocks), plan.ranks, |at| rank[at as usize]);
            all.send(step, rank[t.src as usize], rank[t.dst as usize], &moved, t.combine);
        });
    }

    /// The blocks of a message of a channel of so many blocks, as all channels number them; where they move with the ranks,
    /// one by one.
    pub fn moved(
        self,
        held: &[BlockRange],
        (channel, blocks): (u32, u32),
        ranks: u32,
        rank_at: impl Fn(u32) -> u32,
    ) -> Vec<BlockRange> {
        let mut out = Vec::with_capacity(held.len());
        if self.owned {
            let each = held.iter().flat_map(|range| range.first..range.first + range.count);
            let moved = |block: u32| block / ranks * ranks + rank_at(block % ranks);
            out.extend(each.map(|block| BlockRange { first: moved(block), count: 1 }));
            out.sort_unstable_by_key(|range| range.first);
        } else {
            out.extend(held);
        }
        out.iter_mut().for_each(|range| range.first += channel * blocks);
        out
    }
}

/// Collects transfers in any order of steps.
pub(crate) struct Builder {
    ranks: u32,
    blocks: u32,
    step_of: Vec<u32>,
    transfers: Vec<Transfer>,
    ranges: Vec<BlockRange>,
}

/// Block ranges that a [`Builder`] holds.
#[derive(Clone, Copy)]
pub(crate) struct Kept {
    first_range: u32,
    ranges: u32,
}

impl Builder {
    pub fn new(ranks: u32, blocks: u32) -> Self {
        Builder { ranks, blocks, step_of: Vec::new(), transfers: Vec::new(), ranges: Vec::new() }
    }

    /// Adds one message.
    pub fn send(&mut self, step: u32, src: u32, dst: u32, held: &[BlockRange], combine: bool) {
        let held = self.keep(held);
        self.send_kept(step, src, dst, held, combine);
    }

    /// Contents shared by several messages, stored once. Empty ranges are left out; adjacent ones are merged.
    pub fn keep(&mut self, held: &[BlockRange]) -> Kept {
        let first_range = self.ranges.len() as u32;
        for range in held.iter().filter(|r| r.count > 0) {
            match self.ranges[first_range as usize..].last_mut() {
                Some(last) if last.first + last.count == range.first => last.count += range.count,
                _ => self.ranges.push(*range),
            }
        }
        Kept { first_range, ranges: self.ranges.len() as u32 - first_range }
    }

    /// Adds one message with contents that are stored already.
    pub fn send_kept(&mut self, step: u32, src: u32, dst: u32, held: Kept, combine: bool) {
        let Kept { first_range, ranges } = held;
        self.step_of.push(step);
        self.transfers.push(Transfer { src, dst, first_range, ranges, combine });
    }

    /// Adds one message of the blocks `first .. first + count`.
    pub fn send_run(&mut self, step: u32, src: u32, dst: u32, first: u32, count: u32, combine: bool) {
        self.send(step, src, dst, &[BlockRange { first, count }], combine);
    }

    /// Sorts by step, keeping the order of insertion within a step. O(transfers + steps).
    pub fn finish(self, steps: u32) -> Plan {
        let mut offsets = vec![0u32; steps as usize + 1];
        for &step in &self.step_of {
            offsets[step as usize + 1] += 1;
        }
        for t in 0..steps as usize {
            offsets[t + 1] += offsets[t];
        }
        let mut transfers = self.transfers;
        if !self.step_of.is_sorted() {
            let mut next = offsets.clone();
            for (transfer, step) in transfers.clone().into_iter().zip(self.step_of) {
                let slot = &mut next[step as usize];
                transfers[*slot as usize] = transfer;
                *slot += 1;
            }
        }
        let rounds = Rounds::Explicit { offsets, transfers, ranges: self.ranges };
        Plan { ranks: self.ranks, blocks: self.blocks.into(), of_pairs: false, steps, rounds }
    }
}

/// A cyclic round without bytes.
pub(crate) fn round(step: u32, partner: Partner, ranges: Vec<RelativeRange>, combine: bool) -> CyclicRound {
    CyclicRound { step, partner, ranges, combine, bytes: 0 }
}

/// One run of blocks, where there is one part.
pub(crate) fn run(first: u32, count: u32) -> Vec<RelativeRange> {
    run_of(0, first, count)
}

/// One run of blocks of a part.
pub(crate) fn run_of(part: u32, first: u32, count: u32) -> Vec<RelativeRange> {
    vec![RelativeRange { part, first, count }]
}

impl Plan {
    pub fn cyclic(ranks: u32, blocks: u32, steps: u32, rounds: Vec<CyclicRound>) -> Plan {
        Plan { ranks, blocks: blocks.into(), of_pairs: false, steps, rounds: Rounds::Cyclic(rounds) }
    }

    /// Rounds of an alltoall.
    pub fn cyclic_of_pairs(ranks: u32, steps: u32, rounds: Vec<CyclicRound>) -> Plan {
        let blocks = u64::from(ranks) * u64::from(ranks);
        Plan { blocks, of_pairs: true, ..Plan::cyclic(ranks, ranks, steps, rounds) }
    }

    /// Number of its blocks where it is a list: no list of more than 2^32 is made.
    pub fn listed_blocks(&self) -> u32 {
        u32::try_from(self.blocks).unwrap_or(u32::MAX)
    }

    /// This plan, then `next`, on the same blocks.
    pub fn then(mut self, mut next: Plan) -> Plan {
        debug_assert_eq!((self.ranks, self.blocks), (next.ranks, next.blocks));
        if !matches!((&self.rounds, &next.rounds), (Rounds::Cyclic(_), Rounds::Cyclic(_))) {
            (self, next) = (self.expanded(), next.expanded());
        }
        match (&mut self.rounds, next.rounds) {
            (Rounds::Cyclic(rounds), Rounds::Cyclic(more)) => {
                rounds.extend(more.into_iter().map(|r| CyclicRound { step: r.step + self.steps, ..r }));
            }
            (
                Rounds::Explicit { offsets, transfers, ranges },
                Rounds::Explicit { offsets: o, transfers: t, ranges: b },
            ) => {
                let (sent, cut) = (transfers.len() as u32, ranges.len() as u32);
                offsets.extend(o.into_iter().skip(1).map(|end| end + sent));
                transfers.extend(t.into_iter().map(|t| Transfer { first_range: t.first_range + cut, ..t }));
                ranges.extend(b);
            }
            _ => {} // both were expanded above
        }
        self.steps += next.steps;
        self
    }

    /// This list, then cyclic rounds on the same blocks, which stay those of one rank.
    pub fn then_cyclic(self, next: Plan) -> Plan {
        debug_assert_eq!((self.ranks, self.blocks), (next.ranks, next.blocks));
        match (self.rounds, next.rounds) {
            (Rounds::Explicit { offsets, transfers, ranges }, Rounds::Cyclic(rounds)) => {
                let cyclic = rounds.into_iter().map(|r| CyclicRound { step: r.step + self.steps, ..r }).collect();
                let rounds = Rounds::Both { offsets, transfers, ranges, cyclic };
                Plan { steps: self.steps + next.steps, rounds, ..next }
            }
            (rounds, more) => Plan { rounds, ..self }.then(Plan { rounds: more, ..next }),
        }
    }

    /// Every message backwards, last step first: broadcast becomes reduce and allgather reduce-scatter (`combine`), scatter
    /// becomes gather. Right where every block arrives at most once at every rank.
    pub fn reversed(mut self, combine: bool) -> Plan {
        if let Rounds::Both { .. } = self.rounds {
            self = self.expanded();
        }
        let (ranks, blocks, last) = (self.ranks, self.blocks, self.steps.saturating_sub(1));
        match &mut self.rounds {
            Rounds::Cyclic(rounds) => {
                rounds.reverse();
                for round in rounds {
                    round.step = last - round.step;
                    round.combine = combine;
                    round.ranges = moved(round, ranks, blocks);
                    round.partner = round.partner.reversed(ranks);
                }
            }
            Rounds::Explicit { offsets, transfers, .. } => {
                let end = transfers.len() as u32;
                transfers.reverse();
                for t in transfers.iter_mut() {
                    (t.src, t.dst, t.combine) = (t.dst, t.src, combine);
                }
                offsets.reverse();
                for offset in offsets {
                    *offset = end - *offset;
                }
            }
            Rounds::Both { .. } => {} // was expanded above
        }
        self
    }

    /// Rank `v` becomes rank `(v + root) mod ranks`, and with `blocks_too` so do the blocks.
    pub fn rotated(self, root: u32, blocks_too: bool) -> Plan {
        if let Some(rounds) = self.turned(if blocks_too { 0 } else { root }) {
            return Plan { rounds: Rounds::Cyclic(rounds), ..self };
        }
        let plan = self.expanded();
        let listed = plan.listed_blocks();
        let Plan { ranks, blocks, of_pairs, steps, rounds } = plan;
        let made = |rounds| Plan { ranks, blocks, of_pairs, steps, rounds };
        let Rounds::Explicit { offsets, mut transfers, ranges } = rounds else { return made(rounds) };
        let moved = |v: u32| ((u64::from(v) + u64::from(root)) % u64::from(ranks)) as u32;
        for t in &mut transfers {
            (t.src, t.dst) = (moved(t.src), moved(t.dst));
        }
        if !blocks_too || root == 0 {
            return made(Rounds::Explicit { offsets, transfers, ranges });
        }
        let mut cut = Vec::with_capacity(ranges.len() + transfers.len());
        for t in &mut transfers {
            let held = t.first_range as usize..(t.first_range + t.ranges) as usize;
            let first_range = cut.len() as u32;
            for range in &ranges[held] {
                let first = moved(range.first);
                let head = range.count.min(listed - first);
                if range.count > head {
                    cut.push(BlockRange { first: 0, count: range.count - head });
                }
                cut.push(BlockRange { first, count: head });
            }
            (t.first_range, t.ranges) = (first_range, cut.len() as u32 - first_range);
        }
        made(Rounds::Explicit { offsets, transfers, ranges: cut })
    }

    /// The cyclic rounds where blocks that were numbered from rank 0 are numbered from `root`; `None` where they are not those of
    /// one rank any more.
    fn turned(&self, root: u32) -> Option<Vec<CyclicRound>> {
        let Rounds::Cyclic(rounds) = &self.rounds else { return None };
        let alike = rounds.iter().all(|round| matches!(round.partner, Partner::Shift(_)));
        if !alike || self.blocks != self.ranks.into() {
            return None;
        }
        let first = |at: u32| (at + self.ranks - root) % self.ranks;
        let turn = |range: &RelativeRange| RelativeRange { first: first(range.first), ..*range };
        let of = |round: &CyclicRound| CyclicRound { ranges: round.ranges.iter().map(turn).collect(), ..round.clone() };
        Some(rounds.iter().map(of).collect())
    }

    /// Calls `visit` with the step and the blocks of every message of a list.
    pub fn for_each(&self, mut visit: impl FnMut(u32, &Transfer, &[BlockRange])) {
        let Rounds::Explicit { offsets, transfers, ranges } = &self.rounds else { return };
        for step in 0..self.steps {
            for t in &transfers[offsets[step as usize] as usize..offsets[step as usize + 1] as usize] {
                visit(step, t, &ranges[t.first_range as usize..(t.first_range + t.ranges) as usize]);
            }
        }
    }

    /// Every message listed. O(messages + ranges).
    pub fn expanded(self) -> Plan {
        let rounds = match &self.rounds {
            Rounds::Cyclic(rounds) => rounds,
            Rounds::Both { cyclic, .. } => cyclic,
            Rounds::Explicit { .. } => return self,
        };
        let mut builder = Builder::new(self.ranks, self.listed_blocks());
        let list = self.rounds.listed();
        for step in 0..list.steps() {
            list.of_step(step).iter().for_each(|t| builder.send(step as u32, t.src, t.dst, list.held(t), t.combine));
        }
        for round in rounds {
            for src in 0..self.ranks {
                let held = absolute(round, src, (self.ranks, self.blocks, self.of_pairs));
                builder.send(round.step, src, round.partner.of(src, self.ranks), &held, round.combine);
            }
        }
        Plan { of_pairs: self.of_pairs, ..builder.finish(self.steps) }
    }
}

/// The offsets of a range within its part.
fn offsets(range: &RelativeRange, ranks: u32) -> impl Iterator<Item = u32> {
    (range.first..range.first + range.count).map(move |o| if o >= ranks { o - ranks } else { o })
}

/// The ranges of a round as the receiver sees them. Those of an `Xor` round are aligned powers of two.
fn moved(round: &CyclicRound, ranks: u32, blocks: u64) -> Vec<RelativeRange> {
    let partner = round.partner;
    let mut out = Vec::with_capacity(round.ranges.len());
    for range in &round.ranges {
        let offset = range.first;
        let run = |first| RelativeRange { first, ..*range };
        match partner {
            _ if blocks == 1 => out.push(*range),
            Partner::Shift(_) => out.push(run(partner.seen(offset, ranks))),
            Partner::Xor(_) => out.push(run(partner.seen(offset, ranks) & !(range.count - 1))),
            Partner::Grid(..) => {
                let mut seen: Vec<u32> = offsets(range, ranks).map(|o| partner.seen(o, ranks)).collect();
                out.extend(runs(range.part, &mut seen));
            }
        }
    }
    out
}

/// Offsets in a part as runs, ascending.
pub(crate) fn runs(part: u32, offsets: &mut [u32]) -> Vec<RelativeRange> {
    offsets.sort_unstable();
    let together = offsets.chunk_by(|a, b| a + 1 == *b);
    together.map(|run| RelativeRange { part, first: run[0], count: run.len() as u32 }).collect()
}

/// The blocks that `rank` sends in a cyclic round, sorted, by number, of so many ranks and blocks and as [`Plan::of_pairs`].
pub(crate) fn absolute(round: &CyclicRound, rank: u32, (ranks, blocks, of_pairs): (u32, u64, bool)) -> Vec<BlockRange> {
    let mut out: Vec<BlockRange> = Vec::with_capacity(round.ranges.len() + 1);
    let placed = |offset: u32| round.partner.placed(rank, offset, ranks);
    for range in &round.ranges {
        // In an alltoall a part belongs to one source.
        let base = if of_pairs { placed(range.part) } else { range.part } * ranks;
        match round.partner {
            _ if blocks == 1 => out.push(BlockRange { first: 0, count: 1 }),
            Partner::Shift(_) => {
                let first = placed(range.first);
                let head = range.count.min(ranks - first);
                out.push(BlockRange { first: base, count: range.count - head });
                out.push(BlockRange { first: base + first, count: head });
            }
            // A run of a power of two at a multiple of its length stays one.
            Partner::Xor(_) if range.is_aligned() => {
                out.push(BlockRange { first: base + (placed(range.first) & !(range.count - 1)), count: range.count });
            }
            Partner::Xor(_) | Partner::Grid(..) => {
                out.extend(offsets(range, ranks).map(|o| BlockRange { first: base + placed(o), count: 1 }));
            }
        }
    }
    out.retain(|r| r.count > 0);
    out.sort_unstable_by_key(|r| r.first);
    join(&mut out);
    out
}

/// Makes one of runs that follow each other.
pub(crate) fn join(ranges: &mut Vec<BlockRange>) {
    ranges.dedup_by(|next, kept| {
        let touching = kept.first + kept.count == next.first;
        kept.count += if touching { next.count } else { 0 };
        touching
    });
}
