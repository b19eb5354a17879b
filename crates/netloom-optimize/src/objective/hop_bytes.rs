//! Bytes times hops.

use super::hop_sum;
use super::row::{Goal, KEEP, Needs, ObjectiveRow, SLACK};
use crate::bound;
use crate::guest::Weigh;

pub const HOP_BYTES: ObjectiveRow = ObjectiveRow {
    name: "hop-bytes",
    aliases: &["dilation"],
    summary: "Bytes times hops, summed over all messages.",
    params: &[KEEP, SLACK],
    example: "hop-bytes",
    restrictions: "",
    source: "Jain 2016 eq. 2.3",
    build: Goal {
        needs: Needs::NOTHING,
        weigh: |_| Weigh::Bytes,
        make: |prepared, _, places, _| Ok(hop_sum::build(prepared, prepared.weighed(Weigh::Bytes)?, places)),
        bound: bound::weighted_hops,
        moves: None,
        every: false,
    },
};
