//! Packets through switches with buffers, credits and virtual channels, cycle by cycle.
//!
//! ```text
//! sources ──offer──► Engine (a switch model: queued/, flits/) ──arrivals──► measure
//!                       │
//!                      Hops: the routing, asked hop by hop
//! ```
//!
//! Everything is indexed by the network's directed links: a buffer belongs to the head of a switch link or of an
//! injection link, an output to the tail of a switch link or of an ejection link. In one cycle a switch reads its own state only
//! and writes to others with a delay of a cycle or more, so the order in which switches are visited changes nothing.

pub mod codes;
mod cycle;
mod evaluators;
mod event;
mod observe;
mod offered;
mod parallel;
mod picoseconds;
mod routes;
mod sets;
mod switches;
#[cfg(test)]
mod tests;
mod wire;
#[cfg(test)]
mod wire_tests;

pub use cycle::engine::{Delivered, Engine, Offer};
pub use cycle::flits::{FlitSettings, Flits};
pub use cycle::lone::Lone;
pub use cycle::queued::{Queued, Settings};
pub use cycle::wires::{Clock, Wires};
pub use cycle::{Clocked, execute_cycles};
pub use evaluators::{PACKET, THROUGHPUT, answer_together};
pub use event::{OutputSettings, PacketRun, Share, execute};
pub use observe::carried::{Carried, PacketWork};
pub use observe::occupancy::Stood;
pub use observe::seen::{JobSeen, Kept, LinkSeen, Seen};
pub use observe::times::{Span, Times};
pub use observe::watch::{LinkUse, Scale, Watch};
pub use offered::measure::{Bin, Latencies};
pub use offered::open_loop::{Point, Protocol, Sources, measure};
pub use offered::processes::SOURCES;
pub use offered::source::{Destinations, Process};
pub use parallel::parallel_stats::ParallelStats;
pub use parallel::process_group::{Exchange, ProcessGroup};
pub use parallel::rows::Optimism;
pub use parallel::rows::PARALLEL;
pub use routes::channels::Plan;
pub use routes::escape::Escape;
pub use routes::hops::Hops;
pub use routes::known::Choice;
pub use routes::taking::{Sees, Taking};
pub use switches::{Input, PHIT_BYTES, SWITCHES, Switch};
