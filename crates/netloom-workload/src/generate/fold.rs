//! Folding: when an exchange works on a power only, the other ranks hand their data to a leader first and get the result
//! from it afterwards. Three kinds: pairs and sets of k (order-preserving, [`Fold::sets`]), and remainder modulo the power
//! ([`Fold::modulo`]).

use crate::counts::{log_floor, power};
use crate::plan::{Builder, Plan};
use netloom_model::schedule::{BlockRange, Rounds};

/// Which rank acts for which.
pub(crate) struct Fold {
    pub ranks: u32,
    /// Rank that acts as `id`, for the `k^l` ids.
    pub active: Vec<u32>,
    /// `(member, leader)` of every rank that does not act.
    pub members: Vec<(u32, u32)>,
}

/// Largest power of `k` that is at most `ranks`.
pub(crate) fn power_below(ranks: u32, k: u32) -> u32 {
    power(u64::from(k), log_floor(u64::from(ranks), u64::from(k))) as u32
}

impl Fold {
    /// The `rem = p - P` superfluous ranks fold within the first sets of `k` consecutive ranks: `k - 1` members each, fewer
    /// in the last set. The leader is the last of its set, or the first with `leader_first`. With `k = 2` these are the
    /// pairs of recursive doubling.
    pub fn sets(ranks: u32, k: u32, leader_first: bool) -> Fold {
        let active_count = power_below(ranks, k);
        let mut surplus = ranks - active_count;
        let (mut active, mut members) =
            (Vec::with_capacity(active_count as usize), Vec::with_capacity(surplus as usize));
        let mut first = 0;
        while first < ranks {
            let followers = surplus.min(k - 1);
            let leader = if leader_first { first } else { first + followers };
            members.extend((first..=first + followers).filter(|r| *r != leader).map(|r| (r, leader)));
            active.push(leader);
            surplus -= followers;
            first += followers + 1;
        }
        Fold { ranks, active, members }
    }

    /// Rank `r >= P` folds to `r mod P`.
    pub fn modulo(ranks: u32, k: u32) -> Fold {
        let active_count = power_below(ranks, k);
        Fold {
            ranks,
            active: (0..active_count).collect(),
            members: (active_count..ranks).map(|r| (r, r % active_count)).collect(),
        }
    }

    /// First rank of the set of every id, and `ranks` at the end (sets of consecutive ranks only).
    pub fn starts(&self) -> Vec<u32> {
        let mut first = vec![0];
        let mut followers = self.members.iter().peekable();
        for leader in &self.active {
            let mut size = 1;
            while followers.next_if(|m| m.1 == *leader).is_some() {
                size += 1;
            }
            first.push(first[first.len() - 1] + size);
        }
        first
    }

    /// `inner`, a plan on the ids, between handing in (`combine`) and handing back all blocks. Without members: `inner`.
    pub fn around(&self, inner: Plan) -> Plan {
        if self.members.is_empty() {
            return inner;
        }
        let blocks = inner.listed_blocks();
        self.hand_in(blocks).then(self.embedded(inner)).then(self.hand_back(blocks))
    }

    /// One step in which the members give all their blocks to their leaders, which combine them.
    pub fn hand_in(&self, blocks: u32) -> Plan {
        let mut builder = Builder::new(self.ranks, blocks);
        for &(member, leader) in &self.members {
            builder.send_run(0, member, leader, 0, blocks, true);
        }
        builder.finish(1)
    }

    fn hand_back(&self, blocks: u32) -> Plan {
        let mut builder = Builder::new(self.ranks, blocks);
        for &(member, leader) in &self.members {
            builder.send_run(0, leader, member, 0, blocks, false);
        }
        builder.finish(1)
    }

    /// A plan on the ids as a plan on the ranks.
    pub fn embedded(&self, inner: Plan) -> Plan {
        let mut plan = inner.expanded();
        plan.ranks = self.ranks;
        if let Rounds::Explicit { transfers, .. } = &mut plan.rounds {
            for t in transfers {
                (t.src, t.dst) = (self.active[t.src as usize], self.active[t.dst as usize]);
            }
        }
        plan
    }

    /// Allgather: members hand in their own block, `doubling` runs on the sets, leaders hand back all but the own block.
    pub fn allgather(&self, doubling: Plan) -> Plan {
        let (p, one) = (self.ranks, |r| BlockRange { first: r, count: 1 });
        let (mut before, mut after) = (Builder::new(p, p), Builder::new(p, p));
        for &(member, leader) in &self.members {
            before.send(0, member, leader, &[one(member)], false);
            let rest = BlockRange { first: member + 1, count: p - member - 1 };
            after.send(0, leader, member, &[BlockRange { first: 0, count: member }, rest], false);
        }
        before.finish(1).then(doubling).then(after.finish(1))
    }
}
