//! Positions of ranks. Slots without a rank hold fillers, numbered after the ranks, so that every move is a swap.

/// Two ranks or fillers that exchange their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    pub a: u32,
    pub b: u32,
}

/// Rank (or filler) ↔ slot, and the site of each.
#[derive(Clone, Debug)]
pub struct Places {
    ranks: u32,
    slot_of: Vec<u32>,
    site_of: Vec<u32>,
    rank_of: Vec<u32>,
}

impl Places {
    /// `slot_of_rank` are distinct slots; fillers take the rest in ascending order.
    pub fn new(slot_of_rank: &[u32], site_of_slot: &[u32]) -> Places {
        let mut rank_of = vec![u32::MAX; site_of_slot.len()];
        let mut slot_of = slot_of_rank.to_vec();
        for (rank, &slot) in slot_of_rank.iter().enumerate() {
            rank_of[slot as usize] = rank as u32;
        }
        for (slot, rank) in rank_of.iter_mut().enumerate() {
            if *rank == u32::MAX {
                *rank = slot_of.len() as u32;
                slot_of.push(slot as u32);
            }
        }
        let site_of = slot_of.iter().map(|&s| site_of_slot[s as usize]).collect();
        Places { ranks: slot_of_rank.len() as u32, slot_of, site_of, rank_of }
    }

    /// Ranks, without fillers.
    pub fn ranks(&self) -> u32 {
        self.ranks
    }
    pub fn slots(&self) -> u32 {
        self.slot_of.len() as u32
    }
    #[inline]
    pub fn slot(&self, rank: u32) -> u32 {
        self.slot_of[rank as usize]
    }
    #[inline]
    pub fn rank_at(&self, slot: u32) -> u32 {
        self.rank_of[slot as usize]
    }
    #[inline]
    pub fn site(&self, rank: u32) -> u32 {
        self.site_of[rank as usize]
    }
    /// Site of every rank and filler.
    #[inline]
    pub fn sites(&self) -> &[u32] {
        &self.site_of
    }
    /// Slot of every rank, without fillers.
    pub fn slot_of_rank(&self) -> &[u32] {
        &self.slot_of[..self.ranks as usize]
    }

    /// Exchanges that bring every rank to this slot, one after another.
    pub fn exchanges_to(&self, slot_of_rank: &[u32]) -> Vec<Exchange> {
        let (mut places, mut moves) = (self.clone(), Vec::new());
        for (rank, &slot) in slot_of_rank.iter().enumerate() {
            let (a, b) = (rank as u32, places.rank_at(slot));
            if a != b {
                places.swap(a, b);
                moves.push(Exchange { a, b });
            }
        }
        moves
    }

    /// Exchanges the places of `a` and `b`.
    #[inline]
    pub fn swap(&mut self, a: u32, b: u32) {
        self.slot_of.swap(a as usize, b as usize);
        self.site_of.swap(a as usize, b as usize);
        self.rank_of[self.slot_of[a as usize] as usize] = a;
        self.rank_of[self.slot_of[b as usize] as usize] = b;
    }
}
