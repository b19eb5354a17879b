//! Hops of all messages.

use super::hop_sum;
use super::row::{Goal, KEEP, Needs, ObjectiveRow, SLACK};
use crate::bound;
use crate::guest::Weigh;

pub const HOPS: ObjectiveRow = ObjectiveRow {
    name: "hops",
    aliases: &["total-hops"],
    summary: "Hops of all messages, summed.",
    params: &[KEEP, SLACK],
    example: "hops",
    restrictions: "",
    source: "Cui 2024 §3.3.2",
    build: Goal {
        needs: Needs::NOTHING,
        weigh: |_| Weigh::Messages,
        make: |prepared, _, places, _| Ok(hop_sum::build(prepared, prepared.weighed(Weigh::Messages)?, places)),
        bound: bound::weighted_hops,
        moves: None,
        every: false,
    },
};
