//! Dimension-ordered routing on meshes, tori, hypercubes and HyperX.

use std::cmp::Ordering;
use std::sync::Arc;

use netloom_model::fault::Fault;
use netloom_model::network::Grid;
use netloom_model::{Bound, Kind, Network, Outcome, Param, Routing, Split, Step, Way};

use super::codes;
use super::row::RoutingRow;
use super::rule::{Rule, Ruled, end_of};

pub const DIMENSION_ORDERED: RoutingRow = RoutingRow {
    name: "dimension-ordered",
    aliases: &["dor", "xy"],
    summary: "one dimension after the other, each by the shorter way",
    params: &[
        Param::optional(
            "order",
            Kind::Ints { min: 0, max: 64, least: 1, most: usize::MAX },
            "",
            "dimensions, first travelled first; default 0, 1, ...",
        ),
        Param::optional(
            "tie",
            Kind::Choice(&["plus", "split", "simgrid"]),
            "plus",
            "half-way round an even ring: upwards, half of the traffic each way, or as in SimGrid's torus clusters upwards \
             but from the middle to 0",
        ),
        Param::optional(
            "vc",
            Kind::Choice(&["dateline", "one"]),
            "dateline",
            "two channels where the last coordinate joins the first, which never deadlocks, or one",
        ),
        Param::optional(
            "by",
            Kind::Choice(&["endpoint", "switch"]),
            "endpoint",
            "which of parallel cables: the one of the destination endpoint, as forwarding tables have it, or one for all \
             endpoints of a switch",
        ),
    ],
    example: "dimension-ordered(tie=split)",
    restrictions: "networks with a grid: mesh, torus, hypercube, HyperX and what is built from them",
    source: "Dally and Seitz, IEEE Trans. Computers C-36 (1987); ties of SimGrid 3.32: measured",
    build,
};

/// Where a packet half-way round an even ring goes.
#[derive(Clone, Copy, PartialEq)]
enum HalfwayTie {
    Plus,
    Split,
    SimGrid,
}

struct DimensionOrdered {
    grid: Grid,
    strides: Vec<u32>,
    /// Of every switch, dimension by dimension.
    coordinates: Vec<u32>,
    order: Vec<usize>,
    tie: HalfwayTie,
    dateline: bool,
    /// There are parallel cables, and each endpoint has one of its own.
    by_endpoint: bool,
}

/// Are two switches joined by several cables?
fn has_parallel(network: &Network) -> bool {
    (0..network.switches()).any(|s| network.neighbours(s).windows(2).any(|pair| pair[0] == pair[1]))
}

/// Does dimension `d` have its own wrap link from one end to the other?
fn wraps(grid: &Grid, d: usize) -> bool {
    !grid.complete && grid.wrap[d] && grid.dims[d] > 2
}

impl Rule for DimensionOrdered {
    fn way<'a>(&'a self, network: &'a Network, destination: u32) -> Box<dyn Way + 'a> {
        let (switch, endpoint) = end_of(network, destination, self.by_endpoint);
        Box::new(GridWay { rule: self, network, destination: switch, number: endpoint.unwrap_or(switch) })
    }
    fn places_per_switch(&self) -> u32 {
        self.virtual_channels().into()
    }
    fn virtual_channels(&self) -> u8 {
        let any = (0..self.grid.dims.len()).any(|d| wraps(&self.grid, d));
        if any && self.dateline { 2 } else { 1 }
    }
    /// Dimensions are in order, and so are the channels of each.
    fn is_ordered(&self) -> bool {
        self.dateline || !(0..self.grid.dims.len()).any(|d| wraps(&self.grid, d))
    }
    /// Behind a seam the channel is another one, and the links are the same.
    fn is_by_switch(&self) -> bool {
        true
    }
    fn by_endpoint(&self) -> bool {
        self.by_endpoint
    }
    fn is_by_formula(&self) -> bool {
        true
    }
    /// Dimensions; the destination picks among parallel cables by all of them.
    fn stages(&self, network: &Network) -> Option<Vec<Vec<u32>>> {
        let dims = self.strides.len();
        let of = |d: &usize| self.coordinates.iter().skip(*d).step_by(dims).copied().collect();
        (!has_parallel(network)).then(|| self.order.iter().map(of).collect())
    }
    fn is_deterministic(&self) -> bool {
        self.tie != HalfwayTie::Split
            || !(0..self.grid.dims.len()).any(|d| wraps(&self.grid, d) && self.grid.dims[d].is_multiple_of(2))
    }
}

/// With `n` switches, place `n + s` is switch `s` after the seam of the ring that the packet is on, with more of it to go.
struct GridWay<'a> {
    rule: &'a DimensionOrdered,
    network: &'a Network,
    /// The switch, and what picks among parallel cables.
    destination: u32,
    number: u32,
}

