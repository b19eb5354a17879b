//! Output-queued switches (Jain 2016, section 5.3): packets of a byte size, buffers in bytes, events in picoseconds.
//!
//! ```text
//!                     room?          turn?
//!   head arrives ──► wait ──► buffer ──► link ──► head of the next switch
//!                    (any number      (per channel,
//!                     of outputs)      round robin)
//! ```
//!
//! A packet that arrives picks its output, waits until the buffer of a virtual channel there has room for all of it, queues for
//! the link, and crosses it. Room in a buffer is given back, after the link's latency, once the whole packet has entered
//! the next one. With cut-through its head goes on while its tail is still arriving; with store-and-forward the head waits for the
//! tail. Packets that wait for one output do not block those for others: the crossbar and the inputs are ideal.
//!
//! A machine is simulated in parts, at the same time in several threads: [`windows`] says how, and why the result is the same.

mod ahead;
mod company;
mod delivery;
mod detour;
mod divided;
mod division;
#[cfg(test)]
mod division_tests;
#[cfg(test)]
mod escape_tests;
mod execute;
mod layout;
mod mail;
mod message;
mod nic;
mod open;
mod optimistic;
#[cfg(test)]
mod parallel_tests;
mod part;
mod queue;
mod refused;
mod saved;
mod state;
mod switch;
#[cfg(test)]
mod tests;
mod together;
mod touch;
mod transport;
mod watched;
mod weights;
mod windows;
pub(in crate::packet) mod wire;

use netloom_model::{Fault, Network};

use crate::codes;
pub use company::{Company, Exchange};
pub use execute::execute;
pub use open::Open;
pub use optimistic::Optimism;
pub use together::Together;

/// Parameters of the switches and NICs, and of the simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Virtual channels of a link for each routing; `None`: as many as it needs.
    pub channels: Option<u32>,
    pub packet_bytes: u32,
    /// Of a virtual channel; at least a packet.
    pub buffer_bytes: u32,
    /// False: a switch waits for the whole packet.
    pub cut_through: bool,
    pub injection: Injection,
    pub seed: u64,
    /// Parts that are simulated at the same time; `None`: as many as threads, on large networks. It changes no result.
    pub threads: Option<u16>,
    /// Parts run ahead of what is known to be right, and go back where it was not. It changes no result.
    pub optimism: Option<Optimism>,
}

/// Which message of a NIC sends the next packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Injection {
    /// Each in turn.
    RoundRobin,
    /// The oldest.
    FirstCome,
    /// The oldest of the first job.
    Priority,
}

const PS_PER_S: f64 = 1e12;

/// The nearest whole number: an instruction, where `round` is a call; by way of `i64`, which takes half as many as `u64`.
#[inline]
pub(super) fn whole(picoseconds: f64) -> u64 {
    (picoseconds + 0.5) as i64 as u64
}

/// The fault of packets that can never move; `link` is one that is waited for.
fn stuck(network: &Network, link: Option<u32>) -> netloom_model::Faults {
    let ends = link.and_then(|l| Some((*network.tails().get(l as usize)?, *network.heads().get(l as usize)?)));
    let place = ends.map_or_else(String::new, |(tail, head)| {
        format!(", for one on the link {} to {}", network.switch_name(tail), network.switch_name(head))
    });
    let sentence = format!("packets wait for room in buffers and none can move{place}");
    Fault::say(&codes::STALLED, network.label(), sentence).into()
}
