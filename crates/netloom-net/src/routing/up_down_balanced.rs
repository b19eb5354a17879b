//! Up*/down* routing as forwarding tables hold it: at every switch one next link by destination endpoint.

use netloom_model::Network;

use super::balanced::{Leads, Toward};
use super::distances::FAR;
use super::ranks::Ranks;

/// Packets take the shortest way down from a switch above the destination, and from others the shortest way up to such a switch. What comes
/// next depends on the switch alone, not on whether packets have climbed, so that any connected network has tables.
impl Leads for Ranks {
    type To<'a> = UpDownHops<'a>;
    /// Links up first, then links down.
    const ORDERED: bool = true;

    fn is_searched(&self) -> bool {
        Ranks::is_searched(self)
    }

    fn to<'a>(&'a self, network: &'a Network, switch: u32) -> UpDownHops<'a> {
        let down = Ranks::to(self, network, switch).down.clone();
        let mut all = down.clone();
        for &at in self.top_first() {
            if all[at as usize] == FAR {
                let above = network.neighbours(at).iter().filter(|u| self.up(at, **u));
                all[at as usize] = above.map(|u| all[*u as usize].saturating_add(1)).min().unwrap_or(FAR);
            }
        }
        UpDownHops { ranks: self, all, down }
    }
}

/// Hops to one destination from every switch, and by descending links alone.
pub struct UpDownHops<'a> {
    ranks: &'a Ranks,
    all: Vec<u32>,
    down: Vec<u32>,
}

impl Toward for UpDownHops<'_> {
    fn hops(&self, at: u32) -> u32 {
        self.all[at as usize]
    }
    fn next<'b>(&'b self, network: &'b Network, at: u32) -> impl Iterator<Item = u32> + 'b {
        let climbs = self.down[at as usize] == FAR;
        let from = if climbs { &self.all } else { &self.down };
        let hops = from[at as usize];
        let nearer = move |link: &u32| {
            let head = network.heads()[*link as usize];
            hops != FAR && self.ranks.up(at, head) == climbs && from[head as usize].saturating_add(1) == hops
        };
        network.out_links(at).filter(nearer)
    }
}
