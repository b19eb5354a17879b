//! The graph that is cut: vertices of some size, and what each would rather have on its side.

/// Undirected, rows compressed: the neighbours of `v` are `ends[first[v]..first[v + 1]]`.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub first: Vec<u32>,
    pub ends: Vec<u32>,
    /// None below 0.
    pub weights: Vec<i64>,
    pub sizes: Vec<u32>,
    /// What the near side is worth to a vertex more than the far one: its edges to vertices that are not of this graph.
    pub leans: Vec<i64>,
}

impl Graph {
    pub fn vertices(&self) -> u32 {
        self.sizes.len() as u32
    }
    pub fn size(&self) -> u64 {
        self.sizes.iter().map(|s| u64::from(*s)).sum()
    }
    pub fn row(&self, v: u32) -> impl Iterator<Item = (u32, i64)> + '_ {
        let row = self.first[v as usize] as usize..self.first[v as usize + 1] as usize;
        self.ends[row.clone()].iter().copied().zip(self.weights[row].iter().copied())
    }
    /// Without vertices; keeps the memory.
    pub fn clear(&mut self) {
        self.first.clear();
        self.ends.clear();
        self.weights.clear();
        self.sizes.clear();
        self.leans.clear();
    }
    /// A vertex without edges yet.
    pub fn push(&mut self, size: u32, lean: i64) {
        if self.first.is_empty() {
            self.first.push(0);
        }
        self.sizes.push(size);
        self.leans.push(lean);
        self.first.push(self.ends.len() as u32);
    }
    /// An edge of the vertex that was pushed last.
    pub fn edge(&mut self, to: u32, weight: i64) {
        self.ends.push(to);
        self.weights.push(weight);
        if let Some(last) = self.first.last_mut() {
            *last = self.ends.len() as u32;
        }
    }
}

/// Which vertices are on the far side, the size of the near one, and what the cut costs: edges across and leans that are
/// not followed, but for a constant.
#[derive(Clone, Debug)]
pub struct Sides {
    pub far: Vec<bool>,
    pub near_size: u64,
    pub cost: i64,
}

impl Sides {
    /// O(edges).
    pub fn new(graph: &Graph, far: Vec<bool>) -> Sides {
        let (mut near_size, mut twice, mut cost) = (0, 0, 0);
        for v in 0..graph.vertices() {
            let own = far[v as usize];
            twice += graph.row(v).filter(|(u, _)| far[*u as usize] != own).map(|(_, w)| w).sum::<i64>();
            if own {
                cost += graph.leans[v as usize];
            } else {
                near_size += u64::from(graph.sizes[v as usize]);
            }
        }
        Sides { far, near_size, cost: cost + twice / 2 }
    }

    /// What the cost falls by if a vertex changes sides. O(degree).
    pub fn gain(&self, graph: &Graph, v: u32) -> i64 {
        let own = self.far[v as usize];
        let edges: i64 = graph.row(v).map(|(u, w)| if self.far[u as usize] == own { -w } else { w }).sum();
        let lean = graph.leans[v as usize];
        edges + if own { lean } else { -lean }
    }

    /// Changes the side of a vertex whose gain is known.
    pub fn turn(&mut self, graph: &Graph, v: u32, gain: i64) {
        let size = u64::from(graph.sizes[v as usize]);
        let far = &mut self.far[v as usize];
        self.near_size = if *far { self.near_size + size } else { self.near_size - size };
        *far = !*far;
        self.cost -= gain;
    }
}
