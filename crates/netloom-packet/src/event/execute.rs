//! A run of ranks whose messages are packets.

use std::sync::Arc;

use netloom_model::fault::codes as model;
use netloom_model::{Background, Fault, Outcome, Progress, Routing};

use super::OutputSettings;
use super::saved::{ForGood, Undoable};
use super::transport::PacketTransport;
use crate::observe::carried::Carried;
use crate::observe::seen::Kept;
use crate::parallel::parallel_stats::ParallelStats;
use crate::parallel::process_group::ProcessGroup;
use crate::routes::taking::{Sees, Taking};
use netloom_ranks::RoutedMachine;
use netloom_ranks::check;
use netloom_ranks::{Execution, Job, Manner};

/// A run that is asked for.
#[derive(Clone)]
pub struct PacketRun<'b, 'a> {
    pub machine: RoutedMachine<'a>,
    pub jobs: &'b [(Job<'a>, Taking)],
    /// The escape routings of jobs that have one.
    pub escapes: &'b [Option<&'a dyn Routing>],
    pub background: &'b [Background],
    pub settings: OutputSettings,
    pub kept: Kept,
    /// The ranks that act, numbered through all jobs, if not all do; no message is between one of them and another one.
    pub acting: Option<Arc<[bool]>>,
}

impl<'b, 'a> PacketRun<'b, 'a> {
    /// Of all ranks, without escapes and background.
    pub fn new(
        machine: RoutedMachine<'a>,
        jobs: &'b [(Job<'a>, Taking)],
        settings: OutputSettings,
    ) -> PacketRun<'b, 'a> {
        PacketRun { machine, jobs, escapes: &[], background: &[], settings, kept: Kept::default(), acting: None }
    }
}

/// Runs jobs together, their messages as packets; in several processes, of which each calls it with the same, if there is an
/// exchange. O(packets × hops × log time).
///
/// # Errors
/// As [`PacketTransport::new`] and [`ranks::run`]; `NL-E018` if packets wait for each other forever; `NL-E023` or `NL-E024` for
/// what other processes do.
pub fn execute<'a>(
    asked: &PacketRun<'_, 'a>,
    (progress, group): (&'a Progress, ProcessGroup),
) -> Outcome<(Execution<Carried>, ParallelStats)> {
    let &PacketRun { machine, jobs, escapes, background, settings, kept, ref acting } = asked;
    let plain: Vec<Job<'a>> = jobs.iter().map(|(job, _)| *job).collect();
    check(&machine, &plain, background)?;
    // A record is of one part, and a packet that sees whole paths sees all parts.
    let whole = jobs.iter().any(|(_, taking)| matches!(taking, Taking::Hybrid { sees: Sees::Path, .. }));
    let Kept { trace: record, details, bins } = kept;
    if (record || whole) && !group.is_alone() {
        let place = if record { "packet.trace" } else { "variant" };
        return Err(Fault::say(&model::BAD_VALUE, place, "is made in one process")
            .hint("run it without mpirun")
            .into());
    }
    let settings = if record || whole { OutputSettings { threads: Some(1), ..settings } } else { settings };
    // What is seen cannot be undone.
    let settings = if details { OutputSettings { optimism: None, ..settings } } else { settings };
    let software = machine.software.clone();
    let manner = Manner { record, acting: acting.clone(), ..Manner::default() };
    if settings.optimism.is_some() {
        let packets =
            PacketTransport::<Undoable>::new(machine, (jobs, escapes), background, settings, (progress, group))?;
        return Ok(netloom_ranks::run(packets, software, &plain, manner, progress)?.divide(|work| work));
    }
    let mut packets =
        PacketTransport::<ForGood>::new(machine, (jobs, escapes), background, settings, (progress, group))?;
    if details {
        packets.look(jobs.len(), bins);
    }
    Ok(netloom_ranks::run(packets, software, &plain, manner, progress)?.divide(|work| work))
}
