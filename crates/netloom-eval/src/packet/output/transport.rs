//! The packet network as the transport of ranks: messages become packets, and packets messages.

use std::sync::Arc;

use netloom_model::fault::codes as model;
use netloom_model::{Background, Duplex, Fault, Faults, Outcome, Progress, Time};

use super::layout::Layout;
use super::part::{LinkRow, PacketWork, Part};
use super::state::{Arrival, ENDLESS, MOST_INNER, Message, NEVER, NONE};
use super::windows::{Next, Windows};
use super::{PS_PER_S, Settings, stuck, whole};
use crate::flow::{Machine, Utilisation, check};
use crate::packet::channels::Plan;
use crate::packet::taking::{Sees, Taking};
use crate::ranks::{self, Execution, Job, LinkBins, Passage, Transport, Wire};

/// Bins of link utilisation, at most, and the first width of one.
const BINS: usize = 256;
const BIN_S: f64 = 1e-9;

/// A machine whose messages are packets.
pub struct Packets<'a> {
    machine: Machine<'a>,
    layout: Arc<Layout>,
    windows: Windows<'a>,
    /// Number of each job's routing.
    of_job: Vec<u32>,
    flows: Vec<Background>,
    /// Messages of ranks that have not arrived.
    under_way: u64,
    /// By id.
    transits: Vec<Transit>,
    /// Links of a message, for the next one's memory.
    inner: Vec<u32>,
}

/// A message of the ranks: part and number where it starts and where it ends; when it has arrived, its times.
#[derive(Clone, Copy)]
struct Transit {
    start: Option<(u16, u32)>,
    end: Option<(u16, u32)>,
    passage: Passage,
}

/// Links of a part that is worth a thread, links of a part that fits the cache of a core, and most parts.
const WORTH_A_THREAD: u32 = 1 << 13;
const IN_CACHE: u32 = 1 << 15;
const PARTS: u32 = 64;

/// What the packet model has no part for.
fn unknown(machine: &Machine<'_>, background: &[Background]) -> Faults {
    let mut faults = Faults::none();
    let mut refuse = |place: &str, sentence: &str, hint: &str| {
        faults.push(Fault::say(&model::BAD_VALUE, place, sentence).hint(hint));
    };
    if machine.duplex == Duplex::Half {
        refuse("duplex", "the packet model has full-duplex links only", "use --duplex full, or --model flow");
    }
    let calibration = machine.calibration;
    if calibration.cross_traffic > 0.0 || calibration.tcp_window_bytes > 0.0 {
        let sentence = "cross traffic and TCP windows belong to the flow model";
        refuse("calibration", sentence, "use pure or a calibration without them, or --model flow");
    }
    if machine.node.is_some_and(|node| node.levels().len() > MOST_INNER / 2) {
        let sentence = format!("has more than {} levels, which packets do not count", MOST_INNER / 2);
        refuse("node", &sentence, "leave levels out, or use --model flow");
    }
    if background.iter().any(|flow| flow.cap_bytes_per_s.is_finite()) {
        refuse(
            "background",
            "the packet model knows no limit of a flow's rate",
            "leave the limit out, or use --model flow",
        );
    }
    faults
}