impl GridWay<'_> {
    fn coordinates(&self, place: u32, d: usize) -> (u32, u32) {
        let of = |switch: u32| self.rule.coordinates[switch as usize * self.rule.strides.len() + d];
        (of(place), of(self.destination))
    }

    /// The switch of a place, and whether the packet has crossed the seam of its ring.
    fn split(&self, place: u64) -> (u32, bool) {
        let n = u64::from(self.network.switches());
        if place < n { (place as u32, false) } else { ((place - n) as u32, true) }
    }

    /// A link to the switch with coordinate `to` in dimension `d`; of parallel cables the one that the destination
    /// picks.
    fn step(&self, switch: u32, d: usize, from: u32, to: u32, channel: u8) -> Option<Step> {
        let stride = self.rule.strides[d];
        let next = switch - from * stride + to * stride;
        let neighbours = self.network.neighbours(switch);
        let start = neighbours.partition_point(|u| *u < next);
        let count = neighbours[start..].iter().take_while(|u| **u == next).count() as u32;
        let pick = self.number.checked_rem(count)?;
        Some(Step { link: self.network.out_links(switch).start + start as u32 + pick, channel, place: next.into() })
    }

    /// A step on a ring from coordinate `x` on the way to `t`. The packet keeps channel 1 all along a ring whose seam it crosses, and channel 0 on others: as
    /// shortest routes go at most half the way round, neither channel has a cycle (Dally and Seitz, with the classes of
    /// BookSim2).
    fn ring_step(&self, switch: u32, d: usize, x: u32, t: u32, up: bool, crossed: bool) -> Option<Step> {
        let last = self.rule.grid.dims[d] - 1;
        let (to, seam, ahead) = match up {
            true => (if x == last { 0 } else { x + 1 }, x == last, t < x),
            false => (if x == 0 { last } else { x - 1 }, x == 0, t > x),
        };
        let step = self.step(switch, d, x, to, u8::from(self.rule.dateline && (crossed || ahead)))?;
        let keeps = self.rule.dateline && (crossed || seam) && to != t;
        Some(Step { place: step.place + if keeps { u64::from(self.network.switches()) } else { 0 }, ..step })
    }
}

impl Way for GridWay<'_> {
    fn starts(&self, source: u32, out: &mut Vec<u64>) {
        out.push(source.into());
    }

    fn steps(&self, place: u64, out: &mut Vec<Step>) {
        let (place, crossed) = self.split(place);
        let rule = self.rule;
        let Some((d, x, t)) = rule.order.iter().find_map(|&d| {
            let (x, t) = self.coordinates(place, d);
            (x != t).then_some((d, x, t))
        }) else {
            return;
        };
        if rule.grid.complete {
            out.extend(self.step(place, d, x, t, 0));
            return;
        }
        if !wraps(&rule.grid, d) {
            let to = if t > x { x + 1 } else { x - 1 };
            out.extend(self.step(place, d, x, to, 0));
            return;
        }
        let extent = rule.grid.dims[d];
        let up = (t + extent - x) % extent;
        let (upwards, downwards) = match up.cmp(&(extent - up)) {
            Ordering::Less => (true, false),
            Ordering::Greater => (false, true),
            Ordering::Equal => match rule.tie {
                HalfwayTie::Plus => (true, false),
                HalfwayTie::Split => (true, true),
                HalfwayTie::SimGrid => (t != 0, t == 0),
            },
        };
        if upwards {
            out.extend(self.ring_step(place, d, x, t, true, crossed));
        }
        if downwards {
            out.extend(self.ring_step(place, d, x, t, false, crossed));
        }
    }

    fn remaining(&self, place: u64) -> u32 {
        let (place, _) = self.split(place);
        (0..self.rule.strides.len())
            .map(|d| {
                let ((x, t), extent) = (self.coordinates(place, d), self.rule.grid.dims[d]);
                match x.abs_diff(t) {
                    apart if self.rule.grid.complete => apart.min(1),
                    apart if wraps(&self.rule.grid, d) => apart.min(extent - apart),
                    apart => apart,
                }
            })
            .sum()
    }
}

fn build(network: &Arc<Network>, bound: &Bound, label: &str) -> Outcome<Box<dyn Routing>> {
    let place = format!("{} on {}", bound.owner, network.label());
    let Some(grid) = network.structure().grid.clone() else {
        let sentence = "needs a grid of switches, and this network has no coordinates";
        return Err(Fault::say(&codes::NO_GRID, place, sentence).hint("use `minimal` or `up-down`").into());
    };
    let dims = grid.dims.len();
    let size: u64 = grid.dims.iter().fold(1, |size, d| size.saturating_mul(u64::from(*d)));
    if size != u64::from(network.switches()) || grid.wrap.len() != dims {
        let sentence = format!("the grid {:?} does not hold the network's {} switches", grid.dims, network.switches());
        return Err(Fault::say(&codes::NO_GRID, place, sentence).hint("correct what made the network").into());
    }
    let order: Vec<usize> = match bound.ints("order") {
        given if given.is_empty() => (0..dims).collect(),
        given => given.iter().map(|d| *d as usize).collect(),
    };
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if !sorted.iter().copied().eq(0..dims) {
        let expected = format!("a permutation of 0 to {}", dims as i64 - 1);
        return Err(Fault::new(&codes::ORDER, format!("{}.order", bound.owner), expected, format!("{order:?}")).into());
    }
    let mut strides = vec![1; dims];
    for d in (0..dims.saturating_sub(1)).rev() {
        strides[d] = strides[d + 1] * grid.dims[d + 1];
    }
    network.require_joined()?;
    let of_switch = |s: u32| (0..dims).map(move |d| (s, d)).map(|(s, d)| s / strides[d] % grid.dims[d]);
    let coordinates = (0..network.switches()).flat_map(of_switch).collect();
    let tie = match bound.text("tie") {
        "split" => HalfwayTie::Split,
        "simgrid" => HalfwayTie::SimGrid,
        _ => HalfwayTie::Plus,
    };
    let dateline = bound.text("vc") == "dateline";
    let by_endpoint = bound.text("by") == "endpoint" && has_parallel(network);
    Ok(Box::new(Ruled {
        network: network.clone(),
        label: label.into(),
        rule: Box::new(DimensionOrdered { grid, strides, coordinates, order, tie, dateline, by_endpoint }),
        hop_channels: None,
        split: Split::Hops,
        // Two directions in each tied dimension.
        limit: 1 << dims.min(30),
    }))
}
