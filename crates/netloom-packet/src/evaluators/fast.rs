//! A run of which a part is simulated: long messages move a share of their bytes, or of many repetitions some are done.
//!
//! ```text
//!   time
//!    │                        ∙  T(1) = c + slope (1 - share of c)
//!    │                ∙ ∙
//!    │    c   slope ∙
//!    │  b ●─────∙
//!    │ a●             shares double from run to run
//!    └──────────────────────── share
//! ```
//!
//! While links are in a steady state each packet more takes as long as the one before. Whether they are is seen in two ways: the slope
//! stays the same, and so does what stands in buffers. Shares double until the error is small, or an eighth is reached.
//!
//! Of ranks that do the same in parts of the machine that are alike, some act for all ([`Alike`]), which costs no error.

use netloom_model::fault::codes as model;
use netloom_model::{Fault, Faults, Outcome, Progress, Routing, Scenario, Workload, record};

use std::sync::Arc;

use super::alike::Alike;
use super::extrapolated::{Extrapolated, PartialRun};
use super::sizes::Sizes;
use crate::event::weights::for_each_message;
use crate::event::{Injection, PacketRun, Share, execute};
use crate::routes::taking::Taking;
use crate::{Carried, Kept, OutputSettings, PacketWork, ParallelStats, ProcessGroup, codes};
use netloom_ranks::{Execution, Job, RoutedMachine};

/// The first share is a packet, or a repetition, in so many; the first three shares are a 20th together.
const PARTS: u64 = 140;
/// Shares double until the error is small enough, or the next one would be more than one in so many.
const MOST: u64 = 8;

record! {
    /// What was left out of a run, and what that may cost.
    pub(super) struct Skipped {
        fast_over: Option<&'static str>, "",
            "with fast: of what a part was simulated: bytes, repetitions, ranks, ranks and one of these; unknown: none";
        fast_share: Option<f64>, "",
            "with fast: packets simulated, all runs together, over packets of the whole run; 1 where nothing was left out";
        fast_error_s: Option<f64>, "s", "with fast: how far time_s may be from that of the whole run";
        fast_error: Option<f64>, "", "with fast: the same over time_s";
        fast_packets: Option<u64>, "", "with fast: packets of a message, mean weighted by bytes";
        fast_ranks: Option<u64>, "", "with fast: ranks that were simulated";
    }
}

/// What is asked of the packet engine.
pub(super) struct FastRun<'a, 'b> {
    pub machine: RoutedMachine<'a>,
    pub jobs: &'b [(Job<'a>, Taking)],
    pub escapes: &'b [Option<&'a dyn Routing>],
    pub settings: OutputSettings,
    /// Ranks that act for others, if there are any.
    pub alike: Option<&'b Alike>,
    /// The error that is small enough, over the time; 0: nothing is extrapolated.
    pub enough: f64,
}

/// A run, and what was left out of it.
pub(super) type Ran = (Execution<Carried>, ParallelStats, Skipped);

/// What a part of a run cannot tell.
pub(super) fn refused(scenario: &Scenario, (output_queued, alone): (bool, bool), kept: Kept, by_link: bool) -> Faults {
    let own_times = |job: &netloom_model::Job| match &job.workload {
        Workload::Traffic(traffic) => !traffic.starts().is_empty(),
        _ => false,
    };
    let mut faults = Faults::none();
    for (wrong, sentence, hint) in [
        (!output_queued, "is of output-queued switches", "use output-queued"),
        (!alone, "is simulated in one process", "run it without mpirun"),
        (kept.trace, "simulates a part of the run, which has no record of messages and ranks", "leave one of them out"),
        (
            kept.details,
            "simulates a part of the run, which has no details of packets, features or occupancy",
            "leave one of them out",
        ),
        (by_link, "simulates a part of the run, which has no counts of links", "leave one of them out"),
        (
            !scenario.background.is_empty(),
            "shortens messages, and background flows go on at their own times",
            "leave one of them out",
        ),
        (
            scenario.jobs.iter().any(own_times),
            "shortens messages, and those of the traffic start at times of their own",
            "leave it out",
        ),
    ] {
        if wrong {
            faults.push(Fault::say(&model::BAD_VALUE, "packet.fast", sentence).hint(hint));
        }
    }
    faults
}

