//! A run of ranks whose messages are packets.

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

/// Runs jobs together, their messages as packets, with the escape routings of those that have one; in several processes, of which each calls it with the same, if there is an
/// exchange. O(packets × hops × log time).
///
/// # Errors
/// As [`PacketTransport::new`] and [`ranks::run`]; `NL-E018` if packets wait for each other forever; `NL-E023` or `NL-E024` for
/// what other processes do.
pub fn execute<'a>(
    machine: &RoutedMachine<'a>,
    jobs: &[(Job<'a>, Taking)],
    escapes: &[Option<&'a dyn Routing>],
    background: &[Background],
    settings: OutputSettings,
    kept: Kept,
    (progress, group): (&'a Progress, ProcessGroup),
) -> Outcome<(Execution<Carried>, ParallelStats)> {
    let plain: Vec<Job<'a>> = jobs.iter().map(|(job, _)| *job).collect();
    check(machine, &plain, background)?;
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
    if settings.optimism.is_some() {
        let packets =
            PacketTransport::<Undoable>::new(*machine, (jobs, escapes), background, settings, (progress, group))?;
        return Ok(netloom_ranks::run(packets, software, &plain, Manner { record, ..Manner::default() }, progress)?
            .divide(|work| work));
    }
    let mut packets =
        PacketTransport::<ForGood>::new(*machine, (jobs, escapes), background, settings, (progress, group))?;
    if details {
        packets.look(jobs.len(), bins);
    }
    Ok(netloom_ranks::run(packets, software, &plain, Manner { record, ..Manner::default() }, progress)?
        .divide(|work| work))
}
