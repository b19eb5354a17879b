//! Trees of switches that combine what ranks send and multiply what they receive.

/// How the switches of a job are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CombiningShape {
    /// Below a switch that is as near as possible to the farthest of them: for data that turn around.
    Central,
    /// By shortest paths from the switch of one rank.
    Shortest,
    /// One after the other, from the switch of one rank.
    Path,
}

/// No parent.
pub const ROOT: u32 = u32::MAX;

/// A tree whose leaves are the ranks of a job and whose inner nodes are switches: ranks are numbered first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CombiningTree {
    ranks: u32,
    /// The node above each node, [`ROOT`] for the root.
    parents: Vec<u32>,
    depths: Vec<u32>,
}

impl CombiningTree {
    /// `parents` of the ranks, then of the switches; `None` unless it is a tree whose leaves are the ranks, with a switch as
    /// its root. O(nodes).
    pub fn new(ranks: u32, parents: Vec<u32>) -> Option<CombiningTree> {
        let (count, mut depths) = (parents.len() as u32, vec![u32::MAX; parents.len()]);
        let above = |node: u32| Some(parents[node as usize]).filter(|up| *up != ROOT);
        let is_switch = |node: &u32| (ranks..count).contains(node);
        if ranks == 0 || !parents.iter().all(|up| *up == ROOT || is_switch(up)) {
            return None;
        }
        let mut chain = Vec::new();
        for node in 0..count {
            let mut at = node;
            while depths[at as usize] == u32::MAX && chain.len() as u32 <= count {
                chain.push(at);
                let Some(up) = above(at) else { break };
                at = up;
            }
            if chain.len() as u32 > count {
                return None;
            }
            while let Some(node) = chain.pop() {
                depths[node as usize] = above(node).map_or(0, |up| depths[up as usize] + 1);
            }
        }
        let roots: Vec<u32> = (0..count).filter(|node| above(*node).is_none()).collect();
        let mut used = vec![false; count as usize];
        parents.iter().filter(|up| **up != ROOT).for_each(|up| used[*up as usize] = true);
        let all_used = used[ranks as usize..].iter().all(|used| *used);
        (all_used && matches!(roots[..], [root] if root >= ranks)).then_some(CombiningTree { ranks, parents, depths })
    }

    /// One switch that joins all ranks.
    pub fn star(ranks: u32) -> CombiningTree {
        let parents = (0..ranks).map(|_| ranks).chain([ROOT]).collect();
        let depths = (0..ranks).map(|_| 1).chain([0]).collect();
        CombiningTree { ranks, parents, depths }
    }

    pub fn ranks(&self) -> u32 {
        self.ranks
    }
    pub fn switches(&self) -> u32 {
        self.parents.len() as u32 - self.ranks
    }
    /// The node above, `None` for the root.
    pub fn parent(&self, node: u32) -> Option<u32> {
        Some(self.parents[node as usize]).filter(|up| *up != ROOT)
    }
    /// Links to the root.
    pub fn depth(&self, node: u32) -> u32 {
        self.depths[node as usize]
    }
    /// The depth of the lowest rank.
    pub fn height(&self) -> u32 {
        self.depths.iter().copied().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_have_ranks_as_leaves_and_a_switch_as_root() {
        assert_eq!(CombiningTree::new(2, vec![2, 2, ROOT]), Some(CombiningTree::star(2)));
        let deep = CombiningTree::new(3, vec![3, 3, 4, 4, ROOT]).unwrap();
        assert_eq!((deep.height(), deep.depth(2), deep.parent(3), deep.switches()), (2, 1, Some(4), 2));
        // A ring, two roots, a rank above a rank, a switch without ranks, a rank as the root.
        for wrong in [vec![2, 2, 3, 2], vec![2, 3, ROOT, ROOT], vec![1, 2, ROOT], vec![2, 2, ROOT, 2], vec![ROOT, 0]] {
            assert_eq!(CombiningTree::new(2, wrong), None);
        }
    }
}
