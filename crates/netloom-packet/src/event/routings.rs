//! The routings of a run, each once.

use netloom_model::Routing;

use crate::routes::taking::Taking;
use netloom_ranks::{Job, RoutedMachine};

pub type Escapes<'a> = Option<&'a dyn Routing>;

/// A routing, how its packets take next hops, and its escape.
pub type Distinct<'a> = (&'a dyn Routing, Taking, Escapes<'a>);

/// The number of each job's routing among those that differ. `always`: the machine's own is among them whatever jobs there are.
pub fn distinct<'a>(
    machine: &RoutedMachine<'a>,
    jobs: &[(Job<'a>, Taking)],
    escapes: &[Escapes<'a>],
    always: bool,
) -> (Vec<u16>, Vec<Distinct<'a>>) {
    let mut known = vec![(machine.routing, Taking::Drawn, None)];
    known.truncate(usize::from(always || jobs.is_empty()));
    let label = |escape: Escapes<'a>| escape.map(|escape| escape.label().to_string());
    let escapes = escapes.iter().copied().chain(std::iter::repeat(None));
    let of_job = jobs.iter().zip(escapes).map(|((job, taking), escape)| {
        let own = (job.routing.unwrap_or(machine.routing), *taking, escape);
        let same = |other: &Distinct<'a>| {
            std::ptr::addr_eq(other.0, own.0) && other.1 == own.1 && label(other.2) == label(own.2)
        };
        let there = known.iter().position(same);
        there.unwrap_or_else(|| {
            known.push(own);
            known.len() - 1
        }) as u16
    });
    (of_job.collect(), known)
}
