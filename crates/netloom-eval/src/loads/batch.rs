//! The candidates of a unit's flows, held together, so that a pass reads the links' columns in one run of independent loads
//! instead of path by path: the columns are larger than a core's cache, and the loads overlap.

use netloom_model::PathList;

/// Candidates and requests of the flows of one unit in one round.
#[derive(Default)]
pub struct Batch {
    pub paths: PathList,
    /// Bytes that request each path, in the model's units.
    pub weights: Vec<u64>,
    /// End in `paths`, exclusive, of each flow; a flow without paths left has none.
    ends: Vec<u32>,
}

impl Batch {
    pub fn clear(&mut self) {
        self.paths.clear();
        self.weights.clear();
        self.ends.clear();
    }

    /// The paths added since belong to the next flow.
    pub fn close(&mut self) {
        self.ends.push(self.paths.len() as u32);
    }

    /// Paths of flow `i`.
    pub fn of(&self, i: usize) -> std::ops::Range<usize> {
        let first = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        first..self.ends[i] as usize
    }

    pub fn bytes(&self) -> usize {
        4 * self.paths.links.capacity() + 20 * self.weights.capacity() + 4 * self.ends.capacity()
    }

    /// Least entry of `column` on each path. `values` is room to work in.
    pub fn least(&self, column: &[f32], values: &mut Vec<f32>, least: &mut Vec<f32>) {
        values.clear();
        values.extend(self.paths.links.iter().map(|&link| column[link as usize]));
        least.clear();
        let mut first = 0;
        least.extend(self.paths.ends.iter().map(|&end| {
            let on_path = &values[first..end as usize];
            first = end as usize;
            on_path.iter().copied().fold(f32::INFINITY, f32::min)
        }));
    }

    /// Adds `amounts[k]` to the sum of every link of path `k`.
    pub fn scatter(&self, amounts: &[u64], sums: &mut [u64]) {
        let mut first = 0;
        for (&end, &amount) in self.paths.ends.iter().zip(amounts) {
            if amount > 0 {
                for &link in &self.paths.links[first..end as usize] {
                    sums[link as usize] += amount;
                }
            }
            first = end as usize;
        }
    }
}
