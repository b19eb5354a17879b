//! Link loads at machine scale: expected bytes on every link for one job or many, without simulated time.
//!
//! The model of Jain 2016 §3.2.2. All messages of a phase are under way together. A *static* routing splits each message
//! over its paths in fixed shares. An *adaptive* one lets messages request bandwidth, link by link, until no message gets
//! more, and splits each message in proportion to what its paths were given ([`solve`]).
//!
//! Messages are never listed: ranks stream them ([`netloom_model::Sends`]), and those of one job from one switch to
//! another are merged into a *flow*, since they have the same candidate paths and weigh as much together as apart. Only
//! adaptive jobs keep their flows. All sums are of integers, so the result does not depend on the number of threads.

mod batch;
mod candidates;
mod causes;
mod check;
mod detours;
mod distribute;
mod flows;
mod lanes;
mod ranks;
mod solve;
pub mod summary;
#[cfg(test)]
mod tests;

use netloom_model::{Network, Outcome, Progress, Routing, Sends};

pub use causes::{Cause, Share};
pub use distribute::Loads;
pub use solve::Solution;

/// How messages choose among their candidate paths (Jain 2016 §3.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// The routing's own paths, in the routing's shares.
    StaticDirect,
    /// Packet by packet over a random intermediate switch: Valiant.
    StaticIndirect,
    /// The routing's own paths, in proportion to the bandwidth that they get.
    AdaptiveDirect,
    /// Fresh random detours in every iteration.
    AdaptiveIndirect,
    /// Up to two of the routing's own paths beside fresh detours: UGAL with global knowledge.
    AdaptiveHybrid,
}

impl Variant {
    pub const ALL: [Variant; 5] = [
        Variant::StaticDirect,
        Variant::StaticIndirect,
        Variant::AdaptiveDirect,
        Variant::AdaptiveIndirect,
        Variant::AdaptiveHybrid,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Variant::StaticDirect => "static-direct",
            Variant::StaticIndirect => "static-indirect",
            Variant::AdaptiveDirect => "adaptive-direct",
            Variant::AdaptiveIndirect => "adaptive-indirect",
            Variant::AdaptiveHybrid => "adaptive-hybrid",
        }
    }
    /// The abbreviation of Jain 2016.
    pub fn short(self) -> &'static str {
        match self {
            Variant::StaticDirect => "SD",
            Variant::StaticIndirect => "SI",
            Variant::AdaptiveDirect => "AD",
            Variant::AdaptiveIndirect => "AI",
            Variant::AdaptiveHybrid => "AH",
        }
    }
    pub fn is_adaptive(self) -> bool {
        !matches!(self, Variant::StaticDirect | Variant::StaticIndirect)
    }
    /// True if its candidates are the same in every iteration.
    fn is_direct(self) -> bool {
        matches!(self, Variant::StaticDirect | Variant::AdaptiveDirect)
    }
}

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

/// What the model leaves open. The defaults are those of Jain 2016, where it states them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Of all random intermediate switches and paths.
    pub seed: u64,
    /// Unit of static-indirect, at least 1: each packet takes a detour of its own. Jain 2016 does not state it.
    pub packet_bytes: u64,
    /// Candidates per flow and iteration of the indirect variants, at least 1.
    pub fresh_paths: u32,
    /// Most direct ones among them in the hybrid.
    pub direct_paths: u32,
    /// The bandwidth is exposed in this many equal steps where a job draws fresh paths, at least 1.
    pub increments: u32,
    /// The iteration ends when a round adds less than this share to the bandwidth that all messages have.
    pub tolerance: f64,
    /// Rounds after the last exposure, at most.
    pub rounds: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            seed: 1,
            packet_bytes: 1 << 16,
            fresh_paths: 4,
            direct_paths: 2,
            increments: 50,
            tolerance: 1e-3,
            rounds: 100,
        }
    }
}

/// A network with its jobs, checked and counted.
pub struct Model<'a> {
    network: &'a Network,
    jobs: Vec<Job<'a>>,
    settings: Settings,
    places: Vec<ranks::Places>,
    counts: Vec<Counts>,
    /// Where detours may lead: switches with endpoints and a way out.
    middles: Vec<u32>,
    /// Loads are counted in 2^-shift bytes.
    shift: u32,
    keep: solve::Keep,
}

/// What a job's messages add up to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// Between different endpoints.
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
    /// Checks the jobs and counts their messages: O(messages / threads), 8 bytes per rank and 16 per endpoint, each for
    /// every job.
    ///
    /// # Errors
    /// `NL-E001`, `NL-E020`..`NL-E022`, `NL-N003`, and `NL-E004` if stopped.
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

    /// Source switches that counting, solving and distributing once take at most, as [`Progress`] counts them.
    pub fn work(&self) -> u64 {
        let is_adaptive = |job: &Job<'_>| job.variant.is_adaptive();
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
    /// Loads of [`Loads`] and [`Share`] are whole multiples of this many bytes.
    pub fn unit_bytes(&self) -> f64 {
        1.0 / (1u64 << self.shift) as f64
    }
}
