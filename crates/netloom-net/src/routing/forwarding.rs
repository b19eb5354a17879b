//! The forwarding tables of any routing that has one path per destination, found by following it hop by hop.

use netloom_model::deadlock::ends;
use netloom_model::fault::{Fault, Faults, Outcome};
use netloom_model::paths::destination;
use netloom_model::{Forwarding, Network, Progress, Refusal, Routing, Step};
use rayon::prelude::*;

use super::codes;
use crate::metrics;

/// The links of packets from every switch with endpoints to every endpoint. Channels are not part of tables.
/// O(columns · switches on their routes · degree) time, 4 · columns · switches bytes; a routing that does not distinguish
/// the endpoints of a switch has a column per switch.
///
/// # Errors
/// `NL-R011` if the next link depends on more than switch and destination, those of the routing,
/// `NL-N002` without endpoints, `NL-A009` beyond 2^26 entries, `NL-N011` if `progress` was stopped.
pub fn forwarding(network: &Network, routing: &dyn Routing, progress: &Progress) -> Outcome<Forwarding> {
    let (column_of, destinations) = columns(network, routing);
    Forwarding::require_size(network, destinations.len() as u64)?;
    let (n, sources) = (network.switches() as usize, ends(network));
    let mut links = vec![Forwarding::NONE; n * destinations.len()];
    progress.set_total(destinations.len() as u64);
    let found = links.par_chunks_mut(n).zip(&destinations).filter_map(|(column, &destination)| {
        progress.add(1);
        if progress.stopped() || !network.in_service(routing.switch_of(destination)) {
            return None;
        }
        follow(network, routing, &sources, destination, column).err()
    });
    if let Some(faults) = found.find_first(|_| true) {
        return Err(faults);
    }
    if progress.stopped() {
        let sentence = "the forwarding tables were stopped";
        return Err(Fault::say(&metrics::codes::INTERRUPTED, network.label(), sentence).into());
    }
    Ok(Forwarding::new(routing.label(), network.switches(), column_of, links))
}

/// Column of each endpoint, and the destination of each column.
fn columns(network: &Network, routing: &dyn Routing) -> (Vec<u32>, Vec<u32>) {
    let all = || (0..network.endpoints()).map(|endpoint| destination(routing, network, endpoint));
    let mut destinations: Vec<u32> = all().collect();
    destinations.sort_unstable();
    destinations.dedup();
    let number = |destination: u32| destinations.partition_point(|known| *known < destination) as u32;
    (all().map(number).collect(), destinations)
}

/// Fills `column` by the routes from `sources`. A switch that has an entry is passed again only where the routing
/// remembers something else than before.
fn follow(
    network: &Network,
    routing: &dyn Routing,
    sources: &[u32],
    destination: u32,
    column: &mut [u32],
) -> Outcome<()> {
    let (way, end) = (routing.towards(destination), routing.switch_of(destination));
    let mut known = vec![u64::MAX; column.len()];
    let (mut starts, mut steps): (Vec<u64>, Vec<Step>) = Default::default();
    let no_path = |source: u32| routing.refuse(source, destination, Refusal::NoPath);
    for &source in sources.iter().filter(|source| **source != end) {
        starts.clear();
        way.starts(source, &mut starts);
        let &[start] = &starts[..] else {
            let none = starts.is_empty();
            return Err(if none { no_path(source) } else { several(network, routing, source, end) });
        };
        let (mut at, mut place) = (source, start);
        while at != end {
            let on_links = way.on_links(place);
            if known[at as usize] == on_links {
                break;
            }
            steps.clear();
            way.steps(place, &mut steps);
            let entry = &mut column[at as usize];
            match steps[..] {
                [step] if *entry == Forwarding::NONE || *entry == step.link => {
                    (*entry, known[at as usize]) = (step.link, on_links);
                    (at, place) = (network.heads()[step.link as usize], step.place);
                }
                [] => return Err(no_path(source)),
                _ => return Err(several(network, routing, at, end)),
            }
        }
    }
    Ok(())
}

#[cold]
fn several(network: &Network, routing: &dyn Routing, at: u32, end: u32) -> Faults {
    let (at, end) = (network.switch_name(at), network.switch_name(end));
    let sentence = format!("packets at {at} to an endpoint of {end} do not all take the same link");
    let place = format!("{} on {}", routing.label(), network.label());
    Fault::say(&codes::NO_TABLES, place, sentence)
        .hint("use `single-minimal(tie=destination)`, or `d-mod-k` on trees")
        .into()
}
