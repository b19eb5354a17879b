//! The objectives of a search.

mod contentions;
mod elapsed;
mod guarded;
mod hop_sum;
mod inter_node;
mod levels;
mod link_load;
mod paths;
mod step_load;

use netloom_model::fault::codes::TOO_LARGE;
use netloom_model::{Bound, Call, Fault, Kind, Outcome, Param, Registry, Row};

use crate::codes;
use crate::guest::Weigh;
use crate::places::Places;
use crate::prepared::Prepared;

/// Score of a mapping that follows swaps.
///
/// `value` is reported; `energy` is minimised by searches. They are the same for sums; for a maximum, which one move
/// hardly ever changes, the energy is a smooth substitute.
pub trait Objective: Send + Sync {
    /// Objective of the present state.
    fn value(&self) -> u64;
    /// Energy of the present state, recomputed from scratch. For tests and plug-ins: O(everything).
    fn energy(&self, places: &Places) -> f64;
    /// Change of the energy if `a` and `b` (ranks or fillers, not the same) exchanged their places.
    fn swap_delta(&mut self, places: &Places, a: u32, b: u32) -> f64;
    /// Follows the exchange of `a` and `b`, which `places` does not yet show.
    fn swap(&mut self, places: &Places, a: u32, b: u32);
    /// As [`Objective::swap_delta`], for a caller that rejects every change above `most`: then any number above it may
    /// come, without the work of knowing more. An infinite `most` is no such permission.
    fn delta_within(&mut self, places: &Places, a: u32, b: u32, most: f64) -> f64 {
        let _ = most;
        self.swap_delta(places, a, b)
    }
    /// Makes several exchanges one after another, in `places` too; gives their energy change together, or something above
    /// `most`, and then they must be taken back.
    fn make(&mut self, places: &mut Places, moves: &[(u32, u32)], most: f64) -> f64 {
        let _ = most;
        let mut change = 0.0;
        for &(a, b) in moves {
            change += self.swap_delta(places, a, b);
            self.swap(places, a, b);
            places.swap(a, b);
        }
        change
    }
    /// Undoes [`Objective::make`], which came just before with the same moves.
    fn take_back(&mut self, places: &mut Places, moves: &[(u32, u32)]) {
        for &(a, b) in moves.iter().rev() {
            self.swap(places, a, b);
            places.swap(a, b);
        }
    }
    /// What one unit of energy is in units of the value, where they are proportional.
    fn unit(&self) -> f64 {
        1.0
    }
    /// Cost of one evaluation in evaluations of hops, roughly: default budgets are divided by it.
    fn relative_cost(&self) -> u64 {
        1
    }
    /// Factor on the temperatures at which a search begins, in standard deviations of random changes.
    fn heat(&self) -> f64 {
        1.0
    }
    /// A copy for another walk.
    fn boxed<'s>(&self) -> Box<dyn Objective + 's>
    where
        Self: 's;
}

/// An objective by name; its restrictions give the requirements on the problem.
pub type ObjectiveRow = Row<Goal>;

/// Which objective a row builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    Hops,
    HopBytes,
    InterNode,
    Contentions,
    MaxLinkLoad,
    StepLoad,
    Time,
    Auto,
}

/// Relative cost of an objective that follows paths.
pub const FOLLOWED: u64 = 32;

pub(crate) use elapsed::{PS_PER_S, clock, picoseconds, start_time};
pub(crate) use paths::PathTable;

/// A relative cost from which on every single evaluation counts.
pub const EXPENSIVE: u64 = 1024;

/// What a search keeps while another objective falls.
const KEEP: Param = Param::optional(
    "keep",
    Kind::Choice(&["hop-bytes", "inter-node", "max-link-load", "step-load"]),
    "",
    "an objective that may not get worse than at the start meanwhile, its smooth stand-in where it has one",
)
.keyword_only();
const SLACK: Param = Param::optional(
    "slack",
    Kind::Float { min: 0.0, max: 1e9 },
    "0",
    "share of the start by which what is kept may get worse",
)
.keyword_only();

/// Which messages may share a link at the same time.
const OVER: Param = Param::optional(
    "over",
    Kind::Choice(&["step", "workload"]),
    "step",
    "step: messages of one step share links; workload: all messages do, whatever their steps",
)
.keyword_only();

