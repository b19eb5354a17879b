//! Messages of the ranks on their way through parts.

use super::state::NONE;

/// A message on its way, for the details.
#[derive(Clone, Copy, Default)]
pub struct Departure {
    pub at: u64,
    pub from: u32,
    pub job: u32,
    pub bytes: u64,
}

/// A message of the ranks: part and number where it starts and where it ends, [`NONE`] if packets do not move it.
#[derive(Clone, Copy)]
pub struct Transit {
    pub start: u32,
    pub end: u32,
    pub parts: (u16, u16),
}

impl Transit {
    pub const FREE: Transit = Transit { start: NONE, end: NONE, parts: (0, 0) };

    /// Once each.
    pub fn places(self) -> impl Iterator<Item = (u16, u32)> {
        let [start, end] = [(self.parts.0, self.start), (self.parts.1, self.end)];
        [Some(end), Some(start).filter(|start| *start != end)]
            .into_iter()
            .flatten()
            .filter(|(_, number)| *number != NONE)
    }
}
