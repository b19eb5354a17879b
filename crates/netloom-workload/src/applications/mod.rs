//! Applications: the actions of the ranks of the NAS parallel benchmarks, generated from the problem size. Message
//! partners, sizes, counts and their order are those of the MPI programs of NPB 3.3; computation comes from the
//! benchmark's own operation count.
//!
//! A row of [`APPLICATIONS`] makes [`Programs`]; the caller chooses the algorithm of each collective
//! ([`default_collectives`] takes what MPICH would).

mod cg;
mod ft;
mod is;
mod lu;
mod mg;
mod selection;
mod weave;

#[cfg(test)]
mod tests;

use netloom_model::{Bound, Call, Collective, Fault, Kind, Outcome, Param, Programs, Registry, Row, Schedule};

use crate::codes;
pub use selection::{default_collectives, mpich_default};
use weave::Setup;

/// The schedule of a collective, for a number of ranks, a size
/// ([`netloom_model::Collective::size_meaning`]) and root.
pub type Collectives<'a> = dyn Fn(Collective, u32, u64, u32) -> Outcome<Schedule> + 'a;

/// Most ranks of an application: what MG's arrays are declared for (`maxprocs`).
pub const RANK_LIMIT: u32 = 1 << 17;
/// Most actions of all ranks together that are held: about 0.4 GiB.
pub const OP_LIMIT: u64 = 1 << 24;

/// The type that an application's row builds.
#[derive(Clone, Copy, Debug)]
pub struct Application {
    /// Iterations of a class, unless given.
    pub(crate) iterations: fn(Class) -> u32,
    /// Numbers of ranks that a class takes, ascending.
    pub(crate) legal: fn(Class) -> Vec<u32>,
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
pub static APPLICATIONS: Registry<Application> =
    Registry { kind: "applications", what: "application", rows: &[ft::FT, is::IS, mg::MG, lu::LU, cg::CG] };

impl Application {
    /// Numbers of ranks that the arguments allow, ascending.
    pub fn legal_ranks(&self, bound: &Bound) -> Vec<u32> {
        (self.legal)(class_of(bound))
    }
}

/// # Errors
/// As [`application`].
pub fn programs(row: &ApplicationRow, bound: &Bound, ranks: u32, collectives: &Collectives) -> Outcome<Programs> {
    takes(row, bound, ranks)?;
    let class = class_of(bound);
    let iterations = bound.int_or_none("iterations").and_then(|n| u32::try_from(n).ok());
    (row.make)(&Setup {
        ranks,
        class,
        iterations: iterations.unwrap_or((row.iterations)(class)),
        whole: bound.text("part") == "whole",
        bound,
        collectives,
    })
}

/// `NL-P004` with the nearest numbers, unless the class takes `ranks`.
fn takes(row: &ApplicationRow, bound: &Bound, ranks: u32) -> Outcome<()> {
    let legal = row.legal_ranks(bound);
    let Err(at) = legal.binary_search(&ranks) else { return Ok(()) };
    let around = [at.checked_sub(1).and_then(|below| legal.get(below)), legal.get(at)];
    let near: Vec<String> = around.into_iter().flatten().map(u32::to_string).collect();
    let place = format!("ranks of {}(class={})", row.name, bound.text("class"));
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

fn class_of(bound: &Bound) -> Class {
    let name = bound.text("class");
    Class(Class::NAMES.iter().position(|c| *c == name).unwrap_or(0))
}

/// Powers of two up to `most`.
pub(crate) fn powers(most: u64) -> Vec<u32> {
    (0..=RANK_LIMIT.ilog2()).map(|l| 1 << l).filter(|p| u64::from(*p) <= most).collect()
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
        legal: |_| Vec::new(),
        make: |setup| setup.weave(setup.calls(), 0.0, |_, _| {}),
    },
};
