//! Jobs in which all send to all, destination by destination: the loads of all sources together follow one tree of routes.

use std::sync::atomic::{AtomicBool, Ordering};

use netloom_model::{Outcome, Progress};

use super::everyone::Everyone;
use super::lanes::{Lane, run};
use super::{Candidates, Model};

/// Most units of parallel work, of at least [`FEWEST`] destinations each: sums of split bytes are rounded once for each.
pub(super) const UNITS: usize = 512;
const FEWEST: usize = 8;

impl Model<'_> {
    /// The job's messages as sums, if its routes can be followed destination by destination.
    fn by_destination(&self, job: usize) -> Option<&Everyone> {
        let (variant, routing) = (self.jobs[job].variant, self.jobs[job].routing);
        let in_shares = !variant.adaptive && !matches!(variant.candidates, Candidates::PerPacket { .. });
        self.everyone[job].as_ref().filter(|_| in_shares && routing.is_by_switch())
    }

    /// Destinations of unit `unit`, and the source switches that progress counts for it.
    fn part(&self, job: usize, everyone: &Everyone, unit: usize) -> (std::ops::Range<usize>, usize) {
        let (ends, sources) = (everyone.ends.len(), self.places[job].switches.len());
        let units = self.tree_units(everyone);
        let cut = |whole: usize, unit: usize| whole * unit / units;
        (cut(ends, unit)..cut(ends, unit + 1), cut(sources, unit + 1) - cut(sources, unit))
    }

    fn tree_units(&self, everyone: &Everyone) -> usize {
        everyone.ends.len().div_ceil(FEWEST).clamp(1, UNITS)
    }

    /// Adds the loads of a job to the sums of the lanes. False, and nothing is added, where its routes are no trees, or one
    /// does not exist: pair by pair that is a fault. O(destinations × switches on the routes to each).
    ///
    /// # Errors
    /// `NL-E004` if stopped.
    pub(super) fn distribute_trees(&self, job: usize, lanes: &mut [Lane], progress: &Progress) -> Outcome<bool> {
        let Some(everyone) = self.by_destination(job) else { return Ok(false) };
        if self.distribute_stages((job, everyone), lanes, progress)? {
            return Ok(true);
        }
        let (network, routing, places) = (self.network, self.jobs[job].routing, &self.places[job]);
        let one_path = routing.is_deterministic();
        let broken = AtomicBool::new(false);
        run(lanes, self.tree_units(everyone), progress, |lane, unit| {
            let (ends, steps) = self.part(job, everyone, unit);
            let Lane { tree, by_end, sources, sums, shared, .. } = lane;
            by_end.resize(network.switches() as usize, 0);
            shared.resize(if one_path { 0 } else { sums.len() }, 0.0);
            for &end in &everyone.ends[ends] {
                everyone.to(end, places, by_end, sources);
                sources.iter_mut().for_each(|(_, bytes)| *bytes = self.parts(*bytes));
                let admitted = routing.admit(end.switch).is_ok()
                    && sources.iter().all(|(source, _)| routing.admit(*source).is_ok());
                let whole = admitted
                    && tree.grow(
                        network,
                        &*routing.towards(end.end),
                        sources.iter().map(|(source, _)| *source),
                        |_| false,
                    )
                    && if one_path {
                        tree.carry(sources, |link, units| sums[link as usize] += units);
                        true
                    } else {
                        let how = (routing.split(), routing.limit());
                        let units = sources.iter().map(|(_, units)| *units as f64);
                        tree.share(units, how, |link, units| shared[link as usize] += units)
                    };
                if !whole {
                    broken.store(true, Ordering::Relaxed);
                }
                if broken.load(Ordering::Relaxed) {
                    break;
                }
            }
            for (sum, units) in sums.iter_mut().zip(shared) {
                *sum += std::mem::take(units).round() as u64;
            }
            Ok(steps)
        })?;
        let broken = broken.into_inner();
        if broken {
            lanes.iter_mut().for_each(|lane| lane.sums.fill(0));
        }
        Ok(!broken)
    }

    /// Calls `put` as [`Model::deliver`] does, for the flows over one of `links` and perhaps others; false where that needs
    /// all flows. O(destinations × links + these flows × paths).
    ///
    /// # Errors
    /// As [`Model::deliver`].
    pub(super) fn deliver_over(
        &self,
        (job, links): (usize, &[u32]),
        lanes: &mut [Lane],
        progress: &Progress,
        put: &(impl Fn(&mut Lane, (u32, u32), &[u32], u64) + Sync),
    ) -> Outcome<bool> {
        let Some(everyone) = self.by_destination(job) else { return Ok(false) };
        let (network, routing, places) = (self.network, self.jobs[job].routing, &self.places[job]);
        run(lanes, self.tree_units(everyone), progress, |lane, unit| {
            let (ends, steps) = self.part(job, everyone, unit);
            let (mut sources, mut upstream) = (Vec::new(), Vec::new());
            for &end in &everyone.ends[ends] {
                lane.tree.upstream(network, &*routing.towards(end.end), links, &mut upstream);
                if upstream.is_empty() {
                    continue;
                }
                upstream.sort_unstable();
                lane.by_end.resize(network.switches() as usize, 0);
                everyone.to(end, places, &mut lane.by_end, &mut sources);
                for &(source, bytes) in sources.iter().filter(|(source, _)| upstream.binary_search(source).is_ok()) {
                    self.shares(job, (source, end.end), self.parts(bytes), lane, put)?;
                }
            }
            Ok(steps)
        })?;
        Ok(true)
    }
}
