//! Reads what the next events need before they happen, so that a core waits for many lines of memory at once.
//!
//! On a large network nothing of an event is in the cache: neither its packet, nor the buffers that it leaves and enters, nor the
//! link, the message and the entry of the routing. Each is found through another, so they are read in rounds: first what the
//! events name, then what that leads to. Nothing changes, and nothing but time depends on it.

use super::message::Message;
use super::part::{Kind, Part};
use super::saved::Undo;
use super::state::{Link, NONE};

/// Events whose data are read together.
const AHEAD: usize = 16;
/// Links of a part whose data are in the cache anyway; tests look almost everywhere.
const IN_CACHE: usize = if cfg!(test) { 4 } else { 1 << 10 };

impl<U: Undo> Part<'_, U> {
    /// Events between two looks, and until the first; none where everything is in the cache.
    pub(crate) fn stride(&self) -> (usize, usize) {
        if self.links.len() <= IN_CACHE { (AHEAD, usize::MAX) } else { (AHEAD, 0) }
    }

    pub(crate) fn touch(&self) {
        let events = self.events.ahead(AHEAD);
        let (mut links, mut messages) = ([NONE; AHEAD], [NONE; AHEAD]);
        let mut sum = 0;
        for ((_, event), (link, message)) in events.iter().zip(links.iter_mut().zip(&mut messages)) {
            match event.kind() {
                Kind::Head | Kind::Done => sum ^= self.packets[event.item as usize].tail,
                Kind::Room => sum ^= u64::from(self.lanes[event.place() as usize].held_bytes),
                Kind::Free => *link = event.place(),
                Kind::Start | Kind::Resume => *message = event.item,
            }
        }
        for ((_, event), (link, message)) in events.iter().zip(links.iter_mut().zip(&mut messages)) {
            let kind = event.kind();
            if kind == Kind::Head || kind == Kind::Done {
                let p = &self.packets[event.item as usize];
                if p.part == self.number && p.lane != NONE {
                    sum ^= u64::from(self.lanes[p.lane as usize].held_bytes);
                }
                if kind == Kind::Head && p.is_at_switch() {
                    // Before it has chosen a detour, it is taken to go directly.
                    let end = if p.stage == p.ups() { p.destination } else { p.leg().1 };
                    *link = match self.routings[usize::from(p.routing)].hops.guess(p.place, end) {
                        Some(next) => next,
                        None => {
                            *message = p.message;
                            self.layout.of(self.network.ejection_link(p.to)).1
                        }
                    };
                }
            }
        }
        let mut lanes = [NONE; AHEAD];
        for (&link, (lane, message)) in links.iter().zip(lanes.iter_mut().zip(&mut messages)) {
            let Some(Link { first_lane, busy_until, .. }) = self.links.get(link as usize) else { continue };
            sum ^= busy_until;
            *lane = *first_lane;
            if link >= self.switch_links
                && let Some(first) = self.sources[(link - self.switch_links) as usize].front()
            {
                *message = *first;
            }
        }
        for (&lane, &message) in lanes.iter().zip(&messages) {
            sum ^= self.lanes.get(lane as usize).map_or(0, |of| u64::from(of.held_bytes));
            sum ^= self.messages.get(message as usize).map_or(0, |Message { unsent, left, .. }| unsent ^ left);
        }
        std::hint::black_box(sum);
    }
}
