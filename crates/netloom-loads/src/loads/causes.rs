//! Causes of the bytes on a link: which job, which ranks, at which distance in ranks.

use std::collections::BTreeMap;

use netloom_model::{Outcome, Progress};

use super::Model;
use super::everyone::to_end;
use super::lanes::Lane;
use super::solve::Solution;

/// Most flows that are resolved to ranks, for each link and job.
const FLOWS: usize = 256;

/// Load of one link.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    pub link: u32,
    /// Per job that uses the link, by decreasing bytes.
    pub shares: Vec<Share>,
}

/// Load of one job on one link.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    pub job: usize,
    /// In the model's units.
    pub load: u64,
    /// Flows between two switches that cross the link.
    pub flows: u64,
    /// Bytes by message class, the difference of destination and source rank; largest first, at most the number asked for.
    /// Of the job's [`FLOWS`] largest flows on the link.
    pub offsets: Vec<(i64, f64)>,
    /// Bytes by pair of ranks, largest first.
    pub pairs: Vec<(u32, u32, f64)>,
}

/// Flows over watched links: (link, source switch, destination, units).
type Crossing = (u32, u32, u32, u64);

impl Model<'_> {
    /// Distributes once more and records the flows over `links` (at most a few dozen); lists the `top` classes and
    /// pairs of ranks of each job. O(one distribution), and 24 bytes for every path of every flow on these links.
    ///
    /// # Errors
    /// `NL-E004` if stopped, and those of the routing.
    pub fn causes(&self, solution: &Solution, links: &[u32], top: usize, progress: &Progress) -> Outcome<Vec<Cause>> {
        let mut watched = vec![false; self.network.switch_links() as usize];
        links.iter().for_each(|&l| watched[l as usize] = true);
        let mut causes: Vec<Cause> = links.iter().map(|&link| Cause { link, shares: Vec::new() }).collect();
        for job in 0..self.jobs.len() {
            let mut crossings = self.crossings(job, solution, (links, &watched), progress)?;
            // Paths of one flow over one link are added up.
            crossings.sort_unstable();
            crossings.dedup_by(|next, kept| {
                let same = (next.0, next.1, next.2) == (kept.0, kept.1, kept.2);
                if same {
                    kept.3 += next.3;
                }
                same
            });
            for cause in &mut causes {
                let first = crossings.partition_point(|c| c.0 < cause.link);
                let last = crossings.partition_point(|c| c.0 <= cause.link);
                if first < last {
                    cause.shares.push(self.share(job, &mut crossings[first..last].to_vec(), top));
                }
            }
        }
        for cause in &mut causes {
            cause.shares.sort_by_key(|share| (std::cmp::Reverse(share.load), share.job));
        }
        Ok(causes)
    }

    fn crossings(
        &self,
        job: usize,
        solution: &Solution,
        (links, watched): (&[u32], &[bool]),
        progress: &Progress,
    ) -> Outcome<Vec<Crossing>> {
        let mut lanes: Vec<Lane> = (0..rayon::current_num_threads()).map(|_| Lane::default()).collect();
        let put = |lane: &mut Lane, pair: (u32, u32), links: &[u32], parts: u64| {
            for &link in links {
                if watched[link as usize] {
                    lane.crossings.push((link, pair.0, pair.1, parts));
                }
            }
        };
        if !self.deliver_over((job, links), &mut lanes, progress, &put)? {
            self.deliver(job, solution, &mut lanes, progress, &put)?;
        }
        Ok(lanes.into_iter().flat_map(|lane| lane.crossings).collect())
    }

    /// The flows of one job on one link, resolved to ranks.
    fn share(&self, job: usize, crossings: &mut [Crossing], top: usize) -> Share {
        crossings.sort_unstable_by_key(|c| (std::cmp::Reverse(c.3), c.1, c.2));
        let load = crossings.iter().map(|c| c.3).sum();
        let (mut offsets, mut pairs) = (BTreeMap::new(), Vec::new());
        let places = &self.places[job];
        let endpoint = |rank: u32| self.jobs[job].endpoint_of_rank[rank as usize];
        let inside = |a: u32, b: u32| self.settings.inside(endpoint(a), endpoint(b));
        for &(_, source, destination, parts) in crossings.iter().take(FLOWS) {
            let mut flow = Vec::new();
            let sends = (self.jobs[job].sends, self.everyone[job].as_ref());
            to_end(sends, (places, self.jobs[job].routing), (source, destination), |rank, to, bytes| {
                if bytes > 0 && !inside(to, rank) {
                    flow.push((rank, to, bytes));
                }
            });
            let total: u64 = flow.iter().map(|f| f.2).sum();
            for (rank, to, bytes) in flow {
                let carried = self.unit.bytes(parts) * (bytes as f64 / total as f64);
                *offsets.entry(i64::from(to) - i64::from(rank)).or_insert(0.0) += carried;
                pairs.push((rank, to, carried));
            }
        }
        let whole = |bytes: f64| self.unit.whole(bytes);
        let mut offsets: Vec<(i64, f64)> = offsets.into_iter().map(|(offset, bytes)| (offset, whole(bytes))).collect();
        pairs.iter_mut().for_each(|pair: &mut (u32, u32, f64)| pair.2 = whole(pair.2));
        offsets.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        offsets.truncate(top);
        pairs.sort_by(|a, b| b.2.total_cmp(&a.2).then((a.0, a.1).cmp(&(b.0, b.1))));
        pairs.truncate(top);
        Share { job, load, flows: crossings.len() as u64, offsets, pairs }
    }
}
