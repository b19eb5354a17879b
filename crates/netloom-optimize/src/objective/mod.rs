//! The objectives of a search: one file each, with its row.

mod auto;
mod called;
mod clock;
mod contentions;
mod guarded;
mod hop_bytes;
mod hop_sum;
mod hops;
mod inter_node;
mod levels;
mod max_link_load;
mod paths;
mod registry;
mod row;
mod score;
mod step_load;
mod time;

pub(crate) use called::{follows, on_start};
pub use called::{needs_clock, needs_routing, takes_clock, takes_split};
pub(crate) use clock::{clock, start_time};
pub(crate) use contentions::CONTENTIONS;
pub(crate) use hop_bytes::HOP_BYTES;
pub(crate) use hops::HOPS;
pub(crate) use inter_node::INTER_NODE;
pub(crate) use max_link_load::MAX_LINK_LOAD;
pub(crate) use paths::SharedPaths;
pub use registry::OBJECTIVES;
pub use row::{Clocked, Followed, Goal, Needs, ObjectiveRow};
pub use score::{EXPENSIVE, FOLLOWED, Objective};
pub(crate) use step_load::STEP_LOAD;
pub(crate) use time::TIME;
