//! Greatest flow between two vertices of a graph whose edges have the same capacity in both directions.

/// Residual graph in flat arrays; every edge is a pair of arcs that are each other's mates.
pub struct Flow {
    offsets: Vec<u32>,
    to: Vec<u32>,
    mate: Vec<u32>,
    /// Capacities before any flow, as given.
    full: Vec<u64>,
    left: Vec<u64>,
    level: Vec<u32>,
    next: Vec<u32>,
    queue: Vec<u32>,
}

/// An edge `(a, b)` that carries `there` from `a` to `b` and `back` from `b` to `a`.
#[derive(Clone, Copy)]
pub struct Edge {
    pub a: u32,
    pub b: u32,
    pub there: u64,
    pub back: u64,
}

impl Flow {
    /// No flow yet. O(vertices + edges).
    pub fn new(vertices: u32, edges: &[Edge]) -> Flow {
        let n = vertices as usize;
        let mut offsets = vec![0u32; n + 1];
        for edge in edges {
            offsets[edge.a as usize + 1] += 1;
            offsets[edge.b as usize + 1] += 1;
        }
        for v in 0..n {
            offsets[v + 1] += offsets[v];
        }
        let mut at: Vec<u32> = offsets[..n].to_vec();
        let arcs = 2 * edges.len();
        let (mut to, mut mate, mut full) = (vec![0; arcs], vec![0; arcs], vec![0; arcs]);
        for edge in edges {
            let here = at[edge.a as usize];
            at[edge.a as usize] += 1;
            let there = at[edge.b as usize];
            at[edge.b as usize] += 1;
            (to[here as usize], to[there as usize]) = (edge.b, edge.a);
            (mate[here as usize], mate[there as usize]) = (there, here);
            (full[here as usize], full[there as usize]) = (edge.there, edge.back);
        }
        let left = full.clone();
        Flow { offsets, to, mate, full, left, level: vec![0; n], next: vec![0; n], queue: vec![] }
    }

    /// The greatest flow from `source` to `sink`, from scratch. Dinic's method (Soviet Mathematics Doklady 11, 1970):
    /// O(vertices² · edges) at worst, near O(edges · levels) on networks.
    pub fn run(&mut self, source: u32, sink: u32) -> u64 {
        self.left.copy_from_slice(&self.full);
        let mut total = 0;
        while self.layers(source, sink) {
            let vertices = self.level.len();
            self.next.copy_from_slice(&self.offsets[..vertices]);
            total += self.block(source, sink);
        }
        total
    }

    /// After [`Flow::run`]: true for the vertices on the source's side of a smallest cut.
    pub fn source_side(&self) -> Vec<bool> {
        self.level.iter().map(|&level| level != u32::MAX).collect()
    }

    /// Distances from the source over arcs that have room; false if the sink is out of reach.
    fn layers(&mut self, source: u32, sink: u32) -> bool {
        self.level.fill(u32::MAX);
        self.level[source as usize] = 0;
        self.queue.clear();
        self.queue.push(source);
        let mut at = 0;
        while let Some(&v) = self.queue.get(at) {
            at += 1;
            for arc in self.offsets[v as usize]..self.offsets[v as usize + 1] {
                let u = self.to[arc as usize];
                if self.left[arc as usize] > 0 && self.level[u as usize] == u32::MAX {
                    self.level[u as usize] = self.level[v as usize] + 1;
                    self.queue.push(u);
                }
            }
        }
        self.level[sink as usize] != u32::MAX
    }

    /// Paths along the layers until none is left.
    fn block(&mut self, source: u32, sink: u32) -> u64 {
        let mut total = 0;
        let mut path: Vec<u32> = Vec::new();
        let mut v = source;
        loop {
            if v == sink {
                let room = path.iter().map(|&arc| self.left[arc as usize]).min().unwrap_or(0);
                total += room;
                for &arc in &path {
                    self.left[arc as usize] -= room;
                    self.left[self.mate[arc as usize] as usize] += room;
                }
                // Back to the tail of the first arc that is now full.
                let full = path.iter().position(|&arc| self.left[arc as usize] == 0).unwrap_or(0);
                v = path.get(full).map_or(source, |&arc| self.to[self.mate[arc as usize] as usize]);
                path.truncate(full);
                continue;
            }
            let end = self.offsets[v as usize + 1];
            let mut arc = self.next[v as usize];
            while arc < end && !self.leads_on(v, arc) {
                arc += 1;
            }
            self.next[v as usize] = arc;
            if arc < end {
                path.push(arc);
                v = self.to[arc as usize];
            } else if let Some(last) = path.pop() {
                v = self.to[self.mate[last as usize] as usize];
                self.next[v as usize] += 1;
            } else {
                return total;
            }
        }
    }

    fn leads_on(&self, v: u32, arc: u32) -> bool {
        let u = self.to[arc as usize];
        self.left[arc as usize] > 0 && self.level[u as usize] == self.level[v as usize] + 1
    }
}
