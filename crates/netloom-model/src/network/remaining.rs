//! What failures leave of a network, as a network of its own.

use std::borrow::Cow;

use super::{Network, Structure};
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
        let mut taken = self.taken(&self.staying()).network;
        taken.structure = Structure {
            family: self.structure.family.clone(),
            groups: taken.structure.groups.take(),
            ..Structure::default()
        };
        Ok(Cow::Owned(taken))
    }

    /// The switches of [`Network::remaining`] by their numbers here, ascending. O(switches + links).
    pub fn staying(&self) -> Vec<u32> {
        let part = self.parts();
        let is_end = |s: &u32| self.in_service(*s) && !self.endpoints_of(*s).is_empty();
        let first = (0..self.switches()).find(is_end).or_else(|| (0..self.switches()).find(|s| self.in_service(*s)));
        let stays = |s: &u32| first.is_some_and(|first| part[*s as usize] == part[first as usize]);
        (0..self.switches()).filter(stays).collect()
    }
}
