//! Distances by formula, for networks too large for a table of them: grids and trees in full service.

use std::ops::Range;

use netloom_model::{HopMatrix, HopProduct, Network};

/// Bits for the number of a dimension.
const DIMENSION: u32 = 6;

/// A mesh, torus, hypercube or HyperX, and nothing else.
pub struct GridForm {
    dims: Vec<u32>,
    strides: Vec<u32>,
    /// True if the dimension is a ring.
    round: Vec<bool>,
    complete: bool,
    /// Of every switch, dimension by dimension.
    coordinates: Vec<u32>,
    /// Of every link between switches: its dimension, and the coordinate of its head there above [`DIMENSION`] bits.
    leads: Vec<u32>,
    /// Of every two coordinates of a dimension, row-major: bit `h` says that coordinate `h` is nearer to the second than the first
    /// is. Those of all dimensions, and where each begins; empty if there are too many coordinates.
    nearer: Vec<u64>,
    firsts: Vec<usize>,
    /// Weight of a link of each dimension that is due once: the product of all cables per pair, over those of the
    /// dimension.
    weights: Vec<u64>,
}

impl GridForm {
    /// `None` unless the links are those of the grid, with the same number of cables everywhere in a dimension.
    /// O(links · dimensions).
    pub fn of(network: &Network) -> Option<GridForm> {
        let grid = network.structure().grid.as_ref()?;
        let size: u64 = grid.dims.iter().fold(1, |size, d| size.saturating_mul(u64::from(*d)));
        if network.failed().is_some() || size != u64::from(network.switches()) || grid.wrap.len() != grid.dims.len() {
            return None;
        }
        let mut strides = vec![1; grid.dims.len()];
        for d in (0..grid.dims.len().saturating_sub(1)).rev() {
            strides[d] = strides[d + 1] * grid.dims[d + 1];
        }
        let round = grid.dims.iter().zip(&grid.wrap).map(|(k, wrap)| *wrap && *k > 2 && !grid.complete).collect();
        let complete = grid.complete;
        let digits = strides.iter().zip(&grid.dims);
        let of_switch = |s: u32| digits.clone().map(move |(stride, k)| s / stride % k);
        let coordinates = (0..network.switches()).flat_map(of_switch).collect();
        let (dims, weights, mut leads) = (grid.dims.clone(), Vec::new(), Vec::new());
        let mut form = GridForm {
            dims,
            strides,
            round,
            complete,
            coordinates,
            leads: Vec::new(),
            weights,
            nearer: Vec::new(),
            firsts: Vec::new(),
        };
        if form.dims.len() > 1 << DIMENSION || form.dims.iter().any(|k| *k > u32::MAX >> DIMENSION) {
            return None;
        }
        let mut cables = vec![0u32; form.dims.len()];
        for s in 0..network.switches() {
            // Heads ascend: those of one neighbour are consecutive.
            let mut joined = 0u64;
            for same in network.neighbours(s).chunk_by(|a, b| a == b) {
                let mut apart = (0..form.dims.len()).filter(|d| form.apart(s, same[0], *d).0 > 0);
                let d = apart.next().filter(|d| apart.next().is_none() && form.apart(s, same[0], *d).0 == 1)?;
                if cables[d] == 0 {
                    cables[d] = same.len() as u32;
                }
                if cables[d] != same.len() as u32 {
                    return None;
                }
                joined += 1;
                let lead = form.at(same[0])[d] << DIMENSION | d as u32;
                leads.extend(std::iter::repeat_n(lead, same.len()));
            }
            if joined != (0..form.dims.len()).map(|d| form.neighbours(s, d)).sum::<u64>() {
                return None;
            }
        }
        let product = cables.iter().try_fold(1u64, |all, c| all.checked_mul(u64::from((*c).max(1))))?;
        form.leads = leads;
        form.list_nearer();
        form.weights = cables.iter().map(|c| product / u64::from((*c).max(1))).collect();
        (product < 1 << 20).then_some(form)
    }

