//! Link loads at machine scale: expected bytes on every link for one job or many, without simulated time.
//!
//! The model of Jain 2016 §3.2.2. All messages of a phase are in flight together. A *static* routing splits each
//! message over its paths in fixed shares. An *adaptive* one lets messages request bandwidth, link by link, until no
//! message gets more, and splits each message in proportion to the allocations of its paths ([`solve`]).
//!
//! Messages are never listed: ranks stream them ([`netloom_model::Sends`]), and those of one job from one switch to
//! another are merged into a *flow*, since they have the same candidate paths and the same weight together as
//! separately. Only adaptive jobs keep their flows. All sums are of integers, so the result does not depend on the
//! number of threads.

mod batch;
mod candidates;
mod causes;
mod check;
mod detours;
mod distribute;
mod everyone;
mod flows;
mod inside;
mod lanes;
mod parts;
mod ranks;
mod receivers;
mod report;
mod room;
mod settings;
mod shares;
mod solve;
mod stages;
pub mod summary;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod to_all_tests;
mod tree;
mod trees;
mod unit;
mod variants;

use netloom_model::{Network, Outcome, Progress, Routing, Sends};

pub use causes::{Cause, Share};
pub use distribute::Loads;
pub use inside::{Inside, between_endpoints, inside};
pub use report::{Class, Report, bandwidths, classes, report};
pub use settings::{SETTINGS, Settings};
pub use solve::Solution;
pub use unit::Unit;
pub use variants::{Candidates, Packets, VARIANTS, Variant};

/// One job of a phase.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    pub name: &'a str,
    pub sends: &'a dyn Sends,
    /// Endpoint of each rank; ranks of one job may share an endpoint.
    pub endpoint_of_rank: &'a [u32],
    /// Candidate paths between two switches, and between a switch and an intermediate one.
    pub routing: &'a dyn Routing,
    pub variant: Variant,
}

/// A network with its jobs, checked and counted.
pub struct Model<'a> {
    network: &'a Network,
    jobs: Vec<Job<'a>>,
    settings: Settings,
    places: Vec<ranks::Places>,
    /// Per job, its messages as sums if every rank sends to every other one.
    everyone: Vec<Option<everyone::Everyone>>,
    counts: Vec<Counts>,
    /// Intermediate switches of detours: those with endpoints and a link out.
    middles: Vec<u32>,
    /// Requests for bandwidth are counted in 2^-shift bytes.
    shift: u32,
    /// Units of loads: finer, so that the sum of rounding errors stays invisible.
    unit: Unit,
    keep: solve::Keep,
}

/// Totals of a job's messages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// Between different nodes.
    pub messages: u64,
    /// Of these messages.
    pub bytes: u64,
    /// Messages that leave their switch, and their bytes.
    pub switch_messages: u64,
    pub switch_bytes: u64,
    /// Per endpoint.
    pub injected: Vec<u64>,
    pub ejected: Vec<u64>,
}

impl<'a> Model<'a> {
    /// Checks the jobs and counts their messages: O(messages / threads), where all send to all O(ranks log ranks); 8 bytes
    /// per rank and 16 per endpoint, each for every job.
    ///
    /// # Errors
    /// `NL-E001`, `NL-A007`, `NL-E021`, `NL-E022`, `NL-N003`, and `NL-E004` if stopped.
    pub fn new(
        network: &'a Network,
        jobs: Vec<Job<'a>>,
        settings: Settings,
        progress: &Progress,
    ) -> Outcome<Model<'a>> {
        check::model(network, jobs, settings, progress)
    }

    /// Source switches of all jobs.
    fn all_sources(&self) -> u64 {
        self.places.iter().map(|places| places.switches.len() as u64).sum()
    }

    /// Most source switches of counting, solving and distributing once, as [`Progress`] counts them.
    pub fn work(&self) -> u64 {
        let is_adaptive = |job: &Job<'_>| job.variant.adaptive;
        let solving = self.jobs.iter().any(is_adaptive);
        let rounds = u64::from(self.settings.increments) + u64::from(self.settings.rounds);
        self.all_sources() * (2 + if solving { 1 + 3 * rounds } else { 0 })
    }

    pub fn jobs(&self) -> &[Job<'a>] {
        &self.jobs
    }
    pub fn counts(&self) -> &[Counts] {
        &self.counts
    }
    /// Loads of [`Loads`] and [`Share`] are whole multiples of this.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Bytes in units of a load.
    fn parts(&self, bytes: u64) -> u64 {
        bytes << self.unit.shift
    }
}
