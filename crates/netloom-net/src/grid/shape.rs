//! Extents and wrap-around of a grid: its cables and its closed forms.

use crate::common::{product, sum};
use crate::row::Expected;

#[derive(Clone, Debug)]
pub struct GridShape {
    pub dims: Vec<u32>,
    pub wrap: Vec<bool>,
    pub double: Vec<bool>,
}

impl GridShape {
    pub fn switches(&self) -> u64 {
        product(self.dims.iter().map(|&k| u64::from(k)))
    }

    /// True if the numbers of consecutive switches, the last and the first included, are connected.
    pub fn is_ring(&self) -> bool {
        let long: Vec<usize> = (0..self.dims.len()).filter(|&d| self.dims[d] > 1).collect();
        matches!(long[..], [d] if self.wrap[d] || self.dims[d] == 2)
    }

    /// Cables of one line along dimension `d`.
    fn cables_per_line(&self, d: usize) -> u64 {
        let k = u64::from(self.dims[d]);
        match k {
            0 | 1 => 0,
            2 => 1 + u64::from(self.wrap[d] && self.double[d]),
            _ => k - 1 + u64::from(self.wrap[d]),
        }
    }

    /// Visits each cable as (switch, switch, dimension).
    pub fn for_each_cable(&self, mut visit: impl FnMut(u32, u32, usize)) {
        let n = self.switches() as u32;
        let mut stride = n;
        for (d, &k) in self.dims.iter().enumerate() {
            stride /= k;
            for s in 0..n {
                let c = s / stride % k;
                if c + 1 < k {
                    visit(s, s + stride, d);
                } else if self.cables_per_line(d) == u64::from(k) {
                    visit(s - (k - 1) * stride, s, d);
                }
            }
        }
    }

    /// Fewest and most ports that a switch has along dimension `d`.
    fn degree(&self, d: usize) -> (u32, u32) {
        match self.dims[d] {
            0 | 1 => (0, 0),
            2 if self.wrap[d] && self.double[d] => (2, 2),
            2 => (1, 1),
            _ if self.wrap[d] => (2, 2),
            _ => (1, 2),
        }
    }

    /// Sum of distances over the ordered pairs of positions of one line, pairs of equal positions included:
    /// k³/4 or k(k²-1)/4 on a ring, k(k²-1)/3 on a path.
    fn line_sum(&self, d: usize) -> u128 {
        let k = u128::from(self.dims[d]);
        match (self.wrap[d], k % 2) {
            (true, 0) => k * k * k / 4,
            (true, _) => k * (k * k - 1) / 4,
            (false, _) => k * (k * k - 1) / 3,
        }
    }

    pub fn expected(&self, p: u64) -> Expected {
        let n = self.switches();
        let all = 0..self.dims.len();
        let mut expected = Expected {
            switches: n,
            endpoints: n.saturating_mul(p),
            switch_links: sum(all
                .clone()
                .map(|d| (n / u64::from(self.dims[d])).saturating_mul(self.cables_per_line(d)))),
            ..Expected::default()
        };
        if n > crate::common::LIMIT {
            return expected;
        }
        expected.degree_min = Some(all.clone().map(|d| self.degree(d).0).sum());
        expected.degree_max = Some(all.clone().map(|d| self.degree(d).1).sum());
        expected.diameter =
            Some(all.clone().map(|d| if self.wrap[d] { self.dims[d] / 2 } else { self.dims[d] - 1 }).sum());
        let hops: u128 = all
            .clone()
            .map(|d| {
                self.line_sum(d) * u128::from(n / u64::from(self.dims[d])) * u128::from(n / u64::from(self.dims[d]))
            })
            .sum();
        if n > 1 {
            expected.aspl = Some(hops as f64 / (u128::from(n) * u128::from(n - 1)) as f64);
        }
        expected.bisection_cables = self.bisection();
        expected.transitive = all.clone().all(|d| self.wrap[d] || self.dims[d] <= 2);
        expected
    }

    /// Extent of the ring whose busiest link would carry as much as a line of dimension `d` does under uniform traffic,
    /// as a fraction (numerator, denominator): a ring of k carries N·k/8 per link (k even), a path 2k times that / k.
    fn load(&self, d: usize) -> (u128, u128) {
        let k = u128::from(self.dims[d]);
        let ring = self.wrap[d] && (k > 2 || self.double[d]);
        match (ring, k % 2) {
            (true, 0) => (k, 1),
            (true, _) => (k * k - 1, k),
            (false, 0) => (2 * k, 1),
            (false, _) => (2 * (k * k - 1), k),
        }
    }

    /// Cables in the best cut into equal halves of switches, where proved.
    ///
    /// If the dimension with the largest load is even, cutting it in the middle meets the lower bound that uniform
    /// traffic gives: N²/4 pairs cross any bisection, and no link carries more than N·load/8 of them under
    /// dimension-ordered routing. Otherwise the formula of Aroca and Fernandez Anta for pure meshes and pure tori:
    /// (2×) the sum over the extents, from the largest to the first even one, of the product of the extents after it.
    fn bisection(&self) -> Option<u64> {
        let n = u128::from(self.switches());
        let mut long: Vec<usize> = (0..self.dims.len()).filter(|&d| self.dims[d] > 1).collect();
        if long.is_empty() {
            return Some(0);
        }
        // Fractions a/b are compared as a·b' against a'·b.
        let above = |x: (u128, u128), y: (u128, u128)| x.0 * y.1 >= y.0 * x.1;
        let even: Vec<usize> = long.iter().copied().filter(|&d| self.dims[d].is_multiple_of(2)).collect();
        let heaviest = even.iter().copied().find(|&d| long.iter().all(|&e| above(self.load(d), self.load(e))));
        if let Some(d) = heaviest {
            return u64::try_from(2 * n / self.load(d).0).ok();
        }
        let torus = long.iter().all(|&d| self.wrap[d] && self.dims[d] > 2);
        let mesh = long.iter().all(|&d| !self.wrap[d]);
        if !torus && !mesh {
            return None;
        }
        long.sort_by_key(|&d| std::cmp::Reverse(self.dims[d]));
        let mut rest = n;
        let mut total = 0;
        for &d in &long {
            rest /= u128::from(self.dims[d]);
            total += rest;
            if self.dims[d].is_multiple_of(2) {
                break;
            }
        }
        u64::try_from(if torus { 2 * total } else { total }).ok()
    }
}
