//! What stands for the best objective that a problem allows: simulated time, by a portfolio of the others.

use super::row::{Clocked, Goal, Needs, ObjectiveRow};
use super::time::Elapsed;
use crate::guest::Weigh;

pub const AUTO: ObjectiveRow = ObjectiveRow {
    name: "auto",
    aliases: &["default"],
    summary: "Time, with few simulations: inter-node, hop-bytes and the loads of links propose mappings, simulated time decides. Without time max-link-load decides, or hop-bytes where paths cannot be followed.",
    params: &[],
    example: "auto",
    restrictions: "",
    source: "a composition of the others",
    build: Goal {
        needs: Needs { clock: Clocked::IfGiven, ..Needs::NOTHING },
        weigh: |_| Weigh::Bytes,
        make: |prepared, _, places, _| Ok(Box::new(Elapsed::unfiltered(prepared, places)?)),
        bound: |_| 0,
        moves: None,
        every: false,
    },
};
