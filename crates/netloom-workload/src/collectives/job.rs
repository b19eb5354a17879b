//! What a collective is asked for: operation, ranks, root, size.

use netloom_model::schedule::{Blocks, Copied, RankOrder};
use netloom_model::{Collective, Fault, Outcome, Schedule};

use super::largest::Largest;
use crate::codes;
use crate::plan::Plan;

/// Most ranks of a schedule.
pub const RANK_LIMIT: i64 = 1 << 24;
/// Input of an algorithm: operation, ranks, size and root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    pub collective: Collective,
    pub ranks: u32,
    /// 0 for operations without a root.
    pub root: u32,
    /// See [`Collective::size_meaning`].
    pub size_bytes: u64,
}

impl Job {
    pub(crate) fn p(&self) -> u64 {
        u64::from(self.ranks)
    }

    /// # Errors
    /// `NL-C001` ranks, `NL-C002` root, `NL-C003` size: all that apply.
    pub fn new(collective: Collective, ranks: i64, root: i64, size_bytes: i64) -> Outcome<Job> {
        let mut faults = netloom_model::Faults::none();
        if !(1..=RANK_LIMIT).contains(&ranks) {
            faults.push(Fault::new(&codes::RANKS, "ranks", format!("an integer in 1..{RANK_LIMIT}"), ranks));
        } else if !collective.is_rooted() && root != 0 {
            let fault = Fault::new(&codes::ROOT, "root", format!("0 ({collective} has no root)"), root);
            faults.push(fault.hint("leave root out"));
        } else if !(0..ranks).contains(&root) {
            faults.push(Fault::new(&codes::ROOT, "root", format!("a rank in 0..{} (inclusive)", ranks - 1), root));
        }
        if size_bytes < 0 {
            faults.push(Fault::new(&codes::SIZE, "size_bytes", "zero or more", size_bytes));
        }
        let size_bytes = if collective == Collective::Barrier { 0 } else { size_bytes.max(0) as u64 };
        faults.or(Job { collective, ranks: ranks.max(1) as u32, root: root.max(0) as u32, size_bytes })
    }

    /// Bytes of all blocks.
    pub(super) fn all_blocks(&self) -> u128 {
        let each = match self.collective {
            Collective::Allgather | Collective::Gather | Collective::Scatter | Collective::ReduceScatter => self.p(),
            Collective::Alltoall => self.p() * self.p(),
            _ => 1,
        };
        u128::from(each) * u128::from(self.size_bytes)
    }

    /// The blocks that this operation cuts `count` of.
    pub(crate) fn blocks(&self, count: u64) -> Blocks {
        match self.collective {
            Collective::Broadcast
            | Collective::Reduce
            | Collective::Allreduce
            | Collective::Scan
            | Collective::Exscan => Blocks::Split { total_bytes: self.size_bytes, count },
            _ if count > self.p() && self.collective != Collective::Alltoall => {
                Blocks::Parts { bytes: self.size_bytes, parts: (count / self.p()) as u32, units: self.ranks }
            }
            _ => Blocks::Each { bytes: self.size_bytes, count },
        }
    }

    /// What every rank copies where nothing else is said: its own part of the input, if results go to another buffer, as
    /// MPI has it. Those who combine parts of many ranks keep the input and work on a copy of it.
    pub(crate) fn own_copy(&self) -> Copied {
        let (before_bytes, after_bytes) = match self.collective {
            Collective::Barrier | Collective::Broadcast | Collective::Gather | Collective::Scatter => (0, 0),
            Collective::ReduceScatter => (self.p() * self.size_bytes, self.size_bytes),
            Collective::Reduce
            | Collective::Allreduce
            | Collective::Scan
            | Collective::Exscan
            | Collective::Allgather
            | Collective::Alltoall => (self.size_bytes, 0),
        };
        Copied { before_bytes, after_bytes }
    }

    /// Gives a plan for so many channels its bytes.
    pub(crate) fn schedule(&self, label: String, (plan, channels): (Plan, u32), copied: Copied) -> Schedule {
        let Plan { ranks, blocks: count, steps, mut rounds, .. } = plan;
        let blocks = self.blocks(count);
        let mut largest = Largest::new((blocks, channels), ranks);
        for round in rounds.cyclic_mut() {
            round.bytes = largest.of(round);
        }
        let Job { collective, root, size_bytes, .. } = *self;
        let switches = ranks - self.ranks;
        Schedule {
            collective,
            label,
            ranks,
            switches,
            root,
            size_bytes,
            blocks,
            steps,
            rounds,
            copied,
            channels,
            order: RankOrder::default(),
            protocol: None,
        }
    }
}
