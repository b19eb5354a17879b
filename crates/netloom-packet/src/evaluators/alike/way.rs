//! What the packets of a message may cross.

use std::collections::HashSet;

use netloom_model::{Outcome, Place, Reach};

use crate::routes::hops::Hops;
use netloom_ranks::RoutedMachine;

/// Links of one message, in a list of all: those of the network, then those inside nodes.
#[derive(Default)]
pub(super) struct Way {
    /// In the order in which packets cross them, if there is no choice.
    pub links: Vec<u32>,
    /// Channel classes, of links between switches.
    pub classes: Vec<u8>,
    /// Links inside nodes before injection; [`Way::INSIDE`] of a message that stays in its node, [`Way::LOOPS`] of one that no link
    /// carries.
    pub ups: u32,
    /// How far it goes, for software.
    pub reach: Option<Reach>,
    /// Packets may take one of several paths, so that chance or what stands in buffers decides.
    pub is_open: bool,
}

impl Way {
    pub const INSIDE: u32 = u32::MAX;
    pub const LOOPS: u32 = u32::MAX - 1;

    /// # Errors
    /// If there is no path.
    pub fn of(machine: &RoutedMachine<'_>, hops: &mut Hops<'_>, from: Place, to: Place) -> Outcome<Way> {
        let network = machine.network;
        let mut way = Way { reach: Some(machine.reach(from, to)), ..Way::default() };
        if machine.loops_back(from, to) {
            return Ok(Way { ups: Way::LOOPS, ..way });
        }
        let mut downs = Vec::new();
        if let Some(node) = machine.node {
            let mut inner = Vec::new();
            let ups = node.route(from, to, &mut inner);
            inner.iter_mut().for_each(|link| *link += network.links());
            if node.of(from.endpoint) == node.of(to.endpoint) {
                return Ok(Way { links: inner, ups: Way::INSIDE, ..way });
            }
            downs = inner.split_off(ups);
            (way.links, way.ups) = (inner, ups as u32);
        }
        way.links.push(network.injection_link(from.endpoint));
        way.cross(hops, network.endpoint_switch()[from.endpoint as usize], to.endpoint)?;
        way.links.push(network.ejection_link(to.endpoint));
        way.links.extend(downs);
        Ok(way)
    }

    fn cross(&mut self, hops: &mut Hops<'_>, source: u32, to: u32) -> Outcome<()> {
        let end = hops.destination(to);
        let mut open = hops.starts(source, end)?;
        self.is_open = open.len() > 1;
        let (mut been, mut choices) = (HashSet::new(), Vec::new());
        while let Some(place) = open.pop() {
            if !been.insert(place) {
                continue;
            }
            hops.list(place, end, &mut choices);
            hops.fault()?;
            self.is_open |= choices.len() > 1;
            self.links.extend(choices.iter().map(|choice| choice.link));
            self.classes.extend(choices.iter().map(|choice| choice.class));
            open.extend(choices.iter().map(|choice| choice.place));
        }
        Ok(())
    }
}
