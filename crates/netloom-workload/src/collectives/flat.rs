//! The list of the algorithms that are no composition of others, by operation: what a level of a hierarchy may take.

use netloom_model::Collective;

use super::row::CollectiveRow;
use super::{allgather, allreduce, alltoall, barrier, broadcast, gather, reduce, reduce_scatter, scan};

pub(crate) const BROADCAST: &[CollectiveRow] = &[
    broadcast::BINOMIAL,
    broadcast::K_NOMIAL,
    broadcast::K_ARY,
    broadcast::CHAIN,
    broadcast::LINEAR,
    broadcast::SCATTER_ALLGATHER,
    broadcast::SCATTER_RING,
    broadcast::BINE,
    broadcast::CIRCULANT,
    broadcast::DOUBLE_TREE,
];
pub(crate) const REDUCE: &[CollectiveRow] = &[
    reduce::BINOMIAL,
    reduce::K_NOMIAL,
    reduce::K_ARY,
    reduce::CHAIN,
    reduce::LINEAR,
    reduce::RABENSEIFNER,
    reduce::BINE,
    reduce::CIRCULANT,
    reduce::DOUBLE_TREE,
];
pub(crate) const ALLREDUCE: &[CollectiveRow] = &[
    allreduce::RECURSIVE_DOUBLING,
    allreduce::RECURSIVE_EXCHANGE,
    allreduce::RECURSIVE_MULTIPLYING,
    allreduce::RABENSEIFNER,
    allreduce::RING,
    allreduce::SEGMENTED_RING,
    allreduce::CIRCULANT,
    allreduce::SWING,
    allreduce::SWING_ALL_PORTS,
    allreduce::BINE,
    allreduce::BUCKET,
    allreduce::BUCKET_ALL_PORTS,
    allreduce::DOUBLE_TREE,
    allreduce::CHAINED_TREES,
    allreduce::REDUCE_BROADCAST,
];
pub(crate) const ALLGATHER: &[CollectiveRow] = &[
    allgather::RING,
    allgather::RECURSIVE_DOUBLING,
    allgather::BRUCK,
    allgather::NEIGHBOUR_EXCHANGE,
    allgather::SPARBIT,
    allgather::CIRCULANT,
    allgather::CIRCULANT_SEGMENTS,
    allgather::PAT,
    allgather::SWING,
    allgather::SWING_ALL_PORTS,
    allgather::BUCKET,
    allgather::BUCKET_ALL_PORTS,
    allgather::LINEAR,
];
pub(crate) const GATHER: &[CollectiveRow] =
    &[gather::GATHER_BINOMIAL, gather::GATHER_K_NOMIAL, gather::GATHER_BINE, gather::GATHER_LINEAR];
pub(crate) const SCATTER: &[CollectiveRow] =
    &[gather::SCATTER_BINOMIAL, gather::SCATTER_K_NOMIAL, gather::SCATTER_BINE, gather::SCATTER_LINEAR];
pub(crate) const REDUCE_SCATTER: &[CollectiveRow] = &[
    reduce_scatter::RING,
    reduce_scatter::PAIRWISE,
    reduce_scatter::RECURSIVE_HALVING,
    reduce_scatter::CIRCULANT,
    reduce_scatter::CIRCULANT_SEGMENTS,
    reduce_scatter::SWING,
    reduce_scatter::SWING_ALL_PORTS,
    reduce_scatter::PAT,
    reduce_scatter::BUCKET,
    reduce_scatter::BUCKET_ALL_PORTS,
];
pub(crate) const ALLTOALL: &[CollectiveRow] =
    &[alltoall::BRUCK, alltoall::PAIRWISE, alltoall::SCATTERED, alltoall::LINEAR, alltoall::RING];
pub(crate) const BARRIER: &[CollectiveRow] =
    &[barrier::DISSEMINATION, barrier::RECURSIVE_DOUBLING, barrier::DOUBLE_RING, barrier::TREE, barrier::LINEAR];
pub(crate) const SCAN: &[CollectiveRow] = &[scan::RECURSIVE_DOUBLING, scan::LINEAR];
pub(crate) const EXSCAN: &[CollectiveRow] = &[scan::EXSCAN_RECURSIVE_DOUBLING, scan::EXSCAN_LINEAR];

/// The rows of one operation.
pub(crate) fn of(collective: Collective) -> &'static [CollectiveRow] {
    match collective {
        Collective::Broadcast => BROADCAST,
        Collective::Reduce => REDUCE,
        Collective::Allreduce => ALLREDUCE,
        Collective::Allgather => ALLGATHER,
        Collective::Gather => GATHER,
        Collective::Scatter => SCATTER,
        Collective::ReduceScatter => REDUCE_SCATTER,
        Collective::Alltoall => ALLTOALL,
        Collective::Barrier => BARRIER,
        Collective::Scan => SCAN,
        Collective::Exscan => EXSCAN,
    }
}
