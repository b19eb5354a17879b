//! The evaluators over the models of this crate, a file each, and what others that count by class or job share with them.

mod contentions;
pub mod features;
mod hops;
pub mod jobs;
pub mod link_classes;
mod loads;

pub use contentions::ROW as CONTENTIONS;
pub use hops::ROW as HOPS;
pub use loads::ROW as LOADS;
