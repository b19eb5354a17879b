//! Valiant's routing: by shortest paths to a random switch, then to the destination.

use std::sync::Arc;

use netloom_model::{Bound, Kind, Network, Outcome, Param, Path, Routing, Stream};

use super::deadlock::ends;
use super::distances::Distances;
use super::draw::choose;
use super::minimal::{Chooser, Minimal, hop_channels, tie};
use super::registry::RoutingRow;
use super::rule::{Rule, Step, Way, require_switch};

pub const VALIANT: RoutingRow = RoutingRow {
    name: "valiant",
    aliases: &["val"],
    summary: "one shortest path to an intermediate switch, another from there: random detours that even out any traffic",
    params: &[
        Param::optional(
            "samples",
            Kind::Int { min: 1, max: 1 << 16 },
            "16",
            "intermediate switches drawn for each pair among those with endpoints, in equal shares",
        ),
        Param::optional(
            "mixture",
            Kind::Choice(&["sampled", "uniform"]),
            "sampled",
            "`samples` drawn switches, or each once: the exact expectation, at one path per switch",
        ),
        Param::optional("seed", Kind::Int { min: 0, max: i64::MAX }, "1", "of the draws and of tie=\"seeded\""),
        Param::optional("tie", Kind::Choice(&["lowest", "seeded"]), "seeded", "as of `single-minimal`"),
        Param::optional(
            "vc",
            Kind::Choice(&["hops", "phases"]),
            "hops",
            "channel: hops made so far, which never deadlocks, or 0 before and 1 after the intermediate switch",
        ),
    ],
    example: "valiant(samples=4)",
    restrictions: "any connected network",
    source: "Valiant and Brebner, STOC 1981",
    build,
};

struct Valiant {
    network: Arc<Network>,
    label: String,
    shortest: Minimal,
    hop_channels: Option<u8>,
    seed: u64,
    /// `None` for every intermediate switch.
    samples: Option<u32>,
    /// Switches with endpoints; all if there are no endpoints. In a tree these are the leaves.
    middles: Vec<u32>,
}

impl Valiant {
    fn intermediates(&self, source: u32, destination: u32) -> Vec<u32> {
        let Some(samples) = self.samples else { return self.middles.clone() };
        let mut stream = self.stream(source, destination);
        (0..samples).map(|_| self.middles[stream.below(self.middles.len() as u32) as usize]).collect()
    }

    /// A stream of its own for every pair: the draws do not depend on who asked before.
    fn stream(&self, source: u32, destination: u32) -> Stream {
        let pair = u64::from(source) * u64::from(self.network.switches()) + u64::from(destination);
        Stream::new(self.seed ^ pair.wrapping_mul(0x9e37_79b9_7f4a_7c15), "valiant")
    }

    /// Appends the links of the shortest path towards the way's destination.
    fn append(way: &dyn Way, mut at: u32, links: &mut Vec<u32>) {
        let mut steps: Vec<Step> = Vec::with_capacity(1);
        loop {
            steps.clear();
            way.steps(at, &mut steps);
            let Some(step) = steps.first() else { return };
            links.push(step.link);
            at = step.place;
        }
    }

    fn channel(&self, hop: usize, first_phase: usize) -> u8 {
        match self.hop_channels {
            Some(_) => hop as u8,
            None => u8::from(hop >= first_phase),
        }
    }
}

