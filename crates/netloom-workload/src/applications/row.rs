//! What an application has: its numbers of ranks and its programs, with the parameters that applications share.

use netloom_model::units::Quantity;
use netloom_model::{Bound, Kind, Outcome, Param, Programs, Row};

use super::class::Class;
use super::legal::Legal;
use super::weave::Setup;

/// The type that an application's row builds.
#[derive(Clone, Copy, Debug)]
pub struct Application {
    /// Iterations, unless given.
    pub(crate) iterations: fn(&Bound) -> u32,
    /// Numbers of ranks that the arguments allow.
    pub(crate) legal: fn(&Bound) -> Legal,
    pub(crate) make: fn(&Setup) -> Outcome<Programs>,
}

/// An application; its restrictions give the numbers of ranks that the program accepts.
pub type ApplicationRow = Row<Application>;

const SOURCE: &str = "NPB 3.3-MPI (NASA Ames; NAS reports 95-020 and 02-007)";

pub(crate) const CLASS: Param = Param::required("class", Kind::Choice(Class::NAMES), "problem size");
pub(crate) const ITERATIONS: Param = Param::optional(
    "iterations",
    Kind::Int { min: 1, max: 1_000_000 },
    "",
    "iterations; unless given, those of the class",
);
pub(crate) const COMPUTE: Param =
    Param::optional("compute", Kind::Bool, "true", "whether ranks compute, or only communicate").keyword_only();
pub(crate) const PART: Param = Param::optional(
    "part",
    Kind::Choice(&["timed", "whole"]),
    "timed",
    "timed: what the benchmark's clock sees; whole: with the warm-up before and the checks after it",
)
.keyword_only();

pub(crate) const STEPS: Param =
    Param::optional("iterations", Kind::Int { min: 1, max: 1_000_000 }, "1", "repetitions of the whole").keyword_only();

/// A parameter of bytes.
pub(crate) const fn size(name: &'static str, default: &'static str, help: &'static str) -> Param {
    Param::optional(name, Kind::Quantity(Quantity::Bytes), default, help).keyword_only()
}

/// What most rows take.
pub(crate) const PARAMS: &[Param] = &[CLASS, ITERATIONS, COMPUTE, PART];

pub(crate) const TEMPLATE: ApplicationRow = ApplicationRow {
    name: "",
    aliases: &[],
    summary: "",
    params: PARAMS,
    example: "",
    restrictions: "",
    source: SOURCE,
    build: Application {
        iterations: |_| 1,
        legal: |_| Legal::List(Vec::new()),
        make: |setup| setup.weave(setup.calls(), 0.0, |_, _| {}),
    },
};
