//! Switch models that are simulated cycle by cycle, behind one [`engine`], and what they share.

pub mod cycles;
pub mod engine;
pub mod flits;
pub mod lone;
pub mod packets;
pub mod queued;
pub mod wheel;
pub mod wires;

pub use cycles::{Clocked, execute_cycles};