impl Routing for Valiant {
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
        let middles = self.intermediates(source, destination);
        let fraction = 1.0 / middles.len() as f64;
        let second = self.shortest.way(&self.network, destination);
        for middle in middles {
            let mut links = Vec::new();
            Self::append(&*self.shortest.way(&self.network, middle), source, &mut links);
            let first_phase = links.len();
            Self::append(&*second, middle, &mut links);
            let channels = (0..links.len()).map(|hop| self.channel(hop, first_phase)).collect();
            out.push(Path { links, channels, fraction });
        }
        Ok(())
    }

    /// O(samples + hops · degree): the other intermediate switches are not visited.
    fn draw(&self, source: u32, destination: u32, draw: u64, out: &mut Vec<u32>) -> Outcome<()> {
        require_switch(&self.network, &self.label, source)?;
        require_switch(&self.network, &self.label, destination)?;
        if source == destination {
            return Ok(());
        }
        let mut draw = draw;
        let middle = match self.samples {
            None => self.middles[choose(&mut draw, &[self.middles.len() as u64]).1 as usize],
            Some(samples) => {
                let (mut stream, count) = (self.stream(source, destination), self.middles.len() as u32);
                let (_, sample) = choose(&mut draw, &[u64::from(samples)]);
                (0..sample).for_each(|_| _ = stream.below(count));
                self.middles[stream.below(count) as usize]
            }
        };
        Self::append(&*self.shortest.way(&self.network, middle), source, out);
        Self::append(&*self.shortest.way(&self.network, destination), middle, out);
        Ok(())
    }

    fn virtual_channels(&self) -> u8 {
        self.hop_channels.unwrap_or(2)
    }

    fn is_deterministic(&self) -> bool {
        self.samples == Some(1)
    }

    /// Of every intermediate switch, drawn or not: the graph of the routing that the draws stand for. O(links) and
    /// the in-links of `destination` times the switches.
    fn dependencies(
        &self,
        sources: &[u32],
        destination: u32,
        visit: &mut dyn FnMut((u32, u8), (u32, u8)),
    ) -> Outcome<()> {
        let way = self.shortest.way(&self.network, destination);
        let passed = self.passed(&*way, sources);
        let longest = passed.iter().map(|s| way.remaining(*s)).max().unwrap_or(0) as usize;
        let (mut steps, mut then) = (Vec::new(), Vec::new());
        // Either phase towards this switch, seen as intermediate and as destination.
        for &at in &passed {
            steps.clear();
            way.steps(at, &mut steps);
            let Some(&step) = steps.first() else { continue };
            then.clear();
            way.steps(step.place, &mut then);
            if let Some(&next) = then.first() {
                self.emit(step.link, next.link, longest, visit);
                continue;
            }
            // Here the first phase ends: from this link to the first of any second phase.
            for &onward in &self.middles {
                let mut first = Vec::with_capacity(1);
                self.shortest.way(&self.network, onward).steps(destination, &mut first);
                for next in first {
                    match self.hop_channels {
                        Some(_) => (0..longest).for_each(|h| visit((step.link, h as u8), (next.link, h as u8 + 1))),
                        None => visit((step.link, 0), (next.link, 1)),
                    }
                }
            }
        }
        Ok(())
    }
}

impl Valiant {
    /// Switches that some packet of either phase passes on its way.
    fn passed(&self, way: &dyn Way, sources: &[u32]) -> Vec<u32> {
        let mut seen = vec![false; self.network.switches() as usize];
        let mut passed = Vec::new();
        let mut steps: Vec<Step> = Vec::with_capacity(1);
        for &start in sources.iter().chain(&self.middles) {
            let mut at = start;
            while !std::mem::replace(&mut seen[at as usize], true) {
                passed.push(at);
                steps.clear();
                way.steps(at, &mut steps);
                at = steps.first().map_or(at, |s| s.place);
            }
        }
        passed
    }

    /// Two links in one phase, on every channel that they can have.
    fn emit(&self, link: u32, next: u32, longest: usize, visit: &mut dyn FnMut((u32, u8), (u32, u8))) {
        match self.hop_channels {
            Some(channels) => {
                // A packet here has made at most a first phase and less than this one's longest path.
                let most = (usize::from(channels) / 2 + longest).min(usize::from(channels)) as u8;
                (1..most).for_each(|c| visit((link, c - 1), (next, c)));
            }
            None => (0..2).for_each(|phase| visit((link, phase), (next, phase))),
        }
    }
}

fn build(network: &Arc<Network>, bound: &Bound, label: &str) -> Outcome<Box<dyn Routing>> {
    let distances = Distances::of(network)?;
    let middles = ends(network);
    Ok(Box::new(Valiant {
        middles,
        network: network.clone(),
        label: label.into(),
        hop_channels: hop_channels(bound, network, &distances, 2)?,
        shortest: Minimal::new(network, distances, Some(Chooser::new(tie(bound)))),
        seed: bound.int("seed") as u64,
        samples: (bound.text("mixture") == "sampled").then(|| bound.size("samples")),
    }))
}
