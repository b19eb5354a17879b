//! Valiant's routing: by shortest paths to a random switch, then to the destination.

use std::cell::RefCell;
use std::sync::Arc;

use netloom_model::steps::choose;
use netloom_model::{Bound, Kind, Network, Outcome, Param, Routing, Split, Step, Stream, Way};

use super::distances::Distances;
use super::minimal::{Chooser, Minimal, hop_channels, tie};
use super::row::RoutingRow;
use super::rule::{Rule, Ruled};
use netloom_model::deadlock::ends;

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
    shortest: Minimal,
    seed: u64,
    /// `None` for every intermediate switch.
    samples: Option<u32>,
    /// Switches with endpoints; all if there are no endpoints. In a tree these are the leaves.
    middles: Vec<u32>,
}

impl Rule for Valiant {
    fn way<'a>(&'a self, network: &'a Network, destination: u32) -> Box<dyn Way + 'a> {
        let second = self.shortest.way(network, destination);
        Box::new(ValiantWay { rule: self, network, destination, first: RefCell::new(None), second })
    }
    fn places_per_switch(&self) -> u32 {
        self.middles.iter().max().map_or(1, |m| m.saturating_add(2))
    }
    fn virtual_channels(&self) -> u8 {
        2
    }
    fn is_deterministic(&self) -> bool {
        self.samples == Some(1)
    }
}

/// With `n` switches, place `s` is switch `s` in the second phase, `(m + 1) n + s` in the first, on the way to `m`.
struct ValiantWay<'a> {
    rule: &'a Valiant,
    network: &'a Network,
    destination: u32,
    /// The route to the intermediate switch of the last call: the steps of one packet come in sequence.
    first: RefCell<Option<(u32, Box<dyn Way + 'a>)>>,
    second: Box<dyn Way + 'a>,
}

impl ValiantWay<'_> {
    fn place(&self, source: u32, middle: u32) -> u64 {
        match source == middle {
            true => source.into(),
            false => (u64::from(middle) + 1) * u64::from(self.network.switches()) + u64::from(source),
        }
    }

    /// The intermediate switch ahead, and the switch here.
    fn split(&self, place: u64) -> (Option<u32>, u32) {
        let n = u64::from(self.network.switches());
        (((place / n) as u32).checked_sub(1), (place % n) as u32)
    }

    /// A separate stream for every pair: the draws do not depend on earlier calls.
    fn stream(&self, source: u32) -> Stream {
        let pair = u64::from(source) * u64::from(self.network.switches()) + u64::from(self.destination);
        Stream::new(self.rule.seed ^ pair.wrapping_mul(0x9e37_79b9_7f4a_7c15), "valiant")
    }

    fn to_middle<T>(&self, middle: u32, ask: impl FnOnce(&dyn Way) -> T) -> T {
        let mut kept = self.first.borrow_mut();
        if kept.as_ref().is_none_or(|(m, _)| *m != middle) {
            *kept = None;
        }
        let (_, way) = kept.get_or_insert_with(|| (middle, self.rule.shortest.way(self.network, middle)));
        ask(&**way)
    }
}

impl Way for ValiantWay<'_> {
    fn starts(&self, source: u32, out: &mut Vec<u64>) {
        let middles = &self.rule.middles;
        match self.rule.samples {
            None => out.extend(middles.iter().map(|m| self.place(source, *m))),
            Some(samples) => {
                let mut stream = self.stream(source);
                let mut drawn = || middles[stream.below(middles.len() as u32) as usize];
                out.extend((0..samples).map(|_| self.place(source, drawn())));
            }
        }
    }

    /// O(samples): the other intermediate switches are not listed.
    fn start(&self, source: u32, draw: &mut u64) -> Option<u64> {
        let (middles, count) = (&self.rule.middles, self.rule.middles.len() as u32);
        let chosen = choose(draw, &[self.rule.samples.unwrap_or(count).into()]).1;
        let middle = match self.rule.samples {
            None => chosen as usize,
            Some(_) => {
                let mut stream = self.stream(source);
                (0..chosen).for_each(|_| _ = stream.below(count));
                stream.below(count) as usize
            }
        };
        middles.get(middle).map(|middle| self.place(source, *middle))
    }

    fn steps(&self, place: u64, out: &mut Vec<Step>) {
        let before = out.len();
        let (middle, at) = self.split(place);
        match middle {
            Some(middle) => self.to_middle(middle, |way| way.steps(at.into(), out)),
            None => self.second.steps(at.into(), out),
        }
        for step in &mut out[before..] {
            step.channel = u8::from(middle.is_none());
            step.place = middle.map_or(step.place, |middle| self.place(step.place as u32, middle));
        }
    }

    fn remaining(&self, place: u64) -> u32 {
        match self.split(place) {
            (None, at) => self.second.remaining(at.into()),
            (Some(middle), at) => {
                let first = self.to_middle(middle, |way| way.remaining(at.into()));
                first.saturating_add(self.second.remaining(middle.into()))
            }
        }
    }
}

fn build(network: &Arc<Network>, bound: &Bound, label: &str) -> Outcome<Box<dyn Routing>> {
    let distances = Distances::of(network)?;
    Ok(Box::new(Ruled {
        network: network.clone(),
        label: label.into(),
        hop_channels: hop_channels(bound, network, &distances, 2)?,
        rule: Box::new(Valiant {
            middles: ends(network),
            shortest: Minimal::new(network, distances, Some(Chooser::new(tie(bound)))),
            seed: bound.int("seed") as u64,
            samples: (bound.text("mixture") == "sampled").then(|| bound.size("samples")),
        }),
        split: Split::Paths,
        limit: usize::MAX,
    }))
}
