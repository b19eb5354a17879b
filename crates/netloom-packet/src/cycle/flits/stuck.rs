//! No packet can ever move again: who waits for whom.

use netloom_model::Faults;
use netloom_model::fault::Fault;

use super::Flits;
use crate::codes;

impl Flits<'_> {
    /// The fault of a stalled network, with channels that wait for each other.
    pub(super) fn stuck(&self) -> Faults {
        let waits = |slot: &u32| self.state.inputs[*slot as usize].packets > 0;
        let mut at = (0..self.state.inputs.len() as u32).find(waits);
        let mut trail: Vec<u32> = Vec::new();
        while let Some(slot) = at {
            if let Some(seen) = trail.iter().position(|s| *s == slot) {
                trail.drain(..seen);
                break;
            }
            trail.push(slot);
            at = self.ahead(slot).filter(waits);
        }
        let channels = self.state.channels;
        let name = |slot: &u32| {
            let port = slot / channels;
            let (peer, here) = (self.ports.peer(port), self.network.switch_name(self.ports.place(port)));
            let from = match peer < self.ports.switch_ports() {
                true => self.network.switch_name(self.ports.place(peer)),
                false => "an endpoint".into(),
            };
            format!("{from} to {here} (channel {})", slot % channels)
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

    /// The input channel that the front of `slot` waits for.
    fn ahead(&self, slot: u32) -> Option<u32> {
        let channels = self.state.channels;
        let input = &self.state.inputs[slot as usize];
        let peer = Some(self.ports.peer(input.out)).filter(|peer| *peer < self.ports.switch_ports())?;
        let asks = self.state.ports[(slot / channels) as usize].heads >> (slot % channels) & 1 == 1;
        let channel = match asks {
            true => self.masks[usize::from(input.class)].trailing_zeros(),
            false => input.out_channel.into(),
        };
        Some(peer * channels + channel)
    }
}
