//! Messages as flows: latency first, then bytes that share links max-min fairly.

use std::sync::Arc;

use netloom_model::{Outcome, Place, Reach, Time};

use crate::agenda::Agenda;
use crate::fluid::{Fluid, Way};
use crate::fold::{Fold, FoldedRoute};
use crate::max_min::Work;
use crate::routes::Routes;
use netloom_model::Background;
use netloom_ranks::RoutedMachine;
use netloom_ranks::check;
use netloom_ranks::{BACKGROUND, Utilisation, split};
use netloom_ranks::{Job, LinkBins, NO_PAIR, Passage, Payload, Transport};

/// Bins of link utilisation over the whole run, at most; at least half as many are used.
const BINS: usize = 256;
/// First width of a bin, seconds.
const BIN: f64 = 1e-9;

#[derive(Clone, Copy, Debug)]
enum What {
    /// The latency of a message is over.
    Move(u32),
    /// A message over no link has arrived.
    Arrive(u32),
}

/// A message in flight.
#[derive(Clone, Copy, Debug)]
struct Transit {
    from: Place,
    to: Place,
    /// Index of its routing.
    routing: u32,
    /// Number of its route while the cache of routes has this generation.
    generation: u32,
    route: u32,
    /// The class of its pair, [`NO_PAIR`] where ranks are not folded.
    pair: u32,
    /// Bytes sent over the links, and the cap of their rate.
    moved: f64,
    cap: f64,
    passage: Passage,
}

/// The max-min fair fluid model of a machine.
#[derive(Clone)]
pub struct Flows<'a> {
    machine: RoutedMachine<'a>,
    routes: Routes<'a>,
    /// Where ranks are folded, of every class of pairs.
    folded: Arc<[FoldedRoute]>,
    fluid: Fluid,
    /// Messages by id, and background flows.
    transits: [Vec<Transit>; 2],
    events: Agenda<What>,
}

impl<'a> Flows<'a> {
    /// With the routings of the jobs. O(links).
    pub fn new(machine: RoutedMachine<'a>, jobs: &[Job<'a>]) -> Flows<'a> {
        Flows {
            machine,
            routes: Routes::new(machine, jobs),
            folded: Arc::new([]),
            fluid: Fluid::new(machine.wire.sharing, machine.bandwidths()),
            transits: [Vec::new(), Vec::new()],
            events: Agenda::default(),
        }
    }

    /// For a job that is folded: classes of pairs over classes of resources.
    pub fn folded(machine: RoutedMachine<'a>, jobs: &[Job<'a>], fold: &Fold) -> Flows<'a> {
        Flows {
            machine,
            routes: Routes::new(machine, jobs),
            folded: fold.routes.clone().into(),
            fluid: Fluid::new(machine.wire.sharing, fold.capacity.iter().copied()),
            transits: [Vec::new(), Vec::new()],
            events: Agenda::default(),
        }
    }

    /// A flow that no rank waits for; [`Transport::reset`] forgets it.
    ///
    /// # Errors
    /// As its route.
    pub fn add_background(&mut self, flow: &Background) -> Outcome<()> {
        if self.machine.network.keeps_inside(flow.src, flow.dst) {
            return Ok(());
        }
        let [from, to] = [flow.src, flow.dst].map(|endpoint| Place { endpoint, seat: 0 });
        let route = self.routes.number(Routes::OF_BACKGROUND, from, to)?;
        let at = Time::from_s(flow.start_s + self.routes.of(route).latency_s);
        let id = BACKGROUND | self.transits[1].len() as u32;
        self.transits[1].push(Transit {
            from,
            to,
            routing: Routes::OF_BACKGROUND,
            generation: self.routes.generation(),
            route,
            pair: NO_PAIR,
            moved: flow.bytes,
            cap: flow.cap_bytes_per_s,
            passage: Passage { flow: at, alone_s: 0.0 },
        });
        self.events.put(at, What::Move(id));
        Ok(())
    }

    fn transit(&mut self, id: u32) -> &mut Transit {
        let (of, number) = split(id);
        &mut self.transits[of][number]
    }

    /// Registers a message that is in flight from `now` on.
    fn enter(&mut self, id: u32, transit: Transit) {
        let messages = &mut self.transits[0];
        if messages.len() <= id as usize {
            messages.resize(id as usize + 1, transit);
        }
        messages[id as usize] = transit;
    }

    /// The latency of a message is over: its bytes move.
    fn move_bytes(&mut self, now: Time, id: u32) -> Outcome<()> {
        let transit = *self.transit(id);
        self.transit(id).passage.flow = now;
        if transit.moved == 0.0 {
            self.events.put(now, What::Arrive(id));
            return Ok(());
        }
        if let Some(route) = self.folded.get(transit.pair as usize) {
            let number = (route.cap <= transit.cap).then_some(transit.pair);
            let way = Way { uses: &route.uses, weight: route.weight, cap: route.cap.min(transit.cap), number };
            start(&mut self.fluid, &mut self.events, (now, id, transit.moved), way, route.is_free);
            return Ok(());
        }
        let number = if transit.generation == self.routes.generation() {
            transit.route
        } else {
            self.routes.number(transit.routing, transit.from, transit.to)?
        };
        let route = *self.routes.of(number);
        if let Some(utilisation) = &mut self.fluid.utilisation {
            utilisation.route(id, self.routes.links(&route));
        }
        self.transit(id).passage.alone_s = transit.moved / route.bandwidth.min(route.cap).min(transit.cap);
        let way = self.routes.way(&route, transit.cap);
        let is_free = route.links.0 == route.links.1;
        start(&mut self.fluid, &mut self.events, (now, id, transit.moved), way, is_free);
        Ok(())
    }
}

