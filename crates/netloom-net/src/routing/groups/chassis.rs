//! Group-minimal routing with one order inside a group: within the chassis first, then from chassis to chassis.

use netloom_model::{Network, Routing, Step, Way};

use super::channels::Channels;
use super::group_minimal::GroupMinimal;
use crate::routing::rule::Rule;

/// The next hops that group-minimal routing allows and that stay in the chassis; all of them if none stays.
pub struct ChassisFirst {
    inner: GroupMinimal,
    chassis: Vec<u32>,
    deterministic: bool,
}

impl ChassisFirst {
    /// O(pairs of switches of a group · degree).
    pub fn new(inner: GroupMinimal, chassis: &[u32], one_cable: bool) -> ChassisFirst {
        let mut rule = ChassisFirst { inner, chassis: chassis.to_vec(), deterministic: false };
        rule.deterministic = one_cable && rule.one_way_inside();
        rule
    }

    fn towards(&self, destination: u32) -> ChassisWay<'_> {
        ChassisWay { rule: self, way: self.inner.towards(destination) }
    }

    /// True if there is one way between any two switches of a group.
    fn one_way_inside(&self) -> bool {
        let network = &self.inner.network;
        let group = |switch: u32| self.inner.tables.member(switch).group;
        let mut steps = Vec::new();
        (0..network.switches()).all(|to| {
            let way = self.towards(to);
            (0..network.switches()).filter(|from| *from != to && group(*from) == group(to)).all(|from| {
                steps.clear();
                way.steps(from.into(), &mut steps);
                steps.len() <= 1
            })
        })
    }
}

impl Rule for ChassisFirst {
    fn way<'a>(&'a self, _: &'a Network, destination: u32) -> Box<dyn Way + 'a> {
        Box::new(self.towards(destination))
    }
    fn places_per_switch(&self) -> u32 {
        match self.inner.channels {
            // As group-minimal: round failures and anywhere as well.
            Channels::One | Channels::Globals => 3,
            Channels::Hops(_) => u32::MAX,
        }
    }
    fn virtual_channels(&self) -> u8 {
        self.inner.channels.number()
    }
    fn is_deterministic(&self) -> bool {
        self.deterministic
    }
}

struct ChassisWay<'a> {
    rule: &'a ChassisFirst,
    way: Box<dyn Way + 'a>,
}

impl Way for ChassisWay<'_> {
    fn starts(&self, source: u32, out: &mut Vec<u64>) {
        self.way.starts(source, out);
    }
    fn steps(&self, place: u64, out: &mut Vec<Step>) {
        let first = out.len();
        self.way.steps(place, out);
        let (network, chassis) = (&self.rule.inner.network, &self.rule.chassis);
        let stays = |step: &Step| {
            let (tail, head) = (network.tails()[step.link as usize], network.heads()[step.link as usize]);
            chassis[tail as usize] == chassis[head as usize]
        };
        if out[first..].iter().any(stays) {
            let kept: Vec<Step> = out.drain(first..).filter(stays).collect();
            out.extend(kept);
        }
    }
    fn remaining(&self, place: u64) -> u32 {
        self.way.remaining(place)
    }
    fn on_links(&self, place: u64) -> u64 {
        self.way.on_links(place)
    }
}