    /// Neighbours of `s` in dimension `d`.
    fn neighbours(&self, s: u32, d: usize) -> u64 {
        let (k, x) = (self.dims[d], self.at(s)[d]);
        match (self.complete, self.round[d]) {
            (true, _) => u64::from(k - 1),
            (false, true) => 2,
            (false, false) => u64::from(x > 0) + u64::from(x + 1 < k),
        }
    }

    /// The coordinates of a switch.
    #[inline]
    fn at(&self, switch: u32) -> &[u32] {
        &self.coordinates[switch as usize * self.dims.len()..][..self.dims.len()]
    }

    /// Hops due in dimension `d`, and true if either way round is as short.
    #[inline]
    fn apart(&self, a: u32, b: u32, d: usize) -> (u32, bool) {
        self.due(self.at(a)[d], self.at(b)[d], d)
    }

    /// The same between two coordinates.
    #[inline]
    fn due(&self, x: u32, y: u32, d: usize) -> (u32, bool) {
        let (k, apart) = (self.dims[d], x.abs_diff(y));
        match (self.complete, self.round[d]) {
            (true, _) => (apart.min(1), false),
            (false, true) => (apart.min(k - apart), 2 * apart == k),
            (false, false) => (apart, false),
        }
    }

    pub fn distance(&self, a: u32, b: u32) -> u32 {
        (0..).zip(self.at(a)).zip(self.at(b)).map(|((d, x), y)| self.due(*x, *y, d).0).sum()
    }

    fn list_nearer(&mut self) {
        if self.dims.iter().any(|k| *k > u64::BITS) {
            return;
        }
        for (d, &k) in self.dims.iter().enumerate() {
            self.firsts.push(self.nearer.len());
            let is_nearer = |h: u32, x: u32, y: u32| self.due(h, y, d).0 < self.due(x, y, d).0;
            let bits = |x, y| (0..k).filter(|h| is_nearer(*h, x, y)).fold(0u64, |bits, h| bits | 1 << h);
            let of = |x| (0..k).map(move |y| (x, y));
            let made: Vec<u64> = (0..k).flat_map(of).map(|(x, y)| bits(x, y)).collect();
            self.nearer.extend(made);
        }
    }

    /// The links among those from `at` that lead nearer to `to`.
    #[inline]
    pub fn nearer(&self, links: Range<u32>, (at, to): (u32, u32), mut each: impl FnMut(u32)) {
        let (own, there) = (self.at(at), self.at(to));
        let leads = &self.leads[links.start as usize..links.end as usize];
        let split = |lead: u32| ((lead & ((1 << DIMENSION) - 1)) as usize, lead >> DIMENSION);
        if self.nearer.is_empty() {
            for (link, &lead) in links.zip(leads) {
                let (d, head) = split(lead);
                if self.due(head, there[d], d).0 < self.due(own[d], there[d], d).0 {
                    each(link);
                }
            }
            return;
        }
        let mut bits = [0u64; 1 << DIMENSION];
        for (d, bits) in bits.iter_mut().enumerate().take(self.dims.len()) {
            *bits = self.nearer[self.firsts[d] + (own[d] * self.dims[d] + there[d]) as usize];
        }
        for (link, &lead) in links.zip(leads) {
            let (d, head) = split(lead);
            if bits[d] >> (head % u64::BITS) & 1 == 1 {
                each(link);
            }
        }
    }

    pub fn diameter(&self) -> u32 {
        let longest = |d: usize| match (self.complete, self.round[d], self.dims[d]) {
            (true, _, k) => k.min(2) - 1,
            (false, true, k) => k / 2,
            (false, false, k) => k - 1,
        };
        (0..self.dims.len()).map(longest).sum()
    }

    /// A number in proportion to the shortest paths from `at` to `to` whose first link leads to `next`, one hop nearer:
    /// a step in a dimension that is due k times of K is the first of a share k / K of all orders of the steps; where
    /// both directions are equally short, of half of that.
    pub fn weight(&self, at: u32, next: u32, to: u32) -> u64 {
        let moved = (0..self.dims.len()).find(|d| self.apart(at, next, *d).0 > 0);
        moved.map_or(1, |d| {
            let (due, tied) = self.apart(at, to, d);
            u64::from(due) * self.weights[d] * if tied { 1 } else { 2 }
        })
    }
}

