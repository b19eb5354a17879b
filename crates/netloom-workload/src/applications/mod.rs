//! Applications: the actions of the ranks of a program, generated from the problem size. Those of the NAS parallel
//! benchmarks have the message partners, sizes, counts and order of the MPI programs of NPB 3.3, and compute by the
//! benchmark's own operation count; pF3D, MILC and SPLATT communicate as papers describe it, and compute nothing.
//!
//! A row of [`APPLICATIONS`] makes [`Programs`]; the caller chooses the algorithm of each collective
//! ([`default_collectives`] takes what MPICH would).

mod cg;
mod ft;
mod is;
mod legal;
mod lu;
mod mg;
mod milc;
mod pf3d;
mod selection;
mod splatt;
mod weave;

#[cfg(test)]
mod tests;

use netloom_model::units::Quantity;
use netloom_model::{Bound, Call, Collective, Fault, Kind, Outcome, Param, Programs, Registry, Row, Schedule};

use crate::codes;
use crate::patterns::whole_bytes;
pub(crate) use legal::{Legal, cut, given_grid, powers};
pub use selection::{default_collectives, mpich_default};
use weave::Setup;

/// The schedule of a collective, for a number of ranks, a size
/// ([`netloom_model::Collective::size_meaning`]) and root.
pub type Collectives<'a> = dyn Fn(Collective, u32, u64, u32) -> Outcome<Schedule> + 'a;

/// Most ranks of a NAS benchmark: what MG's arrays are declared for (`maxprocs`).
pub const RANK_LIMIT: u32 = 1 << 17;
/// Most ranks of the other applications.
pub const MOST_RANKS: u32 = 1 << 20;
/// Most actions of all ranks together that are held: about 0.4 GiB.
pub const OP_LIMIT: u64 = 1 << 24;

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

/// Problem size: position in `S`, `W`, `A`, `B`, `C`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class(pub usize);

impl Class {
    pub const NAMES: &'static [&'static str] = &["S", "W", "A", "B", "C"];

    /// The class's value in a table of [`Class::NAMES`].
    pub fn of<T: Copy>(self, table: [T; 5]) -> T {
        table[self.0.min(4)]
    }
}

/// Every application.
pub static APPLICATIONS: Registry<Application> = Registry { kind: "applications", what: "application", rows: ROWS };

const ROWS: &[ApplicationRow] = &[ft::FT, is::IS, mg::MG, lu::LU, cg::CG, pf3d::PF3D, milc::MILC, splatt::SPLATT];

/// # Errors
/// As [`application`].
pub fn programs(row: &ApplicationRow, bound: &Bound, ranks: u32, collectives: &Collectives) -> Outcome<Programs> {
    takes(row, bound, ranks)?;
    let class = class_of(bound);
    let iterations = bound.int_or_none("iterations").and_then(|n| u32::try_from(n).ok());
    (row.make)(&Setup {
        ranks,
        class,
        iterations: iterations.unwrap_or((row.iterations)(bound)),
        whole: bound.text("part") == "whole",
        bound,
        collectives,
    })
}

/// `NL-P004` with the nearest numbers, unless the arguments allow `ranks`.
fn takes(row: &ApplicationRow, bound: &Bound, ranks: u32) -> Outcome<()> {
    let legal = (row.legal)(bound);
    if legal.takes(ranks) {
        return Ok(());
    }
    let near: Vec<String> = legal.near(ranks).iter().map(u32::to_string).collect();
    let of_class = if bound.is_given("class") { format!("(class={})", bound.text("class")) } else { String::new() };
    let place = format!("ranks of {}{of_class}", row.name);
    let fault = Fault::new(&codes::APPLICATION_RANKS, place, row.restrictions, ranks);
    Err(fault.hint(format!("the nearest that it takes: {}", near.join(" or "))).into())
}

/// What `call` (such as `cg(class=A)`) does on `ranks` ranks, with the schedules that `collectives` chooses.
/// O(ranks · actions), 20 to 700 actions a rank: iterations and planes are loops.
///
/// # Errors
/// All of the call's; `NL-P004` a number of ranks that the benchmark does not take, with the nearest that it does;
/// `NL-P005` beyond [`OP_LIMIT`] actions; those of `collectives`.
///
/// ```
/// use netloom_model::Call;
/// use netloom_workload::applications::{application, default_collectives};
/// let programs = application(&Call::parse("cg(class=A)")?, 128, &default_collectives)?;
/// assert_eq!(programs.ranks(), 128);
/// # Ok::<(), netloom_model::Faults>(())
/// ```
pub fn application(call: &Call, ranks: u32, collectives: &Collectives) -> Outcome<Programs> {
    let (row, bound) = APPLICATIONS.bind(call)?;
    programs(row, &bound, ranks, collectives)
}

/// The class of a NAS benchmark.
pub(crate) fn class_of(bound: &Bound) -> Class {
    let name = bound.text("class");
    Class(Class::NAMES.iter().position(|c| *c == name).unwrap_or(0))
}

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
