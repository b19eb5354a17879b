//! Whom the messages of a critical path share their links with: other messages on the NICs at their ends, other messages of their
//! job in the network, or other jobs.
//!
//! A message's transfer takes longer than alone because of some link of its route. Here it is the link that others ask for most
//! while the message moves, at the rates that they would have alone; the time is shared out by what they ask for there. With
//! several paths a link counts with its share, and adaptive jobs with the shares of their routing.

use std::collections::HashMap;
use std::rc::Rc;

use netloom_model::{Outcome, PathList, Scenario, Table, destination, table};

use crate::{CriticalPath, Stretch, Trace};

table! {
    pub(crate) struct CauseRow: "contention",
        "with trace: whom the messages of the critical path share links with, by the link that is asked for most" {
        cause: String, "",
            "own NIC: its job's messages at a NIC of its ends; own job: in the network; other jobs; unknown";
        seconds: f64, "s", "its part of the contention on the path";
    }
}

const CAUSES: [&str; 4] = ["own NIC", "own job", "other jobs", "unknown"];
const NIC: usize = 0;
const JOB: usize = 1;
const OTHERS: usize = 2;
const UNKNOWN: usize = 3;

/// Pairs of messages that are compared, of all messages of the path together; what is left then is unknown.
const PAIRS: usize = 1 << 24;

/// Links with the share of a message that takes them.
type Route = Rc<Vec<(u32, f64)>>;

struct Causes<'a> {
    scenario: &'a Scenario,
    trace: &'a Trace,
    alone_s: &'a [f64],
    /// Of every rank of all jobs.
    endpoints: Vec<u32>,
    known: HashMap<(u32, u32, u32), Route>,
    /// Messages in the order in which they began to move, and how long the longest of them did.
    order: Vec<u32>,
    longest_s: f64,
    left: usize,
}

/// The table of a run. O(messages of the path · messages that move meanwhile · links of a route), at most 2^24 of the pairs.
///
/// # Errors
/// As [`Scenario::paths`].
pub(super) fn table(scenario: &Scenario, trace: &Trace, path: &CriticalPath, alone_s: &[f64]) -> Outcome<Table> {
    let mut causes = Causes::new(scenario, trace, alone_s);
    let mut seconds = [0.0; CAUSES.len()];
    for segment in path.segments.iter().filter(|segment| segment.kind == Stretch::Contention) {
        let parts = causes.of(segment.message)?;
        seconds.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part * (segment.end_s - segment.start_s));
    }
    let row = |(cause, seconds): (&str, f64)| CauseRow { cause: cause.into(), seconds };
    Ok(Table::of(CAUSES.into_iter().zip(seconds).map(row)))
}

impl<'a> Causes<'a> {
    fn new(scenario: &'a Scenario, trace: &'a Trace, alone_s: &'a [f64]) -> Causes<'a> {
        let moves = |at: &u32| {
            let message = &trace.messages[*at as usize];
            message.finish_s > message.flow_s
        };
        let mut order: Vec<u32> = (0..trace.messages.len() as u32).filter(moves).collect();
        order.sort_by(|a, b| trace.messages[*a as usize].flow_s.total_cmp(&trace.messages[*b as usize].flow_s));
        let took = |at: &u32| trace.messages[*at as usize].finish_s - trace.messages[*at as usize].flow_s;
        let longest_s = order.iter().map(took).fold(0.0, f64::max);
        let endpoints = scenario.jobs.iter().flat_map(|job| job.seats.endpoints().iter().copied()).collect();
        Causes { scenario, trace, alone_s, endpoints, known: HashMap::new(), order, longest_s, left: PAIRS }
    }

    /// Shares of the causes of one message's contention; they sum to 1.
    fn of(&mut self, number: u32) -> Outcome<[f64; CAUSES.len()]> {
        let mut unknown = [0.0; CAUSES.len()];
        unknown[UNKNOWN] = 1.0;
        let Some(&message) = self.trace.messages.get(number as usize) else { return Ok(unknown) };
        let route = self.route(number)?;
        // What others of the job, and of other jobs, ask for on each link.
        let mut asked: Vec<[f64; 2]> = vec![[0.0; 2]; route.len()];
        let from = message.flow_s - self.longest_s;
        let first = self.order.partition_point(|at| self.trace.messages[*at as usize].flow_s < from);
        for place in first..self.order.len() {
            let at = self.order[place];
            let other = self.trace.messages[at as usize];
            if other.flow_s >= message.finish_s || self.left == 0 {
                break;
            }
            self.left -= 1;
            let both_s = other.finish_s.min(message.finish_s) - other.flow_s.max(message.flow_s);
            let alone_s = self.alone_s.get(at as usize).copied().unwrap_or(0.0);
            if at == number || both_s <= 0.0 || alone_s <= 0.0 {
                continue;
            }
            let theirs = self.route(at)?;
            let rate = other.bytes as f64 / alone_s;
            for ((link, _), asked) in route.iter().zip(&mut asked) {
                if let Some((_, share)) = theirs.iter().find(|(other, _)| other == link) {
                    let speed = self.scenario.machine.network.class(*link).bandwidth_bytes_per_s;
                    asked[usize::from(other.job != message.job)] += both_s * share * rate / speed;
                }
            }
        }
        let weight = |at: usize| route[at].1 * (asked[at][0] + asked[at][1]);
        let most = (0..route.len()).max_by(|a, b| weight(*a).total_cmp(&weight(*b)).then(b.cmp(a)));
        let Some(at) = most.filter(|at| weight(*at) > 0.0 && self.left > 0) else {
            if self.left > 0 && !self.scenario.background.is_empty() && !route.is_empty() {
                unknown.swap(UNKNOWN, OTHERS);
            }
            return Ok(unknown);
        };
        let [own, others] = asked[at];
        let mut parts = [0.0; CAUSES.len()];
        let is_nic = route[at].0 >= self.scenario.machine.network.switch_links();
        parts[if is_nic { NIC } else { JOB }] = own / (own + others);
        parts[OTHERS] = others / (own + others);
        Ok(parts)
    }

    /// Links of a message, those of its ends first; none inside an endpoint.
    fn route(&mut self, number: u32) -> Outcome<Route> {
        let (network, message) = (&self.scenario.machine.network, &self.trace.messages[number as usize]);
        let [from, to] = [message.src, message.dst].map(|rank| self.endpoints[rank as usize]);
        if let Some(known) = self.known.get(&(message.job, from, to)) {
            return Ok(Rc::clone(known));
        }
        let mut links = Vec::new();
        if from != to {
            links.extend([(network.injection_link(from), 1.0), (network.ejection_link(to), 1.0)]);
            let routing = self.scenario.paths(&self.scenario.jobs[message.job as usize])?;
            let (source, mut list) = (network.endpoint_switch()[from as usize], PathList::new());
            // Of more paths than are listed each has next to nothing.
            if routing.list(source, destination(routing, network, to), &mut list).is_ok() {
                let mut shares: HashMap<u32, f64> = HashMap::new();
                for (path, share) in list.iter() {
                    path.iter().for_each(|link| *shares.entry(*link).or_insert(0.0) += share);
                }
                let mut shares: Vec<(u32, f64)> = shares.into_iter().collect();
                shares.sort_unstable_by_key(|(link, _)| *link);
                links.extend(shares);
            }
        }
        let made = Rc::new(links);
        self.known.insert((message.job, from, to), Rc::clone(&made));
        Ok(made)
    }
}
