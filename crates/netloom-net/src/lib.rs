//! Networks: topology generators, graph metrics, routings.

pub mod butterfly;
pub mod circulant;
pub mod codes;
pub mod combining;
mod common;
pub mod contract;
pub mod dragonfly;
pub mod dragonfly_plus;
pub mod failures;
pub mod grid;
pub mod hyperx;
pub mod metrics;
pub mod pool;
pub mod rail_cluster;
pub mod random;
pub mod registry;
pub mod remade;
pub mod routing;
pub mod row;
pub mod shift;
pub mod simple;
pub mod slim_fly;
pub mod tree;
pub mod xpander;

pub use registry::{TOPOLOGIES, build};
pub use row::{Expected, Topology, TopologyRow};

/// How distances between switches are found.
pub const MEASURE: netloom_model::Measure =
    netloom_model::Measure { matrix: metrics::hop_matrix, product: routing::hop_product };
