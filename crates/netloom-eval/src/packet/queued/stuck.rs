//! No packet can ever move again: who waits for whom.

use netloom_model::Faults;
use netloom_model::fault::Fault;

use crate::codes;

use super::Queued;

impl Queued<'_> {
    /// The fault of a stalled network, with the cycle of buffers that wait for each other.
    pub(super) fn stuck(&self) -> Faults {
        let switches = 0..self.network.switches();
        let first = switches.flat_map(|s| (0..self.slots.waits(s)).map(move |at| (s, at))).next();
        let mut trail: Vec<u32> = Vec::new();
        let mut at = first.map(|(switch, at)| self.slots.waiting(switch, at));
        while let Some(slot) = at {
            if let Some(seen) = trail.iter().position(|s| *s == slot) {
                trail.drain(..seen);
                break;
            }
            trail.push(slot);
            at = self.next_full(slot);
        }
        let name = |slot: &u32| {
            let (link, channel) = (slot / self.settings.channels, slot % self.settings.channels);
            let tails = self.network.tails().get(link as usize);
            let from = tails.map_or_else(|| "an endpoint".into(), |tail| self.network.switch_name(*tail));
            format!("{from} to {} (channel {channel})", self.network.switch_name(self.switch_of(*slot)))
        };
        let names: Vec<String> = trail.iter().take(12).map(name).collect();
        let more = if trail.len() > 12 { format!(" and {} more", trail.len() - 12) } else { String::new() };
        let sentence = format!(
            "at cycle {} no packet can move: {} packets wait for each other on the links {}{more}",
            self.now,
            self.packets.len(),
            names.join(", ")
        );
        let hint = "use a routing without cycles among its channels, and as many channels as it names";
        Fault::say(&codes::STALLED, self.network.label(), sentence).hint(hint).into()
    }

    /// A full buffer that the head of `slot` waits for.
    fn next_full(&self, slot: u32) -> Option<u32> {
        let packet = self.slots.front(slot);
        let choices = self.hops.choices(self.slots.row(slot));
        let choice = self.packets[packet].next.or_else(|| choices.first().copied())?;
        let (v, classes) = (self.settings.channels, u32::from(self.hops.classes()));
        let first = choice.link * v + u32::from(choice.class) * v / classes;
        (self.slots.room(first) == 0).then_some(first)
    }
}
