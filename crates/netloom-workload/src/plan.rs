//! Rounds under construction: sources, destinations and blocks of messages, before the size of a block is known. Plans
//! compose (`then`), turn around (`reversed`), move to another root (`rotated`) and become lists (`expanded`).

use netloom_model::schedule::{BlockRange, CyclicRound, Partner, RankOrder, Rounds, Transfer};

/// A schedule without bytes.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub ranks: u32,
    /// Number of blocks: 1, `ranks`, a number of segments, or `ranks²` (alltoall); of each channel.
    pub blocks: u32,
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
        let mut all = Builder::new(plan.ranks, plan.blocks.saturating_mul(channels));
        for channel in 0..channels {
            let rank: Vec<u32> = (0..plan.ranks).map(|at| order.rank_at((channel, channels), plan.ranks, at)).collect();
            self.weave(plan, channel, &rank, &mut all);
        }
        all.finish(plan.steps)
    }

    /// Adds the messages of a channel, whose plan is over positions; `rank` has the rank at each.
    pub fn weave(self, plan: &Plan, channel: u32, rank: &[u32], all: &mut Builder) {
        let Plan { blocks, steps, rounds, .. } = plan.clone().expanded();
        let Rounds::Explicit { offsets, transfers, ranges } = rounds else { return };
        let moved = |block: u32| block / plan.ranks * plan.ranks + rank[(block % plan.ranks) as usize];
        for step in 0..steps {
            for t in &transfers[offsets[step as usize] as usize..offsets[step as usize + 1] as usize] {
                let held = &ranges[t.first_range as usize..(t.first_range + t.ranges) as usize];
                let mut cut: Vec<BlockRange> = Vec::with_capacity(held.len());
                if self.owned {
                    let each = held.iter().flat_map(|range| range.first..range.first + range.count);
                    cut.extend(each.map(|block| BlockRange { first: moved(block), count: 1 }));
                    cut.sort_unstable_by_key(|range| range.first);
                } else {
                    cut.extend(held);
                }
                cut.iter_mut().for_each(|range| range.first += channel * blocks);
                all.send(step, rank[t.src as usize], rank[t.dst as usize], &cut, t.combine);
            }
        }
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
        Plan { ranks: self.ranks, blocks: self.blocks, steps, rounds }
    }
}

/// A cyclic round without bytes.
pub(crate) fn round(step: u32, partner: Partner, ranges: Vec<BlockRange>, combine: bool) -> CyclicRound {
    CyclicRound { step, partner, ranges, combine, bytes: 0 }
}

/// One run of blocks.
pub(crate) fn run(first: u32, count: u32) -> Vec<BlockRange> {
    vec![BlockRange { first, count }]
}

