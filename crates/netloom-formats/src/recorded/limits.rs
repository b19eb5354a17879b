//! Limits of what is recorded, in addition to those of all files.

/// Most ranks.
pub const MAX_RANKS: u32 = 1 << 20;
/// All files of a record together: 1 GiB.
pub const MAX_TOTAL_BYTES: u64 = 1 << 30;
/// Most actions of all ranks together, loops unrolled: 2.4 GiB of them.
pub const MAX_OPS: usize = 100 << 20;
/// Most different collectives (communicator, kind, size, root).
pub const MAX_CALLS: usize = 1 << 16;
/// Most members of all different collectives together, and of all communicators.
pub const MAX_MEMBERS: usize = 1 << 26;
/// Most communicators.
pub const MAX_GROUPS: usize = 1 << 16;
