//! The evaluators over packets: of a run of jobs, and of offered against accepted load.

mod alike;
mod extrapolated;
mod fast;
mod packet;
mod seen;
mod sizes;
mod throughput;

pub use packet::{ROW as PACKET, answer_together};
pub use throughput::ROW as THROUGHPUT;