/// Of what a part is simulated.
#[derive(Clone, Copy)]
enum Over {
    /// Messages, of which the usual one has so many bytes.
    Bytes(u64),
    Repetitions,
}

/// Simulates parts of a run and says how long the whole takes; all of it if messages are short and repetitions few.
/// O(messages) on top of a 20th of the whole run, up to a quarter of it.
///
/// # Errors
/// As [`execute`]; `NL-E004` if it is stopped.
pub(super) fn executed(asked: &FastRun<'_, '_>, progress: &Progress) -> Outcome<Ran> {
    let sizes = Sizes::of(&asked.machine, asked.jobs, asked.settings.packet_bytes.into());
    let ranks = asked.jobs.iter().map(|(job, _)| job.endpoint_of_rank.len() as u64).sum();
    let fast_ranks = Some(asked.alike.map_or(ranks, Alike::ranks));
    let repetitions = if let [(only, _)] = asked.jobs { u64::from(only.repetitions) } else { 1 };
    // Of a whole repetition nothing is changed.
    let (over, whole) = if repetitions >= PARTS && asked.enough > 0.0 {
        (Over::Repetitions, repetitions)
    } else if sizes.packets_each >= PARTS && asked.enough > 0.0 {
        (Over::Bytes(sizes.typical_bytes), sizes.packets_each)
    } else {
        let (done, together) = asked.run(asked.jobs, asked.settings, Kept::default(), progress)?;
        let skipped = Skipped {
            fast_over: asked.alike.map(|_| "ranks"),
            fast_share: Some(done.work.work.packets as f64 / sizes.packets.max(1) as f64),
            fast_error_s: Some(0.0),
            fast_error: Some(0.0),
            fast_packets: Some(sizes.packets_each),
            fast_ranks,
        };
        return Ok((asked.whole(done), together, skipped));
    };
    let mut next = whole / PARTS;
    let mut simulate = || {
        let part = asked.part(over, (next, whole), progress);
        next *= 2;
        part
    };
    let [mut a, mut b, mut c] = [simulate()?, simulate()?, simulate()?];
    let mut work = PacketWork::default();
    [&a, &b, &c].iter().for_each(|part| work.add(part.done.work.work));
    let found = loop {
        let unfilled = asked.unfilled(over, &c);
        let found = Extrapolated::of([&a, &b, &c], unfilled, &asked.machine, asked.settings.packet_bytes);
        if found.error_s() <= asked.enough * found.time_s() || 2 * c.units > whole / MOST {
            break found;
        }
        (a, b, c) = (b, c, simulate()?);
        work.add(c.done.work.work);
    };
    let (error_s, time_s) = (found.error_s(), found.time_s());
    let PartialRun { done, together, units, .. } = c;
    let (name, done) = match over {
        Over::Bytes(_) => (if asked.alike.is_some() { "ranks and bytes" } else { "bytes" }, done),
        Over::Repetitions => {
            let of_all = |count: u64| count / units * whole;
            let done = Execution { messages: of_all(done.messages), bytes: of_all(done.bytes), ..done };
            (if asked.alike.is_some() { "ranks and repetitions" } else { "repetitions" }, done)
        }
    };
    let skipped = Skipped {
        fast_over: Some(name),
        fast_share: Some(work.packets as f64 / sizes.packets.max(1) as f64),
        fast_error_s: Some(error_s),
        fast_error: Some(if time_s > 0.0 { error_s / time_s } else { 0.0 }),
        fast_packets: Some(sizes.packets_each),
        fast_ranks,
    };
    let work = Carried { work, ..Carried::default() };
    Ok((asked.whole(Execution { finish_s: found.finish_s, work, ..done }), together, skipped))
}

