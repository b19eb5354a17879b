//! Disjoint sets of numbers (Galler and Fischer 1964): the least member of a set is its root.

#[derive(Clone, Debug)]
pub struct Sets {
    parent: Vec<u32>,
}

impl Sets {
    /// So many numbers, each in a set of its own.
    pub fn new(count: u32) -> Sets {
        Sets { parent: (0..count).collect() }
    }

    pub fn root(&mut self, mut at: u32) -> u32 {
        while self.parent[at as usize] != at {
            self.parent[at as usize] = self.parent[self.parent[at as usize] as usize];
            at = self.parent[at as usize];
        }
        at
    }

    pub fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        self.parent[one.max(other) as usize] = one.min(other);
    }
}