/// Every objective.
pub static OBJECTIVES: Registry<Goal> = Registry {
    kind: "objectives",
    what: "objective",
    rows: &[
        ObjectiveRow {
            name: "hops",
            aliases: &["total-hops"],
            summary: "Hops of all messages, summed.",
            params: &[KEEP, SLACK],
            example: "hops",
            restrictions: "",
            source: "Cui 2024 §3.3.2",
            build: Goal::Hops,
        },
        ObjectiveRow {
            name: "hop-bytes",
            aliases: &["dilation"],
            summary: "Bytes times hops, summed over all messages.",
            params: &[KEEP, SLACK],
            example: "hop-bytes",
            restrictions: "",
            source: "Jain 2016 eq. 2.3",
            build: Goal::HopBytes,
        },
        ObjectiveRow {
            name: "inter-node",
            aliases: &["inter-node-bytes"],
            summary: "Bytes that leave their node; where no node is given, every endpoint is one.",
            params: &[KEEP, SLACK],
            example: "inter-node",
            restrictions: "several ranks on a node: else all bytes leave",
            source: "what Scotch (Pellegrini 1996) and TreeMatch (Jeannot 2014) make small between nodes",
            build: Goal::InterNode,
        },
        ObjectiveRow {
            name: "contentions",
            aliases: &[],
            summary: "Messages beyond the first on their directed switch link, summed over links; counted in each step, or over the whole workload.",
            params: &[OVER],
            example: "contentions",
            restrictions: "the routing has one path per pair; over=step: the workload has steps",
            source: "Cui 2024 §3.3.2, which leaves open whether steps are told apart",
            build: Goal::Contentions,
        },
        ObjectiveRow {
            name: "max-link-load",
            aliases: &["maximum-bytes", "congestion"],
            summary: "Most bytes on a directed switch link; the search descends the sum of the fourth powers of all loads.",
            params: &[KEEP, SLACK],
            example: "max-link-load",
            restrictions: "the routing has one path per pair",
            source: "Jain 2016 eq. 2.6",
            build: Goal::MaxLinkLoad,
        },
        ObjectiveRow {
            name: "step-load",
            aliases: &[],
            summary: "Longest time that the bytes of a directed link take in a step, those of endpoints and inside nodes included, summed over steps (one if the workload has none), picoseconds; the search descends fourth roots of sums of fourth powers.",
            params: &[KEEP, SLACK],
            example: "step-load",
            restrictions: "",
            source: "max-link-load, step by step and in the shares of the routing's paths",
            build: Goal::StepLoad,
        },
        ObjectiveRow {
            name: "time",
            aliases: &["elapsed", "makespan"],
            summary: "Simulated time until the last rank ends, picoseconds (rounded); moves are compared in seconds.",
            params: &[
                Param::optional(
                    "filter",
                    Kind::Choice(&["hops", "hop-bytes"]),
                    "",
                    "a sum that refuses a move without simulating it if it makes the sum much worse; if absent every move is simulated",
                ),
                Param::optional(
                    "margin",
                    Kind::Float { min: 0.0, max: 1e9 },
                    "1",
                    "how much worse the sum may get, in shares of one rank (sum / ranks)",
                ),
            ],
            example: "time(filter=hops)",
            restrictions: "a clock: the caller gives the machine",
            source: "Cui and Koibuchi §III, with simulated time in place of SimGrid's",
            build: Goal::Time,
        },
        ObjectiveRow {
            name: "auto",
            aliases: &["default"],
            summary: "Time, with few simulations: inter-node, hop-bytes and the loads of links propose mappings, simulated time decides. Without time max-link-load decides, or hop-bytes where paths cannot be followed.",
            params: &[],
            example: "auto",
            restrictions: "",
            source: "a composition of the others",
            build: Goal::Auto,
        },
    ],
};

