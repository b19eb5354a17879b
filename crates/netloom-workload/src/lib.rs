//! Workloads: collective schedules with their proofs, and traffic patterns.
//!
//! A collective is a row of [`registry::collectives`]: generator and closed form. [`build`] makes its
//! [`Schedule`](netloom_model::Schedule), [`verify`] executes a schedule on symbolic data, [`dag`] derives what each message
//! waits for. A pattern is a row of [`patterns::patterns`]: it makes [`Traffic`](netloom_model::Traffic).

pub mod codes;
mod collectives;
mod counts;
mod generate;
mod plan;
mod proof;
pub mod registry;
mod user;

pub use collectives::{CollectiveRow, Form, Job, RANK_LIMIT, ROW_LIMIT};
pub use counts::{Closed, Counts, Proof};
pub use proof::{Dag, dag, listed, verify, verify_watched};
pub use registry::{bind_collective, build, closed, collectives, find_collective, verify_row};
pub use user::{UserTransfer, collective_named, from_transfers};
