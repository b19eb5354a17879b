//! UGAL-local on dragonflies, as BookSim2 has it: a packet goes by its minimal route, or by that to a random endpoint first.

use super::Flits;
use crate::routes::known::Choice;

/// Flits that the queue of the minimal route may be longer by (BookSim2, `adaptive_threshold`).
const BIAS: u32 = 30;

/// What a packet is on: channels have the same numbers.
const DETOUR: u8 = 0;
const MINIMAL: u8 = 1;
const LAST: u8 = 2;
/// Channels that it needs.
pub const CHANNELS: u32 = 3;

impl Flits<'_> {
    /// As the packet enters: inside a group minimal; else a detour if twice its first queue and [`BIAS`] are shorter than
    /// the first queue of the minimal route.
    pub(super) fn choose(&mut self, number: u32) {
        let Some(groups) = self.network.structure().groups.as_deref() else { return };
        let packet = self.packets[number];
        let at = |endpoint: u32| self.network.endpoint_switch()[endpoint as usize];
        let group = |endpoint: u32| groups[at(endpoint) as usize];
        let mut draws = self.draws(self.network.switches() + packet.from);
        // The first number is the channel.
        draws.next_u64();
        let middle = draws.below(self.network.endpoints());
        self.packets[number].class = match group(packet.from) {
            own if own == group(packet.to) => LAST,
            own if own == group(middle) => MINIMAL,
            _ => {
                let (mut word, way) = (packet.word, self.hops.destination(middle));
                // A detour that has no route is none.
                let start = self.hops.start(at(packet.from), way, &mut word).ok();
                let direct = self.queue(packet.place, packet.destination, packet.word);
                match start {
                    Some(start) if direct > 2 * self.queue(start, way, word) + BIAS => {
                        let packet = &mut self.packets[number];
                        (packet.next, packet.place, packet.destination) = (packet.destination.into(), start, way);
                        DETOUR
                    }
                    _ => MINIMAL,
                }
            }
        };
    }

    /// Flits sent by the first output of a route whose credits are not back.
    fn queue(&mut self, place: u64, destination: u32, mut word: u64) -> u32 {
        let Some(choice) = self.hops.next(place, destination, &mut word) else { return 0 };
        let (channels, port) = (self.state.channels, self.ports.of_link(choice.link));
        let credits = &self.state.credits[(port * channels) as usize..][..channels as usize];
        credits.iter().map(|credits| u32::from(self.settings.buffer_flits - credits)).sum()
    }

    /// The next hop with the channel of the packet's phase. At the end of a detour the packet turns to its destination.
    pub(super) fn next_phase(&mut self, slot: u32, number: u32, mut next: Option<Choice>) -> Option<Choice> {
        let packet = &mut self.packets[number];
        if next.is_none() && packet.class == DETOUR {
            packet.class = MINIMAL;
            packet.destination = packet.next as u32;
            let switch = self.ports.place(slot / self.state.channels);
            // The pair of the detour's end has a route, as every pair has that the routing was built for.
            packet.place = self.hops.start(switch, packet.destination, &mut packet.word).unwrap_or(switch.into());
            next = self.hops.next(packet.place, packet.destination, &mut packet.word);
        }
        next.map(|choice| {
            let global = self.network.class(choice.link).name == "global";
            let class = if packet.class == MINIMAL && global { LAST } else { packet.class };
            Choice { class, ..choice }
        })
    }
}
