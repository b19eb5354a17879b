//! Links, queues and latencies of a machine in parts, put together.

use super::part::Part;
use super::saved::Undo;
use super::windows::Windows;
use crate::packet::occupancy::Occupancy;
use crate::packet::seen::{JobSeen, LinkSeen, Seen};
use crate::packet::watch::Scale;

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

impl<U: Undo> Windows<'_, U> {
    /// What all parts of this process saw, of `links` in all, up to the end of the run.
    pub fn seen(&mut self, links: usize) -> Option<Seen> {
        let until = self.ended_at();
        let mut seen = Seen { until, links: vec![LinkSeen::default(); links], ..Seen::default() };
        let mut standing: Option<Occupancy> = None;
        for part in &mut self.parts {
            part.look_until(until);
            let watch = part.watch.as_mut()?;
            let buffers: Vec<(f64, f64)> = watch.buffers().collect();
            let sources: Vec<(f64, u32)> = watch.sources().collect();
            for ((local, link), held) in (0u32..).zip(part.links.iter()).zip(buffers) {
                let queue = local.checked_sub(part.switch_links).map(|source| sources[source as usize]);
                seen.links[link.number as usize] = LinkSeen { used: watch.link(local), held: Some(held), queue };
            }
            seen.jobs.resize(part.seen.len(), JobSeen::default());
            seen.jobs.iter_mut().zip(&part.seen).for_each(|(all, own)| all.merge(own));
            if let Some(own) = watch.counted() {
                standing = Some(match standing {
                    Some(all) => all.and(own),
                    None => own,
                });
            }
        }
        seen.stood = standing.map_or_else(Vec::new, |standing| standing.stood(until));
        Some(seen)
    }
}
