//! What failures leave of a network, as a network of its own.

use std::borrow::Cow;

use super::{Network, Structure, builder::rows};
use crate::fault::Outcome;

impl Network {
    /// The switches in service that packets can reach, with their endpoints and cables: what has metrics. Switches,
    /// endpoints and links are renumbered in their order; of the structure the groups remain. The network itself where
    /// nothing failed, or where only cables did and every switch can still be reached. O(switches + links).
    ///
    /// # Errors
    /// `NL-N001` where failures part switches with endpoints; as [`Network::require_connected`] where nothing failed.
    pub fn remaining(&self) -> Outcome<Cow<'_, Network>> {
        self.require_joined()?;
        if self.failed().is_none() || self.unreached().is_empty() {
            return Ok(Cow::Borrowed(self));
        }
        let part = self.parts();
        let is_end = |s: &u32| self.in_service(*s) && !self.endpoints_of(*s).is_empty();
        let first = (0..self.switches()).find(is_end).or_else(|| (0..self.switches()).find(|s| self.in_service(*s)));
        let stays = |s: u32| first.is_some_and(|first| part[s as usize] == part[first as usize]);
        let kept: Vec<u32> = (0..self.switches()).filter(|s| stays(*s)).collect();
        let mut new = vec![u32::MAX; self.switches() as usize];
        (0..).zip(&kept).for_each(|(at, s)| new[*s as usize] = at);
        let cables: Vec<(u32, u32, u16)> = (0..self.switch_links() as usize)
            .map(|l| (self.tails[l], self.heads[l], self.class_of[l]))
            .filter(|(a, b, _)| a < b && stays(*a))
            .map(|(a, b, class)| (new[a as usize], new[b as usize], class))
            .collect();
        let (offsets, links) = rows(&cables, kept.len());
        let on = |e: &u32| stays(self.endpoint_switch[*e as usize]);
        let endpoints: Vec<u32> = (0..self.endpoints()).filter(on).collect();
        let endpoint_switch: Vec<u32> =
            endpoints.iter().map(|e| new[self.endpoint_switch[*e as usize] as usize]).collect();
        let mut order: Vec<u32> = (0..endpoint_switch.len() as u32).collect();
        order.sort_by_key(|e| endpoint_switch[*e as usize]);
        let mut endpoint_offsets = vec![0; kept.len() + 1];
        endpoint_switch.iter().for_each(|s| endpoint_offsets[*s as usize + 1] += 1);
        for s in 0..kept.len() {
            endpoint_offsets[s + 1] += endpoint_offsets[s];
        }
        let named = |names: &[String], of: &[u32]| of.iter().filter_map(|i| names.get(*i as usize).cloned()).collect();
        let groups = self.structure.groups.as_ref();
        Ok(Cow::Owned(Network {
            offsets,
            heads: links.heads,
            tails: links.tails,
            reverse: links.reverse,
            class_of: links.class_of,
            switch_names: named(&self.switch_names, &kept),
            endpoint_names: named(&self.endpoint_names, &endpoints),
            endpoint_switch,
            endpoint_offsets,
            endpoint_order: order,
            structure: Structure {
                family: self.structure.family.clone(),
                groups: groups.map(|groups| kept.iter().filter_map(|s| groups.get(*s as usize).copied()).collect()),
                ..Structure::default()
            },
            failed: None,
            tables: Vec::new(),
            subnet: None,
            ..self.clone()
        }))
    }
}
