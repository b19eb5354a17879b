//! Every topology that has a name: one row each.

use netloom_model::{Bound, Call, Network, Outcome, Param, param};

use crate::{circulant, dragonfly, dragonfly_plus, grid, hyperx, random, shift, slim_fly, tree, xpander};

/// What the formulas of a family promise before anything is built. A count beyond `u64` is `u64::MAX`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expected {
    pub switches: u64,
    pub endpoints: u64,
    /// Cables between switches.
    pub switch_links: u64,
    /// Switch-to-switch ports; `None` where no formula is known, as for the fields below.
    pub degree_min: Option<u32>,
    pub degree_max: Option<u32>,
    /// Most hops between two switches.
    pub diameter: Option<u32>,
    /// Mean hops over ordered pairs of distinct switches.
    pub aspl: Option<f64>,
    /// Cables cut by the best bisection into equal halves of switches.
    pub bisection_cables: Option<u64>,
    /// True if every switch provably sees the same network.
    pub transitive: bool,
}

/// A topology.
pub struct TopologyRow {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub summary: &'static str,
    pub params: &'static [Param],
    /// Call text that builds a small one.
    pub example: &'static str,
    /// What the parameters must satisfy together; "" if nothing.
    pub restrictions: &'static str,
    pub source: &'static str,
    pub build: fn(&Bound) -> Outcome<Network>,
    /// Closed forms; all zero and `None` for parameters that `build` refuses.
    pub expected: fn(&Bound) -> Expected,
}

impl TopologyRow {
    /// The name, then the aliases.
    pub fn names(&self) -> Vec<&'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied()).collect()
    }

    /// Reads and checks the arguments of `call`.
    ///
    /// # Errors
    /// As [`Bound::bind`].
    pub fn bind(&self, call: &Call) -> Outcome<Bound> {
        let named = Call { name: self.name.into(), ..call.clone() };
        Bound::bind(self.params, &named)
    }
}

static ROWS: &[TopologyRow] = &[
    grid::RING,
    grid::MESH,
    grid::TORUS,
    grid::HYPERCUBE,
    hyperx::COMPLETE,
    hyperx::HYPERX,
    hyperx::FLATTENED_BUTTERFLY,
    tree::STAR,
    tree::K_ARY_N_TREE,
    tree::THIN_TREE,
    tree::FAT_TREE,
    tree::XGFT,
    dragonfly::DRAGONFLY,
    dragonfly_plus::DRAGONFLY_PLUS,
    slim_fly::SLIM_FLY,
    circulant::CIRCULANT,
    circulant::RECURSIVE_CIRCULANT,
    shift::DE_BRUIJN,
    shift::KAUTZ,
    random::RANDOM_SHORTCUT,
    random::RANDOM_REGULAR,
    xpander::XPANDER,
];

/// All topologies, related ones together.
pub fn topologies() -> &'static [TopologyRow] {
    ROWS
}

/// The row called `name` (`_` and `-` mean the same).
///
/// # Errors
/// `NL-A002` with the nearest name.
pub fn find(name: &str) -> Outcome<&'static TopologyRow> {
    param::find("topology", name, ROWS, TopologyRow::names)
}

/// Builds the network that `call` describes; its label is the call as written.
///
/// # Errors
/// `NL-A002` for an unknown name, `NL-A003` to `NL-A009` and `NL-T001` to `NL-T012` for bad parameters.
pub fn build(call: &Call) -> Outcome<Network> {
    let row = find(&call.name)?;
    Ok((row.build)(&row.bind(call)?)?.with_label(call.to_string()))
}
