//! Workloads: collective schedules with their proofs, and traffic patterns.
//!
//! A collective is a row of [`COLLECTIVES`]: generator and closed form. [`build`] makes its
//! [`Schedule`](netloom_model::Schedule), [`verify`] executes a schedule on symbolic data, [`dag`] derives the dependencies of each
//! message. A pattern is a row of [`PATTERNS`]: it makes [`Traffic`](netloom_model::Traffic), or the same messages
//! as a stream ([`Sends`](netloom_model::Sends)).

pub mod applications;
pub mod codes;
mod collectives;
pub mod compose;
mod counts;
mod generate;
pub mod patterns;
mod plan;
mod proof;
mod reference;
pub mod registry;
#[cfg(test)]
mod registry_tests;
#[cfg(test)]
mod two_tier_tests;
mod user;
mod verify;

pub use collectives::{CollectiveRow, Form, Job, Method, RANK_LIMIT, ROW_LIMIT, algorithm, placed, schedule, shape_of};
pub use counts::{Closed, Counts, Proof};
pub use patterns::{PATTERNS, Pattern, PatternRow, build_pattern, mix, stream_pattern};
pub use proof::{Arrival, Dag, OwnTransfer, RankPart, arrivals, dag, listed, part_of, verify, verify_watched};
pub use reference::reference_page;
pub use registry::{COLLECTIVES, CollectiveNames, bind_collective, build, closed, find_collective};
pub use user::{UserTransfer, collective_named, from_transfers};
pub use verify::{verify_row, verify_schedule};
