//! The evaluator `time`.

use netloom_model::{
    Bound, Evaluates, Evaluator, Found, Kind, Outcome, Param, Progress, Record, Scenario, record, records,
};

use crate::fold::fold;
use crate::{Asked, Limits, execute};
use netloom_loads::evaluators::jobs::{Work, variants as variants_of};
use netloom_loads::loads;
use netloom_loads::loads::{Candidates, Settings, Variant};
use netloom_model::LinkShares;
use netloom_ranks::runs;
use netloom_ranks::runs::{Run, Timed};
use netloom_ranks::{Load, Spread, share_of_rounds};

record! {
    /// What the solver did.
    struct Solved {
        solves: u64, "", "rates recomputed";
        fillings: u64, "", "links filled again";
        entries: u64, "", "flows on links looked at meanwhile";
        changes: u64, "", "rates that changed";
        bin_s: Option<f64>, "s", "width of a bin of link_bins, with trace";
        folded_ranks: Option<u64>, "", "classes of ranks that behave alike, of which one rank each was simulated; unknown where all were";
        periods_skipped: u64, "", "periods of rounds, steps, iterations or repetitions that began as earlier ones did, and were not simulated again";
    }
}

records! {
    struct TimeRecord { run: Timed, solver: Solved }
}

pub const ROW: Evaluator = Evaluator {
    name: "time",
    aliases: &[],
    summary: "simulated time of jobs that share links max-min fairly",
    params: &[
        Param::optional("trace", Kind::Bool, "false", "whether messages, ranks and links are recorded"),
        Param::optional("seed", Kind::Int { min: 0, max: i64::MAX }, "1", "of random detours"),
        Param::optional(
            "fold",
            Kind::Bool,
            "true",
            "whether what repeats, ranks that behave alike and rounds that begin alike, is simulated once",
        ),
    ],
    example: "time(trace=true)",
    restrictions: "at least one job, each with a routing",
    source: "the models of SimGrid: Velho et al. 2013",
    build: Evaluates {
        model: "max-min fluid flow",
        version: "2",
        assumptions: &[
            "Messages are fluid: a flow's rate changes at once when another starts or ends.",
            "Switches have no buffers, and nothing is lost or sent again.",
            "A message goes over all paths of its routing at once, in fixed shares; hashed: over one of them. Adaptive shares are \
             those of link loads with all messages of all jobs under way.",
        ],
        fields: TimeRecord::FIELDS,
        tables: &runs::TABLES,
        supports: |needs| needs.all(&[|n| n.some_job()]),
        find,
    },
};

/// The shares that link loads find for all jobs together, and background flows with a size; `None` for jobs that use those of their routing.
fn solved(
    scenario: &Scenario,
    variants: &[Variant],
    options: &Bound,
    progress: &Progress,
) -> Outcome<Vec<Option<LinkShares>>> {
    let asks = |variant: &Variant| {
        !matches!(variant, Variant { adaptive: false, candidates: Candidates::Direct | Candidates::Hashed { .. }, .. })
    };
    if !variants.iter().any(asks) {
        return Ok(variants.iter().map(|_| None).collect());
    }
    let work = Work::new(scenario)?;
    let jobs = work.jobs(scenario, variants)?;
    let settings =
        Settings { seed: options.int("seed") as u64, hosts: scenario.machine.closed_hosts(), ..Settings::default() };
    let model = loads::Model::new(&scenario.machine.network, jobs, settings, progress)?;
    let solution = model.solve(progress)?;
    variants
        .iter()
        .enumerate()
        .map(|(job, v)| asks(v).then(|| model.link_shares(job, &solution, progress)).transpose())
        .collect()
}

/// Rounds for each class of ranks, at most, before alike ones repeat themselves: half to eight times as many were found.
const TRANSIENT: usize = 2;

/// The share of the messages that is thought to be simulated: of one rank of each class that behaves alike, until rounds repeat
/// themselves; 1 where none are folded.
///
/// # Errors
/// Those of seats, routings and workloads.
pub fn simulated_share(scenario: &Scenario) -> Outcome<f64> {
    let Some(run) = Run::of(scenario)? else { return Ok(1.0) };
    let direct = |variant: &Variant| !variant.adaptive && matches!(variant.candidates, Candidates::Direct);
    let jobs = run.jobs(scenario, |_| Spread::Shares)?;
    let ([job], [], true) = (&jobs[..], &scenario.background[..], variants_of(scenario)?.iter().all(direct)) else {
        return Ok(1.0);
    };
    let Some(found) = fold(&run.machine, job, Limits::default())? else { return Ok(1.0) };
    let classes = found.folded.representatives.len();
    let rounds = match job.work {
        Load::Schedule(schedule) => share_of_rounds(schedule, TRANSIENT * classes),
        _ => 1.0,
    };
    Ok(rounds * classes as f64 / found.folded.class_of.len() as f64)
}

fn find(scenario: &Scenario, options: &Bound, progress: &Progress) -> Outcome<Found> {
    let Some(run) = Run::of(scenario)? else { return Ok(Found::default()) };
    let variants = variants_of(scenario)?;
    let solved = solved(scenario, &variants, options, progress)?;
    let spread = |at: usize| match (&solved[at], variants[at].candidates) {
        (Some(shares), _) => Spread::Solved(shares),
        (None, Candidates::Hashed { seed }) => Spread::Hashed { seed },
        (None, _) => Spread::Shares,
    };
    let jobs = run.jobs(scenario, spread)?;
    let periods = options.bool("fold");
    let asked = Asked { record: options.bool("trace"), fold: periods.then(Limits::default), periods };
    let done = execute(&run.machine, &jobs, &scenario.background, asked, progress)?;
    let solver = Solved {
        solves: done.work.solves,
        fillings: done.work.fillings,
        entries: done.work.entries,
        changes: done.work.changes,
        bin_s: done.trace.as_ref().map(|trace| trace.link_bins.width_s),
        folded_ranks: done.folded_ranks,
        periods_skipped: done.periods_skipped,
    };
    Ok(Found::new(TimeRecord { run: Timed::of(scenario, &done), solver }, runs::tables(scenario, &done)?))
}
