//! The ways in which parts of a network are simulated at the same time, by name.

use netloom_model::{Bound, Call, Kind, Outcome, Param, Registry, Row};

/// How parts run ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Optimism {
    /// Events of a thread between two looks at what others sent its parts.
    pub batch: u32,
    /// Batches between two times that all parts wait for each other. No part is more than so many batches ahead.
    pub interval: u32,
    /// Windows by which a part may be ahead of the last one of its process, and of what ranks do next.
    pub windows: u32,
}

impl Optimism {
    /// Events that a part may have done beyond what is certain.
    pub fn most(self) -> u64 {
        u64::from(self.batch) * u64::from(self.interval)
    }
}

type BuildOptimism = fn(&Bound) -> Option<Optimism>;

/// How parts keep in step. No result depends on it.
pub static PARALLEL: Registry<BuildOptimism> = Registry {
    kind: "parallel",
    what: "way of simulating parts together",
    rows: &[
        Row {
            name: "conservative",
            aliases: &[],
            summary: "all parts simulate a window of time in which none can reach another, then wait for each other",
            params: &[],
            example: "conservative",
            restrictions: "",
            source: "Nicol, J. ACM 40(2), 1993",
            build: |_| None,
        },
        Row {
            name: "optimistic",
            aliases: &["time-warp"],
            summary: "parts run ahead of each other; one that something reaches in its past goes back to before it",
            params: &[
                Param::optional(
                    "batch",
                    Kind::Int { min: 1, max: 1 << 24 },
                    "256",
                    "events of a thread between two looks at what others sent its parts",
                ),
                Param::optional(
                    "interval",
                    Kind::Int { min: 1, max: 1 << 16 },
                    "64",
                    "batches after which all parts wait and agree on what is final; no part is further ahead than that",
                ),
                Param::optional(
                    "windows",
                    Kind::Int { min: 1, max: 1 << 30 },
                    "4",
                    "how far a part may be ahead of the last one, and of what ranks do next, in windows of the conservative way",
                ),
            ],
            example: "optimistic(batch=64,interval=16)",
            restrictions: "output-queued switches, in more than one part",
            source: "Jefferson, ACM TOPLAS 7(3), 1985; Jain 2016, section 5.5",
            build: |bound| {
                let [batch, interval, windows] = ["batch", "interval", "windows"].map(|name| bound.int(name) as u32);
                Some(Optimism { batch, interval, windows })
            },
        },
    ],
    common: &[],
};

impl Optimism {
    /// From a call such as `optimistic(batch=64)`; `None`: parts do not run ahead.
    ///
    /// # Errors
    /// `NL-A002` unknown name, `NL-A003`..`NL-A008` arguments.
    pub fn of(call: &Call) -> Outcome<Option<Optimism>> {
        let (row, bound) = PARALLEL.bind(call)?;
        Ok((row.build)(&bound))
    }
}
