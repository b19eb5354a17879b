//! An engine of cycles as the transport of ranks: messages become packets of phits or flits.
//!
//! ```text
//!   start of cycle c        ranks act          end
//!   Engine::begin ───────► Transport::begin ──► Engine::act ──► start of cycle c + 1
//!   what arrives            what is sent
//! ```
//!
//! A message has arrived at the start of the cycle at which its last unit is there. Ranks act at that time, and what they send
//! leaves in that cycle: a chain of messages takes as long as the sum of its packets' latencies.

use std::collections::VecDeque;

use netloom_model::fault::codes as model;
use netloom_model::{Background, Duplex, Fault, Outcome, Per, Place, Progress, Reach, Routing, Time};

use super::engine::{Delivered, Engine, Offer};
use super::wires::Clock;
use crate::observe::carried::{Carried, PacketWork};
use crate::observe::occupancy::Stood;
use crate::observe::seen::{JobSeen, Kept, LinkSeen, Seen};
use crate::observe::watch::LinkUse;
use crate::routes::taking::Taking;
use crate::switches::Input;
use netloom_ranks::RoutedMachine;
use netloom_ranks::check;
use netloom_ranks::{Execution, Job, LinkBins, Manner, Passage, Payload, Transport};

/// Switches that are asked cycle by cycle.
#[derive(Clone, Copy, Debug)]
pub struct Clocked {
    pub switch: Input,
    pub seed: u64,
    /// Of a phit or flit: the bytes that an endpoint's link moves in a cycle.
    pub unit_bytes: f64,
}

/// A message under way.
#[derive(Clone, Copy, Debug, Default)]
struct MessageState {
    packets: u64,
    flow: Time,
    alone_s: f64,
    sent: u64,
    from: u32,
    job: u32,
    bytes: u64,
}

/// A machine that moves a phit or flit of `unit_bytes` over an endpoint's link in each cycle.
struct Cycles<'a> {
    machine: RoutedMachine<'a>,
    engine: Box<dyn Engine + 'a>,
    units: u32,
    unit_bytes: f64,
    cycle_s: f64,
    messages: Vec<MessageState>,
    /// Messages over no link, by the time of their arrival; few at a time.
    loops: Vec<(Time, u32)>,
    arrivals: Vec<Delivered>,
    /// The engine's cycle has begun: what is due in it has arrived.
    begun: bool,
    /// While it has not: the cycle before which nothing is due.
    due: u64,
    /// Packets of later cycles, in order: cycle, number.
    later: VecDeque<(u64, Offer, u64)>,
    work: PacketWork,
    /// Bytes of what is counted in buffers.
    held_bytes: f64,
    /// Of each job, if details are kept.
    seen: Vec<JobSeen>,
}

impl Cycles<'_> {
    /// The first cycle that does not begin before a time.
    fn cycle(&self, time: Time) -> u64 {
        let near = (time.as_s() / self.cycle_s).round() as u64;
        near + u64::from(self.start_of(near).instant_end() < time)
    }

    fn start_of(&self, cycle: u64) -> Time {
        Time::from_s(cycle as f64 * self.cycle_s)
    }

    /// The cycle at whose start something may happen; `None` if nothing ever does.
    fn next_cycle(&self) -> Option<u64> {
        let later = self.later.front().map(|(cycle, ..)| *cycle);
        let engine = match (self.engine.idle(), self.begun) {
            (true, _) => None,
            (false, true) => Some(self.engine.now() + 1),
            (false, false) => Some(self.due),
        };
        engine.into_iter().chain(later).min()
    }

    /// Ends a cycle, to know when something is due next.
    fn look_ahead(&mut self) -> Outcome<()> {
        self.engine.act()?;
        self.work.events += 1;
        (self.begun, self.due) = (false, self.engine.next_due());
        Ok(())
    }

    /// Packets of a message join the queue of their endpoint, in the cycle that has begun.
    fn offer(&mut self, offer: Offer, packets: u64) -> Outcome<()> {
        self.messages[offer.tag as usize].sent = self.engine.now();
        (0..packets).try_for_each(|_| self.engine.offer(offer))
    }
}

