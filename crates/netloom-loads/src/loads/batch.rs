//! The candidates of a unit's flows, held together, so that a pass reads the columns of the links in one run of
//! independent loads instead of path by path: the columns are larger than a core's cache, and the loads overlap.

use netloom_model::PathList;

/// Candidates and requests of the flows of one unit in one round.
#[derive(Default)]
pub struct Batch {
    pub paths: PathList,
    /// Flow of each path, as numbered in the unit.
    pub owners: Vec<u32>,
    /// Bytes that request each path, in the model's units.
    pub weights: Vec<u64>,
}

impl Batch {
    pub fn clear(&mut self) {
        self.paths.clear();
        self.owners.clear();
        self.weights.clear();
    }

    /// One more path of flow `owner`.
    #[inline]
    pub fn push(&mut self, owner: usize, links: &[u32], share: f64) {
        self.paths.links.extend_from_slice(links);
        self.close(owner, share);
    }

    /// Ends a path of `owner` whose links were appended by the caller.
    #[inline]
    pub fn close(&mut self, owner: usize, share: f64) {
        self.paths.close(share);
        self.owners.push(owner as u32);
    }

    pub fn bytes(&self) -> usize {
        4 * self.paths.links.capacity() + 24 * self.weights.capacity()
    }

    /// Least entry of `column` on each path, 0 where a path has no links. `values` is scratch space.
    pub fn least(&self, column: &[f32], values: &mut Vec<f32>, least: &mut Vec<f32>) {
        values.clear();
        values.extend(self.paths.links.iter().map(|&link| column[link as usize]));
        least.clear();
        let mut first = 0;
        least.extend(self.paths.ends.iter().map(|&end| {
            let on_path = &values[first..end as usize];
            first = end as usize;
            let least = on_path.iter().copied().fold(f32::INFINITY, f32::min);
            if least < f32::INFINITY { least } else { 0.0 }
        }));
    }

    /// Adds amount `k` to the sum of every link of path `k`.
    pub fn scatter(&self, amounts: impl Iterator<Item = u64>, sums: &mut [u64]) {
        let mut first = 0;
        for (&end, amount) in self.paths.ends.iter().zip(amounts) {
            if amount > 0 {
                for &link in &self.paths.links[first..end as usize] {
                    sums[link as usize] += amount;
                }
            }
            first = end as usize;
        }
    }
}
