//! Generators that several collectives share: trees, folds, exchanges, rings, Bruck's digits. Each makes a
//! [`Plan`](crate::plan::Plan); the collectives turn, rotate and join them.

pub(crate) mod bine;
pub(crate) mod bruck;
pub(crate) mod bucket;
pub(crate) mod circulant;
pub(crate) mod double_tree;
pub(crate) mod exchange;
pub(crate) mod fold;
pub(crate) mod hierarchy;
pub(crate) mod hierarchy_plans;
pub(crate) mod in_network;
pub(crate) mod level_rounds;
pub(crate) mod pat;
pub(crate) mod ring;
pub(crate) mod swing;
pub(crate) mod torus;
pub(crate) mod trees;
pub(crate) mod two_tier;
