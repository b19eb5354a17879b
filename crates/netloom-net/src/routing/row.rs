//! What a routing has: a constructor.

use std::sync::Arc;

use netloom_model::{Bound, Network, Outcome, Routing, Row};

/// Binds a routing to a network, with the text that becomes its label.
pub type Build = fn(&Arc<Network>, &Bound, &str) -> Outcome<Box<dyn Routing>>;

/// A routing; its restrictions name the networks that it works on.
pub type RoutingRow = Row<Build>;
