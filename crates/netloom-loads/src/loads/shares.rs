//! The decisions of the model, pair by pair: the links of the bytes, and the shares.

use std::collections::HashMap;

use netloom_model::{LinkShares, Outcome, Progress};

use super::Model;
use super::lanes::lanes;
use super::solve::Solution;

impl Model<'_> {
    /// Distributes once more and keeps the share of every link in the bytes of every flow of a job. O(one distribution);
    /// 16 bytes for every flow and link.
    ///
    /// # Errors
    /// `NL-E004` if stopped, and those of the routing.
    pub fn link_shares(&self, job: usize, solution: &Solution, progress: &Progress) -> Outcome<LinkShares> {
        let mut bytes: HashMap<(u32, u32), u64> = HashMap::new();
        for unit in self.keep_flows(job, progress)? {
            bytes.extend(unit.pairs.into_iter().zip(unit.bytes));
        }
        let mut lanes = lanes(0);
        self.deliver(job, solution, &mut lanes, progress, &|lane, pair, links, parts| {
            lane.crossings.extend(links.iter().map(|&link| (link, pair.0, pair.1, parts)));
        })?;
        let mut crossings: Vec<_> = lanes.into_iter().flat_map(|lane| lane.crossings).collect();
        crossings.sort_unstable_by_key(|&(link, source, destination, _)| (source, destination, link));
        let mut found = LinkShares::default();
        for pair in crossings.chunk_by(|a, b| (a.1, a.2) == (b.1, b.2)) {
            let key = (pair[0].1, pair[0].2);
            let all = self.parts(bytes.get(&key).copied().unwrap_or(0)) as f64;
            let links =
                pair.chunk_by(|a, b| a.0 == b.0).map(|same| (same[0].0, same.iter().map(|crossing| crossing.3).sum()));
            let carrying = links.filter(|&(_, sum): &(u32, u64)| sum > 0);
            found.add(key.0, key.1, carrying.map(|(link, sum)| (link, sum as f64 / all)));
        }
        Ok(found)
    }
}
