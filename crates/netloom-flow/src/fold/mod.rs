//! Folding: ranks that must behave alike are simulated once (`docs/concepts/folding.md`).

mod pairs;
mod partition;
#[cfg(test)]
mod periods_tests;
mod refine;
mod strands;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::Arc;

use netloom_model::{Outcome, Reach, Rounds, Schedule, Software};
use netloom_ranks::{Actor, Folded, Job, Load, NO_PAIR, PairClass, RoutedMachine};

use self::pairs::{Pairs, hashed};
use self::refine::{Classes, PairUse, Routed, refine};
use crate::max_min::Use;
use crate::routes::Routes;

/// Most pairs of ranks.
const MOST_PAIRS: u64 = 1 << 21;

/// When folding is worth its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Fewer messages are simulated one by one.
    pub least_messages: u64,
    /// So many messages per pair take more time than folding does.
    pub messages_per_pair: u64,
    /// With more classes than one in so many ranks folding gains little.
    pub ranks_per_class: u32,
    /// Most visits of uses for each message.
    pub visits_per_message: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { least_messages: 1 << 16, messages_per_pair: 4, ranks_per_class: 4, visits_per_message: 2 }
    }
}

/// The route of a class of pairs.
#[derive(Clone, Debug)]
pub struct FoldedRoute {
    pub latency_s: f64,
    pub weight: f64,
    pub cap: f64,
    pub bandwidth: f64,
    /// Classes of resources, each with what the class of pairs takes of one of them: of all pairs that use it.
    pub uses: Vec<Use>,
    /// Over no link at all.
    pub is_free: bool,
}

/// A job of which each class of ranks is one.
pub struct Fold {
    pub folded: Arc<Folded>,
    pub routes: Vec<FoldedRoute>,
    /// Of each class of resources.
    pub capacity: Vec<f64>,
}

/// Folds a job that is alone on its machine; `None` where it cannot be folded, or would gain nothing. O(pairs · path · rounds of refinement).
///
/// # Errors
/// As routes.
pub fn fold(machine: &RoutedMachine<'_>, job: &Job<'_>, limits: Limits) -> Outcome<Option<Fold>> {
    let Load::Schedule(schedule) = job.work else { return Ok(None) };
    let messages = job.expected_messages();
    if messages < limits.least_messages || schedule.switches > 0 || !is_ordered(machine.software, job) {
        return Ok(None);
    }
    let ordered = schedule.protocol.is_none() && tells_order(machine.software);
    let most = (messages / limits.messages_per_pair).min(MOST_PAIRS);
    let parts = if alone(machine.software, job, schedule) { schedule.channels } else { 1 };
    let Some(pairs) = Pairs::of(schedule, parts, ordered, most) else { return Ok(None) };
    let mut routes = Routes::new(*machine, std::slice::from_ref(job));
    let Some((routed, numbers)) = routed(machine, job, pairs, &mut routes)? else { return Ok(None) };
    let visits = limits.visits_per_message.saturating_mul(messages);
    let parts = schedule.ranks * routed.pairs.parts;
    let classes = refine(parts, &routed, (parts / limits.ranks_per_class) as usize, visits);
    Ok(classes.map(|classes| folded(job, &routed, &classes, (&routes, &numbers))))
}

/// True if no two messages of a rank or an endpoint can be ready in one instant of which one waits for the other's start, or takes its
/// place: which of them goes first is not defined, so that ranks that are alike might differ, and rounds too.
pub(crate) fn is_ordered(software: &Software, job: &Job<'_>) -> bool {
    let in_order = match job.work {
        Load::Schedule(schedule) => !takes_turns(software, schedule) || sends_once(schedule),
        Load::Programs(programs) => !waits_in_turn(software) && strands::are_apart(programs),
        Load::Traffic(_) => !waits_in_turn(software),
    };
    // A message that arrives and one that leaves may be ready in one instant too.
    let apart = software.endpoint_message_s == 0.0 && (software.nic_message_gap_s == 0.0 || !shares_endpoints(job));
    in_order && apart
}

/// True if messages of a program may wait for each other's start.
fn waits_in_turn(software: &Software) -> bool {
    software.endpoints_take_turns() || software.sends_in_turn()
}

/// True if messages of a rank wait for each other's start.
fn takes_turns(software: &Software, schedule: &Schedule) -> bool {
    software.endpoints_take_turns() || software.sends_in_turn() && schedule.protocol.is_none()
}

/// True if no rank sends two messages at once.
fn sends_once(schedule: &Schedule) -> bool {
    let Rounds::Cyclic(rounds) = &schedule.rounds else { return false };
    schedule.channels == 1 && rounds.windows(2).all(|two| two[0].step != two[1].step)
}

/// True if the channels of a rank do not wait for each other but at the end, and nothing of the rank is shared between them.
fn alone(software: &Software, job: &Job<'_>, schedule: &Schedule) -> bool {
    let crosses = schedule.protocol.is_none() && !software.crossing_cap.is_empty();
    let orders = schedule.protocol.is_none() && tells_order(software);
    let ends = job.repetitions == 1 && (schedule.copied.after_bytes == 0 || software.copy.is_empty());
    !crosses && !orders && ends && !takes_turns(software, schedule)
}

/// True if several ranks are on one endpoint.
fn shares_endpoints(job: &Job<'_>) -> bool {
    let mut endpoints = job.endpoint_of_rank.to_vec();
    endpoints.sort_unstable();
    endpoints.windows(2).any(|two| two[0] == two[1])
}

/// True if a rank's sends of one step do not start at once, but one after the other.
fn tells_order(software: &Software) -> bool {
    !software.nonblocking_send.rows.is_empty() || !software.eager_copy.is_empty()
}

