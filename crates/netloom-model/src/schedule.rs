//! Schedules: rounds of transfers between ranks, with the blocks that each transfer carries, so that a schedule can be
//! proved by executing it on symbolic data. Only ranks appear here; the mapping decides where they run.
//!
//! Two forms. *Cyclic* rounds describe one rank when all ranks do the same (pairwise alltoall on 16,384 ranks is 16,383
//! rows, not 268 million). *Explicit* rounds list every transfer; cyclic ones may follow them (a scatter, then a ring). Within a step all transfers happen at once, on what
//! their senders held when the step began; a transfer waits only for what it needs (`netloom-workload` derives the
//! dependency graph).

mod blocks;
mod lengths;
mod order;
mod partner;

use std::fmt;

use crate::fault::{Fault, Outcome, codes};

pub use blocks::{BlockRange, Blocks, RelativeRange};
pub use lengths::Lengths;
pub use order::RankOrder;
pub use partner::{MOST_AXES, Partner, RankGrid, Turn};

/// The operation that a schedule implements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Collective {
    Broadcast,
    Reduce,
    Allreduce,
    Allgather,
    Gather,
    Scatter,
    ReduceScatter,
    Alltoall,
    Barrier,
    Scan,
    Exscan,
}

impl Collective {
    pub const ALL: &'static [Collective] = &[
        Collective::Broadcast,
        Collective::Reduce,
        Collective::Allreduce,
        Collective::Allgather,
        Collective::Gather,
        Collective::Scatter,
        Collective::ReduceScatter,
        Collective::Alltoall,
        Collective::Barrier,
        Collective::Scan,
        Collective::Exscan,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Collective::Broadcast => "broadcast",
            Collective::Reduce => "reduce",
            Collective::Allreduce => "allreduce",
            Collective::Allgather => "allgather",
            Collective::Gather => "gather",
            Collective::Scatter => "scatter",
            Collective::ReduceScatter => "reduce-scatter",
            Collective::Alltoall => "alltoall",
            Collective::Barrier => "barrier",
            Collective::Scan => "scan",
            Collective::Exscan => "exscan",
        }
    }

    /// True if the operation has a root.
    pub fn is_rooted(self) -> bool {
        matches!(self, Collective::Broadcast | Collective::Reduce | Collective::Gather | Collective::Scatter)
    }

    /// Whose bytes `size` counts, following MPI's count × datatype.
    pub fn size_meaning(self) -> &'static str {
        match self {
            Collective::Broadcast => "bytes of the message (one buffer)",
            Collective::Reduce | Collective::Allreduce | Collective::Scan | Collective::Exscan => {
                "bytes of one rank's vector"
            }
            Collective::Allgather | Collective::Gather => "bytes that each rank contributes",
            Collective::Scatter | Collective::ReduceScatter => "bytes that each rank receives",
            Collective::Alltoall => "bytes per pair of ranks",
            Collective::Barrier => "no data",
        }
    }
}

impl fmt::Display for Collective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One message of an explicit schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    pub src: u32,
    pub dst: u32,
    /// Slice of [`Rounds::Explicit::ranges`].
    pub first_range: u32,
    pub ranges: u32,
    /// True: the receiver combines what arrives with its own; false: it stores it.
    pub combine: bool,
}

/// One message per rank, all of the same form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CyclicRound {
    pub step: u32,
    pub partner: Partner,
    /// Blocks relative to the rank. With `p` blocks there is one part, whose offset `o` is block `(r + o) mod p`, and a range
    /// may wrap. With `q·p` blocks, offset `o` of part `a` is block `a·p + (r + o) mod p`. In an alltoall it is the block from rank
    /// `(r + a) mod p` to rank `(r + o) mod p`. With one block part and offset are 0. With other partners than
    /// [`Partner::Shift`] every `+` is [`Partner::placed`]; with [`Partner::Xor`] nothing wraps.
    pub ranges: Vec<RelativeRange>,
    pub combine: bool,
    /// Bytes of the message if all blocks have the same size; the largest over the ranks otherwise.
    pub bytes: u64,
}

