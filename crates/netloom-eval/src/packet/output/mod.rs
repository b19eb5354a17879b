//! Output-queued switches (Jain 2016, section 5.3): packets of a byte size, buffers in bytes, events in picoseconds.
//!
//! ```text
//!                     room?          turn?
//!   head arrives ──► wait ──► buffer ──► link ──► head of the next switch
//!                    (any number      (per channel,
//!                     of outputs)      round robin)
//! ```
//!
//! A packet that arrives picks its output, waits until the buffer of a virtual channel there has room for all of it, queues for
//! the link, and crosses it. Room in a buffer is given back, after the link's latency, once the whole packet has entered
//! the next one. With cut-through its head goes on while its tail is still arriving; with store-and-forward the head waits for the
//! tail. Packets that wait for one output do not block those for others: the crossbar and the inputs are ideal.

mod nic;
mod queue;
mod state;
mod switch;
#[cfg(test)]
mod tests;
mod transport;

use netloom_model::{Fault, Network, Outcome};

use super::hops::{Hops, Taking, word};
use crate::codes;
use queue::Queue;
use state::{ENDLESS, Lane, Link, Message, Packet, Returns, Sources};
pub use transport::{PacketWork, execute};

/// Parameters of the switches and NICs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Virtual channels of a link for each routing; `None`: as many as it needs.
    pub channels: Option<u32>,
    pub packet_bytes: u32,
    /// Of a virtual channel; at least a packet.
    pub buffer_bytes: u32,
    /// False: a switch waits for the whole packet.
    pub cut_through: bool,
    /// NICs send all packets of one message before those of the next.
    pub first_come: bool,
    pub seed: u64,
}

#[derive(Clone, Copy, Debug)]
enum Event {
    /// The head of a packet has crossed the link of its lane.
    Head { packet: u32 },
    /// The tail of a packet is where its message ends.
    Done { packet: u32 },
    /// A message without links has arrived.
    Arrive { message: u32 },
    /// A link that has more to send is free.
    Free { link: u32 },
    /// A lane from which somebody wants room may have some.
    Room { lane: u32 },
    /// A message without rank starts.
    Start { message: u32 },
}

/// A routing with the way in which packets take its next hops, and its part of the lanes of every link.
struct Routed<'a> {
    hops: Hops<'a>,
    taking: Taking,
    first_lane: u32,
    lanes: u32,
}

/// The network in simulated time. Messages are numbered by the caller.
pub struct Output<'a> {
    network: &'a Network,
    settings: Settings,
    routings: Vec<Routed<'a>>,
    now: u64,
    events: Queue<Event>,
    links: Vec<Link>,
    lanes: Vec<Lane>,
    returns: Returns,
    packets: Vec<Packet>,
    unused: Vec<u32>,
    messages: Vec<Message>,
    /// Per link after those between switches, the messages that start there.
    sources: Vec<Sources>,
    /// Packets made, per endpoint.
    made: Vec<u64>,
    done: Vec<u32>,
    work: PacketWork,
    utilisation: Option<crate::flow::Utilisation>,
}

/// What a link is to be made of.
pub struct LinkRow {
    pub bandwidth_bytes_per_s: f64,
    pub latency_s: f64,
    pub bounded: bool,
}

const PS_PER_S: f64 = 1e12;
/// Events whose data are read together.
const AHEAD: usize = 16;
/// Stage of the ejection link, after the links up.
const EJECTION: u8 = 2;

impl<'a> Output<'a> {
    /// `links`: those of the network in their order, then those inside nodes. O(links · channels) memory.
    pub fn new(
        network: &'a Network,
        routings: Vec<(Hops<'a>, Taking)>,
        links: impl Iterator<Item = LinkRow>,
        settings: Settings,
    ) -> Output<'a> {
        let mut first_lane = 0;
        let routings: Vec<Routed<'a>> = routings
            .into_iter()
            .map(|(hops, taking)| {
                let lanes = settings.channels.unwrap_or(0).max(hops.classes().into());
                first_lane += lanes;
                Routed { hops, taking, first_lane: first_lane - lanes, lanes }
            })
            .collect();
        let (per_link, switch_links) = (first_lane.max(1), network.switch_links());
        let (mut made, mut all) = (Vec::new(), Vec::new());
        for (number, row) in links.enumerate() {
            let lanes = if (number as u32) < switch_links { per_link } else { 1 };
            let latency_ps = row.latency_s * PS_PER_S;
            made.push(Link {
                ps_per_byte: PS_PER_S / row.bandwidth_bytes_per_s,
                latency_ps,
                first_lane: all.len() as u32,
                lanes: lanes as u16,
                served: 0,
                busy_until: 0,
                woken: false,
                bytes: 0,
            });
            all.extend((0..lanes).map(|_| Lane::new(number as u32, latency_ps, row.bounded)));
        }
        Output {
            network,
            settings,
            routings,
            now: 0,
            events: Queue::new(),
            lanes: all,
            returns: Returns::default(),
            sources: vec![Sources::new(); made.len() - switch_links as usize],
            links: made,
            packets: Vec::new(),
            unused: Vec::new(),
            messages: Vec::new(),
            made: vec![0; network.endpoints() as usize],
            done: Vec::new(),
            work: PacketWork::default(),
            utilisation: None,
        }
    }

