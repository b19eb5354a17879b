//! From a rule, "at this place on the way, these links may come next", to paths and channel dependencies.

use std::sync::Arc;

use netloom_model::fault::{Fault, codes as model};
use netloom_model::{Network, Outcome, Path, Routing};

use super::{codes, draw};

/// One possible next hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub link: u32,
    pub channel: u8,
    /// Where it leads.
    pub place: u32,
}

/// A rule bound to a destination. A *place* is a switch and whatever the rule must remember; places never repeat on
/// the way.
pub trait Way {
    /// The place where a packet starts; `None` if the rule knows no path from there.
    fn start(&self, source: u32) -> Option<u32>;
    /// Appends the next hops; none at the destination.
    fn steps(&self, place: u32, out: &mut Vec<Step>);
    /// Hops still to go from `place`.
    fn remaining(&self, place: u32) -> u32;
    /// Appends, per step from `place`, a number in proportion to the paths that begin with it, and says so; the default
    /// has no formula.
    fn weights(&self, _place: u32, _steps: &[Step], _out: &mut Vec<u64>) -> bool {
        false
    }
}

/// What a routing is made of.
pub trait Rule: Send + Sync {
    fn way<'a>(&'a self, network: &'a Network, destination: u32) -> Box<dyn Way + 'a>;
    /// Places are below this times the number of switches.
    fn places_per_switch(&self) -> u32;
    fn virtual_channels(&self) -> u8;
    fn is_deterministic(&self) -> bool;
}

/// How candidate paths share the traffic of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Every path the same.
    Paths,
    /// At every switch, every next hop the same.
    Hops,
}

/// A routing made of a rule.
pub struct Ruled {
    pub network: Arc<Network>,
    pub label: String,
    pub rule: Box<dyn Rule>,
    /// Number of channels if a packet's channel is the number of hops that it has made, whatever the rule says.
    pub hop_channels: Option<u8>,
    pub split: Split,
    /// Most paths per pair.
    pub limit: usize,
}

impl Routing for Ruled {
    fn label(&self) -> &str {
        &self.label
    }

    fn paths(&self, source: u32, destination: u32, out: &mut Vec<Path>) -> Outcome<()> {
        out.clear();
        require_switch(&self.network, &self.label, source)?;
        require_switch(&self.network, &self.label, destination)?;
        if source == destination {
            out.push(Path { links: Vec::new(), channels: Vec::new(), fraction: 1.0 });
            return Ok(());
        }
        let way = self.rule.way(&self.network, destination);
        let start = way.start(source).ok_or_else(|| self.no_path(source, destination))?;
        self.walk(&*way, start, (source, destination), out)?;
        if self.split == Split::Paths {
            let share = 1.0 / out.len() as f64;
            out.iter_mut().for_each(|p| p.fraction = share);
        }
        Ok(())
    }

    /// O(hops · degree) where one step's share is known: one path, equal shares by hop, or numbers of paths by formula.
    /// Else the paths are counted first, O(switches on them · degree). A pair with more than `limit` paths has draws.
    fn draw(&self, source: u32, destination: u32, draw: u64, out: &mut Vec<u32>) -> Outcome<()> {
        require_switch(&self.network, &self.label, source)?;
        require_switch(&self.network, &self.label, destination)?;
        if source == destination {
            return Ok(());
        }
        let way = self.rule.way(&self.network, destination);
        let start = way.start(source).ok_or_else(|| self.no_path(source, destination))?;
        let before = out.len();
        let last = draw::one(&*way, start, self.split, draw, out);
        if out.len() == before || self.network.heads()[last as usize] != destination {
            out.truncate(before);
            return Err(self.no_path(source, destination).into());
        }
        Ok(())
    }

    fn virtual_channels(&self) -> u8 {
        self.hop_channels.unwrap_or_else(|| self.rule.virtual_channels())
    }

    fn is_deterministic(&self) -> bool {
        self.rule.is_deterministic()
    }

