//! Shortest paths: all of them, or one per pair.

use std::sync::Arc;

use netloom_model::fault::Fault;
use netloom_model::stream::mix;
use netloom_model::{Bound, Kind, Network, Outcome, Param, Routing, Split, Step, Stream, Way};

use super::balanced::Balanced;
use super::closed::{GridForm, TreeForm};
use super::codes;
use super::distances::{DistanceRow, Distances, FAR};
use super::floyd::Floyd;
use super::row::RoutingRow;
use super::rule::{Rule, Ruled};
use super::spread::Spread;

/// Which virtual channel shortest paths use.
pub const VC: Param = Param::optional(
    "vc",
    Kind::Choice(&["hops", "one"]),
    "hops",
    "virtual channel of a packet: the hops that it has made, which never deadlocks, or always the same one",
);

const SEED: Kind = Kind::Int { min: 0, max: i64::MAX };

/// Paths per pair unless raised.
pub const LIMIT: Param = Param::optional("limit", Kind::Int { min: 1, max: 1 << 20 }, "4096", "most paths per pair");

pub const MINIMAL: RoutingRow = RoutingRow {
    name: "minimal",
    aliases: &["shortest", "all-minimal"],
    summary: "all shortest paths, in equal shares",
    params: &[
        Param::optional(
            "split",
            Kind::Choice(&["paths", "hops"]),
            "paths",
            "equal shares per path, or per next hop at every switch",
        ),
        LIMIT,
        VC,
    ],
    example: "minimal",
    restrictions: "any connected network; pairs with more paths than `limit` are refused",
    source: "Dally and Towles, Principles and Practices of Interconnection Networks (2004), ch. 9; channels by hops: \
             Günther, IEEE Trans. Communications 29 (1981)",
    build: build_minimal,
};

pub const SINGLE_MINIMAL: RoutingRow = RoutingRow {
    name: "single-minimal",
    aliases: &["deterministic"],
    summary: "one shortest path per pair, the same for all packets",
    params: &[
        Param::optional(
            "tie",
            Kind::Choice(&["lowest", "seeded", "floyd", "balanced", "destination"]),
            "lowest",
            "next link of several: the lowest, drawn, as SimGrid's, the one that the fewest destinations have, or by the \
             number of the destination endpoint among those of the first class",
        ),
        Param::optional("seed", SEED, "1", "for tie=\"seeded\""),
        VC,
    ],
    example: "single-minimal(tie=seeded,seed=3)",
    restrictions: "any connected network",
    source: "destination-based forwarding tables, as of InfiniBand subnets",
    build: build_single,
};

/// Which of several shortest next hops a deterministic routing takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// The link of lowest number: to the lowest switch.
    Lowest,
    /// One drawn for each (switch, destination), the same for all packets.
    Seeded(u64),
}

/// A [`Tie`] ready for use.
#[derive(Clone, Copy, Debug)]
pub enum Chooser {
    First,
    Salted(u64),
}

impl Chooser {
    pub fn new(tie: Tie) -> Chooser {
        match tie {
            Tie::Lowest => Chooser::First,
            Tie::Seeded(seed) => Chooser::Salted(Stream::new(seed, "single-minimal").next_u64()),
        }
    }

    /// The next link from `at` to `destination`, `None` at the destination. O(degree).
    #[inline]
    pub fn next(self, network: &Network, row: &DistanceRow<'_>, at: u32, destination: u32) -> Option<u32> {
        let distance = row.get(at);
        if distance == FAR {
            return None;
        }
        let mut nearer = network.out_links(at).filter(|l| row.get(network.heads()[*l as usize]) + 1 == distance);
        let Chooser::Salted(salt) = self else { return nearer.next() };
        let count = nearer.clone().count() as u64;
        if count < 2 {
            return nearer.next();
        }
        let draw = mix(salt ^ u64::from(at) << 32 ^ u64::from(destination));
        nearer.nth(((u128::from(draw) * u128::from(count)) >> 64) as usize)
    }
}

/// Shortest paths over distances; all next hops, or the chooser's.
pub struct Minimal {
    pub distances: Distances,
    pub chooser: Option<Chooser>,
    /// Numbers of paths by formula, for draws.
    pub grid: Option<GridForm>,
}

impl Minimal {
    pub fn new(network: &Network, distances: Distances, chooser: Option<Chooser>) -> Minimal {
        // One next hop needs no numbers.
        let grid = if chooser.is_none() { GridForm::of(network) } else { None };
        Minimal { distances, chooser, grid }
    }
}

