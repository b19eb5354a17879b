//! Chakra execution traces of MLCommons (`prefix.N.et`): for each rank nodes that compute, send, receive or take part in a
//! collective, and which of them have to end before another one starts. As protocol buffers.
//!
//! A rank has three units, as in ASTRA-sim: nodes of the processor, computation of the accelerator, and collectives each
//! run one at a time.
//!
//! Source: the schema `et_def.proto` of mlcommons/chakra, versions 0.0.4 and later; sizes of collectives as ASTRA-sim
//! 2.0 takes them.

use netloom_model::{Collective, Programs, Row};

use crate::head::Head;
use crate::row::Format;

mod read;
#[cfg(test)]
mod tests;
mod wire;
mod write;

pub const ROW: Row<Format<Programs>> = Row {
    name: "chakra",
    aliases: &["chakra-et", "et"],
    summary: "Nodes of each rank that compute, send, receive or enter a collective, and what each waits for; of MLCommons.",
    params: &[],
    example: "chakra",
    restrictions: "A file per rank, prefix.N.et, next to each other. Memory nodes take their duration alone; a rank's \
                   collectives run one at a time. A scan has no words.",
    source: "https://github.com/mlcommons/chakra, schema 0.0.4",
    build: Format { extensions: &["et"], begins: is_trace, read: Some(read::read), write: Some(write::write) },
};

/// Types of nodes.
const META: u64 = 1;
const MEMORY_LOAD: u64 = 2;
const MEMORY_STORE: u64 = 3;
const COMPUTE: u64 = 4;
const SEND: u64 = 5;
const RECEIVE: u64 = 6;
const COLLECTIVE: u64 = 7;

/// Collectives by their number in the schema; `None` for the ninth, which is the same as the eighth.
const COLLECTIVES: [Option<Collective>; 10] = [
    Some(Collective::Allreduce),
    Some(Collective::Reduce),
    Some(Collective::Allgather),
    Some(Collective::Gather),
    Some(Collective::Scatter),
    Some(Collective::Broadcast),
    Some(Collective::Alltoall),
    Some(Collective::ReduceScatter),
    None,
    Some(Collective::Barrier),
];

/// Units of a rank.
const PROCESSOR: u32 = 0;
const ACCELERATOR: u32 = 1;
const NETWORK: u32 = 2;

/// True for a message that begins with the version of the schema, and another one after it.
fn is_trace(head: &Head) -> bool {
    let mut rest = wire::WireBytes::new(head.bytes);
    let Some(first) = rest.delimited() else { return false };
    let version = wire::MessageFields::new(first).next();
    let plain = |bytes: &[u8]| !bytes.is_empty() && bytes.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    matches!(version, Some(Some((1, wire::WireValue::Bytes(text)))) if plain(text))
}
