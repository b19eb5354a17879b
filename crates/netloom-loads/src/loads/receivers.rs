//! Destinations of a job, and what each source switch sends to them: from sums where all send to all, else from messages
//! sorted by destination.

use netloom_model::{Outcome, Progress};
use rayon::prelude::*;

use super::everyone::Everyone;
use super::lanes::{Lane, lanes, run};
use super::parts::part;
use super::{Candidates, Model};

/// Most flows that are kept at a time, 16 bytes each. With more, messages are read once for each block of destinations.
const FLOWS: u64 = 1 << 25;

/// Bytes from a source switch to a destination.
pub struct Received {
    end: u32,
    source: u32,
    bytes: u64,
}

/// Destinations of the routing, ascending.
pub enum Receivers<'a> {
    Sums(&'a Everyone),
    /// By destination, then source; and where each destination starts and the last one ends.
    Flows(Vec<Received>, Vec<usize>),
}

impl Receivers<'_> {
    pub fn len(&self) -> usize {
        match self {
            Receivers::Sums(everyone) => everyone.ends.len(),
            Receivers::Flows(_, starts) => starts.len() - 1,
        }
    }

    /// The destination at a place.
    pub fn end(&self, at: usize) -> u32 {
        match self {
            Receivers::Sums(everyone) => everyone.ends[at].end,
            Receivers::Flows(flows, starts) => flows[starts[at]].end,
        }
    }
}

impl Model<'_> {
    /// True if each flow of the job is split in the shares of its routing.
    fn is_in_shares(&self, job: usize) -> bool {
        let variant = self.jobs[job].variant;
        !variant.adaptive && !matches!(variant.candidates, Candidates::PerPacket { .. })
    }

    /// True if flows are followed pair by pair, those to one destination together.
    pub(super) fn sorts_pairs(&self, job: usize) -> bool {
        self.is_in_shares(job) && self.jobs[job].routing.is_searched()
    }

    /// True if the job's routes to a destination are followed as one tree. One path for each pair, of pairs of which not all
    /// occur, is as soon followed pair by pair, unless it is searched.
    pub(super) fn goes_by_trees(&self, job: usize) -> bool {
        let routing = self.jobs[job].routing;
        self.is_in_shares(job) && routing.is_by_switch() && (self.has_many_paths(job) || routing.is_searched())
    }

    /// True if to follow each pair on its own takes long.
    pub(super) fn has_many_paths(&self, job: usize) -> bool {
        self.everyone[job].is_some() || !self.jobs[job].routing.is_deterministic()
    }

    /// How many blocks of [`Model::receivers`] a job has.
    pub(super) fn blocks(&self, job: usize) -> usize {
        let pairs = self.places[job].switches.len() as u64 * u64::from(self.destinations(job));
        let flows = pairs.min(self.counts[job].switch_messages);
        if self.everyone[job].is_some() { 1 } else { flows.div_ceil(FLOWS).max(1) as usize }
    }

    /// Numbers of destinations end before this.
    fn destinations(&self, job: usize) -> u32 {
        if self.jobs[job].routing.by_endpoint() {
            self.network.switches() + self.network.endpoints()
        } else {
            self.network.switches()
        }
    }

    /// Block `block` of `blocks` of a job's destinations. O(messages + flows log flows), where all send to all O(1).
    ///
    /// # Errors
    /// `NL-E004` if stopped.
    pub(super) fn receivers(
        &self,
        job: usize,
        (block, blocks): (usize, usize),
        progress: &Progress,
    ) -> Outcome<Receivers<'_>> {
        if let Some(everyone) = &self.everyone[job] {
            return Ok(Receivers::Sums(everyone));
        }
        let all = self.destinations(job) as usize;
        let own = part(all, block, blocks);
        let mut made: Vec<(Lane, Vec<Received>)> = lanes(0).into_iter().map(|lane| (lane, Vec::new())).collect();
        run(&mut made, self.units(job), progress, |(lane, out), unit| {
            for &source in self.sources(job, unit) {
                self.merge(job, source, lane, |_, end, bytes| {
                    if own.contains(&(end as usize)) {
                        out.push(Received { end, source, bytes });
                    }
                    Ok(())
                })?;
            }
            Ok(0)
        })?;
        let mut flows: Vec<Received> = made.into_iter().flat_map(|(_, out)| out).collect();
        flows.par_sort_unstable_by_key(|flow| (flow.end, flow.source));
        let mut starts = vec![0];
        let mut end = 0;
        for same in flows.chunk_by(|a, b| a.end == b.end) {
            end += same.len();
            starts.push(end);
        }
        Ok(Receivers::Flows(flows, starts))
    }

    /// Replaces `out` by (source switch, bytes) of all that send to the destination at a place of `receivers`, by ascending
    /// switch. `sums` has a zero per switch, and again afterwards.
    pub(super) fn senders(
        &self,
        job: usize,
        (receivers, at): (&Receivers<'_>, usize),
        sums: &mut Vec<u64>,
        out: &mut Vec<(u32, u64)>,
    ) {
        match receivers {
            Receivers::Sums(everyone) => {
                sums.resize(self.network.switches() as usize, 0);
                everyone.to(everyone.ends[at], &self.places[job], sums, out);
            }
            Receivers::Flows(flows, starts) => {
                out.clear();
                out.extend(flows[starts[at]..starts[at + 1]].iter().map(|flow| (flow.source, flow.bytes)));
            }
        }
    }
}