/// Most bytes of the two matrices of a product: 64 MiB.
const PRODUCT: u64 = 1 << 26;

/// The distances of a grid as those of its first dimensions and of its last ones, divided where that takes least memory; `None`
/// of what is no grid in full service, and where both ways to divide it take more than 64 MiB. O(links · dimensions).
pub fn hop_product(network: &Network) -> Option<HopProduct> {
    let form = GridForm::of(network)?;
    let bytes = |inner: u32| u64::from(inner).pow(2) + u64::from(network.switches() / inner.max(1)).pow(2);
    let inner =
        form.strides.iter().copied().min_by_key(|inner| bytes(*inner)).filter(|inner| bytes(*inner) <= PRODUCT)?;
    let matrix = |count: u32, stride: u32| {
        let of = |a: u32| (0..count).map(move |b| (a * stride, b * stride));
        let hops = (0..count).flat_map(of).map(|(a, b)| u8::try_from(form.distance(a, b)).ok());
        HopMatrix::from_rows(count, hops.collect::<Option<Vec<u8>>>()?)
    };
    HopProduct::new(matrix(network.switches() / inner, inner)?, matrix(inner, 1)?)
}

/// An extended generalised fat tree in the numbering of its generator.
pub struct TreeForm {
    levels: Vec<u8>,
    /// First switch of each level.
    firsts: Vec<u32>,
    down: Vec<u32>,
    up: Vec<u32>,
}

impl TreeForm {
    /// `None` without a whole tree.
    pub fn of(network: &Network) -> Option<TreeForm> {
        let structure = network.structure();
        let (tree, levels) = (structure.tree.as_ref()?, structure.levels.as_ref()?);
        if network.failed().is_some() || levels.len() != network.switches() as usize || !levels.is_sorted() {
            return None;
        }
        let firsts = (0..tree.down.len()).map(|l| levels.partition_point(|v| usize::from(*v) < l) as u32).collect();
        Some(TreeForm { levels: levels.clone(), firsts, down: tree.down.clone(), up: tree.up.clone() })
    }

    /// A hop between levels p-1 and p sets the p-th digit of a switch: below its level a digit that counts parents,
    /// above it one that counts children. So a way must pass the lowest and the highest digit that differ. O(levels).
    pub fn distance(&self, a: u32, b: u32) -> u32 {
        let (la, lb) = (usize::from(self.levels[a as usize]), usize::from(self.levels[b as usize]));
        let (mut low, mut high) = (la.min(lb), la.max(lb));
        let (mut x, mut y) = (a - self.firsts[la], b - self.firsts[lb]);
        for p in 1..self.down.len() {
            let digit = |rest: &mut u32, level: usize| {
                let radix = if p <= level { self.up[p - 1] } else { self.down[p] }.max(1);
                let digit = *rest % radix;
                *rest /= radix;
                digit
            };
            if digit(&mut x, la) != digit(&mut y, lb) {
                if p <= la.min(lb) {
                    low = low.min(p - 1);
                } else if p > la.max(lb) {
                    high = high.max(p);
                }
            }
        }
        let ends = (la - low + high - lb).min(high - la + lb - low);
        (high - low + ends) as u32
    }

    /// In a whole tree, links that lead nearer and all up, or all down, begin equally many shortest paths: where the digit
    /// that they set matters they all set it right, and where it is set again it does not matter. `None` elsewhere, or
    /// where some lead up and some down.
    pub fn alike(network: &Network, at: u32, mut next: impl Iterator<Item = u32>) -> Option<()> {
        let structure = network.structure();
        let levels = structure.levels.as_ref().filter(|_| structure.tree.is_some() && network.failed().is_none())?;
        let up = |s: u32| levels.get(s as usize) > levels.get(at as usize);
        let first = up(next.next()?);
        next.all(|s| up(s) == first).then_some(())
    }

    pub fn diameter(&self) -> u32 {
        // Down and up past every level at most, from any start.
        (3 * (self.down.len().saturating_sub(1))) as u32
    }
}

