//! Limits of a trace, in addition to those of all files.

/// Most ranks.
pub const MAX_RANKS: u32 = 1 << 20;
/// All files of a trace together: 1 GiB.
pub const MAX_TOTAL_BYTES: u64 = 1 << 30;
/// Most actions of all ranks together, loops unrolled: 1.5 GiB of them.
pub const MAX_OPS: usize = 1 << 26;
/// Most different collectives (kind, size, root).
pub const MAX_CALLS: usize = 1 << 14;
/// Most members of all different collectives together.
pub const MAX_MEMBERS: usize = 1 << 26;
/// Longest line that is processed as a whole: an alltoallv of 2^20 ranks.
pub const MAX_WORDS: usize = (2 << 20) + 16;