impl CyclicRound {
    /// Bytes that the rank at a position sends, of the blocks of a channel of so many. O(ranges) for even blocks, else O(blocks sent).
    pub fn bytes_at(&self, position: u32, (blocks, channel, channels): (Blocks, u32, u32), ranks: u32) -> u64 {
        if blocks.are_even() {
            let each = blocks.run_bytes(0, 1);
            return each * self.ranges.iter().map(|r| u64::from(r.count)).sum::<u64>();
        }
        if let Blocks::Parts { units, .. } = blocks
            && units == ranks
        {
            // The parts of all ranks are cut alike.
            let first = u64::from(channel) * (blocks.count() / u64::from(channels) / u64::from(ranks));
            let of_part =
                |range: &RelativeRange| blocks.run_bytes((first + u64::from(range.part)) * u64::from(ranks), 1);
            return self.ranges.iter().map(|range| u64::from(range.count) * of_part(range)).sum();
        }
        let count = blocks.count() / u64::from(channels);
        let of_channel = u64::from(channel) * count;
        let of_range = |range: &RelativeRange| {
            let (part, offset) = (of_channel + u64::from(range.part) * u64::from(ranks), range.first);
            let bytes = |first: u32, held: u32| blocks.run_bytes(part + u64::from(first), held.into());
            if count == 1 {
                blocks.run_bytes(of_channel, 1)
            } else if matches!(self.partner, Partner::Shift(_)) {
                let first = self.partner.placed(position, offset, ranks);
                let head = range.count.min(ranks - first);
                bytes(first, head) + bytes(0, range.count - head)
            } else if matches!(self.partner, Partner::Xor(_)) && range.is_aligned() {
                bytes(self.partner.placed(position, offset, ranks) & !(range.count - 1), range.count)
            } else {
                let offsets = (offset..offset + range.count).map(|o| if o >= ranks { o - ranks } else { o });
                offsets.map(|o| bytes(self.partner.placed(position, o, ranks), 1)).sum()
            }
        };
        self.ranges.iter().map(of_range).sum()
    }
}

/// The rounds of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rounds {
    Cyclic(Vec<CyclicRound>),
    Explicit {
        /// Transfers of step `t` are `transfers[offsets[t]..offsets[t+1]]`.
        offsets: Vec<u32>,
        transfers: Vec<Transfer>,
        ranges: Vec<BlockRange>,
    },
    /// A list as [`Rounds::Explicit`], then cyclic rounds, whose steps go on from those of the list.
    Both {
        offsets: Vec<u32>,
        transfers: Vec<Transfer>,
        ranges: Vec<BlockRange>,
        cyclic: Vec<CyclicRound>,
    },
}

/// The list of a schedule's rounds: see [`Rounds::Explicit`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ListedRounds<'a> {
    pub offsets: &'a [u32],
    pub transfers: &'a [Transfer],
    pub ranges: &'a [BlockRange],
}

impl<'a> ListedRounds<'a> {
    pub fn steps(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }
    pub fn of_step(&self, step: usize) -> &'a [Transfer] {
        &self.transfers[self.offsets[step] as usize..self.offsets[step + 1] as usize]
    }
    pub fn held(&self, transfer: &Transfer) -> &'a [BlockRange] {
        &self.ranges[transfer.first_range as usize..][..transfer.ranges as usize]
    }
}

impl Rounds {
    /// What is listed; nothing of cyclic rounds.
    pub fn listed(&self) -> ListedRounds<'_> {
        match self {
            Rounds::Cyclic(_) => ListedRounds::default(),
            Rounds::Explicit { offsets, transfers, ranges } | Rounds::Both { offsets, transfers, ranges, .. } => {
                ListedRounds { offsets, transfers, ranges }
            }
        }
    }
    /// Cyclic rounds; none of a list.
    pub fn cyclic(&self) -> &[CyclicRound] {
        match self {
            Rounds::Cyclic(cyclic) | Rounds::Both { cyclic, .. } => cyclic,
            Rounds::Explicit { .. } => &[],
        }
    }
    /// [`Rounds::cyclic`], to be changed.
    pub fn cyclic_mut(&mut self) -> &mut [CyclicRound] {
        match self {
            Rounds::Cyclic(cyclic) | Rounds::Both { cyclic, .. } => cyclic,
            Rounds::Explicit { .. } => &mut [],
        }
    }
}

/// How a GPU library moves the data of a message; each way has its own costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Protocol {
    /// Every 4 bytes with a flag of 4: the least latency, half of the rate.
    Ll,
    /// Every 120 bytes with a flag of 8.
    Ll128,
    /// Large chunks, announced by one flag.
    Simple,
}

impl Protocol {
    pub const ALL: [Protocol; 3] = [Protocol::Ll, Protocol::Ll128, Protocol::Simple];
    /// In the order of [`Protocol::ALL`].
    pub const NAMES: &[&str] = &["ll", "ll128", "simple"];

    pub fn called(name: &str) -> Option<Protocol> {
        Self::NAMES.iter().position(|own| *own == name).map(|at| Self::ALL[at])
    }

    /// Bytes on the wire of so many bytes of data.
    pub fn wire_bytes(self, bytes: u64) -> u64 {
        match self {
            Protocol::Ll => bytes.saturating_mul(2),
            Protocol::Ll128 => bytes.saturating_add(bytes.div_ceil(15)),
            Protocol::Simple => bytes,
        }
    }
}

/// Bytes that every rank copies in its own memory, apart from packing messages of several pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Before the first step: its own part of the result, or a rotation of its buffer.
    pub before_bytes: u64,
    /// After the last step.
    pub after_bytes: u64,
}

