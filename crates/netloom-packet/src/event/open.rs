//! Output-queued switches as an engine of cycles, for independent sources: a packet is a message.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use netloom_model::{Network, Outcome};

use super::message::{Message, NewMessage, Numbers};
use super::part::{Event, LinkSpec, Part};
use super::saved::ForGood;
use super::{OutputSettings, stuck};
use crate::cycle::engine::{Delivered, Engine, Intake, Offer, Origin};
use crate::cycle::lone::ROUNDING;
use crate::observe::watch::{Scale, Watch};
use crate::parallel::layout::Layout;
use crate::picoseconds::PS_PER_S;
use crate::routes::hops::Hops;
use crate::routes::taking::Taking;

/// A machine in one part, asked cycle by cycle: a cycle moves a phit over an endpoint's link.
pub struct Open<'a> {
    part: Part<'a, ForGood>,
    numbers: Numbers,
    cycle_ps: f64,
    unit_bytes: f64,
    now: u64,
    under_way: u64,
    /// By the number of their message.
    offers: Vec<(Offer, u64)>,
    /// Cycle of arrival, number of the message, hops.
    due: BinaryHeap<Reverse<(u64, u32, u32)>>,
    origin: Option<Box<dyn Origin>>,
}

impl<'a> Open<'a> {
    pub fn new(
        network: &'a Network,
        hops: Hops<'a>,
        taking: Taking,
        settings: OutputSettings,
        unit_bytes: f64,
    ) -> Open<'a> {
        let layout = Arc::new(Layout::whole());
        let row = |link| {
            let class = network.class(link);
            LinkSpec {
                bandwidth_bytes_per_s: class.bandwidth_bytes_per_s,
                latency_s: class.latency_s,
                bounded: true,
                shared: true,
            }
        };
        let rows: Vec<LinkSpec> = (0..network.links()).map(row).collect();
        let part = Part::new(network, vec![(hops, taking)], &rows, settings, (layout, 0));
        let cycle_ps = unit_bytes / network.endpoint_class().bandwidth_bytes_per_s * PS_PER_S;
        let (offers, due, origin) = (Vec::new(), BinaryHeap::new(), None);
        Open { part, numbers: Numbers::default(), cycle_ps, unit_bytes, now: 0, under_way: 0, offers, due, origin }
    }

    fn start_of(&self, cycle: u64) -> u64 {
        (cycle as f64 * self.cycle_ps).round() as u64
    }
}

impl Intake for Open<'_> {
    fn offer(&mut self, offer: Offer) -> Outcome<()> {
        let number = self.numbers.take(self.now + 1);
        let bytes = (f64::from(offer.units) * self.unit_bytes) as u64;
        let message = Message {
            id: number,
            from: offer.from,
            to: offer.to,
            peer: number,
            unsent: bytes,
            bytes,
            open: true,
            left: 1,
            ..Message::default()
        };
        self.part.place(number, NewMessage { message, ..NewMessage::default() });
        if self.offers.len() <= number as usize {
            self.offers.resize(number as usize + 1, (offer, 0));
        }
        self.offers[number as usize] = (offer, self.now);
        self.part.events.put(self.start_of(self.now), Event::start(number));
        self.under_way += 1;
        Ok(())
    }

    fn draw_from(&mut self, origin: Box<dyn Origin>) {
        self.origin = Some(origin);
    }

    fn born(&mut self, endpoint: u32) -> Outcome<()> {
        match self.origin.as_mut().map(|origin| origin.next(endpoint)) {
            Some((offer, _)) => self.offer(offer),
            None => Ok(()),
        }
    }
}