impl Plan {
    pub fn cyclic(ranks: u32, blocks: u32, steps: u32, rounds: Vec<CyclicRound>) -> Plan {
        Plan { ranks, blocks, steps, rounds: Rounds::Cyclic(rounds) }
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

    /// Every message backwards, last step first: broadcast becomes reduce and allgather reduce-scatter (`combine`), scatter
    /// becomes gather. Right where every block arrives at most once at every rank.
    pub fn reversed(mut self, combine: bool) -> Plan {
        let (ranks, blocks, last) = (self.ranks, self.blocks, self.steps.saturating_sub(1));
        match &mut self.rounds {
            Rounds::Cyclic(rounds) => {
                rounds.reverse();
                for round in rounds {
                    round.step = last - round.step;
                    round.combine = combine;
                    for range in &mut round.ranges {
                        range.first = moved(range, round.partner, ranks, blocks);
                    }
                    if let Partner::Shift(k) = round.partner {
                        round.partner = Partner::Shift(ranks - k);
                    }
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
        }
        self
    }

    /// Rank `v` becomes rank `(v + root) mod ranks`, and with `blocks_too` so do the blocks.
    pub fn rotated(self, root: u32, blocks_too: bool) -> Plan {
        let Plan { ranks, blocks, steps, rounds } = self.expanded();
        let Rounds::Explicit { offsets, mut transfers, ranges } = rounds else {
            return Plan { ranks, blocks, steps, rounds };
        };
        let moved = |v: u32| ((u64::from(v) + u64::from(root)) % u64::from(ranks)) as u32;
        for t in &mut transfers {
            (t.src, t.dst) = (moved(t.src), moved(t.dst));
        }
        if !blocks_too || root == 0 {
            return Plan { ranks, blocks, steps, rounds: Rounds::Explicit { offsets, transfers, ranges } };
        }
        let mut cut = Vec::with_capacity(ranges.len() + transfers.len());
        for t in &mut transfers {
            let held = t.first_range as usize..(t.first_range + t.ranges) as usize;
            let first_range = cut.len() as u32;
            for range in &ranges[held] {
                let first = moved(range.first);
                let head = range.count.min(blocks - first);
                if range.count > head {
                    cut.push(BlockRange { first: 0, count: range.count - head });
                }
                cut.push(BlockRange { first, count: head });
            }
            (t.first_range, t.ranges) = (first_range, cut.len() as u32 - first_range);
        }
        Plan { ranks, blocks, steps, rounds: Rounds::Explicit { offsets, transfers, ranges: cut } }
    }

    /// Every message listed. O(messages + ranges).
    pub fn expanded(self) -> Plan {
        let rounds = match self.rounds {
            Rounds::Cyclic(rounds) => rounds,
            Rounds::Explicit { .. } => return self,
        };
        let mut builder = Builder::new(self.ranks, self.blocks);
        for round in &rounds {
            for src in 0..self.ranks {
                let held = absolute(round, src, self.ranks, self.blocks);
                builder.send(round.step, src, round.partner.of(src, self.ranks), &held, round.combine);
            }
        }
        builder.finish(self.steps)
    }
}

/// First offset of `range` as the receiver sees it; ranges of an `Xor` round are aligned powers of two.
fn moved(range: &BlockRange, partner: Partner, ranks: u32, blocks: u32) -> u32 {
    match partner {
        _ if blocks == 1 => 0,
        Partner::Shift(k) => (range.first + ranks - k) % ranks,
        Partner::Xor(k) => (range.first ^ k) & !(range.count - 1),
    }
}

/// The blocks that `rank` sends in a cyclic round, sorted, by number.
pub(crate) fn absolute(round: &CyclicRound, rank: u32, ranks: u32, blocks: u32) -> Vec<BlockRange> {
    let mut out: Vec<BlockRange> = Vec::with_capacity(round.ranges.len() + 1);
    let turned = |v: u32| ((u64::from(v) + u64::from(rank)) % u64::from(ranks)) as u32;
    for range in &round.ranges {
        // In an alltoall a row of `ranks` blocks belongs to one source.
        let (row, column) = if blocks > ranks { (range.first / ranks, range.first % ranks) } else { (0, range.first) };
        match round.partner {
            _ if blocks == 1 => out.push(*range),
            Partner::Shift(_) => {
                let base = if blocks > ranks { turned(row) * ranks } else { 0 };
                let first = turned(column);
                let head = range.count.min(ranks - first);
                out.push(BlockRange { first: base, count: range.count - head });
                out.push(BlockRange { first: base + first, count: head });
            }
            Partner::Xor(_) => {
                let base = if blocks > ranks { (row ^ rank) * ranks } else { 0 };
                out.extend((column..column + range.count).map(|o| BlockRange { first: base + (o ^ rank), count: 1 }));
            }
        }
    }
    out.retain(|r| r.count > 0);
    out.sort_unstable_by_key(|r| r.first);
    out.dedup_by(|next, kept| {
        let touching = kept.first + kept.count == next.first;
        kept.count += if touching { next.count } else { 0 };
        touching
    });
    out
}
