//! A routing made of a rule: "at this place, these links may come next", with the channels of hops on top if requested.

use std::sync::Arc;

use netloom_model::fault::{Fault, codes as model};
use netloom_model::steps::{self, Refusal};
use netloom_model::{Faults, Network, Outcome, Routing, Split, Step, Way};

use super::{codes, draw, flat};

/// The parts of a routing.
pub trait Rule: Send + Sync {
    fn way<'a>(&'a self, network: &'a Network, destination: u32) -> Box<dyn Way + 'a>;
    /// Places are below this times the number of switches.
    fn places_per_switch(&self) -> u32;
    fn virtual_channels(&self) -> u8;
    fn is_deterministic(&self) -> bool;
    /// The answer of [`Routing::is_ordered`].
    fn is_ordered(&self) -> bool {
        false
    }
    /// The answer of [`Routing::is_by_switch`].
    fn is_by_switch(&self) -> bool {
        self.places_per_switch() == 1
    }
    /// The answer of [`Routing::is_by_formula`].
    fn is_by_formula(&self) -> bool {
        false
    }
    /// The answer of [`Routing::is_searched`].
    fn is_searched(&self) -> bool {
        false
    }
    /// The answer of [`Routing::stages`].
    fn stages(&self, _network: &Network) -> Option<Vec<Vec<u32>>> {
        None
    }
    /// True if a destination may be `switches + endpoint`.
    fn by_endpoint(&self) -> bool {
        false
    }
}

/// The switch that a destination is at, and the endpoint by whose number packets go there: that of the destination, and of a
/// switch its first one, if there is any. `None` where the rule goes by switches.
pub fn end_of(network: &Network, destination: u32, by_endpoint: bool) -> (u32, Option<u32>) {
    if !by_endpoint {
        return (destination, None);
    }
    match destination.checked_sub(network.switches()) {
        Some(endpoint) => (network.endpoint_switch()[endpoint as usize], Some(endpoint)),
        None => (destination, network.endpoints_of(destination).first().copied()),
    }
}

/// A routing made of a rule.
pub struct Ruled {
    pub network: Arc<Network>,
    pub label: String,
    pub rule: Box<dyn Rule>,
    /// Number of channels if a packet's channel is the number of hops that it has made, in place of the rule's.
    pub hop_channels: Option<u8>,
    pub split: Split,
    /// Most paths per pair.
    pub limit: usize,
}

impl Routing for Ruled {
    fn label(&self) -> &str {
        &self.label
    }

