//! The actions of ranks whose record has been read.

use netloom_model::{Amounts, Op};

use super::loops::{Folded, fold};

/// Most actions of a record that are held as they are: 24 MiB of them. Of a longer one the loops are looked for.
const LISTED: usize = 1 << 20;

/// What is held.
#[derive(Default)]
pub struct ReadRanks {
    ranks: Vec<Folded>,
    /// Actions that came, of all ranks together, and those that are held or have no rank yet.
    came: usize,
    actions: usize,
    /// Of these ranks the loops have been looked for.
    looked: Vec<bool>,
}

impl ReadRanks {
    pub fn of(ranks: u32) -> ReadRanks {
        let ranks = ranks as usize;
        ReadRanks { ranks: vec![Folded::default(); ranks], looked: vec![false; ranks], ..ReadRanks::default() }
    }

    /// Counts actions of ranks that are being read.
    pub fn count(&mut self, actions: usize) {
        self.came += actions;
        self.actions += actions;
    }

    /// Actions that are held; three amounts take as much as one.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// All actions of a rank, if there are any left.
    pub fn put(&mut self, rank: u32, ops: Vec<Op>) {
        if ops.is_empty() {
            return;
        }
        self.ranks[rank as usize] = Folded { ops, amounts: Vec::new() };
        if self.came > LISTED {
            self.look(rank as usize);
        }
    }

    fn look(&mut self, rank: usize) {
        if std::mem::replace(&mut self.looked[rank], true) {
            return;
        }
        let Folded { ops, .. } = std::mem::take(&mut self.ranks[rank]);
        let before = ops.len();
        let made = fold(ops);
        let now = made.ops.len() + made.amounts.len().div_ceil(3);
        self.actions = (self.actions + now).saturating_sub(before);
        self.ranks[rank] = made;
    }

    /// The actions of all ranks, and the amounts that they take.
    pub fn all(mut self) -> (Vec<Vec<Op>>, Amounts) {
        if self.came > LISTED {
            (0..self.ranks.len()).for_each(|rank| self.look(rank));
        }
        let (ops, amounts) = self.ranks.into_iter().map(|rank| (rank.ops, rank.amounts)).unzip();
        (ops, Amounts::new(amounts))
    }
}
