//! Messages of one job merged by pair of switches: made anew for each source switch, or kept for a job that iterates.

use netloom_model::{Outcome, Progress};

use super::Model;
use super::lanes::{Lane, lanes, run};

/// Source switches per unit of parallel work.
const CHUNK: usize = 16;

/// The flows of a job, by source switch. 12 bytes each.
pub struct Flows {
    /// Per unit of [`Model::units`], the first of its rows in `rows`.
    pub units: Vec<UnitFlows>,
}

/// Flows of the source switches of one unit.
#[derive(Default)]
pub struct UnitFlows {
    /// End in `to` and `bytes`, exclusive, of each source switch.
    pub ends: Vec<u32>,
    pub to: Vec<u32>,
    pub bytes: Vec<u64>,
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

    /// Keeps the flows of a job: 12 bytes each.
    pub(super) fn keep_flows(&self, job: usize, progress: &Progress) -> Outcome<Flows> {
        let mut made: Vec<(Lane, Vec<(usize, UnitFlows)>)> = lanes(0).into_iter().map(|l| (l, Vec::new())).collect();
        run(&mut made, self.units(job), progress, |(lane, out), unit| {
            let mut flows = UnitFlows::default();
            for &source in self.sources(job, unit) {
                self.merge(job, source, lane, |_, to, bytes| {
                    flows.to.push(to);
                    flows.bytes.push(bytes);
                    Ok(())
                })?;
                flows.ends.push(flows.to.len() as u32);
            }
            flows.to.shrink_to_fit();
            flows.bytes.shrink_to_fit();
            out.push((unit, flows));
            Ok(())
        })?;
        let mut units: Vec<UnitFlows> = (0..self.units(job)).map(|_| UnitFlows::default()).collect();
        for (unit, flows) in made.into_iter().flat_map(|(_, out)| out) {
            units[unit] = flows;
        }
        Ok(Flows { units })
    }
}

impl UnitFlows {
    /// Calls `visit(index in the unit, source, destination, bytes)` for every flow.
    pub fn for_each(&self, sources: &[u32], mut visit: impl FnMut(usize, u32, u32, u64) -> Outcome<()>) -> Outcome<()> {
        let mut at = 0;
        for (&source, &end) in sources.iter().zip(&self.ends) {
            for i in at..end as usize {
                visit(i, source, self.to[i], self.bytes[i])?;
            }
            at = end as usize;
        }
        Ok(())
    }
}
