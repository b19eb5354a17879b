//! Networks: topology generators, graph metrics, routings.

pub mod metrics;
pub mod routing;
