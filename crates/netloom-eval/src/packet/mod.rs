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

mod cache;
mod carried;
mod channels;
mod cycles;
#[cfg(test)]
mod detour_tests;
mod engine;
mod escape;
mod flits;
mod hops;
mod known;
mod legs;
mod lone;
mod measure;
mod occupancy;
mod open_loop;
mod output;
mod packets;
mod parallel;
mod processes;
#[cfg(test)]
mod property_tests;
mod queued;
#[cfg(test)]
mod scheme_tests;
mod seen;
mod source;
mod switches;
mod taking;
mod times;
mod watch;
mod wheel;
mod wires;

pub use carried::{Carried, PacketWork};
pub use channels::Plan;
pub use cycles::execute_cycles;
pub use engine::{Arrival, Engine, Offer};
pub use escape::Escape;
pub use flits::{Flits, Settings as FlitSettings};
pub use hops::Hops;
pub use known::Choice;
pub use lone::Lone;
pub use measure::{Bin, Latencies};
pub use occupancy::Stood;
pub use open_loop::{Point, Protocol, Sources, measure};
pub use output::{Company, Exchange, Optimism, Settings as OutputSettings, Together, execute};
pub use parallel::PARALLEL;
pub use processes::SOURCES;
pub use queued::{Queued, Settings};
pub use seen::{JobSeen, Kept, LinkSeen, Seen};
pub use source::{Births, Destinations, Process};
pub use switches::{Input, PHIT_BYTES, SWITCHES, Switch};
pub use taking::{Sees, Taking};
pub use times::{Span, Times};
pub use watch::{LinkUse, Scale, Watch};
pub use wires::{Clock, Wires};
