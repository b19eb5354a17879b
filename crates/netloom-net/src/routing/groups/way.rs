//! Group-minimal routing hop by hop.

use netloom_model::{Step, Way};

use super::channels::Channels;
use super::group_minimal::GroupMinimal;
use super::shape::APART;
use super::tables::Member;

/// With `n` switches, place `k n + s` is switch `s` with: for `k = 0`, one global link to go or none; for 1, two global links,
/// round failures; for 2, any shortest path of the network; for 3, the global link taken, where channels tell that.
pub struct GroupWay<'a> {
    routing: &'a GroupMinimal,
    /// The destination.
    to: Member,
    anywhere: Option<Box<dyn Way + 'a>>,
}

const FAR: u32 = u32::MAX;

impl<'a> GroupWay<'a> {
    pub fn new(routing: &'a GroupMinimal, destination: u32) -> Self {
        let anywhere = routing.anywhere.as_ref().map(|ruled| ruled.rule.way(&routing.network, destination));
        GroupWay { to: routing.tables.member(destination), routing, anywhere }
    }

    fn split(&self, place: u64) -> (u64, u32) {
        let n = u64::from(self.routing.network.switches());
        (place / n, (place % n) as u32)
    }

    fn place(&self, stage: u64, switch: u32) -> u64 {
        stage * u64::from(self.routing.network.switches()) + u64::from(switch)
    }

    /// Fewest hops from `switch` over at most one global link.
    fn direct(&self, switch: u32) -> u32 {
        let from = self.routing.tables.member(switch);
        if from.group != self.to.group {
            return self.routing.fewest(from, self.to).0;
        }
        match self.routing.tables.shape(from.group).pair(from.number, self.to.number).hops {
            APART => FAR,
            hops => hops.into(),
        }
    }

    /// Fewest hops from `switch` over two global links, through a third group. O(cables of a group · cables per pair).
    fn round(&self, switch: u32) -> u32 {
        let tables = &self.routing.tables;
        let from = tables.member(switch);
        let heads = self.routing.network.heads();
        let mut best = FAR;
        for middle in (0..tables.groups() as u32).filter(|m| *m != from.group && *m != self.to.group) {
            for global in tables.between(from.group, middle) {
                let before = tables.shape(from.group).pair(from.number, global.tail.into()).hops;
                if before != APART {
                    let after = self.direct(heads[global.link as usize]);
                    best = best.min(after.saturating_add(u32::from(before) + 1));
                }
            }
        }
        best
    }
}

impl Way for GroupWay<'_> {
    fn starts(&self, source: u32, out: &mut Vec<u64>) {
        if self.direct(source) != FAR {
            out.push(source.into());
        } else if let Some(anywhere) = &self.anywhere {
            if self.round(source) != FAR {
                out.push(self.place(1, source));
            } else {
                let before = out.len();
                anywhere.starts(source, out);
                out[before..].iter_mut().for_each(|place| *place = self.place(2, *place as u32));
            }
        }
    }

    fn steps(&self, place: u64, out: &mut Vec<Step>) {
        let (stage, at) = self.split(place);
        if let (2, Some(anywhere)) = (stage, &self.anywhere) {
            let before = out.len();
            anywhere.steps(at.into(), out);
            out[before..].iter_mut().for_each(|step| step.place = self.place(2, step.place as u32));
            return;
        }
        let (tables, network) = (&self.routing.tables, &self.routing.network);
        let remaining = self.remaining(place);
        if remaining == 0 || remaining == FAR {
            return;
        }
        let here = tables.member(at).group;
        for link in network.out_links(at) {
            let head = network.heads()[link as usize];
            let there = tables.member(head).group;
            let next = match (there == here, stage) {
                (true, _) => self.place(stage, head),
                (false, 0) if there == self.to.group && self.routing.channels == Channels::Globals => {
                    self.place(3, head)
                }
                (false, 0) if there == self.to.group => head.into(),
                (false, 1) if there != self.to.group => head.into(),
                _ => continue,
            };
            if self.remaining(next) == remaining - 1 {
                let channel = u8::from(self.split(next).0 == 3);
                out.push(Step { link, channel, place: next });
            }
        }
    }

    fn remaining(&self, place: u64) -> u32 {
        match (self.split(place), &self.anywhere) {
            ((0 | 3, at), _) => self.direct(at),
            ((2, at), Some(anywhere)) => anywhere.remaining(at.into()),
            ((_, at), _) => self.round(at),
        }
    }
}
