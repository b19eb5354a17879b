//! Possible contentions (Cui 2024 §3.3.2).
//!
//! The thesis names "the total number of possible contentions of the corresponding point-to-point communications on a
//! link" and gives no formula. Read here as: all messages of one step are in flight together; if `m` of them use the
//! same directed switch link, one passes and `m - 1` may have to wait. The total is the sum of `m - 1` over all links
//! and steps. Injection and ejection links are left out: the endpoint of a rank does not change what it must send.

use netloom_model::workload::{require_ranks, steps};
use netloom_model::{Fault, Hosts, Network, Outcome, Progress, Routing, Schedule, Seats, destination};

use crate::codes;

/// One step of a schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepContentions {
    /// Messages beyond the first on their link, summed over links.
    pub contentions: u64,
    /// Most messages on one link.
    pub max_messages: u32,
}

/// Contentions of a schedule on one mapping.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contentions {
    pub total: u64,
    /// Most messages of one step on one link.
    pub max_messages: u32,
    pub steps: Vec<StepContentions>,
}

/// Counts possible contentions of `schedule`, whose ranks are on these seats of these machines; `None`: every endpoint is one.
/// O(messages × path length).
///
/// # Errors
/// `NL-E001` a different number of ranks, `NL-E004` if stopped, `NL-E005` unless the routing has one path per pair, and
/// those of the routing.
pub fn contentions(
    network: &Network,
    routing: &dyn Routing,
    (seats, hosts): (&Seats, Option<&Hosts>),
    schedule: &Schedule,
    progress: &Progress,
) -> Outcome<Contentions> {
    require_ranks(&schedule.label, schedule.ranks, seats.endpoints().len())?;
    if !routing.is_deterministic() {
        let sentence = "contentions need one path per message; this routing has several";
        return Err(Fault::say(&codes::MANY_PATHS, routing.label(), sentence).hint("use single-minimal").into());
    }
    progress.set_total(schedule.messages());
    let switch = seats.switches(network);
    let ends: Vec<u32> = seats.endpoints().iter().map(|&e| destination(routing, network, e)).collect();
    let node = |rank: u32| hosts.map_or(seats.endpoint(rank), |hosts| hosts.host(seats.endpoint(rank)));
    let mut count = Count::new(network.switch_links(), steps(schedule));
    let mut paths = Vec::new();
    let mut outcome = Ok(());
    let mut since = 0;
    schedule.for_each_message(|m| {
        if outcome.is_err() {
            return;
        }
        since += 1;
        if since == 4096 {
            progress.add(since);
            since = 0;
            if progress.stopped() {
                let sentence = "counting contentions was stopped before the end";
                outcome = Err(Fault::say(&codes::STOPPED, &schedule.label, sentence).into());
                return;
            }
        }
        if node(m.src) == node(m.dst) {
            return;
        }
        match routing.paths(switch[m.src as usize], ends[m.dst as usize], &mut paths) {
            Ok(()) => paths.iter().take(1).for_each(|p| count.add(m.step, &p.links)),
            Err(faults) => outcome = Err(faults),
        }
    });
    progress.add(since);
    outcome.map(|()| count.finish())
}

/// Messages per link within the step at hand.
struct Count {
    on_link: Vec<u32>,
    used: Vec<u32>,
    step: u32,
    steps: Vec<StepContentions>,
}

impl Count {
    fn new(links: u32, steps: usize) -> Count {
        let steps = vec![StepContentions::default(); steps];
        Count { on_link: vec![0; links as usize], used: Vec::new(), step: 0, steps }
    }

    fn add(&mut self, step: u32, links: &[u32]) {
        if step != self.step {
            self.end_step();
            self.step = step;
        }
        for &link in links {
            let on_link = &mut self.on_link[link as usize];
            if *on_link == 0 {
                self.used.push(link);
            }
            *on_link += 1;
        }
    }

    fn end_step(&mut self) {
        for link in self.used.drain(..) {
            let messages = std::mem::take(&mut self.on_link[link as usize]);
            let step = &mut self.steps[self.step as usize];
            step.contentions += u64::from(messages - 1);
            step.max_messages = step.max_messages.max(messages);
        }
    }

    fn finish(mut self) -> Contentions {
        self.end_step();
        Contentions {
            total: self.steps.iter().map(|s| s.contentions).sum(),
            max_messages: self.steps.iter().map(|s| s.max_messages).max().unwrap_or(0),
            steps: self.steps,
        }
    }
}
