//! Which rank runs on which of the chosen endpoints.

pub mod ascending;
pub mod cco;
pub mod draw;
pub mod mixed_radix;
pub mod random;
pub mod tiles;
