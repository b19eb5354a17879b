//! The routing of butterflies: the digits of the destination's number say which output a packet takes.

use std::sync::Arc;

use netloom_model::fault::{Fault, Faults};
use netloom_model::network::Fly;
use netloom_model::{Bound, Network, Outcome, Routing, Split, Step, Way};

use super::codes;
use super::row::RoutingRow;
use super::rule::{Rule, Ruled};

pub const DESTINATION_TAG: RoutingRow = RoutingRow {
    name: "destination-tag",
    aliases: &[],
    summary: "on a butterfly: stage by stage, the output that the next digit of the destination's number names",
    params: &[],
    example: "destination-tag",
    restrictions: "butterfly, which takes no other routing: its links go one way",
    source: "Dally and Towles 2004, section 8.4.1",
    build,
};

struct DestinationTag(Fly);

struct Tagged<'a> {
    network: &'a Network,
    fly: Fly,
    destination: u32,
}

impl Tagged<'_> {
    /// Whether the packets of this destination pass a switch.
    fn passes(&self, at: u32) -> bool {
        let (Fly { radix, stages }, width) = (self.fly, self.fly.width());
        let Some(to) = self.destination.checked_sub(self.fly.first_terminal()) else { return false };
        if at >= self.fly.first_terminal() {
            return true;
        }
        let (stage, number) = (at / width, at % width);
        number / radix.saturating_pow(stages - 1 - stage) == to / radix.saturating_pow(stages - stage)
    }

    /// The next link. A terminal of a butterfly of one stage has both cables to one switch: the first one in, the last one out.
    fn link(&self, at: u32) -> Option<u32> {
        let to = self.fly.after(at, self.destination)?;
        let heads = self.network.neighbours(at);
        let (from, behind) = (heads.partition_point(|head| *head < to), heads.partition_point(|head| *head <= to));
        let place = if to == self.destination { behind.checked_sub(1)? } else { from };
        (from < behind).then(|| self.network.out_links(at).start + place as u32)
    }
}

impl Rule for DestinationTag {
    fn way<'a>(&'a self, network: &'a Network, destination: u32) -> Box<dyn Way + 'a> {
        Box::new(Tagged { network, fly: self.0, destination })
    }
    fn places_per_switch(&self) -> u32 {
        1
    }
    fn virtual_channels(&self) -> u8 {
        1
    }
    /// Stage by stage.
    fn is_ordered(&self) -> bool {
        true
    }
    fn is_deterministic(&self) -> bool {
        true
    }
}

impl Way for Tagged<'_> {
    fn starts(&self, source: u32, out: &mut Vec<u64>) {
        out.extend(self.passes(source).then_some(u64::from(source)));
    }

    fn steps(&self, place: u64, out: &mut Vec<Step>) {
        let at = place as u32;
        let next = if at == self.destination { None } else { self.link(at) };
        out.extend(next.map(|link| Step { link, channel: 0, place: self.network.heads()[link as usize].into() }));
    }

    fn remaining(&self, place: u64) -> u32 {
        let at = place as u32;
        match at {
            _ if at == self.destination => 0,
            _ if at >= self.fly.first_terminal() => self.fly.hops(),
            _ => self.fly.stages - at / self.fly.width(),
        }
    }
}

/// Refuses a routing that would go along the links of a butterfly backwards.
///
/// # Errors
/// `NL-R012`.
pub fn require_one_way(network: &Network, label: &str, routing: &str) -> Outcome<()> {
    if network.structure().fly.is_none() || routing == DESTINATION_TAG.name {
        return Ok(());
    }
    let sentence = "would take links of the butterfly backwards, and they go one way";
    Err(Fault::say(&codes::ONE_WAY, format!("{label} on {}", network.label()), sentence)
        .hint("use `destination-tag`, which is the default there")
        .into())
}

fn build(network: &Arc<Network>, bound: &Bound, label: &str) -> Outcome<Box<dyn Routing>> {
    let Some(fly) = network.structure().fly else {
        let place = format!("{} on {}", bound.owner, network.label());
        let fault = Fault::say(&codes::ONE_WAY, place, "needs a butterfly, whose stages it follows");
        return Err(Faults::from(fault.hint("leave `routing` out, or use `minimal`")));
    };
    Ok(Box::new(Ruled {
        network: network.clone(),
        label: label.into(),
        rule: Box::new(DestinationTag(fly)),
        hop_channels: None,
        split: Split::Paths,
        limit: 1,
    }))
}
