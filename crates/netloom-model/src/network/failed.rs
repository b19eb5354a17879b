//! A network with parts out of service: the same switches and endpoints, fewer cables.

use std::sync::Arc;

use super::{Network, Structure, builder::rows};
use crate::fault::{Fault, Faults, Outcome, codes};

/// The parts out of service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// Label of the network in full service.
    pub whole: String,
    /// Switches out of service, ascending. Their endpoints keep their numbers, and no packet reaches them.
    pub switches: Vec<u32>,
    /// Ends of every failed cable, those of failed switches included: lower switch first, ascending, parallel
    /// cables repeated.
    pub cables: Vec<(u32, u32)>,
    /// Cables of every switch in full service.
    pub(super) degrees: Vec<u32>,
    /// Place of every remaining link among those that left its switch in full service, from 0.
    pub(super) places: Vec<u32>,
}

/// Most items named in one sentence.
const NAMED: usize = 3;

impl Network {
    /// The same network without the cables of `links` (either direction) and without `switches`. Switches, endpoints
    /// and classes keep their numbers; switch links are renumbered. A failed switch has no cables, and its endpoints
    /// are not on any path.
    ///
    /// Of the structure, the attributes of each switch remain (coordinates, levels, groups, chassis, stages). Those of the
    /// whole graph are removed (tree shape, jumps, ring, transitive, bisection): formulas no longer hold, so code that
    /// uses one checks [`Network::failed`] first. O(links).
    ///
    /// # Errors
    /// `NL-N002` for a link or switch that does not exist.
    pub fn without(&self, links: &[u32], switches: &[u32]) -> Outcome<Network> {
        let (n, count) = (self.switches(), self.switch_links());
        let mut faults = Faults::none();
        if let Some(link) = links.iter().find(|l| **l >= count) {
            let expected = format!("a switch link in 0..{count} (exclusive)");
            faults.push(Fault::new(&codes::NETWORK_INVALID, &self.label, expected, link));
        }
        if let Some(switch) = switches.iter().find(|s| **s >= n) {
            let expected = format!("a switch in 0..{n} (exclusive)");
            faults.push(Fault::new(&codes::NETWORK_INVALID, &self.label, expected, switch));
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        if links.is_empty() && switches.is_empty() {
            return Ok(self.clone());
        }
        let mut dead = vec![false; n as usize];
        switches.iter().for_each(|s| dead[*s as usize] = true);
        let mut gone = vec![false; count as usize];
        links.iter().for_each(|l| (gone[*l as usize], gone[self.reverse[*l as usize] as usize]) = (true, true));
        let mut failed = match &self.failed {
            Some(before) => before.as_ref().clone(),
            None => Failed {
                whole: self.label.clone(),
                switches: Vec::new(),
                cables: Vec::new(),
                degrees: (0..n).map(|switch| self.degree(switch)).collect(),
                places: (0..n).flat_map(|switch| 0..self.degree(switch)).collect(),
            },
        };
        let mut cables = Vec::with_capacity(self.cables() as usize);
        // In order of links, cables are sorted, as in the builder.
        for (link, &gone) in gone.iter().enumerate() {
            let (a, b) = (self.tails[link], self.heads[link]);
            if a > b {
                continue;
            }
            if gone || dead[a as usize] || dead[b as usize] {
                failed.cables.push((a, b));
            } else {
                cables.push((a, b, self.class_of[link]));
            }
        }
        failed.cables.sort_unstable();
        failed.switches.extend_from_slice(switches);
        failed.switches.sort_unstable();
        failed.switches.dedup();
        let (offsets, links) = rows(&cables, n as usize);
        let stays = |link: usize| {
            let (a, b) = (self.tails[link] as usize, self.heads[link] as usize);
            !(gone[link] || dead[a] || dead[b])
        };
        let subnet = self.subnet.as_ref().map(|subnet| Arc::new(subnet.with_links(stays)));
        let kept = (0..).zip(&failed.places).filter(|(link, _)| stays(*link));
        failed.places = kept.map(|(_, place)| *place).collect();
        // The links that stay keep their order; directions of one cable may have different classes.
        let class_of = (0..).zip(&self.class_of).filter(|(link, _)| stays(*link)).map(|(_, class)| *class).collect();
        let kept = &self.structure;
        Ok(Network {
            label: failed.label(),
            offsets,
            heads: links.heads,
            tails: links.tails,
            reverse: links.reverse,
            class_of,
            structure: Structure {
                family: kept.family.clone(),
                grid: kept.grid.clone(),
                levels: kept.levels.clone(),
                groups: kept.groups.clone(),
                chassis: kept.chassis.clone(),
                rails: kept.rails,
                fly: kept.fly,
                ..Structure::default()
            },
            failed: Some(Box::new(failed)),
            // They name links that have other numbers here.
            tables: Vec::new(),
            subnet,
            ..self.clone()
        })
    }

    /// The parts out of service, `None` for a network in full service.
    pub fn failed(&self) -> Option<&Failed> {
        self.failed.as_deref()
    }

    /// False for a switch that failed. O(log failed switches).
    #[inline]
    pub fn in_service(&self, switch: u32) -> bool {
        self.failed.as_ref().is_none_or(|f| f.switches.binary_search(&switch).is_err())
    }

    /// # Errors
    /// `NL-N003` for the first of `endpoints` whose switch is out of service, with how many there are.
    pub fn require_in_service(&self, endpoints: impl IntoIterator<Item = u32>) -> Outcome<()> {
        if self.failed.is_none() {
            return Ok(());
        }
        let switch = |e: u32| self.endpoint_switch.get(e as usize).copied();
        let mut lost = endpoints.into_iter().filter(|e| switch(*e).is_some_and(|s| !self.in_service(s)));
        let Some(first) = lost.next() else { return Ok(()) };
        let more = lost.count();
        let on = switch(first).map_or(String::new(), |s| self.switch_name(s));
        let sentence = format!("endpoint {} is on switch {on}, which is out of service", self.endpoint_name(first));
        let also = if more == 0 { String::new() } else { format!("; so are {more} others in use") };
        Err(Fault::say(&codes::OUT_OF_SERVICE, &self.label, sentence + &also)
            .hint("place ranks on endpoints of switches in service")
            .into())
    }

    /// As [`Network::require_connected`], for the switches that packets come from and go to: those in service that have
    /// endpoints, or all in service if there are no endpoints. O(switches + links).
    ///
    /// # Errors
    /// `NL-N001` with the number of pairs that cannot reach each other, the first of them and the failures between.
    pub fn require_joined(&self) -> Outcome<()> {
        let Some(failed) = &self.failed else { return self.require_connected() };
        let part = self.parts();
        let ends = (0..self.switches())
            .filter(|s| self.in_service(*s) && (self.endpoint_switch.is_empty() || !self.endpoints_of(*s).is_empty()));
        // Per part: its first relevant switch, and the number of relevant switches.
        let mut firsts: Vec<(u32, u64)> = vec![(u32::MAX, 0); self.switches() as usize];
        for s in ends {
            let slot = &mut firsts[part[s as usize] as usize];
            *slot = (slot.0.min(s), slot.1 + 1);
        }
        firsts.retain(|first| first.1 > 0);
        if firsts.len() < 2 {
            return Ok(());
        }
        firsts.sort_by_key(|first| (std::cmp::Reverse(first.1), first.0));
        let all: u64 = firsts.iter().map(|f| f.1).sum();
        let pairs = (all * all - firsts.iter().map(|f| f.1 * f.1).sum::<u64>()) / 2;
        let main = self.switch_name(firsts[0].0);
        let named: Vec<String> =
            firsts[1..].iter().take(NAMED).map(|f| format!("{main} and {}", self.switch_name(f.0))).collect();
        let more = if firsts.len() - 1 > NAMED { ", ..." } else { "" };
        let sentence = format!(
            "{pairs} pairs of switches cannot reach each other: {}{more}; switch {} is cut off by {}",
            named.join(", "),
            self.switch_name(firsts[1].0),
            self.between(failed, &part, firsts[1].0)
        );
        Err(Fault::say(&codes::DISCONNECTED, &self.label, sentence)
            .hint("take what is cut off out of service too (`switch:...`), or restore one of these")
            .into())
    }

    /// The failures at the edge of the part of `switch`, as they are written.
    fn between(&self, failed: &Failed, part: &[u32], switch: u32) -> String {
        let inside = |s: u32| part[s as usize] == part[switch as usize];
        let mut names: Vec<String> = Vec::new();
        for &(a, b) in failed.cables.iter().filter(|c| inside(c.0) != inside(c.1)) {
            let name = match [a, b].into_iter().find(|s| !self.in_service(*s)) {
                Some(dead) => format!("switch:{}", written_name(&self.switch_name(dead))),
                None => {
                    let [a, b] = [a, b].map(|s| written_name(&self.switch_name(s)));
                    format!("link:{a}-{b}")
                }
            };
            if !names.contains(&name) {
                names.push(name);
            }
            if names.len() > NAMED {
                names[NAMED] = "...".into();
                break;
            }
        }
        if names.is_empty() { "no failure: it never was joined".into() } else { names.join(", ") }
    }

    /// A number per switch, the same for switches that can reach each other.
    pub(super) fn parts(&self) -> Vec<u32> {
        let mut part = vec![u32::MAX; self.switches() as usize];
        let mut open = Vec::new();
        for first in 0..self.switches() {
            if part[first as usize] != u32::MAX {
                continue;
            }
            part[first as usize] = first;
            open.push(first);
            while let Some(at) = open.pop() {
                for &next in self.neighbours(at) {
                    if part[next as usize] == u32::MAX {
                        part[next as usize] = first;
                        open.push(next);
                    }
                }
            }
        }
        part
    }
}

impl Failed {
    fn label(&self) -> String {
        let count = |count: usize, one: &str, more: &str| format!("{count} {}", if count == 1 { one } else { more });
        let cables = count(self.cables.len(), "cable", "cables");
        match self.switches.len() {
            0 => format!("{} without {cables}", self.whole),
            dead => format!("{} without {} and {cables}", self.whole, count(dead, "switch", "switches")),
        }
    }
}

/// A switch's name as a failure has it: in quotes where it holds what separates.
pub fn written_name(name: &str) -> String {
    let plain = |c: char| !c.is_control() && !c.is_whitespace() && !matches!(c, ';' | '#' | '"' | '\\' | ',');
    match !name.is_empty() && name.chars().all(plain) {
        true => name.to_string(),
        false => format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")),
    }
}
