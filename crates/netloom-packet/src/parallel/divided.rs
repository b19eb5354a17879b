//! A machine divided into parts: how many, which, and how far they can go on alone.

use std::sync::Arc;

use netloom_model::fault::codes as model;
use netloom_model::{Fault, Faults, Outcome, Per};

use super::division::{Tie, divide};
use super::layout::{Layout, ends};
use super::process_group::ProcessGroup;
use super::windows::Lookahead;
use crate::event::part::LinkSpec;
use crate::event::state::NEVER;
use crate::picoseconds::{PS_PER_S, whole};
use netloom_ranks::RoutedMachine;

/// Links of a part that is worth a thread, links of a part that fits the cache of a core, and most parts without being asked.
const WORTH_A_THREAD: u32 = 1 << 13;
const IN_CACHE: u32 = 1 << 15;
const PARTS: u32 = 64;
/// Most parts.
const MOST: u32 = 1 << 14;

pub struct Divided {
    pub layout: Arc<Layout>,
    pub rows: Vec<LinkSpec>,
    pub lookahead: Lookahead,
}

impl Divided {
    /// `threads`: parts of each process; `carried`: packets over every link, or about so many.
    ///
    /// # Errors
    /// `NL-A007` for more parts than switches, or than pieces that links without latency leave of them.
    pub fn new(
        machine: &RoutedMachine<'_>,
        threads: Option<u16>,
        group: &ProcessGroup,
        carried: impl FnOnce() -> Vec<u64>,
    ) -> Outcome<Divided> {
        let rows = link_specs(machine);
        let latencies = least_latencies(machine, &rows);
        let last = latencies[machine.network.ejection_link(0) as usize..].iter().min().copied().unwrap_or(0);
        let parts = number_of_parts(machine, threads, group)?;
        let whole = || Divided {
            layout: Arc::new(Layout::whole()),
            rows: rows.clone(),
            lookahead: Lookahead { cut: NEVER, last },
        };
        if parts <= 1 {
            return Ok(whole());
        }
        let wanted = threads.is_some() || !group.is_alone();
        // Windows as long as a packet takes over its last link are short: nobody gets them without asking.
        if last == 0 && !wanted {
            return Ok(whole());
        }
        let ends = ends(machine.network, machine.node);
        let ties = ends.iter().zip(carried()).zip(&latencies);
        let ties: Vec<Tie> =
            ties.map(|((ends, packets), latency_ps)| Tie { ends: *ends, packets, latency_ps: *latency_ps }).collect();
        let of_switch = match divide(machine.network.switches(), &ties, parts, last) {
            Ok(of_switch) => of_switch,
            Err(_) if !wanted => return Ok(whole()),
            Err(most) => return Err(joined(group, parts, most)),
        };
        let layout = Layout::new(&of_switch, parts, &ends);
        let crosses = |link: &u32| layout.head(*link) != layout.of(*link).0;
        let cut = (0..rows.len() as u32).filter(crosses).map(|link| latencies[link as usize]).min();
        let lookahead = Lookahead { cut: cut.unwrap_or(NEVER), last };
        Ok(Divided { layout: Arc::new(layout), rows, lookahead })
    }
}

/// The fault of parts between which something takes no time: they could do nothing at the same time.
fn joined(group: &ProcessGroup, parts: u16, most: u32) -> Faults {
    let place = if group.is_alone() { "packet.threads" } else { "processes" };
    let all = if group.is_alone() { "" } else { " in all" };
    let expected = format!("at most {most} parts{all}: links without latency join the switches into that many pieces");
    Fault::new(&model::BAD_VALUE, place, expected, parts).hint("use fewer, or give the links a latency").into()
}

/// Links of the network, then those inside nodes.
pub fn link_specs(machine: &RoutedMachine<'_>) -> Vec<LinkSpec> {
    let network = machine.network;
    let of_network = |link: u32| {
        let class = network.class(link);
        let to_switch = link < network.switch_links() + network.endpoints();
        let switch_s = if to_switch { machine.wire.switch_latency_s } else { 0.0 };
        (class.latency_s + switch_s, true, class.per != Per::Flow)
    };
    let of_node = |link: u32| (machine.node.map_or(0.0, |node| node.class_of(link).latency_s), false, true);
    let row = |(bandwidth_bytes_per_s, link)| {
        let (latency_s, bounded, shared) =
            if link < network.links() { of_network(link) } else { of_node(link - network.links()) };
        LinkSpec { bandwidth_bytes_per_s, latency_s, bounded, shared }
    };
    machine.bandwidths().zip(0u32..).map(row).collect()
}

fn number_of_parts(machine: &RoutedMachine<'_>, threads: Option<u16>, group: &ProcessGroup) -> Outcome<u16> {
    let (switches, processes) = (machine.network.switches(), u32::from(group.size()));
    let refuse = |place: &str, expected: String, got: u32| {
        let fault = Fault::new(&model::BAD_VALUE, place, expected, got);
        Err(fault.into())
    };
    if processes > switches.min(MOST) {
        return refuse("processes", format!("at most {switches}, the switches of the network"), processes);
    }
    match threads {
        Some(threads) if u32::from(threads) * processes > switches.min(MOST) => {
            let most = switches.min(MOST) / processes;
            let expected = match processes {
                1 => format!("at most {most}, the switches of the network"),
                _ => format!("at most {most} in each of {processes} processes: the network has {switches} switches"),
            };
            refuse("packet.threads", expected, threads.into())
        }
        Some(threads) => Ok((u32::from(threads) * processes) as u16),
        None => {
            let links = machine.network.links();
            let threads = (links / WORTH_A_THREAD).min(rayon::current_num_threads() as u32);
            let parts = (links / IN_CACHE).max(threads).clamp(1, switches.clamp(1, PARTS));
            Ok(parts.next_multiple_of(processes).min(switches.max(1)).max(processes) as u16)
        }
    }
}

/// Picoseconds that packets and credits take over every link at least.
fn least_latencies(machine: &RoutedMachine<'_>, rows: &[LinkSpec]) -> Vec<u64> {
    let factor = machine.wire.latency_factors.iter().map(|row| row.value(0)).fold(1.0, f64::min) as f32;
    let least = |row: &LinkSpec| {
        let latency_ps = row.latency_s * PS_PER_S;
        // Of packets and of credits, as the parts compute them.
        whole(latency_ps * f64::from(factor)).min(whole(f64::from(latency_ps as f32) * f64::from(factor)))
    };
    rows.iter().map(least).collect()
}
