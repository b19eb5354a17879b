//! The simple graph under a network, as the kernels want it: parallel links once, rows numbered for locality.

use netloom_model::Network;

/// Rows that are visited or skipped together.
pub const TILE: usize = 8;

/// From this eccentricity on, a block's search is a narrow band, and it pays to know which tiles lie in it.
const BAND: u32 = 8;

/// Neighbours in CSR form, each once, over rows that may be renumbered switches.
pub struct Graph {
    offsets: Vec<u32>,
    heads: Vec<u32>,
    tile_graph: Option<TileGraph>,
    /// Switch of each row, if they differ.
    order: Option<Vec<u32>>,
    /// Largest distance from row 0.
    eccentricity: u32,
}

/// For each tile, itself and the tiles that hold a neighbour of one of its rows.
pub struct TileGraph {
    offsets: Vec<u32>,
    heads: Vec<u32>,
}

impl TileGraph {
    pub fn of(&self, tile: u32) -> &[u32] {
        &self.heads[self.offsets[tile as usize] as usize..self.offsets[tile as usize + 1] as usize]
    }
}

impl Graph {
    /// Rows are the switches. O(links).
    pub fn of(network: &Network) -> Graph {
        let mut offsets = Vec::with_capacity(network.switches() as usize + 1);
        let mut heads = Vec::with_capacity(network.switch_links() as usize);
        offsets.push(0);
        for switch in 0..network.switches() {
            let start = heads.len();
            for &u in network.neighbours(switch) {
                if heads.len() == start || heads.last() != Some(&u) {
                    heads.push(u);
                }
            }
            offsets.push(heads.len() as u32);
        }
        let mut graph = Graph { offsets, heads, tile_graph: None, order: None, eccentricity: 0 };
        graph.eccentricity = graph.levels_from(0).1;
        if graph.eccentricity >= BAND {
            graph.add_tiles();
        }
        graph
    }

    /// The same graph with rows renumbered breadth-first if the switch numbers of neighbours are far apart. O(links).
    pub fn localised(self) -> Graph {
        let rows = self.rows() as u64;
        let spread: u64 = (0..self.rows())
            .flat_map(|v| self.neighbours(v).iter().map(move |&u| (v as u64).abs_diff(u64::from(u))))
            .sum();
        // Random numbers are a third of the rows apart; a numbering along the structure is far below.
        if self.eccentricity < BAND || spread * 8 < self.heads.len() as u64 * rows {
            return self;
        }
        let (order, _) = self.levels_from(0);
        if order.len() < self.rows() { self } else { self.renumbered(order) }
    }

    /// The same graph with row `order[r]` as row `r`. O(links).
    fn renumbered(&self, order: Vec<u32>) -> Graph {
        let mut row_of = vec![0u32; order.len()];
        for (row, &switch) in order.iter().enumerate() {
            row_of[switch as usize] = row as u32;
        }
        let mut offsets = vec![0u32];
        let mut heads = Vec::with_capacity(self.heads.len());
        for &switch in &order {
            heads.extend(self.neighbours(switch as usize).iter().map(|&u| row_of[u as usize]));
            offsets.push(heads.len() as u32);
        }
        let mut graph = Graph { offsets, heads, tile_graph: None, order: Some(order), eccentricity: self.eccentricity };
        graph.add_tiles();
        graph
    }

    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }
    pub fn tiles(&self) -> usize {
        self.rows().div_ceil(TILE)
    }
    #[inline(always)]
    pub fn neighbours(&self, v: usize) -> &[u32] {
        &self.heads[self.offsets[v] as usize..self.offsets[v + 1] as usize]
    }
    pub fn tile_graph(&self) -> Option<&TileGraph> {
        self.tile_graph.as_ref()
    }
    /// Switch that row `row` represents.
    pub fn switch(&self, row: usize) -> u32 {
        self.order.as_ref().map_or(row as u32, |order| order[row])
    }
    /// Largest distance from row 0 within its component; no distance exceeds twice this if the graph is connected.
    pub fn eccentricity(&self) -> u32 {
        self.eccentricity
    }

    /// Rows in breadth-first order from `start` and the last level. O(links).
    fn levels_from(&self, start: u32) -> (Vec<u32>, u32) {
        let rows = self.rows();
        if rows == 0 {
            return (Vec::new(), 0);
        }
        let mut seen = vec![false; rows];
        seen[start as usize] = true;
        let mut order = vec![start];
        let (mut level, mut from) = (0, 0);
        loop {
            let to = order.len();
            for i in from..to {
                for &u in self.neighbours(order[i] as usize) {
                    if !seen[u as usize] {
                        seen[u as usize] = true;
                        order.push(u);
                    }
                }
            }
            if order.len() == to {
                return (order, level);
            }
            level += 1;
            from = to;
        }
    }

    fn add_tiles(&mut self) {
        let tiles = self.tiles();
        let mut stamp = vec![u32::MAX; tiles];
        let (mut offsets, mut heads) = (vec![0u32], Vec::new());
        for tile in 0..tiles {
            stamp[tile] = tile as u32;
            heads.push(tile as u32);
            for v in tile * TILE..((tile + 1) * TILE).min(self.rows()) {
                for &u in self.neighbours(v) {
                    let other = u as usize / TILE;
                    if stamp[other] != tile as u32 {
                        stamp[other] = tile as u32;
                        heads.push(other as u32);
                    }
                }
            }
            offsets.push(heads.len() as u32);
        }
        self.tile_graph = Some(TileGraph { offsets, heads });
    }
}
