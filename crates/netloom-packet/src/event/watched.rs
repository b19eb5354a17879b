//! Links, queues and latencies of a machine in parts, put together.

use netloom_model::Outcome;

use super::part::Part;
use super::saved::Undo;
use crate::observe::occupancy::Occupancy;
use crate::observe::seen::{JobSeen, LinkSeen, Seen};
use crate::observe::watch::Scale;
use crate::parallel::process_group::differ;
use crate::parallel::windows::Windows;

impl<U: Undo> Part<'_, U> {
    /// Watches from the start on, with packets of so many jobs. `bins` of time for what stands in buffers; 0: none.
    pub fn look(&mut self, jobs: usize, bins: u16) {
        self.watch(u64::MAX, Scale::default());
        self.seen = vec![JobSeen::default(); jobs];
        if let Some(watch) = self.watch.as_mut().filter(|_| bins > 0) {
            let occupancy = Occupancy::new(self.network, true, 0, bins);
            watch.count(occupancy.of(self.links.iter().map(|link| link.number)));
        }
    }

    /// Ends the watch at a time that all events are before.
    fn look_until(&mut self, end: u64) {
        self.now = end;
        (0..self.lanes.len() as u32).for_each(|lane| self.settle(lane));
        if let Some(watch) = &mut self.watch {
            watch.end(end);
        }
    }
}

/// What some of the parts saw: links by number and packets that could not go on from each, jobs, and what stood in buffers.
type Watched = ((Vec<(u32, LinkSeen)>, Vec<u64>), (Vec<JobSeen>, Option<Occupancy>));

impl<U: Undo> Windows<'_, U> {
    /// What all parts of the machine saw, of `links` in all, up to the end of the run. A call of all processes.
    ///
    /// # Errors
    /// As [`super::ProcessGroup::call`].
    pub fn seen(&mut self, links: usize) -> Outcome<Option<Seen>> {
        let until = self.ended_at();
        let Some(own) = self.watched(until) else { return Ok(None) };
        let all = match self.group.is_alone() {
            true => vec![own],
            false => self.group.call(vec![own; self.group.size().into()])?,
        };
        let mut seen = Seen { until, links: vec![LinkSeen::default(); links], ..Seen::default() };
        let mut standing: Option<Occupancy> = None;
        let mut met = vec![0; links];
        for ((links, own), (jobs, stood)) in all {
            for (number, link) in links {
                *seen.links.get_mut(number as usize).ok_or_else(differ)? = link;
            }
            sum_up(&mut met, &own);
            add(&mut seen.jobs, &jobs);
            standing = both(standing, stood);
        }
        for (link, met) in seen.links.iter_mut().zip(met) {
            link.counters = link.counters.map(|(chunks, _)| (chunks, met));
        }
        seen.stood = standing.map_or_else(Vec::new, |standing| standing.stood(until));
        Ok(Some(seen))
    }

    /// The same of the parts of this process.
    fn watched(&mut self, until: u64) -> Option<Watched> {
        let (mut links, mut met, mut jobs, mut standing) = (Vec::new(), Vec::new(), Vec::new(), None);
        for part in &mut self.parts {
            part.look_until(until);
            let watch = part.watch.as_mut()?;
            let buffers: Vec<(f64, f64)> = watch.buffers().collect();
            let sources: Vec<(f64, u32)> = watch.sources().collect();
            for ((local, link), held) in (0u32..).zip(part.links.iter()).zip(buffers) {
                let queue = local.checked_sub(part.switch_links).map(|source| sources[source as usize]);
                let counters = watch.chunks(local).map(|chunks| (chunks, 0));
                links.push((link.number, LinkSeen { used: watch.link(local), held: Some(held), queue, counters }));
            }
            sum_up(&mut met, watch.met());
            add(&mut jobs, &part.seen);
            standing = both(standing, watch.counted());
        }
        Some(((links, met), (jobs, standing)))
    }
}

fn sum_up(sum: &mut Vec<u64>, own: &[u64]) {
    sum.resize(sum.len().max(own.len()), 0);
    sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
}

fn add(sum: &mut Vec<JobSeen>, jobs: &[JobSeen]) {
    sum.resize(sum.len().max(jobs.len()), JobSeen::default());
    sum.iter_mut().zip(jobs).for_each(|(sum, own)| sum.merge(own));
}

fn both(one: Option<Occupancy>, other: Option<Occupancy>) -> Option<Occupancy> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.and(other)),
        (one, other) => one.or(other),
    }
}
