//! What the link-load model leaves open.

use std::sync::Arc;

use netloom_model::{Bound, Call, Hosts, Kind, Outcome, Param, Value};

/// The only place of their names, ranges and defaults. The defaults are those of Jain 2016, where it states them.
pub const SETTINGS: &[Param] = &[
    Param::optional("seed", Kind::Int { min: 0, max: i64::MAX }, "1", "of all random detours"),
    Param::optional(
        "increments",
        Kind::Int { min: 1, max: 10_000 },
        "50",
        "steps in which the bandwidth is exposed where paths are drawn afresh",
    ),
    Param::optional(
        "tolerance",
        Kind::Float { min: 0.0, max: 1.0 },
        "1e-3",
        "rounds end when one adds less than this share to all bandwidth given",
    ),
    Param::optional("rounds", Kind::Int { min: 1, max: 10_000 }, "100", "most rounds after the last increment"),
    Param::optional("hottest", Kind::Int { min: 0, max: 1000 }, "5", "links whose causes are listed; 0 saves a pass"),
    Param::optional("top", Kind::Int { min: 0, max: 1000 }, "3", "ranks and message classes that are found for each"),
    Param::optional("features", Kind::Bool, "false", "whether the answer has features for learners"),
    Param::optional("arrays", Kind::Bool, "true", "keep a column per link; without it only the numbers that need none"),
];

/// The values of [`SETTINGS`] that decide loads.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Of all random intermediate switches and paths.
    pub seed: u64,
    /// The bandwidth is exposed in this many equal steps where a job draws fresh paths.
    pub increments: u32,
    /// The iteration ends when a round adds less than this share to the bandwidth that all messages have.
    pub tolerance: f64,
    /// Rounds after the last exposure, at most.
    pub rounds: u32,
    /// Machines inside which messages stay; `None`: every endpoint is one.
    pub hosts: Option<Arc<Hosts>>,
}

impl Settings {
    /// From arguments bound to [`SETTINGS`].
    pub fn new(bound: &Bound) -> Settings {
        Settings {
            seed: bound.int("seed") as u64,
            increments: bound.size("increments"),
            tolerance: bound.float("tolerance"),
            rounds: bound.size("rounds"),
            hosts: None,
        }
    }

    /// True if messages between these endpoints, or of one to itself, stay inside a machine.
    #[inline]
    pub(super) fn inside(&self, from: u32, to: u32) -> bool {
        from == to || self.hosts.as_ref().is_some_and(|hosts| hosts.host(from) == hosts.host(to))
    }

    /// # Errors
    /// `NL-A007` for every value out of its range.
    pub fn check(&self) -> Outcome<()> {
        let count = |value: u64| i64::try_from(value).map_or_else(|_| Value::Other(value.to_string()), Value::Int);
        let mut call = Call::bare("loads");
        call.keyword = vec![
            ("seed".into(), count(self.seed)),
            ("increments".into(), count(self.increments.into())),
            ("tolerance".into(), Value::Float(self.tolerance)),
            ("rounds".into(), count(self.rounds.into())),
        ];
        Bound::bind(SETTINGS, &call).map(drop)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings::new(&Bound::defaults("loads", SETTINGS))
    }
}
