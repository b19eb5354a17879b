//! The packet network as the transport of ranks: messages become packets, and packets messages.

use netloom_model::fault::codes as model;
use netloom_model::{Background, Duplex, Fault, Faults, Outcome, Progress, Time};

use super::{ENDLESS, Event, LinkRow, Message, Output, Settings};
use crate::flow::{Machine, Utilisation, check};
use crate::packet::hops::{Hops, Taking};
use crate::packet::switches::classes;
use crate::ranks::{self, Execution, Job, LinkBins, Passage, Transport, Wire};

/// Work of the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PacketWork {
    pub packets: u64,
    /// Links that packets crossed, of all kinds.
    pub packet_hops: u64,
    pub events: u64,
    /// Times that a packet found no room in the buffer it asked for.
    pub waits: u64,
    /// Most bytes in the buffer of one virtual channel.
    pub most_bytes: u32,
}

/// Bins of link utilisation, at most, and the first width of one.
const BINS: usize = 256;
const BIN_S: f64 = 1e-9;

/// A machine whose messages are packets.
pub struct Packets<'a> {
    machine: Machine<'a>,
    output: Output<'a>,
    /// Number of each job's routing.
    of_job: Vec<u32>,
    /// Background flows have the first numbers of messages.
    flows: Vec<Background>,
    background: u32,
    /// Messages of ranks that have not arrived.
    under_way: u64,
    routes: Vec<u32>,
    arrived: Vec<u32>,
}

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
            let (classes, _) = classes(machine.network, routing, settings.channels, &Progress::new())?;
            routings.push((Hops::new(machine.network, routing, classes), taking));
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
        let output = Output::new(network, routings, rows, settings);
        let flows: Vec<Background> = background.iter().filter(|flow| flow.src != flow.dst).copied().collect();
        let background = flows.len() as u32;
        let mut packets = Packets {
            machine,
            output,
            of_job,
            flows,
            background,
            under_way: 0,
            routes: Vec::new(),
            arrived: Vec::new(),
        };
        packets.start_background();
        Ok(packets)
    }

    fn start_background(&mut self) {
        for (number, flow) in (0..).zip(&self.flows) {
            let bytes = if flow.bytes.is_finite() { flow.bytes.ceil() as u64 } else { ENDLESS };
            let message = Message { from: flow.src, to: flow.dst, unsent: bytes, ..leaving() };
            self.output.messages.push(message);
            self.output.events.put(Time::from_s(flow.start_s).to_ps(), Event::Start { message: number });
        }
    }
}

/// A message over the network, from nowhere yet.
fn leaving() -> Message {
    Message { leaves: true, open: true, latency_factor: 1.0, ..Message::default() }
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
        let (calibration, number) = (self.machine.calibration, id + self.background);
        let moved = calibration.moved_bytes(wire.bytes).ceil() as u64;
        self.output.now = self.output.now.max(ps(now));
        self.under_way += 1;
        if self.output.messages.len() <= number as usize {
            self.output.messages.resize_with(number as usize + 1, Message::default);
        }
        let mut inner = std::mem::take(&mut self.output.messages[number as usize].inner);
        inner.clear();
        let same = wire.from == wire.to;
        let node = self.machine.node.filter(|_| !same);
        if let Some(node) = node {
            self.routes.clear();
            node.route(wire.from, wire.to, &mut self.routes);
            // Up links have even numbers.
            inner.extend(self.routes.iter().map(|link| self.machine.network.links() + link));
        }
        let ups = self.routes.iter().take_while(|link| **link % 2 == 0).count().min(inner.len());
        let crosses = |node: &netloom_model::Node| node.of(wire.from.endpoint) != node.of(wire.to.endpoint);
        self.output.messages[number as usize] = Message {
            from: wire.from.endpoint,
            to: wire.to.endpoint,
            routing: self.of_job.get(wire.job as usize).copied().unwrap_or(0),
            unsent: moved,
            bytes: moved,
            latency_factor: calibration.latency_factor(wire.bytes.saturating_add(calibration.envelope_bytes)),
            inner,
            ups: ups as u8,
            leaves: !same && node.is_none_or(crosses),
            ..leaving()
        };
        if same {
            let took = calibration.loopback_latency_s + moved as f64 / calibration.loopback_bandwidth_bytes_per_s;
            let at = ps(now.after(took)).max(self.output.now);
            self.output.messages[number as usize].flow_ps = Some(at);
            self.output.events.put(at, Event::Arrive { message: number });
            return Ok(());
        }
        self.output.start(number)
    }

    fn next(&mut self) -> Option<Time> {
        // Without an event packets are stuck, which [`Transport::advance`] finds. Flows that no rank waits for are no events.
        (self.under_way > 0).then(|| Time::from_ps(self.output.events.next().unwrap_or(self.output.now)))
    }

    fn advance(&mut self, now: Time, done: &mut Vec<u32>) -> Outcome<()> {
        if self.output.events.is_empty() && self.output.packets.len() > self.output.unused.len() {
            return Err(self.output.stuck());
        }
        let mut arrived = std::mem::take(&mut self.arrived);
        self.output.advance(now.instant_end().to_ps(), &mut arrived)?;
        let before = done.len();
        done.extend(arrived.drain(..).filter_map(|message| message.checked_sub(self.background)));
        self.under_way -= (done.len() - before) as u64;
        self.arrived = arrived;
        Ok(())
    }

    fn settle(&mut self, _: Time) {}

    fn reset(&mut self) {
        self.output.clear();
        self.under_way = 0;
        self.start_background();
    }

    fn record(&mut self) {
        let links = self.output.links.len();
        self.output.utilisation = Some(Utilisation::new(links, BINS, BIN_S));
    }

    fn passage(&self, id: u32) -> Passage {
        let message = &self.output.messages[(id + self.background) as usize];
        let flow = message.flow_ps.map_or(Time::ZERO, Time::from_ps);
        Passage { flow, alone_s: message.bytes as f64 * f64::from(message.slowest) / super::PS_PER_S }
    }

    fn link_bins(&mut self) -> LinkBins {
        self.output.utilisation.take().map(Utilisation::finish).unwrap_or_default()
    }

    fn work(&self) -> PacketWork {
        let most_bytes = self.output.lanes.iter().map(|lane| lane.most_bytes).max().unwrap_or(0);
        PacketWork { most_bytes, ..self.output.work }
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
    let packets = Packets::new(*machine, jobs, background, settings)?;
    ranks::run(packets, machine.calibration.software(machine.flops_per_s), &plain, record, progress)
}