impl Goal {
    /// Its row's name.
    pub(crate) fn name(self) -> &'static str {
        OBJECTIVES.rows.iter().find(|row| row.build == self).map_or("", |row| row.name)
    }
    /// The objective without options.
    pub(crate) fn call(self) -> Call {
        Call { name: self.name().into(), positional: Vec::new(), keyword: Vec::new() }
    }

    /// True if paths decide the value: the problem must have a routing.
    pub(crate) fn needs_routing(self) -> bool {
        matches!(self, Goal::Contentions | Goal::MaxLinkLoad | Goal::StepLoad)
    }

    /// Default number of moves of a search; `None`: the method decides.
    pub(crate) fn moves(self) -> Option<i64> {
        // As Cui and Koibuchi §III.
        (self == Goal::Time).then_some(1000)
    }

    pub(crate) fn weigh(self, args: &Bound) -> Weigh {
        match self {
            Goal::Time if args.text("filter") == "hop-bytes" => Weigh::Bytes,
            Goal::Hops | Goal::Contentions | Goal::Time => Weigh::Messages,
            Goal::HopBytes | Goal::InterNode | Goal::MaxLinkLoad | Goal::StepLoad | Goal::Auto => Weigh::Bytes,
        }
    }

    /// The objective on the start of `prepared`, whose guest was weighed with [`Goal::weigh`].
    ///
    /// # Errors
    /// `NL-O004`, `NL-O005`, `NL-O008`, `NL-O009`, `NL-A009`, and those of the routing and the clock.
    pub(crate) fn objective<'p>(self, prepared: &'p Prepared<'p>, args: &Bound) -> Outcome<Box<dyn Objective + 'p>> {
        let places = prepared.places();
        let made = self.alone(prepared, args, &places)?;
        let Some(kept) = kept(args) else { return Ok(made) };
        let guard = kept.alone(prepared, args, &places)?;
        Ok(Box::new(guarded::Guarded::new(made, guard, args.float("slack"), &places)))
    }

    fn alone<'p>(self, prepared: &'p Prepared<'p>, args: &Bound, places: &Places) -> Outcome<Box<dyn Objective + 'p>> {
        match self {
            Goal::Hops => Ok(hop_sum::build(prepared, prepared.weighed(Weigh::Messages)?, places)),
            Goal::HopBytes => Ok(hop_sum::build(prepared, prepared.weighed(Weigh::Bytes)?, places)),
            Goal::InterNode => {
                Ok(Box::new(inter_node::InterNode::new(prepared, prepared.weighed(Weigh::Bytes)?, places)))
            }
            Goal::Contentions if args.text("over") == "workload" => {
                let paths = paths::PathTable::new(prepared)?;
                Ok(Box::new(contentions::Contentions::together(prepared.problem.traffic, paths, places)?))
            }
            Goal::Contentions => {
                let Some(schedule) = prepared.problem.schedule else {
                    let sentence = "contentions of steps need steps, which this workload does not have";
                    return Err(Fault::say(&codes::NEEDS_SCHEDULE, &prepared.problem.traffic.label, sentence)
                        .hint("use contentions(over=workload), or the objective max-link-load")
                        .into());
                };
                let paths = paths::PathTable::new(prepared)?;
                Ok(Box::new(contentions::Contentions::in_steps(schedule, paths, places)?))
            }
            Goal::StepLoad => {
                let paths = paths::PathTable::shared(prepared)?;
                Ok(Box::new(step_load::StepLoad::new(prepared, paths, places)?))
            }
            Goal::Time => Ok(Box::new(elapsed::Elapsed::new(prepared, places, args)?)),
            Goal::Auto => Ok(Box::new(elapsed::Elapsed::unfiltered(prepared, places)?)),
            Goal::MaxLinkLoad => {
                let paths = paths::PathTable::new(prepared)?;
                Ok(Box::new(link_load::LinkLoad::new(prepared.problem.traffic, paths, places)))
            }
        }
    }
}

/// What a call asks to keep.
pub(crate) fn kept(args: &Bound) -> Option<Goal> {
    OBJECTIVES.rows.iter().find(|row| args.is_given("keep") && row.name == args.text("keep")).map(|row| row.build)
}

/// The fault that a table of `items` items would not fit.
fn too_large(place: &str, what: &str, items: u64) -> Fault {
    Fault::say(&TOO_LARGE, place, format!("{items} {what} are too many to search over"))
        .hint("use fewer ranks or slots")
}
