//! Collectives as members of a communicator enter them.

use netloom_model::Collective;

/// A collective of the same size on all members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Uniform {
    pub collective: Collective,
    pub bytes: u64,
    /// 0 for a collective without one.
    pub root: u32,
}

/// A collective as every member must enter it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entered {
    Uniform(Uniform),
    Alltoallv,
    Allgatherv,
    Gatherv(u32),
    Scatterv(u32),
    /// Total bytes of a reduce-scatter with unequal counts.
    ReduceScatterv(u64),
}

impl std::fmt::Display for Entered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Entered::Uniform(Uniform { collective, bytes, root }) if collective.is_rooted() => {
                write!(f, "{collective} of {bytes} bytes from or to rank {root}")
            }
            Entered::Uniform(Uniform { collective, bytes, .. }) => write!(f, "{collective} of {bytes} bytes"),
            Entered::Alltoallv => f.write_str("alltoallv"),
            Entered::Allgatherv => f.write_str("allgatherv"),
            Entered::Gatherv(root) => write!(f, "gatherv to rank {root}"),
            Entered::Scatterv(root) => write!(f, "scatterv from rank {root}"),
            Entered::ReduceScatterv(bytes) => write!(f, "reduce-scatter of {bytes} bytes in all"),
        }
    }
}