impl Transport for Cycles<'_> {
    type Work = Carried;

    fn check(&self, job: &Job<'_>) -> Outcome<()> {
        check(&self.machine, std::slice::from_ref(job), &[])
    }

    fn reach(&self, from: Place, to: Place) -> Reach {
        self.machine.reach(from, to)
    }

    fn begin(&mut self, now: Time, payload: Payload, id: u32) -> Outcome<()> {
        if self.messages.len() <= id as usize {
            self.messages.resize(id as usize + 1, MessageState::default());
        }
        let moved = self.machine.wire.moved_bytes(payload.bytes);
        let bandwidth = self.machine.network.endpoint_class().bandwidth_bytes_per_s;
        self.messages[id as usize] = MessageState {
            flow: now,
            alone_s: moved / bandwidth,
            from: payload.from.endpoint,
            job: payload.job,
            bytes: moved.ceil() as u64,
            ..MessageState::default()
        };
        if self.machine.loops_back(payload.from, payload.to) {
            let costs = self.machine.wire;
            let took = costs.loopback_latency_s + moved / costs.loopback_bandwidth_bytes_per_s;
            self.loops.push((now.after(took), id));
            return Ok(());
        }
        let units = (moved / self.unit_bytes).ceil() as u64;
        let packets = units.div_ceil(u64::from(self.units)).max(1);
        self.messages[id as usize].packets = packets;
        self.work.packets += packets;
        let offer = Offer { from: payload.from.endpoint, to: payload.to.endpoint, tag: id, units: self.units };
        // Not in a cycle that began before the message did.
        let cycle = self.cycle(now).max(self.engine.now());
        match cycle == self.engine.now() && self.begun {
            true => self.offer(offer, packets),
            false => {
                self.later.push_back((cycle, offer, packets));
                Ok(())
            }
        }
    }

    fn next(&mut self, _: Time) -> Outcome<Option<Time>> {
        let cycle = self.next_cycle().map(|cycle| self.start_of(cycle));
        Ok(cycle.into_iter().chain(self.loops.iter().map(|(at, _)| *at)).min())
    }

    fn advance(&mut self, now: Time, done: &mut Vec<u32>) -> Outcome<()> {
        let mut at = 0;
        while at < self.loops.len() {
            if self.loops[at].0 <= now.instant_end() {
                done.push(self.loops.remove(at).1);
            } else {
                at += 1;
            }
        }
        while let Some(cycle) = self.next_cycle()
            && self.start_of(cycle) <= now.instant_end()
        {
            if self.begun && !self.engine.idle() {
                self.look_ahead()?;
                continue;
            }
            self.engine.skip(cycle);
            self.engine.begin(&mut self.arrivals)?;
            self.begun = true;
            while self.later.front().is_some_and(|(at, ..)| *at <= cycle)
                && let Some((_, offer, packets)) = self.later.pop_front()
            {
                self.offer(offer, packets)?;
            }
        }
        for arrival in self.arrivals.drain(..) {
            self.work.packet_hops += u64::from(arrival.hops) + 2;
            let message = &mut self.messages[arrival.tag as usize];
            message.packets -= 1;
            if let Some(seen) = self.seen.get_mut(message.job as usize) {
                seen.packet(arrival.hops as u16, ps(arrival.at - arrival.born, self.cycle_s));
                if message.packets == 0 {
                    seen.message(message.from, message.bytes, ps(arrival.at - message.sent, self.cycle_s));
                }
            }
            if message.packets == 0 {
                done.push(arrival.tag);
            }
        }
        Ok(())
    }

    fn settle(&mut self, _: Time) {}

    /// Only searches repeat a run, and theirs are of flows.
    fn reset(&mut self) {}

    fn record(&mut self) {}

    fn passage(&self, id: u32) -> Passage {
        let MessageState { flow, alone_s, .. } = self.messages[id as usize];
        Passage { flow, alone_s }
    }

    fn link_bins(&mut self) -> LinkBins {
        LinkBins::default()
    }

    fn work(&mut self) -> Outcome<Carried> {
        let bytes = |units: &u64| (*units as f64 * self.unit_bytes) as u64;
        let link_bytes = self.engine.link_units().iter().map(bytes).collect();
        let seen = if self.seen.is_empty() { None } else { self.look_back() };
        Ok(Carried { work: self.work, link_bytes, seen: seen.map(Box::new) })
    }
}

/// So many cycles in picoseconds.
fn ps(cycles: u64, cycle_s: f64) -> u64 {
    (cycles as f64 * cycle_s * 1e12).round() as u64
}