impl Rule for Minimal {
    fn way<'a>(&'a self, network: &'a Network, destination: u32) -> Box<dyn Way + 'a> {
        let row = self.distances.to(destination);
        Box::new(MinimalWay { network, row, destination, chooser: self.chooser, grid: self.grid.as_ref() })
    }
    fn places_per_switch(&self) -> u32 {
        1
    }
    fn virtual_channels(&self) -> u8 {
        1
    }
    fn is_deterministic(&self) -> bool {
        self.chooser.is_some()
    }
    fn is_by_formula(&self) -> bool {
        self.grid.is_some()
    }
    fn is_searched(&self) -> bool {
        self.distances.is_searched()
    }
}

struct MinimalWay<'a> {
    network: &'a Network,
    row: DistanceRow<'a>,
    destination: u32,
    chooser: Option<Chooser>,
    grid: Option<&'a GridForm>,
}

impl Way for MinimalWay<'_> {
    fn starts(&self, source: u32, out: &mut Vec<u64>) {
        out.extend((self.row.get(source) != FAR).then_some(u64::from(source)));
    }
    fn steps(&self, place: u64, out: &mut Vec<Step>) {
        let place = place as u32;
        let heads = self.network.heads();
        let step = |link: u32| Step { link, channel: 0, place: heads[link as usize].into() };
        match self.chooser {
            Some(chooser) => out.extend(chooser.next(self.network, &self.row, place, self.destination).map(step)),
            None => {
                if let Some(grid) = self.grid {
                    grid.nearer(self.network.out_links(place), (place, self.destination), |link| out.push(step(link)));
                    return;
                }
                // From here on every switch on the route has a distance.
                let distance = self.row.get(place);
                if distance == FAR {
                    return;
                }
                let nearer = |l: &u32| self.row.get(heads[*l as usize]) + 1 == distance;
                out.extend(self.network.out_links(place).filter(nearer).map(step));
            }
        }
    }
    fn remaining(&self, place: u64) -> u32 {
        self.grid.map_or_else(|| self.row.get(place as u32), |grid| grid.distance(place as u32, self.destination))
    }
    fn weights(&self, place: u64, steps: &[Step], out: &mut Vec<u64>) -> bool {
        let place = place as u32;
        let Some(grid) = self.grid else {
            out.resize(steps.len(), 1);
            return TreeForm::alike(self.network, place, steps.iter().map(|s| s.place as u32)).is_some();
        };
        out.extend(steps.iter().map(|step| grid.weight(place, step.place as u32, self.destination)));
        true
    }
}

/// Channels for `vc=hops` over `phases` shortest paths in a row, `None` for `vc=one`.
///
/// # Errors
/// `NL-R005`.
pub fn hop_channels(bound: &Bound, network: &Network, distances: &Distances, phases: u32) -> Outcome<Option<u8>> {
    if bound.text("vc") != "hops" {
        return Ok(None);
    }
    let needed = phases * distances.diameter_bound(network).max(1);
    match u8::try_from(needed) {
        Ok(channels) => Ok(Some(channels)),
        Err(_) => {
            let sentence = format!("one channel per hop needs up to {needed} virtual channels, 255 is the most");
            let place = format!("{}.vc on {}", bound.owner, network.label());
            Err(Fault::say(&codes::TOO_MANY_CHANNELS, place, sentence).hint("give another vc").into())
        }
    }
}

pub fn tie(bound: &Bound) -> Tie {
    match bound.text("tie") {
        "seeded" => Tie::Seeded(bound.int("seed") as u64),
        _ => Tie::Lowest,
    }
}

fn build_minimal(network: &Arc<Network>, bound: &Bound, label: &str) -> Outcome<Box<dyn Routing>> {
    let distances = Distances::of(network)?;
    let split = if bound.text("split") == "hops" { Split::Hops } else { Split::Paths };
    Ok(Box::new(Ruled {
        network: network.clone(),
        label: label.into(),
        hop_channels: hop_channels(bound, network, &distances, 1)?,
        rule: Box::new(Minimal::new(network, distances, None)),
        split,
        limit: bound.size("limit") as usize,
    }))
}

fn build_single(network: &Arc<Network>, bound: &Bound, label: &str) -> Outcome<Box<dyn Routing>> {
    let distances = Distances::of(network)?;
    let hop_channels = hop_channels(bound, network, &distances, 1)?;
    let rule: Box<dyn Rule> = match bound.text("tie") {
        "floyd" => Box::new(Floyd::new(network)?),
        "balanced" => Box::new(Balanced::new(network, distances)?),
        "destination" => Box::new(Spread::new(network, distances)),
        _ => Box::new(Minimal::new(network, distances, Some(Chooser::new(tie(bound))))),
    };
    Ok(Box::new(Ruled {
        network: network.clone(),
        label: label.into(),
        hop_channels,
        rule,
        split: Split::Paths,
        limit: 1,
    }))
}
