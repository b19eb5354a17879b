//! Limits for files from outside. Generous for real machines, small compared with memory.

/// Longest file: 256 MiB.
pub const MAX_BYTES: usize = 256 << 20;
/// Most switches and endpoints together.
pub const MAX_NODES: u64 = 1 << 23;
/// Bytes that a reader takes for each name besides its letters: measured on host lists and clusters of 8 million.
pub const NAMED: u64 = 240;
/// Most cables.
pub const MAX_LINKS: u64 = 1 << 24;
/// Most ranks that a matrix of traffic has.
pub const MAX_RANKS: u64 = 1 << 24;
/// Most messages between pairs that a file of traffic lists (24 bytes each).
pub const MAX_FLOWS: u64 = 1 << 25;
/// Most different link classes (name, bandwidth, latency).
pub const MAX_CLASSES: usize = 4096;
/// Most XML elements, and most JSON values.
pub const MAX_ITEMS: u64 = 1 << 23;
/// Deepest nesting of XML elements.
pub const MAX_DEPTH: usize = 64;
/// Most attributes on one XML element.
pub const MAX_ATTRIBUTES: usize = 64;
/// Longest name of a switch, an endpoint or a host, in bytes.
pub const MAX_NAME: usize = 4096;
/// Faults listed for one file; the rest is counted.
pub const MAX_FAULTS: usize = 20;
