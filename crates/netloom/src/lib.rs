//! netloom predicts and improves communication on a network. This crate brings the rooms together: a [`Question`] takes a
//! network, a workload and places from text or as objects, asks a rung of fidelity, or searches for better places.
//!
//! ```
//! use netloom::{Datum, Question};
//!
//! let question = Question::on("torus(4,4)")?.sends("allreduce:ring", 1 << 20)?;
//! let hops = question.ask("hops")?;
//! let time = question.ask("time")?;
//! assert_eq!(hops.get("total_hops"), Some(&Datum::Count(600)));
//! assert!(matches!(time.get("time_s"), Some(Datum::Number(seconds)) if *seconds > 169e-6));
//!
//! let found = question.placed("random(seed=1)", "draw")?.improve("two-opt(swaps=200)", "hops")?;
//! assert!(found.solution.value <= found.solution.start_value);
//! # Ok::<(), netloom::Faults>(())
//! ```
//!
//! | room | crate |
//! |---|---|
//! | values, network, routing, node, machine, places, work, answers | [`netloom_model`] |
//! | topologies, routings, metrics | [`netloom_net`] |
//! | collectives, patterns, applications, proofs | [`netloom_workload`] |
//! | placements, orders | [`netloom_mapping`] |
//! | rungs | [`RUNGS`] |
//! | searches and their objectives | [`netloom_optimize`] |
//! | files | [`netloom_formats`] |
//!
//! Nothing here reads a file, a clock or an environment variable. Every fallible function returns [`Faults`]: everything
//! that is wrong with one input, each with code, place, value, expectation and hint.

mod in_network;
mod question;
mod registries;
mod rungs;
mod scenario;
mod search;

pub use netloom_model::{Answer, Call, Datum, Fault, Faults, Machine, Network, Outcome, Progress, Scenario, Workload};
pub use question::Question;
pub use registries::{REGISTRIES, code_rows, registry, with_argument};
pub use rungs::{RUNGS, ask, ask_together};
pub use scenario::{Parts, PartsJob};
pub use search::{Found, Goal, needs_clock, search, takes_clock, takes_split};
