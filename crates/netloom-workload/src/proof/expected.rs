//! What MPI promises: the blocks that each rank starts with and must end with.

use netloom_model::{Blocks, Collective, Schedule};

/// True if the operation combines contributions, so that a block is a set of contributors; false if blocks only move.
pub(super) fn combines(collective: Collective) -> bool {
    matches!(
        collective,
        Collective::Reduce | Collective::Allreduce | Collective::ReduceScatter | Collective::Scan | Collective::Exscan
    )
}

/// Number of blocks that the operation must have, if not free. Where every rank has one block it may be cut into parts.
pub(super) fn block_count(schedule: &Schedule) -> Option<u64> {
    let p = u64::from(schedule.members());
    match (schedule.collective, schedule.blocks) {
        (
            Collective::Allgather | Collective::Gather | Collective::Scatter | Collective::ReduceScatter,
            Blocks::Parts { parts, units, .. },
        ) if units == schedule.members() => Some(p * u64::from(parts)),
        (collective, _) => fixed_count(collective, p),
    }
}

fn fixed_count(collective: Collective, p: u64) -> Option<u64> {
    match collective {
        Collective::Alltoall => Some(p * p),
        Collective::Allgather
        | Collective::Gather
        | Collective::Scatter
        | Collective::ReduceScatter
        | Collective::Barrier => Some(p),
        _ => None,
    }
}

/// The rank that a moving block starts at.
pub(super) fn source(schedule: &Schedule, block: u32) -> u32 {
    match schedule.collective {
        Collective::Broadcast | Collective::Scatter => schedule.root,
        Collective::Alltoall => block / schedule.members(),
        _ => block % schedule.members(),
    }
}

/// True if `rank` must end with `block`.
pub(super) fn wants(schedule: &Schedule, rank: u32, block: u32) -> bool {
    match schedule.collective {
        Collective::Reduce | Collective::Gather => rank == schedule.root,
        Collective::Scatter | Collective::ReduceScatter => rank == block % schedule.members(),
        Collective::Alltoall => rank == block % schedule.members(),
        _ => true,
    }
}

/// The contributors that a finished block of `rank` must count: `0..end`.
pub(super) fn contributors(schedule: &Schedule, rank: u32) -> u32 {
    match schedule.collective {
        Collective::Scan => rank + 1,
        Collective::Exscan => rank,
        _ => schedule.members(),
    }
}