    /// O(links · degree) per destination.
    fn dependencies(
        &self,
        sources: &[u32],
        destination: u32,
        visit: &mut dyn FnMut((u32, u8), (u32, u8)),
    ) -> Outcome<()> {
        let way = self.rule.way(&self.network, destination);
        let size = self.network.switches() as usize * self.rule.places_per_switch() as usize;
        let mut seen = vec![false; size];
        let mut places = Vec::new();
        for &source in sources.iter().filter(|s| **s != destination) {
            let start = way.start(source).ok_or_else(|| self.no_path(source, destination))?;
            if !std::mem::replace(&mut seen[start as usize], true) {
                places.push(start);
            }
        }
        let (mut steps, mut then, mut next) = (Vec::new(), Vec::new(), 0);
        while let Some(&place) = places.get(next) {
            next += 1;
            steps.clear();
            way.steps(place, &mut steps);
            for step in &steps {
                if !std::mem::replace(&mut seen[step.place as usize], true) {
                    places.push(step.place);
                }
            }
        }
        // Far places first: by then the most hops that a packet has made there is known.
        places.sort_by_key(|p| std::cmp::Reverse(way.remaining(*p)));
        let mut made = if self.hop_channels.is_some() { vec![0u8; size] } else { Vec::new() };
        for place in places {
            steps.clear();
            way.steps(place, &mut steps);
            for &step in &steps {
                then.clear();
                way.steps(step.place, &mut then);
                if self.hop_channels.is_none() {
                    then.iter().for_each(|t| visit((step.link, step.channel), (t.link, t.channel)));
                    continue;
                }
                let hops = made[place as usize];
                made[step.place as usize] = made[step.place as usize].max(hops + 1);
                for t in &then {
                    (0..=hops).for_each(|h| visit((step.link, h), (t.link, h + 1)));
                }
            }
        }
        Ok(())
    }
}

impl Ruled {
    fn no_path(&self, source: u32, destination: u32) -> Fault {
        let sentence = format!("no legal path from switch {source} to switch {destination}");
        let hint = match self.network.failed() {
            Some(_) => "its rule does not lead round what is out of service; `minimal` does",
            None => "pairs of switches with endpoints have one; else use `minimal`",
        };
        Fault::say(&codes::NO_PATH, format!("{} on {}", self.label, self.network.label()), sentence).hint(hint)
    }

    /// Depth-first, in the order of the steps; fractions as of [`Split::Hops`].
    fn walk(&self, way: &dyn Way, start: u32, pair: (u32, u32), out: &mut Vec<Path>) -> Outcome<()> {
        let mut trail: Vec<Step> = Vec::new();
        // Per depth: the steps, how many were taken, the share that arrives there.
        let mut levels: Vec<(Vec<Step>, usize, f64)> = Vec::new();
        let mut first = Vec::new();
        way.steps(start, &mut first);
        levels.push((first, 0, 1.0));
        while let Some((steps, taken, share)) = levels.last_mut() {
            let Some(&step) = steps.get(*taken) else {
                levels.pop();
                trail.pop();
                continue;
            };
            *taken += 1;
            let share = *share / steps.len() as f64;
            trail.push(step);
            let mut next = Vec::new();
            way.steps(step.place, &mut next);
            if !next.is_empty() {
                levels.push((next, 0, share));
                continue;
            }
            if self.network.heads()[step.link as usize] != pair.1 {
                return Err(self.no_path(pair.0, pair.1).into());
            }
            if out.len() == self.limit {
                return Err(self.too_many(pair));
            }
            out.push(self.path(&trail, share));
            trail.pop();
        }
        if out.is_empty() { Err(self.no_path(pair.0, pair.1).into()) } else { Ok(()) }
    }

    fn path(&self, trail: &[Step], fraction: f64) -> Path {
        let links = trail.iter().map(|s| s.link).collect();
        let channels = match self.hop_channels {
            // The constructor has checked that hops fit.
            Some(_) => (0..trail.len()).map(|hop| hop as u8).collect(),
            None => trail.iter().map(|s| s.channel).collect(),
        };
        Path { links, channels, fraction }
    }

    fn too_many(&self, pair: (u32, u32)) -> netloom_model::Faults {
        let sentence = format!("switches {} and {} are joined by more than {} paths", pair.0, pair.1, self.limit);
        Fault::say(&codes::TOO_MANY_PATHS, format!("{} on {}", self.label, self.network.label()), sentence)
            .hint("raise `limit`, or use `single-minimal` or `dimension-ordered`, which have one path per pair")
            .into()
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
