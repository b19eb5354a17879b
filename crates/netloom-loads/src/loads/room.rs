//! Memory of one thread for the candidate paths of flows.

use netloom_model::PathList;

use super::detours::Detours;

/// Scratch space, which keeps its memory from flow to flow.
#[derive(Default)]
pub struct Room {
    /// The routing's own paths of one flow.
    pub direct: PathList,
    /// Empty between two units.
    pub detours: Detours,
    /// Flows that `detours` are of.
    pub pairs: Vec<(u32, u32)>,
}
