//! The collective that a cut is asked about, and what it must bring across.

use netloom_model::Collective;

/// Settings of the bound.
#[derive(Clone, Copy, Debug)]
pub struct CutQuestion {
    pub collective: Collective,
    /// See [`Collective::size_meaning`].
    pub size_bytes: u64,
    /// Root of a rooted collective, else 0.
    pub root: u32,
    /// False: endpoints reach their switch at no cost, as in systems whose switches are the accelerators.
    pub endpoint_links: bool,
}

/// Messages of `size_bytes` that must cross from one side to the other, or back, whichever is more.
pub fn demand(question: &CutQuestion, inside: u64, ranks: u64, root_inside: bool) -> u64 {
    let outside = ranks - inside;
    if inside == 0 || outside == 0 {
        return 0;
    }
    match question.collective {
        Collective::Barrier => 0,
        Collective::Allgather | Collective::ReduceScatter => inside.max(outside),
        Collective::Gather | Collective::Scatter => {
            if root_inside {
                outside
            } else {
                inside
            }
        }
        Collective::Alltoall => inside * outside,
        Collective::Broadcast | Collective::Reduce | Collective::Allreduce | Collective::Scan | Collective::Exscan => 1,
    }
}
