//! How a part is cut, and what follows.

/// What happens to the pieces of a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// Ranks lean to where their partners are; in the end pairs of parts exchange ranks.
    Exchange,
    /// Ranks lean to where their partners are.
    Nothing,
    /// The ranks are cut for themselves; then their pieces change places as wholes.
    Match,
}

/// How parts are cut.
#[derive(Clone, Copy, Debug)]
pub struct Recursion {
    pub seed: u64,
    /// The machine by its links, not by its structure.
    pub links: bool,
    /// Pieces of each part, at least 2.
    pub pieces: u32,
    pub after: After,
}
