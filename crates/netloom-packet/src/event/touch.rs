//! Reads what the next events need before they happen, so that a core waits for many lines of memory at once.
//!
//! On a large network nothing of an event is in the cache: neither its packet, nor the buffers that it leaves and enters, nor the
//! link, the message and the entry of the routing. Each is found through another, so they are read in rounds: first what the
//! events name, then what that leads to. A round waits for nothing that it reads itself. Nothing changes but what is remembered
//! of the routing, and nothing but time depends on it.

use super::link::Link;
use super::message::Message;
use super::part::{Event, Foreseen, Kind, Part};
use super::saved::Undo;
use super::state::{NONE, STAYS};
use crate::routes::taking::Taking;

/// Events whose data are read together.
const AHEAD: usize = 16;
/// Buffers of a link that are read.
const LANES: usize = 2;
/// Links of a part whose data are in the cache anyway; tests look almost everywhere.
const IN_CACHE: usize = if cfg!(test) { 4 } else { 1 << 10 };

/// What an event leads to, as far as it is known: [`NONE`] where it is not.
#[derive(Clone, Copy)]
struct Led {
    link: u32,
    message: u32,
    /// Where room comes back.
    back: u32,
    /// Of the buffers that are entered or sent from: the first, a packet there, what comes back to it.
    lane: u32,
    packets: [u32; LANES],
    returns: [u32; LANES],
}

const NOWHERE: Led =
    Led { link: NONE, message: NONE, back: NONE, lane: NONE, packets: [NONE; LANES], returns: [NONE; LANES] };

impl<U: Undo> Part<'_, U> {
    /// Events between two looks, and until the first; none where everything is in the cache.
    pub(crate) fn stride(&self) -> (usize, usize) {
        if self.links.len() <= IN_CACHE { (AHEAD, usize::MAX) } else { (AHEAD, 0) }
    }

    /// What a packet asks for its next hop: the routing, and from where to where. Before it has chosen between its routing and
    /// detours it is taken to go directly; `None` if it always takes a detour, which it has not drawn yet, and if it stays in its
    /// node and has no destination.
    #[inline]
    fn asks(&self, packet: u32) -> Option<(usize, u64, u32)> {
        let p = &self.packets[packet as usize];
        if p.ups() == STAYS {
            return None;
        }
        let routing = usize::from(p.routing);
        match p.stage == p.ups() {
            true if self.routings[routing].taking == Taking::Detour => None,
            true => Some((routing, p.place, p.destination)),
            false => Some((routing, p.place, p.leg().1)),
        }
    }

    pub(crate) fn touch(&mut self) {
        let mut sum = 0;
        let mut all = [(Event::start(0), NOWHERE); AHEAD];
        let ahead = self.events.ahead(AHEAD);
        let all = &mut all[..ahead.len()];
        let mut listed = 0;
        for ((_, event), (kept, led)) in ahead.iter().zip(&mut *all) {
            *kept = *event;
            match event.kind() {
                Kind::Head | Kind::Done => sum ^= self.packets[event.item as usize].tail,
                Kind::Room => led.lane = event.place(),
                Kind::Free => led.link = event.place(),
                Kind::Start | Kind::Resume => led.message = event.item,
            }
        }
        let moves = |event: &Event| matches!(event.kind(), Kind::Head | Kind::Done);
        for (event, _) in all.iter().filter(|(event, _)| event.kind() == Kind::Head) {
            if let Some((routing, place, end)) = self.asks(event.item) {
                sum ^= self.routings[routing].hops.peek(place, end);
            }
        }
        for (event, led) in all.iter_mut().filter(|(event, _)| moves(event)) {
            let p = &self.packets[event.item as usize];
            if p.part == self.number
                && let Some(lane) = self.lanes.get(p.lane as usize)
            {
                led.back = lane.last_return();
            }
        }
        for (event, _) in all.iter().filter(|(event, _)| event.kind() == Kind::Head) {
            if let Some((routing, place, end)) = self.asks(event.item) {
                sum ^= self.routings[routing].hops.peek_row(place, end);
            }
        }
        for (event, led) in all.iter_mut().filter(|(event, _)| event.kind() == Kind::Head) {
            let p = self.packets[event.item as usize];
            if p.is_at_switch()
                && let Some((routing, place, end)) = self.asks(event.item)
            {
                let hops = &mut self.routings[routing].hops;
                if hops.is_anew() {
                    self.foreseen.resize_with(self.foreseen.len().max(listed + 1), Foreseen::default);
                    let of = &mut self.foreseen[listed];
                    (of.packet, of.routing, of.place, of.end) = (event.item, routing as u16, place, end);
                    hops.list(place, end, &mut of.choices);
                    listed += 1;
                    if !of.choices.is_empty() {
                        continue;
                    }
                }
                led.link = hops.foresee(place, end, p.word).unwrap_or_else(|| {
                    led.message = p.message;
                    self.layout.of(self.network.ejection_link(p.to)).1
                });
            }
        }
        for Foreseen { choices, .. } in &self.foreseen[..listed] {
            sum ^= choices.iter().fold(0, |sum, choice| sum ^ self.links[choice.link as usize].busy_until);
        }
        for Foreseen { packet, choices, .. } in &self.foreseen[..listed] {
            for choice in choices {
                sum ^= self.lanes[self.lanes_of(*packet, *choice).start as usize].back_at();
            }
        }
        for (_, led) in all.iter_mut() {
            if let Some(link @ Link { first_lane, busy_until, .. }) = self.links.get(led.link as usize) {
                sum ^= busy_until;
                led.lane = *first_lane + link.in_turn().next().map_or(0, u32::from);
            }
            sum ^= self.returns.all.get(led.back as usize).map_or(0, |back| back.at());
        }
        for (event, led) in all.iter_mut() {
            for nth in 0..LANES {
                let Some(lane) = self.lanes.get(led.lane as usize + nth) else { continue };
                led.returns[nth] = lane.first_return();
                led.packets[nth] =
                    if event.kind() == Kind::Free { lane.queue.first().unwrap_or(NONE) } else { lane.queue.last() };
            }
            if led.link >= self.switch_links
                && let Some(source) = self.sources.get((led.link.wrapping_sub(self.switch_links)) as usize)
                && let Some(first) = source.front()
            {
                led.message = *first;
            }
        }
        for (_, led) in all.iter() {
            for nth in 0..LANES {
                sum ^= self.packets.get(led.packets[nth] as usize).map_or(0, |packet| packet.tail);
                sum ^= self.returns.all.get(led.returns[nth] as usize).map_or(0, |back| back.at());
            }
            sum ^= self.messages.get(led.message as usize).map_or(0, |Message { unsent, left, .. }| unsent ^ left);
        }
        std::hint::black_box(sum);
    }
}
