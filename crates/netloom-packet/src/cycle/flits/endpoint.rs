//! Endpoints that send: one packet after the other, a flit per cycle.

use netloom_model::Outcome;

use super::{BODY, Flits};
use crate::cycle::packets::Drawn;

/// The packet that an endpoint sends.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sender {
    packet: u32,
    /// Flits left of it, 0 without one.
    left: u16,
    /// Channel of its injection link.
    channel: u8,
}

impl Sender {
    /// True between two packets.
    pub fn idle(&self) -> bool {
        self.left == 0
    }
}

impl Flits<'_> {
    /// One cycle of an endpoint. True if it must be asked again in the next cycle, whatever arrives.
    ///
    /// # Errors
    /// If a packet has no route.
    pub(super) fn send(&mut self, endpoint: u32) -> Outcome<bool> {
        let mut sender = self.senders[endpoint as usize];
        let port = self.ports.switch_ports() + endpoint;
        let channels = self.state.channels;
        let head = sender.left == 0;
        if head {
            if self.packets.waits(endpoint) == 0 {
                return Ok(false);
            }
            let Some(channel) = self.free_channel(endpoint, port, sender.channel) else {
                return Ok(self.settings.narrow && self.has_room(port));
            };
            let source = self.network.endpoint_switch()[endpoint as usize];
            let drawn = Drawn { taking: self.settings.taking, seed: self.settings.seed };
            let Some(packet) = self.packets.take(endpoint, source, &mut self.hops, drawn)? else { return Ok(false) };
            if let Some(watch) = &mut self.watch {
                watch.leave_source(endpoint, self.now);
            }
            if self.settings.ugal {
                self.choose(packet);
            }
            sender = Sender { packet, left: self.packets[packet].units as u16, channel };
        }
        let out = port * channels + u32::from(sender.channel);
        if self.state.credits[out as usize] == 0 {
            return Ok(false);
        }
        self.state.credits[out as usize] -= 1;
        sender.left -= 1;
        self.senders[endpoint as usize] = sender;
        self.link_units[self.ports.link(port) as usize] += 1;
        if let Some(watch) = &mut self.watch {
            watch.inject(endpoint, self.ports.link(port), self.now, (1, 1, head));
            watch.ready_source(endpoint, self.now + 1);
        }
        let arrives = self.now + self.ports.delay(port);
        let slot = self.ports.peer(port) * channels + u32::from(sender.channel);
        self.flits.put(arrives, (slot, if head { sender.packet } else { BODY }));
        Ok(sender.left > 0 || self.packets.waits(endpoint) > 0)
    }

    /// True if another channel, drawn again, may have room.
    fn has_room(&self, port: u32) -> bool {
        let first = (port * self.state.channels) as usize;
        self.state.credits[first..first + self.state.channels as usize].iter().any(|credits| *credits > 0)
    }

    /// A channel with room: the first after the last one used, or one that is drawn.
    fn free_channel(&self, endpoint: u32, port: u32, last: u8) -> Option<u8> {
        let channels = self.state.channels;
        let room = |channel: u32| self.state.credits[(port * channels + channel) as usize] > 0;
        if self.settings.narrow {
            let drawn = self.draws(self.network.switches() + endpoint).below(channels);
            return room(drawn).then_some(drawn as u8);
        }
        let after = (1..=channels).map(|i| (u32::from(last) + i) % channels);
        after.into_iter().find(|channel| room(*channel)).map(|channel| channel as u8)
    }
}
