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
//! A machine is simulated in parts, at the same time in several threads: [`crate::parallel::windows`] says how, and why the result is the same.

pub mod detour;
#[cfg(test)]
mod escape_tests;
pub mod execute;
pub mod link;
pub mod message;
pub mod nic;
pub mod open;
mod own_links;
pub mod part;
pub mod queue;
pub mod refused;
pub mod routings;
pub mod saved;
pub mod share;
pub mod state;
pub mod switch;
pub mod terms;
#[cfg(test)]
pub(crate) mod tests;
pub mod touch;
pub mod transit;
pub mod transport;
pub mod watched;
pub mod weights;

use netloom_model::{Fault, Network};

use crate::codes;
use crate::parallel::rows::Optimism;
pub use execute::{PacketRun, execute};
pub use open::Open;
pub use share::Share;

/// Parameters of the switches and NICs, and of the simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputSettings {
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
    /// Of long messages a share moves: a part of a run that stands for the whole.
    pub share: Option<Share>,
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

/// The fault of packets that can never move; `link` is one that is waited for.
pub(crate) fn stuck(network: &Network, link: Option<u32>) -> netloom_model::Faults {
    let ends = link.and_then(|l| Some((*network.tails().get(l as usize)?, *network.heads().get(l as usize)?)));
    let place = ends.map_or_else(String::new, |(tail, head)| {
        format!(", for one on the link {} to {}", network.switch_name(tail), network.switch_name(head))
    });
    let sentence = format!("packets wait for room in buffers and none can move{place}");
    Fault::say(&codes::STALLED, network.label(), sentence).into()
}
