//! Endpoints: one packet at a time enters the network, one flit per cycle, under credits.

use std::collections::VecDeque;

use netloom_model::stream::mix;
use netloom_model::{Draws, Network};

use super::state::{HEAD, TAIL};
use super::{Event, Flits};

#[derive(Clone, Debug, Default)]
struct Source {
    queue: VecDeque<u32>,
    /// Packets that it was offered.
    count: u64,
    /// Flits of the first packet that have left.
    sent: u32,
    /// Channel of the packet that leaves, or that left last.
    channel: u32,
}

/// All endpoints, and the list of those with packets.
pub struct Sources {
    all: Vec<Source>,
    busy: Vec<u32>,
    /// True if none could send in the last cycle.
    still: bool,
}

impl Sources {
    pub fn new(network: &Network) -> Sources {
        Sources { all: vec![Source::default(); network.endpoints() as usize], busy: Vec::new(), still: true }
    }

    /// Packets that an endpoint was offered so far.
    pub fn count(&mut self, endpoint: u32) -> u64 {
        let count = &mut self.all[endpoint as usize].count;
        *count += 1;
        *count - 1
    }

    pub fn push(&mut self, endpoint: u32, packet: u32) {
        let source = &mut self.all[endpoint as usize];
        if source.queue.is_empty() {
            self.busy.push(endpoint);
        }
        source.queue.push_back(packet);
    }

    pub fn idle(&self) -> bool {
        self.still
    }
}

impl Flits<'_> {
    /// One flit of every endpoint that has one and a credit.
    pub(super) fn inject(&mut self) {
        let (v, flits) = (self.settings.channels, self.settings.packet_flits);
        self.sources.still = true;
        let mut busy = std::mem::take(&mut self.sources.busy);
        busy.retain(|&endpoint| {
            let source = &mut self.sources.all[endpoint as usize];
            let Some(&packet) = source.queue.front() else { return false };
            let link = self.network.injection_link(endpoint);
            if source.sent == 0 {
                let free = |channel: &u32| self.slots.credits[(link * v + channel) as usize] > 0;
                let entry = if self.preset.random_entry {
                    let key = self.settings.seed ^ mix(self.now << 32 ^ u64::from(endpoint));
                    Some(Draws::from_key(key).below(v)).filter(free)
                } else {
                    (1..=v).map(|ahead| (source.channel + ahead) % v).find(free)
                };
                let Some(channel) = entry else { return true };
                source.channel = channel;
            }
            let slot = link * v + source.channel;
            if self.slots.credits[slot as usize] == 0 {
                return true;
            }
            self.slots.credits[slot as usize] -= 1;
            self.sources.still = false;
            let head = if source.sent == 0 { HEAD } else { 0 };
            source.sent += 1;
            let tail = if source.sent == flits { TAIL } else { 0 };
            let arrives = self.now + u64::from(self.latency[link as usize]) + 1;
            self.events.put(arrives, Event::Flit { slot, flit: packet | head | tail });
            self.link_units[link as usize] += 1;
            if tail != 0 {
                source.queue.pop_front();
                source.sent = 0;
            }
            !source.queue.is_empty()
        });
        self.sources.busy = busy;
    }
}
