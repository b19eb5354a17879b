//! What slows a mapping, as a few numbers that learners take (Jain 2016, table 4.2): how bytes and waiting packets lie on
//! the links between switches, how far messages travel, how they share the FIFOs of NICs.

mod messages;
mod spread;

pub use messages::{Messages, messages};
pub use spread::Spread;
