//! Jobs destination by destination: the loads of all sources together follow one tree of routes.

use std::sync::atomic::{AtomicBool, Ordering};

use netloom_model::{Outcome, Progress};

use super::Model;
use super::lanes::{Lane, run};
use super::parts::part;
use super::receivers::Receivers;

/// Most units of parallel work, of at least [`FEWEST`] destinations each.
pub(super) const UNITS: usize = 512;
const FEWEST: usize = 8;

fn units(receivers: &Receivers<'_>) -> usize {
    receivers.len().div_ceil(FEWEST).clamp(1, UNITS)
}

impl Model<'_> {
    /// Adds the loads of a job to the sums of the lanes. False, and nothing is added, where its routes are no trees, or one
    /// does not exist: pair by pair that is a fault. O(destinations × switches on the routes to each).
    ///
    /// # Errors
    /// `NL-E004` if stopped.
    pub(super) fn distribute_trees(&self, job: usize, lanes: &mut [Lane], progress: &Progress) -> Outcome<bool> {
        if !self.goes_by_trees(job) {
            return Ok(false);
        }
        if self.distribute_stages(job, lanes, progress)? {
            return Ok(true);
        }
        let blocks = self.blocks(job);
        for block in 0..blocks {
            if !self.distribute_block(job, (block, blocks), lanes, progress)? {
                lanes.iter_mut().for_each(|lane| lane.sums.fill(0));
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The same for a block of destinations; false where a route is missing.
    pub(super) fn distribute_block(
        &self,
        job: usize,
        (block, blocks): (usize, usize),
        lanes: &mut [Lane],
        progress: &Progress,
    ) -> Outcome<bool> {
        let receivers = self.receivers(job, (block, blocks), progress)?;
        let (network, routing) = (self.network, self.jobs[job].routing);
        let how = (routing.split(), routing.limit());
        let broken = AtomicBool::new(false);
        let units = units(&receivers);
        run(lanes, units, progress, |lane, unit| {
            let Lane { tree, by_end, sources, sums, .. } = lane;
            for at in part(receivers.len(), unit, units) {
                let end = receivers.end(at);
                self.senders(job, (&receivers, at), by_end, sources);
                sources.iter_mut().for_each(|(_, bytes)| *bytes = self.parts(*bytes));
                let admitted = routing.admit(routing.switch_of(end)).is_ok()
                    && sources.iter().all(|(source, _)| routing.admit(*source).is_ok());
                let whole = admitted
                    && tree.grow(network, &*routing.towards(end), sources.iter().map(|(source, _)| *source), |_| false)
                    && tree.carry(sources, how, |link, units| sums[link as usize] += units);
                if !whole {
                    broken.store(true, Ordering::Relaxed);
                }
                if broken.load(Ordering::Relaxed) {
                    break;
                }
            }
            Ok(part(self.places[job].switches.len(), block * units + unit, blocks * units).len())
        })?;
        Ok(!broken.into_inner())
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
        if !(self.goes_by_trees(job) && self.has_many_paths(job)) {
            return Ok(false);
        }
        let (network, routing) = (self.network, self.jobs[job].routing);
        self.each_destination(job, lanes, progress, &|lane, (receivers, at), sources| {
            let (end, mut upstream) = (receivers.end(at), std::mem::take(&mut lane.upstream));
            lane.tree.upstream(network, &*routing.towards(end), links, &mut upstream);
            upstream.sort_unstable();
            if !upstream.is_empty() {
                self.senders(job, (receivers, at), &mut lane.by_end, sources);
            }
            for &(source, bytes) in sources.iter().filter(|(source, _)| upstream.binary_search(source).is_ok()) {
                self.shares(job, (source, end), self.parts(bytes), lane, put)?;
            }
            lane.upstream = upstream;
            Ok(())
        })?;
        Ok(true)
    }

    /// Calls `put` as [`Model::deliver`] does, destination by destination. O(flows × paths + flows log flows).
    ///
    /// # Errors
    /// As [`Model::deliver`].
    pub(super) fn deliver_sorted(
        &self,
        job: usize,
        lanes: &mut [Lane],
        progress: &Progress,
        put: &(impl Fn(&mut Lane, (u32, u32), &[u32], u64) + Sync),
    ) -> Outcome<()> {
        self.each_destination(job, lanes, progress, &|lane, (receivers, at), sources| {
            self.senders(job, (receivers, at), &mut lane.by_end, sources);
            let mut all = sources.iter();
            all.try_for_each(|&(source, bytes)| {
                self.shares(job, (source, receivers.end(at)), self.parts(bytes), lane, put)
            })
        })
    }

    /// Calls `visit(lane, (receivers, place), empty list)` for every destination.
    fn each_destination(
        &self,
        job: usize,
        lanes: &mut [Lane],
        progress: &Progress,
        visit: &(impl Fn(&mut Lane, (&Receivers<'_>, usize), &mut Vec<(u32, u64)>) -> Outcome<()> + Sync),
    ) -> Outcome<()> {
        let blocks = self.blocks(job);
        for block in 0..blocks {
            let receivers = self.receivers(job, (block, blocks), progress)?;
            let units = units(&receivers);
            run(lanes, units, progress, |lane, unit| {
                let mut sources = std::mem::take(&mut lane.sources);
                for at in part(receivers.len(), unit, units) {
                    sources.clear();
                    visit(lane, (&receivers, at), &mut sources)?;
                }
                lane.sources = sources;
                Ok(part(self.places[job].switches.len(), block * units + unit, blocks * units).len())
            })?;
        }
        Ok(())
    }
}