/// So many bytes of a message begin to move. Over links that nobody shares, or over none, they move at the cap.
fn start(
    fluid: &mut Fluid,
    events: &mut Agenda<What>,
    (now, id, moved): (Time, u32, f64),
    way: Way<'_>,
    is_free: bool,
) {
    if way.uses.is_empty() && (is_free || way.cap == f64::INFINITY) {
        events.put(now.after(moved / way.cap), What::Arrive(id));
    } else {
        fluid.start(now.as_s(), moved, way, id);
    }
}

impl Transport for Flows<'_> {
    type Work = Work;

    fn check(&self, job: &Job<'_>) -> Outcome<()> {
        check(&self.machine, std::slice::from_ref(job), &[])
    }

    fn seated(&self) -> bool {
        self.machine.node.is_some()
    }

    fn memory_s_per_byte(&self, places: &[Place]) -> Vec<f64> {
        self.machine.node.map_or_else(Vec::new, |node| node.memory_s_per_byte(places))
    }

    fn reach(&self, from: Place, to: Place) -> Reach {
        self.machine.reach(from, to)
    }

    fn begin(&mut self, now: Time, payload: Payload, id: u32) -> Outcome<()> {
        let costs = self.machine.wire;
        let routing = self.routes.of_job(payload.job);
        let mut transit = Transit {
            from: payload.from,
            to: payload.to,
            routing,
            generation: self.routes.generation(),
            route: 0,
            pair: payload.pair,
            moved: costs.moved_bytes(payload.bytes),
            cap: payload.cap_bytes_per_s,
            passage: Passage { flow: now, alone_s: 0.0 },
        };
        if self.machine.loops_back(payload.from, payload.to) {
            let rate = costs.loopback_bandwidth_bytes_per_s.min(transit.cap);
            let time = costs.loopback_latency_s + transit.moved / rate;
            self.enter(id, transit);
            self.events.put(now.after(time), What::Arrive(id));
            return Ok(());
        }
        let route_latency_s = match self.folded.get(payload.pair as usize) {
            Some(route) => route.latency_s,
            None => {
                let route = self.routes.number(routing, payload.from, payload.to)?;
                (transit.generation, transit.route) = (self.routes.generation(), route);
                self.routes.of(route).latency_s
            }
        };
        self.enter(id, transit);
        let latency = route_latency_s * costs.latency_factor(payload.bytes.saturating_add(costs.envelope_bytes));
        if latency > 0.0 {
            self.events.put(now.after(latency), What::Move(id));
            return Ok(());
        }
        self.move_bytes(now, id)
    }

    fn next(&mut self, _: Time) -> Outcome<Option<Time>> {
        Ok([self.events.time(), self.fluid.next().map(Time::from_s)].into_iter().flatten().min())
    }

    fn advance(&mut self, now: Time, done: &mut Vec<u32>) -> Outcome<()> {
        self.fluid.finish(now.as_s(), |id, _| {
            if id & BACKGROUND == 0 {
                done.push(id);
            }
        });
        while let Some(what) = self.events.take(now.instant_end()) {
            match what {
                What::Move(id) => self.move_bytes(now, id)?,
                What::Arrive(id) if id & BACKGROUND == 0 => done.push(id),
                What::Arrive(_) => {}
            }
        }
        Ok(())
    }

    fn moving(&self, now: Time) -> Option<Vec<(u32, u64, f64)>> {
        if !self.transits[1].is_empty() {
            return None;
        }
        let mut made: Vec<(u32, u64, f64)> = Vec::new();
        self.events.for_each(|time, what| {
            made.push(match *what {
                What::Move(id) => (id, 1, time.since(now)),
                What::Arrive(id) => (id, 2, time.since(now)),
            });
        });
        self.fluid.for_each(now.as_s(), |id, seconds| made.push((id, 3, seconds)));
        Some(made)
    }

    fn settle(&mut self, now: Time) {
        self.fluid.update(now.as_s());
    }

    fn reset(&mut self) {
        self.fluid.clear();
        self.events.clear();
        self.transits[1].clear();
    }

    fn record(&mut self) {
        self.fluid.utilisation = Some(Utilisation::new(self.machine.network.links() as usize, BINS, BIN));
    }

    fn passage(&self, id: u32) -> Passage {
        self.transits[0][id as usize].passage
    }

    fn link_bins(&mut self) -> LinkBins {
        self.fluid.utilisation.take().map(Utilisation::finish).unwrap_or_default()
    }

    fn work(&mut self) -> Outcome<Work> {
        Ok(self.fluid.work())
    }
}