impl<'a> Packets<'a> {
    /// Jobs with the way in which their packets take next hops.
    ///
    /// # Errors
    /// `NL-E019` for a routing that could deadlock; `NL-A007` for what the packet model does not know.
    pub fn new(
        machine: Machine<'a>,
        jobs: &[(Job<'a>, Taking)],
        background: &[Background],
        settings: Settings,
    ) -> Outcome<Packets<'a>> {
        unknown(&machine, background).or(())?;
        let mut known = vec![(machine.routing, Taking::Drawn)];
        known.truncate(usize::from(!background.is_empty() || jobs.is_empty()));
        let of_job = jobs.iter().map(|(job, taking)| {
            let own = (job.routing.unwrap_or(machine.routing), *taking);
            let there = known.iter().position(|other| std::ptr::addr_eq(other.0, own.0) && other.1 == own.1);
            there.unwrap_or_else(|| {
                known.push(own);
                known.len() - 1
            }) as u32
        });
        let of_job = of_job.collect();
        let mut routings = Vec::new();
        for (routing, taking) in known {
            let held = settings.buffer_bytes / settings.packet_bytes;
            let plan = Plan::new(machine.network, (routing, None), taking, (settings.channels, held))?;
            routings.push((plan, taking));
        }
        let network = machine.network;
        let of_network = |link: u32| {
            let class = network.class(link);
            let to_switch = link < network.switch_links() + network.endpoints();
            let switch_s = if to_switch { machine.switch_latency_s } else { 0.0 };
            (class.latency_s + switch_s, true)
        };
        let of_node = |link: u32| (machine.node.map_or(0.0, |node| node.class_of(link).latency_s), false);
        let rows = machine.bandwidths().zip(0u32..).map(|(bandwidth_bytes_per_s, link)| {
            let (latency_s, bounded) =
                if link < network.links() { of_network(link) } else { of_node(link - network.links()) };
            LinkRow { bandwidth_bytes_per_s, latency_s, bounded }
        });
        let rows: Vec<LinkRow> = rows.collect();
        let mut layout = Layout::new(network, machine.node, number_of_parts(&machine, settings.threads)?);
        let mut lookahead = lookahead(&machine, &layout, &rows);
        if layout.parts() > 1 && lookahead == 0 {
            if settings.threads.is_some() {
                let sentence =
                    "are more than one, but a link without latency leaves them nothing to do at the same time";
                return Err(Fault::say(&model::BAD_VALUE, "packet.threads", sentence).hint("use threads=1").into());
            }
            layout = Layout::new(network, machine.node, 1);
            lookahead = self::lookahead(&machine, &layout, &rows);
        }
        let (parts, layout) = (layout.parts(), Arc::new(layout));
        let part = |number| {
            let hops =
                |(plan, taking): &(Plan<'a>, Taking)| (plan.hops().numbered(Arc::clone(layout.local())), *taking);
            let routings = routings.iter().map(hops).collect();
            let mut part = Part::new(network, routings, &rows, settings, (Arc::clone(&layout), number));
            part.factors.extend(machine.calibration.latency_factors.iter().map(|row| row.1 as f32));
            part
        };
        let windows = Windows::new((0..parts).map(part).collect(), lookahead);
        let flows = background.iter().filter(|flow| flow.src != flow.dst).copied().collect();
        let mut packets =
            Packets { machine, layout, windows, of_job, flows, under_way: 0, transits: Vec::new(), inner: Vec::new() };
        packets.start_background();
        Ok(packets)
    }

    fn start_background(&mut self) {
        for flow in std::mem::take(&mut self.flows) {
            let bytes = if flow.bytes.is_finite() { flow.bytes.ceil() as u64 } else { ENDLESS };
            let message = Message { from: flow.src, to: flow.dst, job: NONE, unsent: bytes, ..leaving(NONE) };
            let (start, _) = self.place(&message);
            self.windows.start(Time::from_s(flow.start_s).to_ps(), start.0, start.1);
            self.flows.push(flow);
        }
    }

    /// The number of a factor of latencies.
    fn factor(&self, factor: f64) -> u16 {
        let known = &self.windows.parts[0].factors;
        known.iter().position(|other| *other == factor as f32).unwrap_or(0) as u16
    }

    /// Keeps a message where it starts and where it ends; the same place if that is one part.
    fn place(&mut self, message: &Message) -> ((u16, u32), (u16, u32)) {
        let network = self.machine.network;
        let first = match message.ups {
            0 if message.leaves => network.injection_link(message.from),
            _ => message.inner[0],
        };
        let last = match message.inner.last() {
            Some(link) if !message.leaves || message.inner.len() > usize::from(message.ups) => *link,
            _ => network.ejection_link(message.to),
        };
        let (start, end) = (self.layout.of(first).0, self.layout.of(last).0);
        let end = (end, self.windows.parts[usize::from(end)].message());
        let start = if start == end.0 { end } else { (start, self.windows.parts[usize::from(start)].message()) };
        for (part, number) in [end, start] {
            let kept = &mut self.windows.parts[usize::from(part)].messages[number as usize];
            let mut inner = std::mem::take(&mut kept.inner);
            inner.clear();
            inner.extend(message.inner.iter().map(|link| self.layout.of(*link).1));
            *kept = Message { inner, peer: end.1, ..message.without_links() };
        }
        (start, end)
    }
}

fn number_of_parts(machine: &Machine<'_>, threads: Option<u16>) -> Outcome<u16> {
    let switches = machine.network.switches();
    match threads {
        Some(threads) if u32::from(threads) > switches => {
            let expected = format!("at most {switches}, the switches of the network");
            Err(Fault::new(&model::BAD_VALUE, "packet.threads", expected, threads.to_string()).into())
        }
        Some(threads) => Ok(threads),
        None => {
            let links = machine.network.links();
            let threads = (links / WORTH_A_THREAD).min(rayon::current_num_threads() as u32);
            Ok((links / IN_CACHE).max(threads).clamp(1, switches.clamp(1, PARTS)) as u16)
        }
    }
}

/// The least latency, in picoseconds, of links between parts and of last links.
fn lookahead(machine: &Machine<'_>, layout: &Layout, rows: &[LinkRow]) -> u64 {
    let (network, factors) = (machine.network, &machine.calibration.latency_factors);
    let factor = factors.iter().map(|row| row.1).fold(1.0, f64::min) as f32;
    let last = |link: u32| link >= network.ejection_link(0);
    let counts = |link: &u32| last(*link) || layout.head(*link) != layout.of(*link).0;
    let latencies = (0..rows.len() as u32).filter(counts).map(|link| {
        let latency_ps = rows[link as usize].latency_s * PS_PER_S;
        // Of packets and of credits, as the parts compute them.
        whole(latency_ps * f64::from(factor)).min(whole(f64::from(latency_ps as f32) * f64::from(factor)))
    });
    latencies.min().unwrap_or(0)
}

/// A message over the network, from nowhere yet.
fn leaving(id: u32) -> Message {
    Message { id, leaves: true, open: true, ..Message::default() }
}

/// The first whole picosecond that is not before a time.
fn ps(time: Time) -> u64 {
    let near = time.to_ps();
    near + u64::from(Time::from_ps(near) < time)
}

impl Transport for Packets<'_> {
    type Work = PacketWork;

    fn check(&self, job: &Job<'_>) -> Outcome<()> {
        check::check(&self.machine, std::slice::from_ref(job), &[])
    }

    fn seated(&self) -> bool {
        self.machine.node.is_some()
    }

    fn begin(&mut self, now: Time, wire: Wire, id: u32) -> Outcome<()> {
        let (calibration, at) = (self.machine.calibration, ps(now));
        let moved = calibration.moved_bytes(wire.bytes).ceil() as u64;
        self.under_way += 1;
        let passage = Passage { flow: now, alone_s: 0.0 };
        let mut transit = Transit { start: None, end: None, passage };
        if self.transits.len() <= id as usize {
            self.transits.resize(id as usize + 1, transit);
        }
        if wire.from == wire.to {
            let took = calibration.loopback_latency_s + moved as f64 / calibration.loopback_bandwidth_bytes_per_s;
            let there = ps(now.after(took)).max(at);
            transit.passage.flow = Time::from_ps(there);
            self.transits[id as usize] = transit;
            self.windows.arrives(there, id);
            return Ok(());
        }
        let mut inner = std::mem::take(&mut self.inner);
        inner.clear();
        let mut ups = 0;
        if let Some(node) = self.machine.node {
            node.route(wire.from, wire.to, &mut inner);
            // Up links have even numbers.
            ups = inner.iter().take_while(|link| **link % 2 == 0).count() as u8;
            inner.iter_mut().for_each(|link| *link += self.machine.network.links());
        }
        let crosses = |node: &netloom_model::Node| node.of(wire.from.endpoint) != node.of(wire.to.endpoint);
        let message = Message {
            from: wire.from.endpoint,
            to: wire.to.endpoint,
            job: wire.job,
            routing: self.of_job.get(wire.job as usize).copied().unwrap_or(0),
            unsent: moved,
            bytes: moved,
            left: moved.div_ceil(self.windows.parts[0].settings.packet_bytes.into()).max(1),
            factor: self.factor(calibration.latency_factor(wire.bytes.saturating_add(calibration.envelope_bytes))),
            leaves: self.machine.node.is_none_or(crosses),
            inner,
            ups,
            ..leaving(id)
        };
        if !message.leaves && message.inner.is_empty() {
            // Seats of one node without a link between them.
            self.transits[id as usize] = transit;
            self.windows.arrives(at, id);
        } else {
            let (start, end) = self.place(&message);
            (transit.start, transit.end) = (Some(start), Some(end));
            self.transits[id as usize] = transit;
            self.windows.start(at, start.0, start.1);
        }
        self.inner = message.inner;
        Ok(())
    }

    fn next(&mut self, until: Time) -> Outcome<Option<Time>> {
        // Flows that no rank waits for are no events.
        if self.under_way == 0 {
            return Ok(None);
        }
        let until = if until.is_finite() { until.instant_end().to_ps() } else { NEVER };
        let transits = &mut self.transits;
        let note = |arrival: &Arrival| {
            let passage = Passage { flow: Time::from_ps(arrival.flow_ps), alone_s: arrival.alone_ps / PS_PER_S };
            transits[arrival.id as usize].passage = passage;
        };
        Ok(match self.windows.next(until, note)? {
            Next::Arrival(at) => Some(Time::from_ps(at)),
            Next::Later => None,
            Next::Never if until < NEVER => None,
            Next::Never => {
                let waits = self.windows.parts.iter().filter_map(Part::waited_for).min();
                return Err(stuck(self.machine.network, waits));
            }
        })
    }

    fn advance(&mut self, now: Time, done: &mut Vec<u32>) -> Outcome<()> {
        let now = now.instant_end().to_ps();
        while let Some(id) = self.windows.arrived(now) {
            let Transit { start, end, .. } = self.transits[id as usize];
            for (part, number) in end.into_iter().chain(start.filter(|_| start != end)) {
                self.windows.parts[usize::from(part)].unused_messages.push(number);
            }
            self.under_way -= 1;
            done.push(id);
        }
        Ok(())
    }

    fn settle(&mut self, _: Time) {}

    fn reset(&mut self) {
        self.windows.clear();
        self.under_way = 0;
        self.start_background();
    }

    fn record(&mut self) {
        let links = self.windows.parts.iter().map(|part| part.links.len()).sum();
        for part in &mut self.windows.parts {
            part.utilisation = Some(Utilisation::new(links, BINS, BIN_S));
        }
    }

    fn passage(&self, id: u32) -> Passage {
        self.transits[id as usize].passage
    }

    /// Only a machine in one part is recorded.
    fn link_bins(&mut self) -> LinkBins {
        self.windows.parts[0].utilisation.take().map(Utilisation::finish).unwrap_or_default()
    }

    fn work(&self) -> PacketWork {
        let parts = self.windows.parts.iter();
        parts.fold(PacketWork::default(), |sum, part| PacketWork {
            packets: sum.packets + part.work.packets,
            packet_hops: sum.packet_hops + part.work.packet_hops,
            events: sum.events + part.work.events,
            waits: sum.waits + part.work.waits,
            most_bytes: sum.most_bytes.max(part.most_bytes()),
        })
    }
}

/// Runs jobs together, their messages as packets. O(packets × hops × log time).
///
/// # Errors
/// As [`Packets::new`] and [`ranks::run`]; `NL-E018` if packets wait for each other forever.
pub fn execute<'a>(
    machine: &Machine<'a>,
    jobs: &[(Job<'a>, Taking)],
    background: &[Background],
    settings: Settings,
    record: bool,
    progress: &Progress,
) -> Outcome<Execution<PacketWork>> {
    let plain: Vec<Job<'a>> = jobs.iter().map(|(job, _)| *job).collect();
    check::check(machine, &plain, background)?;
    // A record is of one part, and a packet that sees whole paths sees all parts.
    let whole = jobs.iter().any(|(_, taking)| matches!(taking, Taking::Hybrid { sees: Sees::Path, .. }));
    let settings = if record || whole { Settings { threads: Some(1), ..settings } } else { settings };
    let packets = Packets::new(*machine, jobs, background, settings)?;
    ranks::run(packets, machine.calibration.software(machine.flops_per_s), &plain, record, progress)
}
