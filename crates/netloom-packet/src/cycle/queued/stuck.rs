//! No packet can ever move again: who waits for whom.

use netloom_model::Faults;
use netloom_model::fault::Fault;

use crate::codes;

use super::Queued;

impl Queued<'_> {
    /// The fault of a stalled network, with the cycle of buffers that wait for each other.
    pub(super) fn stuck(&self) -> Faults {
        let first = (0..self.network.switches()).find_map(|switch| self.waiting.of(switch).first());
        let mut trail: Vec<u32> = Vec::new();
        let mut at = first.map(|head| head.slot);
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
        let head = self.waiting.of(self.switch_of(slot)).iter().find(|head| head.slot == slot)?;
        let (link, class) = match head.row {
            Queued::EJECT => return None,
            row if row >= Queued::DRAWN => (row - Queued::DRAWN, head.class),
            row => self.hops.choices(row).first().map(|choice| (choice.link, choice.class + head.shift))?,
        };
        self.outputs.slots(link, class).find(|slot| self.outputs.room(*slot) == 0)
    }
}
