//! Messages of one job merged by pair of switches: made anew for each source switch, or kept for a job that iterates.

use netloom_model::{Outcome, Progress};
use rayon::prelude::*;

use super::Model;
use super::lanes::{Lane, lanes, run};

/// Source switches per unit of parallel work, where messages are read.
const CHUNK: usize = 16;
/// Flows that a unit of kept flows has at most, if it has several chunks; fewer where there are fewer than [`UNITS`] times
/// as many. With more of them, more detours lie near each other; with fewer units, threads run out of work one by one.
const FLOWS: usize = 1 << 16;
/// Units that kept flows make at least, if there are as many chunks.
const UNITS: usize = 64;

/// Flows of one unit of source switches, by source and destination. 16 bytes each.
#[derive(Default)]
pub struct UnitFlows {
    /// Source switches, also those without flows.
    pub switches: usize,
    pub pairs: Vec<(u32, u32)>,
    pub bytes: Vec<u64>,
}

impl UnitFlows {
    /// By destination, then source: the sources of a unit lie near each other, so that flows to one place now share most of
    /// their links with their neighbours in the list, which are then read from cache.
    fn sort(&mut self) {
        let key = |&((from, to), _): &((u32, u32), u64)| (to, from);
        let mut flows: Vec<((u32, u32), u64)> = self.pairs.drain(..).zip(self.bytes.drain(..)).collect();
        flows.sort_unstable_by_key(key);
        (self.pairs, self.bytes) = flows.into_iter().unzip();
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

    /// Calls `visit(destination switch, bytes)` for the flows from `source`, by ascending destination.
    /// O(messages of the switch + flows log flows).
    pub(super) fn merge(
        &self,
        job: usize,
        source: u32,
        lane: &mut Lane,
        mut visit: impl FnMut(&mut Lane, u32, u64) -> Outcome<()>,
    ) -> Outcome<()> {
        let (mut by_switch, mut touched) = (std::mem::take(&mut lane.by_switch), std::mem::take(&mut lane.touched));
        by_switch.resize(self.network.switches() as usize, 0);
        let places = &self.places[job];
        for &rank in places.on(source) {
            self.jobs[job].sends.for_each(rank, &mut |to, _, bytes| {
                let switch = places.switch_of_rank[to as usize];
                if switch != source && bytes > 0 {
                    let sum = &mut by_switch[switch as usize];
                    if *sum == 0 {
                        touched.push(switch);
                    }
                    *sum += bytes;
                }
            });
        }
        touched.sort_unstable();
        let made = touched.iter().try_for_each(|&to| visit(lane, to, std::mem::take(&mut by_switch[to as usize])));
        touched.clear();
        lane.by_switch = by_switch;
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
        let enough = FLOWS.min(all / UNITS);
        let mut units: Vec<UnitFlows> = Vec::new();
        for (_, chunk) in chunks {
            match units.last_mut().filter(|unit| unit.pairs.len() + chunk.pairs.len() <= enough) {
                Some(unit) => {
                    unit.switches += chunk.switches;
                    unit.pairs.extend(chunk.pairs);
                    unit.bytes.extend(chunk.bytes);
                }
                None => units.push(chunk),
            }
        }
        units.par_iter_mut().for_each(UnitFlows::sort);
        Ok(units)
    }
}
