//! Ranks that communicate, directly or through others, and do not fit on one block must be cut apart.
//!
//! A component of the guest that takes at least `p` blocks (nodes, or switches) has, with these contracted, a spanning tree
//! of `p - 1` edges that all run between blocks. No forest of that many edges is lighter than the first ones that Kruskal's
//! algorithm takes (1956), so these bound what runs between blocks.

use crate::guest::Guest;

/// Weight between blocks of these sizes, in units of the guest. O(edges log edges).
pub fn least_cut(guest: &Guest, ranks: u32, mut sizes: Vec<u32>) -> i64 {
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    if sizes.first().is_none_or(|largest| *largest >= ranks) {
        return 0;
    }
    let edges = lightest_first(guest, ranks);
    let (mut whole, mut forest) = (Union::new(ranks), Union::new(ranks));
    for &(_, a, b) in &edges {
        whole.join(a, b);
    }
    // Edges that each component must still give.
    let mut due: Vec<u32> =
        (0..ranks).map(|r| if whole.find(r) == r { blocks(whole.size[r as usize], &sizes) } else { 0 }).collect();
    let mut sum = 0;
    for (weight, a, b) in edges {
        let left = &mut due[whole.find(a) as usize];
        if *left > 0 && forest.join(a, b) {
            *left -= 1;
            sum += weight;
        }
    }
    sum
}

fn lightest_first(guest: &Guest, ranks: u32) -> Vec<(i64, u32, u32)> {
    let row = |a: u32| guest.row(a).map(move |i| (guest.weights[i], a, guest.neighbours[i]));
    let mut edges: Vec<(i64, u32, u32)> = (0..ranks).flat_map(row).filter(|(_, a, b)| a < b).collect();
    // Equal ones are in the order of their ranks already.
    edges.sort_by_key(|edge| edge.0);
    edges
}

/// Blocks, beyond the first, that `ranks` ranks take at least.
fn blocks(ranks: u32, largest_first: &[u32]) -> u32 {
    let mut room = 0u64;
    let filled = largest_first.iter().position(|size| {
        room += u64::from(*size);
        room >= u64::from(ranks)
    });
    filled.map_or(0, |index| index as u32)
}

struct Union {
    parent: Vec<u32>,
    size: Vec<u32>,
}

impl Union {
    fn new(items: u32) -> Union {
        Union { parent: (0..items).collect(), size: vec![1; items as usize] }
    }
    fn find(&mut self, mut item: u32) -> u32 {
        while self.parent[item as usize] != item {
            self.parent[item as usize] = self.parent[self.parent[item as usize] as usize];
            item = self.parent[item as usize];
        }
        item
    }
    /// False if they were one already.
    fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return false;
        }
        let (small, large) = if self.size[a as usize] < self.size[b as usize] { (a, b) } else { (b, a) };
        self.parent[small as usize] = large;
        self.size[large as usize] += self.size[small as usize];
        true
    }
}
