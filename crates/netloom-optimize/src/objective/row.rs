//! What an objective has: what it needs, and how it is made.

use netloom_model::{Bound, Kind, Outcome, Param, Row};

use super::paths::SharedPaths;
use super::score::Objective;
use crate::guest::Weigh;
use crate::places::Places;
use crate::prepared::Prepared;

/// An objective by name; its restrictions give the requirements on the problem.
pub type ObjectiveRow = Row<Goal>;

/// Makes an objective on the places given, which are those of the start. Searches with the same paths share them.
pub(crate) type Make = for<'p> fn(&'p Prepared<'p>, &Bound, &Places, &SharedPaths) -> Outcome<Box<dyn Objective + 'p>>;

/// The type that an objective's row builds.
#[derive(Clone, Copy)]
pub struct Goal {
    pub(crate) needs: Needs,
    /// What the guest graph, by which moves are proposed, is weighed by.
    pub(crate) weigh: fn(&Bound) -> Weigh,
    pub(crate) make: Make,
    /// A value that no mapping onto the slots goes below; 0 where none is known.
    pub(crate) bound: fn(&Prepared<'_>) -> u64,
    /// Default number of moves of a search; `None`: the method decides.
    pub(crate) moves: Option<i64>,
    /// True if all mappings of a handful of slots are tried, because the energy may be lowest where the value is not.
    pub(crate) every: bool,
}

/// What an objective needs of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    pub paths: Followed,
    /// The steps of the workload, unless its options say otherwise.
    pub schedule: bool,
    pub clock: Clocked,
}

/// The paths along which an objective follows messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    Nothing,
    /// One path per pair: the routing must be deterministic.
    OnePath,
    /// All paths of a pair, each with its share.
    Shares,
}

/// Whether an objective is simulated time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clocked {
    Never,
    IfGiven,
    Always,
}

impl Needs {
    pub(crate) const NOTHING: Needs = Needs { paths: Followed::Nothing, schedule: false, clock: Clocked::Never };

    /// True if paths decide the value: the problem must have a routing.
    pub fn routing(self) -> bool {
        self.paths != Followed::Nothing
    }
}

/// An objective that a search keeps while another one falls.
pub(super) const KEEP: Param = Param::optional(
    "keep",
    Kind::Choice(&["hop-bytes", "inter-node", "max-link-load", "step-load"]),
    "",
    "an objective that may not get worse than at the start meanwhile, its smooth stand-in where it has one",
)
.keyword_only();
pub(super) const SLACK: Param = Param::optional(
    "slack",
    Kind::Float { min: 0.0, max: 1e9 },
    "0",
    "share of the start by which what is kept may get worse",
)
.keyword_only();