    /// The initial state. Memory and what is known of routings stay.
    fn clear(&mut self) {
        self.events.clear();
        self.lanes.iter_mut().for_each(|lane| *lane = lane.empty());
        self.returns.clear();
        for link in &mut self.links {
            (link.busy_until, link.woken, link.served, link.bytes) = (0, false, 0, 0);
        }
        self.packets.clear();
        self.unused.clear();
        self.messages.clear();
        self.sources.iter_mut().for_each(Sources::clear);
        self.made.fill(0);
        (self.now, self.work) = (0, PacketWork::default());
    }

    /// Simulates until `limit`; messages that arrive are appended to `done`.
    ///
    /// # Errors
    /// If a packet has no route.
    fn advance(&mut self, limit: u64, done: &mut Vec<u32>) -> Outcome<()> {
        let mut until_touch = 0;
        while let Some((at, event)) = self.events.take(limit) {
            if until_touch == 0 {
                self.touch();
                until_touch = AHEAD;
            }
            until_touch -= 1;
            self.now = at;
            self.work.events += 1;
            match event {
                Event::Head { packet } => self.head(packet)?,
                Event::Done { packet } => self.arrived(packet),
                Event::Arrive { message } => self.done.push(message),
                Event::Free { link } => {
                    self.links[link as usize].woken = false;
                    self.send(link)?;
                }
                Event::Room { lane } => self.room(lane)?,
                Event::Start { message } => self.start(message)?,
            }
        }
        self.now = self.now.max(limit);
        done.append(&mut self.done);
        Ok(())
    }

    /// Reads what the next events need, all at once: a core waits for several misses together.
    #[inline]
    fn touch(&self) {
        let mut heads = [(0u64, 0u32, 0u16); AHEAD];
        let (mut count, mut seen) = (0, 0);
        for (_, event) in self.events.ahead(AHEAD) {
            match *event {
                Event::Head { packet } => {
                    let p = &self.packets[packet as usize];
                    if p.is_at_switch() {
                        heads[count] = (p.place, p.destination, p.routing);
                        count += 1;
                    }
                }
                Event::Free { link } => seen ^= self.links[link as usize].busy_until,
                Event::Room { lane } => seen ^= u64::from(self.lanes[lane as usize].held_bytes),
                _ => {}
            }
        }
        for (place, destination, routing) in &heads[..count] {
            if let Some(link) = self.routings[usize::from(*routing)].hops.guess(*place, *destination) {
                let Link { first_lane, busy_until, .. } = self.links[link as usize];
                seen ^= busy_until ^ u64::from(self.lanes[first_lane as usize].held_bytes);
            }
        }
        std::hint::black_box(seen);
    }

    fn arrived(&mut self, packet: u32) {
        let Packet { message, lane, bytes, slowest, .. } = self.packets[packet as usize];
        self.give_back(lane, packet);
        self.unused.push(packet);
        let m = &mut self.messages[message as usize];
        m.slowest = m.slowest.max(slowest);
        m.flow_ps.get_or_insert(self.now.saturating_sub((f64::from(bytes) * f64::from(slowest)) as u64));
        m.packets_under_way -= 1;
        if !m.open && m.packets_under_way == 0 {
            self.done.push(message);
        }
    }

    /// The fault of packets that can never move.
    fn stuck(&self) -> netloom_model::Faults {
        let waits = self.lanes.iter().position(|lane| lane.waiting.first().is_some());
        let place = waits.map_or_else(String::new, |lane| {
            let link = self.lanes[lane].link;
            match (self.network.tails().get(link as usize), self.network.heads().get(link as usize)) {
                (Some(&tail), Some(&head)) => {
                    format!(
                        ", for one on the link {} to {}",
                        self.network.switch_name(tail),
                        self.network.switch_name(head)
                    )
                }
                _ => String::new(),
            }
        });
        let sentence = format!("packets wait for room in buffers and none can move{place}");
        Fault::say(&codes::STALLED, self.network.label(), sentence).into()
    }
}

/// The nearest whole number; an instruction, where `round` is a call.
#[inline]
fn whole(picoseconds: f64) -> u64 {
    (picoseconds + 0.5) as u64
}
