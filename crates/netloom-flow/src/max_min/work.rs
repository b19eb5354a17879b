//! What the solver counts.

/// Work done so far, in units that do not depend on the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Calls of [`MaxMin::solve`] with something to do.
    pub solves: u64,
    /// Resources filled again.
    pub fillings: u64,
    /// Entries (flow on resource) visited while filling.
    pub entries: u64,
    /// Rates that changed.
    pub changes: u64,
}
