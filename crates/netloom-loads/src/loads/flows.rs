//! Messages of one job merged by pair of switches: recomputed for each source switch, or kept for a job that iterates.

use netloom_model::{Outcome, Progress};
use rayon::prelude::*;

use super::Model;
use super::lanes::{Lane, lanes, run};
use super::parts::part;

/// Source switches per unit of parallel work, where messages are read.
const CHUNK: usize = 16;
/// Most flows of a unit of kept flows; fewer if there are fewer than [`UNITS`] times as many. Larger units give more
/// detours close to each other; with too few units, threads become idle one by one.
const FLOWS: usize = 1 << 18;
/// Units whose flows have the same sources, each with its own destinations: a unit reads and writes data of some
/// sources and some destinations only, which stays in cache.
const ABREAST: usize = 16;
/// Least number of units of kept flows, if there are as many chunks.
const UNITS: usize = 64;

/// Flows of one unit of source switches, by source and destination. 16 bytes each.
#[derive(Default)]
pub struct UnitFlows {
    /// Source switches, including those without flows.
    pub switches: usize,
    pub pairs: Vec<(u32, u32)>,
    pub bytes: Vec<u64>,
}

impl UnitFlows {
    /// By destination, then source, cut into units of at most `most` flows: flows to one destination share most of
    /// their links with their neighbours in the list, which are then read from cache.
    fn split(self, most: usize) -> Vec<UnitFlows> {
        let mut flows: Vec<((u32, u32), u64)> = self.pairs.into_iter().zip(self.bytes).collect();
        flows.sort_unstable_by_key(|&((from, to), _)| (to, from));
        let units = flows.len().div_ceil(most).max(1);
        let mut flows = flows.into_iter();
        let count = flows.len();
        let unit = |unit: usize| {
            let (pairs, bytes) = flows.by_ref().take(part(count, unit, units).len()).unzip();
            UnitFlows { switches: part(self.switches, unit, units).len(), pairs, bytes }
        };
        (0..units).map(unit).collect()
    }
}

impl Model<'_> {
    pub(super) fn units(&self, job: usize) -> usize {
        self.places[job].switches.len().div_ceil(CHUNK)
    }

    /// Source switches of a unit.
    pub(super) fn sources(&self, job: usize, unit: usize) -> &[u32] {
        let switches = &self.places[job].switches;
        &switches[unit * CHUNK..switches.len().min((unit + 1) * CHUNK)]
    }

    /// Calls `visit(destination, bytes)` for the flows from `source`, by ascending destination.
    /// O(messages of the switch + flows log flows); where all send to all O(flows).
    pub(super) fn merge(
        &self,
        job: usize,
        source: u32,
        lane: &mut Lane,
        mut visit: impl FnMut(&mut Lane, u32, u64) -> Outcome<()>,
    ) -> Outcome<()> {
        let (mut by_end, mut touched) = (std::mem::take(&mut lane.by_end), std::mem::take(&mut lane.touched));
        let places = &self.places[job];
        let ends = places.destinations();
        let (endpoint_of_rank, hosts) = (self.jobs[job].endpoint_of_rank, self.settings.hosts.as_deref());
        let endpoints = if self.jobs[job].routing.by_endpoint() { self.network.endpoints() } else { 0 };
        by_end.resize((self.network.switches() + endpoints) as usize, 0);
        if let Some(everyone) = &self.everyone[job] {
            let made = everyone.from(source, places, &mut by_end, |to, bytes| visit(lane, to, bytes));
            by_end.fill(0);
            (lane.by_end, lane.touched) = (by_end, touched);
            return made;
        }
        for &rank in places.on(source) {
            let from = endpoint_of_rank[rank as usize];
            // Where nodes have one endpoint, other switches are other nodes.
            let away =
                |to: u32| hosts.is_none_or(|hosts| hosts.host(from) != hosts.host(endpoint_of_rank[to as usize]));
            self.jobs[job].sends.for_each_summed(rank, &mut |to, _, bytes| {
                if places.switch_of_rank[to as usize] != source && bytes > 0 && away(to) {
                    let end = ends[to as usize];
                    let sum = &mut by_end[end as usize];
                    if *sum == 0 {
                        touched.push(end);
                    }
                    *sum += bytes;
                }
            });
        }
        touched.sort_unstable();
        let made = touched.iter().try_for_each(|&to| visit(lane, to, std::mem::take(&mut by_end[to as usize])));
        touched.clear();
        lane.by_end = by_end;
        lane.touched = touched;
        made
    }

    /// Keeps the flows of a job: 16 bytes each.
    pub(super) fn keep_flows(&self, job: usize, progress: &Progress) -> Outcome<Vec<UnitFlows>> {
        let mut made: Vec<(Lane, Vec<(usize, UnitFlows)>)> = lanes(0).into_iter().map(|l| (l, Vec::new())).collect();
        run(&mut made, self.units(job), progress, |(lane, out), unit| {
            let sources = self.sources(job, unit);
            let mut flows = UnitFlows { switches: sources.len(), ..UnitFlows::default() };
            for &source in sources {
                self.merge(job, source, lane, |_, to, bytes| {
                    flows.pairs.push((source, to));
                    flows.bytes.push(bytes);
                    Ok(())
                })?;
            }
            out.push((unit, flows));
            Ok(sources.len())
        })?;
        let mut chunks: Vec<(usize, UnitFlows)> = made.into_iter().flat_map(|(_, out)| out).collect();
        chunks.sort_unstable_by_key(|(unit, _)| *unit);
        let all: usize = chunks.iter().map(|(_, flows)| flows.pairs.len()).sum();
        let enough = FLOWS.min(all / UNITS).max(1);
        let mut wide: Vec<UnitFlows> = Vec::new();
        for (_, chunk) in chunks {
            match wide.last_mut().filter(|unit| unit.pairs.len() + chunk.pairs.len() <= ABREAST * enough) {
                Some(unit) => {
                    unit.switches += chunk.switches;
                    unit.pairs.extend(chunk.pairs);
                    unit.bytes.extend(chunk.bytes);
                }
                None => wide.push(chunk),
            }
        }
        Ok(wide.into_par_iter().flat_map_iter(|wide| wide.split(enough)).collect())
    }
}