impl<'a> FastRun<'a, '_> {
    /// A run in which so many units of `whole` are done.
    fn part(&self, over: Over, (units, whole): (u64, u64), progress: &Progress) -> Outcome<PartialRun> {
        let share = units as f64 / whole as f64;
        let kept = Kept { details: true, ..Kept::default() };
        let repeated = |(job, taking): &(Job<'a>, Taking)| (Job { repetitions: units as u32, ..*job }, *taking);
        let sooner = |(job, taking): &(Job<'a>, Taking)| (Job { start_s: share * job.start_s, ..*job }, *taking);
        let (done, together) = match over {
            Over::Repetitions => {
                let jobs: Vec<_> = self.jobs.iter().map(repeated).collect();
                self.run(&jobs, self.settings, kept, progress)?
            }
            Over::Bytes(of_bytes) => {
                let software = self.machine.software.clone().of_share(share);
                let machine = RoutedMachine { software: &software, ..self.machine };
                let bytes = units * u64::from(self.settings.packet_bytes);
                let settings = OutputSettings { share: Some(Share { bytes, of_bytes }), ..self.settings };
                let jobs: Vec<_> = self.jobs.iter().map(sooner).collect();
                let (escapes, alike) = (self.escapes, self.alike);
                FastRun { machine, jobs: &jobs, escapes, settings, alike, enough: self.enough }
                    .run(&jobs, settings, kept, progress)?
            }
        };
        if done.stopped_s.is_some() {
            return Err(Fault::say(&codes::STOPPED, "simulation", "the simulation was stopped").into());
        }
        Ok(PartialRun { share, units, done, together })
    }

    /// Bytes that a buffer holds over those that an endpoint sends, mean of those that send, and over those of a message
    /// where one goes after another: up to 1, messages that buffers can hold do not show how fast links take them.
    fn unfilled(&self, over: Over, part: &PartialRun) -> f64 {
        let network = self.machine.network;
        let (first, endpoints) = (network.switch_links() as usize, network.endpoints() as usize);
        let sent = part.done.work.link_bytes.iter().skip(first).take(endpoints).filter(|bytes| **bytes > 0);
        let (bytes, senders) = sent.fold((0u64, 0u64), |(bytes, senders), more| (bytes + more, senders + 1));
        let buffers = senders as f64 * f64::from(self.settings.buffer_bytes);
        if matches!(over, Over::Repetitions) || bytes == 0 {
            return 0.0;
        }
        let each = match self.settings.injection {
            Injection::RoundRobin => bytes as f64,
            Injection::FirstCome | Injection::Priority => {
                (senders * part.units * u64::from(self.settings.packet_bytes)) as f64
            }
        };
        (buffers / each).min(1.0)
    }

    fn run(
        &self,
        jobs: &[(Job<'a>, Taking)],
        settings: OutputSettings,
        kept: Kept,
        progress: &Progress,
    ) -> Outcome<(Execution<Carried>, ParallelStats)> {
        let acting = self.alike.map(|alike| Arc::clone(&alike.acting));
        let asked = PacketRun { escapes: self.escapes, kept, acting, ..PacketRun::new(self.machine, jobs, settings) };
        let (mut done, stats) = execute(&asked, (progress, ProcessGroup::alone()))?;
        if let Some(alike) = self.alike {
            alike.spread(&mut done.finish_s);
        }
        Ok((done, stats))
    }

    /// A run with what the ranks did that others acted for.
    fn whole(&self, done: Execution<Carried>) -> Execution<Carried> {
        if self.alike.is_none() || done.stopped_s.is_some() {
            return done;
        }
        let (mut messages, mut bytes) = (0, 0u64);
        for (job, _) in self.jobs {
            messages += job.expected_messages();
            let repetitions = u64::from(job.repetitions);
            for_each_message(job.work, |_, _, each, times| bytes += each * times * repetitions);
        }
        Execution { messages, bytes, ..done }
    }
}