impl Cycles<'_> {
    /// Keeps details of so many jobs, from the start on.
    fn look(&mut self, jobs: usize, bins: u16) {
        self.seen = vec![JobSeen::default(); jobs];
        self.engine.watch(u64::MAX);
        if let Some(watch) = self.engine.watched().filter(|_| bins > 0) {
            watch.over_time(self.machine.network, bins);
        }
    }

    fn look_back(&mut self) -> Option<Seen> {
        let (network, now, cycle_s) = (self.machine.network, self.engine.now(), self.cycle_s);
        let (held_bytes, unit_bytes) = (self.held_bytes, self.unit_bytes);
        let watch = self.engine.watched()?;
        watch.extend(now);
        let bytes = |(mean, most): (f64, f64)| (mean * held_bytes, most * held_bytes);
        let (held, queues): (Vec<_>, Vec<_>) = (watch.buffers().map(bytes).collect(), watch.sources().collect());
        let link = |link: u32| {
            let LinkUse { packets, units, busy, stalls } = watch.link(link);
            let units = (units as f64 * unit_bytes) as u64;
            let endpoint = link.checked_sub(network.switch_links());
            LinkSeen {
                used: LinkUse { packets, units, busy: ps(busy, cycle_s), stalls: ps(stalls, cycle_s) },
                held: held.get(link as usize).copied(),
                queue: endpoint.and_then(|endpoint| queues.get(endpoint as usize).copied()),
                counters: None,
            }
        };
        let time = |row: Stood| Stood {
            from: ps(row.from, cycle_s),
            to: ps(row.to, cycle_s),
            amount: row.amount * held_bytes,
            ..row
        };
        Some(Seen {
            until: ps(now, cycle_s),
            links: (0..network.links()).map(link).collect(),
            stood: watch.stood().into_iter().map(time).collect(),
            jobs: std::mem::take(&mut self.seen),
        })
    }
}

/// Runs jobs together, their messages as packets through input-queued switches; `unit_bytes` of a phit or flit; `escape`: the
/// routing of escape channels, if packets have them.
///
/// # Errors
/// As [`ranks::run`]; `NL-A007` for jobs with different routings, nodes, background flows and what else has no part in the
/// model; `NL-E018`, `NL-E019` for packets that wait forever, or could.
pub fn execute_cycles<'a>(
    machine: &RoutedMachine<'a>,
    jobs: &[(Job<'a>, Taking)],
    background: &[Background],
    clocked: Clocked,
    escape: Option<&'a dyn Routing>,
    kept: Kept,
    progress: &Progress,
) -> Outcome<Execution<Carried>> {
    let Clocked { switch: input, seed, unit_bytes } = clocked;
    let plain: Vec<Job<'a>> = jobs.iter().map(|(job, _)| *job).collect();
    check(machine, &plain, background)?;
    let taking = jobs.first().map_or(Taking::Drawn, |(_, taking)| *taking);
    let own = |job: &Job<'a>| job.routing.unwrap_or(machine.routing);
    let routing = plain.first().map_or(machine.routing, own);
    let mixed = jobs.iter().any(|(job, other)| !std::ptr::addr_eq(own(job), routing) || *other != taking);
    let costs = machine.wire;
    for (wrong, place, sentence) in [
        (mixed, "jobs", "have different routings or variants"),
        (machine.node.is_some(), "node", "is given"),
        (!background.is_empty(), "background", "is given"),
        (machine.wire.duplex == Duplex::Half, "duplex", "is half"),
        (machine.network.classes_per(Per::Flow).next().is_some(), "network", "has links that flows do not share"),
        (costs.cross_traffic > 0.0 || costs.tcp_window_bytes > 0.0, "calibration", "has cross traffic or a window"),
        (!costs.latency_factors.is_empty(), "calibration", "has factors of latency"),
        (machine.software.bounds_rates(), "calibration", "bounds the rate of messages"),
    ] {
        if wrong {
            let sentence = format!("{sentence}, which input-queued switches do not know");
            return Err(Fault::say(&model::BAD_VALUE, place, sentence).hint("use output-queued").into());
        }
    }
    input.admit(machine.network, taking, escape.is_some())?;
    let (input, plan) = input.planned(machine.network, (routing, escape), taking)?;
    let cycle_s = unit_bytes / machine.network.endpoint_class().bandwidth_bytes_per_s;
    let clock = Clock { switch_latency_s: machine.wire.switch_latency_s, cycle_s };
    let engine = input.engine(machine.network, plan.hops(), (taking, seed), Some(clock));
    let mut cycles = Cycles {
        machine: *machine,
        engine,
        units: input.units(),
        unit_bytes,
        cycle_s,
        messages: Vec::new(),
        loops: Vec::new(),
        arrivals: Vec::new(),
        begun: true,
        due: 0,
        later: VecDeque::new(),
        work: PacketWork::default(),
        held_bytes: unit_bytes * if matches!(input, Input::Wormhole(_)) { 1.0 } else { f64::from(input.units()) },
        seen: Vec::new(),
    };
    if kept.details {
        cycles.look(jobs.len(), kept.bins);
    }
    netloom_ranks::run(cycles, machine.software.clone(), &plain, Manner::default(), progress)
}
