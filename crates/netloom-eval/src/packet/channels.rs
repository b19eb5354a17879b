//! Classes of virtual channels: into how many parts the channels of a link are divided, and the proof that packets cannot wait
//! for each other forever.

use netloom_model::deadlock::AnyChannel;
use netloom_model::fault::Fault;
use netloom_model::{Deadlock, Network, Outcome, Progress, Routing, deadlock};

use super::taking::Taking;
use crate::codes;

/// Products of destinations and links up to which the dependencies of channels are followed.
const PROVED: u64 = 1 << 31;

/// The classes into which the channels of each link are divided: 1, so that a packet may use any, if no use of the
/// channels can deadlock; else as many as the routing names. Without a number of channels: as many as it names, if these
/// are ordered by construction, which needs no proof. `None` in place of the proof: the network is too large for
/// it, and the routing's own classes are used as they are.
///
/// # Errors
/// `NL-E019` for fewer channels than classes, or a cycle among the channels, which it names; as [`deadlock`].
pub fn classes(
    network: &Network,
    routing: &dyn Routing,
    channels: Option<u32>,
    progress: &Progress,
) -> Outcome<(u8, bool)> {
    let named = routing.virtual_channels();
    if routing.is_ordered() && (channels.is_none() || named == 1) {
        return Ok((named, true));
    }
    let channels = channels.unwrap_or(u32::MAX);
    let ends = if routing.by_endpoint() { network.endpoints() } else { network.switches() };
    let place = || format!("{} on {}", routing.label(), network.label());
    let proved = u64::from(ends) * u64::from(network.switch_links()) <= PROVED;
    let cycle = if proved {
        match deadlock(network, &AnyChannel(routing), progress)? {
            Deadlock::Free { .. } => return Ok((1, true)),
            Deadlock::Cycle(_) if named > 1 => match deadlock(network, routing, progress)? {
                Deadlock::Free { .. } => None,
                Deadlock::Cycle(cycle) => Some(cycle),
            },
            Deadlock::Cycle(cycle) => Some(cycle),
        }
    } else {
        None
    };
    if let Some(cycle) = cycle {
        let link = |&(link, channel): &(u32, u8)| {
            let name = |switch: u32| network.switch_name(switch);
            let (tail, head) = (network.tails()[link as usize], network.heads()[link as usize]);
            format!("{} to {} (channel {channel})", name(tail), name(head))
        };
        let names: Vec<String> = cycle.iter().take(8).map(link).collect();
        let more = if cycle.len() > 8 { format!(" and {} more", cycle.len() - 8) } else { String::new() };
        let sentence = format!("packets could wait for each other forever on the links {}{more}", names.join(", "));
        let hint = "use the routing with its own virtual channels (vc), or another one";
        return Err(Fault::say(&codes::UNSAFE, place(), sentence).hint(hint).into());
    }
    if u32::from(named) > channels {
        let sentence = format!("needs {named} virtual channels, the switch has {channels}");
        let hint = format!("give the switch channels={named} or more");
        return Err(Fault::say(&codes::UNSAFE, place(), sentence).hint(hint).into());
    }
    Ok((named, proved))
}

/// Packets on a detour have channels of their own: with their routing's classes.
///
/// # Errors
/// `NL-E019` for fewer channels than that.
pub fn phases(routing: &dyn Routing, channels: Option<u32>, classes: u8, taking: Taking) -> Outcome<()> {
    let needed = u32::from(classes) * taking.phases();
    let Some(channels) = channels.filter(|channels| *channels < needed) else { return Ok(()) };
    let sentence = format!("needs {needed} virtual channels with detours, the switch has {channels}");
    Err(Fault::say(&codes::UNSAFE, routing.label(), sentence)
        .hint(format!("give the switch channels={needed} or more"))
        .into())
}
