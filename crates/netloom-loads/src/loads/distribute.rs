//! From paths and their allocations to bytes on links.

use netloom_model::{Outcome, Progress};

use super::detours::words;
use super::lanes::{Lane, gather, lanes, run};
use super::parts::Parts;
use super::room::Room;
use super::solve::Solution;
use super::{Candidates, Model};

/// Most packets collected before they are sent together.
const PACKETS: usize = 1 << 20;

/// Bytes on every link.
#[derive(Clone, Debug, PartialEq)]
pub struct Loads {
    /// Per job, per directed switch link, in the model's units ([`Model::unit`]).
    pub by_job: Vec<Vec<u64>>,
}

impl Model<'_> {
    /// Splits every flow over its paths. Static jobs stream; adaptive ones go through the iterations of `solution`,
    /// the result of [`Model::solve`] of this model, again: 8 more bytes per flow. O(flows × paths × hops), times the
    /// iterations for adaptive jobs; 8 bytes per link and job. Where every packet at a switch goes on alike, and there are
    /// several paths or all send to all, O(destinations × switches on the routes to each); 16 bytes per flow, at most 512 MiB.
    ///
    /// # Errors
    /// `NL-E004` if stopped, and those of the routing.
    pub fn distribute(&self, solution: &Solution, progress: &Progress) -> Outcome<Loads> {
        let links = self.network.switch_links() as usize;
        let mut lanes = lanes(links);
        let mut by_job = Vec::with_capacity(self.jobs.len());
        for job in 0..self.jobs.len() {
            if !self.distribute_trees(job, &mut lanes, progress)? {
                self.deliver(job, solution, &mut lanes, progress, &|lane, _, links, parts| {
                    for &link in links {
                        lane.sums[link as usize] += parts;
                    }
                })?;
            }
            let mut total = vec![0u64; links];
            gather(&mut lanes, &mut total);
            by_job.push(total);
        }
        Ok(Loads { by_job })
    }

    /// Calls `put(lane, pair, links, units)` for every flow of a job and every path.
    pub(super) fn deliver(
        &self,
        job: usize,
        solution: &Solution,
        lanes: &mut [Lane],
        progress: &Progress,
        put: &(impl Fn(&mut Lane, (u32, u32), &[u32], u64) + Sync),
    ) -> Outcome<()> {
        if self.jobs[job].variant.adaptive {
            return self.replay(job, solution, lanes, progress, put);
        }
        if self.sorts_pairs(job) {
            return self.deliver_sorted(job, lanes, progress, put);
        }
        run(lanes, self.units(job), progress, |lane, unit| {
            let mut room = std::mem::take(&mut lane.room);
            for &source in self.sources(job, unit) {
                self.merge(job, source, lane, |lane, to, bytes| match self.jobs[job].variant.candidates {
                    Candidates::PerPacket { bytes: size } => {
                        self.packets(job, (source, to), (bytes, size), lane, &mut room, put)
                    }
                    _ => self.shares(job, (source, to), self.parts(bytes), lane, put),
                })?;
            }
            self.send(job, lane, &mut room, put)?;
            lane.room = room;
            Ok(self.sources(job, unit).len())
        })
    }

    /// One flow over the routing's paths, in the routing's shares.
    pub(super) fn shares(
        &self,
        job: usize,
        pair: (u32, u32),
        parts: u64,
        lane: &mut Lane,
        put: &impl Fn(&mut Lane, (u32, u32), &[u32], u64),
    ) -> Outcome<()> {
        let mut paths = std::mem::take(&mut lane.paths);
        self.jobs[job].routing.list(pair.0, pair.1, &mut paths)?;
        let mut split = Parts::new(parts, paths.shares.iter().sum());
        for (links, share) in paths.iter() {
            let parts = split.next(share);
            put(lane, pair, links, parts);
        }
        lane.paths = paths;
        Ok(())
    }

    /// One flow packet by packet of `size` bytes, each over its own intermediate switch; sent when there are [`PACKETS`] of several flows.
    fn packets(
        &self,
        job: usize,
        pair: (u32, u32),
        (bytes, size): (u64, u64),
        lane: &mut Lane,
        room: &mut Room,
        put: &impl Fn(&mut Lane, (u32, u32), &[u32], u64),
    ) -> Outcome<()> {
        room.pairs.push(pair);
        for number in 0..bytes.div_ceil(size) {
            // Packets are numbered in place of iterations: 2^32 of them before the words repeat with another shift.
            let mut words = words(self.settings.seed ^ (number >> 32), job, pair, number as u32);
            let packet = size.min(bytes - number * size);
            room.detours.ask(room.pairs.len() - 1, &self.middles, &mut words, self.parts(packet));
            if room.detours.len() == PACKETS {
                self.send(job, lane, room, put)?;
                room.pairs.push(pair);
            }
        }
        Ok(())
    }

    /// Sends the packets collected in `room`.
    fn send(
        &self,
        job: usize,
        lane: &mut Lane,
        room: &mut Room,
        put: &impl Fn(&mut Lane, (u32, u32), &[u32], u64),
    ) -> Outcome<()> {
        let Room { detours, pairs, .. } = room;
        let on = (self.network.switches(), self.jobs[job].routing);
        detours.draw(
            on,
            pairs,
            |_| true,
            |_| true,
            |detour, first, second| {
                let pair = pairs[detour.owner as usize];
                put(lane, pair, first, detour.bytes);
                put(lane, pair, second, detour.bytes);
            },
        )?;
        detours.clear();
        pairs.clear();
        Ok(())
    }
}
