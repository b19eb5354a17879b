//! Numbers of a tree per level, its wiring, its closed forms.

use netloom_model::network::TreeShape;

use crate::common::{product, sum};
use crate::row::Expected;

/// Level `i` has `down[i]` children (endpoints at level 0) and `up[i]` parents with `parallel[i]` cables each; the top
/// has `up` 0 and `parallel` 1. All lists are as long as the tree has levels.
#[derive(Clone, Debug)]
pub struct TreeFamilyShape(TreeShape);

impl TreeFamilyShape {
    /// `up` and `parallel` are one shorter than `down`: the top has no parents.
    pub fn new(down: Vec<u32>, up: &[u32], parallel: &[u32]) -> Self {
        let up = up.iter().copied().chain([0]).collect();
        let parallel = parallel.iter().copied().chain([1]).collect();
        TreeFamilyShape(TreeShape { down, up, parallel })
    }
    pub fn levels(&self) -> usize {
        self.0.down.len()
    }
    pub fn down(&self, level: usize) -> u32 {
        self.0.down[level]
    }
    pub fn into_tree(self) -> TreeShape {
        self.0
    }

    /// Π up[i] below the level, the number of switches at the top of one subtree, times Π down[i] above it, the number
    /// of subtrees (table 1 of Navaridas 2009 with E1-01).
    pub fn switches_at(&self, level: usize) -> u64 {
        let width = product(self.0.up[..level].iter().map(|&w| u64::from(w)));
        width.saturating_mul(product(self.0.down[level + 1..].iter().map(|&m| u64::from(m))))
    }

    fn cables_above(&self, level: usize) -> u64 {
        product([self.switches_at(level), u64::from(self.0.up[level]), u64::from(self.0.parallel[level])])
    }

    /// Parent of switch `s` of `level` through upward port `port`, as a number within its level.
    ///
    /// With W the product of `up` below the level: port·W + s mod W + ⌊s / (W·m)⌋·W·w, where w = up[level] and
    /// m = down[level+1] (Navaridas 2009 section 3.3 with E1-07, which is E1-05 if all numbers are k).
    pub fn parent(&self, level: usize, s: u64, port: u64) -> u64 {
        let width = product(self.0.up[..level].iter().map(|&w| u64::from(w)));
        let (w, m) = (u64::from(self.0.up[level]), u64::from(self.0.down[level + 1]));
        port * width + s % width + s / (width * m) * width * w
    }

    /// Downward port of the parent that leads to `s`: ⌊s / W⌋ mod m.
    #[cfg(test)]
    pub fn parent_port(&self, level: usize, s: u64) -> u64 {
        let width = product(self.0.up[..level].iter().map(|&w| u64::from(w)));
        s / width % u64::from(self.0.down[level + 1])
    }

    /// Visits each cable as (switch, parent, level of the switch).
    pub fn for_each_cable(&self, mut visit: impl FnMut(u32, u32, usize)) {
        let mut first = 0;
        for level in 0..self.levels() - 1 {
            let here = self.switches_at(level);
            for s in 0..here {
                for port in 0..u64::from(self.0.up[level]) {
                    let parent = first + here + self.parent(level, s, port);
                    for _ in 0..self.0.parallel[level] {
                        visit((first + s) as u32, parent as u32, level);
                    }
                }
            }
            first += here;
        }
    }

    pub fn expected(&self) -> Expected {
        let top = self.levels() - 1;
        let mut expected = Expected {
            switches: sum((0..=top).map(|l| self.switches_at(l))),
            endpoints: product(self.0.down.iter().map(|&m| u64::from(m))),
            switch_links: sum((0..top).map(|l| self.cables_above(l))),
            ..Expected::default()
        };
        let below = |l: usize| if l == 0 { 0 } else { u64::from(self.0.parallel[l - 1]) };
        let degree = |l: usize| {
            u64::from(self.0.down[l])
                .saturating_mul(below(l))
                .saturating_add(u64::from(self.0.up[l]).saturating_mul(u64::from(self.0.parallel[l])))
        };
        expected.degree_min = (0..=top).map(degree).min().and_then(|d| u32::try_from(d).ok());
        expected.degree_max = (0..=top).map(degree).max().and_then(|d| u32::try_from(d).ok());
        // Down to level 0, up through the top, down: never more than 2·top; two leaves under different children of
        // the top need all of it.
        if self.0.down[top] > 1 || top == 0 {
            expected.diameter = Some(2 * top as u32);
        }
        expected
    }
}
