//! Bytes and contentions on every link, for a given routing.

mod bytes;
mod contention;

pub use bytes::{LinkBytes, link_bytes};
pub use contention::{Contentions, StepContentions, contentions};
