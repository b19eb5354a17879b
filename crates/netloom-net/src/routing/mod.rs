//! Routings: which paths packets take, with which virtual channels, and whether they can deadlock.
//!
//! Most routings here are a *rule*: at a place on the route to one destination, the links that may come next. One
//! engine ([`rule`]) turns any rule into paths and into channel dependencies.

mod balanced;
#[cfg(test)]
mod brute_tests;
mod closed;
pub mod codes;
mod contract;
mod d_mod_k;
#[cfg(test)]
mod d_mod_k_failures_tests;
#[cfg(test)]
mod d_mod_k_tests;
mod default;
mod destination_tag;
mod distances;
mod draw;
mod flat;
mod floyd;
mod forwarding;
mod grid;
mod groups;
mod legal;
mod minimal;
mod ports;
mod ranks;
mod recent;
mod registry;
mod row;
mod rule;
mod spread;
mod tables;
#[cfg(test)]
mod tables_tests;
#[cfg(test)]
mod tests;
mod trunk;
mod up_down;
mod up_down_balanced;
mod valiant;

pub use closed::hop_product;
pub use contract::check_routing;
pub use default::default_routing;
pub use forwarding::forwarding;
pub use registry::{ROUTINGS, build, check};
pub use row::RoutingRow;
pub use tables::deadlock_of;