/// A collective on `ranks` ranks, ready to be counted, mapped, proved or timed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pub collective: Collective,
    /// Registered name with its parameters, such as `allreduce:recursive-doubling`.
    pub label: String,
    /// Who takes part, the switches among them.
    pub ranks: u32,
    /// How many of the last ranks are switches: they combine and pass on what ranks send, and have no data of their own.
    pub switches: u32,
    /// 0 where the collective has no root.
    pub root: u32,
    /// See [`Collective::size_meaning`].
    pub size_bytes: u64,
    pub blocks: Blocks,
    pub steps: u32,
    pub rounds: Rounds,
    pub copied: Copied,
    /// Parts of the data that move independently of each other; the blocks of each follow those of the one before. At
    /// least 1.
    pub channels: u32,
    /// Of cyclic rounds, where each rank stands in each channel; lists have it in their messages.
    pub order: RankOrder,
    /// That of a GPU library; none has the costs of MPI.
    pub protocol: Option<Protocol>,
}

/// One message, wherever it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    pub step: u32,
    pub src: u32,
    pub dst: u32,
    pub bytes: u64,
}

impl Schedule {
    /// Ranks that are no switches.
    pub fn members(&self) -> u32 {
        self.ranks - self.switches
    }

    /// # Errors
    /// `NL-E030` where switches take part: what they do depends on where the ranks are.
    pub fn require_no_switches(&self) -> Outcome<()> {
        if self.switches == 0 {
            return Ok(());
        }
        let sentence = "switches take part in it: its messages are known only where it is one job on a network";
        Err(Fault::say(&codes::UNSUPPORTED, &self.label, sentence).hint("take another algorithm").into())
    }

    /// The channel of a listed message that carries this block.
    pub fn channel_of(&self, block: u32) -> u32 {
        (u64::from(block) / (self.blocks.count() / u64::from(self.channels)).max(1)) as u32
    }

    /// Bytes of the buffer that a rank works on: all blocks, or in an alltoall those of one rank.
    pub fn buffer_bytes(&self) -> u64 {
        let all = self.blocks.run_bytes(0, self.blocks.count());
        if self.collective == Collective::Alltoall { all / u64::from(self.members()) } else { all }
    }

    /// Number of messages. O(rounds).
    pub fn messages(&self) -> u64 {
        let cyclic = self.rounds.cyclic().len() as u64 * u64::from(self.ranks) * u64::from(self.channels);
        self.rounds.listed().transfers.len() as u64 + cyclic
    }

    /// Bytes of all messages; where blocks of cyclic rounds differ in size, each counted as the largest. O(messages) for
    /// explicit rounds, else O(rounds).
    pub fn most_bytes(&self) -> u64 {
        let mut sum = 0u64;
        self.for_each_listed(|message| sum = sum.saturating_add(message.bytes));
        let messages = u64::from(self.ranks) * u64::from(self.channels);
        let of_round = |sum: u64, round: &CyclicRound| sum.saturating_add(round.bytes.saturating_mul(messages));
        self.rounds.cyclic().iter().fold(sum, of_round)
    }

    /// The position of a rank in a channel.
    #[inline]
    pub fn position_of(&self, channel: u32, rank: u32) -> u32 {
        self.order.position_of((channel, self.channels), self.ranks, rank)
    }

    /// The rank at a position of a channel.
    #[inline]
    pub fn rank_at(&self, channel: u32, position: u32) -> u32 {
        self.order.rank_at((channel, self.channels), self.ranks, position)
    }

    /// To whom a rank sends in a cyclic round of a channel.
    #[inline]
    pub fn cyclic_peer(&self, round: &CyclicRound, channel: u32, rank: u32) -> u32 {
        self.rank_at(channel, round.partner.of(self.position_of(channel, rank), self.ranks))
    }

    /// Bytes that the rank at a position of a channel sends in a cyclic round, exact where block sizes differ. O(1) for even
    /// blocks, else O(blocks sent).
    pub fn cyclic_bytes(&self, round: &CyclicRound, channel: u32, position: u32) -> u64 {
        if self.blocks.are_even() {
            return round.bytes;
        }
        round.bytes_at(position, (self.blocks, channel, self.channels), self.ranks)
    }

    /// Calls `visit` with every message in order of step. O(messages), no allocation.
    pub fn for_each_message(&self, mut visit: impl FnMut(Message)) {
        self.for_each_listed(&mut visit);
        let uniform = matches!(self.blocks, Blocks::Each { .. });
        let steps = self.rounds.cyclic().chunk_by(|a, b| a.step == b.step);
        for (step, channel) in steps.flat_map(|step| (0..self.channels).map(move |channel| (step, channel))) {
            for (round, position) in step.iter().flat_map(|r| (0..self.ranks).map(move |at| (r, at))) {
                let bytes = if uniform { round.bytes } else { self.cyclic_bytes(round, channel, position) };
                let [src, dst] =
                    [position, round.partner.of(position, self.ranks)].map(|position| self.rank_at(channel, position));
                visit(Message { step: round.step, src, dst, bytes });
            }
        }
    }

    /// [`Schedule::for_each_message`] of what is listed.
    pub fn for_each_listed(&self, mut visit: impl FnMut(Message)) {
        let list = self.rounds.listed();
        for step in 0..list.steps() {
            for t in list.of_step(step) {
                let bytes = list.held(t).iter().map(|r| self.blocks.bytes(*r)).sum();
                visit(Message { step: step as u32, src: t.src, dst: t.dst, bytes });
            }
        }
    }
}
