//! Limits of a trace, in addition to those of all records.

/// Longest line that is processed as a whole: an alltoallv of 2^20 ranks.
pub const MAX_WORDS: usize = (2 << 20) + 16;
