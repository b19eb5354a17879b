//! What proofs about channels share: how far they go, and the words of their faults.

use netloom_model::fault::Fault;
use netloom_model::{Network, Outcome};

use crate::codes;

/// Products of destinations and links up to which the dependencies of channels are followed.
pub(crate) const PROVED: u64 = 1 << 31;

/// The links of a cycle of channels.
pub(crate) fn names(network: &Network, cycle: &[(u32, u8)]) -> String {
    let link = |&(link, channel): &(u32, u8)| {
        let name = |switch: u32| network.switch_name(switch);
        let (tail, head) = (network.tails()[link as usize], network.heads()[link as usize]);
        format!("{} to {} (channel {channel})", name(tail), name(head))
    };
    let names: Vec<String> = cycle.iter().take(8).map(link).collect();
    let more = if cycle.len() > 8 { format!(" and {} more", cycle.len() - 8) } else { String::new() };
    names.join(", ") + &more
}

/// # Errors
/// `NL-E019` for a switch with fewer channels than needed; `what` says what for, `other` what else would do.
pub(crate) fn too_few(place: String, what: &str, needed: u32, channels: Option<u32>, other: &str) -> Outcome<()> {
    let Some(channels) = channels.filter(|channels| *channels < needed) else { return Ok(()) };
    let space = if what.is_empty() { "" } else { " " };
    let sentence = format!("needs {needed} virtual channels{space}{what}, the switch has {channels}");
    let mut hint = format!("give the switch channels={needed} or more");
    if !other.is_empty() {
        hint += &format!(", or take {other}");
    }
    Err(Fault::say(&codes::UNSAFE, place, sentence).hint(hint).into())
}
