//! The default algorithm of each collective.

use netloom_model::{Call, Collective, Outcome, Schedule};

use crate::registry::build;

/// The algorithm that MPICH's generic selection takes, by our name (`generic.json` of MPICH, snapshot of 2026-08-20).
///
/// `size_bytes` has the meaning of [`Collective::size_meaning`]. MPICH also uses the number of elements: they are taken
/// to be of 8 bytes. Operations are taken to be MPI's own and commutative. For `gather`, `scatter`, `barrier`, `scan`
/// and `exscan` there is one choice. O(1).
pub fn mpich_default(collective: Collective, ranks: u32, size_bytes: u64) -> &'static str {
    let power = ranks.is_power_of_two();
    // Every chunk of a vector that is cut into the largest power of two needs an element.
    let few_elements = size_bytes / 8 < 1 << ranks.max(1).ilog2();
    let total_bytes = size_bytes.saturating_mul(u64::from(ranks));
    match collective {
        Collective::Broadcast if ranks < 8 || size_bytes <= 12 * 1024 => "broadcast:binomial",
        Collective::Broadcast if power && size_bytes <= 512 * 1024 => "broadcast:scatter-allgather",
        Collective::Broadcast => "broadcast:scatter-ring",
        Collective::Reduce if size_bytes <= 2048 || few_elements => "reduce:binomial",
        Collective::Reduce => "reduce:rabenseifner",
        Collective::Allreduce if size_bytes <= 8 || few_elements => "allreduce:recursive-doubling",
        Collective::Allreduce => "allreduce:rabenseifner",
        Collective::Allgather if power && total_bytes < 512 * 1024 => "allgather:recursive-doubling",
        Collective::Allgather if total_bytes < 80 * 1024 => "allgather:bruck",
        Collective::Allgather => "allgather:ring",
        Collective::Gather => "gather:binomial",
        Collective::Scatter => "scatter:binomial",
        Collective::ReduceScatter if total_bytes < 512 * 1024 => "reduce-scatter:recursive-halving",
        Collective::ReduceScatter => "reduce-scatter:pairwise",
        Collective::Alltoall if ranks >= 8 && size_bytes <= 256 => "alltoall:bruck",
        Collective::Alltoall if size_bytes <= 32 * 1024 => "alltoall:scattered",
        Collective::Alltoall => "alltoall:pairwise",
        Collective::Barrier => "barrier:dissemination",
        Collective::Scan => "scan:recursive-doubling",
        Collective::Exscan => "exscan:recursive-doubling",
    }
}

/// The schedule of [`mpich_default`].
///
/// # Errors
/// Those of [`build`].
pub fn default_collectives(collective: Collective, ranks: u32, size_bytes: u64, root: u32) -> Outcome<Schedule> {
    let call = Call::bare(mpich_default(collective, ranks, size_bytes));
    build(&call, ranks.into(), root.into(), i64::try_from(size_bytes).unwrap_or(i64::MAX))
}
