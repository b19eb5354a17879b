//! The list of applications, and the programs of a call into it.

use netloom_model::{Bound, Call, Fault, Outcome, Programs, Registry};

use super::class::class_of;
use super::row::{Application, ApplicationRow};
use super::weave::{Collectives, Setup};
use super::{cg, communicators, fft3d, ft, is, lu, mg, milc, pf3d, splatt, sweep};
use crate::codes;

/// Every application.
pub static APPLICATIONS: Registry<Application> =
    Registry { kind: "applications", what: "application", rows: ROWS, common: &[] };

const ROWS: &[ApplicationRow] = &[
    ft::FT,
    is::IS,
    mg::MG,
    lu::LU,
    cg::CG,
    pf3d::PF3D,
    milc::MILC,
    splatt::SPLATT,
    sweep::SWEEP,
    communicators::COMMUNICATORS,
    fft3d::FFT3D,
];

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
/// `NL-P005` beyond [`APPLICATION_LIMIT`] actions; those of `collectives`.
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
