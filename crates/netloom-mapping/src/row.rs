//! What a placement and an order have: a function.

use netloom_model::{Bound, Network, Outcome, Row};

use crate::free::Free;

/// Chooses endpoints for a job: distinct ones, one per rank, in draw or visit order. Ranks are 1 or more; `Free` has as
/// many endpoints or more.
pub type Choose = fn(&Network, ranks: u32, &Free, &Bound) -> Outcome<Vec<u32>>;

/// A placement.
pub type PlacementRow = Row<Choose>;

/// Permutes chosen endpoints: the endpoint of every rank.
pub type Permute = fn(&Network, placed: &[u32], &Bound) -> Outcome<Vec<u32>>;

/// An order of ranks.
pub type OrderRow = Row<Permute>;
