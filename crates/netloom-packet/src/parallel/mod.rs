//! Parts of a machine at the same time, in threads and processes: how it is divided, what parts send each other, and how they keep
//! in step.

pub mod delivery;
pub mod divided;
pub mod division;
#[cfg(test)]
mod division_tests;
pub mod inputs;
pub mod layout;
pub mod mail;
pub mod optimistic;
pub mod parallel_stats;
#[cfg(test)]
mod parallel_tests;
pub mod process_group;
pub mod rollback;
pub mod rows;
pub mod windows;