#[cfg(test)]
mod tests {
    use netloom_model::{Call, HopRows, NetworkBuilder};

    use super::*;
    use crate::routing::distances::{Distances, search};

    fn net(call: &str) -> Network {
        crate::build(&Call::parse(call).unwrap()).unwrap()
    }

    #[test]
    fn formulas_are_the_searched_distances() {
        for call in [
            "torus(4,5)",
            "torus(2,3,4)",
            "mesh(3,4,2)",
            "hypercube(5)",
            "hyperx(4,3)",
            "ring(7)",
            "hyperx([3,4],parallel=[2,1])",
            "k_ary_n_tree(k=2,n=4)",
            "k_ary_n_tree(k=3,n=3)",
            "thin_tree(down=4,up=2,levels=3)",
            "fat_tree(radix=8,levels=3)",
            "fat_tree(radix=8,levels=3,top=full)",
            "xgft(m=[2,3,2,2],w=[1,2,3,2],parallel=[1,2,1,1])",
            "star(5)",
        ] {
            let network = net(call);
            let closed = Distances::closed(&network).unwrap();
            let mut farthest = 0;
            for d in 0..network.switches() {
                let row = closed.to(d);
                for (s, hops) in search(&network, d).into_iter().enumerate() {
                    assert_eq!(row.get(s as u32), hops, "{call}: {s} to {d}");
                    farthest = farthest.max(hops);
                }
            }
            assert!(closed.diameter_bound(&network) >= farthest, "{call}");
        }
    }

    #[test]
    fn a_product_has_the_searched_distances() {
        for call in
            ["torus(4,5)", "torus(2,3,4)", "mesh(3,4,2)", "hypercube(5)", "hyperx(4,3)", "ring(7)", "mesh(1,1,3)"]
        {
            let network = net(call);
            let product = hop_product(&network).unwrap();
            assert_eq!(product.switches(), network.switches(), "{call}");
            for to in 0..network.switches() {
                for (from, hops) in search(&network, to).into_iter().enumerate() {
                    assert_eq!(u32::from(product.between(from as u32, to)), hops, "{call}: {from} to {to}");
                }
            }
        }
        // Half-way round a ring of 600 is more than a byte; a ring cannot be divided; part of a torus is none.
        assert!(hop_product(&net("torus(600,2)")).is_none());
        assert!(hop_product(&net("ring(8200)")).is_none());
        assert!(hop_product(&net("torus(4,4)").without(&[0], &[]).unwrap()).is_none());
        assert!(hop_product(&net("slim_fly(q=5)")).is_none());
    }

    #[test]
    fn no_formula_for_what_is_no_grid() {
        let grid = |extra: &[(u32, u32)], dims: [u32; 2]| {
            let mut b = NetworkBuilder::new("grid", 6);
            let class = b.class("x", 1.0, 0.0);
            [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]
                .iter()
                .chain(extra)
                .for_each(|c| b.cable(c.0, c.1, class));
            b.structure().grid =
                Some(netloom_model::network::Grid { dims: dims.to_vec(), wrap: vec![false; 2], complete: false });
            b.build().unwrap()
        };
        assert!(GridForm::of(&grid(&[], [2, 3])).is_some());
        // A cable across, a second cable in one place, other extents, a missing cable.
        assert!(GridForm::of(&grid(&[(0, 4)], [2, 3])).is_none());
        assert!(GridForm::of(&grid(&[(0, 2)], [2, 3])).is_none());
        assert!(GridForm::of(&grid(&[(0, 1)], [2, 3])).is_none());
        assert!(GridForm::of(&grid(&[], [3, 2])).is_none());
        let torus = net("torus(4,4)");
        assert!(Distances::closed(&torus.without(&[0], &[]).unwrap()).is_none());
        let tree = net("k_ary_n_tree(k=2,n=3)");
        assert!(Distances::closed(&tree.without(&[0], &[]).unwrap()).is_none());
        assert!(Distances::closed(&net("slim_fly(q=5)")).is_none());
    }
}