/// The route of every pair, and its number, [`NO_PAIR`] for a message over the loopback. `None` where they are too many to be kept.
fn routed(
    machine: &RoutedMachine<'_>,
    job: &Job<'_>,
    pairs: Pairs,
    routes: &mut Routes<'_>,
) -> Outcome<Option<(Routed, Vec<u32>)>> {
    let (mut route, mut first, mut uses) = (Vec::new(), vec![0], Vec::new());
    let (mut numbers, generation, routing) = (Vec::new(), routes.generation(), routes.of_job(0));
    let mut resources = vec![u32::MAX; machine.bandwidths().count()];
    let (mut capacity, bandwidth): (Vec<f64>, Vec<f64>) = (Vec::new(), machine.bandwidths().collect());
    for (&src, &dst) in pairs.src.iter().zip(&pairs.dst) {
        let (from, to) = (job.place(src / pairs.parts), job.place(dst / pairs.parts));
        let reach = match machine.reach(from, to) {
            Reach::Between => 0,
            Reach::Inside(None) => 1,
            Reach::Inside(Some(near)) => 2 + near as u64,
        };
        if machine.loops_back(from, to) {
            route.push(hashed(&[reach]));
            numbers.push(NO_PAIR);
        } else {
            let number = routes.number(routing, from, to)?;
            if routes.generation() != generation {
                return Ok(None);
            }
            let found = routes.of(number);
            let of_links = u64::from(found.links.0 == found.links.1);
            let words = [found.latency_s, found.weight, found.cap, found.bandwidth].map(f64::to_bits);
            route.push(hashed(&[reach, of_links, words[0], words[1], words[2], words[3]]));
            numbers.push(number);
            for used in routes.way(found, f64::INFINITY).uses {
                let own = &mut resources[used.resource as usize];
                if *own == u32::MAX {
                    *own = capacity.len() as u32;
                    capacity.push(bandwidth[used.resource as usize]);
                }
                uses.push(PairUse::new(*own, used.coefficient));
            }
        }
        first.push(uses.len() as u32);
    }
    Ok(Some((Routed { pairs, route, first, uses, capacity }, numbers)))
}

fn folded(job: &Job<'_>, routed: &Routed, classes: &Classes, (routes, numbers): (&Routes<'_>, &[u32])) -> Fold {
    let (pairs, of_pair) = (&routed.pairs, &classes.pairs);
    let firsts = |of: &[u32]| {
        let mut found = Vec::new();
        (0..).zip(of).for_each(|(at, class)| {
            if *class as usize == found.len() {
                found.push(at)
            }
        });
        found
    };
    let (representatives, samples): (Vec<u32>, Vec<u32>) = (firsts(&classes.ranks), firsts(of_pair));
    let first_resource: Vec<u32> = firsts(&classes.resources);
    let mut count = vec![0u64; samples.len()];
    of_pair.iter().for_each(|class| count[*class as usize] += 1);
    // What all pairs of a class take of the first resource of a class.
    let mut taken: Vec<Vec<Use>> = vec![Vec::new(); samples.len()];
    for (pair, class) in of_pair.iter().enumerate() {
        for used in routed.uses(pair) {
            let resource = classes.resources[used.resource as usize];
            if first_resource[resource as usize] == used.resource {
                crate::ways::use_more(&mut taken[*class as usize], resource, used.coefficient);
            }
        }
    }
    let back = |pair: usize| pairs.between(pairs.dst[pair], pairs.src[pair]).map_or(NO_PAIR, |back| of_pair[back]);
    let class = |(sample, pairs_of): (&u32, &u64)| {
        let (src, dst) = (pairs.src[*sample as usize], pairs.dst[*sample as usize]);
        PairClass {
            src: classes.ranks[src as usize],
            dst: classes.ranks[dst as usize],
            from: job.place(src / pairs.parts),
            to: job.place(dst / pairs.parts),
            back: back(*sample as usize),
            pairs: *pairs_of,
        }
    };
    let made = samples.iter().zip(&count).map(class).collect();
    let actor =
        |part: &u32| Actor { rank: part / pairs.parts, channel: (pairs.parts > 1).then_some(part % pairs.parts) };
    let actors = representatives.iter().map(actor).collect();
    let mut result = Folded::new(actors, (classes.ranks.clone(), pairs.parts), made);
    for (class, &rank) in (0..).zip(&representatives) {
        let out = pairs.from(rank).map(|pair| (pair, pairs.dst[pair] / pairs.parts, true));
        let into = pairs.to(rank).iter().map(|pair| (*pair as usize, pairs.src[*pair as usize] / pairs.parts, false));
        let mut said = HashSet::new();
        for (pair, partner, sends) in out.chain(into) {
            let of = (of_pair[pair], sends);
            result.say(class, partner, sends, of.0, !said.insert(of));
        }
    }
    let route = |(sample, uses): (&u32, Vec<Use>)| match numbers[*sample as usize] {
        NO_PAIR => FoldedRoute {
            latency_s: 0.0,
            weight: 1.0,
            cap: f64::INFINITY,
            bandwidth: f64::INFINITY,
            uses,
            is_free: true,
        },
        number => {
            let found = routes.of(number);
            FoldedRoute {
                latency_s: found.latency_s,
                weight: found.weight,
                cap: found.cap,
                bandwidth: found.bandwidth,
                uses,
                is_free: found.links.0 == found.links.1,
            }
        }
    };
    Fold {
        folded: Arc::new(result),
        routes: samples.iter().zip(taken).map(route).collect(),
        capacity: first_resource.iter().map(|resource| routed.capacity[*resource as usize]).collect(),
    }
}