impl Engine for Open<'_> {
    fn now(&self) -> u64 {
        self.now
    }

    fn begin(&mut self, arrivals: &mut Vec<Delivered>) -> Outcome<()> {
        self.part.run(self.start_of(self.now))?;
        for arrived in self.part.arrivals.drain(..) {
            let at = (arrived.at as f64 / self.cycle_ps - ROUNDING).ceil() as u64;
            self.due.push(Reverse((at, arrived.id, arrived.hops.into())));
        }
        if self.part.events.len() == 0 && self.under_way > self.due.len() as u64 {
            return Err(stuck(self.part.network, self.part.waited_for()));
        }
        while let Some(&Reverse((at, number, hops))) = self.due.peek()
            && at <= self.now
        {
            self.due.pop();
            let (Offer { from, to, tag, units }, born) = self.offers[number as usize];
            arrivals.push(Delivered { from, to, tag, units, born, at, hops });
            self.numbers.give(self.now, number);
            self.under_way -= 1;
        }
        Ok(())
    }

    fn act(&mut self) -> Outcome<()> {
        self.now += 1;
        Ok(())
    }

    /// What happens in a cycle is known at its end.
    fn cycle(&mut self, arrivals: &mut Vec<Delivered>) -> Outcome<()> {
        self.act()?;
        self.begin(arrivals)
    }

    fn idle(&self) -> bool {
        self.under_way == 0
    }

    fn quiet_until(&mut self) -> u64 {
        let event = self.part.events.next().map(|at| {
            // A cycle too early costs nothing.
            let cycle = (at as f64 / self.cycle_ps) as u64;
            if self.start_of(cycle) < at { cycle } else { cycle.saturating_sub(1) }
        });
        let due = self.due.peek().map(|Reverse((at, ..))| at.saturating_sub(1));
        match event.into_iter().chain(due).min() {
            Some(cycle) => cycle.max(self.now),
            None if self.under_way > 0 => self.now,
            None => u64::MAX,
        }
    }

    fn skip(&mut self, to: u64) {
        self.now = self.now.max(to);
    }

    fn under_way(&self) -> u64 {
        self.under_way
    }

    fn watch(&mut self, until: u64) {
        // What happened up to this cycle is in the state; the next event is not before it.
        self.part.now = self.start_of(self.now);
        let packet_bytes = f64::from(self.part.settings.packet_bytes);
        let scale = Scale { ticks: self.cycle_ps, held: packet_bytes, units: self.unit_bytes };
        self.part.watch(self.start_of(until), scale);
    }

    fn watched(&mut self) -> Option<&mut Watch> {
        self.part.watch.as_deref_mut()
    }

    fn link_units(&self) -> Cow<'_, [u64]> {
        let units = |link: &super::link::Link| (link.bytes as f64 / self.unit_bytes).round() as u64;
        self.part.links.iter().map(units).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Injection;
    use crate::offered::open_loop::measure;
    use crate::{Destinations, Latencies, Point, Process, Protocol, Sources};
    use netloom_model::{Call, Progress};

    const SETTINGS: OutputSettings = OutputSettings {
        channels: None,
        packet_bytes: 256,
        buffer_bytes: 4096,
        cut_through: true,
        injection: Injection::RoundRobin,
        seed: 1,
        threads: None,
        optimism: None,
        share: None,
    };

    fn engine<'a>(network: &'a Network, routing: &'a dyn netloom_model::Routing, settings: OutputSettings) -> Open<'a> {
        let hops = Hops::new(network, routing, routing.virtual_channels());
        Open::new(network, hops, Taking::Drawn, settings, 16.0)
    }

    fn point(call: &str, settings: OutputSettings, load: f64) -> Point {
        measured(call, settings, load, false)
    }

    fn watched(call: &str, load: f64) -> Point {
        measured(call, SETTINGS, load, true)
    }

    fn measured(call: &str, settings: OutputSettings, load: f64, watched: bool) -> Point {
        let network = std::sync::Arc::new(netloom_net::build(&Call::parse(call).unwrap()).unwrap());
        let routing = netloom_net::routing::build(&network, &Call::parse("minimal").unwrap()).unwrap();
        let endpoint_of_rank = (0..network.endpoints()).collect();
        let destinations = Arc::new(Destinations::Uniform { ranks: network.endpoints(), itself: false });
        let process = Process::Bernoulli;
        let (cycle_ps, over_time) = (0.0, None);
        let sources =
            Sources { endpoint_of_rank, destinations, process, units: 16, seed: 5, watched, cycle_ps, over_time };
        let protocol = Protocol::Window { warm_up: 20_000, cycles: 400_000, drain: 50_000, packets: 0 };
        measure(engine(&network, &*routing, settings), sources, load, protocol, &Progress::new()).unwrap()
    }

    #[test]
    fn a_lone_packet_takes_latencies_and_its_bytes() {
        for (call, rule) in [("torus(4,4)", "dimension-ordered"), ("k_ary_n_tree(3,2)", "minimal")] {
            let network = std::sync::Arc::new(netloom_net::build(&Call::parse(call).unwrap()).unwrap());
            let routing = netloom_net::routing::build(&network, &Call::parse(rule).unwrap()).unwrap();
            let mut engine = engine(&network, &*routing, SETTINGS);
            let cycle_s = 16.0 / network.endpoint_class().bandwidth_bytes_per_s;
            let mut arrivals = Vec::new();
            for to in 1..network.endpoints() {
                engine.offer(Offer { from: 0, to, tag: to, units: 16 }).unwrap();
                while !engine.idle() {
                    engine.cycle(&mut arrivals).unwrap();
                }
                let [arrival] = arrivals[..] else { panic!("{call}: {arrivals:?}") };
                arrivals.clear();
                let latency_s =
                    f64::from(arrival.hops) * network.class(0).latency_s + 2.0 * network.endpoint_class().latency_s;
                let cycles = 16.0 + latency_s / cycle_s;
                let took = (arrival.at - arrival.born) as f64;
                assert!(took >= cycles - 0.01 && took < cycles + 1.01, "{call} to {to}: {took} for {cycles}");
            }
        }
    }

    #[test]
    fn outputs_that_do_not_block_accept_nearly_everything() {
        let found = point("complete(1,p=32)", OutputSettings { buffer_bytes: 1 << 20, ..SETTINGS }, 0.95);
        assert!(
            (found.accepted / found.born - 1.0).abs() < 0.01 && found.drained,
            "{} of {}",
            found.accepted,
            found.born
        );
    }

    #[test]
    fn one_link_is_a_queue_with_constant_service() {
        // As the input-queued switch: Geo/D/1 with 16 cycles of service.
        let mean = |latencies: &Latencies| latencies.mean().unwrap();
        let quiet = mean(&point("complete(1,p=2)", SETTINGS, 1e-3).latencies);
        for load in [0.3, 0.7] {
            let wait = mean(&point("complete(1,p=2)", SETTINGS, load).latencies) - quiet;
            let expected = load * 15.0 / (2.0 * (1.0 - load));
            assert!((wait / expected - 1.0).abs() < 0.06, "{load}: {wait} for {expected}");
        }
    }

    #[test]
    fn waits_in_queues_add_up_to_latency() {
        // Little's law over what is watched: sources and links hold what latency has beyond that of a lone packet.
        for (call, load) in [("complete(1,p=2)", 0.7), ("torus(4,4)", 0.6)] {
            let found = watched(call, load);
            let watch = found.watch.as_ref().unwrap();
            let stalls: u64 = (0..watch.number()).map(|link| watch.link(link).stalls).sum();
            let queued: f64 = found.senders.iter().map(|e| watch.sources().nth(*e as usize).unwrap().0).sum();
            let waited = (stalls as f64 + queued * watch.cycles()) / found.packets as f64;
            // A lone packet takes as long as any other over as many links; few of them have not the mean of all lengths.
            let lone = watched(call, 1e-3).by_hops;
            let lone = |hops: usize| lone[hops].1 as f64 / lone[hops].0 as f64;
            let taken = found.by_hops.iter().enumerate().filter(|(_, (packets, _))| *packets > 0);
            let beyond: f64 = taken.map(|(hops, (packets, sum))| *sum as f64 - *packets as f64 * lone(hops)).sum();
            let beyond = beyond / found.packets as f64;
            assert!((waited / beyond - 1.0).abs() < 0.04, "{call}: {waited} for {beyond}");
            // A link is busy as long as its phits take, and its buffer holds something then.
            for (link, (mean, most)) in (0..watch.number()).zip(watch.buffers()) {
                let used = watch.link(link);
                assert!(used.busy.abs_diff(used.units) <= 1 + used.units / 1000, "{call} {link}: {used:?}");
                assert!(
                    mean >= used.busy as f64 / watch.cycles() * 0.99 && most <= 16.0 * 4.0,
                    "{call} {link}: {mean} {most}"
                );
            }
        }
    }
}
