//! Which endpoints a job gets.

pub mod blocked;
pub mod circulant;
pub mod linear;
pub mod random;
pub mod random_units;
pub mod ring;
pub mod round_robin;
pub mod tree;
mod units;

#[cfg(test)]
mod tests;

use netloom_model::{Kind, Param};

/// Seed of a random choice.
pub const SEED: Param =
    Param::optional("seed", Kind::Int { min: 0, max: i64::MAX }, "0", "seed of the random choice").keyword_only();
/// Number of a switch.
const SWITCH: Kind = Kind::Int { min: 0, max: (1 << 31) - 1 };