    fn towards(&self, destination: u32) -> Box<dyn Way + '_> {
        let way = self.rule.way(&self.network, destination);
        if self.hop_channels.is_some() { Box::new(ByHops(way)) } else { way }
    }

    fn split(&self) -> Split {
        self.split
    }

    fn limit(&self) -> usize {
        self.limit
    }

    fn admit(&self, switch: u32) -> Outcome<()> {
        require_switch(&self.network, &self.label, switch)
    }

    fn is_by_switch(&self) -> bool {
        self.rule.is_by_switch()
    }

    fn is_by_formula(&self) -> bool {
        self.rule.is_by_formula()
    }

    fn is_searched(&self) -> bool {
        self.rule.is_searched()
    }

    fn stages(&self) -> Option<Vec<Vec<u32>>> {
        self.rule.stages(&self.network)
    }

    fn by_endpoint(&self) -> bool {
        self.rule.by_endpoint()
    }

    fn switch_of(&self, destination: u32) -> u32 {
        let endpoint = destination.checked_sub(self.network.switches()).filter(|_| self.rule.by_endpoint());
        let switch = endpoint.and_then(|endpoint| self.network.endpoint_switch().get(endpoint as usize));
        switch.copied().unwrap_or(destination)
    }

    fn refuse(&self, source: u32, destination: u32, why: Refusal) -> Faults {
        let (place, destination) = (format!("{} on {}", self.label, self.network.label()), self.switch_of(destination));
        let (sentence, hint) = match why {
            Refusal::NoPath => (
                format!("no legal path from switch {source} to switch {destination}"),
                match self.network.failed() {
                    _ if self.network.structure().fly.is_some() => {
                        "a butterfly has one path between two endpoints: place no ranks on those whose path failed"
                    }
                    Some(_) => {
                        "its rule does not lead round what is out of service; `single-minimal(tie=destination)` does"
                    }
                    None => "pairs of switches with endpoints have one; else use `single-minimal(tie=destination)`",
                },
            ),
            Refusal::TooMany => (
                format!("switches {source} and {destination} are joined by more than {} paths", self.limit),
                "use `single-minimal(tie=destination)`, on trees `d-mod-k`, on grids `dimension-ordered`, which have one path \
                 per destination; or raise `limit`",
            ),
        };
        let code = if why == Refusal::NoPath { &codes::NO_PATH } else { &codes::TOO_MANY_PATHS };
        Fault::say(code, place, sentence).hint(hint).into()
    }

    /// O(hops · degree) where one step's share is known: one path, equal shares by hop, or numbers of paths by formula.
    /// Else the paths are counted first, O(switches on them · degree). A pair with more than `limit` paths has draws.
    fn draw(&self, source: u32, destination: u32, draw: u64, out: &mut Vec<u32>) -> Outcome<()> {
        let end = self.switch_of(destination);
        self.admit(source)?;
        self.admit(end)?;
        if source == end {
            return Ok(());
        }
        let mut draw = draw;
        let way = self.rule.way(&self.network, destination);
        let no_path = || self.refuse(source, destination, Refusal::NoPath);
        let start = way.start(source, &mut draw).ok_or_else(no_path)?;
        let before = out.len();
        let last = draw::one(&*way, start, self.split, draw, out);
        if out.len() == before || self.network.heads()[last as usize] != end {
            out.truncate(before);
            return Err(no_path());
        }
        Ok(())
    }

    fn virtual_channels(&self) -> u8 {
        self.hop_channels.unwrap_or_else(|| self.rule.virtual_channels())
    }

    fn is_deterministic(&self) -> bool {
        self.rule.is_deterministic()
    }

    fn is_ordered(&self) -> bool {
        // A packet's channel grows with every hop.
        self.hop_channels.is_some() || self.rule.is_ordered()
    }

    /// O(links · degree) per destination for rules of few places; channels by hops take a set of hop counts per place.
    fn dependencies(
        &self,
        sources: &[u32],
        destination: u32,
        visit: &mut dyn FnMut((u32, u8), (u32, u8)),
    ) -> Outcome<()> {
        let others = || sources.iter().copied().filter(|source| *source != self.switch_of(destination));
        let found = if self.rule.places_per_switch() > FEW {
            steps::dependencies(&*self.towards(destination), others(), visit)
        } else {
            let way = self.rule.way(&self.network, destination);
            let size = self.network.switches() as usize * self.rule.places_per_switch() as usize;
            flat::dependencies(&*way, size, others(), self.hop_channels.is_some(), visit)
        };
        found.map_err(|source| self.refuse(source, destination, Refusal::NoPath))
    }
}

/// Most places per switch for which an array over all places is worth its memory.
const FEW: u32 = 4;

/// The channel of a packet is the number of hops that it has made: a part of its place.
pub struct ByHops<'a>(pub Box<dyn Way + 'a>);

/// First bit of the hops in a place; there are at most 255.
const HOPS: u32 = 56;

impl ByHops<'_> {
    fn inner(place: u64) -> u64 {
        place & ((1 << HOPS) - 1)
    }
}

impl Way for ByHops<'_> {
    fn starts(&self, source: u32, out: &mut Vec<u64>) {
        self.0.starts(source, out);
    }
    fn steps(&self, place: u64, out: &mut Vec<Step>) {
        let (hops, before) = (place >> HOPS, out.len());
        self.0.steps(Self::inner(place), out);
        for step in &mut out[before..] {
            step.channel = hops as u8;
            step.place |= (hops + 1) << HOPS;
        }
    }
    fn remaining(&self, place: u64) -> u32 {
        self.0.remaining(Self::inner(place))
    }
    fn on_links(&self, place: u64) -> u64 {
        Self::inner(place)
    }
    fn weights(&self, place: u64, steps: &[Step], out: &mut Vec<u64>) -> bool {
        let inner: Vec<Step> = steps.iter().map(|s| Step { place: Self::inner(s.place), ..*s }).collect();
        self.0.weights(Self::inner(place), &inner, out)
    }
}

/// # Errors
/// `NL-R006`; `NL-N003` if it is out of service.
#[inline]
pub fn require_switch(network: &Network, label: &str, switch: u32) -> Outcome<()> {
    if switch < network.switches() && network.in_service(switch) {
        return Ok(());
    }
    Err(no_switch(network, label, switch))
}

#[cold]
fn no_switch(network: &Network, label: &str, switch: u32) -> netloom_model::Faults {
    let n = network.switches();
    if switch < n {
        let sentence = format!("switch {} is out of service", network.switch_name(switch));
        return Fault::say(&model::OUT_OF_SERVICE, format!("{label} on {}", network.label()), sentence).into();
    }
    Fault::new(&codes::NO_SWITCH, label, format!("a switch in 0..{n} (exclusive)"), switch).into()
}
