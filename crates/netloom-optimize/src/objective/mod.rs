//! What a search minimises.

mod contentions;
mod hop_sum;
mod link_load;
mod paths;

use netloom_model::fault::codes::TOO_LARGE;
use netloom_model::{Fault, Outcome, Param};

use crate::codes;
use crate::guest::Weigh;
use crate::places::Places;
use crate::prepared::Prepared;

/// Score of a mapping that follows swaps.
///
/// `value` is what is reported; `energy` is what searches descend. They are the same for sums; for a maximum, which one
/// move hardly ever changes, the energy is a smooth stand-in.
pub trait Objective: Send + Sync {
    /// Objective of the present state.
    fn value(&self) -> u64;
    /// Energy of the present state, summed anew. For tests and plug-ins: O(everything).
    fn energy(&self, places: &Places) -> f64;
    /// Change of the energy if `a` and `b` (ranks or fillers, not the same) exchanged their places.
    fn swap_delta(&mut self, places: &Places, a: u32, b: u32) -> f64;
    /// Follows the exchange of `a` and `b`, which `places` does not yet show.
    fn swap(&mut self, places: &Places, a: u32, b: u32);
    /// What one unit of energy is in units of the value, where they are proportional.
    fn unit(&self) -> f64 {
        1.0
    }
    /// Cost of one evaluation in evaluations of hops, roughly: default budgets are divided by it.
    fn relative_cost(&self) -> u64 {
        1
    }
    /// A copy for another walk.
    fn boxed<'s>(&self) -> Box<dyn Objective + 's>
    where
        Self: 's;
}

/// An objective by name.
pub struct ObjectiveRow {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub summary: &'static str,
    pub params: &'static [Param],
    pub example: &'static str,
    /// What the problem must have; "" if nothing.
    pub restrictions: &'static str,
    pub source: &'static str,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Hops,
    HopBytes,
    Contentions,
    MaxLinkLoad,
}

pub(crate) static ROWS: &[ObjectiveRow] = &[
    ObjectiveRow {
        name: "hops",
        aliases: &["total-hops"],
        summary: "Hops of all messages, summed.",
        params: &[],
        example: "hops",
        restrictions: "",
        source: "seed 000 §3.3.2",
        kind: Kind::Hops,
    },
    ObjectiveRow {
        name: "hop-bytes",
        aliases: &["dilation"],
        summary: "Bytes times hops, summed over all messages.",
        params: &[],
        example: "hop-bytes",
        restrictions: "",
        source: "seed 004 eq. 2.3",
        kind: Kind::HopBytes,
    },
    ObjectiveRow {
        name: "contentions",
        aliases: &[],
        summary: "Messages of one step beyond the first on their directed switch link, summed over links and steps.",
        params: &[],
        example: "contentions",
        restrictions: "the workload has steps; the routing has one path per pair",
        source: "seed 000 §3.3.2, as read in the evaluation of contentions",
        kind: Kind::Contentions,
    },
    ObjectiveRow {
        name: "max-link-load",
        aliases: &["maximum-bytes", "congestion"],
        summary: "Most bytes on a directed switch link; the search descends the sum of the fourth powers of all loads.",
        params: &[],
        example: "max-link-load",
        restrictions: "the routing has one path per pair",
        source: "seed 004 eq. 2.6",
        kind: Kind::MaxLinkLoad,
    },
];

impl Kind {
    /// True if paths decide the value: the problem must have a routing.
    pub fn needs_routing(self) -> bool {
        matches!(self, Kind::Contentions | Kind::MaxLinkLoad)
    }

    pub fn weigh(self) -> Weigh {
        match self {
            Kind::Hops | Kind::Contentions => Weigh::Messages,
            Kind::HopBytes | Kind::MaxLinkLoad => Weigh::Bytes,
        }
    }

    /// The objective on the start of `prepared`, whose guest was weighed with [`Kind::weigh`].
    ///
    /// # Errors
    /// `NL-O004`, `NL-O005`, `NL-A009`, and what the routing reports.
    pub fn build<'p>(self, prepared: &'p Prepared<'p>) -> Outcome<Box<dyn Objective + 'p>> {
        let places = prepared.places();
        match self {
            Kind::Hops | Kind::HopBytes => Ok(hop_sum::build(prepared, &places)),
            Kind::Contentions => {
                let Some(schedule) = prepared.problem.schedule else {
                    let sentence = "contentions are counted in steps, which this workload does not have";
                    return Err(Fault::say(&codes::NEEDS_SCHEDULE, &prepared.problem.traffic.label, sentence)
                        .hint("use the objective max-link-load")
                        .into());
                };
                let paths = paths::PathTable::new(prepared)?;
                Ok(Box::new(contentions::Contentions::new(schedule, paths, &places)?))
            }
            Kind::MaxLinkLoad => {
                let paths = paths::PathTable::new(prepared)?;
                Ok(Box::new(link_load::LinkLoad::new(prepared.problem.traffic, paths, &places)))
            }
        }
    }
}

/// The fault that a table of `items` items would not fit.
fn too_large(place: &str, what: &str, items: u64) -> Fault {
    Fault::say(&TOO_LARGE, place, format!("{items} {what} are too many to search over"))
        .hint("use fewer ranks or slots")
}
