//! The list of objectives.

use netloom_model::Registry;

use super::row::Goal;
use super::{auto, contentions, hop_bytes, hops, inter_node, max_link_load, step_load, time};

/// Every objective.
pub static OBJECTIVES: Registry<Goal> = Registry {
    kind: "objectives",
    what: "objective",
    rows: &[
        hops::HOPS,
        hop_bytes::HOP_BYTES,
        inter_node::INTER_NODE,
        contentions::CONTENTIONS,
        max_link_load::MAX_LINK_LOAD,
        step_load::STEP_LOAD,
        time::TIME,
        auto::AUTO,
    ],
    common: &[],
};
